/* SPDX-License-Identifier: BSD-3-Clause */
/* read_comment.c: what a line that begins with # says: a fit, the fastest, a finding, a comment. */
#include <config.h>
#include <string.h>
#include "result/read_internal.h"

/* The line from the model's name on. */
static bool add_fit(cm_reader *reader, const char *model)
{
    size_t model_length = strcspn(model, " ");
    for (const char *word = model + model_length; *word;) {
        word += strspn(word, " ");
        size_t length = strcspn(word, " ");
        if (!cm_reader_parameter(reader, model, model_length, word, length)) return false;
        word += length;
    }
    return true;
}

bool cm_reader_comment(cm_reader *reader, const char *text)
{
    static const char fit[] = "fit: model=", fastest[] = "fastest: ";
    if (strncmp(text, fit, sizeof fit - 1) == 0) return add_fit(reader, text + sizeof fit - 1);
    if (strncmp(text, fastest, sizeof fastest - 1) == 0) {
        text += sizeof fastest - 1;
        return cm_reader_fastest(reader, text + strspn(text, " "));
    }
    bool is_finding;
    if (!cm_reader_finding_line(reader, text, &is_finding)) return false;
    return is_finding || !*text || cm_reader_plain(reader, text);
}

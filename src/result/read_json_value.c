/* SPDX-License-Identifier: BSD-3-Clause */
/* read_json_value.c: single values of the JSON of a result. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "result/read_internal.h"
#include "result/read_json.h"
#include "result/result_internal.h"

#ifdef HAVE_JANSSON
/* A cell or a name that stands between blanks in the text. */
bool cm_json_is_word(const char *text)
{
    if (!text || !*text || *text == '#') return false;
    for (; *text; text++)
        if ((unsigned char)*text <= ' ' || *text == 0x7f) return false;
    return true;
}

const char *cm_json_string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* A member that is a number, or null for NaN. */
bool cm_json_number(const json_t *value, double *number)
{
    *number = json_is_number(value) ? json_number_value(value) : NAN;
    return json_is_number(value) || json_is_null(value);
}

/* Adds metadata, or a comment where key is NULL. It is cleaned first, as lines of a text are, so
   that control characters at its beginning are skipped as blanks are. */
bool cm_json_line(cm_reader *reader, const char *key, const char *text)
{
    char *line = strdup(text);
    if (!line) return cm_reader_fail(reader, "no memory for it");
    cm_result_clean(line);
    /* Blanks before a value are not told from the one after the colon of a text. */
    bool fine = key ? cm_reader_meta(reader, key, line + strspn(line, " "), false)
                    : cm_reader_comment(reader, line);
    free(line);
    return fine;
}

#endif

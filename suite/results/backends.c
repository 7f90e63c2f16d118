/* SPDX-License-Identifier: BSD-3-Clause */
/* backends.c: the folders of several backends. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "backends.h"
#include "folder.h"

bool suite_backends_is_name(const char *word)
{
    return *word && word[strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789")] == '\0';
}

bool suite_backends_read(const char *dir, suite_words *names)
{
    char *list = suite_folder_metadata(dir, "backends");
    bool right = list != NULL;
    if (right) suite_words_list(names, list);
    for (size_t k = 0; k < names->n; k++) right = right && suite_backends_is_name(names->word[k]);
    if (!right || names->n < 2) suite_words_free(names);
    free(list);
    return names->n > 0;
}

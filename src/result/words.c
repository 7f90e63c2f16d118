/* SPDX-License-Identifier: BSD-3-Clause */
/* words.c: columns whose values are words: "=ordinary|non-temporal" is their format, and a value
   says which of them, from 0. */
#include "config.h"
#include <math.h>
#include <string.h>
#include "result/result_internal.h"

bool cm_result_is_words(const char *format) { return format && format[0] == '='; }

/* The word after `from`; its length. */
static size_t length_of(const char *from) { return strcspn(from, "|"); }

bool cm_result_words_width(const char *format, int *width)
{
    if (!cm_result_is_words(format)) return false;
    *width = 0;
    for (const char *word = format + 1;; word += length_of(word) + 1) {
        size_t length = length_of(word);
        /* gnuplot and awk take a word for one column; "nan" is what is none of them. */
        if (length == 0 || length > CM_RESULT_WORD || strcspn(word, " \"#\t\n") < length
            || (length == 3 && strncmp(word, "nan", 3) == 0))
            return false;
        if ((int)length > *width) *width = (int)length;
        if (!word[length]) return true;
    }
}

bool cm_result_word(const char *format, double value, char *text)
{
    strcpy(text, "nan");
    if (!(value >= 0) || value != floor(value)) return false;
    const char *word = format + 1;
    for (double k = 0; k < value; k++) {
        word += length_of(word);
        if (!*word++) return false;
    }
    size_t length = length_of(word);
    memcpy(text, word, length);
    text[length] = '\0';
    return true;
}

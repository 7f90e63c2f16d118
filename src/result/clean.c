/* SPDX-License-Identifier: BSD-3-Clause */
/* clean.c: makes any bytes fit one line of text and a JSON string. */
#include <config.h>
#include <string.h>
#include "result/result_internal.h"

/* Table 3-7 of the Unicode standard, "Well-Formed UTF-8 Byte Sequences". */
size_t cm_result_character(const char *text)
{
    const unsigned char *t = (const unsigned char *)text;
    unsigned char low = 0x80, high = 0xbf;
    size_t length;
    if (t[0] == '\0') return 0;
    if (t[0] < 0x80) return 1;
    if (t[0] < 0xc2 || t[0] > 0xf4) return 0;
    length = t[0] < 0xe0 ? 2 : t[0] < 0xf0 ? 3 : 4;
    if (t[0] == 0xe0) low = 0xa0;
    if (t[0] == 0xed) high = 0x9f;
    if (t[0] == 0xf0) low = 0x90;
    if (t[0] == 0xf4) high = 0x8f;
    for (size_t i = 1; i < length; i++) {
        if (t[i] < low || t[i] > high) return 0;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

void cm_result_clean(char *text)
{
    while (*text) {
        size_t length = cm_result_character(text);
        if (length == 0) *text = '?';
        if (length == 1 && ((unsigned char)*text < ' ' || *text == 0x7f)) *text = ' ';
        text += length > 0 ? length : 1;
    }
}

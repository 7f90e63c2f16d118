/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: a command line that can be pasted into a shell. */
#include <config.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

/* Characters that are never special to a shell, wherever they are in a word. */
static const char plain[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./_-";

static char *put(char *out, const char *text)
{
    size_t length = strlen(text);
    memcpy(out, text, length);
    return out + length;
}

/* '...' keeps all except the quote itself; $'...' (bash, ksh, zsh, POSIX since 2024) writes bytes
   that would break the line, or that no terminal shows, as \ooo. */
static char *quote(char *out, const char *word)
{
    bool odd = false;
    for (const char *c = word; *c;) {
        size_t length = cm_result_character(c);
        odd |= length == 0 || (length == 1 && ((unsigned char)*c < ' ' || *c == 0x7f));
        c += length > 0 ? length : 1;
    }
    if (*word && word[strspn(word, plain)] == '\0') return put(out, word);
    if (!odd) {
        *out++ = '\'';
        for (; *word; word++)
            if (*word == '\'') out = put(out, "'\\''");
            else *out++ = *word;
        *out++ = '\'';
        return out;
    }
    out = put(out, "$'");
    while (*word) {
        size_t length = cm_result_character(word);
        if (length == 0 || (length == 1 && ((unsigned char)*word < ' ' || *word == 0x7f))) {
            unsigned char byte = (unsigned char)*word++;
            *out++ = '\\';
            *out++ = (char)('0' + (byte >> 6));
            *out++ = (char)('0' + (byte >> 3 & 7));
            *out++ = (char)('0' + (byte & 7));
            continue;
        }
        if (*word == '\'' || *word == '\\') *out++ = '\\';
        memcpy(out, word, length);
        out += length;
        word += length;
    }
    return put(out, "'");
}

char *cm_result_command(int argc, char *const *argv)
{
    size_t most = 1;
    for (int i = 0; i < argc; i++) most += 4 * strlen(argv[i]) + 4;
    char *line = malloc(most), *out = line;
    if (!line) return NULL;
    for (int i = 0; i < argc; i++) {
        if (i > 0) *out++ = ' ';
        out = quote(out, argv[i]);
    }
    *out = '\0';
    return line;
}

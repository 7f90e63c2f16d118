/* SPDX-License-Identifier: BSD-3-Clause */
/* words.c: lists of words. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "memory.h"
#include "words.h"

/* Takes the word. */
static void add(suite_words *words, char *word)
{
    words->word = suite_longer(words->word, words->n + 2, sizeof *words->word);
    words->word[words->n++] = word;
    words->word[words->n] = NULL;
}

void suite_words_add(suite_words *words, const char *word) { add(words, suite_copy(word)); }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/* Copies one word that begins at text to word. Returns what follows it, NULL if a quotation does
   not end. */
static const char *one_word(const char *text, char *word)
{
    char quote = '\0';
    for (; *text && (quote || !is_blank(*text)); text++) {
        if (quote == '\'' && *text != '\'') *word++ = *text;
        else if (*text == '\\' && text[1]) *word++ = *++text;
        else if (quote && *text == quote) quote = '\0';
        else if (!quote && (*text == '\'' || *text == '"')) quote = *text;
        else *word++ = *text;
    }
    *word = '\0';
    return quote ? NULL : text;
}

bool suite_words_split(suite_words *words, const char *command)
{
    char *word = suite_array(strlen(command) + 1, 1);
    while (command) {
        while (is_blank(*command)) command++;
        if (!*command) break;
        command = one_word(command, word);
        if (command) suite_words_add(words, word);
    }
    free(word);
    return command != NULL;
}

void suite_words_list(suite_words *words, const char *list)
{
    while (*list) {
        size_t length = strcspn(list, ",");
        if (length) add(words, suite_text("%.*s", (int)length, list));
        list += length + (list[length] == ',');
    }
}

bool suite_words_have(const suite_words *words, const char *word)
{
    for (size_t k = 0; k < words->n; k++)
        if (strcmp(words->word[k], word) == 0) return true;
    return false;
}

static void write_quoted(const char *word, FILE *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "%+,-./:=@_";
    if (*word && word[strspn(word, plain)] == '\0') {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'') fputs("'\\''", out);
        else fputc(*word, out);
    fputc('\'', out);
}

char *suite_words_join(const suite_words *words)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (size_t k = 0; out && k < words->n; k++) {
        if (k) fputc(' ', out);
        write_quoted(words->word[k], out);
    }
    if (!out || fclose(out) != 0) return suite_copy("?");
    return text;
}

char *suite_words_joined(const suite_words *words, const char *between, const char *last)
{
    char *all = suite_copy(words->n ? words->word[0] : "");
    for (size_t k = 1; k < words->n; k++) {
        const char *gap = k + 1 < words->n ? between : last;
        char *longer = suite_text("%s%s%s", all, gap, words->word[k]);
        free(all);
        all = longer;
    }
    return all;
}

void suite_words_free(suite_words *words)
{
    for (size_t k = 0; k < words->n; k++) free(words->word[k]);
    free(words->word);
    *words = (suite_words){0};
}

char *suite_replace(const char *text, const char *what, const char *by)
{
    char *result = suite_copy("");
    for (const char *at; (at = strstr(text, what)); text = at + strlen(what)) {
        char *longer = suite_text("%s%.*s%s", result, (int)(at - text), text, by);
        free(result);
        result = longer;
    }
    char *whole = suite_text("%s%s", result, text);
    free(result);
    return whole;
}

char *suite_find_program(const char *program)
{
    if (strchr(program, '/')) return access(program, X_OK) == 0 ? suite_copy(program) : NULL;
    const char *path = getenv("PATH");
    for (path = path ? path : "/usr/bin:/bin"; path; path = strchr(path, ':')) {
        path += *path == ':';
        char *file = suite_text("%.*s/%s", (int)strcspn(path, ":"), path, program);
        if (access(file, X_OK) == 0) return file;
        free(file);
    }
    return NULL;
}

bool suite_can_be_found(const char *program)
{
    char *path = suite_find_program(program);
    free(path);
    return path != NULL;
}

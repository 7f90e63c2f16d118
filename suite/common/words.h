/* SPDX-License-Identifier: BSD-3-Clause */
/* words.h: lists of words: commands, and lists that commas separate. */
#ifndef SUITE_WORDS_H
#define SUITE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A NULL-terminated list that owns its words. Starts as zeros. */
typedef struct {
    char **word; /* NULL as long as the list is empty */
    size_t n;
} suite_words;

void suite_words_add(suite_words *words, const char *word);
/* Adds the words of a command as a shell reads them: blanks separate, '...', "..." and \ quote.
   Nothing is expanded. Returns false if a quotation does not end. */
bool suite_words_split(suite_words *words, const char *command);
/* Adds the parts that commas separate; empty ones are left out. */
void suite_words_list(suite_words *words, const char *list);
bool suite_words_have(const suite_words *words, const char *word);
/* The words as a shell reads them back; the caller frees. */
char *suite_words_join(const suite_words *words);
/* The words as they are, with a text between them, and another between the last two: "a, b and c".
   The caller frees. */
char *suite_words_joined(const suite_words *words, const char *between, const char *last);
void suite_words_free(suite_words *words);

/* The path of a program, found along PATH unless its name is a path; NULL: it cannot be run. The
   caller frees. */
char *suite_find_program(const char *program);
/* Returns true if there is one. */
bool suite_can_be_found(const char *program);

/* The text with every occurrence of what replaced; the caller frees. */
char *suite_replace(const char *text, const char *what, const char *by);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.c: reads the answers to the papers' items. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "answer.h"
#include "common/memory.h"
#include "common/words.h"

static const char *skip(const char *text, const char *what)
{
    size_t length = strlen(what);
    return strncmp(text, what, length) == 0 ? text + length : NULL;
}

/* The words behind the first one must be as many as a link needs. */
static bool read_link(suite_part *part, const char *text, size_t wanted, const char *expected,
                      char *why, size_t why_size)
{
    suite_words words = {0};
    bool right = suite_words_split(&words, text) && words.n == wanted + 1;
    if (!right) snprintf(why, why_size, "'%s': expected %s", text, expected);
    else if (wanted > 0) part->bench = suite_copy(words.word[1]);
    if (right && wanted > 1) part->id = suite_text("%s-%s", words.word[1], words.word[2]);
    suite_words_free(&words);
    return right;
}

/* The relation that stands as a word of its own, or NULL. */
static const char *find_relation(const char *text, char relation[3])
{
    static const char *const relations[] = {"<", "<=", ">", ">=", "="};
    for (size_t k = 0; k < sizeof relations / sizeof relations[0]; k++) {
        char *word = suite_text(" %s ", relations[k]);
        const char *at = strstr(text, word);
        free(word);
        if (!at) continue;
        strcpy(relation, relations[k]);
        return at;
    }
    return NULL;
}

/* An expression, or two with a relation between them. */
static bool read_expressions(suite_part *part, const char *text, char *why, size_t why_size)
{
    const char *at = find_relation(text, part->relation);
    if (!at) return suite_expression_parse(text, &part->expression, why, why_size);
    char *left = suite_text("%.*s", (int)(at - text), text);
    bool right =
        suite_expression_parse(left, &part->expression, why, why_size)
        && suite_expression_parse(at + strlen(part->relation) + 2, &part->bound, why, why_size);
    part->kind = SUITE_PART_TEST;
    free(left);
    return right;
}

/* A part from its label on. */
static bool read_part(suite_part *part, const char *text, char *why, size_t why_size)
{
    const char *colon = strstr(text, ": ");
    if (colon) {
        part->label = suite_text("%.*s", (int)(colon - text), text);
        text = colon + 2;
    }
    text += strspn(text, " ");
    if (skip(text, "figure ")) {
        part->kind = SUITE_PART_FIGURE;
        return read_link(part, text, 2, "figure BENCH FIGURE", why, why_size);
    }
    if (skip(text, "section ")) {
        part->kind = SUITE_PART_SECTION;
        return read_link(part, text, 1, "section BENCH", why, why_size);
    }
    if (strcmp(text, "machine") == 0) {
        part->kind = SUITE_PART_MACHINE;
        return true;
    }
    part->kind = SUITE_PART_EXPRESSION;
    return read_expressions(part, text, why, why_size);
}

bool suite_answer_parse(const char *text, suite_answer *answer, char *why, size_t why_size)
{
    char *copy = suite_copy(text), *rest = copy;
    bool right = true;
    *answer = (suite_answer){0};
    if (strcmp(text, "-") == 0) rest = NULL;
    if (skip(text, "none: ")) {
        answer->none = suite_copy(skip(text, "none: "));
        rest = NULL;
    }
    for (char *part; right && (part = strsep(&rest, ";"));) {
        part += strspn(part, " ");
        for (size_t n = strlen(part); n > 0 && part[n - 1] == ' '; n--) part[n - 1] = '\0';
        answer->part = suite_longer(answer->part, answer->n + 1, sizeof answer->part[0]);
        answer->part[answer->n] = (suite_part){0};
        right = read_part(&answer->part[answer->n++], part, why, why_size);
    }
    free(copy);
    if (!right) suite_answer_free(answer);
    return right;
}

void suite_answer_free(suite_answer *answer)
{
    for (size_t k = 0; k < answer->n; k++) {
        suite_part *part = &answer->part[k];
        free(part->label);
        free(part->bench);
        free(part->id);
        suite_expression_free(&part->expression);
        suite_expression_free(&part->bound);
    }
    free(answer->part);
    free(answer->none);
    *answer = (suite_answer){0};
}

const char *suite_answer_bench(const suite_answer *answer, const char *owner)
{
    if (answer->n == 0) return owner;
    const suite_part *part = &answer->part[0];
    const char *bench = part->bench;
    if (part->expression.n > 0) bench = part->expression.source[0].bench;
    return bench ? bench : owner;
}

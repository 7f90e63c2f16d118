/* SPDX-License-Identifier: BSD-3-Clause */
/* expression.c: reads expressions. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expression.h"
#include "common/memory.h"

static const char small[] = "abcdefghijklmnopqrstuvwxyz";
static const char bench_letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_-";
static const char name_letters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

typedef struct {
    const char *at; /* what is not read yet */
    char *why;
    size_t why_size;
} parser;

/* Says what was expected, and the rest of the word where it was expected. */
static bool fail(parser *parser, const char *word, const char *expected)
{
    int length = (int)strcspn(word, " ");
    if (length == 0) snprintf(parser->why, parser->why_size, "at the end: expected %s", expected);
    else snprintf(parser->why, parser->why_size, "'%.*s': expected %s", length, word, expected);
    return false;
}

static char *copy_part(const char *text, size_t length)
{
    return suite_text("%.*s", (int)length, text);
}

/* Reads a name, which does not begin with a digit and ends before the first other character. */
static bool read_name(parser *parser, const char *what, char **name)
{
    size_t length = strspn(parser->at, name_letters);
    if (length == 0 || strchr("0123456789", *parser->at)) return fail(parser, parser->at, what);
    *name = copy_part(parser->at, length);
    parser->at += length;
    return true;
}

/* A benchmark's name and a colon, if the word begins with them; before the name perhaps "beside/".
   A model's name would not be told from it, were it not for the "fit:" before. */
static void read_bench(parser *parser, suite_source *source)
{
    static const char beside[] = "beside/";
    size_t other = strncmp(parser->at, beside, strlen(beside)) == 0 ? strlen(beside) : 0;
    size_t length = other + strspn(parser->at + other, bench_letters);
    if (length == other || !strchr(small, *parser->at) || parser->at[length] != ':') return;
    if (length == 3 && strncmp(parser->at, "fit", 3) == 0) return;
    source->bench = copy_part(parser->at, length);
    parser->at += length + 1;
}

/* Reads the condition after a [ or a comma. */
static bool read_condition(parser *parser, suite_source *source)
{
    const char *begin = parser->at;
    size_t key = strspn(begin, name_letters), value = 0;
    if (key > 0 && begin[key] == '=') value = strcspn(begin + key + 1, ",] ");
    if (value == 0) return fail(parser, begin - 1, "KEY=VALUE");
    source->condition =
        suite_longer(source->condition, source->n_conditions + 1, sizeof source->condition[0]);
    suite_condition *condition = &source->condition[source->n_conditions++];
    *condition = (suite_condition){copy_part(begin, key), copy_part(begin + key + 1, value), false};
    condition->lowest = strcmp(condition->value, "min") == 0;
    if (condition->lowest || strcmp(condition->value, "max") == 0) {
        free(condition->value);
        condition->value = NULL;
    }
    parser->at += key + 1 + value;
    return true;
}

/* Reads the conditions from the [ to the ]. */
static bool read_conditions(parser *parser, suite_source *source)
{
    const char *begin = parser->at;
    source->kind = SUITE_SOURCE_CELL;
    do {
        parser->at++;
        if (!read_condition(parser, source)) return false;
    } while (*parser->at == ',');
    if (*parser->at != ']') return fail(parser, begin, "] behind the conditions");
    parser->at++;
    return true;
}

static bool read_fit(parser *parser, suite_source *source)
{
    static const char expected[] = "fit:MODEL:KEY";
    const char *begin = parser->at;
    source->kind = SUITE_SOURCE_FIT;
    parser->at += strlen("fit:");
    if (!read_name(parser, expected, &source->model)) return false;
    if (*parser->at != ':') return fail(parser, begin, expected);
    parser->at++;
    return read_name(parser, expected, &source->name);
}

/* A word that is a whole number in the sense of cm_record_number. */
static bool read_number(parser *parser, suite_source *source)
{
    double value;
    size_t length = strcspn(parser->at, " ");
    char *word = copy_part(parser->at, length);
    if (!cm_record_number(word, &value)) {
        free(word);
        return false;
    }
    source->kind = SUITE_SOURCE_NUMBER;
    source->name = word;
    parser->at += length;
    return true;
}

static bool read_source(parser *parser, suite_source *source)
{
    const char *word = parser->at;
    *source = (suite_source){.kind = SUITE_SOURCE_METRIC};
    if (read_number(parser, source)) return true;
    read_bench(parser, source);
    if (strncmp(parser->at, "fit:", 4) == 0) {
        if (!read_fit(parser, source)) return false;
    } else {
        if (!read_name(parser, "a number, a metric or a column", &source->name)) return false;
        if (*parser->at == '[' && !read_conditions(parser, source)) return false;
    }
    return *parser->at == ' ' || !*parser->at
           || fail(parser, word, "a blank behind a source; names have letters, digits and _");
}

static void skip_blanks(parser *parser) { parser->at += strspn(parser->at, " "); }

static bool read_operator(parser *parser, char *operator)
{
    size_t length = strcspn(parser->at, " ");
    if (length != 1 || !strchr("+-*/", *parser->at))
        return fail(parser, parser->at, "an operator, one of + - * /");
    *operator= * parser->at++;
    skip_blanks(parser);
    return true;
}

bool suite_expression_parse(const char *text, suite_expression *expression, char *why,
                            size_t why_size)
{
    parser parser = {text, why, why_size};
    bool right = true;
    *expression = (suite_expression){0};
    skip_blanks(&parser);
    do {
        size_t n = expression->n;
        char operator= '+';
        if (n > 0) right = read_operator(&parser, &operator);
        if (!right) break;
        expression->source = suite_longer(expression->source, n + 1, sizeof(suite_source));
        expression->operator= suite_longer(expression->operator, n + 1, 1);
        expression->operator[n] = operator;
        right = read_source(&parser, &expression->source[n]);
        expression->n++;
        skip_blanks(&parser);
    } while (right && *parser.at);
    if (!right) suite_expression_free(expression);
    return right;
}

static void free_source(suite_source *source)
{
    for (size_t k = 0; k < source->n_conditions; k++) {
        free(source->condition[k].column);
        free(source->condition[k].value);
    }
    free(source->condition);
    free(source->bench);
    free(source->model);
    free(source->name);
}

void suite_expression_free(suite_expression *expression)
{
    for (size_t k = 0; k < expression->n; k++) free_source(&expression->source[k]);
    free(expression->source);
    free(expression->operator);
    *expression = (suite_expression){0};
}

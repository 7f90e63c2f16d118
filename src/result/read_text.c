/* SPDX-License-Identifier: BSD-3-Clause */
/* read_text.c: a record from the lines that text.c prints. */
#include <config.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "result/read_internal.h"
#include "result/result_internal.h"

typedef struct {
    cm_reader *reader;
    size_t number; /* of the line, from 1 */
    bool whole;    /* it ends with a newline; otherwise more may have been meant to follow */
} text_line;

/* Returns the text after this beginning and blanks; NULL: the line begins differently. */
static char *behind(char *line, const char *beginning)
{
    size_t length = strlen(beginning);
    if (strncmp(line, beginning, length) != 0) return NULL;
    return line + length + strspn(line + length, " ");
}

/* Cuts the first word off; NULL: there is none. */
static char *cut_word(char **rest)
{
    if (!*rest) return NULL;
    char *word = *rest + strspn(*rest, " "), *end = word + strcspn(word, " ");
    if (word == end) return NULL;
    *rest = end + (*end != '\0');
    *end = '\0';
    return word;
}

static size_t count_words(const char *text)
{
    size_t n = 0;
    for (text += strspn(text, " "); *text; text += strspn(text, " "), n++)
        text += strcspn(text, " ");
    return n;
}

/* ---- RESULT lines ---------------------------------------------------------------------------- */

static double bound_of(const char *text)
{
    double value;
    return cm_record_number(text, &value) ? value : NAN;
}

static bool count_of(const char *text, size_t *n)
{
    char *end;
    errno = 0;
    unsigned long long count = strtoull(text, &end, 10);
    *n = (size_t)count;
    return *text >= '0' && *text <= '9' && !*end && errno == 0 && *n == count;
}

/* Takes a word KEY=VALUE after the unit. Returns false if the key does not have such a value. */
static bool take_word(char *word, cm_record_metric *metric)
{
    char *value = strchr(word, '=');
    if (!value) return true;
    *value++ = '\0';
    if (strcmp(word, "low") == 0) metric->low = bound_of(value);
    else if (strcmp(word, "high") == 0) metric->high = bound_of(value);
    else if (strcmp(word, "interval") == 0) metric->interval = value;
    else if (strcmp(word, "over") == 0) metric->over = value;
    else if (strcmp(word, "better") == 0) metric->better = value;
    else if (strcmp(word, "n") == 0) return count_of(value, &metric->n);
    else if (strcmp(word, "disturbed") == 0) {
        metric->disturbed = strcmp(value, "yes") == 0;
        metric->tells = strcmp(value, "unknown") != 0;
        return metric->disturbed || !metric->tells || strcmp(value, "no") == 0;
    }
    return true;
}

static bool read_metric(const text_line *line, char *rest)
{
    char *said = cut_word(&rest);
    cm_record_metric metric = {.low = NAN, .high = NAN};
    metric.name = cut_word(&rest);
    metric.value = cut_word(&rest);
    metric.unit = cut_word(&rest);
    if (!metric.unit && !line->whole) return true;
    if (!metric.unit)
        return cm_reader_fail(line->reader,
                              "line %zu: a RESULT line has PASS or FAIL, metric, value and unit",
                              line->number);
    metric.pass = strcmp(said, "PASS") == 0;
    if (!metric.pass && strcmp(said, "FAIL") != 0)
        return cm_reader_fail(line->reader, "line %zu: a RESULT line says PASS or FAIL, not %s",
                              line->number, said);
    for (char *word; (word = cut_word(&rest));)
        if (!take_word(word, &metric) && line->whole)
            return cm_reader_fail(line->reader, "line %zu: %s of a RESULT line is %s; expected %s",
                                  line->number, word, word + strlen(word) + 1,
                                  strcmp(word, "n") == 0 ? "a whole number" : "yes or no");
    return cm_reader_metric(line->reader, &metric);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool is_fit(const char *text)
{
    const char *model = strncmp(text, "fit:", 4) == 0 ? text + 4 + strspn(text + 4, " ") : "";
    return strncmp(model, "model=", 6) == 0;
}

/* "wrong_bytes: 0 == 0  PASS"; the name may have blanks and colons. */
static bool read_check(const text_line *line, char *text)
{
    static const char pass[] = " PASS";
    const size_t length = strlen(text), end = sizeof pass - 1;
    cm_record_check check = {.text = text, .value = NAN, .bound = NAN};
    check.pass = length >= end && strcmp(text + length - end, pass) == 0;
    char *name = strdup(text), *at = name ? strrchr(name, ':') : NULL, *rest = at ? at + 1 : NULL;
    const char *value = cut_word(&rest), *relation = cut_word(&rest), *bound = cut_word(&rest);
    if (bound) {
        *at = '\0';
        check.name = name;
        check.relation = (char *)relation;
        check.value = bound_of(value);
        check.bound = bound_of(bound);
    }
    const bool fine = name ? cm_reader_check(line->reader, &check)
                           : cm_reader_fail(line->reader, "no memory for it");
    free(name);
    return fine;
}

/* After the header a comment may begin with a word and a colon; of metadata only these keys. */
static bool is_key(const cm_record *record, const char *text, size_t length)
{
    char key[32];
    if (!cm_reader_is_key(text, length)) return false;
    if (record->n_columns == 0) return true;
    return snprintf(key, sizeof key, "%.*s", (int)length, text) < (int)sizeof key
           && cm_result_comes_last(key);
}

static bool read_comment(const text_line *line, char *text)
{
    char *rest = behind(text, "# RESULT: ");
    if (rest) return read_metric(line, rest);
    rest = behind(text, "# CHECK");
    if (rest) return read_check(line, *rest == ':' ? behind(rest, ":") : rest);
    rest = text + 1 + (text[1] == ' ');
    size_t length = strcspn(rest, ":");
    if (text[1] == ' ' && rest[length] && !is_fit(rest)
        && is_key(line->reader->record, rest, length)) {
        rest[length] = '\0';
        double number;
        char *value = rest + length + 1 + strspn(rest + length + 1, " ");
        return cm_reader_meta(line->reader, rest, value,
                              cm_result_counts(rest) && cm_record_number(value, &number));
    }
    return cm_reader_comment(line->reader, rest);
}

static bool read_row(const text_line *line, char *text)
{
    cm_reader *reader = line->reader;
    size_t n = count_words(text), n_columns = reader->record->n_columns;
    if (n < n_columns && !line->whole) return true;
    if (n != n_columns)
        return cm_reader_fail(reader, "line %zu: %zu cells, but the header has %zu", line->number,
                              n, n_columns);
    for (char *word; (word = cut_word(&text));)
        if (!cm_reader_cell(reader, word)) return false;
    reader->record->n_rows++;
    return true;
}

static bool read_line(const text_line *line, char *text)
{
    if (*text == '#') return read_comment(line, text);
    if (!text[strspn(text, " ")]) return true;
    if (line->reader->record->n_columns > 0) return read_row(line, text);
    for (char *word; (word = cut_word(&text));)
        if (!cm_reader_column(line->reader, word, NULL)) return false;
    return true;
}

bool cm_reader_text(cm_reader *reader, FILE *file, size_t lines)
{
    char *text = NULL;
    size_t capacity = 0;
    bool fine = true;
    text_line line = {reader, lines, true};
    ssize_t length;
    errno = 0;
    while (fine && (length = getline(&text, &capacity, file)) > 0) {
        line.number++;
        line.whole = text[length - 1] == '\n';
        if (strlen(text) < (size_t)length) {
            fine = cm_reader_fail(reader, "line %zu: a NUL byte; the file is damaged", line.number);
            break;
        }
        if (line.whole) text[--length] = '\0';
        if (length > 0 && text[length - 1] == '\r') text[length - 1] = '\0';
        cm_result_clean(text);
        fine = read_line(&line, text);
        errno = 0;
    }
    if (fine && !feof(file))
        fine = cm_reader_fail(reader, "line %zu: %s", line.number + 1, strerror(errno));
    free(text);
    return fine;
}

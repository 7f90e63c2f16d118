/* SPDX-License-Identifier: BSD-3-Clause */
/* agreement.c: reads suite/agreements.tab. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "agreement.h"
#include "common/lines.h"
#include "common/memory.h"

enum { TITLE, UNIT, TOLERANCE, REASON, VALUES, FIELDS };
static const char *const field_names[] = {"title", "unit", "tolerance", "reason", "values"};

/* What the lines are read into, and the runs that they may name. */
typedef struct {
    suite_agreements *agreements;
    const suite_table *table;
} reading;

static bool is_run(const suite_table *table, const char *name)
{
    for (size_t r = 0; r < table->n; r++)
        if (strcmp(table->run[r].name, name) == 0) return true;
    return false;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* KEY=VALUE,... of NAME[KEY=VALUE,...]. */
static bool read_conditions(suite_measure *measure, char *text)
{
    for (char *condition; (condition = strsep(&text, ","));) {
        char *value = strchr(condition, '=');
        if (!value || value == condition || !value[1]) return false;
        *value++ = '\0';
        measure->condition = suite_longer(measure->condition, measure->n_conditions + 1,
                                          sizeof measure->condition[0]);
        measure->condition[measure->n_conditions++] =
            (suite_condition){suite_copy(condition), suite_copy(value), false};
    }
    return true;
}

/* NAME or NAME[KEY=VALUE,...]. */
static bool read_name(suite_measure *measure, char *text)
{
    char *open = strchr(text, '['), *close = open ? strchr(open, ']') : NULL;
    if (open) {
        if (!close || close[1]) return false;
        *open = *close = '\0';
        if (!read_conditions(measure, open + 1)) return false;
    }
    measure->bench = suite_copy(text);
    return true;
}

static bool read_measure(suite_measure *measure, char *text, const reading *reading,
                         const suite_position *at)
{
    static const char form[] = "NAME: EXPRESSION or NAME[KEY=VALUE,...]: EXPRESSION";
    char *colon = strstr(text, ": "), *whole = suite_copy(text), why[512];
    bool right = false;
    if (colon) {
        *colon = '\0';
        right = read_name(measure, text);
    }
    if (!right) suite_lines_fail_value(at, field_names[VALUES], whole, form);
    else if (!is_run(reading->table, measure->bench)) {
        suite_lines_fail_value(at, field_names[VALUES], measure->bench,
                               "a run of suite/benchmarks.tab");
        right = false;
    } else if (!suite_expression_parse(colon + 2, &measure->expression, why, sizeof why))
        right = suite_lines_fail(at, field_names[VALUES], why);
    free(whole);
    return right;
}

static bool read_measures(suite_agreement *agreement, char *text, const reading *reading,
                          const suite_position *at)
{
    for (char *part; (part = strsep(&text, ";"));) {
        agreement->measure =
            suite_longer(agreement->measure, agreement->n + 1, sizeof agreement->measure[0]);
        suite_measure *measure = &agreement->measure[agreement->n++];
        *measure = (suite_measure){0};
        if (!read_measure(measure, suite_lines_trim(part), reading, at)) return false;
    }
    return agreement->n > 1
           || suite_lines_fail(at, field_names[VALUES], "expected two or more, separated by ;");
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool split(char *line, char **field, const suite_position *at)
{
    if (!suite_lines_split(at, "agreement", line, FIELDS, field)) return false;
    for (int n = 0; n < FIELDS; n++)
        if (!*field[n]) return suite_lines_fail(at, field_names[n], "it is empty");
    return true;
}

static bool read_agreement(void *context, char *line, const suite_position *at)
{
    const reading *reading = context;
    suite_agreements *agreements = reading->agreements;
    char *field[FIELDS];
    double percent;
    if (!split(line, field, at)) return false;
    if (!cm_record_number(field[TOLERANCE], &percent) || percent <= 0)
        return suite_lines_fail_value(at, field_names[TOLERANCE], field[TOLERANCE],
                                      "per cent, a number above 0");
    agreements->agreement =
        suite_longer(agreements->agreement, agreements->n + 1, sizeof agreements->agreement[0]);
    suite_agreement *agreement = &agreements->agreement[agreements->n++];
    *agreement = (suite_agreement){.title = suite_copy(field[TITLE]),
                                   .unit = suite_copy(field[UNIT]),
                                   .tolerance_percent = percent,
                                   .reason = suite_copy(field[REASON])};
    return read_measures(agreement, field[VALUES], reading, at);
}

bool suite_agreements_read(const suite_home *home, const suite_table *table,
                           suite_agreements *agreements)
{
    *agreements = (suite_agreements){0};
    char *path = suite_home_file(home, "suite/agreements.tab");
    bool right = suite_lines_read(path, read_agreement, &(reading){agreements, table});
    free(path);
    return right;
}

static void free_measure(suite_measure *measure)
{
    for (size_t k = 0; k < measure->n_conditions; k++) {
        free(measure->condition[k].column);
        free(measure->condition[k].value);
    }
    free(measure->condition);
    free(measure->bench);
    suite_expression_free(&measure->expression);
}

void suite_agreements_free(suite_agreements *agreements)
{
    for (size_t a = 0; a < agreements->n; a++) {
        suite_agreement *agreement = &agreements->agreement[a];
        for (size_t k = 0; k < agreement->n; k++) free_measure(&agreement->measure[k]);
        free(agreement->measure);
        free(agreement->title);
        free(agreement->unit);
        free(agreement->reason);
    }
    free(agreements->agreement);
    *agreements = (suite_agreements){0};
}

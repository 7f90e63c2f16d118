/* SPDX-License-Identifier: BSD-3-Clause */
/* result.c: a result from opening to closing. */
#include <config.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/exit.h"
#include "result/result_internal.h"

bool cm_result_grow(cm_result *result, void **list, size_t n, size_t *capacity, size_t element)
{
    if (n < *capacity) return true;
    size_t more = *capacity > 0 ? 2 * *capacity : 16;
    void *larger = more <= SIZE_MAX / element ? realloc(*list, more * element) : NULL;
    if (!larger) {
        result->out_of_memory = true;
        return false;
    }
    *list = larger;
    *capacity = more;
    return true;
}

char *cm_result_copy(cm_result *result, const char *text)
{
    char *copy = strdup(text);
    if (copy) cm_result_clean(copy);
    else result->out_of_memory = true;
    return copy;
}

static void release(cm_result *result)
{
    for (size_t i = 0; i < result->n_columns; i++)
        free(result->column[i].name), free(result->column[i].format);
    for (size_t i = 0; i < result->n_meta; i++)
        free(result->meta[i].key), free(result->meta[i].text);
    for (size_t i = 0; i < result->n_raw; i++)
        free(result->raw[i].of), free(result->raw[i].unit), free(result->raw[i].value),
            free(result->raw[i].cause);
    for (size_t i = 0; i < result->n_checks; i++)
        free(result->check[i].name), free(result->check[i].relation);
    for (size_t i = 0; i < result->n_comments; i++) free(result->comment[i]);
    for (size_t i = 0; i < result->n_findings; i++) cm_finding_free(&result->finding[i]);
    for (size_t i = 0; i < result->n_verdicts; i++) free(result->verdict[i].metric);
    cm_result_hosts_free(&result->hosts);
    free(result->column);
    free(result->text);
    free(result->meta);
    free(result->cell);
    free(result->raw);
    free(result->check);
    free(result->comment);
    free(result->finding);
    free(result->verdict);
    cm_result_target_free(&result->output);
    cm_result_target_free(&result->json);
    if (result->numbers) freelocale(result->numbers);
    free(result->command);
    free(result);
}

/* gnuplot takes a header's words as column names: one word each. */
static bool add_columns(cm_result *result, const cm_result_column *columns, size_t n_columns)
{
    if (n_columns == 0) return true;
    result->column = calloc(n_columns, sizeof *result->column);
    if (!result->column) return false;
    for (size_t i = 0; i < n_columns; i++) {
        cm_result_layout *column = &result->column[i];
        result->n_columns = i + 1;
        column->offset = columns[i].offset;
        column->cell = columns[i].cell;
        column->name = cm_result_copy(result, columns[i].name);
        column->format = cm_result_copy(result, columns[i].format);
        if (!column->name || !column->format) return false;
        if (!cm_result_format_width(column->format, &column->width) || !column->name[0]
            || column->name[0] == '#' || strpbrk(column->name, " \"")) {
            fprintf(stderr,
                    "%s: column \"%s\" with format \"%s\": a name is one word, a format "
                    "printf's for one double without width, or =WORD|WORD...\n",
                    result->program->name, column->name, column->format);
            return false;
        }
        int length = (int)strlen(column->name);
        if (length > column->width) column->width = length;
    }
    return true;
}

static bool add_target(cm_result *result, const char *option, const char *name, bool force,
                       cm_result_target *target)
{
    char why[512];
    if (!name || cm_result_target_find(name, force, target, why, sizeof why)) return true;
    fprintf(stderr, "%s: --%s %s %s\n", result->program->name, option, name, why);
    return false;
}

cm_result *cm_result_open(const cm_program *program, int argc, char **argv,
                          const cm_result_files *files, const cm_result_column *columns,
                          size_t n_columns)
{
    cm_result *result = calloc(1, sizeof *result);
    if (result) {
        result->program = program;
        result->command = cm_result_command(argc, argv);
    }
    if (!result || !result->command) {
        fprintf(stderr, "%s: no memory for a result\n", program->name);
        if (result) release(result);
        return NULL;
    }
    result->quiet = files->quiet;
    result->force = files->force;
    result->numbers = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool fine = result->numbers != (locale_t)0 && add_columns(result, columns, n_columns);
    if (!fine && (result->out_of_memory || (n_columns > 0 && !result->column)))
        fprintf(stderr, "%s: no memory for a result\n", program->name);
    fine = fine && add_target(result, "output", files->output, files->force, &result->output)
           && add_target(result, "json", files->json, files->force, &result->json);
    if (fine) return result;
    release(result);
    return NULL;
}

/* Copies samples for the JSON. of: what they are, or NULL. */
static void add_raw(cm_result *result, size_t row, const char *of, const char *unit,
                    const cm_samples *samples)
{
    size_t n = samples->n, room = n > 0 ? n : 1;
    cm_result_raw raw = {.row = row,
                         .n = n,
                         .n_disturbed = samples->disturbed,
                         .of = of ? cm_result_copy(result, of) : NULL,
                         .unit = cm_result_copy(result, unit ? unit : "1"),
                         .value = malloc(room * sizeof(double)),
                         .cause = samples->disturbed > 0 ? malloc(room) : NULL};
    if ((of && !raw.of) || !raw.unit || !raw.value || (raw.n_disturbed > 0 && !raw.cause)
        || !cm_result_grow(result, (void **)&result->raw, result->n_raw, &result->raw_capacity,
                           sizeof raw)) {
        result->out_of_memory = true;
        free(raw.of);
        free(raw.unit);
        free(raw.value);
        free(raw.cause);
        return;
    }
    if (n > 0) memcpy(raw.value, samples->value, n * sizeof(double));
    if (raw.cause) memcpy(raw.cause, samples->cause, n);
    result->raw[result->n_raw++] = raw;
}

double cm_result_cell_value(const cm_result_layout *column, const void *row)
{
    const void *at = (const char *)row + column->offset;
    switch (column->cell) {
    case CM_CELL_BOOL:
        return *(const bool *)at;
    case CM_CELL_INT:
        return *(const int *)at;
    case CM_CELL_UNSIGNED:
        return *(const unsigned *)at;
    case CM_CELL_LONG:
        return (double)*(const long *)at;
    case CM_CELL_UNSIGNED_LONG:
        return (double)*(const unsigned long *)at;
    case CM_CELL_LONG_LONG:
        return (double)*(const long long *)at;
    case CM_CELL_UNSIGNED_LONG_LONG:
        return (double)*(const unsigned long long *)at;
    default:
        return *(const double *)at;
    }
}

void cm_result_row(cm_result *result, const void *row, const cm_samples *samples, const char *unit)
{
    locale_t user = uselocale(result->numbers);
    size_t number = result->n_rows++;
    cm_result_print_header(result);
    if (result->n_columns > 0) cm_result_print_row(result, row);
    uselocale(user);
    if (samples) {
        cm_result_find_states(result, number, samples, unit);
        cm_result_count_disturbed(result, samples);
    }
    if (!result->json.path) return;
    for (size_t i = 0; i < result->n_columns; i++) {
        if (!cm_result_grow(result, (void **)&result->cell, result->n_cells, &result->cell_capacity,
                            sizeof *result->cell))
            return;
        result->cell[result->n_cells++] = cm_result_cell_value(&result->column[i], row);
    }
    if (samples) add_raw(result, number, NULL, unit, samples);
}

void cm_result_row_samples(cm_result *result, const char *of, const char *unit, size_t n,
                           const double *value)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    if (!result->json.path || result->n_rows == 0) return;
    bool enough = cm_samples_reserve(&samples, n);
    for (size_t k = 0; enough && k < n; k++) enough = cm_samples_add(&samples, value[k]);
    if (enough) add_raw(result, result->n_rows - 1, of, unit, &samples);
    else result->out_of_memory = true;
    cm_samples_free(&samples);
}

void cm_result_comment(cm_result *result, const char *format, ...)
{
    char *text = NULL;
    locale_t user = uselocale(result->numbers);
    va_list list;
    va_start(list, format);
    int length = vasprintf(&text, format, list);
    va_end(list);
    if (length < 0
        || !cm_result_grow(result, (void **)&result->comment, result->n_comments,
                           &result->comment_capacity, sizeof text)) {
        result->out_of_memory = true;
        if (length >= 0) free(text);
    } else {
        cm_result_clean(text);
        result->comment[result->n_comments++] = text;
        cm_result_print_comment(result, text);
    }
    uselocale(user);
}

static double or_none(double value, bool is) { return is ? value : NAN; }

static bool keep_finding(cm_result *result, const cm_finding *finding, const char *words)
{
    const bool counted = finding->quantity.unit != NULL;
    const bool wide = counted && finding->quantity.low != finding->quantity.high;
    const cm_record_finding f = {.who = (char *)finding->who,
                                 .what = (char *)finding->what,
                                 .quantity = (char *)finding->quantity.name,
                                 .value = or_none(finding->quantity.value, counted),
                                 .low = or_none(finding->quantity.low, wide),
                                 .high = or_none(finding->quantity.high, wide),
                                 .bound = or_none(finding->bound, finding->bound != 0),
                                 .unit = (char *)finding->quantity.unit,
                                 .words = (char *)words};
    return cm_result_grow(result, (void **)&result->finding, result->n_findings,
                          &result->finding_capacity, sizeof f)
           && cm_finding_copy(&f, &result->finding[result->n_findings++]);
}

static void add_findings(cm_result *result, const cm_finding *finding, size_t n, const char *format,
                         va_list list)
{
    char *words = NULL, *line = NULL;
    locale_t user = uselocale(result->numbers);
    const int length = vasprintf(&words, format, list);
    bool fine = length >= 0;
    const size_t first = result->n_findings;
    for (size_t k = 0; k < n && fine; k++)
        fine = keep_finding(result, &finding[k], k == 0 ? words : "");
    if (fine) line = cm_record_finding_line(&result->finding[first], n);
    if (line) cm_result_print_comment(result, line);
    else result->out_of_memory = true;
    if (length >= 0) free(words);
    free(line);
    uselocale(user);
}

void cm_result_finding(cm_result *result, const cm_finding *finding, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_findings(result, finding, 1, format, list);
    va_end(list);
}

void cm_result_findings(cm_result *result, const cm_finding *finding, size_t n, const char *format,
                        ...)
{
    va_list list;
    va_start(list, format);
    add_findings(result, finding, n, format, list);
    va_end(list);
}

void cm_result_metric(cm_result *result, bool pass, const char *metric, cm_quantity quantity)
{
    const cm_metric *known = cm_option_metric(result->program, metric);
    if (!known) {
        fprintf(stderr, "%s: its table of metrics has no %s\n", result->program->name, metric);
        result->unknown_metric = true;
        return;
    }
    cm_result_said said = {.metric = cm_result_copy(result, metric),
                           .unit = known->unit,
                           .better = known->better,
                           .pass = pass && !isnan(quantity.value),
                           .is = quantity};
    if (said.metric
        && cm_result_grow(result, (void **)&result->verdict, result->n_verdicts,
                          &result->verdict_capacity, sizeof said)) {
        result->verdict[result->n_verdicts++] = said;
        return;
    }
    free(said.metric);
}

static bool write_text(const void *content, FILE *file)
{
    const cm_result *result = content;
    return fwrite(result->text, 1, result->text_bytes, file) == result->text_bytes;
}

static bool write_json(const void *content, FILE *file)
{
    return cm_result_json_write(content, file);
}

/* false and one line when the file is wanted and cannot be written. */
static bool write_file(const cm_result *result, const char *option, const cm_result_target *target,
                       cm_result_writer *writer)
{
    char why[CM_RESULT_WHY];
    if (!target->path) return true;
    if (result->out_of_memory) {
        fprintf(stderr, "%s: --%s %s is not written: the result did not fit into memory\n",
                result->program->name, option, target->path);
        return false;
    }
    if (cm_result_write(target, result->force, writer, result, why, sizeof why)) return true;
    fprintf(stderr, "%s: --%s %s %s\n", result->program->name, option, target->path, why);
    return false;
}

void cm_result_nothing(cm_result *result, const char *why) { result->nothing = why; }

void cm_result_defer(cm_result *result) { result->deferred = true; }

static bool has_passed(const cm_result *result)
{
    bool passed = (result->n_verdicts > 0 || result->nothing) && !result->check_failed;
    for (size_t i = 0; i < result->n_verdicts; i++) passed = passed && result->verdict[i].pass;
    return passed;
}

static int finish(cm_result *result)
{
    locale_t user = uselocale(result->numbers);
    const bool passed = has_passed(result);
    cm_result_print_header(result);
    cm_result_say_states(result);
    cm_result_say_disturbed(result);
    for (size_t i = 0; i < result->n_verdicts; i++) {
        cm_result_said *verdict = &result->verdict[i];
        verdict->pass = verdict->pass && !result->check_failed;
        if (result->oversubscribed)
            verdict->is.disturbed = cm_disturbed_unseen(verdict->is.disturbed);
        cm_result_print_verdict(result, verdict);
    }
    if (result->n_verdicts == 0 && result->nothing) {
        cm_result_print_comment(result, result->nothing);
    } else if (result->n_verdicts == 0) {
        cm_result_print_comment(result, "no verdict: nothing above was verified");
        fprintf(stderr, "%s: no verdict was reached, so its figures count for nothing\n",
                result->program->name);
    }
    cm_result_progress_erase(result);

    bool written = result->stdout_error == 0 && !result->out_of_memory;
    if (result->stdout_error != 0)
        fprintf(stderr, "%s: cannot write to standard output: %s\n", result->program->name,
                strerror(result->stdout_error));
    else if (result->out_of_memory && !result->output.path && !result->json.path)
        fprintf(stderr, "%s: the result did not fit into memory\n", result->program->name);
    written &= write_file(result, "output", &result->output, write_text);
    written &= write_file(result, "json", &result->json, write_json);
    written &= !result->unknown_metric;
    uselocale(user);
    release(result);
    return !written ? CM_EXIT_SYSTEM : passed ? CM_EXIT_PASS : CM_EXIT_WRONG;
}

int cm_result_close(cm_result *result)
{
    if (!result->deferred) return finish(result);
    result->closed = true;
    return has_passed(result) ? CM_EXIT_PASS : CM_EXIT_WRONG;
}

int cm_result_finish(cm_result *result) { return result->closed ? finish(result) : CM_EXIT_PASS; }

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

static void release(cm_result *result)
{
    for (size_t i = 0; i < result->n_metrics; i++) free(result->metric[i].name);
    cm_result_hosts_free(&result->hosts);
    free(result->column);
    if (result->out) fclose(result->out);
    free(result->text);
    cm_reader_free(&result->fill);
    free(result->metric);
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
        column->offset = columns[i].offset;
        column->cell = columns[i].cell;
        if (!cm_reader_column(&result->fill, columns[i].name, columns[i].format)) {
            result->out_of_memory = true;
            return false;
        }
        const char *name = result->record.column[i], *format = result->record.format[i];
        if (!cm_result_format_width(format, &column->width) || !name[0] || name[0] == '#'
            || strpbrk(name, " \"")) {
            fprintf(stderr,
                    "%s: column \"%s\" with format \"%s\": a name is one word, a format "
                    "printf's for one double without width, or =WORD|WORD...\n",
                    result->program->name, name, format);
            return false;
        }
        int length = (int)strlen(name);
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
        result->out = open_memstream(&result->text, &result->text_bytes);
        result->fill.record = &result->record;
    }
    if (!result || !result->command || !result->out) {
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

void cm_result_metric(cm_result *result, bool pass, const char *name, cm_quantity quantity)
{
    const cm_metric *known = cm_option_metric(result->program, name);
    if (!known) {
        fprintf(stderr, "%s: its table of metrics has no %s\n", result->program->name, name);
        result->unknown_metric = true;
        return;
    }
    cm_result_said said = {.name = cm_result_copy(result, name),
                           .unit = known->unit,
                           .better = known->better,
                           .pass = pass && !isnan(quantity.value),
                           .is = quantity};
    if (said.name
        && cm_result_grow(result, (void **)&result->metric, result->n_metrics,
                          &result->metric_capacity, sizeof said)) {
        result->metric[result->n_metrics++] = said;
        return;
    }
    free(said.name);
}

static bool write_text(const void *content, FILE *file)
{
    const cm_result *result = content;
    return fwrite(result->text, 1, result->text_bytes, file) == result->text_bytes;
}

static bool write_json(const void *content, FILE *file)
{
    const cm_result *result = content;
    char *text = cm_record_json(&result->record, result->program->name, 17, NULL);
    const bool fine = text && fputs(text, file) >= 0 && fputc('\n', file) != EOF;
    if (!text) errno = ENOMEM;
    free(text);
    return fine;
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
    bool passed = (result->n_metrics > 0 || result->nothing) && !result->check_failed;
    for (size_t i = 0; i < result->n_metrics; i++) passed = passed && result->metric[i].pass;
    return passed;
}

/* As a record has it, but with all digits, which only JSON shows. Without an interval it does not
   say over how many values it is. */
static bool keep_metric(cm_result *result, const cm_result_said *said)
{
    static const char *const better[] = {
        [CM_BETTER_NEITHER] = "neither", [CM_BETTER_LOW] = "low", [CM_BETTER_HIGH] = "high"};
    const cm_quantity *is = &said->is;
    const bool wide = cm_quantity_has_interval(is), looked = is->n > 0;
    char value[64];
    cm_result_exact_text(value, sizeof value, is->value, false);
    const cm_record_metric m = {.name = said->name,
                                .value = value,
                                .unit = (char *)said->unit,
                                .pass = said->pass,
                                .low = wide ? is->low : NAN,
                                .high = wide ? is->high : NAN,
                                .interval = !wide                        ? NULL
                                            : is->kind == CM_INTERVAL_95 ? "95%"
                                                                         : "range",
                                .over = wide ? (char *)is->over : NULL,
                                .n = wide ? is->n : 0,
                                .disturbed = looked && is->disturbed == CM_DISTURBED_YES,
                                .tells = looked && is->disturbed != CM_DISTURBED_UNKNOWN,
                                .unseen = looked && is->disturbed == CM_DISTURBED_UNKNOWN,
                                .better = (char *)better[said->better]};
    return cm_reader_metric(&result->fill, &m);
}

static int finish(cm_result *result)
{
    locale_t user = uselocale(result->numbers);
    const bool passed = has_passed(result);
    cm_result_print_header(result);
    cm_result_say_states(result);
    cm_result_say_disturbed(result);
    cm_result_say_last(result);
    for (size_t i = 0; i < result->n_metrics; i++) {
        cm_result_said *metric = &result->metric[i];
        metric->pass = metric->pass && !result->check_failed;
        if (result->oversubscribed)
            metric->is.disturbed = cm_disturbed_unseen(metric->is.disturbed);
        if (keep_metric(result, metric)) {
            cm_text_metric(result->out, &result->record.metric[result->record.n_metrics - 1]);
            cm_result_print(result);
        } else result->out_of_memory = true;
    }
    if (result->n_metrics == 0 && result->nothing) {
        cm_result_print_line(result, NULL, result->nothing);
    } else if (result->n_metrics == 0) {
        cm_result_print_line(result, NULL, "no metric: nothing above was verified");
        fprintf(stderr, "%s: no metric was measured, so its figures count for nothing\n",
                result->program->name);
    }
    cm_result_progress_erase(result);
    if (result->json.path && !cm_result_hosts_keep(result)) result->out_of_memory = true;

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

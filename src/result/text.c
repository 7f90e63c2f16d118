/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: the lines of a result, for people and gnuplot. */
#include <config.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

/* The longest values: "-1.234e-308" for e and g; f keeps 12 places before the point, enough for
   bytes and counts (a longer value makes its line longer, never wrong). */
bool cm_result_format_width(const char *format, int *width)
{
    if (cm_result_is_words(format)) return cm_result_words_width(format, width);
    if (!format || *format++ != '%') return false;
    format += strspn(format, "+ #");
    int precision = 6;
    if (*format == '.') {
        size_t places = strspn(++format, "0123456789");
        long digits = places > 0 ? strtol(format, NULL, 10) : 0;
        if (digits > 40) return false;
        precision = (int)digits;
        format += places;
    }
    if (!*format || !strchr("eEfFgG", *format) || format[1] != '\0') return false;
    if (strchr("fF", *format)) *width = 12 + (precision > 0 ? 1 + precision : 0);
    else if (strchr("eE", *format)) *width = 7 + (precision > 0 ? 1 + precision : 0);
    else *width = 7 + (precision > 0 ? precision : 1);
    return true;
}

/* A value by format in width columns. printf writes a NaN's sign, which says nothing. */
static void number(char *text, size_t size, const char *format, int width, double value)
{
    char wide[64];
    if (cm_result_is_words(format)) {
        char word[CM_RESULT_WORD + 1];
        cm_result_word(format, value, word);
        snprintf(text, size, "%*s", width, word);
        return;
    }
    if (isnan(value)) {
        snprintf(text, size, "%*s", width, "nan");
        return;
    }
    size_t flags = 1 + strspn(format + 1, "+ #");
    snprintf(wide, sizeof wide, "%.*s*%s", (int)flags, format, format + flags);
    snprintf(text, size, wide, width, value);
}

void cm_result_number_text(char *text, size_t size, const char *format, double value)
{
    number(text, size, format, 0, value);
}

/* Writing to a pipe whose reader is gone would end this process by SIGPIPE and lose the files
   that are still to be written; so it is held back, and taken off if it came, when there are
   files. */
static void to_stdout(cm_result *result, const char *text, size_t length)
{
    sigset_t pipe_only, before;
    bool hold = result->output.path || result->json.path;
    if (result->stdout_error != 0) return;
    if (hold) {
        sigemptyset(&pipe_only);
        sigaddset(&pipe_only, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    }
    errno = 0;
    if (fwrite(text, 1, length, stdout) != length || fflush(stdout) != 0)
        result->stdout_error = errno ? errno : EIO;
    if (hold) {
        if (result->stdout_error == EPIPE && !sigismember(&before, SIGPIPE))
            sigtimedwait(&pipe_only, NULL, &(struct timespec){0, 0});
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
}

/* To stdout and --output. */
static void print_text(cm_result *result, const char *text)
{
    size_t length = strlen(text);
    cm_result_progress_erase(result);
    to_stdout(result, text, length);
    if (!result->output.path) return;
    while (result->text_bytes + length > result->text_capacity)
        if (!cm_result_grow(result, (void **)&result->text, result->text_capacity,
                            &result->text_capacity, 1))
            return;
    memcpy(result->text + result->text_bytes, text, length);
    result->text_bytes += length;
}

__attribute__((format(printf, 2, 3))) static void print(cm_result *result, const char *format, ...)
{
    char *line = NULL;
    va_list list;
    va_start(list, format);
    int length = vasprintf(&line, format, list);
    va_end(list);
    if (length < 0) {
        result->out_of_memory = true;
        return;
    }
    print_text(result, line);
    free(line);
}

void cm_result_print_entry(cm_result *result, const cm_result_entry *entry)
{
    print(result, "# %s: %s\n", entry->key, entry->text);
}

void cm_result_print_comment(cm_result *result, const char *text) { print(result, "# %s\n", text); }

void cm_result_print_header(cm_result *result)
{
    if (result->header_printed || result->n_columns == 0) return;
    result->header_printed = true;
    for (size_t i = 0; i < result->n_columns; i++)
        print(result, "%*s%s", result->column[i].width, result->column[i].name,
              i + 1 < result->n_columns ? "  " : "\n");
}

void cm_result_print_row(cm_result *result, const void *row)
{
    size_t size = 512 * result->n_columns + 2, used = 0; /* "%.40f" of 1e308 has 351 places */
    char *line = malloc(size);
    if (!line) {
        result->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < result->n_columns; i++) {
        const cm_result_layout *column = &result->column[i];
        number(line + used, size - used, column->format, column->width,
               cm_result_cell_value(column, row));
        used += strlen(line + used);
        strcpy(line + used, i + 1 < result->n_columns ? "  " : "\n");
        used += strlen(line + used);
    }
    print_text(result, line);
    free(line);
}

static bool holds(double value, const char *relation, double bound)
{
    return strcmp(relation, "<=") == 0   ? value <= bound
           : strcmp(relation, "<") == 0  ? value < bound
           : strcmp(relation, ">=") == 0 ? value >= bound
           : strcmp(relation, ">") == 0  ? value > bound
           : strcmp(relation, "==") == 0 ? value == bound
                                         : false;
}

/* Six digits, or as many as the printed inequality needs to be true when the real one is. */
char *cm_result_check_text(const cm_result_checked *check)
{
    char value[64], bound[64], format[16], *text = NULL;
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(format, sizeof format, "%%.%dg", digits);
        number(value, sizeof value, format, 0, check->value);
        number(bound, sizeof bound, format, 0, check->bound);
        if (holds(strtod(value, NULL), check->relation, strtod(bound, NULL)) == check->pass) break;
    }
    if (asprintf(&text, "%s: %s %s %s  %s", check->name, value, check->relation, bound,
                 check->pass ? "PASS" : "FAIL")
        < 0)
        return NULL;
    return text;
}

static void print_check(cm_result *result, const cm_result_checked *check)
{
    char *text = cm_result_check_text(check);
    if (text) print(result, "# CHECK: %s\n", text);
    else result->out_of_memory = true;
    free(text);
}

void cm_result_print_verdict(cm_result *result, const cm_result_said *verdict)
{
    static const char *const told[] = {
        [CM_DISTURBED_NO] = "no", [CM_DISTURBED_YES] = "yes", [CM_DISTURBED_UNKNOWN] = "unknown"};
    char value[64], interval[192] = "", disturbed[32] = "", low[64], high[64];
    const cm_quantity *is = &verdict->is;
    number(value, sizeof value, "%.6g", 0, is->value);
    number(low, sizeof low, "%.6g", 0, is->low);
    number(high, sizeof high, "%.6g", 0, is->high);
    if (cm_quantity_has_interval(is))
        snprintf(interval, sizeof interval, " low=%s high=%s interval=%s over=%s n=%zu", low, high,
                 is->kind == CM_INTERVAL_95 ? "95%" : "range", is->over, is->n);
    if (is->n > 0) snprintf(disturbed, sizeof disturbed, " disturbed=%s", told[is->disturbed]);
    print(result, "# RESULT: %s %s %s %s%s%s\n", verdict->pass ? "PASS" : "FAIL", verdict->metric,
          value, verdict->unit, interval, disturbed);
}

bool cm_result_check(cm_result *result, const char *name, double value, const char *relation,
                     double bound)
{
    locale_t user = uselocale(result->numbers);
    cm_result_checked check = {cm_result_copy(result, name), cm_result_copy(result, relation),
                               value, bound, holds(value, relation, bound)};
    if (!check.pass) result->check_failed = true;
    if (check.name && check.relation) {
        print_check(result, &check);
        if (cm_result_grow(result, (void **)&result->check, result->n_checks,
                           &result->check_capacity, sizeof check)) {
            result->check[result->n_checks++] = check;
            check.name = check.relation = NULL;
        }
    }
    free(check.name);
    free(check.relation);
    uselocale(user);
    return holds(value, relation, bound);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* said.c: the sentences of a result, as they come: comments, findings, checks. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include "result/result_internal.h"

void cm_result_comment(cm_result *result, const char *format, ...)
{
    char *text = NULL;
    locale_t user = uselocale(result->numbers);
    va_list list;
    va_start(list, format);
    int length = vasprintf(&text, format, list);
    va_end(list);
    if (length >= 0 && cm_reader_plain(&result->fill, text))
        cm_result_print_line(result, NULL, result->record.comment[result->record.n_comments - 1]);
    else result->out_of_memory = true;
    if (length >= 0) free(text);
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
    return cm_reader_finding(&result->fill, &f);
}

static void add_findings(cm_result *result, const cm_finding *finding, size_t n, const char *format,
                         va_list list)
{
    char *words = NULL, *line = NULL;
    locale_t user = uselocale(result->numbers);
    const int length = vasprintf(&words, format, list);
    bool fine = length >= 0;
    const size_t first = result->record.n_findings;
    for (size_t k = 0; k < n && fine; k++)
        fine = keep_finding(result, &finding[k], k == 0 ? words : "");
    if (fine) line = cm_record_finding_line(&result->record.finding[first], n);
    if (line) cm_result_print_line(result, NULL, line);
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

bool cm_result_check(cm_result *result, const char *name, double value, const char *relation,
                     double bound)
{
    locale_t user = uselocale(result->numbers);
    cm_record_check check = {.name = (char *)name,
                             .relation = (char *)relation,
                             .value = value,
                             .bound = bound,
                             .pass = cm_result_holds(value, relation, bound)};
    if (!check.pass) result->check_failed = true;
    check.text = cm_result_check_text(&check);
    if (check.text && cm_reader_check(&result->fill, &check)) {
        cm_result_print_line(result, "CHECK",
                             result->record.check[result->record.n_checks - 1].text);
    } else result->out_of_memory = true;
    free(check.text);
    uselocale(user);
    return check.pass;
}

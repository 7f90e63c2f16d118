/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_expect.c: the file of --expect: what metrics are expected to be, and how far they may
   be from it. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "compare.h"
#include "common/lines.h"
#include "common/memory.h"
#include "common/say.h"

/* "+-10%", "+10%" (no more than that above) or "-10%" (below). */
static bool read_tolerance(const char *text, compare_expected *expected)
{
    bool up = *text == '+', down = *text == '-' || strncmp(text, "+-", 2) == 0;
    double percent;
    text += up + down;
    size_t length = strlen(text);
    if (!(up || down) || length < 2 || text[length - 1] != '%') return false;
    if (!strchr("0123456789.", *text)) return false; /* a second sign */
    char *number = suite_text("%.*s", (int)length - 1, text);
    bool right = cm_record_number(number, &percent) && percent >= 0;
    free(number);
    double room = right ? fabs(expected->value) * percent / 100 : 0;
    expected->low = down ? expected->value - room : -INFINITY;
    expected->high = up ? expected->value + room : INFINITY;
    return right;
}

/* NAME:METRIC VALUE TOLERANCE. Returns NULL, or what is wrong. */
static const char *read_line(const char *line, compare_expected *expected)
{
    suite_words words = {0};
    const char *wrong = NULL;
    *expected = (compare_expected){0};
    bool split = suite_words_split(&words, line);
    char *colon = split && words.n > 0 ? strchr(words.word[0], ':') : NULL;
    if (!split || words.n != 3) wrong = "a line is NAME:METRIC VALUE TOLERANCE";
    else if (!colon || colon == words.word[0] || !colon[1])
        wrong = "the first word is NAME:METRIC, such as netpipe:latency_us";
    else if (!cm_record_number(words.word[1], &expected->value))
        wrong = "the second word is a number";
    else if (!read_tolerance(words.word[2], expected))
        wrong = "the third word is +-PERCENT%, +PERCENT% or -PERCENT%";
    else {
        *colon = '\0';
        expected->bench = suite_copy(words.word[0]);
        expected->metric = suite_copy(colon + 1);
        expected->text = suite_text("%s %s", words.word[1], words.word[2]);
    }
    suite_words_free(&words);
    return wrong;
}

int compare_expect_read(const char *path, compare_expectations *expectations)
{
    char *line = NULL;
    size_t capacity = 0, number = 0;
    const char *wrong = NULL;
    FILE *file = fopen(path, "r");
    *expectations = (compare_expectations){0};
    if (!file) return suite_fail(CM_EXIT_USAGE, "compare: --expect %s: %s", path, strerror(errno));
    errno = 0;
    while (!wrong && getline(&line, &capacity, file) > 0) {
        compare_expected expected;
        number++;
        line[strcspn(line, "#\r\n")] = '\0';
        const char *text = number == 1 ? suite_lines_skip_mark(line) : line;
        if (text[strspn(text, " \t")] == '\0') continue;
        wrong = read_line(text, &expected);
        if (wrong) break;
        expectations->expected = suite_longer(expectations->expected, expectations->n + 1,
                                              sizeof *expectations->expected);
        expectations->expected[expectations->n++] = expected;
    }
    int problem = ferror(file) ? errno : 0;
    free(line);
    fclose(file);
    if (problem)
        return suite_fail(CM_EXIT_USAGE, "compare: --expect %s: %s", path, strerror(problem));
    if (wrong) return suite_fail(CM_EXIT_USAGE, "compare: %s:%zu: %s", path, number, wrong);
    if (expectations->n == 0)
        return suite_fail(CM_EXIT_USAGE, "compare: %s expects nothing; %s", path,
                          "a line is NAME:METRIC VALUE TOLERANCE");
    return 0;
}

void compare_expect_free(compare_expectations *expectations)
{
    for (size_t k = 0; k < expectations->n; k++) {
        free(expectations->expected[k].bench);
        free(expectations->expected[k].metric);
        free(expectations->expected[k].text);
    }
    free(expectations->expected);
    *expectations = (compare_expectations){0};
}

bool compare_expect_met(const compare_expected *expected, const compare_side *side, double *median)
{
    const compare_bench *bench = compare_side_find(side, expected->bench);
    compare_values values = {.median = NAN};
    if (bench) values = compare_values_of(bench, expected->metric);
    *median = values.median;
    compare_values_free(&values);
    return *median >= expected->low && *median <= expected->high;
}

char *compare_expect_of(const compare_expected *expected, const compare_side *side)
{
    const compare_bench *bench = compare_side_find(side, expected->bench);
    if (!bench) return suite_copy("");
    compare_values values = compare_values_of(bench, expected->metric);
    char *of = values.n > 0 && values.n < values.of
                   ? suite_text(" in %zu of %zu launches", values.n, values.of)
                   : suite_copy("");
    compare_values_free(&values);
    return of;
}

size_t compare_expect_first(const comparison *all) { return all->n_sides > 1 ? 1 : 0; }

bool compare_expect_all_met(const comparison *all)
{
    double median;
    for (size_t s = compare_expect_first(all); all->expectations && s < all->n_sides; s++)
        for (size_t k = 0; k < all->expectations->n; k++)
            if (!compare_expect_met(&all->expectations->expected[k], &all->side[s], &median))
                return false;
    return true;
}

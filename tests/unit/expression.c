/* SPDX-License-Identifier: BSD-3-Clause */
/* expression.c: the answers to the papers' items: their values with the results of a run, and the
   errors in those that cannot be read. */
#include "config.h"
#include "tap.h"
#include <stdlib.h>
#include <unistd.h>
#include "papers/answer.h"
#include "papers/expression.h"
#include "result/read.h"

static const char measured[] = "# ranks: 2\n"
                               "# oversubscribed: no\n"
                               "  size_bytes   median_s  sweep  name  offset\n"
                               "           1   2.5e-06       1     a     nan\n"
                               "           8   5.0e-06       1     b      -8\n"
                               "        4096   9.0e-05       1     a      -1\n"
                               "           8   7.0e-06       2     b      -2\n"
                               "# fit: model=one latency_us=2.25 latency_us_error=0.5\n"
                               "# RESULT: PASS latency_us 2.5 us\n"
                               "# RESULT: PASS text_of fast 1\n";
static const char oversubscribed[] =
    "# core_shared: yes\n x\n 1\n# RESULT: PASS latency_us 2.5 us\n";
static const char wrong[] = " x\n 1\n# RESULT: PASS ours 1 1\n# RESULT: FAIL latency_us 2.5 us\n";

static bool read_text(const char *text, cm_record *record)
{
    char path[] = "expression.XXXXXX", why[256];
    int fd = mkstemp(path);
    bool right = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text)
                 && cm_record_read(path, record, why, sizeof why);
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    return right;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* An expression and its text, or the problem. */
static const char *const values[][2] = {
    {"latency_us", "2.5"},
    {"alpha:latency_us", "2.5"},
    {"4", "4"},
    {"1.50e1", "1.50e1"},
    {"ranks", "2"},
    {"text_of", "fast"},
    {"fit:one:latency_us", "2.25"},
    {"alpha:fit:one:latency_us_error", "0.5"},
    {"median_s[size_bytes=8]", "5.0e-06"},
    {"median_s[size_bytes=8.0]", "5.0e-06"},
    {"median_s[size_bytes=8] * 1e6", "5"},
    {"median_s[size_bytes=8,sweep=2] * 1e6", "7"},
    {"size_bytes[name=b]", "8"},
    {"median_s[size_bytes=max] * 1e6", "90"},
    {"median_s[name=b,sweep=max] * 1e6", "7"},
    {"median_s[size_bytes=max,sweep=max] * 1e6", "90"},
    {"median_s[sweep=max,size_bytes=max] * 1e6", "7"},
    {"median_s[name=b,size_bytes=max] * 1e6", "5"},
    {"size_bytes[offset=max]", "4096"},
    {"1 + 2 * 3 - 1 / 4", "2"},
    {"-1 - -3", "2"},
    {"2  *  3", "6"},
    {"1 / 3", "0.3333"},
    {"12345678 * 1", "1.235e+07"},
    {"oversubscribed:latency_us * 2", "5"},
    {"beside/alpha:fit:one:latency_us - latency_us", "-0.25"},
    {"beside/beta:latency_us", "not measured in this run"},
    {"beta:latency_us", "not measured in this run"},
    {"beta:x + latency_us", "not measured in this run"},
    {"bandwidth", "not in this run's result"},
    {"latency_us + bandwidth", "not in this run's result"},
    {"median_s[size_bytes=9]", "not in this run's result"},
    {"median_s[bytes=8]", "not in this run's result"},
    {"bytes[size_bytes=8]", "not in this run's result"},
    {"offset[size_bytes=1]", "not in this run's result"},
    {"median_s[size_bytes=max,name=b]", "not in this run's result"},
    {"size_bytes[name=max]", "not in this run's result"},
    {"fit:one:bandwidth", "not in this run's result"},
    {"fit:two:latency_us", "not in this run's result"},
    {"text_of * 2", "not a number"},
    {"2 * text_of", "not a number"},
    {"latency_us / 0", "not computed: division by zero"},
    {"latency_us / 0 + 1", "not computed: division by zero"},
    {"wrong:latency_us", "wrong answer (FAIL)"},
    {"wrong:ours", "wrong answer (FAIL)"},
};

static void test_values(const suite_results *results)
{
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        suite_expression expression;
        char why[256] = "";
        if (!suite_expression_parse(values[k][0], &expression, why, sizeof why)) {
            ok(false, "%s: %s", values[k][0], why);
            continue;
        }
        suite_value value = suite_expression_value(&expression, "alpha", results);
        const char *got = value.problem ? value.problem : value.text;
        ok_text(got, values[k][1], values[k][0]);
        ok(!value.problem == !!value.text, "%s: either", values[k][0]);
        free(value.text);
        suite_expression_free(&expression);
    }
}

static bool is_oversubscribed(const char *text, const suite_results *results)
{
    suite_expression expression;
    char why[256];
    if (!suite_expression_parse(text, &expression, why, sizeof why)) return false;
    suite_value value = suite_expression_value(&expression, "alpha", results);
    free(value.text);
    suite_expression_free(&expression);
    return value.oversubscribed;
}

/* ---- what cannot be read --------------------------------------------------------------------- */

/* An answer and what is said of it. */
static const char *const mistakes[][2] = {
    {"", "at the end: expected a number, a metric or a column"},
    {"latency_us;", "at the end: expected a number, a metric or a column"},
    {"label: ", "at the end: expected a number, a metric or a column"},
    {"a b", "'b': expected an operator, one of + - * /"},
    {"a +", "at the end: expected a number, a metric or a column"},
    {"a ** 2", "'**': expected an operator, one of + - * /"},
    {"a * * 2", "'*': expected a number, a metric or a column"},
    {"a*2", "'a*2': expected a blank behind a source; names have letters, digits and _"},
    {"1e", "'1e': expected a number, a metric or a column"},
    {"b:", "at the end: expected a number, a metric or a column"},
    {"B:a", "'B:a': expected a blank"},
    {"beside/:a", "'beside/:a': expected a blank"},
    {"other/b:a", "'other/b:a': expected a blank"},
    {"x: a; y: size[", "'[': expected KEY=VALUE"},
    {"a[b]", "'[b]': expected KEY=VALUE"},
    {"a[b=]", "'[b=]': expected KEY=VALUE"},
    {"a[=1]", "'[=1]': expected KEY=VALUE"},
    {"a[b=1", "'[b=1': expected ] behind the conditions"},
    {"a[b=1,", "',': expected KEY=VALUE"},
    {"a[b=1,c] * 2", "',c]': expected KEY=VALUE"},
    {"a[b=1]c", "'a[b=1]c': expected a blank"},
    {"a[b=1, c=2]", "',': expected KEY=VALUE"},
    {"fit:", "at the end: expected fit:MODEL:KEY"},
    {"fit:one", "'fit:one': expected fit:MODEL:KEY"},
    {"alpha:fit:one:", "at the end: expected fit:MODEL:KEY"},
    {"figure alpha", "'figure alpha': expected figure BENCH FIGURE"},
    {"x: figure alpha one two", "'figure alpha one two': expected figure BENCH FIGURE"},
    {"section", NULL}, /* a metric's name, too */
    {"section a b", "'section a b': expected section BENCH"},
    {"-", NULL},
    {"a; -", "'-': expected a number, a metric or a column"},
    {"machine", NULL},
};

static void test_mistakes(void)
{
    for (size_t k = 0; k < sizeof mistakes / sizeof mistakes[0]; k++) {
        const char *text = mistakes[k][0], *wanted = mistakes[k][1];
        suite_answer answer;
        char why[256] = "";
        bool right = suite_answer_parse(text, &answer, why, sizeof why);
        bool said = wanted && strncmp(why, wanted, strlen(wanted)) == 0;
        if (!ok(wanted ? !right && said : right, "'%s'", text))
            printf("# %s: %s\n", right ? "read" : "refused", why);
        if (!right) ok(answer.n == 0 && !answer.part, "and nothing is left");
        else suite_answer_free(&answer);
    }
}

static bool bench_is(const char *text, const char *wanted)
{
    suite_answer answer;
    char why[256];
    if (!suite_answer_parse(text, &answer, why, sizeof why)) return false;
    bool same = strcmp(suite_answer_bench(&answer, "owner"), wanted) == 0;
    suite_answer_free(&answer);
    return same;
}

int main(void)
{
    cm_record records[3];
    suite_result list[] = {{"alpha", &records[0]},
                           {"oversubscribed", &records[1]},
                           {"wrong", &records[2]},
                           {"beside/alpha", &records[0]}};
    suite_results results = {list, sizeof list / sizeof list[0]};
    ok(read_text(measured, &records[0]) && read_text(oversubscribed, &records[1])
           && read_text(wrong, &records[2]),
       "results");
    test_values(&results);
    ok(is_oversubscribed("1 + oversubscribed:latency_us", &results), "more ranks than cores");
    ok(!is_oversubscribed("oversubscribed:bandwidth", &results), "of nothing that was used");
    ok(!is_oversubscribed("latency_us", &results), "of another result");
    test_mistakes();
    ok(bench_is("-", "owner") && bench_is("4 * b:x", "owner") && bench_is("x; b:x", "owner"),
       "an item without a name is its owner's");
    ok(bench_is("b-2:x; c:y", "b-2") && bench_is("label: b:x", "b") && bench_is("figure b x", "b")
           && bench_is("section b", "b"),
       "the first name counts");
    for (int k = 0; k < 3; k++) cm_record_free(&records[k]);
    return tap_done();
}

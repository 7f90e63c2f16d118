/* SPDX-License-Identifier: BSD-3-Clause */
/* result.c: what src/result prints and writes, to the letter. */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef HAVE_JANSSON
#include <jansson.h>
#endif
#include "comm/comm.h"
#include "machine/machine.h"
#include "result/result_internal.h"
#include "tap.h"

static char folder[] = "/tmp/unit_result.XXXXXX";
static const cm_metric metrics[] = {
    {"latency_us", "Latency", "us", CM_BETTER_LOW, "of the smallest message"},
    {"speed_up", "Speed-up", "1", CM_BETTER_HIGH, "over one rank"},
    {"first", "First", "s", CM_BETTER_LOW, "one"},
    {"second", "Second", "s", CM_BETTER_LOW, "another"},
    {"m", "M", "s", CM_BETTER_LOW, "a metric"},
    {0},
};
static const cm_program program = {.name = "cm-test", .purpose = "test", .metrics = metrics};
static char *words[] = {"cm-test", "--size", "3", "it's"};

static const char *in_folder(const char *name)
{
    static char path[4][200];
    static int next;
    char *p = path[next++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

/* All of a file; "" when it is not there. The caller frees. */
static char *contents(const char *path)
{
    char *text = calloc(1, 1 << 20);
    FILE *file = fopen(path, "r");
    if (file) {
        if (fread(text, 1, (1 << 20) - 1, file) == 0) text[0] = '\0';
        fclose(file);
    }
    return text;
}

/* Runs a scenario in a child whose stdout and stderr are files "out" and "err"; returns what it
   returns. */
static int run(int (*scenario)(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen(in_folder("out"), "w", stdout) || !freopen(in_folder("err"), "w", stderr))
            _exit(99);
        int status = scenario();
        fflush(NULL);
        _exit(status);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static bool same_file(const char *name, const char *text)
{
    char *got = contents(in_folder(name));
    bool same = strcmp(got, text) == 0;
    if (!same)
        for (char *line = strtok(got, "\n"); line; line = strtok(NULL, "\n"))
            printf("# %s\n", line);
    free(got);
    return same;
}

static cm_result *open_result(const char *output, const char *json, const cm_result_column *columns,
                              size_t n)
{
    cm_result_files files = {.output = output, .json = json};
    cm_result *result = cm_result_open(&program, 4, words, &files, columns, n);
    if (!result) _exit(90);
    return result;
}

/* ---- text ------------------------------------------------------------------------------------ */

typedef struct {
    double bytes, median_s, long_s;
} table_row;
static const cm_result_column three[] = {
    CM_COLUMN(table_row, bytes, "size_bytes", "%.0f"),
    CM_COLUMN(table_row, median_s, "median_s", "%.3e"),
    CM_COLUMN(table_row, long_s, "a_rather_long_name_s", "%.2f"),
};

static int whole_text(void)
{
    cm_result *result = open_result(in_folder("text"), NULL, three, 3);
    cm_result_meta(result, "buffer_policy", "%s, %d", "swapped", 4);
    cm_result_meta_number(result, "clock_s", 2.5e-8, "%.1e");
    cm_result_comment(result, "before %s", "all");
    cm_result_row(result, &(table_row){1, 1.25e-6, 3}, NULL, NULL);
    cm_result_row(result, &(table_row){65536, -1e-300, 12345.678}, NULL, NULL);
    cm_result_comment(result, "between");
    cm_result_row(result, &(table_row){NAN, -NAN, -INFINITY}, NULL, NULL);
    cm_result_check(result, "residual", 0.25, "<=", 16);
    cm_quantity q = {1.25, 1.24, 1.26, CM_INTERVAL_95, "trials", 12, CM_DISTURBED_NO};
    cm_result_metric(result, true, "latency_us", q);
    q.value = 1.5;
    q.high = NAN;
    cm_result_metric(result, true, "speed_up", q);
    cm_result_metric(result, true, "m", cm_quantity_of(3));
    return cm_result_close(result);
}

/* Members of all types, of structs and of arrays, in an order of their own. */
typedef struct {
    bool yes;
    int below;
    unsigned above;
    int64_t whole;
    uint64_t natural;
    long long farthest;
    enum { BUILDING, READY } state;
    struct {
        double share[3];
        size_t count;
    } part;
} mixed_row;

static int mixed_text(void)
{
    const cm_result_column columns[] = {
        CM_COLUMN(mixed_row, part.share[2], "share", "%.2f"),
        CM_COLUMN(mixed_row, state, "state", "=building|ready"),
        CM_COLUMN(mixed_row, yes, "yes", "%.0f"),
        CM_COLUMN(mixed_row, below, "below", "%.0f"),
        CM_COLUMN(mixed_row, above, "above", "%.0f"),
        CM_COLUMN(mixed_row, whole, "whole", "%.0f"),
        CM_COLUMN(mixed_row, natural, "natural", "%.0f"),
        CM_COLUMN(mixed_row, farthest, "farthest", "%.0f"),
        CM_COLUMN(mixed_row, part.count, "count", "%.0f"),
    };
    cm_result *result = open_result(NULL, NULL, columns, sizeof columns / sizeof *columns);
    mixed_row row = {true, -7, UINT_MAX, -(1LL << 40), 1ULL << 41, -3, READY, {{1, 2, 0.25}, 12}};
    cm_result_row(result, &row, NULL, NULL);
    row = (mixed_row){.part.share = {3, 2, 1}};
    cm_result_row(result, &row, NULL, NULL);
    cm_result_metric(result, true, "m", cm_quantity_of(3));
    return cm_result_close(result);
}

static void test_members(void)
{
    ok(run(mixed_text) == CM_EXIT_PASS, "columns of members of many types");
    char *out = contents(in_folder("out"));
    const char *const want[] = {"0.25",
                                "ready",
                                "1",
                                "-7",
                                "4294967295",
                                "-1099511627776",
                                "2199023255552",
                                "-3",
                                "12",
                                "1.00",
                                "building",
                                "0",
                                "0",
                                "0",
                                "0",
                                "0",
                                "0",
                                "0"};
    char *header = strstr(out, " count\n");
    for (size_t k = 0; header && k < sizeof want / sizeof *want; k++) {
        const char *got = strtok(k == 0 ? header + strlen(" count\n") : NULL, " \n");
        ok_text(got ? got : "", want[k], "a cell is its member's value");
    }
    ok(header != NULL, "after the header");
    free(out);
}

/* Two levels in turn, a step, one level. */
static int states_text(void)
{
    cm_result *result = open_result(NULL, NULL, three, 3);
    cm_samples samples = CM_SAMPLES_EMPTY;
    for (int row = 0; row < 3; row++) {
        cm_samples_clear(&samples);
        for (int i = 0; i < 100; i++) {
            double noise = 1 + 1e-3 * sin(7 * i * i);
            bool high = row == 0 ? i % 25 >= 16 : row == 1 ? i >= 40 : false;
            if (!cm_samples_add(&samples, noise * (high ? 0.73e-6 : 0.21e-6))) _exit(91);
        }
        cm_result_row(result, &(table_row){1, 2, 3}, &samples, "s");
    }
    cm_samples_free(&samples);
    cm_result_metric(result, true, "latency_us", cm_quantity_of(1.25));
    return cm_result_close(result);
}

static void test_states(void)
{
    ok(run(states_text) == CM_EXIT_PASS, "rows with two states: status 0");
    char *out = contents(in_folder("out"));
    ok(strstr(out, "# two states in row 1: 0.21 us (64 %) and 0.73 us (36 %)\n") != NULL,
       "two levels are said");
    ok(strstr(out, "# a step in row 2: 0.21 us up to sample 40 of 100, then 0.73 us\n") != NULL,
       "and a step");
    ok(strstr(out, "# states: two in 2 of 3 rows that were tested") != NULL,
       "and in how many rows");
    free(out);
}

static const char expected[] = "# buffer_policy: swapped, 4\n"
                               "# clock_s: 2.5e-08\n"
                               "# before all\n"
                               "  size_bytes     median_s  a_rather_long_name_s\n"
                               "           1    1.250e-06                  3.00\n"
                               "       65536  -1.000e-300              12345.68\n"
                               "# between\n"
                               "         nan          nan                  -inf\n"
                               "# CHECK: residual: 0.25 <= 16  PASS\n"
                               "# RESULT: PASS latency_us 1.25 us low=1.24 high=1.26 "
                               "interval=95% over=trials n=12 disturbed=no\n"
                               "# RESULT: PASS speed_up 1.5 1 disturbed=no\n"
                               "# RESULT: PASS m 3 s\n";

static void test_text(void)
{
    ok(run(whole_text) == CM_EXIT_PASS, "a good result: status 0");
    ok(same_file("out", expected), "its text to the letter");
    ok(same_file("text", expected), "and the same in --output");
    ok(same_file("err", ""), "nothing on stderr");
}

/* A language whose decimal mark is the comma, made in the test's folder. */
static int comma_text(void)
{
    setenv("LOCPATH", folder, 1);
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) return 80;
    char half[8];
    snprintf(half, sizeof half, "%.1f", 0.5);
    if (strcmp(half, "0,5") != 0) return 81;
    int status = whole_text();
    snprintf(half, sizeof half, "%.1f", 0.5);
    return strcmp(half, "0,5") == 0 ? status : 82; /* the caller's locale is as it was */
}

static void test_locale(void)
{
    char command[300];
    snprintf(command, sizeof command, "localedef -f UTF-8 -i de_DE %s/de_DE.UTF-8 >/dev/null 2>&1",
             folder);
    if (system(command) != 0 && access(in_folder("de_DE.UTF-8/LC_NUMERIC"), F_OK) != 0) {
        tap_skip("numbers in a language with a decimal comma", "localedef cannot make one");
        return;
    }
    remove(in_folder("text"));
    int status = run(comma_text);
    ok(status == CM_EXIT_PASS, "a decimal comma: status 0 (%d)", status);
    ok(same_file("out", expected) && same_file("text", expected), "and the same text with points");
}

static void test_formats(void)
{
    const struct {
        const char *format;
        int width;
    } good[] = {{"%.3e", 11}, {"%.0e", 7},  {"%e", 14},   {"%.0f", 12},
                {"%.2f", 15}, {"%.6g", 13}, {"%+.3e", 11}};
    int width;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        ok(cm_result_format_width(good[i].format, &width) && width == good[i].width,
           "%s: %d columns", good[i].format, good[i].width);
    const char *const bad[] = {"%d", "%.3lf", "%10.3e", "%-e",  "%.3e s", "e",    "%",
                               "",   "%.3",   "%s",     "%.*f", "%.-1f",  "%e%n", "%.99f"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(!cm_result_format_width(bad[i], &width), "refused: \"%s\"", bad[i]);
    ok(!cm_result_format_width(NULL, &width), "refused: none");
}

static void word_tests(void)
{
    const char *const format = "=copy|scale|non-temporal";
    char text[CM_RESULT_WORD + 1];
    int width;
    ok(cm_result_format_width(format, &width) && width == 12, "words: as wide as the longest");
    ok(cm_result_word(format, 0, text) && strcmp(text, "copy") == 0, "0 is the first word");
    ok(cm_result_word(format, 2, text) && strcmp(text, "non-temporal") == 0, "2 the third");
    ok(cm_result_word("=one", 0, text) && strcmp(text, "one") == 0, "one word");
    const double none[] = {3, -1, 0.5, NAN, INFINITY};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ok(!cm_result_word(format, none[i], text) && strcmp(text, "nan") == 0, "%g is no word",
           none[i]);
    const char *const bad[] = {"=", "=a||b", "=a|", "=|a", "=two words|a", "=a|nan", "=a\"b"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(!cm_result_format_width(bad[i], &width), "no words: %s", bad[i]);
}

static int bad_column(void)
{
    const cm_result_column columns[] = {CM_COLUMN(table_row, median_s, "time s", "%.3e")};
    cm_result_files files = {0};
    return cm_result_open(&program, 1, words, &files, columns, 1) ? 1 : 0;
}

static void test_bad_column(void)
{
    ok(run(bad_column) == 0, "a column name of two words opens no result");
    char *err = contents(in_folder("err"));
    ok(strstr(err, "cm-test: column \"time s\"") && strchr(err, '\n') == err + strlen(err) - 1,
       "and one line says so");
    free(err);
}

/* ---- checks and metrics ---------------------------------------------------------------------- */

static int check_all(void)
{
    cm_result *r = open_result(NULL, NULL, NULL, 0);
    const struct {
        double value;
        const char *relation;
        double bound;
        bool holds;
    } c[] = {{1, "<=", 1, true},
             {1, "<", 1, false},
             {1, ">=", 1, true},
             {1, ">", 1, false},
             {1, "==", 1, true},
             {1, "==", 2, false},
             {NAN, "<=", 1, false},
             {NAN, ">", 1, false},
             {1, "<", NAN, false},
             {NAN, "==", NAN, false},
             {-INFINITY, "<", 0, true},
             {1, "~", 1, false},
             {123456789, "==", 123456788, false},
             {1.0000001, "<=", 1, false},
             {1, "<", 1.0000001, true}};
    for (size_t i = 0; i < sizeof c / sizeof *c; i++)
        if (cm_result_check(r, "x", c[i].value, c[i].relation, c[i].bound) != c[i].holds)
            return 50 + (int)i;
    cm_result_metric(r, true, "m", cm_quantity_of(1));
    return cm_result_close(r);
}

static int one_check_fails(void)
{
    cm_result *r = open_result(NULL, NULL, NULL, 0);
    cm_result_metric(r, true, "first", cm_quantity_of(1));
    cm_result_check(r, "residual", 17, "<=", 16);
    cm_result_metric(r, true, "second", cm_quantity_of(2));
    return cm_result_close(r);
}

static int one_metric_fails(void)
{
    cm_result *r = open_result(NULL, NULL, NULL, 0);
    cm_result_metric(r, true, "first", cm_quantity_of(1));
    cm_result_metric(r, false, "second", cm_quantity_of(2));
    return cm_result_close(r);
}

static int nan_metric(void)
{
    cm_result *r = open_result(NULL, NULL, NULL, 0);
    cm_result_metric(r, true, "first", cm_quantity_of(NAN));
    return cm_result_close(r);
}

static int unknown_metric(void)
{
    cm_result *r = open_result(NULL, NULL, NULL, 0);
    cm_result_metric(r, true, "first", cm_quantity_of(1));
    cm_result_metric(r, true, "third", cm_quantity_of(1));
    return cm_result_close(r);
}

static int no_metric(void)
{
    cm_result *r = open_result(NULL, NULL, three, 3);
    cm_result_check(r, "residual", 1, "<=", 16);
    return cm_result_close(r);
}

static int nothing_due(void)
{
    cm_result *r = open_result(NULL, NULL, three, 3);
    cm_result_nothing(r, "no rate: nothing to solve");
    return cm_result_close(r);
}

static int nothing_due_wrong(void)
{
    cm_result *r = open_result(NULL, NULL, three, 3);
    cm_result_check(r, "residual", 17, "<=", 16);
    cm_result_nothing(r, "no rate: nothing to solve");
    return cm_result_close(r);
}

static void test_metrics(void)
{
    int status = run(check_all);
    ok(status == CM_EXIT_WRONG, "relations hold as they should, NaN never (%d)", status);
    char *out = contents(in_folder("out"));
    ok(strstr(out, "# CHECK: x: 123456789 == 123456788  FAIL\n") != NULL, "all digits that differ");
    ok(strstr(out, "# CHECK: x: 1.0000001 <= 1  FAIL\n") != NULL, "all digits that decide");
    ok(strstr(out, "# CHECK: x: nan == nan  FAIL\n") != NULL, "NaN is printed");
    free(out);
    ok(run(one_check_fails) == CM_EXIT_WRONG, "a failed check: status 1");
    ok(same_file("out", "# CHECK: residual: 17 <= 16  FAIL\n# RESULT: FAIL first 1 s\n"
                        "# RESULT: FAIL second 2 s\n"),
       "and every metric fails");
    ok(run(one_metric_fails) == CM_EXIT_WRONG, "a failed metric: status 1");
    ok(same_file("out", "# RESULT: PASS first 1 s\n# RESULT: FAIL second 2 s\n"), "one stays");
    ok(run(nan_metric) == CM_EXIT_WRONG && same_file("out", "# RESULT: FAIL first nan s\n"),
       "NaN is no result");
    ok(run(unknown_metric) == CM_EXIT_SYSTEM && same_file("out", "# RESULT: PASS first 1 s\n"),
       "a metric that the program's table does not have is none: status 3");
    ok(run(no_metric) == CM_EXIT_WRONG, "no metric: status 1");
    out = contents(in_folder("out"));
    ok(strstr(out, "  size_bytes ") && strstr(out, "# no metric"), "the text says so");
    free(out);
    ok(run(nothing_due) == CM_EXIT_PASS, "no metric where none is due: status 0");
    out = contents(in_folder("out"));
    ok(strstr(out, "# no rate: nothing to solve\n") && !strstr(out, "# no metric"), "with its why");
    free(out);
    ok(run(nothing_due_wrong) == CM_EXIT_WRONG, "but not past a check that fails");
}

/* ---- command lines and odd bytes ------------------------------------------------------------- */

static void test_command(void)
{
    const struct {
        const char *word, *quoted;
    } c[] = {{"--size=3", "--size=3"},
             {"", "''"},
             {"a b", "'a b'"},
             {"it's", "'it'\\''s'"},
             {"$HOME", "'$HOME'"},
             {"a;b|c&d", "'a;b|c&d'"},
             {"~x", "'~x'"},
             {"*", "'*'"},
             {"back\\slash", "'back\\slash'"},
             {"a\nb", "$'a\\012b'"},
             {"\xff'\\", "$'\\377\\'\\\\'"},
             {"gr\xc3\xbc\xc3\x9f", "'gr\xc3\xbc\xc3\x9f'"},
             {"#x", "'#x'"},
             {"!", "'!'"},
             {"{a,b}", "'{a,b}'"}};
    enum { N = sizeof c / sizeof *c };
    char *all[N];
    for (int i = 0; i < N; i++) {
        all[i] = (char *)c[i].word;
        char *line = cm_result_command(1, &all[i]);
        ok_text(line, c[i].quoted, "quoted for a shell");
        free(line);
    }
    /* And a shell reads back the very words. */
    char *line = cm_result_command(N, all);
    FILE *script = fopen(in_folder("script"), "w");
    fprintf(script, "printf '%%s\\0' %s", line);
    fclose(script);
    free(line);
    if (system("bash -c true 2>/dev/null") != 0) {
        tap_skip("a shell reads back the words", "no bash");
        return;
    }
    char command[300], back[1000] = {0};
    snprintf(command, sizeof command, "bash %s", in_folder("script"));
    FILE *pipe = popen(command, "r");
    size_t bytes = fread(back, 1, sizeof back - 1, pipe), used = 0;
    pclose(pipe);
    bool same = true;
    for (int i = 0; i < N; i++) {
        same &= used < bytes + 1 && strcmp(back + used, all[i]) == 0;
        used += strlen(all[i]) + 1;
    }
    ok(same && used == bytes, "a shell reads back the words");
}

static void test_clean(void)
{
    const struct {
        const char *in, *out;
    } c[] = {{"plain", "plain"},
             {"a\nb\tc\x7f", "a b c "},
             {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
             {"\xff\xfe", "??"},
             {"\xc3", "?"},
             {"\xc0\xaf", "??"},
             {"\xe0\x80\xaf", "???"},
             {"\xed\xa0\x80", "???"},
             {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
             {"\xf4\x90\x80\x80", "????"},
             {"\xe2\x82\xac", "\xe2\x82\xac"},
             {"\xe2\x82", "??"}};
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        char text[32];
        strcpy(text, c[i].in);
        cm_result_clean(text);
        ok_text(text, c[i].out, "one line of UTF-8");
    }
}

/* ---- metadata of a run ----------------------------------------------------------------------- */

static void backend(void (*each)(const char *key, const char *value, void *context), void *context)
{
    each("comm", "dummy", context);
    each("congestion_control", "the backend's own", context);
}

static void delaying_backend(void (*each)(const char *key, const char *value, void *context),
                             void *context)
{
    backend(each, context);
    each("delay_ns", "200000", context);
}

static cm_result_describe *describes = backend;
static size_t n_ranks;
static const char *hosts[100];

static int described(void)
{
    cm_result *r = open_result(NULL, NULL, NULL, 0);
    cm_result_meta_run(r, describes, n_ranks > 0 ? hosts : NULL, n_ranks);
    cm_quantity q = {2, 1, 3, CM_INTERVAL_95, "trials", 6, CM_DISTURBED_NO};
    cm_result_metric(r, true, "m", cm_quantity_of(1));
    cm_result_metric(r, true, "first", q);
    q.disturbed = CM_DISTURBED_YES;
    cm_result_metric(r, true, "second", q);
    return cm_result_close(r);
}

/* How often "# TEXT" begins a line of out. */
static int lines(const char *text, const char *begin)
{
    int count = 0;
    for (const char *at = text; at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        count += strncmp(at, begin, strlen(begin)) == 0;
    return count;
}

static void test_meta_run(void)
{
    ok(run(described) == CM_EXIT_PASS, "a result without ranks");
    char *out = contents(in_folder("out"));
    ok(lines(out, "# program: cm-test\n") == 1
           && lines(out, "# version: " PACKAGE_VERSION "\n") == 1
           && lines(out, "# revision: ") == 1,
       "program, version, revision");
    ok(lines(out, "# command: cm-test --size 3 'it'\\''s'\n") == 1, "the command as typed");
    int year, month, day, hour, minute, second, end = 0;
    const char *date = strstr(out, "# date: ");
    ok(date
           && sscanf(date, "# date: %4d-%2d-%2dT%2d:%2d:%2dZ%n", &year, &month, &day, &hour,
                     &minute, &second, &end)
                  == 6
           && date[end] == '\n',
       "the date in ISO 8601");
    if (end > 0) {
        struct tm utc = {.tm_year = year - 1900,
                         .tm_mon = month - 1,
                         .tm_mday = day,
                         .tm_hour = hour,
                         .tm_min = minute,
                         .tm_sec = second};
        ok(llabs((long long)timegm(&utc) - (long long)time(NULL)) < 60, "and it is now, in UTC");
    }
    ok(lines(out, "# comm: dummy\n") == 1, "the backend");
    ok(lines(out, "# congestion_control: ") == 1
           && lines(out, "# congestion_control: the backend's own\n") == 1,
       "what the backend says, the machine does not say again");
    ok(lines(out, "# cores: ") == 1 && lines(out, "# kernel: ") == 1, "the machine");
    ok(lines(out, "# ranks: ") == 0 && lines(out, "# oversubscribed: ") == 0,
       "nothing of ranks where there are none");
    ok(!strstr(out, "delay"), "nor of delays");
    free(out);

    describes = delaying_backend;
    run(described);
    out = contents(in_folder("out"));
    ok(lines(out, "# delay_ns: 200000\n") == 1, "a backend's delay");
    ok(lines(out, "# messages were delayed on purpose: each by 200000 ns at its sender "
                  "(CM_DELAY_NS)\n")
           == 1,
       "and a sentence that says so");
    free(out);
    describes = backend;

    hosts[0] = hosts[2] = "h2", hosts[1] = "h1";
    n_ranks = 3;
    run(described);
    out = contents(in_folder("out"));
    ok(lines(out, "# ranks: 3\n") == 1 && lines(out, "# hosts: 2\n") == 1
           && lines(out, "# ranks_per_host: h2:2 h1:1\n") == 1,
       "ranks per host, by rank");
    free(out);

    /* As many ranks as cores are not too many, one more is. */
    int cores = cm_machine_job_cores();
    for (int extra = 0; extra < 2 && cores < 99; extra++) {
        n_ranks = (size_t)(cores + extra);
        for (size_t i = 0; i < n_ranks; i++) hosts[i] = "h1";
        run(described);
        out = contents(in_folder("out"));
        ok(lines(out, extra ? "# oversubscribed: yes\n" : "# oversubscribed: no\n") == 1,
           "%zu ranks on %d cores", n_ranks, cores);
        ok(strstr(out, extra ? "n=6 disturbed=unknown\n" : "n=6 disturbed=no\n")
               && strstr(out, "n=6 disturbed=yes\n") && strstr(out, "# RESULT: PASS m 1 s\n"),
           "whether that disturbs is %s; what was found disturbed stays so",
           extra ? "unknown" : "known");
        free(out);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

#ifdef HAVE_JANSSON

static double raw[1000];

static int whole_json(void)
{
    cm_result *r = open_result(in_folder("text"), in_folder("json"), three, 3);
    cm_result_meta_run(r, backend, hosts, 2);
    cm_result_meta(r, "nic", "eth7 mtu_bytes=%d", 1500);
    cm_result_meta(r, "nic", "eth8 mtu_bytes=%d", 9000);
    cm_result_meta(r, "odd", "tab\there, byte \xff, \"quoted\"");
    cm_result_meta_number(r, "third_s", 1.0 / 3, "%.3f");
    cm_result_meta_number(r, "count", 3e9, "%.0f");
    cm_result_meta_number(r, "unknown_s", NAN, "%.3f");
    cm_samples samples = {.value = raw, .n = 1000, .capacity = 1000};
    cm_result_row(r, &(table_row){65536, 1.0 / 3, NAN}, &samples, "s");
    cm_result_row(r, &(table_row){1e300, INFINITY, 2.5}, NULL, NULL);
    cm_result_row(r, &(table_row){0, 1e-300, -0.0}, &(cm_samples)CM_SAMPLES_EMPTY, "us");
    cm_result_comment(r, "a comment, %.1f", 0.5);
    cm_result_check(r, "residual", 0.1, "<", 16);
    cm_result_metric(r, true, "latency_us", cm_quantity_of(1.0 / 3));
    return cm_result_close(r);
}

/* Is what the JSON has under key what the text's lines "# key: value" say? */
static bool entry_agrees(const char *text, const char *key, const json_t *value)
{
    char line[4096];
    if (json_is_array(value)) {
        size_t i;
        json_t *one;
        json_array_foreach(value, i, one) if (!entry_agrees(text, key, one)) return false;
        return true;
    }
    if (json_is_string(value)) {
        snprintf(line, sizeof line, "# %s: %s\n", key, json_string_value(value));
        return lines(text, line) == 1;
    }
    snprintf(line, sizeof line, "\n# %s: ", key);
    const char *at = strstr(text, line);
    if (!at) return false;
    at += strlen(line);
    if (json_is_null(value)) return strncmp(at, "nan\n", 4) == 0;
    return json_is_number(value)
           && fabs(json_number_value(value) - atof(at)) <= 2e-3 * fabs(atof(at)); /* third_s:
                                                                                    0.333 */
}

static bool is_real(const json_t *value, double want)
{
    double got = json_real_value(value);
    return json_is_real(value) && memcmp(&got, &want, sizeof got) == 0;
}

static void test_json(void)
{
    uint64_t state = 88172645463325252u;
    for (int i = 0; i < 1000; i++) {
        /* Any bits that make a finite double: exponents from the smallest to the largest. */
        do {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            memcpy(&raw[i], &state, sizeof raw[i]);
        } while (!isfinite(raw[i]));
    }
    raw[0] = 0x1p-1074, raw[1] = 0.1, raw[2] = 5e-7, raw[3] = -0.0, raw[4] = 1.7976931348623157e308;
    raw[5] = NAN;
    hosts[0] = hosts[1] = "h1";
    remove(in_folder("text"));
    ok(run(whole_json) == CM_EXIT_PASS && same_file("err", ""), "a result with JSON");
    json_error_t error;
    json_t *root = json_load_file(in_folder("json"), JSON_REJECT_DUPLICATES, &error);
    if (!ok(root != NULL, "jansson reads it back %s", root ? "" : error.text)) return;
    char *text = contents(in_folder("text"));
    char *out = contents(in_folder("out"));
    ok(strcmp(text, out) == 0, "--output beside --json");
    ok_text(json_string_value(json_object_get(root, "schema")), "clustermark-result", "the schema");
    ok(json_integer_value(json_object_get(root, "schema_version")) == 3, "its version");
    ok_text(json_string_value(json_object_get(root, "program")), "cm-test", "the program");

    json_t *meta = json_object_get(root, "metadata"), *value;
    const char *key;
    size_t entries = 0;
    json_object_foreach(meta, key, value)
    {
        entries += json_is_array(value) ? json_array_size(value) : 1;
        if (!entry_agrees(text, key, value)) ok(false, "metadata %s as in the text", key);
    }
    int in_text = 0;
    for (const char *at = text; *at && strncmp(at, "# ", 2) == 0; at = strchr(at, '\n') + 1)
        in_text++;
    ok((int)entries == in_text, "all of the text's metadata, %d lines, and no more", in_text);
    value = json_object_get(meta, "nic");
    ok(json_is_array(value)
           && strcmp(json_string_value(json_array_get(value, json_array_size(value) - 1)),
                     "eth8 mtu_bytes=9000")
                  == 0,
       "a key that comes again is an array, in order");
    ok_text(json_string_value(json_object_get(meta, "odd")), "tab here, byte ?, \"quoted\"",
            "odd bytes are cleaned");
    ok(is_real(json_object_get(meta, "third_s"), 1.0 / 3), "a number has all its digits");
    ok(json_integer_value(json_object_get(meta, "count")) == 3000000000, "a count is whole");
    ok(json_integer_value(json_object_get(meta, "memory_bytes")) == cm_machine_memory_bytes()
           && json_is_real(json_object_get(meta, "clock_cost_s"))
           && json_is_string(json_object_get(meta, "binding")),
       "what the machine says with a unit is a number, the rest text");
    ok(json_is_null(json_object_get(meta, "unknown_s")), "NaN is null");

    json_t *rows = json_object_get(root, "rows"), *row = json_array_get(rows, 0);
    ok(json_array_size(rows) == 3 && json_array_size(row) == 3, "rows and columns");
    ok(json_is_integer(json_array_get(row, 0))
           && json_integer_value(json_array_get(row, 0)) == 65536
           && is_real(json_array_get(row, 1), 1.0 / 3) && json_is_null(json_array_get(row, 2)),
       "a row: whole, all digits, null");
    row = json_array_get(rows, 1);
    ok(is_real(json_array_get(row, 0), 1e300) && json_is_null(json_array_get(row, 1)),
       "too large to be whole; infinity is null");

    json_t *samples = json_object_get(root, "samples"), *first = json_array_get(samples, 0);
    json_t *values = json_object_get(first, "values");
    bool same = json_array_size(values) == 1000;
    for (size_t i = 0; same && i < 1000; i++)
        same = i == 5 ? json_is_null(json_array_get(values, i))
                      : is_real(json_array_get(values, i), raw[i]);
    ok(same, "1000 raw samples come back bit for bit");
    ok(json_array_size(samples) == 2 && json_integer_value(json_object_get(first, "row")) == 0
           && json_integer_value(json_object_get(json_array_get(samples, 1), "row")) == 2,
       "samples name their rows, rows without samples have none");
    ok_text(json_string_value(json_object_get(json_array_get(samples, 1), "unit")), "us", "unit");

    json_t *check = json_array_get(json_object_get(root, "checks"), 0);
    ok(is_real(json_object_get(check, "value"), 0.1) && is_real(json_object_get(check, "bound"), 16)
           && json_is_true(json_object_get(check, "pass")),
       "the check");
    ok_text(json_string_value(json_object_get(check, "relation")), "<", "its relation");
    ok_text(json_string_value(json_array_get(json_object_get(root, "comments"), 0)),
            "a comment, 0.5", "the comment");
    json_t *said = json_array_get(json_object_get(root, "results"), 0);
    ok(json_is_true(json_object_get(said, "pass"))
           && is_real(json_object_get(said, "value"), 1.0 / 3),
       "the metric");
    json_t *column = json_array_get(json_object_get(root, "columns"), 1);
    ok_text(json_string_value(json_object_get(column, "name")), "median_s", "a column's name");
    ok_text(json_string_value(json_object_get(column, "format")), "%.3e", "and format");
    json_decref(root);
    free(text);
    free(out);
}

#else

static void test_json(void)
{
    ok(cm_result_json_missing() != NULL, "built without jansson, and it says so");
}

#endif

/* ---- gnuplot, and the terminal --------------------------------------------------------------- */

static void test_gnuplot(void)
{
    char command[400], line[100] = "";
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        tap_skip("gnuplot finds a column by name", "no gnuplot");
        return;
    }
    remove(in_folder("text"));
    run(whole_text);
    snprintf(command, sizeof command,
             "gnuplot -d -e \"set key autotitle columnheader; "
             "stats '%s' using 'size_bytes' nooutput; print STATS_records, STATS_max\" 2>&1",
             in_folder("text"));
    FILE *pipe = popen(command, "r");
    if (!fgets(line, sizeof line, pipe)) line[0] = '\0';
    pclose(pipe);
    double records = 0, most = 0;
    ok(sscanf(line, "%lf %lf", &records, &most) == 2 && records == 2 && most == 65536,
       "gnuplot finds a column by name and leaves NaN out: %s", line);
}

/* What a terminal of 30 columns got on stderr while stdout was a file. */
static void on_terminal(bool quiet, char *got, size_t size)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    got[0] = '\0';
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) return;
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    ioctl(slave, TIOCSWINSZ, &(struct winsize){.ws_row = 24, .ws_col = 30});
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(slave, STDERR_FILENO);
        if (!freopen(in_folder("out"), "w", stdout)) _exit(99);
        cm_result_files files = {.quiet = quiet};
        cm_result *r = cm_result_open(&program, 1, words, &files, three, 3);
        cm_result_progress(r, 0.5, "size %d of a very long list of sizes", 7);
        cm_result_progress(r, 0.6, "too soon");
        cm_result_row(r, &(table_row){1, 2, 3}, NULL, NULL);
        cm_result_progress(r, 2, "end");
        cm_result_metric(r, true, "m", cm_quantity_of(1));
        _exit(cm_result_close(r));
    }
    close(slave);
    size_t used = 0;
    ssize_t n;
    while (used + 1 < size && (n = read(master, got + used, size - 1 - used)) > 0)
        used += (size_t)n;
    got[used] = '\0';
    close(master);
    waitpid(child, NULL, 0);
}

static void test_progress(void)
{
    char got[1000], want[200];
    on_terminal(false, got, sizeof got);
    if (got[0] == '\0') {
        tap_skip("progress on a terminal", "no pseudo terminal");
        return;
    }
    snprintf(want, sizeof want, "\r%.29s\r%29s\r\r%s\r%10s\r", " 50 %  size 7 of a very long list",
             "", "100 %  end", "");
    ok_text(got, want, "progress: cut to the terminal, not too often, erased");
    on_terminal(true, got, sizeof got);
    ok_text(got, "", "--quiet: none");
    ok(run(whole_text) >= 0 && same_file("err", ""), "none where stderr is no terminal");
}

int main(void)
{
    if (!mkdtemp(folder)) {
        printf("Bail out! no temporary folder: %s\n", strerror(errno));
        return 99;
    }
    test_text();
    test_members();
    test_states();
    test_locale();
    test_formats();
    word_tests();
    test_bad_column();
    test_metrics();
    test_command();
    test_clean();
    test_meta_run();
    test_json();
    test_gnuplot();
    test_progress();
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0) printf("# %s is left\n", folder);
    return tap_done();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* read.c: results that are read again, as src/result wrote them and damaged. */
#include <config.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "comm/comm.h"
#include "result/read.h"
#include "result/result_internal.h"
#include "tap.h"

static char folder[] = "/tmp/unit_read.XXXXXX";
static const cm_metric metrics[] = {
    {"latency_us", "Latency", "us", CM_BETTER_LOW, "of the smallest message"},
    {"speed_up", "Speed-up", "1", CM_BETTER_HIGH, "over one rank"},
    {0},
};
static const cm_program program = {.name = "cm-test", .purpose = "test", .metrics = metrics};

static const char *in_folder(const char *name)
{
    static char path[4][200];
    static int next;
    char *p = path[next++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static cm_record record;
static char why[512];

/* Reads these bytes as a file; the record is the one above. */
static bool read_bytes(const char *bytes, size_t n)
{
    FILE *file = fopen(in_folder("file"), "w");
    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) return false;
    cm_record_free(&record);
    return cm_record_read(in_folder("file"), &record, why, sizeof why);
}

static bool read_string(const char *text) { return read_bytes(text, strlen(text)); }

static bool is_empty(const cm_record *r)
{
    return !r->meta && !r->column && !r->cell && !r->check && !r->fit && !r->fastest && !r->comment
           && !r->finding && !r->metric && !r->samples && r->n_meta == 0 && r->n_columns == 0
           && r->n_rows == 0 && r->n_findings == 0 && r->n_checks == 0 && r->n_fits == 0
           && r->n_fastest == 0 && r->n_comments == 0 && r->n_metrics == 0 && r->n_samples == 0;
}

/* The reader refuses it, says in one line that file and reason, and leaves nothing. */
static void ok_refused_bytes(const char *bytes, size_t n, const char *reason, const char *name)
{
    char line[600];
    snprintf(line, sizeof line, "%s: %s", in_folder("file"), reason);
    bool refused = !read_bytes(bytes, n);
    if (!ok(refused && strcmp(why, line) == 0 && is_empty(&record), "refused: %s", name))
        printf("# said: %s\n", refused ? why : "nothing");
}

static void ok_refused(const char *text, const char *reason, const char *name)
{
    ok_refused_bytes(text, strlen(text), reason, name);
}

static void ok_number_of(size_t got, size_t want, const char *name)
{
    ok(got == want, "%s: %zu, expected %zu", name, got, want);
}

/* ---- every kind of line ---------------------------------------------------------------------- */

static const char all_lines[] =
    "# program: cm-test\n"
    "# nic: eth0 mtu_bytes=1500\n"
    "# gemm_Gflop_per_s: 12.5\n"
    "# nic:   eth1\n"
    "# empty:\n"
    "# Capital: no key\n"
    "#no blank: no key\n"
    "# before all\n"
    "#\n"
    "\n"
    "  size_bytes     median_s   kind\n"
    "           1    1.250e-06   copy\n"
    "# stopped: precision 1\n"
    "       65536          nan  scale\n"
    "# fit: model=line latency_us=1.5 latency_us_error=0.1 odd =x empty= a=b=c\n"
    "# fit: none, 1 size\n"
    "# fastest:  what   size\n"
    "# CHECK: residual: 0.25 <= 16  PASS\n"
    "# CHECK: wrong_bytes: 3 == 0  FAIL\n"
    "# CHECKED by hand\n"
    "# copy: halves\n"
    "# RESULT: PASS latency_us 1.25 us\n"
    "# RESULT: FAIL speed_up 1.5 1 low=1.25 high=nan interval=95% over=launches n=7 disturbed=yes "
    "later=1 word better=high\n";

static void test_lines(void)
{
    ok(read_string(all_lines), "a text with every kind of line is read");
    ok_number_of(record.n_meta, 6, "metadata");
    ok_text(cm_record_meta(&record, "program"), "cm-test", "an entry of the metadata");
    ok_text(cm_record_meta(&record, "nic"), "eth0 mtu_bytes=1500", "the first of two");
    ok(record.n_meta == 6 && strcmp(record.meta[3].key, "nic") == 0
           && strcmp(record.meta[3].value, "eth1") == 0,
       "the second, in its place");
    ok_text(cm_record_meta(&record, "gemm_Gflop_per_s"), "12.5", "a key with a unit's capital");
    ok_text(cm_record_meta(&record, "empty"), "", "an empty value");
    ok_text(cm_record_meta(&record, "copy"), "halves", "what is known only at the end");
    ok(!cm_record_meta(&record, "Capital") && !cm_record_meta(&record, "stopped"), "no others");

    ok_number_of(record.n_columns, 3, "columns");
    ok_number_of(record.n_rows, 2, "rows");
    ok(cm_record_column(&record, "kind") == 2 && cm_record_column(&record, "none") == -1,
       "a column by name");
    ok_text(cm_record_cell(&record, 0, 1), "1.250e-06", "a cell");
    ok_text(cm_record_cell(&record, 1, 2), "scale", "the last cell");

    ok_number_of(record.n_fits, 4, "parameters of fits");
    ok_text(cm_record_fit_value(&record, "line", "latency_us_error"), "0.1", "a parameter");
    ok_text(cm_record_fit_value(&record, "line", "a"), "b=c", "a value with =");
    ok(!cm_record_fit_value(&record, "other", "a"), "no other model");
    ok(record.n_fastest == 1 && strcmp(record.fastest[0], "what   size") == 0, "the fastest");
    static const char *const comments[] = {"Capital: no key", "no blank: no key", "before all",
                                           "stopped: precision 1", "fit: none, 1 size"};
    enum { N_COMMENTS = sizeof comments / sizeof *comments };
    ok_number_of(record.n_comments, N_COMMENTS, "comments");
    for (size_t i = 0; i < N_COMMENTS && i < record.n_comments; i++)
        ok_text(record.comment[i], comments[i], "a comment");

    ok_number_of(record.n_checks, 3, "checks");
    ok_text(record.check[0].text, "residual: 0.25 <= 16  PASS", "a check");
    ok(record.check[0].pass && !record.check[1].pass && !record.check[2].pass,
       "which of them hold");

    ok_number_of(record.n_metrics, 2, "metrics");
    ok(cm_record_complete(&record) && cm_record_failed(&record), "complete, and a FAIL");
    const cm_record_metric *plain = cm_record_metric_of(&record, "latency_us");
    ok(plain && plain->pass && strcmp(plain->value, "1.25") == 0 && strcmp(plain->unit, "us") == 0,
       "a metric");
    ok(plain && isnan(plain->low) && isnan(plain->high) && !plain->interval && !plain->over
           && plain->n == 0 && !plain->disturbed && !plain->better,
       "with nothing behind its unit");
    const cm_record_metric *said = cm_record_metric_of(&record, "speed_up");
    ok(said && !said->pass && said->low == 1.25 && isnan(said->high) && said->n == 7
           && said->disturbed && said->tells && !plain->tells,
       "a metric's interval, number and disturbance");
    ok_text(said->interval, "95%", "what its interval is");
    ok_text(said->over, "launches", "what it is over");
    ok_text(said->better, "high", "which way is better");
    ok(!cm_record_metric_of(&record, "none"), "no other metric");
}

/* The same lines with other ends. */
static void test_ends(void)
{
    char crlf[2 * sizeof all_lines], *to = crlf;
    for (const char *from = all_lines; *from; from++) {
        if (*from == '\n') *to++ = '\r';
        *to++ = *from;
    }
    *to = '\0';
    ok(read_string(crlf) && record.n_meta == 6 && record.n_rows == 2 && record.n_metrics == 2,
       "lines that end with CR LF");
    ok_text(cm_record_meta(&record, "nic"), "eth0 mtu_bytes=1500", "have no CR in a value");
    ok_text(cm_record_cell(&record, 0, 2), "copy", "nor in a cell");
    ok_text(cm_record_metric_of(&record, "latency_us")->unit, "us", "nor in a unit");
    ok(read_bytes(all_lines, strlen(all_lines) - 1) && record.n_metrics == 2,
       "a last line without newline");
    ok_text(cm_record_metric_of(&record, "speed_up")->better, "high", "is whole");
}

/* ---- cut short and damaged ------------------------------------------------------------------- */

static void test_cut(void)
{
    ok(read_string("") && !cm_record_complete(&record) && !cm_record_failed(&record),
       "an empty file is a run that did not end");
    ok(read_string("# program: x\n  a  b\n") && record.n_columns == 2 && record.n_rows == 0,
       "so is a header alone");
    ok(read_string("a b\n1 2\n3") && record.n_rows == 1 && !cm_record_complete(&record),
       "a row that was cut is left out");
    ok(read_string("a b\n1 2\n3 4") && record.n_rows == 2, "not a whole one without newline");
    ok(read_string("a b\n1 2\n# RESULT: PASS m 1") && record.n_metrics == 0,
       "a metric that was cut is none");
    ok(read_string("a\n# RESULT: PASS m 1 s low=1 n=") && record.n_metrics == 1
           && record.metric[0].low == 1 && record.metric[0].n == 0,
       "a metric that was cut behind its unit is one");
    bool fine = true;
    for (size_t n = 0; n < strlen(all_lines); n++) fine = read_bytes(all_lines, n) && fine;
    ok(fine, "cut after any byte, a text is read");
}

static void test_damage(void)
{
    ok_refused("a b\n1 2\n3\n", "line 3: 1 cells, but the header has 2", "too few cells");
    ok_refused("\n\na b\n# c\n1 2 3", "line 5: 3 cells, but the header has 2", "too many cells");
    ok_refused_bytes("a b\n1 2\n3\0 4\n", 14, "line 3: a NUL byte; the file is damaged", "NUL");
    ok_refused_bytes("a\n# b\0\n", 8, "line 2: a NUL byte; the file is damaged",
                     "NUL in a comment");
    ok_refused("a\n# RESULT: PASS m 1\n",
               "line 2: a RESULT line has PASS or FAIL, metric, value and unit",
               "a metric without unit");
    ok_refused("# RESULT: GOOD m 1 s\n", "line 1: a RESULT line says PASS or FAIL, not GOOD",
               "a metric that is none");
    ok_refused("# RESULT: PASS m 1 s n=-1\n",
               "line 1: n of a RESULT line is -1; expected a whole number", "a negative number");
    ok_refused("# RESULT: PASS m 1 s n=99999999999999999999999\n",
               "line 1: n of a RESULT line is 99999999999999999999999; expected a whole number",
               "a number beyond all");
    ok_refused("# RESULT: PASS m 1 s disturbed=perhaps\n",
               "line 1: disturbed of a RESULT line is perhaps; expected yes or no", "perhaps");
    ok(!cm_record_read("/nowhere/x", &record, why, sizeof why)
           && strcmp(why, "/nowhere/x: No such file or directory") == 0 && is_empty(&record),
       "a file that is not there: %s", why);
    ok(!cm_record_read("/", &record, why, sizeof why) && strcmp(why, "/: Is a directory") == 0,
       "a folder: %s", why);
    char small[8];
    ok(!cm_record_read("/nowhere/x", &record, small, sizeof small) && strlen(small) < sizeof small
           && !cm_record_read("/nowhere/x", &record, small, 0),
       "a short why, and none");
    cm_record_free(&record);
    ok(is_empty(&record), "an empty record may be freed");

    ok(read_string("# k: \xff\x01 a\tb\n a\t\x80\n"), "odd bytes are read");
    ok_text(cm_record_meta(&record, "k"), "?  a b", "and cleaned");
    ok(record.n_columns == 2 && strcmp(record.column[1], "?") == 0, "in the header, too");
}

/* A comment of 3 MB, and a row of 100000 cells. */
static void test_long(void)
{
    enum { COMMENT = 3000000, CELLS = 100000 };
    char *text = malloc(COMMENT + 4 * CELLS + 10), *to = text;
    to += sprintf(to, "# ");
    memset(to, 'x', COMMENT);
    to += COMMENT;
    for (int line = 0; line < 2; line++) {
        *to++ = '\n';
        for (int i = 0; i < CELLS; i++) to += sprintf(to, "7 ");
    }
    ok(read_string(text) && record.n_comments == 1 && strlen(record.comment[0]) == COMMENT
           && record.n_columns == CELLS && record.n_rows == 1,
       "long lines");
    free(text);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int numbers(void)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {{"1", 1},         {"-1.25e-6", -1.25e-6}, {"+.5", 0.5}, {"3.", 3},    {"0x", NAN},
                {"1e308", 1e308}, {"1E+2", 100},          {"0.1", 0.1}, {"00012", 12}};
    static const char *const bad[] = {"",    " 1", "1 ",  "nan",   "inf", "-inf",  "0x10", "1e",
                                      "1e+", ".",  "1,5", "1e999", "--1", "1.2.3", "e5",   "one"};
    double value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        bool taken = cm_record_number(good[i].text, &value);
        if (isnan(good[i].value) ? taken : !taken || value != good[i].value) return 10 + (int)i;
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (cm_record_number(bad[i], &value)) return 30 + (int)i;
    return 0;
}

/* ---- what src/result wrote ------------------------------------------------------------------- */

typedef struct {
    double size_bytes, median_s, kind, rate;
} table_row;
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, size_bytes, "size_bytes", "%.0f"),
    CM_COLUMN(table_row, median_s, "median_s", "%.3e"),
    CM_COLUMN(table_row, kind, "kind", "=copy|scale"),
    CM_COLUMN(table_row, rate, "rate", "%+.2f"),
};
static double raw[] = {0.1, NAN, 1e-300};

static int write_result(const char *output, const char *json)
{
    cm_result_files files = {.output = output, .json = json, .force = true};
    char *words[] = {"cm-test", "it's"};
    cm_result *r = cm_result_open(&program, 2, words, &files, columns, 4);
    if (!r) return 90;
    cm_result_meta(r, "buffer_policy", "%s", " swapped");
    cm_result_meta(r, "nic", "eth0");
    cm_result_meta(r, "nic", "eth1");
    cm_result_meta_number(r, "clock_s", 2.5e-8, "%.1e");
    cm_result_meta_number(r, "ranks", 4, "%.0f");
    cm_result_meta_number(r, "gemm_Gflop_per_s", 0.1, "%.4g");
    cm_result_meta_number(r, "unknown_s", NAN, "%.4g");
    cm_result_comment(r, "a comment, %g", 0.5);
    cm_result_row(r, &(table_row){1, 1.0 / 3, 0, 2},
                  &(cm_samples){.value = raw, .n = sizeof raw / sizeof *raw}, "us");
    cm_result_row(r, &(table_row){65536, NAN, 1, -1e300}, NULL, NULL);
    cm_result_row(r, &(table_row){4294967296.0, 1e-300, NAN, 0}, NULL, NULL);
    cm_result_comment(r, "fit: model=line latency_us=%g latency_us_error=%g", 1.5, 0.25);
    cm_result_comment(r, "fastest: what size");
    cm_result_comment(r, "stopped: precision 1");
    cm_result_finding(r,
                      &(cm_finding){.who = "n3-n9",
                                    .what = CM_FINDING_STANDS_OUT,
                                    .quantity = {"pair_send", 0.25, 0.125, 0.5, "1"},
                                    .bound = 0.75},
                      "any words [of the day]");
    cm_result_finding(r, &(cm_finding){.what = CM_FINDING_NONE}, "nothing else");
    cm_result_findings(r,
                       (cm_finding[]){{.who = "n1", .what = "own", .quantity = {.name = "a b"}},
                                      {.who = "n2", .what = "own", .bound = 1.5}},
                       2, "one sentence");
    cm_result_check(r, "residual", 1.0000001, "<=", 16);
    cm_result_check(r, "close", 1, "<", 1.0000001);
    cm_result_check(r, "order 37: |Ax-b|", 0.25, ">", 0.125);
    cm_result_metric(r, true, "latency_us", cm_quantity_of(1.0 / 3));
    cm_result_metric(r, true, "speed_up", cm_quantity_of(123456789));
    return cm_result_close(r);
}

/* In a child, because a result prints on stdout. */
static int in_child(int (*what)(void))
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen(in_folder("out"), "w", stdout)) _exit(99);
        int status = what();
        fflush(NULL);
        _exit(status);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int write_text(void) { return write_result(in_folder("text"), NULL); }
static int write_both(void) { return write_result(in_folder("text"), in_folder("json")); }

static bool same_strings(char *const *a, char *const *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(a[i], b[i]) != 0) {
            printf("# '%s', but '%s'\n", a[i], b[i]);
            return false;
        }
    return true;
}

static bool same_text(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool same_finding(const cm_record_finding *a, const cm_record_finding *b)
{
    return same_text(a->who, b->who) && same_text(a->what, b->what)
           && same_text(a->quantity, b->quantity) && same_text(a->unit, b->unit)
           && same_text(a->words, b->words) && same_number(a->value, b->value)
           && same_number(a->low, b->low) && same_number(a->high, b->high)
           && same_number(a->bound, b->bound) && a->launches == b->launches
           && a->of_launches == b->of_launches;
}

static bool same_findings(const cm_record *a, const cm_record *b)
{
    for (size_t k = 0; k < a->n_findings && k < b->n_findings; k++)
        if (!same_finding(&a->finding[k], &b->finding[k])) {
            printf("# finding %zu: %s, but %s\n", k, a->finding[k].words, b->finding[k].words);
            return false;
        }
    return a->n_findings == b->n_findings;
}

static void ok_same(const cm_record *a, const cm_record *b)
{
    ok(same_findings(a, b), "the same findings in text and JSON");
    bool same = a->n_meta == b->n_meta;
    for (size_t i = 0; same && i < a->n_meta; i++)
        same = strcmp(a->meta[i].key, b->meta[i].key) == 0
               && strcmp(a->meta[i].value, b->meta[i].value) == 0;
    ok(same, "the same metadata in text and JSON");
    ok(a->n_columns == b->n_columns && same_strings(a->column, b->column, a->n_columns),
       "the same columns");
    ok(a->n_rows == b->n_rows && same_strings(a->cell, b->cell, a->n_rows * a->n_columns),
       "the same cells");
    same = a->n_checks == b->n_checks;
    for (size_t i = 0; same && i < a->n_checks; i++)
        same = same_strings(&a->check[i].text, &b->check[i].text, 1)
               && a->check[i].pass == b->check[i].pass;
    ok(same, "the same checks");
    same = a->n_fits == b->n_fits;
    for (size_t i = 0; same && i < a->n_fits; i++)
        same = strcmp(a->fit[i].model, b->fit[i].model) == 0
               && strcmp(a->fit[i].key, b->fit[i].key) == 0
               && strcmp(a->fit[i].value, b->fit[i].value) == 0;
    ok(same, "the same fits");
    ok(a->n_fastest == b->n_fastest && same_strings(a->fastest, b->fastest, a->n_fastest),
       "the same on the fastest");
    ok(a->n_comments == b->n_comments && same_strings(a->comment, b->comment, a->n_comments),
       "the same comments");
    same = a->n_metrics == b->n_metrics;
    for (size_t i = 0; same && i < a->n_metrics; i++) {
        const cm_record_metric *x = &a->metric[i], *y = &b->metric[i];
        same = strcmp(x->name, y->name) == 0 && strcmp(x->value, y->value) == 0
               && strcmp(x->unit, y->unit) == 0 && x->pass == y->pass && x->n == y->n
               && x->disturbed == y->disturbed && !x->interval == !y->interval
               && (x->low == y->low || (isnan(x->low) && isnan(y->low)))
               && (x->high == y->high || (isnan(x->high) && isnan(y->high)));
    }
    ok(same, "the same metrics");
}

static void ok_written(const cm_record *r)
{
    ok(r->n_meta == 7 && r->n_rows == 3 && r->n_checks == 3 && r->n_fits == 2 && r->n_fastest == 1
           && r->n_comments == 2 && r->n_findings == 5 && r->n_metrics == 2,
       "all that src/result wrote (%zu %zu %zu %zu %zu %zu %zu)", r->n_meta, r->n_rows, r->n_checks,
       r->n_fits, r->n_fastest, r->n_comments, r->n_metrics);
    ok_text(cm_record_meta(r, "clock_s"), "2.5e-08", "a number of the metadata");
    ok_text(cm_record_meta(r, "unknown_s"), "nan", "NaN of the metadata");
    ok_text(cm_record_cell(r, 0, 1), "3.333e-01", "a number in the column's format");
    ok_text(cm_record_cell(r, 1, 1), "nan", "NaN");
    ok_text(cm_record_cell(r, 1, 2), "scale", "a word");
    ok_text(cm_record_cell(r, 2, 0), "4294967296", "a whole number");
    ok_text(r->check[1].text, "close: 1 < 1.0000001  PASS", "a check with the digits it needs");
    ok_text(cm_record_metric_of(r, "speed_up")->value, "1.23457e+08", "a metric's value");
}

static void test_written(void)
{
    cm_record text;
    if (!ok(in_child(write_text) == CM_EXIT_PASS
                && cm_record_read(in_folder("text"), &text, why, sizeof why),
            "a text that src/result wrote is read"))
        return;
    ok_written(&text);
    ok_number_of(text.n_samples, 0, "samples of a text");
    if (cm_result_json_missing()) {
        ok_refused("{}",
                   "JSON, but this build has no JSON; install libjansson-dev "
                   "(jansson-devel) and configure again",
                   "JSON in a build without jansson");
        cm_record_free(&text);
        return;
    }
    cm_record json;
    if (ok(in_child(write_both) == CM_EXIT_PASS
               && cm_record_read(in_folder("json"), &json, why, sizeof why),
           "so is its JSON")) {
        ok_written(&json);
        ok_same(&text, &json);
        ok(json.n_samples == 1 && json.samples[0].row == 0 && json.samples[0].n == 3
               && strcmp(json.samples[0].unit, "us") == 0 && json.samples[0].value[0] == 0.1
               && isnan(json.samples[0].value[1]) && json.samples[0].value[2] == 1e-300,
           "the samples, bit for bit");
        cm_record_free(&json);
    }
    cm_record_free(&text);
}

/* ---- Findings -------------------------------------------------------------------------------- */

static void ok_finding(size_t k, const char *who, const char *quantity, double value,
                       const char *words)
{
    const cm_record_finding *f = cm_record_finding_of(&record, CM_FINDING_STANDS_OUT, k);
    const bool right = f && same_text(f->who, who) && same_text(f->quantity, quantity)
                       && same_number(f->value, value) && same_text(f->words, words);
    ok(right, "%s: %s", who, quantity ? quantity : "what differs");
    if (f && !right) printf("# %s %s %g: %s\n", f->who, f->quantity, f->value, f->words);
}

/* Lines of before schema 3 had only words. Their JSON had the same lines as comments. */
static const char old_lines[] =
    "a\n1\n# finding: n5: triad at 0.5 of the others (9 deviations; 4 count); sends at 0.35 of the "
    "others (43 deviations; 14 count), all its links: its card (in 2 of 3 launches)\n"
    "# finding: n1-n2: latency 1.4 times what the two reach with others: that pair alone\n"
    "# finding: n1-n2: n1 sends to n2 at 0.4 of what the two reach with others: that pair alone\n"
    "# finding: n7: nic eth0 mtu_bytes 1400; 7 others: 1500\n"
    "# finding: n8: its clock is 0.25 s ahead of that of the first host (8 deviations)\n"
    "# disturbed: 12 of 340 samples: waited for a core (8), steal (4)\n"
    "# disturbed: 20 samples: steal (20) (in 2 of 3 launches)\n"
    "# could not tell: pairs\n"
    "# about [unit=MB] a comment\n";
#define OLD_HOST                                                                           \
    "triad at 0.5 of the others (9 deviations; 4 count); sends at 0.35 of the others (43 " \
    "deviations; 14 count), all its links: its card"

static void test_old_findings(void)
{
    ok(read_string(old_lines) && record.n_comments == 1, "lines in words only");
    ok_finding(0, "n5", "triad", 0.5, OLD_HOST);
    ok_finding(1, "n5", "send", 0.35, OLD_HOST);
    ok(record.n_findings > 0 && record.finding[0].launches == 2
           && record.finding[0].of_launches == 3,
       "in how many launches");
    ok_finding(2, "n1-n2", "pair_latency", 1.4,
               "latency 1.4 times what the two reach with others: that pair alone");
    ok_finding(3, "n1-n2", "pair_send", 0.4,
               "n1 sends to n2 at 0.4 of what the two reach with others: that pair alone");
    ok_finding(4, "n7", NULL, NAN, "nic eth0 mtu_bytes 1400; 7 others: 1500");
    ok_finding(5, "n8", "clock", 0.25,
               "its clock is 0.25 s ahead of that of the first host (8 deviations)");
    const cm_record_finding *by = cm_record_finding_of(&record, CM_FINDING_DISTURBED_BY, 1);
    ok(by && strcmp(by->quantity, "steal") == 0 && by->value == 4, "a cause of disturbances");
    ok(cm_record_finding_of(&record, CM_FINDING_CANNOT_TELL, 0) != NULL, "what could not be told");
    const cm_record_finding *all = cm_record_finding_of(&record, CM_FINDING_DISTURBED, 1);
    by = cm_record_finding_of(&record, CM_FINDING_DISTURBED_BY, 2);
    ok(all && strcmp(all->quantity, "samples") == 0 && all->value == 20 && all->launches == 2 && by
           && by->value == 20,
       "disturbed samples of several launches");
}

/* Words may be any: only the brackets are read. */
static void test_words_are_free(void)
{
    ok(read_string("a\n1\n# finding: n1-x: creeps (in 1 of 2 launches) [value=0.5 low=0.25 "
                   "high=0.75 unit=1 bound=0.9 quantity=send]\n")
           && record.n_findings == 1,
       "a finding in other words");
    ok_finding(0, "n1-x", "send", 0.5, "creeps");
    const cm_record_finding *f = record.finding;
    ok(f && f->low == 0.25 && f->high == 0.75 && f->bound == 0.9 && f->launches == 1,
       "its numbers");
    char *line = f ? cm_record_finding_line(f, 1) : NULL;
    ok_text(line,
            "finding: n1-x: creeps (in 1 of 2 launches) [value=0.5 low=0.25 high=0.75 unit=1 "
            "bound=0.9 quantity=send]",
            "and as a line again");
    free(line);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

#define JSON_BEGIN "{\"schema\":\"clustermark-result\",\"schema_version\":1,\"program\":\"x\""
#define JSON_COLUMNS \
    ",\"columns\":[{\"name\":\"a\",\"format\":\"%.2f\"},{\"name\":\"b\",\"format\":\"=one|two\"}]"

static char document[4000];

/* A result that has these members and the others empty. */
static const char *json_with(const char *metadata, const char *columns_member, const char *rows,
                             const char *samples, const char *checks, const char *results)
{
    snprintf(document, sizeof document,
             JSON_BEGIN ",\"metadata\":{%s}%s,\"rows\":[%s],\"samples\":[%s],\"checks\":[%s],"
                        "\"comments\":[\"fit: none\",\"\"],\"results\":[%s]}",
             metadata, columns_member, rows, samples, checks, results);
    return document;
}

static const char *json_rows(const char *rows)
{
    return json_with("", JSON_COLUMNS, rows, "", "", "");
}
static const char *json_format(const char *format)
{
    char member[300];
    snprintf(member, sizeof member, ",\"columns\":[{\"name\":\"a\",\"format\":\"%s\"}]", format);
    return json_with("", member, "[1]", "", "", "");
}

static void test_hosts(void)
{
    static const char hosts[] =
        JSON_COLUMNS ",\"hosts\":[{\"name\":\"a\",\"ranks\":2,\"differs\":{}},"
                     "{\"name\":\"b\",\"ranks\":1,\"differs\":"
                     "{\"nic eth0 mtu_bytes\":1500,\"kernel\":\"6.1\",\"tsc_hz\":null}}]";
    ok(read_string(json_with("", hosts, "", "", "", "")) && record.n_hosts == 2, "two hosts");
    const cm_record_host *b = record.n_hosts == 2 ? &record.host[1] : NULL;
    ok(b && strcmp(b->name, "b") == 0 && b->ranks == 1 && record.host[0].ranks == 2
           && record.host[0].n_differs == 0,
       "their names and ranks");
    ok(b && b->n_differs == 3 && strcmp(b->differs[0].key, "nic eth0 mtu_bytes") == 0
           && strcmp(b->differs[0].value, "1500") == 0 && strcmp(b->differs[1].value, "6.1") == 0
           && strcmp(b->differs[2].value, "nan") == 0,
       "what differs from the first");
    ok_refused(json_with("", JSON_COLUMNS ",\"hosts\":[{\"name\":\"a\"}]", "", "", "", ""),
               "hosts[0]: expected name, ranks and differs", "a host without ranks");
    ok_refused(json_with("",
                         JSON_COLUMNS ",\"hosts\":[{\"name\":\"a\",\"ranks\":1,"
                                      "\"differs\":{\"k\":[]}}]",
                         "", "", "", ""),
               "hosts: k: expected a text, a number or null", "a difference that is a list");
}

static void test_metric_members(void)
{
    ok(read_string(
           json_with("", JSON_COLUMNS, "", "", "",
                     "{\"pass\":false,\"metric\":\"m\",\"value\":2,\"unit\":\"s\",\"low\":1,"
                     "\"high\":null,\"interval\":\"range\",\"over\":\"trials\",\"n\":3,"
                     "\"better\":\"low\",\"disturbed\":true,\"later\":[]}"))
           && record.n_metrics == 1,
       "a metric with all members");
    const cm_record_metric *m = record.metric;
    ok(m && !m->pass && m->low == 1 && isnan(m->high) && m->n == 3 && m->disturbed && m->tells
           && strcmp(m->value, "2") == 0,
       "its numbers");
    ok(m && strcmp(m->interval, "range") == 0 && strcmp(m->over, "trials") == 0
           && strcmp(m->better, "low") == 0,
       "its words");
    ok_refused(json_with("", JSON_COLUMNS, "", "", "",
                         "{\"pass\":true,\"metric\":\"m\",\"value\":2,\"unit\":\"s\",\"n\":-3}"),
               "results[0]: expected numbers low, high and n, words interval, over and better, and "
               "true or false for disturbed",
               "a negative number of values");
    ok_refused(json_with("", JSON_COLUMNS, "", "", "", "{\"pass\":\"PASS\",\"metric\":\"m\"}"),
               "results[0]: expected pass, metric, value and unit", "a metric of other types");
}

static void test_json_damage(void)
{
    ok(read_string(json_rows("[1,\"one\"],[null,null],[1e300,\"two\"]")) && record.n_rows == 3,
       "rows of JSON");
    ok_text(cm_record_cell(&record, 1, 1), "nan", "null is nan");
    ok(strlen(cm_record_cell(&record, 2, 0)) == 304, "a long number has all its places");
    ok_number_of(record.n_comments, 1, "comments that are not empty");
    ok(read_string(json_with("\"k\":1.5,\"nic\":[\"a\",\"b\"],\"t\":\"x\\ny\"", JSON_COLUMNS, "",
                             "", "", ""))
           && record.n_meta == 4 && strcmp(record.meta[2].value, "b") == 0,
       "metadata of JSON");
    ok_text(cm_record_meta(&record, "t"), "x y", "are one line each");

    ok_refused("\n{\n\"schema\": \"clus\n", "line 3: unexpected newline near '\"clus'", "cut JSON");
    ok_refused("{}", "JSON, but no result: \"schema\" is not \"clustermark-result\"", "other JSON");
    ok_refused("{\"schema\":\"clustermark-result\",\"schema_version\":4}",
               "schema_version is 4; expected 1 to 3", "a later schema");
    ok_refused(JSON_BEGIN "}", "expected an object \"metadata\", as a result has", "no metadata");
    ok_refused(json_rows("[1]"), "rows[0]: 1 cells, but there are 2 columns", "too few cells");
    ok_refused(json_rows("[1,\"one\"],[1,\"one\",2]"), "rows[1]: 3 cells, but there are 2 columns",
               "too many cells");
    ok_refused(json_rows("{}"), "rows[0]: 0 cells, but there are 2 columns", "no row");
    ok_refused(json_rows("[1,\"o n e\"]"), "rows[0]: column b: not a value in format =one|two",
               "a cell of several words");
    ok_refused(json_rows("[\"1\",\"one\"]"), "rows[0]: column a: not a value in format %.2f",
               "a word in a column of numbers");
    ok_refused(json_with("\"a b\":1", JSON_COLUMNS, "", "", "", ""),
               "metadata: \"a b\" is not a key", "a key of two words");
    ok_refused(json_with("\"nic\":[{}]", JSON_COLUMNS, "", "", "", ""),
               "metadata.nic: expected a text, a number or null", "an object in the metadata");
    ok_refused(json_with("", JSON_COLUMNS, "[1,\"one\"]",
                         "{\"row\":1,\"unit\":\"s\",\"values\":[1]}", "", ""),
               "samples[0]: expected row, unit and values", "samples of a row that is not there");
    ok_refused(json_with("", JSON_COLUMNS, "[1,\"one\"]",
                         "{\"row\":0,\"unit\":\"s\",\"values\":[1,\"2\"]}", "", ""),
               "samples[0]: value 1 is not a number", "a sample that is a text");
    ok_refused(json_with("", JSON_COLUMNS, "", "", "{\"name\":\"n\"}", ""),
               "checks[0]: expected name, value, relation, bound and pass", "half a check");
    const char *const formats[] = {
        "%s",    "%n",       "%.3e%n", "%*f", "%. 3e",
        "%.-0f", "%.99999f", "=a b|c", "",    "%+++++++++++++++++++++++++++f"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        ok_refused(json_format(formats[i]), "columns[0]: expected a name of one word and a format",
                   formats[i]);

    enum { DEEP = 100000 };
    char *deep = malloc(DEEP + 10);
    strcpy(deep, "{\"a\":");
    memset(deep + 5, '[', DEEP);
    ok(!read_bytes(deep, DEEP + 5) && is_empty(&record), "refused: deep nesting: %s", why);
    free(deep);
}

/* ---- a decimal comma ------------------------------------------------------------------------- */

/* A language whose decimal mark is the comma, made in the test's folder. */
static int with_comma(void)
{
    setenv("LOCPATH", folder, 1);
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) return 80;
    char half[8];
    snprintf(half, sizeof half, "%.1f", 0.5);
    if (strcmp(half, "0,5") != 0) return 81;
    int status = numbers();
    if (status != 0) return status;
    if (!cm_record_read(in_folder(cm_result_json_missing() ? "text" : "json"), &record, why,
                        sizeof why))
        return 82;
    if (strcmp(cm_record_cell(&record, 0, 1), "3.333e-01") != 0) return 83;
    if (strcmp(cm_record_meta(&record, "gemm_Gflop_per_s"), "0.1") != 0) return 84;
    snprintf(half, sizeof half, "%.1f", 0.5);
    return strcmp(half, "0,5") == 0 ? 0 : 85; /* the caller's locale is as it was */
}

static void test_comma(void)
{
    char command[300];
    snprintf(command, sizeof command, "localedef -f UTF-8 -i de_DE %s/de_DE.UTF-8 >/dev/null 2>&1",
             folder);
    if (system(command) != 0 && access(in_folder("de_DE.UTF-8/LC_NUMERIC"), F_OK) != 0) {
        tap_skip("reading in a language with a decimal comma", "localedef cannot make one");
        return;
    }
    int status = in_child(with_comma);
    ok(status == 0, "reading in a language with a decimal comma (%d)", status);
}

int main(void)
{
    if (!mkdtemp(folder)) {
        printf("Bail out! no temporary folder: %s\n", strerror(errno));
        return 99;
    }
    test_lines();
    test_ends();
    test_cut();
    test_damage();
    test_long();
    int status = numbers();
    ok(status == 0, "decimal numbers are numbers, all else is none (%d)", status);
    test_written();
    if (!cm_result_json_missing()) {
        test_hosts();
        test_old_findings();
        test_words_are_free();
        test_metric_members();
        test_json_damage();
    }
    test_comma();
    cm_record_free(&record);
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0) printf("# %s is left\n", folder);
    return tap_done();
}

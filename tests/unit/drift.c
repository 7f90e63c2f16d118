/* SPDX-License-Identifier: BSD-3-Clause */
/* drift.c: which hosts got slower during a made-up burn-in: how often a host is named although none
   got slower, also with noise in streaks, and how often a host is named that did. And the
   temperature of a made-up host. */
#include <config.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../nodes/nodes_drift.h"
#include "machine/temperature.h"
#include "random/random.h"
#include "tap.h"

enum { MOST = 64 * NODES_PARTS };

typedef struct {
    int hosts, parts;
    double sigma;    /* of a value */
    double keep;     /* of the noise of the part before: it comes in streaks */
    double streaks;  /* chance that a streak begins in a part: 3 parts at 0.9, of one host */
    double together; /* deviation of what all hosts have in common */
} noise;

typedef struct {
    double rate[NODES_RATES][MOST];
    double limit;
    nodes_drift drift;
} burn;

static void fill(burn *b, const noise *of, uint64_t *state)
{
    for (int kind = 0; kind < NODES_RATES; kind++) {
        double together[NODES_PARTS];
        for (int part = 0; part < of->parts; part++)
            together[part] = of->together * cm_random_normal(state);
        for (int host = 0; host < of->hosts; host++) {
            double now = of->sigma * cm_random_normal(state);
            int streak = 0;
            for (int part = 0; part < of->parts; part++) {
                const double fresh = of->sigma * sqrt(1 - of->keep * of->keep);
                now = of->keep * now + fresh * cm_random_normal(state);
                if (streak > 0) streak--;
                else if (cm_random_uniform(state) < of->streaks) streak = 3;
                b->rate[kind][host * of->parts + part] =
                    1e9 * exp(now + together[part]) * (streak > 0 ? 0.9 : 1);
            }
        }
    }
}

/* From the first part to the last the host has `ratio` of its rate. */
static void slow(burn *b, const noise *of, int kind, int host, int first, int last, double ratio)
{
    for (int part = first; part < last; part++) b->rate[kind][host * of->parts + part] *= ratio;
}

static bool find(burn *b, const noise *of)
{
    double *rate[NODES_RATES];
    for (int kind = 0; kind < NODES_RATES; kind++) rate[kind] = b->rate[kind];
    return nodes_drift_find(of->hosts, of->parts, rate, b->limit, &b->drift);
}

/* Returns in how many runs without a fall somebody is named. */
static int count_false(burn *b, const noise *of, int runs)
{
    uint64_t state = 7;
    int named = 0;
    for (int run = 0; run < runs; run++) {
        fill(b, of, &state);
        named += !find(b, of) || b->drift.falls > 0;
        nodes_drift_free(&b->drift);
    }
    return named;
}

/* Returns the number of runs that name exactly the one host that fell, for the right kind of check
   and from about the right part on. */
static int count_right(burn *b, const noise *of, int runs, double ratio)
{
    uint64_t state = 11;
    int right = 0;
    for (int run = 0; run < runs; run++) {
        const int host = run % of->hosts, kind = run % NODES_RATES, middle = of->parts / 2;
        fill(b, of, &state);
        slow(b, of, kind, host, middle, of->parts, ratio);
        if (!find(b, of)) continue;
        const nodes_fall *fall = b->drift.fall;
        right += b->drift.falls == 1 && fall->host == host && fall->kind == kind && !fall->steady
                 && abs(fall->part - middle) <= 4 && fabs(fall->ratio - ratio) < 0.04;
        nodes_drift_free(&b->drift);
    }
    return right;
}

static void test_chances(burn *b)
{
    static const struct {
        const char *what;
        noise of;
    } kinds[] = {
        {"white noise", {8, NODES_PARTS, 0.02, 0, 0, 0}},
        {"common noise", {8, NODES_PARTS, 0.01, 0, 0, 0.05}},
        {"noise in streaks", {8, NODES_PARTS, 0.015, 0.5, 0, 0}},
        {"streaks of one host", {8, NODES_PARTS, 0.01, 0, 0.02, 0}},
        {"one host", {1, NODES_PARTS, 0.02, 0, 0, 0}},
        {"64 hosts", {64, NODES_PARTS, 0.02, 0, 0, 0}},
        {"few parts", {8, 24, 0.01, 0, 0, 0}},
    };
    enum { RUNS = 200 };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const noise *of = &kinds[k].of;
        const int runs = of->hosts > 8 ? RUNS / 4 : RUNS;
        b->limit = nodes_drift_limit(of->hosts, of->parts, 0.01);
        const int named = count_false(b, of, runs), right = count_right(b, of, runs, 0.9);
        ok(50 * named <= runs, "%s: %d of %d runs name somebody", kinds[k].what, named, runs);
        ok(20 * right >= 19 * runs, "%s: %d of %d name who fell to 0.9", kinds[k].what, right,
           runs);
    }
}

static void test_words(burn *b)
{
    const noise quiet = {4, NODES_PARTS, 0.003, 0, 0, 0.02};
    uint64_t state = 3;
    b->limit = nodes_drift_limit(4, NODES_PARTS, 0.01);
    fill(b, &quiet, &state);
    for (int part = 0; part < NODES_PARTS; part++)
        slow(b, &quiet, NODES_GEMM, 2, part, part + 1, exp(log(0.8) * part / (NODES_PARTS - 1)));
    ok(find(b, &quiet) && b->drift.falls == 1 && b->drift.fall->steady, "a steady fall");
    ok(fabs(b->drift.fall->ratio - 0.8) < 0.02, "to 0.8: %g", b->drift.fall->ratio);
    ok(b->drift.bound[NODES_GEMM] > 0.9 && b->drift.bound[NODES_GEMM] < 1,
       "a fall below %g would have been seen", b->drift.bound[NODES_GEMM]);
    nodes_drift_free(&b->drift);

    fill(b, &quiet, &state);
    for (int host = 0; host < 4; host++)
        slow(b, &quiet, NODES_TRIAD, host, NODES_PARTS / 2, NODES_PARTS, 0.9);
    ok(find(b, &quiet) && b->drift.falls == 0, "what all hosts do is no host's fall");
    ok(fabs(b->drift.all[NODES_TRIAD] - 0.9) < 0.03, "but is known: %g", b->drift.all[NODES_TRIAD]);
    nodes_drift_free(&b->drift);

    fill(b, &quiet, &state);
    for (int k = 0; k < 4 * NODES_PARTS; k++) b->rate[NODES_GEMM][k] = NAN;
    ok(find(b, &quiet) && isnan(b->drift.bound[NODES_GEMM]), "a kind that was not measured");
    nodes_drift_free(&b->drift);

    const noise shorter = {4, NODES_FEWEST_PARTS - 1, 0.003, 0, 0, 0};
    fill(b, &shorter, &state);
    ok(find(b, &shorter) && b->drift.falls == 0 && isnan(b->drift.bound[NODES_TRIAD]),
       "too few parts tell nothing");
    nodes_drift_free(&b->drift);

    const noise none = {4, NODES_PARTS, 0, 0, 0, 0};
    fill(b, &none, &state);
    ok(find(b, &none) && b->drift.falls == 0, "equal rates have no fall");
    nodes_drift_free(&b->drift);
}

/* ---- Temperature ----------------------------------------------------------------------------- */

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    if (!file) {
        printf("Bail out! cannot write %s\n", name);
        exit(1);
    }
    fputs(text, file);
    fclose(file);
}

static void test_temperature(void)
{
    static const char *const folders[] = {"sys",
                                          "sys/class",
                                          "sys/class/thermal",
                                          "sys/class/thermal/thermal_zone0",
                                          "sys/class/hwmon",
                                          "sys/class/hwmon/hwmon3"};
    static const char *const files[] = {
        "sys/class/thermal/thermal_zone0/temp", "sys/class/hwmon/hwmon3/temp1_input",
        "sys/class/hwmon/hwmon3/temp2_input", "sys/class/hwmon/hwmon3/temp1_crit"};
    char root[] = "drift.XXXXXX";
    const int n = sizeof folders / sizeof folders[0];
    if (!mkdtemp(root) || chdir(root) != 0) {
        ok(false, "a folder");
        return;
    }
    ok(isnan(cm_machine_temperature_C(".")), "no sensors are no temperature");
    for (int k = 0; k < n; k++) mkdir(folders[k], 0777);
    ok(isnan(cm_machine_temperature_C(".")), "and so are folders without files");
    put(files[0], "45000\n");
    put(files[1], "81500\n");
    put(files[2], "255000\n");
    put(files[3], "100000\n");
    ok(cm_machine_temperature_C(".") == 81.5, "the hottest sensor that is connected counts");
    for (int k = 0; k < 4; k++) remove(files[k]);
    for (int k = n - 1; k >= 0; k--) rmdir(folders[k]);
    if (chdir("..") == 0) rmdir(root);
}

int main(void)
{
    burn *b = malloc(sizeof *b);
    if (!b) return 99;
    test_chances(b);
    test_words(b);
    test_temperature();
    free(b);
    return tap_done();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* bound.c: when a new result counts as worse than a history, over simulated histories with known
   truth: how often a host is named that is not worse, and how often a fall is found. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include "fleet/bound.h"
#include "random/random.h"
#include "tap.h"

enum { MOST = 40, HOSTS = 16, QUANTITIES = 3 };
static const double level = 0.01, loss = 0.28768; /* 25 % */

typedef struct {
    const char *name;
    /* Fills n values in their order. */
    void (*make)(uint64_t *state, size_t n, double *y);
} noise;

static void normal(uint64_t *state, size_t n, double *y)
{
    for (size_t k = 0; k < n; k++) y[k] = 0.03 * cm_random_normal(state);
}

/* Student's distribution with 3 degrees of freedom, of the same deviation. */
static void heavy(uint64_t *state, size_t n, double *y)
{
    for (size_t k = 0; k < n; k++) {
        double square = 0;
        for (int d = 0; d < 3; d++) square += pow(cm_random_normal(state), 2);
        y[k] = 0.03 * cm_random_normal(state) / sqrt(square);
    }
}

/* One of 50 results falls further, by 6 % in the mean. */
static void falls(uint64_t *state, size_t n, double *y)
{
    normal(state, n, y);
    for (size_t k = 0; k < n; k++)
        if (cm_random_uniform(state) < 0.02) y[k] += 0.06 * log(cm_random_uniform(state));
}

/* Times of some results in which all are 6 % lower. */
static void streaks(uint64_t *state, size_t n, double *y)
{
    bool low = false;
    normal(state, n, y);
    for (size_t k = 0; k < n; k++) {
        low = cm_random_uniform(state) < (low ? 0.7 : 0.07);
        if (low) y[k] -= 0.06;
    }
}

static const noise noises[] = {
    {"normal", normal}, {"heavy tails", heavy}, {"falls", falls}, {"streaks", streaks}};

typedef struct {
    double alarms, found; /* shares of the runs */
} rates;

/* Many runs, each compared with a history of n results and measured again if it is below; then one
   value falls by 25 %. */
static rates try(const noise *kind, size_t hosts, size_t n, size_t runs)
{
    double y[MOST + 2];
    uint64_t state = 7 * n + hosts;
    const double alpha = level / (double)(hosts * QUANTITIES);
    rates is = {0};
    for (size_t run = 0; run < runs; run++) {
        bool alarm = false, found = false;
        for (size_t k = 0; k < hosts * QUANTITIES; k++) {
            kind->make(&state, n + 2, y);
            const fleet_bound b = fleet_bound_of(&(fleet_past){y, n, 0}, alpha, loss);
            const double fell = b.middle - fmax(y[n], y[n + 1]);
            alarm = alarm || fell > b.fall;
            if (k == 0) found = fell + loss > b.fall;
        }
        is.alarms += alarm / (double)runs;
        is.found += found / (double)runs;
    }
    return is;
}

static void test_noise(const noise *kind)
{
    static const size_t results[] = {6, 12, 20, 40};
    double alarms = 0;
    for (size_t k = 0; k < 4; k++) {
        const rates one = try(kind, 1, results[k], 1000), many = try(kind, HOSTS, results[k], 60);
        printf("# %s, %zu results: 1 host %.4f false alarms, %.3f found; %d hosts %.4f, %.3f\n",
               kind->name, results[k], one.alarms, one.found, HOSTS, many.alarms, many.found);
        alarms += (1000 * one.alarms + 60 * many.alarms) / (4 * 1060);
        ok(one.found > 0.9, "%s: one host, %zu results: a loss of 25 %% is found", kind->name,
           results[k]);
        if (results[k] >= 12) ok(many.found > 0.9, "%s: and one of %d", kind->name, (int)HOSTS);
    }
    ok(alarms <= level, "%s: at most %g of runs have a false alarm", kind->name, level);
}

static void test_student(void)
{
    static const struct {
        size_t freedom;
        double alpha, t;
    } table[] = {{1, 0.01, 31.82052},  {2, 0.05, 2.919986},   {3, 0.0005, 12.92398},
                 {5, 0.025, 2.570582}, {10, 0.005, 3.169273}, {120, 0.01, 2.357825}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const double t = fleet_student(table[k].alpha, table[k].freedom);
        ok(fabs(t / table[k].t - 1) < 1e-6, "Student's t of %zu degrees, %g: %.6g",
           table[k].freedom, table[k].alpha, t);
    }
}

/* What is said of a history that cannot show the loss. */
static void test_needed(void)
{
    double y[MOST];
    const double alpha = 1e-4;
    for (size_t k = 0; k < MOST; k++) y[k] = k % 2 ? 0.05 : -0.05;
    const fleet_bound few = fleet_bound_of(&(fleet_past){y, 5, 0}, alpha, loss);
    ok(isinf(few.fall) && few.needed >= FLEET_FEWEST, "5 results judge nobody: %zu are needed",
       few.needed);
    const fleet_bound blind = fleet_bound_of(&(fleet_past){y, 6, 0}, alpha, loss);
    ok(blind.fall > loss && blind.needed > 6, "6 do not show it: %zu would", blind.needed);
    const size_t n = blind.needed & 1 ? blind.needed + 1 : blind.needed;
    const fleet_bound enough = fleet_bound_of(&(fleet_past){y, n, 0}, alpha, loss);
    ok(enough.fall <= loss && fabs(enough.middle) < 1e-12, "%zu do", n);
    for (size_t k = 0; k < MOST; k++) y[k] *= 3;
    ok(fleet_bound_of(&(fleet_past){y, MOST, 0}, alpha, loss).needed == 0, "of 3 times the spread "
                                                                           "no number does");
    for (size_t k = 0; k < MOST; k++) y[k] = 2;
    const fleet_bound quiet = fleet_bound_of(&(fleet_past){y, MOST, 0}, alpha, loss);
    ok(quiet.fall == FLEET_MARGIN && quiet.middle == 2, "a quiet one takes no small fall amiss");
    ok(isnan(fleet_bound_of(&(fleet_past){y, 0, 0}, alpha, loss).middle), "no history");
}

int main(void)
{
    test_student();
    test_needed();
    for (size_t k = 0; k < sizeof noises / sizeof *noises; k++) test_noise(&noises[k]);
    return tap_done();
}

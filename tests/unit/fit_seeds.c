/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_seeds.c: over fixed seeds of uneven noise the intervals of cm_fit_protocols cover the truth,
   a change of protocol is rarely invented, and a real one is found. */
#include "tap.h"
#include "random.h"
#include "measure/fit.h"
#include "measure/samples.h"
#include <stdint.h>

enum { SEEDS = 1000, MOST = 64, MANY = 20 };

/* ---- Measurements ---------------------------------------------------------------------------- */

typedef struct {
    double latency_s, bandwidth_B_per_s;
} truth;

/* innocente-1999, section 5.2.1: the ICTP's cluster; and one protocol. */
static const truth ictp[2] = {{104e-6, 5.58e6}, {5.23e-3, 10.6e6}};
static const truth plain[2] = {{50e-6, 100e6}, {50e-6, 100e6}};
static const double change_bytes = 65536;

typedef enum { SAMPLES, ROWS, EVEN, WRONG, KINDS } noise_kind;
static const char *const kinds[KINDS] = {
    "samples of 0.2 % and 3 %, one or two of long messages",
    "rows of 0.2 % and 3 % that do not say so",
    "5 % everywhere, ten samples of short and one of long messages",
    "samples as the first, and one row that is ten times too long",
};

/* The rows of one measurement: 1 byte to 4 MiB in half doublings. */
static size_t measure(uint64_t seed, const truth *protocol, noise_kind kind, cm_protocol_row *row)
{
    size_t n = 0;
    uint64_t state = seed * 1000003 + (uint64_t)kind;
    for (int k = 0; k <= 44; k++) {
        double bytes = floor(ldexp(k % 2 ? 1.5 : 1, k / 2));
        if (n > 0 && row[n - 1].bytes == bytes) continue;
        const truth *t = &protocol[bytes > change_bytes];
        bool is_long = bytes > change_bytes;
        double noise = kind == EVEN ? 0.05 : is_long ? 0.03 : 0.002, value[MANY];
        size_t samples = kind == ROWS ? 1 : is_long ? 1 + cm_random_next(&state) % 2 : MANY;
        if (kind == EVEN) samples = bytes > 1e6 ? 1 : bytes > change_bytes ? 2 : 10;
        for (size_t i = 0; i < samples; i++)
            value[i] =
                (t->latency_s + bytes / t->bandwidth_B_per_s) * (1 + noise * random_normal(&state));
        cm_summary s;
        cm_summarize(&(cm_samples){.value = value, .n = samples, .capacity = samples}, &s);
        row[n++] = (cm_protocol_row){bytes, s.median, s.low, s.high, samples, CM_ROW_USED};
    }
    if (kind == WRONG) {
        cm_protocol_row *wrong = &row[cm_random_next(&state) % n];
        wrong->time_s *= 10, wrong->low_s *= 10, wrong->high_s *= 10;
    }
    return n;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

typedef struct {
    int reported, covered;
} coverage;

static void count(coverage *c, const cm_bounded *parameter, double truth)
{
    if (isnan(parameter->value)) return;
    c->reported++;
    c->covered += parameter->low <= truth && truth <= parameter->high;
}

static void covers(const coverage *c, const char *kind, const char *what)
{
    /* At least 920 of 1000 reported intervals cover the truth; a crossover may be left out. */
    ok(1000 * c->covered >= 920 * c->reported && 10 * c->reported >= 9 * SEEDS,
       "%s: %s: covered in %d of %d", kind, what, c->covered, c->reported);
}

static void protocol(coverage *c, const cm_protocol *line, const truth *t)
{
    count(&c[0], &line->latency_s, t->latency_s);
    count(&c[1], &line->bandwidth_B_per_s, t->bandwidth_B_per_s);
}

static void one_protocol(noise_kind kind)
{
    coverage c[2] = {{0, 0}};
    int invented = 0, fits = 0, left_out = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        cm_protocol_row row[MOST];
        cm_protocols fit;
        size_t n = measure(seed, plain, kind, row);
        if (!cm_fit_protocols(n, row, &fit)) continue;
        fits++;
        invented += fit.change;
        for (size_t k = 0; k < n; k++) left_out += row[k].use != CM_ROW_USED;
        protocol(c, &fit.one, plain);
    }
    ok(fits == SEEDS, "%s: %d of %d fit", kinds[kind], fits, SEEDS);
    ok(invented <= 30, "%s: a change is invented in %d of %d", kinds[kind], invented, SEEDS);
    const int wrong = kind == WRONG ? SEEDS : 0;
    ok(wrong <= left_out && left_out <= wrong + 30, "%s: %d rows are left out", kinds[kind],
       left_out);
    covers(&c[0], kinds[kind], "latency");
    covers(&c[1], kinds[kind], "bandwidth");
}

static void two_protocols(noise_kind kind)
{
    static const char *const names[] = {"eager latency", "eager bandwidth", "rendezvous latency",
                                        "rendezvous bandwidth", "crossover"};
    const double meet = (ictp[1].latency_s - ictp[0].latency_s)
                        / (1 / ictp[0].bandwidth_B_per_s - 1 / ictp[1].bandwidth_B_per_s);
    coverage c[5] = {{0, 0}};
    int found = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        cm_protocol_row row[MOST];
        cm_protocols fit;
        size_t n = measure(seed, ictp, kind, row);
        if (!cm_fit_protocols(n, row, &fit) || !fit.change) continue;
        found++;
        protocol(&c[0], &fit.eager, &ictp[0]);
        protocol(&c[2], &fit.rendezvous, &ictp[1]);
        count(&c[4], &fit.crossover_bytes, meet);
    }
    ok(found >= 990, "%s: the ICTP's change is found in %d of %d", kinds[kind], found, SEEDS);
    for (int k = 0; k < 5; k++) covers(&c[k], kinds[kind], names[k]);
}

int main(void)
{
    for (noise_kind kind = 0; kind < KINDS; kind++) {
        one_protocol(kind);
        two_protocols(kind);
    }
    return tap_done();
}

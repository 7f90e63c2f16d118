/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_odd.c: which hosts cm-nodes names, by the findings of its result. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"

/* The quantities of cm-nodes. */
static const struct {
    const char *name;
    suite_quantity quantity;
    const char *what;
} kinds[] = {
    {"triad", SUITE_MEMORY, "memory"},          {"gemm", SUITE_ARITHMETIC, "arithmetic"},
    {"quiet", SUITE_CORE, "time for programs"}, {"latency", SUITE_LATENCY, "latency"},
    {"send", SUITE_BANDWIDTH, "sending"},       {"receive", SUITE_BANDWIDTH, "receiving"},
    {"pair_latency", SUITE_LATENCY, "latency"}, {"pair_send", SUITE_BANDWIDTH, "link"},
    {"clock", SUITE_QUANTITIES, "clock"},
};

static suite_odd odd_of(const cm_record_finding *f)
{
    suite_odd odd = {.quantity = SUITE_QUANTITIES,
                     .who = suite_copy(f->who ? f->who : ""),
                     .ratio = NAN,
                     .what = "inventory",
                     .launches = f->launches,
                     .of_launches = f->of_launches};
    for (size_t k = 0; f->quantity && k < sizeof kinds / sizeof kinds[0]; k++) {
        if (strcmp(f->quantity, kinds[k].name) != 0) continue;
        odd.quantity = kinds[k].quantity;
        odd.what = kinds[k].what;
        if (odd.quantity != SUITE_QUANTITIES) odd.ratio = f->value;
    }
    return odd;
}

suite_odds suite_odds_find(const suite_measured *measured)
{
    enum { FEWEST = 4 }; /* cm-nodes names nobody among fewer hosts */
    suite_odds odds = {0};
    const cm_record *record = suite_measured_record(measured, "nodes");
    const cm_record_finding *f;
    if (!record || suite_is_dummy(measured)) return odds;
    odds.compared = suite_meta_number(record, "hosts", 1) >= FEWEST
                    && !cm_record_finding_of(record, CM_FINDING_CANNOT_TELL, 0);
    for (size_t k = 0; (f = cm_record_finding_of(record, CM_FINDING_STANDS_OUT, k)); k++) {
        odds.odd = suite_longer(odds.odd, odds.n + 1, sizeof odds.odd[0]);
        odds.odd[odds.n++] = odd_of(f);
    }
    return odds;
}

void suite_odds_free(suite_odds *odds)
{
    for (size_t k = 0; k < odds->n; k++) free(odds->odd[k].who);
    free(odds->odd);
    *odds = (suite_odds){0};
}

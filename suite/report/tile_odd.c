/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_odd.c: which hosts cm-nodes names, by the findings of its result. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"
#include "results/hosts_named.h"
#include "pages.h"

/* Sets what the quantity of a finding is called, and which tile it judges, if it judges one. */
static void set_quantity(suite_odd *odd, const cm_record_finding *finding)
{
    static const char in_burn_in[] = "_over_time";
    char *quantity = suite_copy(finding->quantity), *end = strstr(quantity, in_burn_in);
    if (end) *end = '\0';
    if (strcmp(quantity, "clock") == 0) odd->what = SAID_ODD_CLOCK; /* judges no tile */
    for (size_t k = 0; k < suite_tile_n_kinds; k++)
        for (size_t f = 0; f < SUITE_TILE_FINDINGS; f++) {
            const suite_tile_kind *kind = &suite_tile_kinds[k];
            const char *name = kind->finding[f].quantity;
            if (!name || strcmp(quantity, name) != 0) continue;
            odd->kind = kind;
            odd->what = kind->finding[f].what;
            odd->burn_in = end != NULL;
            /* Of latencies a burn-in has the rates. */
            const double ratio = end && kind->less_is_better ? 1 / finding->value : finding->value;
            *(odd->what ? &odd->ratio : &odd->lost) = ratio;
        }
    free(quantity);
}

static suite_odd odd_of(const cm_record_finding *f)
{
    suite_odd odd = {.who = suite_hosts_shown(f->who ? f->who : ""),
                     .ratio = NAN,
                     .lost = NAN,
                     .what = SAID_ODD_INVENTORY,
                     .launches = f->launches,
                     .of_launches = f->of_launches};
    if (f->quantity) set_quantity(&odd, f);
    return odd;
}

suite_odds suite_odds_find(const suite_measured *measured)
{
    enum { FEWEST = 4 }; /* cm-nodes names no host among fewer hosts */
    suite_odds odds = {0};
    const cm_record *record = suite_measured_record(measured, "nodes");
    const cm_record_finding *f;
    if (!record || suite_is_dummy(measured)) return odds;
    odds.hosts = (size_t)suite_meta_number(record, "hosts", 1);
    odds.compared =
        odds.hosts >= FEWEST && !cm_record_finding_of(record, CM_FINDING_CANNOT_TELL, 0);
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_fits.c: whether a result is one of the history's: only like is held against like. */
#include "config.h"
#include <string.h>
#include "common/memory.h"
#include "kept.h"

/* The first result of the benchmark whose shape is known; NULL: there is none. */
static const suite_kept_result *shape_of(const suite_kept *kept, const char *benchmark)
{
    for (size_t k = 0; k < kept->n_results; k++) {
        const suite_kept_result *r = &kept->result[k];
        if (strcmp(r->benchmark, benchmark) == 0 && r->hosts && r->ranks) return r;
    }
    return NULL;
}

char *suite_kept_misfit(const suite_history *history, const suite_kept *kept)
{
    if (history->n > 0 && strcmp(history->kept[0].cluster, kept->cluster) != 0)
        return suite_text("it is of cluster %s, the history of %s", kept->cluster,
                          history->kept[0].cluster);
    for (size_t h = history->n; h-- > 0;)
        for (size_t k = 0; k < kept->n_results; k++) {
            const suite_kept_result *r = &kept->result[k];
            const suite_kept_result *old = shape_of(&history->kept[h], r->benchmark);
            if (!old || !r->hosts || !r->ranks) continue;
            if (old->hosts != r->hosts || old->ranks != r->ranks)
                return suite_text("%s has %zu hosts and %zu ranks, in the history %zu and %zu",
                                  r->benchmark, r->hosts, r->ranks, old->hosts, old->ranks);
        }
    return NULL;
}

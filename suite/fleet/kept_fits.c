/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_fits.c: whether a result is one of the history's: only like is held against like. */
#include "config.h"
#include <math.h>
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

const char *suite_history_cluster(const suite_history *history)
{
    return history->n > 0 ? history->kept[0].cluster : "none";
}

static bool same_values(const suite_kept_result *a, const suite_kept_result *b)
{
    if (strcmp(a->benchmark, b->benchmark) != 0 || strcmp(a->metric, b->metric) != 0) return false;
    return a->n_values == b->n_values
           && memcmp(a->values, b->values, a->n_values * sizeof *a->values) == 0;
}

/* The dates in a folder and in its file are apart by some of the run. A simulation, or the dummy,
   gives the same values every night. */
static bool is_twin(const suite_kept *a, const suite_kept *b)
{
    if (a->n_results != b->n_results || fabs(difftime(a->time, b->time)) > 12 * 3600) return false;
    for (size_t k = 0; k < a->n_results; k++)
        if (!same_values(&a->result[k], &b->result[k])) return false;
    return json_equal(json_object_get(a->root, "hosts"), json_object_get(b->root, "hosts"));
}

const suite_kept *suite_kept_twin(const suite_history *history, const suite_kept *kept)
{
    for (size_t k = 0; k < history->n; k++)
        if (is_twin(&history->kept[k], kept)) return &history->kept[k];
    return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_retry.c: cm-sort with so few samples that they do not balance the parts: it draws others,
   and no key is lost, with one level and in either of two. */
#include <stdlib.h>
#include "../sscrap/sort/sort_state.h"
#include "contract.h"

enum { RUNS = 12, KEYS = 20001 };

const char *sort_vector_name(void) { return "qsort"; }
void sort_vector(int key, void *keys, size_t n)
{
    sort_kernels_of(key, false)->library(keys, (int64_t)n);
}

static bool holds(const sscrap_check *check)
{
    return check->relation[0] == '=' ? check->value == check->bound : check->value <= check->bound;
}

/* Supersteps beyond those of a run; of these, attempts within groups, three supersteps each. */
typedef struct {
    int64_t more, within_groups;
} retried;

static void sorts(const char *input_name, int key, sort_input input, sort_local local,
                  sort_levels_option levels, retried *retried)
{
    static const int64_t samples[] = {2, 6, 15, 22, 28, 34, 40, 46};
    sort_options options = {.key = key,
                            .input = input,
                            .local = local,
                            .levels = levels,
                            .samples = samples[size < 8 ? size - 1 : 7]};
    if (levels == SORT_LEVELS_2) options.samples *= 2;
    point("%s: sorted%s%s", input_name, local == SORT_LOCAL_VECTOR ? " by vectors" : "",
          levels == SORT_LEVELS_2 ? ", two levels" : "");
    sort_state *state = sort_problem.begin(&options, KEYS);
    for (int run = 0; run < RUNS; run++) {
        sscrap_check checks[SSCRAP_CHECKS];
        sort_problem.fill(state, run);
        bsp_sync();
        int64_t before = cm_bsp_total().supersteps;
        sort_problem.solve(state);
        retried->more += cm_bsp_total().supersteps - before - (state->levels == 2 ? 8 : 3);
        int64_t most = 0;
        for (int group = 0; group < state->level.groups; group++)
            if (state->level.again[group] > most) most = state->level.again[group];
        retried->within_groups += most;
        int n = sort_problem.verify(state, checks);
        for (int k = 0; k < n; k++)
            EXPECT(holds(&checks[k]), "run %d: %s is %g", run, checks[k].name, checks[k].value);
    }
    sort_problem.end(state);
}

static retried all_inputs(sort_local local, sort_levels_option levels)
{
    retried retried = {0, 0};
    sorts("uniform", SORT_DOUBLE, SORT_UNIFORM, local, levels, &retried);
    sorts("few different ones", SORT_INT32, SORT_FEW, local, levels, &retried);
    sorts("all equal", SORT_FLOAT, SORT_EQUAL, local, levels, &retried);
    return retried;
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    cm_bsp_begin(world);
    for (int local = SORT_LOCAL_BUCKETS; local <= SORT_LOCAL_VECTOR; local++) {
        int64_t more = all_inputs((sort_local)local, SORT_LEVELS_1).more;
        point("samples were drawn again, which takes two supersteps");
        if (size > 1) EXPECT(more > 0 && more % 2 == 0, "%lld supersteps more", (long long)more);
    }
    if (size >= 4) {
        retried two = all_inputs(SORT_LOCAL_BUCKETS, SORT_LEVELS_2);
        int64_t to_groups = two.more - 3 * two.within_groups;
        point("in either level: four supersteps to groups, three within them");
        EXPECT(to_groups > 0 && to_groups % 4 == 0 && two.within_groups > 0,
               "%lld supersteps more, %lld attempts within groups", (long long)two.more,
               (long long)two.within_groups);
    }
    cm_bsp_end();
    return contract_done();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_retry.c: cm-sort when its samples do not balance the parts: it draws others, and no key is
   lost on the way. So few samples that this happens. */
#include "../sscrap/sort/sort.h"
#include "contract.h"

enum { RUNS = 12, KEYS = 20001 };

static bool holds(const sscrap_check *check)
{
    return check->relation[0] == '=' ? check->value == check->bound : check->value <= check->bound;
}

/* Returns the supersteps beyond three a run. */
static int64_t sorts(const char *input_name, int key, sort_input input)
{
    static const int64_t samples[] = {2, 6, 15, 22, 28, 34, 40, 46};
    sort_options options = {.key = key,
                            .input = input,
                            .local = SORT_LOCAL_BUCKETS,
                            .samples = samples[size < 8 ? size - 1 : 7]};
    int64_t more = 0;
    point("%s: sorted", input_name);
    void *state = sort_problem.begin(&options, KEYS);
    for (int run = 0; run < RUNS; run++) {
        sscrap_check checks[SSCRAP_CHECKS];
        sort_problem.fill(state, run);
        bsp_sync();
        int64_t before = cm_bsp_total().supersteps;
        sort_problem.solve(state);
        more += cm_bsp_total().supersteps - before - 3;
        int n = sort_problem.verify(state, checks);
        for (int k = 0; k < n; k++)
            EXPECT(holds(&checks[k]), "run %d: %s is %g", run, checks[k].name, checks[k].value);
    }
    sort_problem.end(state);
    return more;
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    cm_bsp_begin(world);
    int64_t more = sorts("uniform", SORT_DOUBLE, SORT_UNIFORM)
                   + sorts("few different ones", SORT_INT32, SORT_FEW)
                   + sorts("all equal", SORT_FLOAT, SORT_EQUAL);
    point("samples were drawn again, which takes two supersteps");
    if (size > 1) EXPECT(more > 0 && more % 2 == 0, "%lld supersteps more", (long long)more);
    cm_bsp_end();
    return contract_done();
}

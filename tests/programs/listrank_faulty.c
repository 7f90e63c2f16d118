/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_faulty.c: cm-listrank whose result TEST_FAULT spoils: one (add 1 to the last process's
   last rank), swap (its first and last), shift (add 1 to all ranks of all processes). */
#define listrank_problem honest_problem
#include "../sscrap/listrank/listrank_run.c"
#undef listrank_problem
#include <string.h>

static void solve_and_spoil(void *of_run)
{
    state *s = of_run;
    const char *fault = getenv("TEST_FAULT");
    honest_problem.solve(s);
    if (!fault) return;
    for (int64_t k = 0; k < s->own && strcmp(fault, "shift") == 0; k++) s->work[k].distance++;
    if (s->pid != s->p - 1) return;
    int64_t *first = &s->work[0].distance, *last = &s->work[s->own - 1].distance, rank = *first;
    if (strcmp(fault, "one") == 0) *last += 1;
    if (strcmp(fault, "swap") == 0) {
        *first = *last;
        *last = rank;
    }
}

extern const sscrap_problem listrank_problem;
const sscrap_problem listrank_problem = {.item = "nodes",
                                         .size_option = "--items",
                                         .begin = begin,
                                         .fill = fill,
                                         .solve = solve_and_spoil,
                                         .verify = verify,
                                         .end = end,
                                         .bytes = bytes,
                                         .metadata = metadata,
                                         .metric = "items_per_s",
                                         .measure = nodes_per_s};

/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_model.c: what the BSP model counts of list ranking (doc/bspbench.texi, "Formulas"). */
#include <math.h>
#include "listrank.h"

/* Every run gets one token, from the one before it. Of the runs, 1/STRETCH are rulers; those
   farther than STEPS from theirs become rulers, too. */
static double rulers_of(double runs)
{
    const double ruler = 1.0 / LISTRANK_STRETCH;
    return runs * (ruler + pow(1 - ruler, LISTRANK_STEPS + 1));
}

/* The supersteps that find the runs, and those of a level: tokens and a count, or nothing if the
   list is short; the rulers to their owners; from there to all or, if they are many, questions and
   their answers. */
enum { RUNS = 3, TOKENS = LISTRANK_STEPS + 2, GATHER = 1, DEAL = 1, ASK = 2 };
enum { TOKEN = 3 }; /* numbers */

static sscrap_model by_tokens(double leaves, bool is_short, int64_t n, int p)
{
    double number = is_short ? 0.5 : 1; /* words */
    double others = p - 1, away = others / p, all_few = (double)listrank_all_few(n, p);
    double runs = leaves * (double)n, crossing = 1;
    sscrap_model model = {.share = 1.0 / p,
                          .h_words = (4 + 2) * others + number * runs / p,
                          .supersteps = RUNS,
                          .accesses = 1.5 * (double)n / p};
    for (bool deals = true; deals; crossing = away) {
        double rulers = runs;
        if (runs > (double)listrank_short((int64_t)all_few)) {
            rulers = rulers_of(runs);
            model.supersteps += TOKENS;
            model.h_words += TOKEN * number * crossing * runs / p + others;
        }
        deals = rulers > all_few;
        model.supersteps += DEAL + (deals ? ASK : GATHER);
        model.h_words += TOKEN * number * rulers / p * away;
        model.h_words += 2 * number / p * (deals ? runs * away : rulers * others);
        runs = rulers;
    }
    model.share += runs / (double)n; /* every process ranks the last list */
    model.messages = model.supersteps * others;
    return model;
}

/* With copies each node is fetched once, as on one process. Otherwise nodes are fetched for the
   walk and for the answer of their run or ruler, and half of them once more (or the shorter lists,
   which have a quarter of both together) to rank runs and rulers: 2.5 times. */
sscrap_model listrank_model(const listrank_options *options, int method, int64_t n, int p)
{
    double half = (double)n / 2;
    /* Probability that a link leaves its process. */
    double leaves = options->local >= 0 ? 1 - options->local : options->permuted * (p - 1) / p;
    if (p == 1) return (sscrap_model){.share = 1};
    if (method == LISTRANK_COPIES) {
        /* All nodes, rulers and counts, and a rank for each node of another process that walks
           visited, with a bit for each node. */
        double rulers = 2.0 * (double)listrank_rulers(n), own = (double)n / p;
        return (sscrap_model){.share = 1.0 / p,
                              .h_words =
                                  (p - 1) * (own * (1 + 0.5 / p + 1.0 / 64) + rulers / p + 4 + p),
                              .messages = 6 * (p - 1),
                              .supersteps = 3};
    }
    if (method == LISTRANK_RUNS)
        return (sscrap_model){.share = 0.5,
                              .h_words = 3 * leaves * half,
                              .messages = 4,
                              .supersteps = 4,
                              .accesses = 1.5 * half};
    if (method == LISTRANK_RULERS) return listrank_rulers_model(leaves, n, p);
    return by_tokens(leaves, listrank_is_short(options, n), n, p);
}

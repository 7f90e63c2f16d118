/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_rulers_model.c: what the BSP model counts of listrank_rulers.c (doc/bspbench.texi,
   "Formulas"). */
#include <math.h>
#include "listrank.h"

enum {
    WALKER_WORDS = sizeof(listrank_walker) / 8,
    ANSWER_WORDS = sizeof(listrank_answer) / 8,
    LEVEL_STEPS =
        LISTRANK_WALK_STEPS + 3 /* walks, their last two supersteps, the count of rulers */
};

/* A level, for each of its nodes: rulers at its end, and words sent. */
typedef struct {
    double rulers, words;
} level;

/* The links lead to another process with probability q, and to a ruler with probability 1/8.
   A walk crosses at least once before it meets a ruler with probability

       a = q + (1 - q) (7/8) a,    and j times or more with    a b^(j-1),    b = (7/8) a.

   The same holds backwards, from a node to its ruler: the nodes more than STEPS crossings away, a
   fraction b^(STEPS+1), become rulers. home is the probability that j crossings lead back to the
   first process. Then each other node asks its ruler. */
static level level_of(double q, int p)
{
    const double ruler = 1.0 / LISTRANK_EIGHTH, other = 1 - ruler;
    double a = q / (1 - (1 - q) * other), b = other * a;
    double late = pow(b, LISTRANK_WALK_STEPS + 1), walks = 0, answers = 0, asking = 0, home = 1;
    double reach = a; /* a walk crosses j times or more */
    for (int j = 1; j <= LISTRANK_WALK_STEPS + 1; j++, reach *= b) {
        bool last = j > LISTRANK_WALK_STEPS;
        home = (1 - home) / (p - 1);
        walks += reach;
        answers += reach * (last ? 1 : 1 - b) * (1 - home);
        if (!last) asking += other * reach * (1 - b) * (1 - home);
    }
    return (level){.rulers = ruler + late,
                   .words = WALKER_WORDS * (ruler * walks + late * q)
                            + ANSWER_WORDS * (ruler * answers + late * q) + 2 * asking};
}

sscrap_model listrank_rulers_model(double leaves, int64_t n, int p)
{
    const level each = level_of(leaves, p);
    double few = (double)listrank_few(n, p), nodes = (double)n, others = p - 1;
    sscrap_model model = {.share = 1.0 / p, .supersteps = 2, .accesses = 1.5 * nodes / p};
    for (; nodes > few; nodes *= each.rulers) {
        int chunks = listrank_chunks((int64_t)nodes, p);
        model.h_words += each.words * nodes / p + LEVEL_STEPS * others;
        model.messages += (2 * LEVEL_STEPS + 2 * chunks) * others;
        model.supersteps += LEVEL_STEPS + chunks + 1;
    }
    /* Process 0 ranks the last list alone. */
    model.share += nodes / (double)n;
    model.h_words += (double)sizeof(listrank_node) / 8 * nodes * others / p;
    model.messages += others;
    return model;
}

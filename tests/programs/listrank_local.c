/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_local.c: lists of a given share of local links, for 1 to 9 processes: each is a
   permutation in both directions, has as many links between processes as it should, and these lead
   to every other process about equally often. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../sscrap/listrank/listrank.h"

enum { MOST = 9 };

static int owner_of(int64_t n, int p, int64_t node)
{
    int pid = 0;
    while (node >= sscrap_first(n, p, pid + 1)) pid++;
    return pid;
}

/* Walks along the list. Returns the number of faults. */
static int walk(const listrank_list *list, double local)
{
    int64_t n = list->n, at = -1, away = 0, to[MOST][MOST] = {{0}}, passed = 0;
    int p = list->p, faults = 0;
    for (int64_t node = 0; node < n; node++)
        if (listrank_list_rank(list, node) == n - 1) at = node;
    for (; at >= 0 && at < n && passed < n; passed++) {
        listrank_node node = listrank_list_node(list, at);
        faults += listrank_list_rank(list, at) != n - 1 - passed;
        if (node.next >= 0) {
            int from = owner_of(n, p, at), next = owner_of(n, p, node.next);
            away += from != next;
            to[from][next]++;
        }
        at = node.next;
    }
    if (faults || passed != n || at != LISTRANK_END)
        return fprintf(stderr, "n %lld, p %d, local %g: no list\n", (long long)n, p, local);
    double share = 1 - (double)away / (double)n;
    if (p == 1 ? away != 0 : fabs(share - local) > listrank_local_error(n, p))
        return fprintf(stderr, "n %lld, p %d, local %g: %.5f\n", (long long)n, p, local, share);
    double each = (double)away / (p * (p - 1.0)); /* within 6 standard deviations */
    for (int k = 0; k < p * p && away > 1000; k++)
        if (k / p != k % p && fabs((double)to[k / p][k % p] - each) > 6 * sqrt(each))
            return fprintf(stderr,
                           "n %lld, p %d, local %g: %lld links from %d to %d; expected %.0f\n",
                           (long long)n, p, local, (long long)to[k / p][k % p], k / p, k % p, each);
    return 0;
}

int main(void)
{
    static const double locals[] = {0, 0.1, 0.5, 0.9, 0.999, 1};
    static const int64_t sizes[] = {1, 2, 7, 100, 30011};
    int faults = 0;
    for (int p = 1; p <= MOST; p++)
        for (size_t k = 0; k < sizeof locals / sizeof *locals; k++)
            for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++) {
                listrank_list list = listrank_list_of(sizes[j], 1, LISTRANK_UNIT, 12345 + j);
                listrank_local_open(&list, locals[k], p);
                faults += walk(&list, locals[k]) != 0;
            }
    return faults ? CM_EXIT_WRONG : CM_EXIT_PASS;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_walked.c: listrank_walked NODES [copies]: ranks a shuffled list whose distances exceed
   32 bits, and compares the ranks with those that walking along the list gives. Copies refuse
   it. */
#include <stdio.h>
#include <stdlib.h>
#include "../sscrap/listrank/listrank.h"

/* The list: place k has node order[k]. Every process makes the same. */
static int64_t *shuffled(int64_t n)
{
    int64_t *order = sscrap_memory((size_t)n * sizeof *order);
    for (int64_t k = 0; k < n; k++) {
        int64_t other = (int64_t)(cm_random_word(7, (uint64_t)k) % (uint64_t)(k + 1));
        order[k] = order[other];
        order[other] = k;
    }
    return order;
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) return CM_EXIT_USAGE;
    int status = cm_init(&argc, &argv);
    if (status) return status;
    int64_t n = atoll(argv[1]), rank = 0, wrong = 0;
    cm_bsp_begin(cm_world());
    int p = bsp_nprocs(), pid = bsp_pid(), tag_bytes = 2 * sizeof(int);
    int64_t *first = sscrap_memory((size_t)(p + 1) * sizeof *first), *order = shuffled(n);
    for (int k = 0; k <= p; k++) first[k] = sscrap_first(n, p, k);
    listrank_node *all = sscrap_memory((size_t)n * sizeof *all);
    listrank_node *work = all + first[pid];
    for (int64_t k = 0; k < n; k++)
        all[order[k]] = k == n - 1 ? (listrank_node){LISTRANK_END, 0}
                                   : (listrank_node){order[k + 1], (INT64_C(1) << 33) + k % 9};
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    if (argc == 3) {
        listrank_copy *copy = listrank_copy_open(n, first[pid + 1] - first[pid], p);
        bsp_sync();
        listrank_copy_rank(copy, work, first);
    }
    listrank_memory *memory = listrank_memory_open(p);
    listrank_by_tokens(memory, work, first);
    listrank_memory_close(memory);
    for (int64_t k = n - 1; k >= 0; k--) {
        if (k < n - 1) rank += (INT64_C(1) << 33) + k % 9;
        if (order[k] >= first[pid] && order[k] < first[pid + 1])
            wrong += all[order[k]].distance != rank;
    }
    if (wrong > 0) fprintf(stderr, "%lld ranks are wrong\n", (long long)wrong);
    free(all);
    free(order);
    free(first);
    cm_bsp_end();
    cm_finalize();
    return wrong > 0 ? CM_EXIT_WRONG : CM_EXIT_PASS;
}

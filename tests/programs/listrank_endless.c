/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_endless.c: gives list ranking structures that are not lists:
       listrank_endless ring|half|island|fork|beyond|ends|tail NODES [METHOD]
   ring: a ring; half: a list over the first half of the nodes, and a ring; island: the last eight
   nodes are a ring; fork: two nodes lead to one; beyond: a node leads to none; ends: two lists of
   half the nodes, each with its end; tail: the last eight nodes are a list of their own. They must
   end with a word, not go round for ever, nor with ranks. METHOD: copies, runs or rulers; otherwise
   two processes rank by copies, more by tokens. */
#include <stdlib.h>
#include <string.h>
#include "../sscrap/listrank/listrank.h"

/* Steps of 7 make a single ring if 7 does not divide the number of nodes. */
static int64_t successor(const char *shape, int64_t n, int64_t node)
{
    bool half = strcmp(shape, "half") == 0, island = strcmp(shape, "island") == 0;
    if (node == n / 2 && strcmp(shape, "ends") == 0) return LISTRANK_END;
    if (node == n - 9 && strcmp(shape, "tail") == 0) return LISTRANK_END;
    int64_t of_list = half ? n / 2 : island ? n - 8 : strcmp(shape, "ring") == 0 ? 0 : n;
    if (node >= of_list) return of_list + (node - of_list + 7) % (n - of_list);
    if (node == n / 2 && strcmp(shape, "fork") == 0) return n / 3;
    if (node == n / 3 && strcmp(shape, "beyond") == 0) return n + 3;
    return node + 1 == of_list ? LISTRANK_END : node + 1;
}

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4) return CM_EXIT_USAGE;
    int status = cm_init(&argc, &argv);
    if (status) return status;
    int64_t n = atoll(argv[2]);
    cm_bsp_begin(cm_world());
    int p = bsp_nprocs(), pid = bsp_pid(), tag_bytes = 2 * sizeof(int);
    int64_t *first = sscrap_memory((size_t)(p + 1) * sizeof *first);
    for (int k = 0; k <= p; k++) first[k] = sscrap_first(n, p, k);
    int64_t own = first[pid + 1] - first[pid];
    const char *method = argc == 4 ? argv[3] : p == 2 ? "copies" : "tokens";
    listrank_copy *copy = strcmp(method, "copies") == 0 ? listrank_copy_open(n, own, p) : NULL;
    listrank_node *work = cm_run_array((size_t)own * sizeof *work);
    for (int64_t k = 0; k < own; k++)
        work[k] = (listrank_node){successor(argv[1], n, first[pid] + k), 1};
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    if (copy) listrank_copy_rank(copy, work, first);
    else if (strcmp(method, "rulers") == 0) listrank_by_rulers(work, first);
    else if (strcmp(method, "runs") == 0) listrank_pair_rank(listrank_pair_open(own), work, first);
    else listrank_by_tokens(listrank_memory_open(p), work, first);
    cm_bsp_end();
    cm_finalize();
    return CM_EXIT_PASS;
}

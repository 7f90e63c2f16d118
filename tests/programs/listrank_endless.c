/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_endless.c: what is no list is given to list ranking: listrank_endless ring NODES [runs]:
   a ring; half: a list over the first half of the nodes, and a ring. They must end with a word, not
   go round for ever. runs: how two processes rank, otherwise by copies. */
#include <stdlib.h>
#include <string.h>
#include "../sscrap/listrank/listrank.h"

int main(int argc, char **argv)
{
    if (argc != 3 && argc != 4) return CM_EXIT_USAGE;
    int status = cm_init(&argc, &argv);
    if (status) return status;
    bool half = strcmp(argv[1], "half") == 0;
    int64_t n = atoll(argv[2]), of_list = half ? n / 2 : 0;
    cm_bsp_begin(cm_world());
    int p = bsp_nprocs(), pid = bsp_pid(), tag_bytes = 2 * sizeof(int);
    int64_t *first = sscrap_memory((size_t)(p + 1) * sizeof *first);
    for (int k = 0; k <= p; k++) first[k] = sscrap_first(n, p, k);
    int64_t own = first[pid + 1] - first[pid];
    listrank_copy *copy = p == 2 && argc == 3 ? listrank_copy_open(n, own) : NULL;
    listrank_node *work =
        copy ? listrank_copy_nodes(copy) + first[pid] : cm_run_array((size_t)own * sizeof *work);
    /* 7 is a step of one ring where it does not divide the nodes. */
    for (int64_t k = 0; k < own; k++) {
        int64_t node = first[pid] + k, next = node + 1;
        if (node >= of_list) next = of_list + (node - of_list + 7) % (n - of_list);
        else if (next == of_list) next = LISTRANK_END;
        work[k] = (listrank_node){next, 1};
    }
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    if (copy) listrank_copy_rank(copy, first);
    else if (p == 2) listrank_pair_rank(listrank_pair_open(own), work, first);
    else listrank_level(listrank_memory_open(p), work, first);
    cm_bsp_end();
    cm_finalize();
    return CM_EXIT_PASS;
}

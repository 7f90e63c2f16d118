/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_run.c: runs of list ranking and their verification. */
#include <math.h>
#include <stdlib.h>
#include "../common/algorithms.h"
#include "listrank.h"

const cm_metric listrank_metrics[] = {
    {"items_per_s", "Nodes ranked", "1/s", CM_BETTER_HIGH,
     "nodes per second in the last row: all processes, the most nodes"},
    {0},
};

typedef struct {
    const listrank_options *options;
    int p, pid;
    int64_t n, own;
    int64_t *first;      /* [p + 1] */
    listrank_node *work; /* [own] the list, then the result in the same place */
    listrank_list list;
    listrank_copy *copy; /* NULL: another method */
    listrank_pair *pair;
    listrank_memory *memory; /* for tokens; all NULL: by rulers */
} state;

enum { ASKED = 1 << 15 }; /* successors' ranks that the check fetches in a superstep */

static void *begin(const void *of_program, int64_t n)
{
    state *s = sscrap_memory(sizeof *s);
    int p = bsp_nprocs(), pid = bsp_pid(), tag_bytes = 2 * sizeof(int);
    *s = (state){.options = of_program, .p = p, .pid = pid, .n = n};
    s->first = sscrap_memory((size_t)(p + 1) * sizeof *s->first);
    for (int k = 0; k <= p; k++) s->first[k] = sscrap_first(n, p, k);
    s->own = s->first[pid + 1] - s->first[pid];
    int method = listrank_method_of(of_program, n, p, sscrap_one_host(cm_bsp_group()));
    s->work = cm_run_array((size_t)s->own * sizeof *s->work);
    if (method == LISTRANK_COPIES) s->copy = listrank_copy_open(n, s->own, p);
    else if (method == LISTRANK_RUNS) s->pair = listrank_pair_open(s->own);
    else if (method == LISTRANK_TOKENS) s->memory = listrank_memory_open(p);
    bsp_set_tagsize(&tag_bytes);
    bsp_push_reg64(s->work, (size_t)s->own * sizeof *s->work);
    bsp_sync();
    return s;
}

static void fill(void *of_run, int run)
{
    state *s = of_run;
    s->list = listrank_list_of(s->n, s->options->permuted, s->options->distance,
                               cm_random_mix(54321 + (uint64_t)run));
    if (s->options->local >= 0) listrank_local_open(&s->list, s->options->local, s->p);
    for (int64_t k = 0; k < s->own; k++)
        s->work[k] = listrank_list_node(&s->list, s->first[s->pid] + k);
}

static void solve(void *of_run)
{
    state *s = of_run;
    if (s->copy) listrank_copy_rank(s->copy, s->work, s->first);
    else if (s->pair) listrank_pair_rank(s->pair, s->work, s->first);
    else if (s->memory) listrank_by_tokens(s->memory, s->work, s->first);
    else listrank_by_rulers(s->work, s->first);
}

/* ---- Verification --------------------------------------------------------------------------- */

/* Counts nodes whose rank is not their distance plus their successor's rank; the last one's is
   0. */
static int64_t wrong_links(state *s)
{
    int64_t wrong = 0, most = s->first[1], *next = sscrap_memory(ASKED * sizeof *next);
    listrank_node *node = sscrap_memory(ASKED * sizeof *node);
    for (int64_t from = 0; from < most; from += ASKED) {
        int64_t to = from + ASKED < s->own ? from + ASKED : s->own;
        for (int64_t k = from; k < to; k++) {
            node[k - from] = listrank_list_node(&s->list, s->first[s->pid] + k);
            int64_t at = node[k - from].next;
            next[k - from] = 0;
            if (at == LISTRANK_END) continue;
            int pid = 0;
            while (at >= s->first[pid + 1]) pid++;
            bsp_get64(pid, s->work,
                      (size_t)(at - s->first[pid]) * sizeof *s->work
                          + offsetof(listrank_node, distance),
                      &next[k - from], sizeof *next);
        }
        bsp_sync();
        for (int64_t k = from; k < to; k++)
            wrong += s->work[k].distance != next[k - from] + node[k - from].distance;
    }
    free(next);
    free(node);
    return wrong;
}

/* Returns by how much the list's share of local links differs from --local. A single process has
   only local links. */
static double wrong_share(const state *s)
{
    int64_t away = 0, all;
    if (s->p == 1) return 0;
    for (int64_t k = 0; k < s->own; k++) {
        int64_t next = listrank_list_node(&s->list, s->first[s->pid] + k).next;
        away += next != LISTRANK_END && (next < s->first[s->pid] || next >= s->first[s->pid + 1]);
    }
    cm_allreduce(cm_bsp_group(), &away, &all, 1, CM_INT64, CM_SUM, CM_AUTO);
    return fabs(1 - (double)all / (double)s->n - s->options->local);
}

static int verify(void *of_run, sscrap_check *checks)
{
    state *s = of_run;
    /* Sums modulo 2^64. */
    uint64_t mine[2] = {0, 0};
    int64_t sums[4] = {wrong_links(s), 0, 0, 0}, all[4];
    for (int64_t k = 0; k < s->own; k++) {
        int64_t known = listrank_list_rank(&s->list, s->first[s->pid] + k);
        sums[1] += s->work[k].distance != known;
        mine[0] += (uint64_t)s->work[k].distance;
        mine[1] += (uint64_t)known;
    }
    sums[2] = (int64_t)(mine[0] - mine[1]);
    cm_allreduce(cm_bsp_group(), sums, all, 3, CM_INT64, CM_SUM, CM_AUTO);
    checks[0] = (sscrap_check){"links_wrong", "==", (double)all[0], 0};
    checks[1] = (sscrap_check){"ranks_not_as_known", "==", (double)all[1], 0};
    checks[2] = (sscrap_check){"sum_difference", "==", (double)all[2], 0};
    if (s->options->local < 0) return 3;
    checks[3] =
        (sscrap_check){"local_difference", "<=", wrong_share(s), listrank_local_error(s->n, s->p)};
    return 4;
}

static void end(void *of_run)
{
    state *s = of_run;
    int tag_bytes = 0;
    bsp_set_tagsize(&tag_bytes);
    bsp_pop_reg(s->work);
    cm_memory_free(s->work);
    listrank_copy_close(s->copy);
    bsp_sync();
    listrank_pair_close(s->pair);
    listrank_memory_close(s->memory);
    free(s->first);
    free(s);
}

/* The larger of both: some processes of a series may be on one host, and all on several. */
static double bytes(const void *of_program, int64_t n, int p)
{
    double most = 0;
    for (int host = 0; host < 2; host++) {
        int method = listrank_method_of(of_program, n, p, host == 0);
        most = fmax(most, listrank_method_bytes(of_program, method, n, p));
    }
    return most;
}

static sscrap_model model(const void *of_program, int64_t n, int p, bool one_host)
{
    return listrank_model(of_program, listrank_method_of(of_program, n, p, one_host), n, p);
}

static const char *method(const void *of_program, int64_t n, int p, bool one_host)
{
    return listrank_method_name(listrank_method_of(of_program, n, p, one_host));
}

static void metadata(const void *of_program, cm_result *result)
{
    const listrank_options *options = of_program;
    char method[256];
    listrank_method_tell(options, method, sizeof method);
    cm_result_meta_number(result, "permuted", options->permuted, "%g");
    if (options->local >= 0) cm_result_meta_number(result, "local", options->local, "%g");
    cm_result_meta(result, "method", "%s", method);
    cm_result_meta(result, "distance", "%s",
                   options->distance == LISTRANK_UNIT ? "unit" : "random");
}

static double nodes_per_s(int64_t n, double time_s) { return (double)n / time_s; }

const sscrap_problem listrank_problem = {.item = "nodes",
                                         .size_option = "--items",
                                         .begin = begin,
                                         .fill = fill,
                                         .solve = solve,
                                         .verify = verify,
                                         .end = end,
                                         .bytes = bytes,
                                         .model = model,
                                         .method = method,
                                         .access_bytes = sizeof(listrank_node),
                                         .metadata = metadata,
                                         .metric = "items_per_s",
                                         .measure = nodes_per_s};

const listrank_options listrank_defaults = {
    .job = SSCRAP_JOB_DEFAULTS(10000000), .permuted = 1, .local = -1};
const sscrap_algorithm listrank_algorithm = {.name = "listrank",
                                             .option = "--nodes",
                                             .problem = &listrank_problem,
                                             .options = &listrank_defaults};

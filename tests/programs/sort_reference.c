/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_reference.c: cm-sort against qsort of all keys on one process, key by key: all inputs and
   types, few keys and enough to be dealt out; buckets as they are and by a vector sort, which is
   qsort here. */
#include <stdlib.h>
#include <string.h>
#include "../sscrap/sort/sort_state.h"
#include "contract.h"

static int64_t by_vector; /* keys */

const char *sort_vector_name(void) { return "qsort"; }

void sort_vector(int key, void *keys, size_t n)
{
    by_vector += (int64_t)n;
    sort_of[key]->library(keys, (int64_t)n);
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* The bits of all keys in order, from the inputs of all processes. */
static uint64_t *sorted(const sort_kernels *kernels, int64_t n, int input, uint64_t seed)
{
    uint64_t *bits = malloc((size_t)n * sizeof *bits);
    void *keys = malloc((size_t)n * kernels->bytes);
    for (int pid = 0; pid < size; pid++) {
        int64_t first = sscrap_first(n, size, pid), own = sscrap_first(n, size, pid + 1) - first;
        const sort_source source = {first, own, n, size, pid, input, seed};
        kernels->fill(keys, &source);
        for (int64_t k = 0; k < own; k++) bits[first + k] = kernels->bits(keys, k);
    }
    free(keys);
    qsort(bits, (size_t)n, sizeof *bits, compare);
    return bits;
}

static void sorts(int key, int input, int64_t n, sort_local local)
{
    const sort_options options = {.key = key, .input = input, .local = local};
    bool all_by_vector = local == SORT_LOCAL_AUTO;
    point("%s, %s, %lld keys%s", sort_of[key]->name, sort_input_names[input], (long long)n,
          all_by_vector ? " by vector" : "");
    sort_state *s = sort_problem.begin(&options, n);
    by_vector = 0;
    sort_problem.fill(s, 3);
    if (all_by_vector) {
        EXPECT(by_vector > 0 || n / size < 2 * SORT_SPREAD_LEAST, "not tried");
        /* Whatever is faster here. */
        s->local = SORT_LOCAL_BUCKETS;
        sort_spread_plainly(s->spread, true);
        by_vector = 0;
    }
    bsp_sync();
    sort_problem.solve(s);
    EXPECT(by_vector == (all_by_vector ? s->results : 0), "%lld keys by vector",
           (long long)by_vector);
    uint64_t *right = sorted(s->k, n, input, s->seed);
    int64_t parts[size], before = 0, wrong = 0;
    cm_allgather(cm_bsp_group(), &s->results, sizeof s->results, parts, CM_AUTO);
    for (int pid = 0; pid < rank; pid++) before += parts[pid];
    EXPECT(before + s->results <= n, "%lld keys to process %d", (long long)(before + s->results),
           rank);
    for (int64_t k = 0; k < s->results && before + k < n; k++)
        wrong += s->k->bits(s->result, k) != right[before + k];
    EXPECT(wrong == 0, "%lld keys are not qsort's", (long long)wrong);
    if (rank == size - 1)
        EXPECT(before + s->results == n, "%lld keys", (long long)(before + s->results));
    free(right);
    sort_problem.end(s);
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    cm_bsp_begin(world);
    for (int input = 0; input < SORT_INPUTS; input++)
        for (int key = 0; key < SORT_KEYS; key++) {
            sorts(key, input, 40001, SORT_LOCAL_BUCKETS);
            if (key == input % SORT_KEYS) sorts(key, input, 77, SORT_LOCAL_BUCKETS);
            if (key == input % SORT_KEYS) sorts(key, input, 40001, SORT_LOCAL_AUTO);
        }
    cm_bsp_end();
    return contract_done();
}

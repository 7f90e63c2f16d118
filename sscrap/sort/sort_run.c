/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_run.c: sample sort in three supersteps (A. V. Gerbessiotis, L. G. Valiant: Direct
   bulk-synchronous parallel algorithms. J. Parallel Distrib. Comput. 22 (1994) 251-267): samples to
   all; counts to all; keys to their processes. The keys are sorted once, at the end, so there is
   nothing to merge. Of many processes, groups do so after keys were dealt out to groups. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../common/algorithms.h"
#include "sort_state.h"

const cm_metric sort_metrics[] = {
    {"items_per_s", "Keys sorted", "1/s", CM_BETTER_HIGH,
     "keys per second in the last row: all processes, the most keys"},
    {0},
};

/* The bytes on process 0, which needs most. */
static double splitting_bytes(const sort_options *options, int64_t n, int p)
{
    double q = sort_among(options, p);
    double samples = (double)sort_samples(options, n, p) * q;
    if (sort_levels(options, p) == 2)
        samples = fmax(samples, (double)sort_first_samples(options, n, p) * p);
    return (double)sizeof(sort_sample) * samples + 24.0 * q * q + sort_first_bytes(options, p);
}

static double bytes(const void *of_program, int64_t n, int p)
{
    const sort_options *options = of_program;
    double keys = (double)((n + p - 1) / p + sort_spare(n, p) + sort_room(n, p));
    const sort_kernels *k = sort_kernels_of(options->key, options->pairs);
    return keys * (double)k->bytes + sort_spread_bytes(k, sort_room(n, p))
           + splitting_bytes(options, n, p) + sort_deal_bytes(options, n, p);
}

static void plain(const void *of_run, void *keys, void *buffer, int64_t n)
{
    const sort_state *s = of_run;
    if (s->uneven_by_vector) sort_vector(s->options->key, keys, (size_t)n);
    else s->k->radix(keys, buffer, n);
}

static void *begin(const void *of_program, int64_t n)
{
    const sort_options *options = of_program;
    sort_state *s = sscrap_memory(sizeof *s);
    int p = bsp_nprocs(), pid = bsp_pid();
    *s = (sort_state){.options = options,
                      .k = sort_kernels_of(options->key, options->pairs),
                      .levels = sort_levels(options, p),
                      .all = {.p = p, .pid = pid, .n = n, .first = sscrap_first(n, p, pid)},
                      .room = sort_room(n, p)};
    s->all.own = sscrap_first(n, p, pid + 1) - s->all.first;
    s->capacity = s->all.own + sort_spare(n, p);
    s->samples = sort_samples(options, n, p);
    sort_among_all(s);
    bool automatic = options->local == SORT_LOCAL_AUTO;
    s->uneven_by_vector = automatic && !options->pairs && sort_vector_name();
    s->tries = s->uneven_by_vector;
    sort_use(s, automatic ? SORT_LOCAL_BUCKETS : (sort_local)options->local);
    if (s->local == SORT_LOCAL_BUCKETS) s->spread = sort_spread_open(s->k, s->room, plain, s);
    size_t out_bytes = (size_t)s->room * s->k->bytes;
    size_t in_bytes = (size_t)s->capacity * s->k->bytes;
    int q = sort_among(options, p), parts = q;
    int64_t samples = s->samples * q;
    if (s->levels == 2) {
        int64_t first = sort_first_samples(options, n, p) * (pid ? 1 : p);
        samples = first > samples ? first : samples;
        parts = sort_groups(p) > q ? sort_groups(p) : q;
    }
    s->in = cm_run_array(in_bytes);
    s->out = cm_run_array(out_bytes);
    s->sample = sscrap_memory((size_t)samples * sizeof *s->sample);
    s->splitter = sscrap_memory((size_t)parts * sizeof *s->splitter);
    s->limit = sscrap_memory((size_t)parts * sizeof *s->limit);
    s->counts = sscrap_memory((size_t)(q * q) * sizeof *s->counts);
    bsp_push_reg64(s->in, in_bytes);
    bsp_push_reg64(s->out, out_bytes);
    bsp_push_reg64(s->sample, (size_t)samples * sizeof *s->sample);
    bsp_push_reg64(s->counts, (size_t)(q * q) * sizeof *s->counts);
    if (s->levels == 2) sort_first_begin(s);
    sort_deal_begin(s);
    bsp_sync();
    return s;
}

static sort_source source_of(const sort_state *s)
{
    const sort_scope *all = &s->all;
    return (sort_source){all->first, all->own,          all->n, all->p,
                         all->pid,   s->options->input, s->seed};
}

static void fill(void *of_run, int run)
{
    sort_state *s = of_run;
    s->seed = cm_random_mix(12345 + (uint64_t)run);
    sort_among_all(s);
    const sort_source source = source_of(s);
    s->k->fill(s->in, &source);
    s->digest = s->k->digest(s->in, s->own);
    if (s->tries) sort_try(s);
    s->tries = false;
}

/* ---- The whole algorithm --------------------------------------------------------------------- */

static void sort_result(sort_state *s)
{
    unsigned char *buffer = s->result == s->in ? s->out : s->in;
    sort_cost(s->results, (double)s->results);
    switch (s->local) {
    case SORT_LOCAL_AUTO:
    case SORT_LOCAL_BUCKETS:
        if (s->way == SORT_DEALT) sort_deal_finish(s);
        else sort_spread_keys(s->spread, s->result, buffer, s->results);
        break;
    case SORT_LOCAL_VECTOR:
        sort_vector(s->options->key, s->result, (size_t)s->results);
        break;
    case SORT_LOCAL_RADIX:
        s->k->radix(s->result, buffer, s->results);
        break;
    case SORT_LOCAL_LIBRARY:
        s->k->library(s->result, s->results);
        break;
    }
}

static void divide(sort_state *s)
{
    int attempt = 0;
    do {
        sort_check_attempt(attempt);
        sort_sample_all(s, attempt++);
    } while (!sort_count(s));
    sort_exchange(s);
    bsp_sync();
}

static void solve(void *of_run)
{
    sort_state *s = of_run;
    s->result = s->p == 1 ? s->in : s->out;
    s->results = s->own;
    if (s->levels == 2) sort_divide_twice(s);
    else if (s->p > 1) divide(s);
    sort_result(s);
}

/* ---- Verification --------------------------------------------------------------------------- */

/* Counts processes whose first key is below the last of the nearest lower process that has any. */
static int64_t steps_down(sort_state *s)
{
    struct {
        uint64_t first, last, keys;
    } mine = {0, 0, (uint64_t)s->results}, all[s->all.p];
    if (s->results) {
        mine.first = s->k->bits(s->result, 0);
        mine.last = s->k->bits(s->result, s->results - 1);
    }
    cm_allgather(cm_bsp_group(), &mine, sizeof mine, all, CM_AUTO);
    int64_t found = 0, before = -1;
    for (int pid = 0; pid < s->all.p; pid++) {
        if (!all[pid].keys) continue;
        found += before >= 0 && all[pid].first < all[before].last;
        before = pid;
    }
    return found;
}

static int verify(void *of_run, sscrap_check *checks)
{
    sort_state *s = of_run;
    const sort_source source = source_of(s);
    int64_t mine[4] = {s->results, (int64_t)(s->digest - s->k->digest(s->result, s->results)),
                       s->k->descents(s->result, s->results),
                       s->k->strays(s->result, s->results, &source)},
            all[4];
    cm_allreduce(cm_bsp_group(), mine, all, 4, CM_INT64, CM_SUM, CM_AUTO);
    double largest = sscrap_max((double)s->results), each = (double)s->all.n / s->all.p;
    checks[0] = (sscrap_check){"keys_out_of_order", "==", (double)(all[2] + steps_down(s)), 0};
    checks[1] = (sscrap_check){"keys_missing", "==", (double)(s->all.n - all[0]), 0};
    /* Sums of a hash of each key and its value, modulo 2^64. Different ones have the same sum with
       a probability of 1 in 2^64. */
    checks[2] = (sscrap_check){"checksum_difference", "==", all[1] != 0, 0};
    checks[3] = (sscrap_check){"largest_part", "<=", largest / each, SORT_PART_BOUND + 2 / each};
    if (!s->k->pairs) return 4;
    checks[4] = (sscrap_check){"values_of_other_keys", "==", (double)all[3], 0};
    return 5;
}

static void end(void *of_run)
{
    sort_state *s = of_run;
    bsp_pop_reg(s->in);
    bsp_pop_reg(s->out);
    bsp_pop_reg(s->sample);
    bsp_pop_reg(s->counts);
    if (s->levels == 2) sort_first_end(s);
    sort_deal_end(s);
    bsp_sync();
    sort_first_free(s);
    sort_spread_close(s->spread);
    free(s->shared);
    free(s->tally);
    free(s->others);
    free(s->begin);
    cm_memory_free(s->in);
    cm_memory_free(s->out);
    free(s->sample);
    free(s->splitter);
    free(s->limit);
    free(s->counts);
    free(s);
}

static void metadata(const void *of_program, cm_result *result)
{
    const sort_options *options = of_program;
    const char *const vector = options->pairs ? NULL : sort_vector_name();
    const char *const plain_sort[] = {[SORT_LOCAL_VECTOR] = vector,
                                      [SORT_LOCAL_RADIX] = "radix",
                                      [SORT_LOCAL_LIBRARY] = "qsort of the C library"};
    cm_result_meta(result, "key", "%s", sort_kernels_of(options->key, false)->name);
    cm_result_meta(result, "value", "%s",
                   options->pairs ? "8 bytes: the index of the key among all" : "none");
    cm_result_meta(result, "input", "%s", sort_input_names[options->input]);
    if (options->local == SORT_LOCAL_AUTO && vector)
        cm_result_meta(result, "local_sort",
                       "the fastest of buckets in the cache, with and "
                       "without %s, and, of up to 8 processes, it alone",
                       vector);
    else if (options->local >= SORT_LOCAL_VECTOR)
        cm_result_meta(result, "local_sort", "%s", plain_sort[options->local]);
    else cm_result_meta(result, "local_sort", "buckets in the cache, uneven ones: radix");
    cm_result_meta(result, "levels", "%s",
                   options->levels == SORT_LEVELS_1   ? "1"
                   : options->levels == SORT_LEVELS_2 ? "2, from 4 processes on"
                                                      : "2 if there are more than 256 processes");
    cm_result_meta_number(result, "part_bound", SORT_PART_BOUND, "%g");
}

static const char *took(const void *of_run)
{
    const sort_state *s = of_run;
    return s->took;
}

static double keys_per_s(int64_t n, double time_s) { return (double)n / time_s; }

const sscrap_problem sort_problem = {.item = "keys",
                                     .size_option = "--items",
                                     .begin = begin,
                                     .fill = fill,
                                     .solve = solve,
                                     .verify = verify,
                                     .end = end,
                                     .bytes = bytes,
                                     .model = sort_model,
                                     .metadata = metadata,
                                     .took = took,
                                     .metric = "items_per_s",
                                     .measure = keys_per_s};

const sort_options sort_defaults = {.job = SSCRAP_JOB_DEFAULTS(10000000)};
const sscrap_algorithm sort_algorithm = {
    .name = "sort", .option = "--items", .problem = &sort_problem, .options = &sort_defaults};

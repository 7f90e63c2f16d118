/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_run.c: sample sort in three supersteps (A. V. Gerbessiotis, L. G. Valiant: Direct
   bulk-synchronous parallel algorithms. J. Parallel Distrib. Comput. 22 (1994) 251-267): samples to
   all; counts to all; keys to their processes. The keys are sorted once, at the end, so there is
   nothing to merge. */
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

/* A part should be at most ALPHA n / p. With s random samples a process, the largest exceeds that
   with a probability of at most n exp(-(1 - 1/ALPHA)^2 ALPHA s / 2) (G. E. Blelloch et al.: A
   comparison of sorting algorithms for the Connection Machine CM-2, SPAA 1991, section 4). s makes
   this a millionth. If it happens, the samples are drawn again. */
static const double ALPHA = 1.2, UNLIKELY = 1e-6;
enum { ATTEMPTS = 10 };

int64_t sort_oversampling(const sort_options *options, int64_t n, int p)
{
    double s = 2 * log((double)n / UNLIKELY) / (pow(1 - 1 / ALPHA, 2) * ALPHA);
    int64_t all = (n + p - 1) / p;
    if (options->samples) return options->samples;
    return s < (double)all ? (int64_t)ceil(s) : all;
}

static int64_t room_of(int64_t n, int p)
{
    return p == 1 ? n : (int64_t)(ALPHA * (double)n / p) + 2;
}

int64_t sort_spare(int64_t n, int p)
{
    /* The buffer of the radix sort is as large as the result can be. */
    return p == 1 ? 0 : room_of(n, p) - n / p + 1;
}

static double bytes(const void *of_program, int64_t n, int p)
{
    const sort_options *options = of_program;
    double keys = (double)((n + p - 1) / p + sort_spare(n, p) + room_of(n, p));
    const sort_kernels *k = sort_kernels_of(options);
    return keys * (double)k->bytes + sort_spread_bytes(k, room_of(n, p))
           + (double)sizeof(sort_sample) * (double)sort_oversampling(options, n, p) * p
           + 24.0 * p * p + sort_deal_bytes(n, p);
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
                      .k = sort_kernels_of(options),
                      .p = p,
                      .pid = pid,
                      .n = n,
                      .first = sscrap_first(n, p, pid),
                      .room = room_of(n, p),
                      .spare = sort_spare(n, p)};
    s->own = sscrap_first(n, p, pid + 1) - s->first;
    s->samples = sort_oversampling(options, n, p);
    s->local = (sort_local)options->local;
    s->uneven_by_vector = s->local == SORT_LOCAL_AUTO && !options->pairs && sort_vector_name();
    s->tries = s->uneven_by_vector;
    if (s->local == SORT_LOCAL_AUTO) s->local = SORT_LOCAL_BUCKETS;
    if (s->local == SORT_LOCAL_BUCKETS) s->spread = sort_spread_open(s->k, s->room, plain, s);
    size_t out_bytes = (size_t)s->room * s->k->bytes;
    s->in = cm_run_array((size_t)(s->own + s->spare) * s->k->bytes);
    s->out = cm_run_array(out_bytes);
    s->sample = sscrap_memory((size_t)(s->samples * p) * sizeof *s->sample);
    s->splitter = sscrap_memory((size_t)p * sizeof *s->splitter);
    s->limit = sscrap_memory((size_t)p * sizeof *s->limit);
    s->counts = sscrap_memory((size_t)(p * p) * sizeof *s->counts);
    bsp_push_reg64(s->out, out_bytes);
    bsp_push_reg64(s->sample, (size_t)(s->samples * p) * sizeof *s->sample);
    bsp_push_reg64(s->counts, (size_t)(p * p) * sizeof *s->counts);
    sort_deal_begin(s);
    bsp_sync();
    return s;
}

static sort_source source_of(const sort_state *s)
{
    return (sort_source){s->first, s->own, s->n, s->p, s->pid, s->options->input, s->seed};
}

static void fill(void *of_run, int run)
{
    sort_state *s = of_run;
    s->seed = cm_random_mix(12345 + (uint64_t)run);
    const sort_source source = source_of(s);
    s->k->fill(s->in, &source);
    s->digest = s->k->digest(s->in, s->own);
    if (s->tries) sort_try(s);
    s->tries = false;
}

/* What comparisons cost under a simulator: of n keys by binary search in `among` splitters, or of a
   sort in n log2(n). */
static void cost(int64_t n, double among)
{
    if (among > 1) cm_compute(0, (double)n * log2(among) * cm_item_s());
}

/* ---- Samples -------------------------------------------------------------------------------- */

static int by_order(const void *left, const void *right)
{
    const sort_sample *a = left, *b = right;
    if (a->bits != b->bits) return a->bits < b->bits ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Draws and exchanges samples and finds the keys that divide the parts. */
static void sample(sort_state *s, int attempt)
{
    int64_t mine = s->own < s->samples ? s->own : s->samples;
    bool all = mine == s->own;
    sort_sample *own = s->sample + s->pid * s->samples;
    cm_bsp_name("sample");
    for (int64_t k = 0; k < mine; k++) {
        uint64_t draw = cm_random_word(s->seed + 77 + (uint64_t)attempt, (uint64_t)(s->first + k));
        int64_t place = all ? k : (int64_t)(draw % (uint64_t)s->own);
        own[k] = (sort_sample){s->k->bits(s->in, place), s->first + place};
    }
    for (int64_t k = mine; k < s->samples; k++) own[k] = (sort_sample){0, -1};
    size_t at = (size_t)(s->pid * s->samples) * sizeof *own;
    for (int pid = 0; pid < s->p; pid++)
        if (pid != s->pid) bsp_hpput64(pid, own, s->sample, at, (size_t)s->samples * sizeof *own);
    if (s->deals) sort_deal_share(s, attempt);
    bsp_sync();
    int64_t n = 0;
    for (int64_t k = 0; k < s->samples * s->p; k++)
        if (s->sample[k].index >= 0) s->sample[n++] = s->sample[k];
    qsort(s->sample, (size_t)n, sizeof *s->sample, by_order);
    for (int b = 1; b < s->p; b++) s->splitter[b - 1] = s->sample[b * n / s->p];
}

/* ---- Splitting ------------------------------------------------------------------------------ */

/* A key equal to a splitter belongs to its left if its index is lower. So the limits are the same
   between two places of this process's splitters. Returns the place where they change next. */
int64_t sort_limits_from(sort_state *s, int64_t place)
{
    int64_t next = s->own;
    for (int b = 0; b < s->p - 1; b++) {
        const sort_sample *at = &s->splitter[b];
        int64_t splits = at->index - s->first; /* place, if it is this process's */
        bool before = place < splits;
        s->limit[b] = at->bits + (before && at->bits != UINT64_MAX);
        if (before && splits < next) next = splits;
    }
    /* 32-bit keys: a limit above all of them. */
    if (s->k->bytes == 4)
        for (int b = 0; b < s->p - 1; b++)
            if (s->limit[b] > UINT32_MAX) s->limit[b] = UINT32_MAX;
    return next;
}

/* Sets the number of keys for each process. */
static void count_here(sort_state *s, int64_t *keys)
{
    int p = s->p;
    int64_t below[p];
    memset(below, 0, sizeof below);
    for (int64_t from = 0, to; from < s->own; from = to) {
        to = sort_limits_from(s, from);
        s->k->count(sort_key_at(s, s->in, from), to - from, s->limit, p - 1, below);
    }
    below[p - 1] = s->own;
    for (int b = 0; b < p; b++) keys[b] = below[b] - (b ? below[b - 1] : 0);
}

static bool count(sort_state *s)
{
    int p = s->p;
    int64_t *mine = s->counts + s->pid * p;
    cm_bsp_name("count");
    cost(s->own, p);
    if (s->deals) sort_deal(s, mine);
    else count_here(s, mine);
    size_t at = (size_t)(s->pid * p) * sizeof *mine;
    for (int pid = 0; pid < p; pid++)
        if (pid != s->pid) bsp_put64(pid, mine, s->counts, at, (size_t)p * sizeof *mine);
    bsp_sync();
    bool fits = true;
    for (int b = 0; b < p; b++) {
        int64_t total = 0;
        for (int pid = 0; pid < p; pid++) total += s->counts[pid * p + b];
        fits = fits && total <= s->room;
        if (b == s->pid) s->results = total;
    }
    return fits;
}

/* Returns where keys from this process begin in the result of pid. */
static int64_t offset_in(const sort_state *s, int pid)
{
    int64_t offset = 0;
    for (int from = 0; from < s->pid; from++) offset += s->counts[from * s->p + pid];
    return offset;
}

/* For keys that are not dealt out: groups a piece of the input at a time in the spare room and
   copies it back. */
static void exchange_many(sort_state *s)
{
    int p = s->p;
    int64_t to_at[p], below[p], at[p];
    unsigned char *spare = sort_key_at(s, s->in, s->own);
    for (int pid = 0; pid < p; pid++) to_at[pid] = offset_in(s, pid);
    for (int64_t from = 0, to; from < s->own; from = to) {
        to = sort_limits_from(s, from);
        if (to - from > s->spare) to = from + s->spare;
        int64_t n = to - from;
        unsigned char *piece = sort_key_at(s, s->in, from);
        memset(below, 0, sizeof below);
        s->k->count(piece, n, s->limit, p - 1, below);
        below[p - 1] = n;
        for (int b = 0; b < p; b++) at[b] = b ? below[b - 1] : 0;
        s->k->scatter(piece, n, s->limit, p - 1, spare, at);
        memcpy(piece, spare, (size_t)n * s->k->bytes);
        for (int pid = 0; pid < p; pid++) {
            int64_t begin = pid ? below[pid - 1] : 0, keys = below[pid] - begin;
            size_t at_byte = (size_t)to_at[pid] * s->k->bytes, bytes = (size_t)keys * s->k->bytes;
            bsp_hpput64(pid, sort_key_at(s, piece, begin), s->out, at_byte, bytes);
            to_at[pid] += keys;
        }
    }
}

/* ---- The whole algorithm --------------------------------------------------------------------- */

static void sort_result(sort_state *s)
{
    unsigned char *buffer = s->result == s->in ? s->out : s->in;
    cost(s->results, (double)s->results);
    switch (s->local) {
    case SORT_LOCAL_AUTO:
    case SORT_LOCAL_BUCKETS:
        if (s->deals) sort_deal_finish(s);
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

static void solve(void *of_run)
{
    sort_state *s = of_run;
    s->result = s->p == 1 ? s->in : s->out;
    s->results = s->own;
    if (s->p > 1) {
        int attempt = 0;
        do {
            if (attempt == ATTEMPTS)
                bsp_abort("sort: samples did not balance the parts in %d attempts", attempt);
            sample(s, attempt++);
        } while (!count(s));
        cm_bsp_name("exchange");
        if (s->deals) sort_deal_exchange(s);
        else exchange_many(s);
        bsp_sync();
    }
    sort_result(s);
}

/* ---- Verification --------------------------------------------------------------------------- */

/* Counts processes whose first key is below the last of the nearest lower process that has any. */
static int64_t steps_down(sort_state *s)
{
    struct {
        uint64_t first, last, keys;
    } mine = {0, 0, (uint64_t)s->results}, all[s->p];
    if (s->results) {
        mine.first = s->k->bits(s->result, 0);
        mine.last = s->k->bits(s->result, s->results - 1);
    }
    cm_allgather(cm_bsp_group(), &mine, sizeof mine, all, CM_AUTO);
    int64_t found = 0, before = -1;
    for (int pid = 0; pid < s->p; pid++) {
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
    double largest = sscrap_max((double)s->results);
    checks[0] = (sscrap_check){"keys_out_of_order", "==", (double)(all[2] + steps_down(s)), 0};
    checks[1] = (sscrap_check){"keys_missing", "==", (double)(s->n - all[0]), 0};
    /* Sums of a hash of each key and its value, modulo 2^64. Different ones have the same sum with
       a probability of 1 in 2^64. */
    checks[2] = (sscrap_check){"checksum_difference", "==", all[1] != 0, 0};
    checks[3] = (sscrap_check){"largest_part", "<=", largest * s->p / (double)s->n,
                               ALPHA + 2.0 * s->p / (double)s->n};
    if (!s->k->pairs) return 4;
    checks[4] = (sscrap_check){"values_of_other_keys", "==", (double)all[3], 0};
    return 5;
}

static void end(void *of_run)
{
    sort_state *s = of_run;
    bsp_pop_reg(s->out);
    bsp_pop_reg(s->sample);
    bsp_pop_reg(s->counts);
    if (s->deals) sort_deal_end(s);
    bsp_sync();
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
    cm_result_meta(result, "key", "%s", sort_of[options->key]->name);
    cm_result_meta(result, "value", "%s",
                   options->pairs ? "8 bytes: the index of the key among all" : "none");
    cm_result_meta(result, "input", "%s", sort_input_names[options->input]);
    if (options->local == SORT_LOCAL_AUTO && vector)
        cm_result_meta(result, "local_sort",
                       "the fastest of buckets in the cache, with and "
                       "without %s, and, of one process, it alone",
                       vector);
    else if (options->local >= SORT_LOCAL_VECTOR)
        cm_result_meta(result, "local_sort", "%s", plain_sort[options->local]);
    else cm_result_meta(result, "local_sort", "buckets in the cache, uneven ones: radix");
    cm_result_meta_number(result, "part_bound", ALPHA, "%g");
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
                                     .metric = "items_per_s",
                                     .measure = keys_per_s};

const sort_options sort_defaults = {.job = SSCRAP_JOB_DEFAULTS(10000000)};
const sscrap_algorithm sort_algorithm = {
    .name = "sort", .option = "--items", .problem = &sort_problem, .options = &sort_defaults};

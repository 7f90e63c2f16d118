/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_result.c: metadata, a row for each case, the fastest algorithms, the metrics. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "collective.h"

#define BY ", by the algorithm in the name (auto: the MPI's own, else the layer's choice)"
#define BACK_TO_BACK ", back to back, median of the slowest rank's time" BY
const cm_metric collective_metrics[] = {
    {"*_nonblocking_us", "Non-blocking *", "us", CM_BETTER_LOW,
     "the non-blocking form of the operation in the name with the smallest message, started and "
     "waited for after a barrier, median of the slowest rank's time" BY},
    {"*_progress_overlap", "*: hidden by computing, with calls", "1", CM_BETTER_HIGH,
     "part of the non-blocking operation in the name that computing hides at the largest size if "
     "it calls the library now and then" BY},
    {"*_overlap", "*: hidden by computing", "1", CM_BETTER_HIGH,
     "part of the non-blocking operation in the name that computing hides at the largest size; 1: "
     "all of it" BY},
    {"*_window_us", "*, begun together", "us", CM_BETTER_LOW,
     "the operation in the name with the smallest message, begun on all ranks at an agreed time of "
     "synchronised clocks, median time until the last rank has finished" BY},
    {"*_separated_us", "*, each after a barrier", "us", CM_BETTER_LOW,
     "the operation in the name with the smallest message, each after a barrier, median of "
     "the slowest rank's time" BY},
    {"barrier_*_us", "Barrier: *", "us", CM_BETTER_LOW, "a barrier" BACK_TO_BACK},
    {"bcast_*_us", "Broadcast: *", "us", CM_BETTER_LOW,
     "a broadcast of the smallest message" BACK_TO_BACK},
    {"reduce_scatter_*_us", "Reduce-scatter: *", "us", CM_BETTER_LOW,
     "a sum of the smallest blocks, one for each rank, each block at its rank" BACK_TO_BACK},
    {"reduce_*_us", "Reduce: *", "us", CM_BETTER_LOW,
     "a sum of the smallest vector at the root" BACK_TO_BACK},
    {"allreduce_*_us", "Allreduce: *", "us", CM_BETTER_LOW,
     "a sum of the smallest vector at all ranks" BACK_TO_BACK},
    {"gather_*_us", "Gather: *", "us", CM_BETTER_LOW,
     "the smallest message of each rank to the root" BACK_TO_BACK},
    {"scatter_*_us", "Scatter: *", "us", CM_BETTER_LOW,
     "the smallest message from the root to each rank" BACK_TO_BACK},
    {"allgather_*_us", "Allgather: *", "us", CM_BETTER_LOW,
     "the smallest message of each rank to all" BACK_TO_BACK},
    {"alltoall_*_us", "Alltoall: *", "us", CM_BETTER_LOW,
     "the smallest message from each rank to each" BACK_TO_BACK},
    {"scan_*_us", "Scan: *", "us", CM_BETTER_LOW,
     "sums of the smallest vector over the ranks up to each" BACK_TO_BACK},
    {"gatherv_*_us", "Gatherv: *", "us", CM_BETTER_LOW,
     "the smallest message of each rank to the root, with a length for each" BACK_TO_BACK},
    {"scatterv_*_us", "Scatterv: *", "us", CM_BETTER_LOW,
     "the smallest message from the root to each rank, with a length for each" BACK_TO_BACK},
    {"allgatherv_*_us", "Allgatherv: *", "us", CM_BETTER_LOW,
     "the smallest message of each rank to all, with a length for each" BACK_TO_BACK},
    {"alltoallv_*_us", "Alltoallv: *", "us", CM_BETTER_LOW,
     "the smallest message from each rank to each, with a length for each" BACK_TO_BACK},
    {"*_us", "*", "us", CM_BETTER_LOW,
     "the operation in the name with the smallest message" BACK_TO_BACK},
    {0},
};

/* clang-format off */
/* An algorithm's name may have low lines, so the operations are written out. */
#define TIME(operation) "time operation=" operation " algorithm=* repetition="
#define HIDDEN(operation) "overlap operation=" operation " algorithm=* progress="
#define OF(operation) \
    {operation "_*_nonblocking_us", TIME(operation) "non-blocking"}, \
    {operation "_*_window_us", TIME(operation) "window"}, \
    {operation "_*_separated_us", TIME(operation) "separated"}, \
    {operation "_*_us", TIME(operation) "back-to-back"}, \
    {operation "_*_progress_overlap", HIDDEN(operation) "yes"}, \
    {operation "_*_overlap", HIDDEN(operation) "no"}
/* clang-format on */
const cm_labels collective_labels[] = {
    OF("barrier"),   OF("bcast"),      OF("reduce_scatter"), OF("reduce"),    OF("allreduce"),
    OF("scan"),      OF("gather"),     OF("gatherv"),        OF("scatter"),   OF("scatterv"),
    OF("allgather"), OF("allgatherv"), OF("alltoall"),       OF("alltoallv"), {0},
};

enum { NAME_BYTES = 48, WORDS_BYTES = 160 };

/* Formats of columns of words: "=barrier|bcast|...". */
typedef struct {
    char operation[WORDS_BYTES], algorithm[WORDS_BYTES];
} word_formats;

typedef struct {
    int operation, algorithm, repetition; /* from 0 */
    int64_t parameter, size_bytes, operations, sweep;
    int ranks, place;
    cm_summary time_s;
    collective_overlapped overlapped;
} table_row;
#define OF_WAY(k, prefix)                                                                  \
    CM_COLUMN(table_row, overlapped.way[k].total_s, prefix "total_s", "%.4e"),             \
        CM_COLUMN(table_row, overlapped.way[k].overlap.value, prefix "overlap", "%.4f"),   \
        CM_COLUMN(table_row, overlapped.way[k].overlap.low, prefix "overlap_low", "%.4f"), \
        CM_COLUMN(table_row, overlapped.way[k].overlap.high, prefix "overlap_high", "%.4f")
enum { OVERLAP = 9 }; /* the last columns, with --overlap */

/* A case, summed up over all sweeps. */
typedef struct {
    collective_case now;
    cm_samples median_s;
    double low_s, high_s;             /* the lowest and the highest of all sweeps */
    cm_quantity last_s;               /* of the last sweep */
    cm_disturbed disturbed;           /* in any sweep */
    collective_overlapped overlapped; /* of the last sweep */
} entry;

struct collective_result {
    cm_result *result;
    entry *entries;
    size_t n, room;
    int64_t wrong_bytes;
    int64_t windows, late; /* of the current ranks */
    bool overlap;
    const collective_options *options;
    cm_sample_tally tally;
};

static const char *repetition_name(collective_repetition repetition)
{
    return repetition == COLLECTIVE_WINDOWS       ? "window"
           : repetition == COLLECTIVE_NONBLOCKING ? "non-blocking"
                                                  : collective_repetitions[repetition - 1];
}

/* ---- Metadata ------------------------------------------------------------------------------- */

static void write_words(cm_result *result)
{
    char text[1024];
    size_t used = 0;
    for (int k = 0; k < COLLECTIVE_OPERATIONS; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s (%s)", k ? ", " : "",
                                 collective_operation_names[k], collective_operations[k].size_is);
    cm_result_meta(result, "operations", "%s", text);
    used = 0;
    for (int kind = CM_KIND_AUTO; kind < CM_KINDS; kind++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", kind ? ", " : "",
                                 cm_algorithm_name(CM_ALGORITHM(kind, 0)));
    cm_result_meta(result, "algorithms",
                   "%s; parameter: leaves of a tree's node, bytes of a "
                   "chain's segment",
                   text);
    cm_result_meta(result, "repetitions",
                   "back-to-back: operations follow each other; separated: a barrier, untimed, "
                   "before each; window: each begins at a moment of its own, on synchronised "
                   "clocks; non-blocking: separated, started and waited for");
}

static void write_metadata(cm_result *result, const collective_options *options,
                           collective_others others)
{
    cm_run_meta(result);
    cm_result_meta(result, "mode", "%s, algorithm %s, %s",
                   collective_operation_names[options->operation], options->algorithms_text,
                   collective_repetitions[options->repetition]);
    write_words(result);
    cm_sample_meta(result, &options->sampling,
                   "the slowest rank's time: back-to-back, of a batch of operations divided by "
                   "their number; separated, of each operation; window, from the moment all begin "
                   "to the last rank's end; a trial: a batch");
    if (options->overlap)
        cm_result_meta(result, "overlap",
                       "1 - (total_s - compute_s) / median_s; a trial takes the operation alone, "
                       "computing, and both together in turn; computing takes as long as the "
                       "operation alone; progress_: with calls of cm_progress some 10 us apart");
    cm_result_meta(result, "sync", "%s", collective_syncs[options->sync]);
    cm_result_meta(result, "root", "%d", COLLECTIVE_ROOT);
    cm_result_meta(result, "reduction", "sum of %s", collective_type_names[options->type]);
    cm_result_meta(result, "verified", "%s",
                   others == COLLECTIVE_RANKS
                       ? "each operation, algorithm and size once, untimed, on every rank"
                       : "each operation, algorithm and size once, untimed, on rank 0, where no "
                         "result depends on what the dummy backend's peers were sent: not "
                         "barriers and scan, bcast and allreduce only by auto, native, linear, "
                         "binomial, trees and chains, and reduce_scatter not by doubling");
    cm_result_meta_number(result, "sweeps", (double)options->sweeps, "%.0f");
    cm_run_meta_bound(result, options->sampling.bind);
}

static void name_words(word_formats *formats)
{
    char *to = formats->operation;
    size_t used = 0;
    for (int k = 0; k < COLLECTIVE_OPERATIONS; k++)
        used += (size_t)snprintf(to + used, WORDS_BYTES - used, "%c%s", k ? '|' : '=',
                                 collective_operation_names[k]);
    to = formats->algorithm;
    used = 0;
    for (int kind = CM_KIND_AUTO; kind < CM_KINDS; kind++)
        used +=
            (size_t)snprintf(to + used, WORDS_BYTES - used, "%c%s", kind > CM_KIND_AUTO ? '|' : '=',
                             cm_algorithm_name(CM_ALGORITHM(kind, 0)));
}

collective_result *collective_result_open(const cm_benchmark *benchmark, collective_others others)
{
    word_formats formats;
    name_words(&formats);
    cm_result_column columns[] = {
        CM_COLUMN(table_row, operation, "operation", formats.operation),
        CM_COLUMN(table_row, algorithm, "algorithm", formats.algorithm),
        CM_COLUMN(table_row, parameter, "parameter", "%.0f"),
        CM_COLUMN(table_row, repetition, "repetition",
                  "=back-to-back|separated|window|non-blocking"),
        CM_COLUMN(table_row, size_bytes, "size_bytes", "%.0f"),
        CM_SUMMARY_COLUMNS(table_row, time_s, "_s", "%.4e"),
        CM_COLUMN(table_row, time_s.p99, "p99_s", "%.4e"),
        CM_COLUMN(table_row, operations, "operations", "%.0f"),
        CM_COLUMN(table_row, ranks, "ranks", "%.0f"),
        CM_COLUMN(table_row, sweep, "sweep", "%.0f"),
        CM_COLUMN(table_row, overlapped.compute_s, "compute_s", "%.4e"),
        OF_WAY(COLLECTIVE_SILENT, ""),
        OF_WAY(COLLECTIVE_PROGRESS, "progress_"),
    };
    /* A table has cases with as many ranks on one host and on several. */
    const cm_result_column place = CM_COLUMN(table_row, place, "place", "=own|shared|between");
    const collective_options *options = benchmark->options;
    size_t n = sizeof columns / sizeof *columns;
    if (!options->overlap) n -= OVERLAP;
    if (options->tuning) columns[n++] = place; /* never with --overlap */
    collective_result *table = calloc(1, sizeof *table);
    if (!table) cm_abort(CM_EXIT_SYSTEM, "out of memory for the result");
    table->overlap = options->overlap;
    table->options = options;
    table->result = cm_run_result_open(benchmark, columns, n);
    write_metadata(table->result, benchmark->options, others);
    return table;
}

void collective_result_core_shared(collective_result *table, bool shared)
{
    cm_result_meta(table->result, "core_shared", "%s", shared ? "yes" : "no");
}

void collective_result_left_out(collective_result *table, const collective_extent *extent)
{
    const collective_options *o = table->options;
    const collective_room room = collective_room_of(o, o->upper_bytes, cm_size(cm_world()));
    char names[WORDS_BYTES] = "";
    size_t used = 0;
    if (extent->block_bytes == o->upper_bytes) return;
    for (int k = 0; k < COLLECTIVE_OPERATIONS; k++)
        if (collective_has_blocks(&collective_operations[k])
            && (o->operation == COLLECTIVE_OPERATIONS || o->operation == k))
            used += (size_t)snprintf(names + used, WORDS_BYTES - used, "%s%s", used ? ", " : "",
                                     collective_operation_names[k]);
    cm_result_comment(table->result,
                      "%s: sizes above %lld bytes are left out: %lld bytes take %zu bytes of "
                      "memory on each rank, and half of what is free is %zu",
                      names, (long long)extent->block_bytes, (long long)o->upper_bytes,
                      collective_memory(&room), extent->free_bytes);
}

/* ---- Rows ----------------------------------------------------------------------------------- */

void collective_result_progress(collective_result *table, double fraction,
                                const collective_case *now)
{
    char name[NAME_BYTES];
    cm_algorithm_text(now->algorithm, name, sizeof name);
    cm_result_progress(table->result, fraction, "%s, %s, %lld bytes",
                       cm_collective_name(now->operation->collective), name, (long long)now->bytes);
}

static bool same_algorithm(cm_algorithm a, cm_algorithm b)
{
    return a.kind == b.kind && a.parameter == b.parameter;
}

static entry *entry_of(collective_result *table, const collective_case *now)
{
    for (size_t i = 0; i < table->n; i++) {
        const collective_case *c = &table->entries[i].now;
        if (c->operation == now->operation && c->bytes == now->bytes && c->ranks == now->ranks
            && c->place == now->place && c->repetition == now->repetition
            && same_algorithm(c->algorithm, now->algorithm))
            return &table->entries[i];
    }
    if (table->n == table->room) {
        size_t room = table->room ? 2 * table->room : 64;
        entry *more = realloc(table->entries, room * sizeof *more);
        if (!more) return NULL;
        table->entries = more;
        table->room = room;
    }
    entry *new = &table->entries[table->n++];
    *new = (entry){.now = *now, .median_s = CM_SAMPLES_EMPTY, .low_s = INFINITY};
    return new;
}

void collective_result_clock(collective_result *table, const collective_clock *clock, int ranks)
{
    cm_result_comment(
        table->result,
        "clocks of %d ranks: synchronised %d times, within %.3g us (half the "
        "shortest round trip); a later time was at most %.3g us from what the earlier "
        "ones predicted; windows: %lld, of which %lld began late and do not count",
        ranks, clock->synchronised, 1e6 * clock->widest_s, 1e6 * clock->jump_s,
        (long long)table->windows, (long long)table->late);
    table->windows = table->late = 0;
}

void collective_result_row(collective_result *table, const collective_case *now, int64_t sweep,
                           const cm_sampled *sampled, const collective_count *count,
                           const collective_overlapped *overlapped)
{
    const cm_samples *samples = sampled->samples;
    table->windows += count->windows;
    table->late += count->late;
    if (samples->n == 0) {
        char name[NAME_BYTES];
        cm_algorithm_text(now->algorithm, name, sizeof name);
        cm_result_comment(table->result,
                          "no row: %s, %s, %lld bytes: in none of %lld windows did all "
                          "%d ranks begin in time",
                          cm_collective_name(now->operation->collective), name,
                          (long long)now->bytes, (long long)count->windows, now->ranks);
        return;
    }
    cm_summary s = cm_sample_summary(samples);
    entry *e = entry_of(table, now);
    if (!e || !cm_samples_add(&e->median_s, s.median))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for a summary");
    e->low_s = fmin(e->low_s, s.low);
    e->high_s = fmax(e->high_s, s.high);
    e->last_s = cm_quantity_median(&s);
    e->disturbed = cm_disturbed_either(e->disturbed, e->last_s.disturbed);
    e->overlapped = *overlapped;
    const table_row row = {
        .operation = (int)(now->operation - collective_operations),
        .algorithm = (int)now->algorithm.kind - CM_KIND_AUTO,
        .repetition = (int)now->repetition - COLLECTIVE_BACK_TO_BACK,
        .parameter = now->algorithm.parameter,
        .size_bytes = now->bytes,
        .operations = now->repetition == COLLECTIVE_BACK_TO_BACK ? sampled->operations : 1,
        .sweep = sweep,
        .ranks = now->ranks,
        .place = (int)now->place,
        .time_s = s,
        .overlapped = *overlapped,
    };
    cm_result_row(table->result, &row, samples, "s");
    cm_sample_count(&table->tally, sampled, 1);
}

void collective_result_damage(collective_result *table, const collective_case *now,
                              const collective_damage *damage)
{
    char name[NAME_BYTES];
    const char *operation = cm_collective_name(now->operation->collective);
    cm_algorithm_text(now->algorithm, name, sizeof name);
    table->wrong_bytes += damage->wrong_bytes;
    if (now->operation->collective == CM_COLLECTIVE_BARRIER)
        cm_result_comment(table->result,
                          "wrong: barrier, %s: rank %lld left before rank %d had "
                          "entered; stopped there",
                          name, (long long)damage->position, damage->rank);
    else
        cm_result_comment(table->result,
                          "wrong data: %s, %s, %lld bytes, rank %d: byte %lld: "
                          "expected 0x%02x, got 0x%02x; stopped there",
                          operation, name, (long long)now->bytes, damage->rank,
                          (long long)damage->position, damage->expected, damage->got);
}

/* ---- The end -------------------------------------------------------------------------------- */

static double median_of(const entry *e) { return cm_sample_summary(&e->median_s).median; }

/* Over the trials of the only sweep, or over the sweeps. */
static cm_quantity time_of(const entry *e)
{
    if (e->median_s.n == 1) return e->last_s;
    const cm_summary sweeps = cm_sample_summary(&e->median_s);
    return cm_quantity_over(&sweeps, "sweeps", e->disturbed);
}

static bool same_question(const entry *a, const entry *b)
{
    return a->now.operation == b->now.operation && a->now.repetition == b->now.repetition
           && a->now.bytes == b->now.bytes && a->now.ranks == b->now.ranks
           && a->now.place == b->now.place;
}

/* Writes a line for each operation, repetition, number of ranks and size: the fastest algorithm,
   the second, and whether the intervals of the two are apart. A table also has places. */
static void write_fastest(collective_result *table)
{
    const bool places = table->options->tuning;
    bool any = false;
    for (size_t i = 0; i < table->n; i++) {
        const entry *first = &table->entries[i], *best = first, *next = NULL;
        bool seen = false;
        for (size_t k = 0; k < i; k++) seen = seen || same_question(&table->entries[k], first);
        if (seen) continue;
        for (size_t k = i + 1; k < table->n; k++) {
            const entry *e = &table->entries[k];
            if (!same_question(e, first)) continue;
            if (median_of(e) < median_of(best)) next = best, best = e;
            else if (!next || median_of(e) < median_of(next)) next = e;
        }
        if (!next) continue;
        if (!any)
            cm_result_comment(table->result,
                              "fastest: %-10s %-12s %5s %10s  %-18s %11s  %-18s %5s  %s%s",
                              "operation", "repetition", "ranks", "size_bytes", "algorithm",
                              "median_us", "next", "ratio", "intervals", places ? "  place" : "");
        any = true;
        char name[NAME_BYTES], other[NAME_BYTES];
        cm_algorithm_text(best->now.algorithm, name, sizeof name);
        cm_algorithm_text(next->now.algorithm, other, sizeof other);
        cm_result_comment(
            table->result, "fastest: %-10s %-12s %5d %10lld  %-18s %11.4g  %-18s %5.2f  %-*s%s",
            cm_collective_name(first->now.operation->collective),
            repetition_name(first->now.repetition), first->now.ranks, (long long)first->now.bytes,
            name, 1e6 * median_of(best), other, median_of(next) / median_of(best), places ? 11 : 0,
            best->high_s < next->low_s ? "apart" : "overlap",
            places ? cm_tuning_places[first->now.place] : "");
    }
}

/* Writes OPERATION_ALGORITHM_us, with _separated or _window before _us, for the smallest size and
   the most ranks. */
static void write_metrics(collective_result *table)
{
    int most = 0;
    for (size_t i = 0; i < table->n; i++)
        if (table->entries[i].now.ranks > most) most = table->entries[i].now.ranks;
    for (size_t i = 0; i < table->n; i++) {
        const entry *e = &table->entries[i];
        bool first = e->now.ranks == most;
        for (size_t k = 0; k < i && first; k++) {
            const collective_case *c = &table->entries[k].now;
            first = !(c->ranks == most && c->operation == e->now.operation
                      && c->repetition == e->now.repetition
                      && same_algorithm(c->algorithm, e->now.algorithm));
        }
        if (!first) continue;
        char algorithm[NAME_BYTES], name[2 * NAME_BYTES];
        cm_algorithm_text(e->now.algorithm, algorithm, sizeof algorithm);
        static const char *const how[] = {[COLLECTIVE_BACK_TO_BACK] = "",
                                          [COLLECTIVE_SEPARATED] = "_separated",
                                          [COLLECTIVE_WINDOWS] = "_window",
                                          [COLLECTIVE_NONBLOCKING] = "_nonblocking"};
        snprintf(name, sizeof name, "%s_%s%s_us", cm_collective_name(e->now.operation->collective),
                 algorithm, how[e->now.repetition]);
        for (char *at = name; *at; at++)
            if (*at == ':' || *at == '-') *at = '_';
        cm_result_metric(table->result, true, name, cm_quantity_scale(time_of(e), 1e6));
    }
    if (table->n == 0) cm_result_metric(table->result, false, "latency_us", cm_quantity_of(NAN));
}

/* Writes OPERATION_ALGORITHM_overlap and _progress_overlap, of the largest size and the most
   ranks. */
static void write_overlaps(collective_result *table)
{
    static const char *const ways[COLLECTIVE_WAYS] = {"overlap", "progress_overlap"};
    for (size_t i = 0; i < table->n; i++) {
        const entry *e = &table->entries[i];
        bool largest = true;
        for (size_t k = 0; k < table->n && largest; k++) {
            const collective_case *c = &table->entries[k].now;
            largest =
                !(c->operation == e->now.operation && same_algorithm(c->algorithm, e->now.algorithm)
                  && (c->ranks > e->now.ranks
                      || (c->ranks == e->now.ranks && c->bytes > e->now.bytes)));
        }
        for (int way = 0; way < COLLECTIVE_WAYS && largest; way++) {
            char algorithm[NAME_BYTES], name[2 * NAME_BYTES];
            cm_algorithm_text(e->now.algorithm, algorithm, sizeof algorithm);
            snprintf(name, sizeof name, "%s_%s_%s",
                     cm_collective_name(e->now.operation->collective), algorithm, ways[way]);
            for (char *at = name; *at; at++)
                if (*at == ':' || *at == '-') *at = '_';
            cm_result_metric(table->result, true, name, e->overlapped.way[way].overlap);
        }
    }
}

static int write_tuning(const collective_result *table)
{
    const collective_options *options = table->options;
    if (table->wrong_bytes > 0) {
        cm_result_comment(table->result, "no table was written to %s: a result was wrong",
                          options->tuning);
        return 0;
    }
    collective_timed *times = calloc(table->n, sizeof *times);
    if (!times) cm_abort(CM_EXIT_SYSTEM, "out of memory for the table of choices");
    for (size_t i = 0; i < table->n; i++) {
        const collective_case *c = &table->entries[i].now;
        const cm_summary s = cm_sample_summary(&table->entries[i].median_s);
        times[i] = (collective_timed){.collective = c->operation->collective,
                                      .place = c->place,
                                      .ranks = c->ranks,
                                      .bytes = c->bytes,
                                      .algorithm = c->algorithm,
                                      .time_s = s.min,
                                      .high_s = s.median};
    }
    const int status = collective_tuning_write(table->result, options, times, table->n);
    free(times);
    return status;
}

int collective_result_close(collective_result *table)
{
    cm_result *result = table->result;
    write_fastest(table);
    const int written = table->options->tuning ? write_tuning(table) : 0;
    cm_sample_tell(result, &table->tally);
    cm_result_check(result, "wrong_bytes", (double)table->wrong_bytes, "==", 0);
    write_metrics(table);
    if (table->overlap) write_overlaps(table);
    int status = cm_result_close(result);
    for (size_t i = 0; i < table->n; i++) cm_samples_free(&table->entries[i].median_s);
    free(table->entries);
    free(table);
    return status ? status : written;
}

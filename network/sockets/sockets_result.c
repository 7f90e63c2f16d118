/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_result.c: metadata, a row for each case, histograms, checks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sockets.h"
#include "sockets_result_metrics.h"

/* Numbers are NaN where a kind of test has none. */
typedef struct {
    sockets_kind test;
    int64_t size_bytes, sweep;
    int writes;
    double nodelay, quickack;              /* 0 or 1 */
    cm_summary all, rate_MB_per_s, time_s; /* all: of the samples, which are the one or the other */
    double asked_MB_per_s, sent_MB_per_s;
    uint64_t sent, lost, reordered, duplicated, overrun;
    int send_buffer_bytes, receive_buffer_bytes;
    double send_user_us, send_system_us, receive_user_us, receive_system_us;
    double cpu_ns_per_byte, send_cpu_share, receive_cpu_share, first_ns, last_ns;
} table_row;
/* These words are those of sockets_kind_names and sockets_switches. */
static const cm_result_column columns[] = {
    CM_COLUMN(table_row, test, "test",
              "=tcp-stream|udp-stream|tcp-turn|udp-turn|write-read|one-way"),
    CM_COLUMN(table_row, size_bytes, "size_bytes", "%.0f"),
    CM_COLUMN(table_row, writes, "writes", "%.0f"),
    CM_COLUMN(table_row, nodelay, "nodelay", "=off|on"),
    CM_COLUMN(table_row, quickack, "quickack", "=off|on"),
    CM_COLUMN(table_row, all.n, "n", "%.0f"),
    CM_COLUMN(table_row, all.interval, "interval", CM_INTERVAL_FORMAT),
    CM_COLUMN(table_row, rate_MB_per_s.median, "MB_per_s", "%.5g"),
    CM_COLUMN(table_row, rate_MB_per_s.low, "low_MB_per_s", "%.5g"),
    CM_COLUMN(table_row, rate_MB_per_s.high, "high_MB_per_s", "%.5g"),
    CM_COLUMN(table_row, rate_MB_per_s.mean, "mean_MB_per_s", "%.5g"),
    CM_COLUMN(table_row, rate_MB_per_s.deviation, "deviation_MB_per_s", "%.5g"),
    CM_COLUMN(table_row, asked_MB_per_s, "asked_MB_per_s", "%.5g"),
    CM_COLUMN(table_row, sent_MB_per_s, "sent_MB_per_s", "%.5g"),
    CM_COLUMN(table_row, time_s.median, "median_s", "%.4e"),
    CM_COLUMN(table_row, time_s.low, "low_s", "%.4e"),
    CM_COLUMN(table_row, time_s.high, "high_s", "%.4e"),
    CM_COLUMN(table_row, time_s.min, "min_s", "%.4e"),
    CM_COLUMN(table_row, time_s.p99, "p99_s", "%.4e"),
    CM_COLUMN(table_row, time_s.max, "max_s", "%.4e"),
    CM_COLUMN(table_row, time_s.mean, "mean_s", "%.4e"),
    CM_COLUMN(table_row, time_s.deviation, "deviation_s", "%.4e"),
    CM_COLUMN(table_row, sent, "sent", "%.0f"),
    CM_COLUMN(table_row, lost, "lost", "%.0f"),
    CM_COLUMN(table_row, reordered, "reordered", "%.0f"),
    CM_COLUMN(table_row, duplicated, "duplicated", "%.0f"),
    CM_COLUMN(table_row, overrun, "overrun", "%.0f"),
    CM_COLUMN(table_row, send_buffer_bytes, "send_buffer_bytes", "%.0f"),
    CM_COLUMN(table_row, receive_buffer_bytes, "receive_buffer_bytes", "%.0f"),
    CM_COLUMN(table_row, send_user_us, "send_user_us", "%.4g"),
    CM_COLUMN(table_row, send_system_us, "send_system_us", "%.4g"),
    CM_COLUMN(table_row, receive_user_us, "receive_user_us", "%.4g"),
    CM_COLUMN(table_row, receive_system_us, "receive_system_us", "%.4g"),
    CM_COLUMN(table_row, cpu_ns_per_byte, "cpu_ns_per_byte", "%.4g"),
    CM_COLUMN(table_row, send_cpu_share, "send_cpu_share", "%.3f"),
    CM_COLUMN(table_row, receive_cpu_share, "receive_cpu_share", "%.3f"),
    CM_COLUMN(table_row, sweep, "sweep", "%.0f"),
    CM_PAIR_DISTANCE_COLUMNS(table_row, first_ns, last_ns),
    CM_SUMMARIZED_COLUMNS(table_row, all),
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

struct sockets_result {
    cm_result *result;
    sockets_best best;
    double asked_MB_per_s;          /* by --rate; NaN: as fast as possible */
    sockets_damage damage;          /* of the case that had damage */
    uint64_t missing_bytes, unsent; /* of TCP; datagrams that were received but never sent */
    bool tcp, udp;                  /* were such streams measured? */
    char tcp_in_force[64];          /* the last comment written */
    cm_sample_tally tally;
};

/* ---- Metadata ------------------------------------------------------------------------------- */

static void write_place(cm_result *result, int rank, const sockets_place *place)
{
    char key[32];
    snprintf(key, sizeof key, "interface_of_rank_%d", rank);
    cm_result_meta(result, key, "%s mtu_bytes=%lld", place->interface, (long long)place->mtu_bytes);
    snprintf(key, sizeof key, "kernel_of_rank_%d", rank);
    cm_result_meta(result, key, "%s", place->kernel);
    snprintf(key, sizeof key, "cpus_of_rank_%d", rank);
    cm_result_meta(result, key, "%s", place->cpus);
}

static void write_tests(cm_result *result, const sockets_options *options)
{
    cm_result_meta(result, "mode", "%s", sockets_tests[options->test]);
    cm_result_meta(result, "timing", "streams: includes comparing %s; turns: checked between them",
                   options->integrity
                       ? "every byte (--integrity)"
                       : "the ends of each receive, and every byte before the first sample");
}

static void write_metadata(cm_result *result, const sockets_options *options,
                           const sockets_place *own, const sockets_place *other)
{
    cm_run_meta(result);
    write_tests(result, options);
    cm_result_meta(result, "family", "IPv%d", own->family);
    write_place(result, 0, own);
    write_place(result, 1, other);
    cm_run_meta_bound(result, options->sampling.bind);
    bool together = cm_run_ranks_on_computer(cm_world(), 0) == SOCKETS_RANKS;
    cm_result_meta(result, "core_shared", "%s",
                   together && own->cpus[0] && strcmp(own->cpus, other->cpus) == 0
                           && strpbrk(own->cpus, ",-") == NULL
                       ? "yes"
                       : "no");
    cm_result_meta(result, "receive_wait", "%s", sockets_waits[options->wait]);
    if (options->buffer_bytes)
        cm_result_meta_number(result, "buffer_request_bytes", (double)options->buffer_bytes,
                              "%.0f");
    else cm_result_meta(result, "buffer_request_bytes", "none: the kernel's");
    if (options->rate_Mbit_per_s > 0)
        cm_result_meta_number(result, "udp_rate_Mbit_per_s", options->rate_Mbit_per_s, "%g");
    cm_result_meta(result, "write_calls", "%s",
                   options->gather ? "gathered into one writev" : "one by one");
    cm_result_meta_number(result, "pause_s", options->pause_s, "%g");
    cm_result_meta_number(result, "stream_sample_s", options->sampling.trial_s, "%g");
    cm_sampling turn = sockets_turn_sampling(options);
    cm_sample_meta(
        result, &turn,
        "tcp-stream, udp-stream: what was received in stream_sample_s, until the time limit; "
        "tcp-turn, udp-turn, write-read: one turn; one-way: the gap between two arrivals; "
        "write-read and one-way do not stop for precision");
    cm_result_meta(result, "cpu_time",
                   "send_, receive_: CPU time of rank 0 and of rank 1 for each message of a stream "
                   "or each turn (getrusage around the whole test: with warm-up and checks); "
                   "_cpu_share: part of the time in which the rank used its core%s",
                   options->wait ? "; a rank that waits spins, and uses all of it" : "");
    cm_result_meta_number(result, "sweeps", (double)options->sweeps, "%.0f");
}

sockets_result *sockets_result_open(const cm_benchmark *benchmark, const sockets_options *options,
                                    const sockets_place *own, const sockets_place *other,
                                    const cm_pair_distances_said *distances)
{
    sockets_result *table = sockets_allocate(sizeof *table);
    *table = (sockets_result){.result = cm_run_result_open(benchmark, columns, COLUMNS)};
    double rate = options->rate_Mbit_per_s;
    table->asked_MB_per_s = rate > 0 ? rate / 8 : NAN;
    if (!sockets_best_open(&table->best, (size_t)options->sweeps))
        cm_abort(CM_EXIT_SYSTEM, "out of memory");
    write_metadata(table->result, options, own, other);
    cm_pair_write_first_distances(table->result, distances);
    return table;
}

/* ---- Rows ----------------------------------------------------------------------------------- */

void sockets_result_progress(sockets_result *table, double fraction, const sockets_case *now)
{
    cm_result_progress(table->result, fraction, "%s, %lld bytes", sockets_kind_names[now->kind],
                       (long long)now->bytes);
}

/* Returns the rate that the sender achieved; NaN if the case is not a stream of datagrams. */
static double sent_MB_per_s(const sockets_case *now, const sockets_report *sender)
{
    if (now->kind != SOCKETS_UDP_STREAM || sender->sending_s <= 0) return NAN;
    return 1e-6 * (double)sender->sent_bytes / sender->sending_s;
}

/* If the sender could not keep --rate, rate and losses are those of another rate. */
static void write_rate(sockets_result *table, const sockets_case *now, double sent)
{
    double asked = table->asked_MB_per_s;
    if (!(fabs(sent - asked) > SOCKETS_RATE_TOLERANCE * asked)) return;
    cm_result_comment(table->result,
                      "rate not kept: %s, %lld bytes: %.5g Mbit/s sent of %.5g Mbit/s asked "
                      "(%+.1f %%, more than %g %%); received and lost refer to what was sent",
                      sockets_kind_names[now->kind], (long long)now->bytes, 8 * sent, 8 * asked,
                      100 * (sent / asked - 1), 100 * SOCKETS_RATE_TOLERANCE);
}

/* A TCP setting as the column shows it. */
static const char *switch_name(const sockets_case *now, bool on)
{
    return sockets_is_udp(now) ? "nan" : sockets_switches[on];
}

/* Writes the distribution of the times of a row, and the number of stalls. */
static void write_histogram(sockets_result *table, const sockets_case *now, int64_t sweep,
                            const cm_samples *samples)
{
    static const double stall_s = 0.01; /* no cluster network takes this long by itself */
    char text[4096];
    sockets_histogram histogram;
    sockets_histogram_fill(&histogram, samples);
    sockets_histogram_text(&histogram, text, sizeof text);
    cm_result_comment(table->result,
                      "histogram: test=%s size_bytes=%lld nodelay=%s quickack=%s sweep=%lld n=%zu "
                      "bins_per_decade=%d low_s:count %s",
                      sockets_kind_names[now->kind], (long long)now->bytes,
                      switch_name(now, now->nodelay), switch_name(now, now->quickack),
                      (long long)sweep, samples->n, SOCKETS_BINS_PER_DECADE, text);
    if (now->kind != SOCKETS_WRITE_READ) return;
    size_t stalls = 0;
    for (size_t i = 0; i < samples->n; i++) stalls += samples->value[i] >= stall_s;
    cm_result_comment(table->result,
                      "stalls: TCP_NODELAY %s, TCP_QUICKACK %s: %zu of %zu turns took %g ms or "
                      "longer",
                      sockets_switches[now->nodelay], sockets_switches[now->quickack], stalls,
                      samples->n, 1e3 * stall_s);
}

static void write_tcp_in_force(sockets_result *table, const sockets_report *sender)
{
    char text[sizeof table->tcp_in_force];
    snprintf(text, sizeof text, "tcp: congestion control %s, segments of %d bytes",
             sender->congestion_control, sender->segment_bytes);
    if (strcmp(text, table->tcp_in_force) == 0) return;
    strcpy(table->tcp_in_force, text);
    cm_result_comment(table->result, "%s", text);
}

static void write_damage(cm_result *result, const sockets_case *now, const sockets_damage *damage)
{
    cm_result_comment(result,
                      "wrong data: %s, %lld bytes, seen by rank %d: %s %llu, first wrong byte at "
                      "%llu: expected 0x%02x, got 0x%02x; stopped there",
                      sockets_kind_names[now->kind], (long long)now->bytes, damage->rank,
                      sockets_is_udp(now) ? "datagram" : "stream, message",
                      (unsigned long long)(sockets_is_udp(now)
                                               ? damage->datagram
                                               : damage->position / (uint64_t)now->bytes),
                      (unsigned long long)damage->position, damage->expected, damage->got);
}

static bool note_damage(sockets_result *table, const sockets_case *now, const sockets_report *ours,
                        const sockets_report *theirs)
{
    uint64_t wrong = ours->damage.wrong_bytes + theirs->damage.wrong_bytes;
    if (wrong == 0) return false;
    table->damage = ours->damage.wrong_bytes ? ours->damage : theirs->damage;
    write_damage(table->result, now, &table->damage);
    table->damage.wrong_bytes = wrong;
    sockets_best_fail(&table->best, now);
    return true;
}

/* TCP must not lose bytes. Datagrams may be lost, but each one that arrives must have been sent. */
static uint64_t count_lost(sockets_result *table, const sockets_case *now,
                           const sockets_report *sender, const sockets_report *receiver)
{
    if (now->kind == SOCKETS_TCP_STREAM || now->kind == SOCKETS_ONE_WAY) {
        table->tcp = true;
        table->missing_bytes += sender->sent_bytes - receiver->received_bytes;
        return 0;
    }
    if (now->kind == SOCKETS_UDP_TURN) return sender->sent - sender->received;
    if (now->kind != SOCKETS_UDP_STREAM) return 0;
    table->udp = true;
    if (receiver->received > sender->sent) {
        table->unsent += receiver->received - sender->sent;
        return 0;
    }
    return sender->sent - receiver->received;
}

/* CPU time of an end's part. */
static double cpu_s(const sockets_report *end) { return end->cpu.user_s + end->cpu.system_s; }

bool sockets_result_row(sockets_result *table, const sockets_case *now, int64_t sweep,
                        const sockets_report *ours, const sockets_report *theirs,
                        cm_samples *samples)
{
    if (note_damage(table, now, ours, theirs)) return false;
    cm_summary s = cm_sample_summary(samples);
    bool stream = sockets_is_stream(now->kind), udp = sockets_is_udp(now);
    const sockets_report *measured = now->kind == SOCKETS_UDP_STREAM ? theirs : ours;
    int32_t stop = stream ? theirs->stop : ours->stop;
    uint64_t lost = count_lost(table, now, ours, theirs);
    const double sent = sent_MB_per_s(now, ours), sent_messages = (double)ours->sent;
    const cm_summary none = cm_sample_summary(&(cm_samples)CM_SAMPLES_EMPTY);
    const table_row row = {
        .test = now->kind - SOCKETS_TCP_STREAM,
        .size_bytes = now->bytes,
        .sweep = sweep,
        .writes = now->writes,
        .nodelay = udp ? NAN : now->nodelay,
        .quickack = udp ? NAN : now->quickack,
        .all = s,
        .rate_MB_per_s = stream ? s : none,
        .time_s = stream ? none : s,
        .asked_MB_per_s = now->kind == SOCKETS_UDP_STREAM ? table->asked_MB_per_s : NAN,
        .sent_MB_per_s = sent,
        .sent = ours->sent,
        .lost = lost,
        .reordered = measured->reordered,
        .duplicated = measured->duplicated,
        .overrun = ours->overrun + theirs->overrun,
        .send_buffer_bytes = ours->send_buffer_bytes,
        .receive_buffer_bytes = theirs->receive_buffer_bytes,
        .send_user_us = 1e6 * ours->cpu.user_s / sent_messages,
        .send_system_us = 1e6 * ours->cpu.system_s / sent_messages,
        .receive_user_us = 1e6 * theirs->cpu.user_s / sent_messages,
        .receive_system_us = 1e6 * theirs->cpu.system_s / sent_messages,
        .cpu_ns_per_byte =
            1e9 * (cpu_s(ours) + cpu_s(theirs)) / (double)(ours->sent_bytes + theirs->sent_bytes),
        .send_cpu_share = cpu_s(ours) / ours->lasted_s,
        .receive_cpu_share = cpu_s(theirs) / theirs->lasted_s,
        .first_ns = ours->first_ns,
        .last_ns = ours->last_ns,
    };
    cm_result_row(table->result, &row, samples, stream ? "MB/s" : "s");
    write_rate(table, now, sent);
    if (!udp) write_tcp_in_force(table, ours);
    if (!stream) write_histogram(table, now, sweep, samples);
    if (udp && theirs->late + ours->late)
        cm_result_comment(table->result, "%llu datagrams arrived too late to be counted",
                          (unsigned long long)(theirs->late + ours->late));
    cm_sample_count(&table->tally, &(cm_sampled){.samples = samples, .stop = (cm_stop)stop}, 1);
    double loss = ours->sent > 0 ? (double)lost / (double)ours->sent : 0;
    sockets_best_add(&table->best, now, (size_t)sweep - 1, &s, sent, loss);
    return true;
}

/* ---- The end -------------------------------------------------------------------------------- */

int sockets_result_close(sockets_result *table, const cm_pair_distances_said *distances)
{
    cm_result *result = table->result;
    cm_pair_write_distances(result, distances);
    cm_sample_tell(result, &table->tally);
    cm_result_check(result, "wrong_bytes", (double)table->damage.wrong_bytes, "==", 0);
    if (table->tcp)
        cm_result_check(result, "tcp_missing_bytes", (double)table->missing_bytes, "==", 0);
    if (table->udp) cm_result_check(result, "udp_never_sent", (double)table->unsent, "==", 0);
    sockets_best_write(&table->best, result);
    sockets_best_close(&table->best);
    int status = cm_result_close(result);
    free(table);
    return status;
}

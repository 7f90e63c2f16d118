/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_result_metrics.c: the RESULT lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sockets_result_metrics.h"

enum { TCP_RATE, UDP_RATE, UDP_SENT, UDP_LOSS, TCP_TURN, UDP_TURN, WRITE_READ };

/* Indexed by metric; write-read: WRITE_READ + nodelay + 2 quickack. */
const cm_metric sockets_metrics[] = {
    {"tcp_MB_per_s", "TCP throughput", "MB/s", CM_BETTER_HIGH,
     "received by TCP in one direction, the highest median of all sizes"},
    {"udp_MB_per_s", "UDP throughput, received", "MB/s", CM_BETTER_HIGH,
     "received by UDP in one direction, the highest median of all sizes"},
    {"udp_sent_MB_per_s", "UDP throughput, sent", "MB/s", CM_BETTER_HIGH,
     "sent in the row of udp_MB_per_s; less than --rate if the sender could not keep it"},
    {"udp_loss", "UDP datagrams lost", "1", CM_BETTER_LOW,
     "the fraction of the datagrams sent in the row of udp_MB_per_s that were lost"},
    {"turn_us", "TCP round trip", "us", CM_BETTER_LOW,
     "the smallest message, a byte without --size, there and one back by TCP, median"},
    {"udp_turn_us", "UDP round trip", "us", CM_BETTER_LOW,
     "the smallest message, a byte without --size, there and one back by UDP, median"},
    {"nagle_turn_us", "Writes and a read, Nagle's algorithm on", "us", CM_BETTER_LOW,
     "two writes, or --writes, and a read with Nagle's algorithm, whose stalls last 40 ms or more"},
    {"nodelay_turn_us", "Writes and a read, TCP_NODELAY", "us", CM_BETTER_LOW,
     "two writes, or --writes, and a read with TCP_NODELAY"},
    {"quickack_turn_us", "Writes and a read, TCP_QUICKACK", "us", CM_BETTER_LOW,
     "two writes, or --writes, and a read with TCP_QUICKACK: acknowledgements at once"},
    {"nodelay_quickack_turn_us", "Writes and a read, NODELAY and QUICKACK", "us", CM_BETTER_LOW,
     "two writes, or --writes, and a read with TCP_NODELAY and TCP_QUICKACK"},
    {0},
};

const cm_labels sockets_labels[] = {
    {"tcp_MB_per_s", "throughput protocol=tcp end=receiver"},
    {"udp_MB_per_s", "throughput protocol=udp end=receiver"},
    {"udp_sent_MB_per_s", "throughput protocol=udp end=sender"},
    {"turn_us", "turn protocol=tcp"},
    {"udp_turn_us", "turn protocol=udp"},
    {"*_turn_us", "write_write_read protocol=tcp algorithm=*"},
    {0},
};

bool sockets_best_open(sockets_best *best, size_t sweeps)
{
    memset(best, 0, sizeof *best);
    best->sweeps = sweeps;
    best->value = malloc(SOCKETS_METRICS * sweeps * sizeof *best->value);
    best->disturbed = calloc(SOCKETS_METRICS * sweeps, sizeof *best->disturbed);
    if (!best->value || !best->disturbed) {
        sockets_best_close(best);
        return false;
    }
    for (size_t k = 0; k < SOCKETS_METRICS * sweeps; k++) best->value[k] = NAN;
    return true;
}

void sockets_best_close(sockets_best *best)
{
    free(best->value);
    free(best->disturbed);
}

static size_t at(const sockets_best *best, int metric, size_t sweep)
{
    return (size_t)metric * best->sweeps + sweep;
}

static void keep(sockets_best *best, int metric, size_t sweep, cm_quantity value)
{
    best->value[at(best, metric, sweep)] = value.value;
    best->disturbed[at(best, metric, sweep)] = value.disturbed;
    best->last[metric] = value;
}

/* Of the rows that count, in any sweep. */
static cm_disturbed disturbed_of(const sockets_best *best, int metric)
{
    cm_disturbed any = CM_DISTURBED_NO;
    for (size_t sweep = 0; sweep < best->sweeps; sweep++)
        any = cm_disturbed_either(any, best->disturbed[at(best, metric, sweep)]);
    return any;
}

/* Returns true if this is the best so far. */
static bool add_rate(sockets_best *best, int metric, size_t sweep, const cm_summary *s)
{
    if (best->value[at(best, metric, sweep)] >= s->median) return false;
    keep(best, metric, sweep, cm_quantity_median(s));
    return true;
}

static void add_turn(sockets_best *best, int metric, size_t sweep, int64_t bytes,
                     const cm_summary *s)
{
    const double value = best->value[at(best, metric, sweep)], us = 1e6 * s->median;
    if (!isnan(value)) {
        int64_t smallest = best->bytes[metric];
        if (bytes > smallest || (bytes == smallest && us >= value)) return;
    }
    keep(best, metric, sweep, cm_quantity_scale(cm_quantity_median(s), 1e6));
    best->bytes[metric] = bytes;
}

void sockets_best_add(sockets_best *best, const sockets_case *now, size_t sweep,
                      const cm_summary *summary, double sent_MB_per_s, double loss)
{
    switch (now->kind) {
    case SOCKETS_TCP_STREAM:
        add_rate(best, TCP_RATE, sweep, summary);
        break;
    case SOCKETS_UDP_STREAM:
        if (add_rate(best, UDP_RATE, sweep, summary)) {
            keep(best, UDP_SENT, sweep, cm_quantity_of(sent_MB_per_s));
            keep(best, UDP_LOSS, sweep, cm_quantity_of(loss));
        }
        break;
    case SOCKETS_TCP_TURN:
        add_turn(best, TCP_TURN, sweep, now->bytes, summary);
        break;
    case SOCKETS_UDP_TURN:
        add_turn(best, UDP_TURN, sweep, now->bytes, summary);
        break;
    case SOCKETS_WRITE_READ:
        add_turn(best, WRITE_READ + now->nodelay + 2 * now->quickack, sweep, now->bytes, summary);
        break;
    case SOCKETS_ONE_WAY:
    case SOCKETS_KINDS:
        break;
    }
}

void sockets_best_fail(sockets_best *best, const sockets_case *now) { best->failed = now->kind; }

static int metric_of(sockets_kind kind)
{
    return kind == SOCKETS_TCP_STREAM   ? TCP_RATE
           : kind == SOCKETS_UDP_STREAM ? UDP_RATE
           : kind == SOCKETS_TCP_TURN   ? TCP_TURN
           : kind == SOCKETS_UDP_TURN   ? UDP_TURN
                                        : WRITE_READ;
}

/* Writes the best row of one sweep, or the median over several sweeps. A loss and the number of
   sent datagrams are counted once a row, and have no interval in a single sweep. */
void sockets_best_write(const sockets_best *best, cm_result *result)
{
    size_t written = 0;
    for (int k = 0; k < SOCKETS_METRICS; k++) {
        double *value = best->value + at(best, k, 0);
        if (isnan(value[0])) continue;
        if (best->sweeps > 1)
            for (size_t sweep = 0; sweep < best->sweeps; sweep++)
                cm_result_comment(result, "sweep %zu: %s=%.6g", sweep + 1, sockets_metrics[k].name,
                                  value[sweep]);
        cm_samples samples = {.value = value, .n = best->sweeps, .capacity = best->sweeps};
        const cm_summary over_sweeps = cm_sample_summary(&samples);
        cm_result_metric(result, true, sockets_metrics[k].name,
                         best->sweeps == 1
                             ? best->last[k]
                             : cm_quantity_over(&over_sweeps, "sweeps", disturbed_of(best, k)));
        written++;
    }
    if (best->failed && written == 0) {
        int k = metric_of(best->failed);
        cm_result_metric(result, false, sockets_metrics[k].name, cm_quantity_of(NAN));
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_result_metrics.c: the RESULT lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sockets_result_metrics.h"

enum { TCP_RATE, UDP_RATE, UDP_LOSS, TCP_TURN, UDP_TURN, WRITE_READ };

/* By that number; write-read: WRITE_READ + nodelay + 2 quickack. */
const cm_metric sockets_metrics[] = {
    {"tcp_MB_per_s", "MB/s", CM_BETTER_HIGH,
     "the most that TCP moves in one direction, median, 10^6 B/s"},
    {"udp_MB_per_s", "MB/s", CM_BETTER_HIGH, "the most that arrives by UDP"},
    {"udp_loss", "1", CM_BETTER_LOW,
     "the part of the datagrams that is lost at the highest rate by UDP"},
    {"turn_us", "us", CM_BETTER_LOW, "a byte there and one back by TCP, median"},
    {"udp_turn_us", "us", CM_BETTER_LOW, "a byte there and one back by UDP, median"},
    {"nagle_turn_us", "us", CM_BETTER_LOW,
     "two writes and a read with Nagle's algorithm, whose stalls are 40 ms and more"},
    {"nodelay_turn_us", "us", CM_BETTER_LOW, "two writes and a read with TCP_NODELAY"},
    {"quickack_turn_us", "us", CM_BETTER_LOW,
     "two writes and a read with TCP_QUICKACK: acknowledgements at once"},
    {"nodelay_quickack_turn_us", "us", CM_BETTER_LOW,
     "two writes and a read with TCP_NODELAY and TCP_QUICKACK"},
    {0},
};

bool sockets_best_open(sockets_best *best, size_t sweeps)
{
    memset(best, 0, sizeof *best);
    best->sweeps = sweeps;
    best->value = malloc(SOCKETS_METRICS * sweeps * sizeof *best->value);
    if (!best->value) return false;
    for (size_t k = 0; k < SOCKETS_METRICS * sweeps; k++) best->value[k] = NAN;
    return true;
}

void sockets_best_close(sockets_best *best) { free(best->value); }

static double *at(const sockets_best *best, int metric, size_t sweep)
{
    return best->value + (size_t)metric * best->sweeps + sweep;
}

/* Returns whether this is the best so far. */
static bool add_rate(sockets_best *best, int metric, size_t sweep, double median)
{
    double *value = at(best, metric, sweep);
    if (*value >= median) return false;
    *value = median;
    return true;
}

static void add_turn(sockets_best *best, int metric, size_t sweep, int64_t bytes, double us)
{
    double *value = at(best, metric, sweep);
    if (!isnan(*value)) {
        int64_t smallest = best->bytes[metric];
        if (bytes > smallest || (bytes == smallest && us >= *value)) return;
    }
    *value = us;
    best->bytes[metric] = bytes;
}

void sockets_best_add(sockets_best *best, const sockets_case *now, size_t sweep, double median,
                      double loss)
{
    switch (now->kind) {
    case SOCKETS_TCP_STREAM:
        add_rate(best, TCP_RATE, sweep, median);
        break;
    case SOCKETS_UDP_STREAM:
        if (add_rate(best, UDP_RATE, sweep, median)) *at(best, UDP_LOSS, sweep) = loss;
        break;
    case SOCKETS_TCP_TURN:
        add_turn(best, TCP_TURN, sweep, now->bytes, 1e6 * median);
        break;
    case SOCKETS_UDP_TURN:
        add_turn(best, UDP_TURN, sweep, now->bytes, 1e6 * median);
        break;
    case SOCKETS_WRITE_READ:
        add_turn(best, WRITE_READ + now->nodelay + 2 * now->quickack, sweep, now->bytes,
                 1e6 * median);
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

void sockets_best_write(const sockets_best *best, cm_result *result)
{
    size_t written = 0;
    for (int k = 0; k < SOCKETS_METRICS; k++) {
        double *value = at(best, k, 0);
        if (isnan(value[0])) continue;
        if (best->sweeps > 1)
            for (size_t sweep = 0; sweep < best->sweeps; sweep++)
                cm_result_comment(result, "sweep %zu: %s=%.6g", sweep + 1, sockets_metrics[k].name,
                                  value[sweep]);
        cm_samples samples = {.value = value, .n = best->sweeps, .capacity = best->sweeps};
        cm_summary s;
        if (!cm_summarize(&samples, &s)) cm_abort(CM_EXIT_SYSTEM, "out of memory for a summary");
        cm_result_verdict(result, true, sockets_metrics[k].name, s.median);
        written++;
    }
    if (best->failed && written == 0) {
        int k = metric_of(best->failed);
        cm_result_verdict(result, false, sockets_metrics[k].name, NAN);
    }
}

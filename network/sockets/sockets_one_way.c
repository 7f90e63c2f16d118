/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_one_way.c: small messages in one direction over TCP at intervals, and the gaps between
   their arrivals. If the sender waits for an acknowledgement that the receiver delays, several
   messages arrive together (innocente-1999, section 4.2). */
#include "config.h"
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include "measure/clock.h"
#include "sockets.h"

static void sleep_until(double s)
{
    double left_s = s - cm_clock_now_s();
    if (left_s <= 0) return;
    struct timespec time = {.tv_sec = (time_t)left_s};
    time.tv_nsec = (long)(1e9 * (left_s - (double)time.tv_sec));
    nanosleep(&time, NULL);
}

void sockets_one_way_send(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    (void)samples;
    size_t bytes = (size_t)end->now->bytes;
    double begin_s = cm_clock_now_s();
    double end_s = begin_s + end->options->sampling.rule.time_limit_s;
    while (report->sent < (uint64_t)end->options->sampling.most && cm_clock_now_s() < end_s) {
        sockets_send(end, sockets_pattern_at(end->pattern, report->sent_bytes), bytes);
        report->sent_bytes += bytes;
        report->sent++;
        sleep_until(begin_s + (double)report->sent * end->options->pause_s);
    }
    report->stop =
        report->sent < (uint64_t)end->options->sampling.most ? CM_STOP_TIME : CM_STOP_COUNT;
    shutdown(end->fd, SHUT_WR);
}

void sockets_one_way_receive(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    unsigned char *data = sockets_allocate(SOCKETS_READ_BYTES);
    double silent_s = end->options->timeout_s + end->options->pause_s;
    double last_s = cm_clock_now_s();
    bool first = true;
    for (;;) {
        size_t n;
        bool came = sockets_receive(end, data, SOCKETS_READ_BYTES, &n);
        double now_s = cm_clock_now_s();
        if (came && n == 0) break;
        if (!came) {
            if (now_s - last_s > silent_s)
                cm_abort(CM_EXIT_SYSTEM, "one-way: nothing arrived from rank %d on %s for %g s",
                         end->peer, end->other->host, silent_s);
            continue;
        }
        if (!first) sockets_add_sample(samples, now_s - last_s);
        first = false;
        last_s = now_s;
        sockets_pattern_check(end->pattern, report->received_bytes, data, n, true, &report->damage);
        report->received_bytes += n;
    }
    report->received = report->received_bytes / (uint64_t)end->now->bytes;
    free(data);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_tcp_stream.c: data in one direction over one TCP connection, as fast as possible. */
#include <stdlib.h>
#include <sys/socket.h>
#include "measure/clock.h"
#include "sockets.h"

void sockets_tcp_stream_send(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    (void)samples;
    /* The clock is read about once per 32 KiB, so that it does not slow down small messages. */
    size_t bytes = (size_t)end->now->bytes, run = bytes < 32768 ? 32768 / bytes : 1;
    sockets_watch watch;
    sockets_watch_open(&watch, end->options, cm_clock_now_s());
    do {
        for (size_t k = 0; k < run; k++) {
            sockets_send(end, sockets_pattern_at(end->pattern, report->sent_bytes), bytes);
            report->sent_bytes += bytes;
        }
        report->sent += run;
    } while (!sockets_watch_stop(&watch, end, cm_clock_now_s()));
    shutdown(end->fd, SHUT_WR);
}

/* Waits until data arrive. */
static size_t receive(sockets_meter *meter)
{
    const sockets_end *end = meter->end;
    size_t n;
    for (;;) {
        bool came = sockets_receive(end, meter->own, SOCKETS_READ_BYTES, &n);
        meter->now_s = cm_clock_now_s();
        if (came) break;
        if (meter->now_s - meter->last_s > end->options->timeout_s)
            cm_abort(CM_EXIT_SYSTEM, "tcp-stream: nothing arrived from rank %d on %s for %g s",
                     end->peer, end->other->host, end->options->timeout_s);
    }
    meter->last_s = meter->now_s;
    meter->ended = n == 0;
    sockets_pattern_check(end->pattern, meter->report->received_bytes, meter->own, n,
                          !meter->warm || end->options->integrity, &meter->report->damage);
    meter->report->received_bytes += n;
    return n;
}

void sockets_tcp_stream_receive(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    unsigned char *data = sockets_allocate(SOCKETS_READ_BYTES);
    sockets_meter meter = {.end = end, .report = report, .receive = receive, .own = data};
    sockets_stop stop = {0};
    sockets_meter_run(&meter, samples);
    if (meter.ended)
        cm_abort(CM_EXIT_SYSTEM, "tcp-stream: rank %d on %s ended the stream too early", end->peer,
                 end->other->host);
    while (!meter.ended) {
        sockets_stop_tell(&stop, end);
        receive(&meter);
    }
    sockets_stop_finish(&stop);
    report->received = report->received_bytes / (uint64_t)end->now->bytes;
    free(data);
}

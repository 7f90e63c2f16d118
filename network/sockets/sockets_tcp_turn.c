/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_tcp_turn.c: request and response over TCP. A turn is one write or several, then a read;
   the other end reads all of it and answers with one write. */
#include <stdlib.h>
#include <sys/socket.h>
#include "measure/clock.h"
#include "sockets.h"

/* Where in the pattern the answers begin: a request that comes back is no answer. */
enum { ANSWERS = SOCKETS_PERIOD_BYTES / 2 };

static void ask(const sockets_end *end, const unsigned char *data, size_t bytes)
{
    if (end->now->gather) {
        sockets_send_gathered(end, data, bytes, end->now->writes);
        return;
    }
    for (int k = 0; k < end->now->writes; k++) sockets_send(end, data + (size_t)k * bytes, bytes);
}

void sockets_tcp_turn_ask(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    size_t bytes = (size_t)end->now->bytes, asked = bytes * (size_t)end->now->writes;
    unsigned char *answer = sockets_allocate(bytes);
    /* How acknowledgements change in the first turns is what write-read is to show. */
    bool delayed = end->now->kind == SOCKETS_WRITE_READ;
    double warm_up_s = delayed ? 0 : end->options->warm_up_s;
    cm_stop_rule rule =
        delayed ? sockets_delay_rule(end->options) : sockets_turn_rule(end->options);
    cm_stop stop = CM_STOP_NOT;
    double first_s = cm_clock_now_s(), begin_s = first_s;
    while (stop == CM_STOP_NOT && report->damage.wrong_bytes == 0) {
        const unsigned char *data = sockets_pattern_at(end->pattern, report->sent_bytes);
        double before_s = cm_clock_now_s();
        ask(end, data, bytes);
        bool came = sockets_receive_all(end, answer, bytes);
        double after_s = cm_clock_now_s();
        if (!came)
            cm_abort(CM_EXIT_SYSTEM, "%s: rank %d on %s ended the connection",
                     sockets_kind_names[end->now->kind], end->peer, end->other->host);
        sockets_pattern_check(end->pattern, ANSWERS + report->received_bytes, answer, bytes, true,
                              &report->damage);
        report->sent++;
        report->sent_bytes += asked;
        report->received_bytes += bytes;
        if (before_s - first_s < warm_up_s) {
            begin_s = after_s;
            continue;
        }
        sockets_add_sample(samples, after_s - before_s);
        stop = cm_stop_check(&rule, samples, after_s - begin_s);
    }
    shutdown(end->fd, SHUT_WR);
    report->received = report->sent;
    report->stop = (int32_t)stop;
    free(answer);
}

/* Answers first and checks then, while the other end is busy with the answer. */
void sockets_tcp_turn_answer(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    (void)samples;
    size_t bytes = (size_t)end->now->bytes, asked = bytes * (size_t)end->now->writes;
    unsigned char *request = sockets_allocate(asked);
    while (sockets_receive_all(end, request, asked)) {
        sockets_send(end, sockets_pattern_at(end->pattern, ANSWERS + report->sent_bytes), bytes);
        sockets_pattern_check(end->pattern, report->received_bytes, request, asked, true,
                              &report->damage);
        report->received++;
        report->sent++;
        report->received_bytes += asked;
        report->sent_bytes += bytes;
    }
    free(request);
}

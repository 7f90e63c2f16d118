/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_tcp_turn.c: request and response over TCP. A turn is one or several writes, then a read.
   The other end reads the whole request and answers with one write. */
#include <stdlib.h>
#include <sys/socket.h>
#include "measure/clock.h"
#include "sockets.h"

/* Answers begin elsewhere in the pattern, so that an echoed request is no valid answer. */
enum { ANSWERS = SOCKETS_PERIOD_BYTES / 2 };

static void ask(const sockets_end *end, const unsigned char *data, size_t bytes)
{
    if (end->now->gather) {
        sockets_send_gathered(end, data, bytes, end->now->writes);
        return;
    }
    for (int k = 0; k < end->now->writes; k++) sockets_send(end, data + (size_t)k * bytes, bytes);
}

typedef struct {
    sockets_end *end;
    sockets_report *report;
    unsigned char *answer;
} asking;

/* Each turn is a sample. */
static double turn(void *context, int64_t operations, double *time_s)
{
    asking *a = context;
    const sockets_end *end = a->end;
    sockets_report *report = a->report;
    size_t bytes = (size_t)end->now->bytes;
    double lasted_s = 0;
    for (int64_t k = 0; k < operations; k++) {
        const unsigned char *data = sockets_pattern_at(end->pattern, report->sent_bytes);
        double before_s = cm_clock_now_s();
        ask(end, data, bytes);
        bool came = sockets_receive_all(end, a->answer, bytes);
        time_s[k] = cm_clock_now_s() - before_s;
        lasted_s += time_s[k];
        if (!came)
            cm_abort(CM_EXIT_SYSTEM, "%s: rank %d on %s ended the connection",
                     sockets_kind_names[end->now->kind], end->peer, end->other->host);
        sockets_pattern_check(end->pattern, ANSWERS + report->received_bytes, a->answer, bytes,
                              true, &report->damage);
        report->sent++;
        report->sent_bytes += bytes * (size_t)end->now->writes;
        report->received_bytes += bytes;
        if (report->damage.wrong_bytes) return -1;
    }
    return lasted_s;
}

void sockets_tcp_turn_ask(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    asking a = {.end = end, .report = report, .answer = sockets_allocate((size_t)end->now->bytes)};
    const cm_subject subject = {.each = true, .trial = turn, .context = &a};
    cm_sampled sampled = {.samples = samples};
    /* write-read shows how acknowledgements change in the first turns. */
    const cm_sampling sampling = end->now->kind == SOCKETS_WRITE_READ
                                     ? sockets_delay_sampling(end->options)
                                     : sockets_turn_sampling(end->options);
    cm_sample_warm_up(&sampling, NULL, &subject);
    if (report->damage.wrong_bytes == 0) cm_sample(&sampling, NULL, 1, &subject, &sampled);
    shutdown(end->fd, SHUT_WR);
    report->received = report->sent;
    report->stop = (int32_t)sampled.stop;
    free(a.answer);
}

/* Answers first, then checks the request while the other end reads the answer. */
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

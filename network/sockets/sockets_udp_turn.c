/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_udp_turn.c: request and response over UDP: a datagram goes to the other end and back. If
   it does not return in time, the turn is lost and no sample. */
#include <math.h>
#include <stdlib.h>
#include <sys/socket.h>
#include "measure/clock.h"
#include "sockets.h"

static const double lost_after_s = 0.2;

/* A short datagram holds only the lowest bytes of its number. */
static uint64_t shortened(uint64_t number, size_t bytes)
{
    return bytes < 8 ? number & (((uint64_t)1 << (8 * bytes)) - 1) : number;
}

/* An answer to a turn that was given up, or a duplicate. */
static bool is_old(uint64_t number, const unsigned char *data, size_t bytes)
{
    enum { TURNS_BACK = 64 };
    uint64_t got = sockets_datagram_number(data, bytes);
    if (bytes >= 8) return got < number;
    for (uint64_t k = 1; k <= TURNS_BACK && k <= number; k++)
        if (got == shortened(number - k, bytes)) return true;
    return false;
}

/* Returns the time at which the answer arrived; 0 if it did not. */
static double await(const sockets_end *end, uint64_t number, unsigned char *answer, double end_s,
                    sockets_report *report)
{
    size_t bytes = (size_t)end->now->bytes, n;
    for (;;) {
        bool came = sockets_receive(end, answer, bytes, &n);
        double now_s = cm_clock_now_s();
        if (came && n > 0 && (n != bytes || !is_old(number, answer, bytes))) {
            if (n == bytes)
                sockets_datagram_check(end->pattern, number, answer, bytes, true, &report->damage);
            else if (report->damage.wrong_bytes == 0)
                report->damage =
                    (sockets_damage){.wrong_bytes = 1, .datagram = number, .position = n};
            return now_s;
        }
        if (came && n > 0) report->late++;
        if (now_s > end_s) return 0;
    }
}

typedef struct {
    sockets_end *end;
    sockets_report *report;
    unsigned char *request, *answer;
    double heard_s; /* time of the last answer */
} asking;

_Noreturn static void fail(const sockets_end *end, double silent_s)
{
    cm_abort(CM_EXIT_SYSTEM, "udp-turn: rank %d on %s does not answer for %g s", end->peer,
             end->other->host, silent_s);
}

/* Each turn is a sample; that of a lost turn is infinite. */
static double turn(void *context, int64_t operations, double *time_s)
{
    asking *a = context;
    sockets_report *report = a->report;
    size_t bytes = (size_t)a->end->now->bytes;
    double first_s = cm_clock_now_s();
    for (int64_t k = 0; k < operations; k++) {
        uint64_t number = report->sent++;
        sockets_datagram_fill(a->end->pattern, number, a->request, bytes);
        double before_s = cm_clock_now_s();
        sockets_send(a->end, a->request, bytes);
        double after_s = await(a->end, number, a->answer, before_s + lost_after_s, report);
        bool lost = after_s == 0;
        time_s[k] = lost ? INFINITY : after_s - before_s;
        if (!lost) a->heard_s = after_s;
        else if (cm_clock_now_s() - a->heard_s > a->end->options->timeout_s)
            fail(a->end, a->end->options->timeout_s);
        report->received += !lost;
        if (report->damage.wrong_bytes) return -1;
    }
    return cm_clock_now_s() - first_s;
}

void sockets_udp_turn_ask(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    size_t bytes = (size_t)end->now->bytes;
    asking a = {.end = end,
                .report = report,
                .request = sockets_allocate(bytes),
                .answer = sockets_allocate(bytes),
                .heard_s = cm_clock_now_s()};
    const cm_subject subject = {.each = true, .trial = turn, .context = &a};
    cm_sampled sampled = {.samples = samples};
    const cm_sampling sampling = sockets_turn_sampling(end->options);
    cm_sample_warm_up(&sampling, NULL, &subject);
    if (report->damage.wrong_bytes == 0) {
        cm_sample(&sampling, NULL, 1, &subject, &sampled);
        /* The time limit of the row may end before --timeout. */
        if (samples->n == 0 && report->damage.wrong_bytes == 0)
            fail(end, cm_clock_now_s() - a.heard_s);
    }
    report->stop = (int32_t)sampled.stop;
    report->sent_bytes = report->sent * bytes;
    report->received_bytes = report->received * bytes;
    char word = 0;
    cm_send(cm_world(), &word, 1, end->peer, SOCKETS_TAG_STOP);
    free(a.request);
    free(a.answer);
}

/* Polls the layer only if nothing arrives, because the other end may have stopped then. */
void sockets_udp_turn_answer(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    (void)samples;
    size_t bytes = (size_t)end->now->bytes, n;
    unsigned char *request = sockets_allocate(bytes);
    for (;;) {
        if (sockets_receive(end, request, bytes, &n)) {
            if (n == 0) continue;
            sockets_send(end, request, n < bytes ? n : bytes);
            if (n != bytes && report->damage.wrong_bytes++ == 0) report->damage.position = n;
            if (n == bytes && bytes >= 8)
                sockets_datagram_check(end->pattern, sockets_datagram_number(request, bytes),
                                       request, bytes, true, &report->damage);
        } else if (cm_iprobe(cm_world(), end->peer, SOCKETS_TAG_STOP, NULL)) {
            break;
        }
    }
    char word;
    cm_recv(cm_world(), &word, 1, end->peer, SOCKETS_TAG_STOP, NULL);
    free(request);
}

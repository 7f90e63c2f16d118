/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_udp_turn.c: request and response over UDP: a datagram there, the same one back. What does
   not come back in time is lost, and no sample. */
#include <stdlib.h>
#include <sys/socket.h>
#include "measure/clock.h"
#include "sockets.h"

static const double lost_after_s = 0.2;

/* A short datagram has room for the lowest bytes of its number only. */
static uint64_t shortened(uint64_t number, size_t bytes)
{
    return bytes < 8 ? number & (((uint64_t)1 << (8 * bytes)) - 1) : number;
}

/* The answer to a turn that was given up, or one that came twice. */
static bool is_old(uint64_t number, const unsigned char *data, size_t bytes)
{
    enum { TURNS_BACK = 64 };
    uint64_t got = sockets_datagram_number(data, bytes);
    if (bytes >= 8) return got < number;
    for (uint64_t k = 1; k <= TURNS_BACK && k <= number; k++)
        if (got == shortened(number - k, bytes)) return true;
    return false;
}

/* Returns when the answer came, 0 when it did not. */
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

void sockets_udp_turn_ask(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    size_t bytes = (size_t)end->now->bytes;
    unsigned char *request = sockets_allocate(bytes), *answer = sockets_allocate(bytes);
    cm_stop_rule rule = sockets_turn_rule(end->options);
    cm_stop stop = CM_STOP_NOT;
    double first_s = cm_clock_now_s(), begin_s = first_s, heard_s = first_s;
    while (stop == CM_STOP_NOT && report->damage.wrong_bytes == 0) {
        uint64_t number = report->sent++;
        sockets_datagram_fill(end->pattern, number, request, bytes);
        double before_s = cm_clock_now_s();
        sockets_send(end, request, bytes);
        double after_s = await(end, number, answer, before_s + lost_after_s, report);
        bool lost = after_s == 0;
        if (lost) after_s = cm_clock_now_s();
        else heard_s = after_s;
        if (after_s - heard_s > end->options->timeout_s)
            cm_abort(CM_EXIT_SYSTEM, "udp-turn: rank %d on %s does not answer for %g s", end->peer,
                     end->other->host, end->options->timeout_s);
        report->received += !lost;
        if (before_s - first_s < end->options->warm_up_s) {
            begin_s = after_s;
            continue;
        }
        if (!lost) sockets_add_sample(samples, after_s - before_s);
        stop = cm_stop_check(&rule, samples, after_s - begin_s);
    }
    report->stop = (int32_t)stop;
    report->sent_bytes = report->sent * bytes;
    report->received_bytes = report->received * bytes;
    char word = 0;
    cm_send(cm_world(), &word, 1, end->peer, SOCKETS_TAG_STOP);
    free(request);
    free(answer);
}

/* Looks at the layer only when nothing comes: that is when the other end has stopped. */
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

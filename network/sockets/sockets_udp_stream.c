/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_udp_stream.c: numbered datagrams in one direction, as fast as possible or at a given
   rate, and which of them arrive. */
#include "config.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include "measure/clock.h"
#include "sockets.h"

/* ---- Sending -------------------------------------------------------------------------------- */

static void sleep_s(double s)
{
    struct timespec time = {.tv_nsec = (long)(1e9 * (s - (double)(long)s)), .tv_sec = (time_t)s};
    nanosleep(&time, NULL);
}

/* Waits until the next datagram is due. Returns the time, or -1 if it is not due yet and the caller
   should poll the layer. A sender that was delayed catches up by at most most_behind_s: more would
   be a burst at another rate. The rate that results is report->sent_bytes / report->sending_s. */
static double pace(double *due_s, double interval_s)
{
    static const double most_behind_s = 1e-3, wake_up_s = 100e-6;
    double now_s = cm_clock_now_s();
    while (now_s < *due_s) {
        if (*due_s - now_s > 2 * wake_up_s) {
            double wait_s = *due_s - now_s - wake_up_s;
            sleep_s(wait_s < 2e-3 ? wait_s : 2e-3);
            return -1;
        }
        now_s = cm_clock_now_s();
    }
    if (now_s - *due_s > most_behind_s) *due_s = now_s - most_behind_s;
    *due_s += interval_s;
    return now_s;
}

static bool send_one(const sockets_end *end, const unsigned char *data, size_t bytes)
{
    for (;;) {
        ssize_t n = send(end->fd, data, bytes, MSG_NOSIGNAL);
        if (n == (ssize_t)bytes) return true;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS)) return false;
        if (n < 0 && errno != EINTR)
            cm_abort(CM_EXIT_SYSTEM, "udp-stream: cannot send %zu bytes to rank %d on %s: %s",
                     bytes, end->peer, end->other->host, strerror(errno));
    }
}

void sockets_udp_stream_send(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    (void)samples;
    enum { UNPACED_RUN = 16 }; /* datagrams between two readings of the clock */
    size_t bytes = (size_t)end->now->bytes;
    unsigned char *data = sockets_allocate(SOCKETS_SLOTS * bytes);
    for (uint64_t k = 0; k < SOCKETS_SLOTS; k++)
        sockets_datagram_fill(end->pattern, k, data + k * bytes, bytes);

    double rate_B_per_s = 1e6 / 8 * end->options->rate_Mbit_per_s;
    double interval_s = rate_B_per_s > 0 ? (double)bytes / rate_B_per_s : 0;
    const double begun_s = cm_clock_now_s();
    double now_s = begun_s, due_s = now_s;
    sockets_watch watch;
    sockets_watch_open(&watch, end->options, now_s);
    do {
        now_s = interval_s > 0 ? pace(&due_s, interval_s) : 0;
        int run = interval_s > 0 ? now_s > 0 : UNPACED_RUN;
        for (int k = 0; k < run; k++) {
            unsigned char *one = data + report->sent % SOCKETS_SLOTS * bytes;
            sockets_datagram_stamp(report->sent, one, bytes);
            if (send_one(end, one, bytes)) report->sent++;
        }
        if (now_s <= 0) now_s = cm_clock_now_s();
    } while (!sockets_watch_stop(&watch, end, now_s));
    report->sending_s = cm_clock_now_s() - begun_s;
    report->sent_bytes = report->sent * bytes;
    cm_send(cm_world(), &report->sent, sizeof report->sent, end->peer, SOCKETS_TAG_CONTROL);
    free(data);
}

/* ---- Receiving ------------------------------------------------------------------------------ */

/* Receives the datagrams that are under way when the sender has ended, until all have arrived or no
   more arrive. */
typedef struct {
    uint64_t sent;
    double ended_s; /* 0: the sender is still sending */
    double next_s;
} tail;

static bool tail_ended(tail *t, const sockets_end *end, const sockets_sequence *sequence,
                       double last_s, double now_s)
{
    static const double period_s = 0.005, quiet_s = 0.3;
    if (t->ended_s == 0) {
        if (now_s < t->next_s) return false;
        t->next_s = now_s + period_s;
        if (!cm_iprobe(cm_world(), end->peer, SOCKETS_TAG_CONTROL, NULL)) return false;
        cm_recv(cm_world(), &t->sent, sizeof t->sent, end->peer, SOCKETS_TAG_CONTROL, NULL);
        t->ended_s = now_s;
    }
    if (sequence->received >= t->sent || now_s - t->ended_s > end->options->timeout_s) return true;
    return now_s - last_s > quiet_s && now_s - t->ended_s > quiet_s;
}

static void take(const sockets_end *end, const unsigned char *data, size_t n, bool all,
                 sockets_sequence *sequence, sockets_report *report)
{
    size_t bytes = (size_t)end->now->bytes;
    sockets_damage *damage = &report->damage;
    uint64_t number = sockets_datagram_number(data, n), wrong = damage->wrong_bytes;
    if (n != bytes) {
        if (wrong == 0) *damage = (sockets_damage){.datagram = number, .position = n};
        damage->wrong_bytes += n > bytes ? n - bytes : bytes - n;
        return;
    }
    sockets_datagram_check(end->pattern, number, data, bytes, all, damage);
    if (damage->wrong_bytes == wrong) sockets_sequence_add(sequence, number);
    report->received_bytes += bytes;
}

typedef struct {
    unsigned char *data; /* room of one datagram */
    sockets_sequence sequence;
} arrivals;

/* Receives one datagram; none if a time slice passes without one. */
static size_t receive(sockets_meter *meter)
{
    const sockets_end *end = meter->end;
    arrivals *a = meter->own;
    size_t n;
    bool came = sockets_receive(end, a->data, (size_t)end->now->bytes, &n);
    meter->now_s = cm_clock_now_s();
    if (!came) n = 0;
    if (n == 0) return 0;
    meter->last_s = meter->now_s;
    take(end, a->data, n, !meter->warm || end->options->integrity, &a->sequence, meter->report);
    return n;
}

static size_t receive_in_time(sockets_meter *meter)
{
    const sockets_end *end = meter->end;
    size_t n = receive(meter);
    if (meter->now_s - meter->last_s > end->options->timeout_s)
        cm_abort(CM_EXIT_SYSTEM, "udp-stream: nothing arrived from rank %d on %s for %g s",
                 end->peer, end->other->host, end->options->timeout_s);
    return n;
}

void sockets_udp_stream_receive(sockets_end *end, cm_samples *samples, sockets_report *report)
{
    arrivals a = {.data = sockets_allocate((size_t)end->now->bytes)};
    if (!sockets_sequence_open(&a.sequence)) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    sockets_stop stop = {0};
    tail rest = {0};
    sockets_meter meter = {.end = end, .report = report, .receive = receive_in_time, .own = &a};
    sockets_meter_run(&meter, samples);
    do {
        sockets_stop_tell(&stop, end);
        receive(&meter);
    } while (!tail_ended(&rest, end, &a.sequence, meter.last_s, meter.now_s));
    sockets_stop_finish(&stop);

    report->received = a.sequence.received;
    report->reordered = a.sequence.reordered;
    report->duplicated = a.sequence.duplicated;
    report->late = a.sequence.late;
    sockets_sequence_close(&a.sequence);
    free(a.data);
}

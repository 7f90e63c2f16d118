/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets.h: what the parts of cm-sockets share. Two ranks of the communication layer, which
   carries control alone; what is measured goes over sockets that the two open between them. Rank 0
   sends, asks, and writes the result; rank 1 receives and answers. */
#ifndef SOCKETS_H
#define SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "comm/comm.h"
#include "measure/samples.h"
#include "option/option.h"
#include "result/result.h"
#include "run/run.h"
#include "sample/sample.h"

enum { SOCKETS_RANKS = 2 };
enum { SOCKETS_TAG_CONTROL = 1, SOCKETS_TAG_STOP = 2, SOCKETS_TAG_REPORT = 3 };

/* What one row measures. */
typedef enum {
    SOCKETS_TCP_STREAM = 1,
    SOCKETS_UDP_STREAM,
    SOCKETS_TCP_TURN,
    SOCKETS_UDP_TURN,
    SOCKETS_WRITE_READ, /* delayed-ack: several writes, then a read */
    SOCKETS_ONE_WAY,    /* delayed-ack: small messages in one direction */
    SOCKETS_KINDS
} sockets_kind;
extern const char *const sockets_kind_names[SOCKETS_KINDS];

/* --test: a kind, or several. */
typedef enum {
    SOCKETS_TEST_TCP_STREAM,
    SOCKETS_TEST_UDP_STREAM,
    SOCKETS_TEST_TCP_TURN,
    SOCKETS_TEST_UDP_TURN,
    SOCKETS_TEST_DELAYED_ACK,
    SOCKETS_TEST_ALL
} sockets_test;
extern const char *const sockets_tests[]; /* their names, NULL at the end */

typedef enum { SOCKETS_OFF, SOCKETS_ON, SOCKETS_BOTH, SOCKETS_NOT_GIVEN } sockets_switch;
extern const char *const sockets_switches[]; /* off, on, both */

enum {
    SOCKETS_LEAST_STREAM_BYTES = 8,      /* of a datagram: its number */
    SOCKETS_MOST_DATAGRAM_BYTES = 65507, /* what UDP over IPv4 takes */
    SOCKETS_MOST_BYTES = 64 << 20,
    SOCKETS_MOST_SIZES = 64,
    SOCKETS_MOST_WRITES = 1000,    /* below the 1024 parts of one writev */
    SOCKETS_READ_BYTES = 128 << 10 /* room of one receive of a stream */
};

typedef struct {
    int test;               /* sockets_test */
    const char *sizes_text; /* --size; NULL: each test its own */
    int64_t size[SOCKETS_MOST_SIZES];
    size_t sizes;
    int nodelay, quickack;  /* sockets_switch */
    int64_t writes;         /* before a read */
    bool gather;            /* one writev instead of several writes */
    double rate_Mbit_per_s; /* of datagrams; 0: as fast as they go */
    double pause_s;         /* between messages of SOCKETS_ONE_WAY */
    bool integrity;
    int wait;              /* index of sockets_waits */
    const char *interface; /* NULL: CM_INTERFACE, or chosen */
    int family;            /* index of sockets_families */
    int64_t port;          /* 0: any */
    int64_t buffer_bytes;  /* SO_SNDBUF, SO_RCVBUF; 0: the kernel's */
    double timeout_s;      /* the other end may stay silent so long */
    int64_t sweeps;
    cm_sampling sampling; /* trial_s: --seconds, of a stream; most: --turns */
    cm_result_files files;
} sockets_options;
extern const char *const sockets_waits[], *const sockets_families[];

typedef struct {
    sockets_kind kind;
    int64_t bytes; /* of a message, a datagram, one write */
    int writes;    /* before a read; 1 elsewhere */
    bool gather, nodelay, quickack;
} sockets_case;

/* ---- sockets_check.c ------------------------------------------------------------------------ */

int sockets_check(const cm_program *program, void *options);

/* ---- sockets_plan.c: what is measured, in which order --------------------------------------- */

/* "64,1Ki,8192" and "64:65536" (doublings) into size, ascending as given. Returns their number; 0:
   not such a list, or one with a size outside of 1 to SOCKETS_MOST_BYTES, or too long. */
size_t sockets_sizes_parse(const char *text, int64_t size[SOCKETS_MOST_SIZES]);

bool sockets_is_udp(const sockets_case *one);
bool sockets_test_has(const sockets_options *options, sockets_kind kind);

enum { SOCKETS_MOST_CASES = 18 * SOCKETS_MOST_SIZES };

/* All cases of one sweep. unfragmented_bytes: the largest datagram that travels in one packet; 0:
   not known. Returns their number, at least 1. */
size_t sockets_plan(const sockets_options *options, int64_t unfragmented_bytes,
                    sockets_case cases[SOCKETS_MOST_CASES]);

/* ---- sockets_pattern.c: what travels, and whether it arrived -------------------------------- */

/* What arrived wrong; the rest describes the first byte that did. */
typedef struct {
    uint64_t wrong_bytes;
    uint64_t position; /* in the stream; of datagrams: in that one */
    uint64_t datagram; /* its number */
    int32_t rank;      /* that saw it */
    unsigned char expected, got;
} sockets_damage;

/* A stream's byte at a position is data[position % SOCKETS_PERIOD_BYTES]; memory goes on behind the
   period, so that any piece of largest_bytes lies in one place. */
enum { SOCKETS_PERIOD_BYTES = 8 * 8191 };
typedef struct {
    unsigned char *data;
    size_t bytes;
} sockets_pattern;

bool sockets_pattern_open(sockets_pattern *pattern, size_t largest_bytes); /* false: no memory */
void sockets_pattern_close(sockets_pattern *pattern);

static inline const unsigned char *sockets_pattern_at(const sockets_pattern *pattern,
                                                      uint64_t position)
{
    return pattern->data + position % SOCKETS_PERIOD_BYTES;
}

/* Compares a piece of a stream with what stands at that position: all bytes, or its first and its
   last eight, which is enough to see that the stream has slipped. Adds to damage. */
void sockets_pattern_check(const sockets_pattern *pattern, uint64_t position,
                           const unsigned char *data, size_t bytes, bool all,
                           sockets_damage *damage);

/* A datagram: its number, lowest byte first (of a shorter datagram as many bytes as there are),
   then the pattern from a position that depends on the number, so that fragments of different
   datagrams do not pass for one. Those whose numbers are SOCKETS_SLOTS apart differ in nothing
   else. */
enum { SOCKETS_SLOTS = 13 };
void sockets_datagram_fill(const sockets_pattern *pattern, uint64_t number, unsigned char *data,
                           size_t bytes);
uint64_t sockets_datagram_number(const unsigned char *data, size_t bytes);
void sockets_datagram_stamp(uint64_t number, unsigned char *data, size_t bytes);
void sockets_datagram_check(const sockets_pattern *pattern, uint64_t number,
                            const unsigned char *data, size_t bytes, bool all,
                            sockets_damage *damage);

/* ---- sockets_sequence.c: which datagrams came ----------------------------------------------- */

/* Datagrams are numbered from 0. Reordered is one that comes after one with a higher number (RFC
   4737, section 3.3). What comes more than SOCKETS_WINDOW behind the newest is counted as late and
   not as received: whether it came before is not known any more. */
enum { SOCKETS_WINDOW = 1 << 20 };
typedef struct {
    uint64_t received; /* different ones */
    uint64_t reordered, duplicated, late;
    uint64_t next;  /* one above the highest number that came */
    uint64_t *seen; /* a bit for each of the last SOCKETS_WINDOW */
} sockets_sequence;

bool sockets_sequence_open(sockets_sequence *sequence); /* false: no memory */
void sockets_sequence_close(sockets_sequence *sequence);
void sockets_sequence_add(sockets_sequence *sequence, uint64_t number);

/* ---- sockets_histogram.c -------------------------------------------------------------------- */

/* Bins of equal width on a logarithmic scale: bin k holds 10^(k/20) <= s / 10^-8 s < 10^((k+1)/20),
   the first and the last whatever lies outside. */
enum { SOCKETS_BINS_PER_DECADE = 20, SOCKETS_BINS = 12 * SOCKETS_BINS_PER_DECADE };
typedef struct {
    uint64_t count[SOCKETS_BINS];
} sockets_histogram;

void sockets_histogram_fill(sockets_histogram *histogram, const cm_samples *samples);
double sockets_histogram_low_s(int bin);

/* "LOW_S:COUNT LOW_S:COUNT ..." of the bins that hold something; what does not fit is left out. */
void sockets_histogram_text(const sockets_histogram *histogram, char *text, size_t capacity);

/* ---- sockets_connect.c: the two ends -------------------------------------------------------- */

/* What a rank knows of itself and tells the other. */
typedef struct {
    int64_t process; /* its number and its host: two ranks need two processes */
    char host[72];
    int32_t family; /* 4 or 6 */
    char address[64], interface[32];
    int64_t mtu_bytes;
    char kernel[72], cpus[128];
} sockets_place;

/* sockets_place.c: chooses this rank's interface. Returns 0, or an exit status, and why says in one
   line what is wrong. */
int sockets_place_choose(const sockets_options *options, sockets_place *place, char *why,
                         size_t size);

/* One rank's end while a case is measured. */
typedef struct {
    int rank, peer;
    const sockets_options *options;
    const sockets_place *own, *other;
    const sockets_pattern *pattern;
    const sockets_case *now;
    int fd;
} sockets_end;

/* Connects the two ends for end->now by a socket of its own, with the case's options set. Ends the
   job (status 3) when the other end cannot be reached within the time. */
void sockets_connect(sockets_end *end);
void sockets_disconnect(sockets_end *end);

/* ---- sockets_transfer.c: bytes in and out --------------------------------------------------- */

/* These end the job (status 3) when the connection fails, or nothing goes on for timeout_s. */

/* Writes all of them. */
void sockets_send(const sockets_end *end, const void *data, size_t bytes);

/* writes pieces of bytes each, which lie one after the other at data, as one writev. */
void sockets_send_gathered(const sockets_end *end, const void *data, size_t bytes, int writes);

/* What has come, at least one byte, at most capacity; for datagrams one of them, with its true
   length in *bytes. Returns false when nothing came for SOCKETS_SLICE_S; *bytes 0 and true: the
   stream has ended, or an empty datagram. Does not end the job for silence. */
#define SOCKETS_SLICE_S 0.01
bool sockets_receive(const sockets_end *end, void *data, size_t capacity, size_t *bytes);

/* Exactly so many bytes of a stream; false: it ended before the first of them. */
bool sockets_receive_all(const sockets_end *end, void *data, size_t bytes);

/* ---- The tests ------------------------------------------------------------------------------ */

/* What became of a case. The ends' reports together make the row. */
typedef struct {
    uint64_t sent, received; /* messages, datagrams, turns; received: different ones */
    uint64_t sent_bytes, received_bytes;
    uint64_t reordered, duplicated, late;
    uint64_t overrun; /* datagrams that the receiving socket had no room for */
    sockets_damage damage;
    int32_t send_buffer_bytes, receive_buffer_bytes, segment_bytes; /* in force at the end */
    char congestion_control[16];
    int32_t stop;     /* cm_stop */
    uint64_t samples; /* how many follow */
} sockets_report;

/* One rank's part of end->now: MB/s (streams) or seconds (the others) into samples, which stay
   empty on the rank that does not measure; counts into report. */
/* sockets_connect.c: buffers, segments and the like as the kernel has them. */
void sockets_in_force(const sockets_end *end, sockets_report *report);

typedef void sockets_part(sockets_end *end, cm_samples *samples, sockets_report *report);
sockets_part sockets_tcp_stream_send, sockets_tcp_stream_receive; /* sockets_tcp_stream.c */
sockets_part sockets_udp_stream_send, sockets_udp_stream_receive; /* sockets_udp_stream.c */
sockets_part sockets_tcp_turn_ask, sockets_tcp_turn_answer;       /* sockets_tcp_turn.c */
sockets_part sockets_udp_turn_ask, sockets_udp_turn_answer;       /* sockets_udp_turn.c */
sockets_part sockets_one_way_send, sockets_one_way_receive;       /* sockets_one_way.c */

/* ---- sockets_meter.c: streams, and when there is enough -------------------------------------- */

/* A trial is one turn. */
cm_sampling sockets_turn_sampling(const sockets_options *options);
/* Precision does not end it, and its first turns count. */
cm_sampling sockets_delay_sampling(const sockets_options *options);

/* The receiver of a stream, who measures, tells the sender by the layer when it has enough, and
   goes on receiving. */
typedef struct {
    cm_request *request;
    char word;
    bool told;
} sockets_stop;
void sockets_stop_tell(sockets_stop *stop, const sockets_end *end);
void sockets_stop_finish(sockets_stop *stop);

/* The sender looks at the layer, but not oftener than is of use. It ends the job when nothing tells
   it to stop for much longer than the stream should last. */
typedef struct {
    double next_s, last_s;
} sockets_watch;
void sockets_watch_open(sockets_watch *watch, const sockets_options *options, double now_s);
bool sockets_watch_stop(sockets_watch *watch, const sockets_end *end, double now_s);

/* Samples of a stream, taken while it is received. */
typedef struct sockets_meter sockets_meter;
struct sockets_meter {
    sockets_end *end;
    sockets_report *report;
    /* Receives once, and checks it: all bytes until the meter is warm. Returns how many have come,
       perhaps none; sets ended when no more will. */
    size_t (*receive)(sockets_meter *meter);
    void *own;     /* receive's */
    double now_s;  /* after the last receive */
    double last_s; /* when something came last */
    bool warm;     /* the first part is over */
    bool ended;
};
/* The stream until there are samples enough, or it has ended or brought damage: then report->stop
   is CM_STOP_NOT. */
void sockets_meter_run(sockets_meter *meter, cm_samples *samples);

/* These end the job (status 3) when there is no memory. */
void *sockets_allocate(size_t bytes);
void sockets_add_sample(cm_samples *samples, double value);

/* ---- sockets_result.c: rank 0 writes -------------------------------------------------------- */

typedef struct sockets_result sockets_result;
/* With columns and metadata; or the job ends with one line. */
sockets_result *sockets_result_open(const cm_program *program, int argc, char **argv,
                                    const sockets_options *options, const sockets_place *own,
                                    const sockets_place *other);
void sockets_result_progress(sockets_result *table, double fraction, const sockets_case *now);
/* A row; false: the damage it brings ends the run. */
bool sockets_result_row(sockets_result *table, const sockets_case *now, int64_t sweep,
                        const sockets_report *sender, const sockets_report *receiver,
                        cm_samples *samples);
int sockets_result_close(sockets_result *table); /* checks and verdicts; the exit status */

extern const cm_metric sockets_metrics[]; /* of the RESULT lines */

/* ---- sockets_run.c -------------------------------------------------------------------------- */

/* Both ranks' part of the run. Returns the exit status. */
int sockets_run(const cm_benchmark *benchmark, int argc, char **argv);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets.h: what the parts of cm-sockets share. The communication layer has two ranks and carries
   control messages only. What is measured goes through sockets that the two open between them.
   Rank 0 sends, makes requests and writes the result; rank 1 receives and answers. */
#ifndef SOCKETS_H
#define SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "comm/comm.h"
#include "measure/cpu.h"
#include "measure/samples.h"
#include "option/option.h"
#include "pairs/write.h"
#include "result/result.h"
#include "run/run.h"
#include "sample/sample.h"

enum { SOCKETS_RANKS = 2 };
enum { SOCKETS_TAG_CONTROL = 1, SOCKETS_TAG_STOP = 2, SOCKETS_TAG_REPORT = 3 };

/* A rate of datagrams is kept if what was sent differs from --rate by at most this fraction. */
#define SOCKETS_RATE_TOLERANCE 0.02

/* The quantity that a row measures. */
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
extern const char *const sockets_switches[]; /* "off", "on", "both" */

enum {
    SOCKETS_LEAST_STREAM_BYTES = 8,      /* the number in a datagram */
    SOCKETS_MOST_DATAGRAM_BYTES = 65507, /* the largest payload of UDP over IPv4 */
    SOCKETS_MOST_BYTES = 64 << 20,
    SOCKETS_MOST_SIZES = 64,
    SOCKETS_MOST_WRITES = 1000,    /* below the 1024 parts of one writev */
    SOCKETS_READ_BYTES = 128 << 10 /* capacity of one receive from a stream */
};

typedef struct {
    int test;               /* sockets_test */
    const char *sizes_text; /* --size; NULL: the defaults of each test */
    int64_t size[SOCKETS_MOST_SIZES];
    size_t sizes;
    int nodelay, quickack;  /* sockets_switch */
    int64_t writes;         /* before a read; 0 until the check: not given */
    bool gather;            /* one writev instead of several writes */
    double rate_Mbit_per_s; /* of datagrams; 0: as fast as possible */
    double pause_s;         /* between messages of SOCKETS_ONE_WAY; -1 until the check */
    bool integrity;
    int wait;              /* index of sockets_waits */
    const char *interface; /* NULL: CM_INTERFACE, or chosen */
    int family;            /* index of sockets_families */
    int64_t port;          /* 0: any */
    int64_t buffer_bytes;  /* SO_SNDBUF, SO_RCVBUF; 0: the kernel's */
    double timeout_s;      /* for how long the other end may be silent */
    int64_t sweeps;
    cm_sampling sampling; /* trial_s: --seconds, of a stream; most: --trials; -1 and 0 until the
                             check: not given */
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

/* Writes the sizes of a list, "64,1Ki,8192" or "64:65536" (doublings), to size in the order given.
   Returns their number; 0 if it is no such list, a size is not from 1 to SOCKETS_MOST_BYTES, or
   there are too many. */
size_t sockets_sizes_parse(const char *text, int64_t size[SOCKETS_MOST_SIZES]);

bool sockets_is_udp(const sockets_case *one);
static inline bool sockets_is_stream(sockets_kind kind)
{
    return kind == SOCKETS_TCP_STREAM || kind == SOCKETS_UDP_STREAM;
}
bool sockets_test_has(const sockets_options *options, sockets_kind kind);

enum { SOCKETS_MOST_CASES = 18 * SOCKETS_MOST_SIZES };

/* Lists all cases of one sweep. unfragmented_bytes: the largest datagram that fits into one packet;
   0: not known. Returns the number of cases, at least 1. */
size_t sockets_plan(const sockets_options *options, int64_t unfragmented_bytes,
                    sockets_case cases[SOCKETS_MOST_CASES]);

/* ---- sockets_pattern.c: what travels, and whether it arrived -------------------------------- */

/* The number of wrong bytes, and a description of the first of them. */
typedef struct {
    uint64_t wrong_bytes;
    uint64_t position; /* in the stream, or in the datagram */
    uint64_t datagram; /* its number */
    int32_t rank;      /* the rank that received it */
    unsigned char expected, got;
} sockets_damage;

/* The byte of a stream at a position is data[position % SOCKETS_PERIOD_BYTES]. The pattern
   continues after the period, so that any piece of up to largest_bytes is contiguous. */
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

/* Compares a piece of a stream with the pattern at its position: all bytes, or only the first and
   last eight, which shows whether bytes are missing. Adds to damage. */
void sockets_pattern_check(const sockets_pattern *pattern, uint64_t position,
                           const unsigned char *data, size_t bytes, bool all,
                           sockets_damage *damage);

/* A datagram holds its number, little-endian and cut to the length of the datagram, then the
   pattern from a position that depends on the number. So fragments of different datagrams cannot
   pass for one datagram. Datagrams whose numbers differ by a multiple of SOCKETS_SLOTS differ only
   in the number. */
enum { SOCKETS_SLOTS = 13 };
void sockets_datagram_fill(const sockets_pattern *pattern, uint64_t number, unsigned char *data,
                           size_t bytes);
uint64_t sockets_datagram_number(const unsigned char *data, size_t bytes);
void sockets_datagram_stamp(uint64_t number, unsigned char *data, size_t bytes);
void sockets_datagram_check(const sockets_pattern *pattern, uint64_t number,
                            const unsigned char *data, size_t bytes, bool all,
                            sockets_damage *damage);

/* ---- sockets_sequence.c: which datagrams came ----------------------------------------------- */

/* Datagrams are numbered from 0. A datagram is reordered if it arrives after one with a higher
   number (RFC 4737, section 3.3). One that arrives more than SOCKETS_WINDOW behind the newest
   counts as late and not as received, because it could be a duplicate. */
enum { SOCKETS_WINDOW = 1 << 20 };
typedef struct {
    uint64_t received; /* different ones */
    uint64_t reordered, duplicated, late;
    uint64_t next;  /* the highest number received, plus one */
    uint64_t *seen; /* a bit for each of the last SOCKETS_WINDOW */
} sockets_sequence;

bool sockets_sequence_open(sockets_sequence *sequence); /* false: no memory */
void sockets_sequence_close(sockets_sequence *sequence);
void sockets_sequence_add(sockets_sequence *sequence, uint64_t number);

/* ---- sockets_histogram.c -------------------------------------------------------------------- */

/* Bins of equal width on a logarithmic scale: bin k holds 10^(k/20) <= s / 10^-8 s < 10^((k+1)/20).
   The first and the last bin also hold all times below and above. */
enum { SOCKETS_BINS_PER_DECADE = 20, SOCKETS_BINS = 12 * SOCKETS_BINS_PER_DECADE };
typedef struct {
    uint64_t count[SOCKETS_BINS];
} sockets_histogram;

void sockets_histogram_fill(sockets_histogram *histogram, const cm_samples *samples);
double sockets_histogram_low_s(int bin);

/* Writes "LOW_S:COUNT LOW_S:COUNT ..." for the bins that are not empty, as many as fit. */
void sockets_histogram_text(const sockets_histogram *histogram, char *text, size_t capacity);

/* ---- sockets_connect.c: the two ends -------------------------------------------------------- */

/* The facts that a rank sends to the other rank. */
typedef struct {
    int64_t process; /* process number and host: the two ranks must be two processes */
    char host[72];
    int32_t family; /* 4 or 6 */
    char address[64], interface[32];
    int64_t mtu_bytes;
    char kernel[72], cpus[128];
} sockets_place;

/* sockets_place.c: chooses the interface of this rank. Returns 0, or an exit status with one line
   in why that says what is wrong. */
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

/* Connects the two ends by new sockets with the options of the case end->now. Ends the job (status
   3) if the other end cannot be reached in time. */
void sockets_connect(sockets_end *end);
void sockets_disconnect(sockets_end *end);

/* ---- sockets_transfer.c: bytes in and out --------------------------------------------------- */

/* These end the job (status 3) if the connection fails, or if no byte moves for timeout_s. */

/* Writes all bytes. */
void sockets_send(const sockets_end *end, const void *data, size_t bytes);

/* Writes several contiguous pieces of equal size by one writev. */
void sockets_send_gathered(const sockets_end *end, const void *data, size_t bytes, int writes);

/* Receives at least one byte and at most capacity, or one datagram, whose true length is then in
   *bytes. Returns false if nothing arrived for SOCKETS_SLICE_S, which does not end the job. If it
   returns true and *bytes is 0, the stream has ended or the datagram is empty. */
#define SOCKETS_SLICE_S 0.01
bool sockets_receive(const sockets_end *end, void *data, size_t capacity, size_t *bytes);

/* Receives exactly this many bytes of a stream. Returns false if it ended before the first. */
bool sockets_receive_all(const sockets_end *end, void *data, size_t bytes);

/* ---- The tests ------------------------------------------------------------------------------ */

/* The outcome of a case at one end. The reports of both ends make the row. */
typedef struct {
    uint64_t sent, received; /* messages, datagrams, turns; received: different ones */
    uint64_t sent_bytes, received_bytes;
    cm_cpu cpu;       /* processor's time of this end's part, warm-up and checks included */
    double lasted_s;  /* of that part */
    double sending_s; /* SOCKETS_UDP_STREAM: how long datagrams were sent */
    uint64_t reordered, duplicated, late;
    uint64_t overrun; /* datagrams dropped because the buffer of the receiving socket was full */
    sockets_damage damage;
    int32_t send_buffer_bytes, receive_buffer_bytes, segment_bytes; /* in force at the end */
    char congestion_control[16];
    int32_t stop;             /* cm_stop */
    uint32_t disturbed;       /* why this end was, in the whole of its part; CM_DISTURBED_... */
    uint64_t samples;         /* number of samples that follow */
    double first_ns, last_ns; /* rank 0: distance of the ranks before and after the case */
} sockets_report;

/* sockets_connect.c: sets buffer sizes, segment size and the like in report, as the kernel has
   them. */
void sockets_in_force(const sockets_end *end, sockets_report *report);

/* Each runs one rank's part of the case end->now. It sets the counts in report and adds MB/s
   (streams) or seconds (other tests) to samples, which stay empty on the rank that does not
   measure. */
typedef void sockets_part(sockets_end *end, cm_samples *samples, sockets_report *report);
sockets_part sockets_tcp_stream_send, sockets_tcp_stream_receive; /* sockets_tcp_stream.c */
sockets_part sockets_udp_stream_send, sockets_udp_stream_receive; /* sockets_udp_stream.c */
sockets_part sockets_tcp_turn_ask, sockets_tcp_turn_answer;       /* sockets_tcp_turn.c */
sockets_part sockets_udp_turn_ask, sockets_udp_turn_answer;       /* sockets_udp_turn.c */
sockets_part sockets_one_way_send, sockets_one_way_receive;       /* sockets_one_way.c */

/* ---- sockets_meter.c: streams, and when there is enough -------------------------------------- */

/* A trial is one turn. */
cm_sampling sockets_turn_sampling(const sockets_options *options);
/* Does not stop for precision. The first turns count. */
cm_sampling sockets_delay_sampling(const sockets_options *options);

/* The receiver of a stream measures. When it has enough samples, it tells the sender through the
   communication layer and continues to receive. */
typedef struct {
    cm_request *request;
    char word;
    bool told;
} sockets_stop;
void sockets_stop_tell(sockets_stop *stop, const sockets_end *end);
void sockets_stop_finish(sockets_stop *stop);

/* The sender polls the layer at intervals. It ends the job if the stream lasts much longer than it
   should. */
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
    /* Receives once and checks what arrived; during the warm-up it checks all bytes. Returns the
       number of bytes, which may be 0. Sets ended if no more will arrive. */
    size_t (*receive)(sockets_meter *meter);
    void *own;     /* receive's */
    double now_s;  /* after the last receive */
    double last_s; /* time of the last arrival */
    bool warm;     /* the warm-up is over */
    bool ended;
};
/* Receives the stream until there are enough samples. If the stream ended before or was damaged,
   report->stop is CM_STOP_NOT. */
void sockets_meter_run(sockets_meter *meter, cm_samples *samples);

/* These end the job (status 3) if memory is short. */
void *sockets_allocate(size_t bytes);
void sockets_add_sample(cm_samples *samples, double value);

/* ---- sockets_result.c: rank 0 writes -------------------------------------------------------- */

typedef struct sockets_result sockets_result;
/* Opens the result with columns and metadata, or ends the job with one line. */
sockets_result *sockets_result_open(const cm_benchmark *benchmark, const sockets_options *options,
                                    const sockets_place *own, const sockets_place *other,
                                    const cm_pair_distances_said *distances);
void sockets_result_progress(sockets_result *table, double fraction, const sockets_case *now);
/* Writes a row. Returns false if the data arrived wrong; the run then ends. */
bool sockets_result_row(sockets_result *table, const sockets_case *now, int64_t sweep,
                        const sockets_report *sender, const sockets_report *receiver,
                        cm_samples *samples);
/* Writes checks and metrics. Returns the exit status. */
int sockets_result_close(sockets_result *table, const cm_pair_distances_said *distances);

extern const cm_metric sockets_metrics[]; /* of the RESULT lines */
extern const cm_labels sockets_labels[];

/* ---- sockets_run.c -------------------------------------------------------------------------- */

/* Runs the part of either rank. Returns the exit status. */
int sockets_run(const cm_benchmark *benchmark);

#endif

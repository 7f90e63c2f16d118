/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_internal.h: the parts of a superstep; private to bsp/.

   All requests of one process to another in a superstep are gathered in one stream of records,
   which travels behind a header of counts. The header and the first bytes of the stream are one
   message; the rest, if any, is a second one. A process leaves a superstep when it has the header
   of every other process or, among many processes, when the rounds of bsp_rounds.c are over and all
   that they announce is there. No process can therefore be ahead by more than one superstep, and
   the parity of the superstep in the tag distinguishes the two. There is no barrier besides. */
#ifndef CM_BSP_INTERNAL_H
#define CM_BSP_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include "bsp/bsp_group.h"
#include "comm/comm.h"

enum {
    BSP_FIRST_BYTES = 2048,    /* header and records in the first message */
    BSP_LARGE_BYTES = 32768,   /* from this length on unbuffered; below, a copy costs less */
    BSP_RECORD_MOST = 1 << 30, /* most bytes of one write; a longer one is split */
    BSP_NAME_BYTES = 32        /* a superstep's name with its end */
};

/* Tags of a superstep: BSP_TAG + 8 parity + kind. */
enum { BSP_TAG = (1 << 27) + 16 };
typedef enum {
    BSP_TAG_HEADER,
    BSP_TAG_REST,
    BSP_TAG_ANNOUNCE,
    BSP_TAG_DIRECT,
    BSP_TAG_ANSWER,
    BSP_TAG_ANSWER_DIRECT,
    BSP_TAG_ROUND
} bsp_tag;

typedef enum { BSP_SYNC = 1, BSP_END } bsp_call;

typedef struct {
    uint64_t superstep;
    uint32_t call;      /* bsp_call */
    uint32_t tag_bytes; /* size of tags in the next superstep */
    /* If nothing but zeros follows, the header is sent without it: with what the layer adds, an
       empty superstep's message is then one line of memory. */
    uint64_t stream_bytes;  /* length of the records */
    uint64_t payload_bytes; /* of the writes and messages to this process, for the statistics */
    uint32_t pushes, pops;
    uint32_t announced; /* unbuffered writes, which have messages of their own */
    uint32_t gets;      /* records of reads */
    uint32_t messages;  /* writes and messages, for the statistics */
    uint32_t unused;
} bsp_header;
enum { BSP_BRIEF_BYTES = offsetof(bsp_header, stream_bytes) };

/* In what all processes must agree. */
typedef struct {
    uint64_t superstep;
    uint32_t call, tag_bytes, pushes, pops;
} bsp_said;

/* A message of a round: how many messages are coming to processes, on which the two agree. */
typedef struct {
    bsp_said said;
    uint32_t coming[];
} bsp_round;

/* What bsp_direct_get asks for. */
typedef struct {
    uint64_t superstep, offset, bytes;
    int32_t slot, pid; /* pid: the reader */
} bsp_ask;

typedef enum { BSP_PUT = 1, BSP_GET, BSP_GET_DIRECT, BSP_SEND, BSP_AREA, BSP_POP } bsp_kind;

/* Each record is followed by its data, padded to a multiple of 8. */
typedef struct {
    uint32_t kind_slot; /* kind + 8 slot; slot is the number of the registration */
    uint32_t bytes;     /* BSP_PUT, BSP_GET: length; BSP_SEND: bytes of the tag */
    uint64_t offset;    /* into the area; BSP_SEND: bytes of the payload; BSP_AREA: bytes of the
                           area; BSP_POP: number of the pop in the superstep */
} bsp_record;
/* BSP_GET_DIRECT is followed by its length. BSP_SEND is followed by the place of the next message,
   which the receiver fills in, then by the tag and the payload, each padded. In BSP_AREA and
   BSP_POP, bytes is 1 for NULL; a pop of NULL names no slot. */

typedef struct {
    unsigned char *data;
    size_t used, capacity;
} bsp_buffer;

/* The records from or to one process in one superstep. */
typedef struct {
    bsp_buffer buffer; /* header and records */
    uint64_t payload_bytes;
    uint32_t announced, gets, messages;
    size_t last; /* place of the last record if it is a write of whole words; else 0 */
} bsp_stream;

/* The destinations of the answers to reads, in the order of the reads. */
typedef struct {
    void *dst;
    size_t bytes;
} bsp_wanted;
typedef struct {
    bsp_wanted *want;
    size_t n, capacity, bytes;
    bsp_buffer in, out; /* answers from and to this process */
} bsp_reads;

typedef struct {
    const unsigned char *base;
    uint64_t *size; /* [p]: size on every process; until the end of the superstep only on this */
    int nulls;      /* processes without an area; the same everywhere from then on */
    int older;      /* slot of the next older registration of the same address, or -1 */
    bool active, popped;
} bsp_area;

/* A place of the hash table of registered addresses; newest is -1 where it is free. */
typedef struct {
    const void *ident;
    int newest;
} bsp_place;

/* A pop of this superstep: the slot of the area, or -1 as long as only NULL is known, and the
   process that named it. */
typedef struct {
    int slot, pid;
} bsp_pop;

typedef struct {
    uint32_t slot, unused;
    uint64_t offset, bytes;
} bsp_announcement;
typedef struct bsp_announced {
    struct bsp_announced *next;
    bsp_announcement said;
} bsp_announced;

typedef struct {
    cm_request **request;
    int n, capacity;
} bsp_requests;

typedef struct {
    char name[BSP_NAME_BYTES];
    double work_s, sync_s;
    int64_t out_bytes, in_bytes, out_messages, in_messages;
} bsp_step;

/* One write of a superstep into this process's memory. */
typedef struct {
    const unsigned char *from, *to;
    int writer;
} bsp_write;

/* What process 0 tells the others, outside of SPMD parts: bsp_parts.c. */
typedef struct {
    int32_t kind, value; /* value: processes of a part; number of the function's image */
    uint64_t offset;     /* of the function; of a part: where its bsp_begin stands */
} bsp_order;

/* A program that uses only BSPlib's calls begins and ends the job. */
typedef struct {
    bool joined, finalized;
    bool awaited; /* this is process 0, and bsp_init has sent the others into the SPMD part */
    bool serves;  /* this is another one, in that part */
    bool owned;   /* the part that is running was begun by bsp_begin */
    int ranks, rank;
    int parts;          /* that have ended */
    int begun;          /* parts, since this process called the function */
    int able;           /* processes that can take part in a part in main */
    void (*part)(void); /* what bsp_init was called with */
    bsp_order heard;    /* kind is 0 unless the next order has been heard already */
} bsp_job;

/* BSPlib's calls take no object to work on, so a process has one state. */
typedef struct {
    cm_group *group;
    int p, pid;
    bool running;
    bsp_job job;
    uint64_t superstep;
    double begin_s;

    bsp_stream *out;   /* [p]: this superstep */
    bsp_stream *in[2]; /* [p] each: the last superstep and the one before */
    bsp_reads *reads;  /* [p] */
    int *heard;        /* [p]: announcements received before the end of the superstep */
    bsp_requests sends, receives;
    bsp_announced *announced;

    bsp_ask ask; /* the next one */
    cm_request *ask_request;
    bsp_ask *early; /* [p]: asks of the next superstep */
    int early_n;

    bool in_rounds;   /* supersteps end in rounds */
    uint32_t *coming; /* [p] */
    bsp_round *round; /* two: out and in */
    bsp_buffer spare; /* for the next first message, whoever sends it */

    bsp_area *area;
    int areas, areas_capacity, pushes;
    bsp_place *place;
    size_t places; /* a power of 2, or 0 */
    bsp_pop *pop;
    int pops, pops_capacity;
    int found; /* the area that was found last, or -1; below, its address and sizes */
    const void *found_ident;
    const uint64_t *found_size;

    int tag_bytes, next_tag_bytes;
    int queue_pid;         /* the process whose messages are next */
    uint64_t queue_at;     /* place of the next message in its stream; 0: none */
    uint64_t *queue_first; /* [p] */
    size_t queue_messages, queue_bytes;

    bool check; /* CM_BSP_CHECK */
    bsp_write *write;
    size_t writes, writes_capacity;

    const char *trace; /* CM_BSP_TRACE */
    int trace_parts;   /* number of SPMD parts of this job that are in the file */
    bool trace_opened;
    bsp_step *steps;
    size_t steps_n, steps_capacity;
    bsp_step now; /* the current superstep */
    double work_from_s;
    cm_bsp_sums total;
} bsp_state;
extern bsp_state cm_bsp;

static inline size_t bsp_padded(size_t bytes) { return (bytes + 7) & ~(size_t)7; }
static inline size_t bsp_round_bytes(int p)
{
    return bsp_padded(sizeof(bsp_round) + ((size_t)p / 2 + 1) * sizeof(uint32_t));
}
static inline int bsp_tag_of(bsp_tag kind)
{
    return BSP_TAG + 8 * (int)(cm_bsp.superstep & 1) + (int)kind;
}

/* ---- bsp_state.c, on which all other files stand ---- */
/* Prints one line with the call and the superstep and ends the job with status 2. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3), noreturn))
#endif
void cm_bsp_wrong(const char *call, const char *format, ...);
void *cm_bsp_memory(void *old, size_t bytes); /* realloc; ends the job when out of memory */
/* Ends the job unless the call is inside the SPMD part and 0 <= pid < p. */
void cm_bsp_check_call(const char *call, int pid);
/* Gives the lower of two processes that disagree the time to report it, which ends the job. Returns
   at once on that process. */
void cm_bsp_let_speak(int pid, int other);

/* ---- bsp_register.c ---- */
void cm_bsp_area_learn(int pid, int slot, uint64_t bytes, bool null);
void cm_bsp_pop_learn(int pid, int which, int slot);
void cm_bsp_areas_turn(void);     /* pushes and pops take effect at the end of a superstep */
void cm_bsp_areas_announce(void); /* appends the records of pushes and pops */
void cm_bsp_areas_free(void);
/* Returns the slot of the newest active registration of ident. Ends the job if there is none or if
   its area on pid is shorter than offset + bytes. */
CM_BSP_ADDRESS(3)
int cm_bsp_area_find(const char *call, int pid, const void *ident, size_t offset, size_t bytes);

/* ---- bsp_lookup.c ---- */
int cm_bsp_lookup(const void *ident); /* the newest slot of the address, or -1 */
void cm_bsp_lookup_add(int slot);     /* the newest of all */
void cm_bsp_lookup_build(void);       /* after slots have moved */
void cm_bsp_lookup_free(void);

/* ---- bsp_stream.c ---- */
void cm_bsp_streams_open(void);
void cm_bsp_streams_close(void);
void cm_bsp_grow(bsp_buffer *buffer, size_t bytes); /* makes room for this many more bytes */
bsp_record *cm_bsp_append(int pid, bsp_kind kind, int slot, size_t data_bytes);
void cm_bsp_requests_add(bsp_requests *requests, cm_request *request);
void cm_bsp_requests_wait(bsp_requests *requests);

/* ---- bsp_sync.c ---- */
void cm_bsp_exchange(bsp_call call); /* the end of a superstep */

/* ---- bsp_agree.c ---- */
/* Ends the job unless process peer says the same as this one. */
void cm_bsp_check_agreement(int peer, const bsp_said *mine, const bsp_said *theirs);

/* ---- bsp_rounds.c ---- */
/* Sends what has records, and receives the first messages of the others. */
void cm_bsp_rounds(const bsp_said *mine, bsp_stream *in);

/* ---- bsp_direct.c ---- */
void cm_bsp_direct_put(int pid, int slot, const void *src, size_t offset, size_t bytes);
void cm_bsp_direct_hear(int pid, uint32_t announced); /* receives those not yet heard */
void cm_bsp_direct_end(void);

/* ---- bsp_now.c ---- */
void cm_bsp_now_open(void);
void cm_bsp_now_close(void);
void cm_bsp_now_turn(void);     /* a superstep begins */
void cm_bsp_now_progress(void); /* answers those who ask */
/* Waits for the request, and answers those who ask in the meantime. */
void cm_bsp_now_wait(cm_request *request, cm_status *status);
void cm_bsp_now_get(int pid, int slot, size_t offset, void *dst, size_t bytes);

/* ---- bsp_apply.c ---- */
void cm_bsp_answer(bsp_stream *in); /* copies the data that others read */
void cm_bsp_apply(bsp_stream *in);  /* applies writes, areas and messages */
void cm_bsp_deliver(void);          /* copies the answers to this process's reads */

/* ---- bsp_message.c ---- */
void cm_bsp_queue_turn(void);
size_t cm_bsp_queue_tag_bytes(void); /* tag of the first message in bytes; 0 without a message */

/* ---- bsp_collective.c ---- */
/* Ends the job unless process pid and the size are valid; returns the size. */
size_t cm_bsp_collective_size(const char *call, int pid, int bytes);
void cm_bsp_bcast(int root, const void *src, void *dst, size_t bytes);

/* ---- bsp_conflict.c ---- */
void cm_bsp_conflict_note(int writer, const void *to, size_t bytes);
void cm_bsp_conflict_check(void);

/* ---- bsp_trace.c ---- */
void cm_bsp_trace_step(double begin_s, double end_s);
void cm_bsp_trace_end(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_internal.h: what a superstep consists of; private to bsp/.

   All that a process asks of another in a superstep is gathered in one stream of records, which
   travels behind a header of counts: the header with the first bytes of the stream as one message,
   the rest, if any, as a second. A process has left a superstep when it has the header of every
   other process; so none can be ahead by more than one, and the parity of the superstep in the tag
   tells the two apart. There is no barrier. */
#ifndef CM_BSP_INTERNAL_H
#define CM_BSP_INTERNAL_H

#include <stdbool.h>
#include <string.h>
#include "bsp/bsp_group.h"
#include "comm/comm.h"

enum {
    BSP_FIRST_BYTES = 2048,    /* of header and records in the first message */
    BSP_LARGE_BYTES = 32768,   /* unbuffered from here on; below, a copy costs less */
    BSP_RECORD_MOST = 1 << 30, /* bytes of one write; longer ones are several */
    BSP_NAME_BYTES = 32
};

/* Tags of a superstep: BSP_TAG + 8 parity + kind. */
enum { BSP_TAG = (1 << 27) + 16 };
typedef enum {
    BSP_TAG_HEADER,
    BSP_TAG_REST,
    BSP_TAG_ANNOUNCE,
    BSP_TAG_DIRECT,
    BSP_TAG_ANSWER,
    BSP_TAG_ANSWER_DIRECT
} bsp_tag;

typedef enum { BSP_SYNC = 1, BSP_END } bsp_call;

typedef struct {
    uint64_t superstep;
    uint64_t stream_bytes;  /* of records */
    uint64_t payload_bytes; /* of the writes and messages to this process, for the figures */
    uint32_t call;          /* bsp_call */
    uint32_t pushes, pops;
    uint32_t tag_bytes; /* of the next superstep */
    uint32_t announced; /* unbuffered writes with messages of their own */
    uint32_t gets;      /* records of reads */
    uint32_t messages;  /* writes and messages, for the figures */
    uint32_t unused;
} bsp_header;

typedef enum { BSP_PUT = 1, BSP_GET, BSP_GET_DIRECT, BSP_SEND, BSP_AREA, BSP_POP } bsp_kind;

/* Each is followed by its data, padded to a multiple of 8. */
typedef struct {
    uint32_t kind_slot; /* kind + 8 slot: which registration */
    uint32_t bytes;     /* BSP_PUT, BSP_GET: how many; BSP_SEND: bytes of the tag */
    uint64_t offset;    /* into the area; BSP_SEND: bytes of the payload, BSP_AREA: of
        the area, BSP_POP: which pop of the superstep */
} bsp_record;
/* BSP_GET_DIRECT is followed by its length, BSP_SEND by the place of the next message, which the
   receiver fills in, then the tag and the payload, each padded. BSP_AREA, BSP_POP: bytes is 1 for
   NULL, which as a pop names no slot. */

typedef struct {
    unsigned char *data;
    size_t used, capacity;
} bsp_buffer;

/* From or to one process in one superstep. */
typedef struct {
    bsp_buffer buffer; /* header and records */
    uint64_t payload_bytes;
    uint32_t announced, gets, messages;
    size_t last; /* where the last record is,
        when it is a write of whole words; else 0 */
} bsp_stream;

/* Where answers to reads go, in the order asked. */
typedef struct {
    void *dst;
    size_t bytes;
} bsp_wanted;
typedef struct {
    bsp_wanted *want;
    size_t n, capacity, bytes;
    bsp_buffer in, out; /* answers from, and to this process */
} bsp_reads;

typedef struct {
    const unsigned char *base;
    uint64_t *size; /* [p]: every process's; this one's only until the end of the
        superstep */
    int nulls;      /* processes that have none; alike everywhere from then on */
    bool active, popped;
} bsp_area;

/* A pop of this superstep: the area, or -1 as long as all that is known is NULL, and whose word
   that is. */
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

/* A program of BSPlib's calls alone: it begins and ends the job. */
typedef struct {
    bool joined, owned, ended;
    int ranks, rank;
} bsp_job;

/* BSPlib's calls name no object they work on: a process has one state. */
typedef struct {
    cm_group *group;
    int p, pid;
    bool running;
    bsp_job job;
    uint64_t superstep;
    double begin_s;

    bsp_stream *out;   /* [p]: of this superstep */
    bsp_stream *in[2]; /* [p] each: of the last superstep and of the one before */
    bsp_reads *reads;  /* [p] */
    int *heard;        /* [p]: announcements that came before the end of the superstep */
    bsp_requests sends, receives;
    bsp_announced *announced;

    bsp_area *area;
    int areas, areas_capacity, pushes;
    bsp_pop *pop;
    int pops, pops_capacity;
    int found; /* the area that was looked up last, or -1; its address and sizes */
    const void *found_ident;
    const uint64_t *found_size;

    int tag_bytes, next_tag_bytes;
    int queue_pid;         /* the process whose messages come next */
    uint64_t queue_at;     /* the next message in its stream; 0: none */
    uint64_t *queue_first; /* [p] */
    size_t queue_messages, queue_bytes;

    bool check; /* CM_BSP_CHECK */
    bsp_write *write;
    size_t writes, writes_capacity;

    const char *trace; /* CM_BSP_TRACE */
    int trace_parts;   /* that are in the file: SPMD parts of this job */
    bool trace_opened;
    bsp_step *steps;
    size_t steps_n, steps_capacity;
    bsp_step now; /* the superstep under way */
    double work_from_s;
    cm_bsp_sums total;
} bsp_state;
extern bsp_state cm_bsp;

static inline size_t bsp_padded(size_t bytes) { return (bytes + 7) & ~(size_t)7; }
static inline int bsp_tag_of(bsp_tag kind)
{
    return BSP_TAG + 8 * (int)(cm_bsp.superstep & 1) + (int)kind;
}

/* ---- bsp_life.c ---- */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3), noreturn))
#endif
void cm_bsp_wrong(const char *call, const char *format, ...);   /* with the superstep; status 2 */
void *cm_bsp_memory(void *old, size_t bytes);      /* realloc that ends the job */
void cm_bsp_check_call(const char *call, int pid); /* inside the SPMD part, pid */

/* ---- bsp_register.c ---- */
void cm_bsp_area_learn(int pid, int slot, uint64_t bytes, bool null);
void cm_bsp_pop_learn(int pid, int which, int slot);
void cm_bsp_areas_turn(void);     /* at the end of a superstep */
void cm_bsp_areas_announce(void); /* records of pushes and pops */
void cm_bsp_areas_free(void);
/* The newest active registration of ident, whose area on pid holds offset + bytes; else ends the
   job. */
int cm_bsp_area_find(const char *call, int pid, const void *ident, size_t offset, size_t bytes);

/* ---- bsp_stream.c ---- */
void cm_bsp_streams_open(void);
void cm_bsp_streams_close(void);
void cm_bsp_grow(bsp_buffer *buffer, size_t bytes); /* room for so many more */
bsp_record *cm_bsp_append(int pid, bsp_kind kind, int slot, size_t data_bytes);
void cm_bsp_requests_add(bsp_requests *requests, cm_request *request);
void cm_bsp_requests_wait(bsp_requests *requests);

/* ---- bsp_sync.c ---- */
void cm_bsp_exchange(bsp_call call);       /* a superstep's end */
void cm_bsp_let_speak(int pid, int other); /* who says that they disagree */

/* ---- bsp_direct.c ---- */
void cm_bsp_direct_put(int pid, int slot, const void *src, size_t offset, size_t bytes);
void cm_bsp_direct_hear(int pid, uint32_t announced); /* those not heard yet */
void cm_bsp_direct_end(void);

/* ---- bsp_apply.c ---- */
void cm_bsp_answer(bsp_stream *in); /* copies what others read */
void cm_bsp_apply(bsp_stream *in);  /* writes, areas, messages */
void cm_bsp_deliver(void);          /* answers to one's own reads */

/* ---- bsp_message.c ---- */
void cm_bsp_queue_turn(void);
size_t cm_bsp_queue_tag_bytes(void); /* of the first message, or 0 */

/* ---- bsp_conflict.c ---- */
void cm_bsp_conflict_note(int writer, const void *to, size_t bytes);
void cm_bsp_conflict_check(void);

/* ---- bsp_trace.c ---- */
void cm_bsp_trace_step(double begin_s, double end_s);
void cm_bsp_trace_end(void);

#endif

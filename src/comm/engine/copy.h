/* SPDX-License-Identifier: BSD-3-Clause */
/* copy.h: decides whether the kernel can copy ordinary memory between this rank and a peer on its
   host (process_vm_readv, process_vm_writev), and for which messages that is faster than the ring.

   Before the first long message to a peer, ASK_COPY tells it the address of a random word in this
   process. The peer reads the word, writes it back, and answers in MAY_COPY whether the kernel
   allowed both. Each side asks the other, so both come to the same conclusion. The kernel refuses
   processes of another user, processes separated by a security module or a system call filter, and
   processes in a PID namespace that this one cannot see. If it refuses a copy later, MAY_COPY takes
   the answer back.

   Which way is faster depends on where the two ranks run. For each class of sizes the sender sends
   TRY_COPY and then uses both ways in turn. The receiver times the messages of which nothing was
   sent before their receive was posted, from the header, or from the receive if it came later, to
   the last byte, and sends the faster way in CHOOSE_COPY. The sender repeats the trial from time to
   time, because processes move. */
#ifndef CM_COPY_H
#define CM_COPY_H

#include <sys/types.h>
#include "comm/engine/engine.h"
#include "comm/engine/transport_table.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* Messages of at least this many bytes. */
enum { CM_COPY_LEAST_BYTES = 32768 };

/* A class has the sizes from one power of two to the next; the last class has all larger sizes. */
enum { CM_COPY_CLASSES = 8 };

/* The number of messages that a receiver times for each way. */
enum { CM_COPY_TIMED = 6 };

/* What this rank knows of a peer. */
typedef struct cm_copy {
    bool asked;       /* this rank has asked, */
    bool answered;    /* the peer has answered, */
    bool tried;       /* and has asked, and this rank has tried */
    bool lets, may;   /* what the peer answered; what this rank found */
    bool refused;     /* later the kernel refused a copy after all, here or at the peer */
    int cause;        /* why not: an errno */
    uint64_t busy;    /* bits of the words of claims that sends of this rank use */
    uint32_t tag;     /* of the last transfer */
    unsigned pass;    /* this many short messages are not offered, */
    unsigned passing; /* because the last time the receiver was busy; then so many */
    struct {
        bool trying;
        uint8_t way;
        bool known;    /* the way was chosen, or the trial given up, */
        bool measured; /* and it was chosen */
        unsigned sent; /* messages since the class began to be tried, or was chosen */
    } out[CM_COPY_CLASSES];
    struct {
        bool timed;
        uint8_t exchanged; /* at so many of these ends this rank was sending to the peer, too */
        uint8_t n[2];      /* by way, like seconds */
        double seconds[2][CM_COPY_TIMED];
    } in[CM_COPY_CLASSES];
} cm_copy;

/* ---- Whether it may be ----------------------------------------------------------------------- */

/* Lets processes of this job read and write this one's memory if a security module (Yama) admits
   only descendants of a named process. Names the launcher of this host's ranks. */
void cm_copy_admit(void);

/* Returns true if each rank of the pair has found that it may copy from and to the other's
   memory. */
static inline bool cm_copy_allowed(int peer)
{
    const cm_copy *copy = engine.peer[peer].copy;
    return copy && copy->answered && copy->tried && copy->lets && copy->may;
}

/* ... and the kernel has refused no copy since. */
static inline bool cm_copy_possible(int peer)
{
    return cm_copy_allowed(peer) && !engine.peer[peer].copy->refused;
}

/* The kernel has refused a copy for this cause, an errno: there are no more with this peer. */
void cm_copy_refuse(int peer, int cause);

/* Returns cm_copy_possible, for a collective operation that would copy now. Sends ASK_COPY first if
   the answer is not known yet. */
bool cm_copy_open(int peer);

/* Handles ASK_COPY and MAY_COPY, TRY_COPY and CHOOSE_COPY. Returns false if the record makes no
   sense. */
bool cm_copy_hear(cm_lane *lane, const cm_wire_header *header);

/* Copies between this process and a peer's. Returns false if the kernel does not copy all bytes;
   see errno. The kernel checks the peer's address. */
bool cm_copy_bytes(pid_t process, uint64_t there, char *here, size_t bytes, bool out);

/* ---- Which way ------------------------------------------------------------------------------- */

/* Returns true if a message of at least CM_COPY_LEAST_BYTES to a peer in memory should be offered
   for copying. Sends ASK_COPY or TRY_COPY first if the answer is not known yet. */
bool cm_copy_wanted(int peer, size_t bytes);
/* A receiver did not take an offered message within the eager limit: it is busy. Or it has. */
void cm_copy_busy(int peer, bool busy);

/* Reports that a message for a posted receive begins to arrive, and that it has arrived this
   way. */
void cm_copy_begin(cm_request *receive, int peer);
void cm_copy_end(cm_request *receive, cm_copy_way way);

void cm_copy_describe(cm_describe_each *each, void *context);
void cm_copy_free(void);

#pragma GCC visibility pop
#endif

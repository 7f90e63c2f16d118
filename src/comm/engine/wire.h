/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.h: the data on a connection. First comes the handshake of each side, then messages in both
   directions, each a header and, for some kinds, payload. All numbers are little-endian. */
#ifndef CM_WIRE_H
#define CM_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include "comm/engine/auth.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the wire format is written and read in place and is little-endian"
#endif

enum { CM_WIRE_VERSION = 7 };

/* Identifies the sender and proves it. The accepting side answers after it has verified the other's
   handshake. Anything else ends the connection, but not the job. */
typedef struct {
    char magic[8]; /* "clmark\r\n" */
    uint32_t version;
    uint32_t rank; /* world rank */
    uint32_t size; /* size of the world */
    uint32_t rail; /* rail of this connection; in an answer CM_WIRE_CROSSED may be added */
    unsigned char nonce[CM_NONCE_BYTES];
    unsigned char proof[CM_PROOF_BYTES];
} cm_wire_handshake;

/* The answering rank has made a connection to the other one, too. */
enum { CM_WIRE_CROSSED = 256 };

#define CM_WIRE_MAGIC "clmark\r\n"

typedef enum {
    CM_WIRE_EAGER = 1,     /* bytes of payload follow */
    CM_WIRE_READY_TO_SEND, /* rendezvous: the beginning follows; the rest waits under the handle */
    CM_WIRE_CLEAR_TO_SEND, /* the receiver of `handle` asks for the data under its own handle,
                              `answer` */
    CM_WIRE_DATA,          /* the rest of the payload follows, for the receiver's handle */
    CM_WIRE_CREDIT,        /* the receiver returns this many bytes of credit */
    CM_WIRE_GOODBYE,       /* no message follows: the end of this connection is not a failure */
    CM_WIRE_READY_STRIPED, /* like READY_TO_SEND, but the rest will come over all rails: rail.c */
    CM_WIRE_STRIPE,     /* a part of the payload follows, for the receiver's handle: of a rail, or
                              one that the kernel did not copy (share.h) */
    CM_WIRE_RECALL,     /* the receiver wants this many bytes of unused credit back */
    CM_WIRE_RELEASE,    /* the answer: how many of them the sender gives up */
    CM_WIRE_MOVED,      /* two ranks connected to each other: the sender continues on the lower
                              rank's connection, and nothing more comes on this one */
    CM_WIRE_PLACE,      /* where the buffer of the next header, READY_TO_SEND or CLEAR_TO_SEND,
                              lies in memory that the sender shares: share.h */
    CM_WIRE_TAKEN,      /* the receiver has copied all data of the sender's handle that it had to
                              copy, except these bytes from the offset on, which it asks for */
    CM_WIRE_WRITTEN,    /* the sender has copied this many bytes into the buffer of the receiver's
                              handle */
    CM_WIRE_FORGET,     /* the sender has freed memory that it shared */
    CM_WIRE_ASK_COPY,   /* copy.h: a random word, `handle`, is at this address of the sender */
    CM_WIRE_MAY_COPY,   /* bytes is 1: the sender could read that word and write it; 0: not, or no
                           more, for the cause (an errno) in context */
    CM_WIRE_TRY_COPY,   /* messages of this class (bytes) come in turn through the ring and by
                              halves */
    CM_WIRE_CHOOSE_COPY /* which of the two (ahead_units) was quicker for this class (bytes) */
} cm_wire_kind;

/* The beginning of a rendezvous message is sent ahead of the receiver's answer, in units of this
   many bytes. */
enum { CM_AHEAD_UNIT = 4096 };

/* Largest size of a header and the padding up to its payload; unit of the padding in bytes. */
enum { CM_FRAME_BYTES = 256, CM_PAD_UNIT = 32 };

typedef struct {
    uint8_t kind;
    uint8_t pad_units;    /* padding between header and payload: cm_pad_units in send.c */
    uint16_t ahead_units; /* READY_...: payload that follows at once; PLACE: the word of claims */
    uint32_t context;     /* identifies the group's message space; PLACE, FORGET: the memory */
    union {
        struct {
            int32_t source; /* sender's rank in the group */
            int32_t tag;
        };
        uint64_t offset; /* STRIPE, TAKEN: of the bytes in the message; PLACE: of the buffer in the
                            memory */
    };
    uint64_t bytes;  /* length of the message; CLEAR_TO_SEND: the receiver's handle; CREDIT, RECALL,
                        RELEASE: credit; PLACE: tag of the claims; WRITTEN, TAKEN: how many */
    uint64_t handle; /* READY_..., CLEAR: the sender's handle; DATA, STRIPE: the receiver's */
} cm_wire_header;

_Static_assert(sizeof(cm_wire_handshake) == 72, "handshake has no padding");
_Static_assert(sizeof(cm_wire_header) == 32, "header has no padding");

#pragma GCC visibility pop
#endif

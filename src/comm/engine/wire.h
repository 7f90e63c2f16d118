/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.h: what travels on a connection. First either side's greeting, then messages in both
   directions, each a header and, for some of its kinds, payload. All numbers little-endian. */
#ifndef CM_WIRE_H
#define CM_WIRE_H

#include <stddef.h>
#include <stdint.h>
#include "comm/engine/auth.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the wire format is written and read in place and is little-endian"
#endif

enum { CM_WIRE_VERSION = 3 };

/* Who speaks, and the proof of it. The one who accepted answers after it has verified the other's.
   Anything else ends the connection, and not the job. */
typedef struct {
    char magic[8]; /* "clmark\r\n" */
    uint32_t version;
    uint32_t rank; /* in the world */
    uint32_t size; /* of the world */
    uint32_t rail; /* that this connection is */
    unsigned char nonce[CM_NONCE_BYTES];
    unsigned char proof[CM_PROOF_BYTES];
} cm_wire_greeting;

#define CM_WIRE_MAGIC "clmark\r\n"

typedef enum {
    CM_WIRE_EAGER = 1,     /* bytes of payload follow */
    CM_WIRE_READY_TO_SEND, /* rendezvous: the beginning follows, the rest waits under the handle */
    CM_WIRE_CLEAR_TO_SEND, /* the receiver of `handle` wants the data under its own, `answer` */
    CM_WIRE_DATA,          /* the rest of the payload, for the receiver's handle, follows */
    CM_WIRE_CREDIT,        /* the receiver has taken messages worth this many bytes of credit */
    CM_WIRE_GOODBYE,       /* no message begins after it: the end of this connection is no
                               failure */
    CM_WIRE_READY_STRIPED, /* as READY_TO_SEND; the rest will come over all rails: rail.c */
    CM_WIRE_STRIPE         /* a rail's part of it, for the receiver's handle, follows */
} cm_wire_kind;

/* The beginning of a rendezvous message travels ahead of the receiver's answer, in units of so many
   bytes. */
enum { CM_AHEAD_UNIT = 4096 };

/* A header and what stands between it and its payload, at most; in units of so many bytes. */
enum { CM_FRAME_BYTES = 256, CM_PAD_UNIT = 32 };

typedef struct {
    uint8_t kind;
    uint8_t pad_units;    /* of nothing between header and payload: cm_pad_units in send.c */
    uint16_t ahead_units; /* READY_...: payload that follows at once */
    uint32_t context;     /* message space of the group */
    union {
        struct {
            int32_t source; /* sender's rank in the group */
            int32_t tag;
        };
        uint64_t offset; /* STRIPE: where in the message its payload belongs */
    };
    uint64_t bytes;  /* of the message; CLEAR_TO_SEND: the receiver's handle; CREDIT:
                               returned */
    uint64_t handle; /* READY_..., CLEAR: the sender's; DATA, STRIPE: the receiver's */
} cm_wire_header;

_Static_assert(sizeof(cm_wire_greeting) == 72, "greeting has no padding");
_Static_assert(sizeof(cm_wire_header) == 32, "header has no padding");

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.h: what travels on a connection. First the initiator's greeting, then messages in both directions,
   each a header and, for EAGER and DATA, its payload. All numbers little-endian. */
#ifndef CM_WIRE_H
#define CM_WIRE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the wire format is written and read in place and is little-endian"
#endif

enum { CM_WIRE_VERSION = 1, CM_JOB_BYTES = 16 };

/* Who connects: refused unless magic, version and job agree and rank is another rank of the job. */
typedef struct {
    char magic[8];                    /* "clmark\r\n"                                               */
    uint32_t version;
    uint32_t rank;                    /* in the world                                               */
    uint32_t size;                    /* of the world                                               */
    uint32_t reserved;
    unsigned char job[CM_JOB_BYTES];  /* made by rank 0 for this run                                */
} cm_wire_greeting;

#define CM_WIRE_MAGIC "clmark\r\n"

typedef enum {
    CM_WIRE_EAGER = 1,      /* bytes of payload follow                                              */
    CM_WIRE_READY_TO_SEND,  /* rendezvous: bytes wait at the sender under its handle                */
    CM_WIRE_CLEAR_TO_SEND,  /* the receiver of `handle` wants the data under its own, `answer`      */
    CM_WIRE_DATA            /* bytes of payload for the receiver's handle follow                    */
} cm_wire_kind;

typedef struct {
    uint32_t kind;
    uint32_t context;       /* message space of the group                                           */
    int32_t source;         /* sender's rank in the group                                           */
    int32_t tag;
    uint64_t bytes;         /* of the message; CLEAR_TO_SEND: the receiver's handle                 */
    uint64_t handle;        /* READY, CLEAR: the sender's; DATA: the receiver's                     */
} cm_wire_header;

_Static_assert(sizeof(cm_wire_greeting) == 40, "greeting has no padding");
_Static_assert(sizeof(cm_wire_header) == 32, "header has no padding");

#endif

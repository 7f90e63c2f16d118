/* SPDX-License-Identifier: BSD-3-Clause */
/* trust.h: the board, a mapped file through which the ranks of a job (trust/rank.c) and the
   stranger that connects to them (trust/strangers.c) exchange information. */
#ifndef CM_TRUST_H
#define CM_TRUST_H

#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>
#include "comm/engine/wire.h"

enum { TRUST_RANKS = 128, TRUST_HANDSHAKES = 4 };

/* The long message that rank 0 waits for in mode takes. */
enum { TRUST_LONG = 400000, TRUST_TAG = 7 };

typedef struct {
    _Atomic int release; /* the test: rank 0 may go on */
    _Atomic int stop;    /* the test: all may end */
    _Atomic int wrong;   /* the ranks: how many sums or messages were wrong */
    struct {
        _Atomic int pid;
        _Atomic long rounds; /* messages and sums exchanged */
        unsigned char secret[CM_SECRET_BYTES], nonce[CM_NONCE_BYTES];
        _Atomic int handshakes;
        cm_wire_handshake handshake[TRUST_HANDSHAKES]; /* as this rank sent them */
    } rank[TRUST_RANKS];
} trust_board;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* credit.h: credit that this rank gives its peers for messages that they send without a request.
   Each message also costs CM_ENVELOPE_BYTES. */
#ifndef CM_CREDIT_H
#define CM_CREDIT_H

#include <stdbool.h>
#include <stddef.h>

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* Returns the credit that each peer has here at the start, in bytes. */
size_t cm_credit_at_start(void);

/* Gives every peer this credit. */
void cm_credit_open(void);

/* A peer's payload of `bytes` bytes arrives without a request. kept: there is no receive for it, so
   it is held until cm_credit_return. Ends the job if the payload exceeds the peer's credit. */
void cm_credit_use(int rank, size_t bytes, bool kept);

/* The program took payload that was held (return), or it is discarded (drop). */
void cm_credit_return(int rank, size_t bytes);
void cm_credit_drop(int rank, size_t bytes);

/* A peer announces a message of `bytes` bytes without payload, because it has not enough credit. */
void cm_credit_ask(int rank, size_t bytes);

/* A peer wants unused credit back. */
void cm_credit_give_up(int rank, size_t bytes);

/* A peer returns credit. Returns false if it was not asked to, or does not have that much. */
bool cm_credit_take_back(int rank, size_t bytes);

/* Call it when the peer is gone. Its messages that are held stay. */
void cm_credit_lose(int rank);

#pragma GCC visibility pop
#endif

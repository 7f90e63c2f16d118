/* SPDX-License-Identifier: BSD-3-Clause */
/* cards.h: what a rank tells the others about itself through the launcher: host, addresses, nonce,
   credit, process; rank 0 also the job's secret. */
#ifndef CM_CARDS_H
#define CM_CARDS_H

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* Opens the transport, publishes this rank's card and learns the secret. From cmrun it also gets
   all other cards at once. Other launchers give one card for each question, so a card is asked for
   when it is first needed. Returns 0, or prints one line and returns an exit status. */
int cm_cards_exchange(void);

/* Asks the launcher for a peer's card unless it is known. Ends the job if there is none. Does
   nothing once this rank waits in the last barrier, when the launcher answers no more questions. */
void cm_cards_need(int rank);

/* Returns the seconds to wait for another rank to start, and for one that connects to say who it
   is: CM_TIMEOUT_S if that is set, else at least 30. */
double cm_cards_start_limit_s(void);

void cm_cards_free(void);

#pragma GCC visibility pop
#endif

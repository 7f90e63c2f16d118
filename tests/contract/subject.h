/* SPDX-License-Identifier: BSD-3-Clause */
/* subject.h: one of the subjects of contract/contract: its points between contract_start and
   contract_done, whose names begin with its own.

       SUBJECT(p2p)
       {
           point("messages keep their order");
           ...
       }

   A subject is in the program whose sources (local.mk) have it, and runs in their order. It leaves
   nothing behind: no message, no request, no mode of the layer. */
#ifndef CM_CONTRACT_SUBJECT_H
#define CM_CONTRACT_SUBJECT_H

#include "contract.h"

typedef struct contract_entry {
    const char *name;
    void (*run)(void);
    struct contract_entry *next;
} contract_entry;

void contract_add(contract_entry *);

#define SUBJECT(word)                                                         \
    static void subject_##word(void);                                         \
    __attribute__((constructor)) static void add_##word(void)                 \
    {                                                                         \
        static contract_entry entry = {.name = #word, .run = subject_##word}; \
        contract_add(&entry);                                                 \
    }                                                                         \
    static void subject_##word(void)

#endif

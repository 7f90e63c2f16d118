/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_sequence.c: which datagrams arrived, in which order, and how often. */
#include <stdlib.h>
#include <string.h>
#include "sockets.h"

enum { BITS = 64, WORDS = SOCKETS_WINDOW / BITS };

bool sockets_sequence_open(sockets_sequence *sequence)
{
    memset(sequence, 0, sizeof *sequence);
    sequence->seen = calloc(WORDS, sizeof *sequence->seen);
    return sequence->seen != NULL;
}

void sockets_sequence_close(sockets_sequence *sequence) { free(sequence->seen); }

/* Moves the window over numbers begin to end - 1, which have not arrived. */
static void forget(sockets_sequence *sequence, uint64_t begin, uint64_t end)
{
    if (end - begin >= SOCKETS_WINDOW) {
        memset(sequence->seen, 0, WORDS * sizeof *sequence->seen);
        return;
    }
    for (uint64_t k = begin; k < end; k++)
        sequence->seen[k / BITS % WORDS] &= ~((uint64_t)1 << (k % BITS));
}

void sockets_sequence_add(sockets_sequence *sequence, uint64_t number)
{
    uint64_t *word = &sequence->seen[number / BITS % WORDS], bit = (uint64_t)1 << (number % BITS);
    if (number >= sequence->next) {
        forget(sequence, sequence->next, number + 1);
        sequence->next = number + 1;
    } else if (sequence->next - number > SOCKETS_WINDOW) {
        sequence->late++;
        return;
    } else if (*word & bit) {
        sequence->duplicated++;
        return;
    } else {
        sequence->reordered++;
    }
    *word |= bit;
    sequence->received++;
}

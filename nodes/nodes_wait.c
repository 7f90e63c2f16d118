/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_wait.c: waits asleep, and lets all ranks meet. */
#include <time.h>
#include "nodes.h"

void nodes_wait(void *data, size_t bytes, int source, int tag)
{
    /* Not a compound literal, because SMPI makes nanosleep a macro. */
    struct timespec pause = {0, 20000};
    const long longest_ns = 200000;
    while (!cm_iprobe(cm_world(), source, tag, NULL)) {
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < longest_ns) pause.tv_nsec += pause.tv_nsec / 4;
    }
    cm_recv(cm_world(), data, bytes, source, tag, NULL);
}

/* A binomial tree, up and down. */
static int32_t meet(int32_t word, bool any)
{
    const int rank = cm_rank(cm_world()), ranks = cm_size(cm_world());
    int32_t from_below;
    int bit = 1;
    for (; bit < ranks && !(rank & bit); bit *= 2)
        if (rank + bit < ranks) {
            nodes_wait(&from_below, sizeof from_below, rank + bit, NODES_TAG_MEET);
            if (any) word |= from_below;
        }
    if (rank > 0) {
        cm_send(cm_world(), &word, sizeof word, rank - bit, NODES_TAG_MEET);
        nodes_wait(&word, sizeof word, rank - bit, NODES_TAG_MEET);
    }
    for (bit /= 2; bit > 0; bit /= 2)
        if (rank + bit < ranks) cm_send(cm_world(), &word, sizeof word, rank + bit, NODES_TAG_MEET);
    return word;
}

int32_t nodes_meet(int32_t word) { return meet(word, false); }

int32_t nodes_meet_any(int32_t word) { return meet(word, true); }

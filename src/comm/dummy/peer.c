/* SPDX-License-Identifier: BSD-3-Clause */
/* peer.c: the behavior of an echo peer; the numbered rules are in dummy.h. */
#include "dummy.h"

#include <math.h>
#include <string.h>

enum { KEPT_MESSAGES = 1024, KEPT_BYTES = 16 << 20 };

void cm_dummy_peer_hear(cm_group *group, int peer, const void *data, size_t bytes, int tag,
                        double arrival_s)
{
    cm_dummy_turn *turn = &group->turn[peer];
    if (turn->asked) {
        cm_dummy_queue_clear(&turn->heard);
        turn->messages = turn->bytes = 0;
        turn->asked = false;
    }
    turn->ready_s = arrival_s;
    bool keep = !turn->messages
                || (turn->messages < KEPT_MESSAGES && bytes <= KEPT_BYTES
                    && turn->bytes <= KEPT_BYTES - bytes);
    if (!keep) return;
    cm_dummy_message *message = cm_dummy_message_new(peer, tag, bytes);
    if (bytes) memcpy(message->payload, data, bytes);
    cm_dummy_queue_add(&turn->heard, message);
    turn->messages++;
    turn->bytes += bytes;
}

cm_dummy_message *cm_dummy_peer_send(int peer, int tag, size_t bytes, const void *data,
                                     size_t data_bytes, double start_s)
{
    cm_dummy_message *message = cm_dummy_message_new(peer, tag, bytes);
    if (data_bytes > bytes) data_bytes = bytes;
    if (data_bytes) memcpy(message->payload, data, data_bytes);
    if (bytes > data_bytes) memset(message->payload + data_bytes, 0, bytes - data_bytes);
    if (bytes && cm_dummy_chance(cm_dummy->corrupt)) {
        uint64_t bit = cm_dummy_random();
        message->payload[(bit >> 3) % bytes] ^= (unsigned char)(1u << (bit & 7));
    }
    start_s = cm_dummy_peer_leaves_s(peer, start_s);
    message->time_s = cm_dummy_travel(CM_DUMMY_IN, peer, bytes, start_s).arrived_s;
    return message;
}

/* Returns the peer that rule 2 (exact) or 3 would choose, 0 if there is none. */
static int choose(cm_group *group, int source, int tag, bool exact)
{
    if (source != CM_ANY)
        return cm_dummy_queue_find(&group->turn[source].heard, CM_ANY, exact ? tag : CM_ANY, false)
                   ? source
                   : 0;
    int best = 0;
    for (int k = 1; k < group->base.size; k++)
        if (cm_dummy_queue_find(&group->turn[k].heard, CM_ANY, exact ? tag : CM_ANY, false)
            && (!best || group->turn[k].ready_s < group->turn[best].ready_s))
            best = k;
    return best;
}

cm_dummy_message *cm_dummy_peer_ask(cm_group *group, int source, int tag, size_t capacity,
                                    bool probe, bool force)
{
    cm_dummy_message *answer;
    int peer = choose(group, source, tag, true);
    if (peer) { /* rule 2 */
        cm_dummy_turn *turn = &group->turn[peer];
        cm_dummy_message *heard = cm_dummy_queue_find(&turn->heard, CM_ANY, tag, true);
        size_t bytes = probe || heard->bytes < capacity ? heard->bytes : capacity;
        answer = cm_dummy_peer_send(peer, heard->tag, bytes, heard->payload, heard->bytes,
                                    turn->ready_s);
        cm_dummy_message_free(heard);
    } else if (!force) {
        return NULL;
    } else if ((peer = choose(group, source, CM_ANY, false))) { /* rule 3 */
        cm_dummy_turn *turn = &group->turn[peer];
        const cm_dummy_message *last = turn->heard.first;
        while (last->next) last = last->next;
        answer = cm_dummy_peer_send(peer, tag, probe ? last->bytes : capacity, last->payload,
                                    last->bytes, turn->ready_s);
        cm_dummy_message_free(cm_dummy_queue_find(&turn->heard, CM_ANY, CM_ANY, true));
    } else { /* rule 4 */
        peer = source;
        if (source == CM_ANY) {
            peer = group->next_peer;
            group->next_peer = peer + 1 < group->base.size ? peer + 1 : 1;
        }
        answer = cm_dummy_peer_send(peer, tag == CM_ANY ? 0 : tag, probe ? 0 : capacity, NULL, 0,
                                    cm_dummy_now_s());
    }
    group->turn[peer].asked = true;
    return answer;
}

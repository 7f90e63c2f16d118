/* SPDX-License-Identifier: BSD-3-Clause */
/* match.c: matches messages with receives. Receives from one source wait in that peer's queue,
   receives from any source in another one; the order of posting decides between the two. Unexpected
   messages are in their peer's queue and, for receives from any source, in a queue of all, both in
   order of arrival.
   A short queue is searched from its beginning. When a queue gets long, its elements are also put
   into bins (bins.c) by what they wait for, until the queue is empty again: receives by source and
   tag as posted, CM_ANY included, so that a message looks into four bins; messages by source and
   tag, and for receives from any source by tag. A receive of any tag still searches the queue, in
   which it has to skip only the messages of other groups. */
#include "config.h"
#include "comm/engine/engine.h"

/* Elements of a queue up to which searching it costs less than hashing. */
enum { LONG_QUEUE = 64 };

static bool fits(uint32_t context, int32_t source, int32_t tag, uint32_t message_context,
                 int32_t message_source, int32_t message_tag)
{
    return context == message_context && (source == CM_ANY || source == message_source)
           && (tag == CM_ANY || tag == message_tag);
}

static cm_bin_key key_of(cm_bin_kind kind, uint32_t context, int peer, int32_t tag)
{
    return (cm_bin_key){context, peer, tag, kind};
}

/* ---- Receives -------------------------------------------------------------------------------- */

static cm_request *of_link(cm_bin_link *link)
{
    return link ? (cm_request *)((char *)link - offsetof(cm_request, bin)) : NULL;
}

static cm_request *first_fit(cm_request *receive, uint32_t context, int32_t source, int32_t tag)
{
    while (receive && !fits(receive->context, receive->source, receive->tag, context, source, tag))
        receive = receive->next;
    return receive;
}

static cm_request *earlier(cm_request *a, cm_request *b)
{
    return !a || (b && b->order < a->order) ? b : a;
}

/* All receives of a key have one source, so the first one fits or none does. */
static cm_request *first_binned(uint32_t context, int32_t source, int32_t tag, int peer)
{
    cm_request *exact =
        of_link(cm_bins_first(&engine.bins, key_of(CM_BIN_RECEIVES, context, peer, tag)));
    cm_request *any_tag =
        of_link(cm_bins_first(&engine.bins, key_of(CM_BIN_RECEIVES, context, peer, CM_ANY)));
    cm_request *receive = earlier(exact, any_tag);
    bool right = receive && (receive->source == CM_ANY || receive->source == source);
    return right ? receive : NULL;
}

cm_request *cm_match_posted(uint32_t context, int32_t source, int32_t tag, int peer)
{
    const cm_queue *queue = &engine.peer[peer].posted, *any = &engine.any;
    cm_request *named = __builtin_expect(queue->binned, 0)
                            ? first_binned(context, source, tag, peer)
                            : first_fit(queue->first, context, source, tag);
    cm_request *of_any = __builtin_expect(any->binned, 0)
                             ? first_binned(context, source, tag, CM_ANY)
                             : first_fit(any->first, context, source, tag);
    cm_request *receive = earlier(named, of_any);
    if (receive) {
        cm_match_unpost(receive);
        receive->matched = true;
    }
    return receive;
}

static cm_queue *queue_of(const cm_request *receive)
{
    return receive->peer == CM_ANY ? &engine.any : &engine.peer[receive->peer].posted;
}

static void put_into_bin(cm_request *receive)
{
    cm_bins_add(&engine.bins,
                key_of(CM_BIN_RECEIVES, receive->context, receive->peer, receive->tag),
                &receive->bin);
}

__attribute__((noinline)) static void put_all_into_bins(cm_queue *queue)
{
    for (cm_request *receive = queue->first; receive; receive = receive->next) {
        cm_bins_remove(&engine.bins, &receive->bin);
        put_into_bin(receive);
    }
    queue->binned = true;
}

void cm_match_post(cm_request *receive)
{
    cm_queue *queue = queue_of(receive);
    receive->order = ++engine.posted;
    receive->previous = queue->last;
    receive->next = NULL;
    if (queue->last) queue->last->next = receive;
    else queue->first = receive;
    queue->last = receive;
    if (__builtin_expect(++queue->n <= LONG_QUEUE && !queue->binned, 1)) return;
    if (queue->binned) put_into_bin(receive);
    else put_all_into_bins(queue);
}

void cm_match_repost(cm_request *receive)
{
    cm_queue *queue = queue_of(receive);
    cm_request *before = queue->last;
    while (before && before->order > receive->order) before = before->previous;
    cm_request *after = before ? before->next : queue->first;
    receive->matched = false;
    receive->previous = before;
    receive->next = after;
    if (before) before->next = receive;
    else queue->first = receive;
    if (after) after->previous = receive;
    else queue->last = receive;
    queue->n++;
    if (queue->binned) put_all_into_bins(queue); /* in their order */
}

void cm_match_unpost(cm_request *receive)
{
    cm_queue *queue = queue_of(receive);
    if (receive->previous) receive->previous->next = receive->next;
    else queue->first = receive->next;
    if (receive->next) receive->next->previous = receive->previous;
    else queue->last = receive->previous;
    receive->previous = receive->next = NULL;
    queue->n--;
    if (__builtin_expect(!queue->binned, 1)) return;
    cm_bins_remove(&engine.bins, &receive->bin);
    if (!queue->n) queue->binned = false;
}

/* ---- Messages -------------------------------------------------------------------------------- */

static cm_message *first_in_bin(uint32_t context, int32_t source, int32_t tag, int peer)
{
    const size_t offset =
        peer == CM_ANY ? offsetof(cm_message, tag_bin) : offsetof(cm_message, peer_bin);
    cm_bin_link *link = cm_bins_first(&engine.bins, key_of(CM_BIN_MESSAGES, context, peer, tag));
    for (; link; link = link->next) {
        cm_message *message = (cm_message *)((char *)link - offset);
        if (source == CM_ANY || source == message->source) return message;
    }
    return NULL;
}

cm_message *cm_match_unexpected(uint32_t context, int32_t source, int32_t tag, int peer)
{
    const bool binned = peer == CM_ANY ? engine.messages_binned : engine.peer[peer].messages_binned;
    if (__builtin_expect(binned && tag != CM_ANY, 0))
        return first_in_bin(context, source, tag, peer);
    cm_message *message = peer == CM_ANY ? engine.message_first : engine.peer[peer].message_first;
    while (message && !fits(context, source, tag, message->context, message->source, message->tag))
        message = peer == CM_ANY ? message->next : message->peer_next;
    return message;
}

static void put_into_peer_bin(cm_message *message)
{
    cm_bins_add(&engine.bins,
                key_of(CM_BIN_MESSAGES, message->context, message->peer, message->tag),
                &message->peer_bin);
}

static void put_into_tag_bin(cm_message *message)
{
    cm_bins_add(&engine.bins, key_of(CM_BIN_MESSAGES, message->context, CM_ANY, message->tag),
                &message->tag_bin);
}

/* The message is the last one of both queues. */
static void keep_in_bins(cm_message *message)
{
    cm_peer *peer = &engine.peer[message->peer];
    if (peer->messages_binned) {
        put_into_peer_bin(message);
    } else if (peer->messages > LONG_QUEUE) {
        for (cm_message *m = peer->message_first; m; m = m->peer_next) put_into_peer_bin(m);
        peer->messages_binned = true;
    }
    if (engine.messages_binned) {
        put_into_tag_bin(message);
    } else if (engine.messages > LONG_QUEUE) {
        for (cm_message *m = engine.message_first; m; m = m->next) put_into_tag_bin(m);
        engine.messages_binned = true;
    }
}

void cm_match_keep(cm_message *message)
{
    cm_peer *peer = &engine.peer[message->peer];
    message->previous = engine.message_last;
    message->next = NULL;
    if (engine.message_last) engine.message_last->next = message;
    else engine.message_first = message;
    engine.message_last = message;
    message->peer_previous = peer->message_last;
    message->peer_next = NULL;
    if (peer->message_last) peer->message_last->peer_next = message;
    else peer->message_first = message;
    peer->message_last = message;
    peer->messages++;
    /* A peer's queue is no longer than that of all, and empty when that is. */
    if (__builtin_expect(++engine.messages > LONG_QUEUE || engine.messages_binned, 0))
        keep_in_bins(message);
}

void cm_match_drop(cm_message *message)
{
    cm_peer *peer = &engine.peer[message->peer];
    if (message->previous) message->previous->next = message->next;
    else engine.message_first = message->next;
    if (message->next) message->next->previous = message->previous;
    else engine.message_last = message->previous;
    if (message->peer_previous) message->peer_previous->peer_next = message->peer_next;
    else peer->message_first = message->peer_next;
    if (message->peer_next) message->peer_next->peer_previous = message->peer_previous;
    else peer->message_last = message->peer_previous;
    peer->messages--;
    engine.messages--;
    if (__builtin_expect(!engine.messages_binned, 1)) return;
    cm_bins_remove(&engine.bins, &message->peer_bin);
    cm_bins_remove(&engine.bins, &message->tag_bin);
    if (!peer->messages) peer->messages_binned = false;
    if (!engine.messages) engine.messages_binned = false;
}

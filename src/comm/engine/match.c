/* SPDX-License-Identifier: BSD-3-Clause */
/* match.c: matches messages with receives. Receives from one source wait in that peer's queue,
   receives from any source in another one; the order of posting decides between the two. Unexpected
   messages are in their peer's queue in order of arrival. Receives from any source take turns
   between the peers, so that a peer that sends without end keeps no other one waiting. A short
   queue is searched from its beginning. When a queue gets long, its elements are also put into bins
   (bins.c) by what they wait for, until the queue is empty again: receives by source and tag as
   posted, CM_ANY included, so that a message looks into four bins; messages by source and tag,
   where the bins of one tag take turns. A receive of any tag still searches the queue, in which it
   has to skip only the messages of other groups. */
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

static cm_message *first_of_peer(const cm_peer *peer, uint32_t context, int32_t source, int32_t tag)
{
    cm_message *message = peer->message_first;
    while (message && !fits(context, source, tag, message->context, message->source, message->tag))
        message = message->peer_next;
    return message;
}

static cm_message *of_message_link(cm_bin_link *link)
{
    return link ? (cm_message *)((char *)link - offsetof(cm_message, bin)) : NULL;
}

static cm_message *first_in_bin(uint32_t context, int32_t source, int32_t tag, int peer)
{
    cm_bin_link *link = cm_bins_first(&engine.bins, key_of(CM_BIN_MESSAGES, context, peer, tag));
    while (link && of_message_link(link)->source != source) link = link->next;
    return of_message_link(link);
}

/* ---- Turns: receives and probes from any source ---------------------------------------------- */

static bool turn_is_binned(int32_t tag) { return engine.messages_binned && tag != CM_ANY; }

static cm_message *oldest_of_any(uint32_t context, int32_t tag)
{
    cm_message *message = engine.message_first;
    while (message && !fits(context, CM_ANY, tag, message->context, message->source, message->tag))
        message = message->next;
    return message;
}

/* The order of the peers is one for all groups and tags, so receives of other messages could keep a
   peer from its turn for ever. Therefore no message is passed over more than `size` times once it
   is the oldest. */
static cm_message *first_in_turn(uint32_t context, int32_t tag)
{
    if (turn_is_binned(tag))
        return of_message_link(
            cm_bins_first_in_turn(&engine.bins, key_of(CM_BIN_MESSAGES, context, CM_ANY, tag)));
    cm_message *oldest = oldest_of_any(context, tag), *message = NULL;
    if (!oldest || oldest->passed >= engine.size) return oldest;
    for (const cm_peer *peer = engine.waits_first; !message; peer = peer->waits_after)
        message = first_of_peer(peer, context, CM_ANY, tag);
    return message;
}

static void wait_last(cm_peer *peer)
{
    peer->waits_before = engine.waits_last;
    peer->waits_after = NULL;
    if (engine.waits_last) engine.waits_last->waits_after = peer;
    else engine.waits_first = peer;
    engine.waits_last = peer;
}

static void wait_no_more(const cm_peer *peer)
{
    if (peer->waits_before) peer->waits_before->waits_after = peer->waits_after;
    else engine.waits_first = peer->waits_after;
    if (peer->waits_after) peer->waits_after->waits_before = peer->waits_before;
    else engine.waits_last = peer->waits_before;
}

static void end_turn(cm_message *message, int32_t tag)
{
    cm_peer *peer = &engine.peer[message->peer];
    if (!turn_is_binned(tag)) {
        cm_message *oldest = oldest_of_any(message->context, tag);
        if (oldest != message) oldest->passed++;
    }
    if (engine.messages_binned) cm_bins_turned(&message->bin);
    wait_no_more(peer);
    wait_last(peer);
}

/* Returns true if the last probe found a message that this receive or probe has to get. */
static bool was_probed(uint32_t context, int32_t tag)
{
    const cm_message *found = engine.probed;
    return found && found->context == context
           && (engine.probed_tag == tag || (engine.probed_tag == CM_ANY && found->tag == tag));
}

/* ---- Messages that are kept ------------------------------------------------------------------ */

static cm_message *find(uint32_t context, int32_t source, int32_t tag, int peer)
{
    if (peer == CM_ANY) {
        const bool again = __builtin_expect(was_probed(context, tag), 0);
        return again ? (cm_message *)engine.probed : first_in_turn(context, tag);
    }
    if (__builtin_expect(turn_is_binned(tag), 0)) return first_in_bin(context, source, tag, peer);
    return first_of_peer(&engine.peer[peer], context, source, tag);
}

cm_message *cm_match_take(uint32_t context, int32_t source, int32_t tag, int peer)
{
    cm_message *message = find(context, source, tag, peer);
    if (!message) return NULL;
    if (peer == CM_ANY || message == engine.probed) end_turn(message, tag);
    cm_match_drop(message);
    return message;
}

const cm_message *cm_match_probe(uint32_t context, int32_t source, int32_t tag, int peer)
{
    const cm_message *message = find(context, source, tag, peer);
    if (message && peer == CM_ANY) {
        engine.probed = message;
        engine.probed_tag = tag;
    }
    return message;
}

static void put_into_message_bin(cm_message *message)
{
    cm_bins_add_in_turn(&engine.bins,
                        key_of(CM_BIN_MESSAGES, message->context, message->peer, message->tag),
                        &message->bin);
}

static void put_all_into_message_bins(void)
{
    for (const cm_peer *peer = engine.waits_first; peer; peer = peer->waits_after)
        for (cm_message *m = peer->message_first; m; m = m->peer_next) put_into_message_bin(m);
    engine.messages_binned = true;
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
    if (!peer->messages++) wait_last(peer);
    if (__builtin_expect(++engine.messages <= LONG_QUEUE && !engine.messages_binned, 1)) return;
    if (engine.messages_binned) put_into_message_bin(message);
    else put_all_into_message_bins();
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
    if (!--peer->messages) wait_no_more(peer);
    engine.messages--;
    if (__builtin_expect(engine.probed == message, 0)) engine.probed = NULL;
    if (__builtin_expect(!engine.messages_binned, 1)) return;
    cm_bins_remove_in_turn(&engine.bins, &message->bin);
    if (!engine.messages) engine.messages_binned = false;
}

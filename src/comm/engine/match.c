/* SPDX-License-Identifier: BSD-3-Clause */
/* match.c: which message goes to which receive. Receives from one source wait in that peer's queue,
   receives from any in one of their own; their order of posting decides between the two. Unexpected
   messages stand in their peer's queue and, for receives from any source, in one queue of all, both
   in order of arrival. */
#include "config.h"
#include "comm/engine/engine.h"

static bool fits(uint32_t context, int32_t source, int32_t tag, uint32_t message_context,
                 int32_t message_source, int32_t message_tag)
{
    return context == message_context && (source == CM_ANY || source == message_source)
           && (tag == CM_ANY || tag == message_tag);
}

static cm_request *first_fit(cm_request *receive, uint32_t context, int32_t source, int32_t tag)
{
    while (receive && !fits(receive->context, receive->source, receive->tag, context, source, tag))
        receive = receive->next;
    return receive;
}

cm_request *cm_match_posted(uint32_t context, int32_t source, int32_t tag, int peer)
{
    cm_request *named = first_fit(engine.peer[peer].posted_first, context, source, tag);
    cm_request *any = first_fit(engine.any_first, context, source, tag);
    cm_request *receive = !named || (any && any->order < named->order) ? any : named;
    if (receive) {
        cm_match_unpost(receive);
        receive->matched = true;
    }
    return receive;
}

static void queue_of(const cm_request *receive, cm_request ***first, cm_request ***last)
{
    bool any = receive->peer == CM_ANY;
    *first = any ? &engine.any_first : &engine.peer[receive->peer].posted_first;
    *last = any ? &engine.any_last : &engine.peer[receive->peer].posted_last;
}

void cm_match_post(cm_request *receive)
{
    cm_request **first, **last;
    queue_of(receive, &first, &last);
    receive->order = ++engine.posted;
    receive->previous = *last;
    receive->next = NULL;
    if (*last) (*last)->next = receive;
    else *first = receive;
    *last = receive;
}

void cm_match_repost(cm_request *receive)
{
    cm_request **first, **last;
    queue_of(receive, &first, &last);
    cm_request *before = *last;
    while (before && before->order > receive->order) before = before->previous;
    cm_request *after = before ? before->next : *first;
    receive->matched = false;
    receive->previous = before;
    receive->next = after;
    if (before) before->next = receive;
    else *first = receive;
    if (after) after->previous = receive;
    else *last = receive;
}

void cm_match_unpost(cm_request *receive)
{
    cm_request **first, **last;
    queue_of(receive, &first, &last);
    if (receive->previous) receive->previous->next = receive->next;
    else *first = receive->next;
    if (receive->next) receive->next->previous = receive->previous;
    else *last = receive->previous;
    receive->previous = receive->next = NULL;
}

cm_message *cm_match_unexpected(uint32_t context, int32_t source, int32_t tag, int peer)
{
    cm_message *message = peer == CM_ANY ? engine.message_first : engine.peer[peer].message_first;
    while (message && !fits(context, source, tag, message->context, message->source, message->tag))
        message = peer == CM_ANY ? message->next : message->peer_next;
    return message;
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
}

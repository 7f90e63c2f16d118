/* SPDX-License-Identifier: BSD-3-Clause */
/* match.c: random posts, arrivals and cancels, matched by src/comm/engine/match.c, against lists
   that are searched from the beginning. Queues are short at times and long at others. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "comm/engine/engine.h"
#include "random/random.h"
#include "tap.h"

enum { PEERS = 5, CONTEXTS = 3, MOST = 8192 };

/* All that match.c needs of the engine. */
cm_engine engine;

void *cm_engine_allocate(size_t bytes, const char *what)
{
    void *memory = malloc(bytes);
    (void)what;
    if (!memory) abort();
    return memory;
}

/* ---- The reference --------------------------------------------------------------------------- */

typedef struct {
    uint32_t context;
    int32_t source, tag; /* or CM_ANY */
    int peer;
    void *real; /* its counterpart in the engine; NULL: gone */
    bool away;  /* a receive that was matched and may be posted again */
} item;

/* In the order of posting and of arrival. */
typedef struct {
    item item[MOST];
    int n;
} items;

static items receives, messages;

static bool fit(const item *receive, const item *message)
{
    return receive->context == message->context
           && (receive->source == CM_ANY || receive->source == message->source)
           && (receive->tag == CM_ANY || receive->tag == message->tag);
}

static item *first_receive(const item *message)
{
    for (item *i = receives.item; i < receives.item + receives.n; i++)
        if (i->real && !i->away && fit(i, message)) return i;
    return NULL;
}

static item *first_message(const item *receive)
{
    for (item *i = messages.item; i < messages.item + messages.n; i++)
        if (i->real && fit(receive, i)) return i;
    return NULL;
}

static void append(items *all, item new)
{
    if (all->n == MOST) {
        all->n = 0;
        for (int i = 0; i < MOST; i++)
            if (all->item[i].real) all->item[all->n++] = all->item[i];
    }
    if (all->n == MOST) abort();
    all->item[all->n++] = new;
}

/* ---- Events ---------------------------------------------------------------------------------- */

static uint64_t state = 1;
static int tags, wrong;

static int below(int n) { return (int)(cm_random_next(&state) % (uint64_t)n); }

/* The ranks of a group need not be numbered as in the world. */
static item draw(bool may_be_any)
{
    const uint32_t context = (uint32_t)below(CONTEXTS);
    const int peer = may_be_any && !below(4) ? CM_ANY : below(PEERS);
    return (item){.context = context,
                  .peer = peer,
                  .source = peer == CM_ANY || !context ? peer : PEERS - 1 - peer,
                  .tag = may_be_any && !below(8) ? CM_ANY : below(tags)};
}

static void arrive(void)
{
    item message = draw(false), *want = first_receive(&message);
    cm_request *got = cm_match_posted(message.context, message.source, message.tag, message.peer);
    wrong += got != (want ? want->real : NULL) || (got && !got->matched);
    if (got && want) {
        want->away = true;
    } else if (!got) {
        cm_message *real = calloc(1, sizeof *real);
        if (!real) abort();
        *real = (cm_message){.context = message.context,
                             .source = message.source,
                             .tag = message.tag,
                             .peer = message.peer};
        cm_match_keep(real);
        message.real = real;
        append(&messages, message);
    }
}

/* A receive from any source may get the first message of each source. */
static item *expected(const item *receive, const cm_message *got)
{
    item from_its_source = *receive;
    if (got && receive->peer == CM_ANY) from_its_source.source = got->source;
    return first_message(&from_its_source);
}

static void post(void)
{
    item receive = draw(true);
    const cm_message *found = NULL;
    const bool probes = !below(4);
    if (probes) found = cm_match_probe(receive.context, receive.source, receive.tag, receive.peer);
    cm_message *got = cm_match_take(receive.context, receive.source, receive.tag, receive.peer);
    item *want = expected(&receive, got);
    wrong += got != (want ? want->real : NULL) || (probes && got != found);
    if (got && want) {
        free(got);
        want->real = NULL;
    } else if (!got) {
        cm_request *real = calloc(1, sizeof *real);
        if (!real) abort();
        real->context = receive.context;
        real->source = receive.source;
        real->tag = receive.tag;
        real->peer = receive.peer;
        cm_match_post(real);
        receive.real = real;
        append(&receives, receive);
    }
}

/* Some receive is cancelled; or it was matched and is now either freed or, if it is for any source,
   posted again. */
static void change(void)
{
    item *receive = receives.n ? &receives.item[below(receives.n)] : NULL;
    if (!receive || !receive->real) return;
    if (receive->away && receive->peer == CM_ANY && below(2)) {
        cm_match_repost(receive->real);
        receive->away = false;
        return;
    }
    if (!receive->away) cm_match_unpost(receive->real);
    free(receive->real);
    receive->real = NULL;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* What is left is received, and all receives are cancelled. */
static void clear(void)
{
    for (item *i = receives.item; i < receives.item + receives.n; i++) {
        if (i->real && !i->away) cm_match_unpost(i->real);
        free(i->real);
    }
    for (item *i = messages.item; i < messages.item + messages.n; i++) {
        if (!i->real) continue;
        cm_match_drop(i->real);
        free(i->real);
    }
    receives.n = messages.n = 0;
}

/* arrivals and changes are among 100 events; the others are posts. */
static void run(int events, int arrivals, int changes, int of_tags)
{
    int longest = 0, binned = 0;
    wrong = 0;
    tags = of_tags;
    for (int i = 0; i < events; i++) {
        const int what = below(100);
        if (what < arrivals) arrive();
        else if (what < arrivals + changes) change();
        else post();
        for (int rank = 0; rank < PEERS; rank++) {
            if (engine.peer[rank].posted.n > longest) longest = engine.peer[rank].posted.n;
            binned += engine.peer[rank].posted.binned || engine.messages_binned;
        }
        if (engine.messages > longest) longest = engine.messages;
    }
    clear();
    bool empty = !engine.any.n && !engine.messages && !engine.bins.n && !engine.any.binned;
    for (int rank = 0; rank < PEERS; rank++)
        empty = empty && !engine.peer[rank].posted.n && !engine.peer[rank].posted.binned
                && !engine.peer[rank].messages;
    empty = empty && !engine.messages_binned && !engine.waits_first && !engine.waits_last;
    ok(!wrong, "%d events with %d tags: queues of up to %d, %s bins", events, of_tags, longest,
       binned ? "with" : "without");
    ok(empty, "then nothing is left");
}

/* ---- Turns ----------------------------------------------------------------------------------- */

static void keep(int peer, int tag)
{
    cm_message *message = calloc(1, sizeof *message);
    if (!message) abort();
    *message = (cm_message){.source = peer, .tag = tag, .peer = peer};
    cm_match_keep(message);
}

/* Returns the source of the message that a receive from any source gets, or -1. */
static int taken_from(int tag)
{
    cm_message *message = cm_match_take(0, CM_ANY, tag, CM_ANY);
    const int peer = message ? message->peer : -1;
    free(message);
    return peer;
}

/* The first peer's messages come first, and so on; they are taken one of each. */
static void take_in_turn(int each, int tag)
{
    int uneven = 0;
    for (int peer = 0; peer < PEERS; peer++)
        for (int k = 0; k < each; k++) keep(peer, 7);
    for (int k = 0; k < each * PEERS; k++) uneven += taken_from(tag) != k % PEERS;
    ok(!uneven && taken_from(tag) < 0, "%d messages of each peer, tag %d: one of each in turn",
       each, tag);
}

/* Peer 1 has its turn with each message of tag 7, and only one message of tag 5. */
static void take_the_oldest(void)
{
    int passed = 0;
    keep(0, 5);
    keep(1, 5);
    keep(0, 5);
    for (int from = 0; from != 1 && passed < 1000; passed++) {
        keep(1, 7);
        keep(0, 5);
        taken_from(7);
        from = taken_from(5);
    }
    ok(passed <= PEERS + 2, "the oldest message is passed over by %d", passed);
    while (taken_from(CM_ANY) >= 0) {}
}

int main(void)
{
    engine.size = PEERS;
    engine.peer = calloc(PEERS, sizeof *engine.peer);
    if (!engine.peer) return 1;
    run(20000, 45, 10, 3);
    run(20000, 35, 30, 50);
    run(8000, 10, 5, 2000);
    run(8000, 90, 5, 2000);
    run(10000, 48, 4, 2000);
    for (int turn = 0; turn < 20; turn++) run(800, 20 + 60 * (turn % 2), 10, 5 + 200 * (turn % 3));
    take_in_turn(5, 7);
    take_in_turn(5, CM_ANY);
    take_in_turn(200, 7);
    take_in_turn(200, CM_ANY);
    take_the_oldest();
    cm_bins_free(&engine.bins);
    ok(!engine.bins.n && !engine.bins.bucket, "the bins are freed");
    free(engine.peer);
    return tap_done();
}

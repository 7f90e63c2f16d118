/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule.c: records collective operations as rounds of messages and local steps, and runs
   them. */
#include <stdlib.h>
#include <string.h>
#include "comm/block_copy.h"
#include "comm/collective.h"

/* Tags repeat after this many operations on a group. Operations with the same tag are then still
   kept apart by the order of their messages, unless they overlap. */
enum { TAG_MASK = 0x7fff };

enum {
    ALIGNMENT = 64,
    IDLE_SCHEDULES = 16,        /* what a thread keeps for later operations: this many schedules, */
    IDLE_STEPS = 1 << 14,       /* this many steps in each, */
    IDLE_STAGE_BYTES = 64 << 20 /* and this much memory for partial results in all of them
                                   together */
};

/* Messages come first, local steps begin with REDUCE. */
typedef enum { SEND, RECV, SEND_PART, RECV_PART, REDUCE, COPY, CALL } step_kind;

typedef struct {
    const void *from; /* ..._PART: the cm_schedule_part; RECV: the length that an offer or the
                         message before a block stands for, or NULL */
    void *to;         /* CALL: the context */
    union {
        size_t length; /* bytes; REDUCE: elements */
        cm_schedule_function *function;
    };
    int peer;
    uint8_t kind; /* step_kind */
    bool opens;   /* the first step of a round */
    bool offers;  /* the other rank may make an offer instead */
} step;

struct thread_state;

struct cm_schedule {
    cm_group *group; /* the group whose message space is used */
    cm_collective collective;
    cm_type type;
    cm_op op;
    int tag;
    cm_schedule_offered *offered; /* reads an offer */
    bool offers;                  /* messages that are added now may be offers */

    step *steps;
    size_t n_steps, step_capacity;
    bool open_round; /* the next step opens a round */
    cm_request **requests;
    size_t request_capacity;
    const int *among; /* what peers are indices of; NULL: ranks of the group */
    struct {
        char *data;
        size_t bytes;
    } stage[CM_SCHEDULE_STAGES];
    int stages; /* used so far */

    /* Progress of a started schedule. The current round begins at steps[round]. Once posted, its
       messages are requests[0 .. n_posted); those below open are complete. */
    size_t round, n_posted, open;
    size_t local; /* if its messages are complete: its next local step */
    bool posted, exchanged, complete;

    cm_schedule *next, *previous; /* in the list of pending schedules, or (next) of idle ones */
    struct thread_state *owner;   /* the thread in whose list it is; NULL if it is not pending */
};

/* The only writable global: blocking calls must not allocate memory. In the tests a rank is a
   thread; elsewhere there is one thread. */
static _Thread_local struct thread_state {
    cm_schedule *first, *last; /* pending schedules in the order in which they were started */
    cm_schedule *idle;
    int n_idle;
    size_t idle_stage_bytes;
    bool advancing; /* a backend's test may call this file again through cm_progress */
    bool working;   /* a pending schedule left local work */
} here;

/* ---- Recording ------------------------------------------------------------------------------- */

static _Noreturn void out_of_memory(const cm_schedule *s, size_t bytes, const char *what)
{
    cm_abort(CM_EXIT_SYSTEM, "cm_%s: out of memory: %zu bytes of %s",
             cm_collective_name(s->collective), bytes, what);
}

static size_t stage_bytes(const cm_schedule *s)
{
    size_t sum = 0;
    for (int k = 0; k < CM_SCHEDULE_STAGES; k++) sum += s->stage[k].bytes;
    return sum;
}

cm_schedule *cm_schedule_begin(cm_group *group, cm_collective collective, cm_type type, cm_op op)
{
    cm_schedule *s = here.idle;
    if (s) {
        here.idle = s->next;
        here.n_idle--;
        here.idle_stage_bytes -= stage_bytes(s);
    } else {
        s = calloc(1, sizeof *s);
        if (!s)
            cm_abort(CM_EXIT_SYSTEM, "cm_%s: out of memory: %zu bytes of schedule",
                     cm_collective_name(collective), sizeof *s);
    }
    cm_group_base *base = cm_group_base_of(group);
    s->group = base->shadow ? base->shadow : group;
    s->collective = collective;
    s->type = type;
    s->op = op;
    s->tag = (int)(base->collectives++ & TAG_MASK);
    s->n_steps = 0;
    s->open_round = true;
    s->among = NULL;
    s->offered = NULL;
    s->offers = false;
    s->stages = 0;
    s->round = 0;
    s->posted = s->exchanged = s->complete = false;
    s->next = s->previous = NULL;
    s->owner = NULL;
    return s;
}

static step *add(cm_schedule *s, step_kind kind, const void *from, void *to, size_t length,
                 int peer)
{
    if (s->n_steps == s->step_capacity) {
        const size_t capacity = s->step_capacity ? 2 * s->step_capacity : 16;
        step *steps = realloc(s->steps, capacity * sizeof *steps);
        if (!steps) out_of_memory(s, capacity * sizeof *steps, "schedule");
        s->steps = steps;
        s->step_capacity = capacity;
    }
    const bool message = kind < REDUCE;
    const bool opens = s->open_round || (message && s->steps[s->n_steps - 1].kind >= REDUCE);
    s->open_round = false;
    step *t = &s->steps[s->n_steps++];
    *t = (step){.from = from,
                .to = to,
                .length = length,
                .peer = peer,
                .kind = (uint8_t)kind,
                .opens = opens,
                .offers = s->offers};
    return t;
}

int cm_schedule_rank(const cm_schedule *s, int peer) { return s->among ? s->among[peer] : peer; }

/* The message of 0 bytes before a block that is as long as an offer stands for such a block. */
static const size_t no_offer_bytes = CM_SCHEDULE_OFFER_BYTES;

void cm_schedule_send(cm_schedule *s, const void *from, size_t bytes, int peer)
{
    const int rank = cm_schedule_rank(s, peer);
    if (s->offers && bytes == no_offer_bytes) add(s, SEND, from, NULL, 0, rank);
    add(s, SEND, from, NULL, bytes, rank);
}

void cm_schedule_recv(cm_schedule *s, void *to, size_t bytes, int peer)
{
    const int rank = cm_schedule_rank(s, peer);
    if (s->offers && bytes == no_offer_bytes) add(s, RECV, &no_offer_bytes, to, bytes, rank);
    add(s, RECV, NULL, to, bytes, rank);
}

void cm_schedule_offers(cm_schedule *s, cm_schedule_offered *offered)
{
    s->offers = offered != NULL;
    if (offered) s->offered = offered;
}

void cm_schedule_send_offer(cm_schedule *s, const void *offer, int peer)
{
    add(s, SEND, offer, NULL, CM_SCHEDULE_OFFER_BYTES, cm_schedule_rank(s, peer));
}

void cm_schedule_recv_offer(cm_schedule *s, void *to, size_t room, const size_t *bytes, int peer)
{
    add(s, RECV, bytes, to, room, cm_schedule_rank(s, peer));
}

void cm_schedule_send_part(cm_schedule *s, const cm_schedule_part *part, int peer)
{
    add(s, SEND_PART, part, NULL, 0, cm_schedule_rank(s, peer));
}

void cm_schedule_recv_part(cm_schedule *s, const cm_schedule_part *part, int peer)
{
    add(s, RECV_PART, part, NULL, 0, cm_schedule_rank(s, peer));
}

void cm_schedule_among(cm_schedule *s, const int *ranks) { s->among = ranks; }

void cm_schedule_reduce(cm_schedule *s, const void *left, void *right, size_t count)
{
    if (count) add(s, REDUCE, left, right, count, -1);
}

void cm_schedule_copy(cm_schedule *s, const void *from, void *to, size_t bytes)
{
    if (bytes && from != to) add(s, COPY, from, to, bytes, -1);
}

void cm_schedule_round(cm_schedule *s) { s->open_round = true; }

void cm_schedule_call(cm_schedule *s, cm_schedule_function *function, void *context)
{
    add(s, CALL, NULL, context, 0, -1)->function = function;
}

cm_group *cm_schedule_group(const cm_schedule *s) { return s->group; }

cm_collective cm_schedule_collective(const cm_schedule *s) { return s->collective; }

char *cm_schedule_stage(cm_schedule *s, size_t blocks, size_t bytes)
{
    size_t need;
    if (__builtin_mul_overflow(blocks, bytes, &need) || need > SIZE_MAX - ALIGNMENT)
        cm_abort(CM_EXIT_SYSTEM, "cm_%s: %zu partial results of %zu bytes exceed the address space",
                 cm_collective_name(s->collective), blocks, bytes);
    if (s->stages == CM_SCHEDULE_STAGES)
        cm_abort(CM_EXIT_SYSTEM,
                 "cm_%s: a builder requested memory for partial results more than %d times",
                 cm_collective_name(s->collective), CM_SCHEDULE_STAGES);
    const int k = s->stages++;
    if (need > s->stage[k].bytes) {
        need = (need + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        free(s->stage[k].data);
        s->stage[k].bytes = 0;
        s->stage[k].data = aligned_alloc(ALIGNMENT, need);
        if (!s->stage[k].data) out_of_memory(s, need, "partial results");
        s->stage[k].bytes = need;
    }
    return s->stage[k].data;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* The messages of the round are steps[round .. messages_end); its local steps follow, up to the
   next round. */
static size_t messages_end(const cm_schedule *s)
{
    size_t i = s->round;
    for (; i < s->n_steps && s->steps[i].kind < REDUCE; i++)
        if (s->steps[i].opens && i > s->round) break;
    return i;
}

static bool run_local(const cm_schedule *s, const step *t)
{
    if (t->kind == CALL) return t->function(s->group, t->to);
    if (t->kind == REDUCE) cm_operator_apply(s->op, s->type, t->from, t->to, t->length);
    else cm_block_copy(t->to, t->from, t->length);
    return true;
}

/* Runs the local steps from s->local on and moves to the next round. Returns false if a step has
   more to do. */
static bool finish_round(cm_schedule *s)
{
    for (; s->local < s->n_steps; s->local++) {
        if (s->local != s->round && s->steps[s->local].opens) break;
        if (!run_local(s, &s->steps[s->local])) return false;
    }
    s->round = s->local;
    return true;
}

void cm_schedule_mismatch(cm_collective collective, int peer, size_t sent, size_t expected)
{
    cm_abort(CM_EXIT_USAGE,
             "cm_%s: rank %d sent %zu bytes but %zu were expected; "
             "the lengths must match on all ranks",
             cm_collective_name(collective), peer, sent, expected);
}

/* What arrived is empty, or comes before a block that is as long as an offer. */
static _Noreturn void mismatch_of_empty(const cm_schedule *s, int peer, size_t expected)
{
    cm_abort(CM_EXIT_USAGE,
             "cm_%s: rank %d sent 0 or %d bytes but %zu were expected; "
             "the lengths must match on all ranks",
             cm_collective_name(s->collective), peer, CM_SCHEDULE_OFFER_BYTES, expected);
}

/* The backend ends the job on a longer message. A shorter one would leave old data in the
   result. */
static void check_length(const cm_schedule *s, const step *t, const cm_status *status)
{
    const size_t *stands_for = t->from, expected = stands_for ? *stands_for : t->length;
    size_t wanted = t->length, sent = status->bytes;
    if (stands_for) wanted = stands_for == &no_offer_bytes ? 0 : CM_SCHEDULE_OFFER_BYTES;
    if (sent == wanted) return;
    if (t->offers && sent == 0) mismatch_of_empty(s, t->peer, expected);
    if (t->offers && sent == CM_SCHEDULE_OFFER_BYTES) sent = s->offered(t->to);
    cm_schedule_mismatch(s->collective, t->peer, sent, expected);
}

/* Turns a message that was decided upon by now into one of its own. An absent one keeps its
   kind. */
static void decide(cm_schedule *s, size_t end)
{
    for (step *t = &s->steps[s->round]; t < &s->steps[end]; t++) {
        const cm_schedule_part *part = t->from;
        if (t->kind != SEND_PART && t->kind != RECV_PART) continue;
        if (!part->bytes) continue;
        t->kind = t->kind == SEND_PART ? SEND : RECV;
        t->from = t->kind == SEND ? part->data : NULL;
        t->to = part->data;
        t->length = part->bytes;
    }
}

/* requests[i] belongs to message i of the round; that of an absent one is NULL. Receives are posted
   first, so that arriving messages find their buffers. */
static void post(cm_schedule *s, size_t end)
{
    const size_t n = end - s->round;
    if (n > s->request_capacity) {
        size_t capacity = 16;
        while (capacity < n) capacity *= 2;
        free(s->requests);
        s->request_capacity = 0;
        s->requests = malloc(capacity * sizeof *s->requests);
        if (!s->requests) out_of_memory(s, capacity * sizeof *s->requests, "requests");
        s->request_capacity = capacity;
    }
    const step *t = &s->steps[s->round];
    for (size_t i = 0; i < n; i++) s->requests[i] = NULL;
    for (size_t i = 0; i < n; i++)
        if (t[i].kind == RECV)
            s->requests[i] = cm_irecv(s->group, t[i].to, t[i].length, t[i].peer, s->tag);
    for (size_t i = 0; i < n; i++)
        if (t[i].kind == SEND)
            s->requests[i] = cm_isend(s->group, t[i].from, t[i].length, t[i].peer, s->tag);
    s->n_posted = n;
    s->open = 0;
}

/* Exchanges all messages of a round at once, by the cheapest call that can do it. */
static void exchange(cm_schedule *s, size_t end)
{
    decide(s, end);
    const step *a = &s->steps[s->round], *b = a + 1;
    const size_t n = end - s->round;
    cm_status status;
    if (n == 1 && a->kind == SEND) {
        cm_send(s->group, a->from, a->length, a->peer, s->tag);
    } else if (n == 1 && a->kind == RECV) {
        cm_recv(s->group, a->to, a->length, a->peer, s->tag, &status);
        check_length(s, a, &status);
    } else if (n == 2 && a->kind + b->kind == SEND + RECV) {
        const step *out = a->kind == SEND ? a : b, *in = a->kind == SEND ? b : a;
        cm_sendrecv(s->group, out->from, out->length, out->peer, s->tag, in->to, in->length,
                    in->peer, s->tag, &status);
        check_length(s, in, &status);
    } else if (n) {
        post(s, end);
        for (size_t i = 0; i < n; i++) {
            cm_wait(&s->requests[i], &status);
            if (a[i].kind == RECV) check_length(s, &a[i], &status);
        }
    }
}

/* Returns true once the messages of the round are complete. */
static bool test_round(cm_schedule *s)
{
    const size_t end = messages_end(s);
    if (!s->posted) {
        decide(s, end);
        post(s, end);
        s->posted = true;
    }
    for (; s->open < s->n_posted; s->open++) {
        const step *t = &s->steps[s->round + s->open];
        cm_status status;
        if (!cm_test(&s->requests[s->open], &status)) return false;
        if (t->kind == RECV) check_length(s, t, &status);
    }
    s->posted = false;
    s->local = end;
    return true;
}

static bool move_on(cm_schedule *s)
{
    while (s->round < s->n_steps) {
        if (!s->exchanged) s->exchanged = test_round(s);
        if (!s->exchanged) return false;
        if (!finish_round(s)) {
            here.working = true;
            return false;
        }
        s->exchanged = false;
    }
    return true;
}

/* ---- Under way ------------------------------------------------------------------------------- */

static void enlist(cm_schedule *s)
{
    s->owner = &here;
    s->previous = here.last;
    if (here.last) here.last->next = s;
    else here.first = s;
    here.last = s;
}

static void delist(cm_schedule *s)
{
    if (!s->owner) return;
    if (s->previous) s->previous->next = s->next;
    else s->owner->first = s->next;
    if (s->next) s->next->previous = s->previous;
    else s->owner->last = s->previous;
    s->owner = NULL;
    s->next = s->previous = NULL;
}

bool cm_schedule_pending(void) { return here.first != NULL; }

bool cm_schedule_working(void) { return here.working; }

int cm_schedule_awaited(int most, cm_request **requests)
{
    int n = 0;
    for (const cm_schedule *s = here.first; s && n < most; s = s->next)
        if (s->posted && s->open < s->n_posted) requests[n++] = s->requests[s->open];
    return n;
}

void cm_schedule_progress(void)
{
    if (here.advancing) return;
    here.working = false;
    if (!here.first) return;
    here.advancing = true;
    for (cm_schedule *s = here.first, *next; s; s = next) {
        s->complete = move_on(s);
        next = s->next;
        if (s->complete) delist(s);
    }
    here.advancing = false;
}

bool cm_schedule_advance(cm_schedule *s)
{
    /* Advances all schedules, not only this one: a rank that has to send to us may first be waiting
       for another operation. */
    cm_schedule_progress();
    return s->complete;
}

void cm_schedule_start(cm_schedule *s)
{
    enlist(s);
    cm_schedule_progress();
}

void cm_schedule_run(cm_schedule *s)
{
    if (here.first && !here.advancing) {
        cm_schedule_start(s);
        while (!cm_schedule_advance(s)) cm_backend_pause();
    } else {
        while (s->round < s->n_steps) {
            s->local = messages_end(s);
            exchange(s, s->local);
            while (!finish_round(s)) cm_progress();
        }
    }
    cm_schedule_free(s);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void free_stages(cm_schedule *s)
{
    for (int k = 0; k < CM_SCHEDULE_STAGES; k++) {
        free(s->stage[k].data);
        s->stage[k].data = NULL;
        s->stage[k].bytes = 0;
    }
}

static void release(cm_schedule *s)
{
    free(s->steps);
    free(s->requests);
    free_stages(s);
    free(s);
}

void cm_schedule_free(cm_schedule *s)
{
    if (!s) return;
    delist(s);
    if (here.n_idle == IDLE_SCHEDULES || s->step_capacity > IDLE_STEPS
        || s->request_capacity > IDLE_STEPS) {
        release(s);
        return;
    }
    if (stage_bytes(s) > IDLE_STAGE_BYTES - here.idle_stage_bytes) free_stages(s);
    s->next = here.idle;
    here.idle = s;
    here.n_idle++;
    here.idle_stage_bytes += stage_bytes(s);
}

void cm_schedule_trim(void)
{
    while (here.idle) {
        cm_schedule *s = here.idle;
        here.idle = s->next;
        release(s);
    }
    here.n_idle = 0;
    here.idle_stage_bytes = 0;
}

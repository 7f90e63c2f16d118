/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks.c: ranks as threads; one lock, mailboxes matched in the order of arrival and of posting. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "comm/backend.h"
#include "comm/hosts.h"
#include "comm/schedule.h"
#include "ranks.h"

enum { HANG_S = 60 };

struct rank;
struct job;

struct cm_group {
    cm_group_base base;
    struct job *job;
    int space; /* 0, in the shadow 1 */
};

struct cm_request {
    cm_request_base base;
    struct job *job;
    struct rank *owner;
    bool done;
    cm_status status;
    int space, source, tag; /* of a receive */
    void *data;
    size_t capacity;
    cm_request *next; /* among the receives posted */
};

typedef struct message {
    int space, source, tag;
    size_t bytes;
    const void *data;
    void *copy;         /* eager */
    cm_request *sender; /* not eager: completes when the message is taken */
    struct message *next;
} message;

struct rank {
    pthread_cond_t moved;
    unsigned long events, seen;
    cm_request *posted;
    message *arrived;
    cm_group group, shadow;
};

struct job {
    ranks_options options;
    pthread_mutex_t lock;
    struct rank *ranks;
    ranks_report report;
    void (*program)(cm_group *, void *);
    void *context;
};

static _Thread_local struct {
    struct job *job;
    struct rank *rank;
} self;
static _Thread_local struct {
    jmp_buf back;
    char *line;
    int status;
    bool armed;
} trap;
static unsigned native_available, native_accepts;
static int native_calls;

/* ---- What ends or waits ---------------------------------------------------------------------- */

void cm_abort(int status, const char *format, ...)
{
    char line[512];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (trap.armed) {
        memcpy(trap.line, line, sizeof line);
        trap.status = status;
        longjmp(trap.back, 1);
    }
    printf("Bail out! cm_abort(%d): %s\n", status, line);
    fflush(stdout);
    _exit(1);
}

int ranks_catch_abort(void (*function)(void *), void *context, char line[512])
{
    line[0] = '\0';
    trap.line = line;
    trap.armed = true;
    trap.status = -1;
    if (setjmp(trap.back) == 0) function(context);
    trap.armed = false;
    return trap.status;
}

/* With the lock held, until something happens to this rank or wait_s pass; false then. */
static bool wait_event(struct job *job, struct rank *r, double wait_s)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)wait_s;
    until.tv_nsec += (long)((wait_s - (double)(time_t)wait_s) * 1e9);
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    return pthread_cond_timedwait(&r->moved, &job->lock, &until) != ETIMEDOUT;
}

static void signal_event(struct rank *r)
{
    r->events++;
    pthread_cond_signal(&r->moved);
}

static void await(cm_request *request)
{
    while (!request->done)
        if (!wait_event(request->job, request->owner, HANG_S) && !request->done) {
            printf("Bail out! rank %d of %d hangs\n", request->owner->group.base.rank,
                   request->job->options.size);
            fflush(stdout);
            _exit(1);
        }
}

void cm_backend_pause(void)
{
    pthread_mutex_lock(&self.job->lock);
    if (self.rank->events == self.rank->seen) wait_event(self.job, self.rank, 0.1);
    self.rank->seen = self.rank->events;
    pthread_mutex_unlock(&self.job->lock);
}

/* ---- Messages -------------------------------------------------------------------------------- */

static bool matches(const cm_request *r, const message *m)
{
    return r->space == m->space && (r->source == CM_ANY || r->source == m->source)
           && (r->tag == CM_ANY || r->tag == m->tag);
}

static void deliver(struct job *job, message *m, cm_request *r)
{
    if (m->bytes > r->capacity)
        cm_abort(CM_EXIT_SYSTEM, "message of %zu bytes for %zu", m->bytes, r->capacity);
    if (m->bytes && !job->options.dry) memcpy(r->data, m->copy ? m->copy : m->data, m->bytes);
    r->status = (cm_status){m->source, m->tag, m->bytes, .failed = -1};
    r->done = true;
    signal_event(r->owner);
    if (m->sender) {
        m->sender->done = true;
        signal_event(m->sender->owner);
    }
    job->report.left--;
    free(m->copy);
    free(m);
}

static cm_request *new_request(cm_group *group)
{
    cm_request *request = calloc(1, sizeof *request);
    request->job = group->job;
    request->owner = &group->job->ranks[group->base.rank];
    request->space = group->space;
    return request;
}

cm_request *cm_isend(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    struct job *job = group->job;
    if (dest < 0 || dest >= job->options.size || dest == group->base.rank || tag < 0)
        cm_abort(CM_EXIT_USAGE, "send to %d with tag %d", dest, tag);
    cm_request *request = new_request(group);
    message *m = calloc(1, sizeof *m);
    *m = (message){.space = group->space,
                   .source = group->base.rank,
                   .tag = tag,
                   .bytes = bytes,
                   .data = data};
    const bool eager = !job->options.synchronous && bytes <= job->options.eager_bytes;
    if (eager && bytes && !job->options.dry) {
        m->copy = malloc(bytes);
        memcpy(m->copy, data, bytes);
    }
    request->done = eager;
    if (!eager) m->sender = request;

    pthread_mutex_lock(&job->lock);
    const int *host = job->options.host;
    if (host && host[dest] != host[group->base.rank])
        job->report.left_host[host[group->base.rank]] += bytes;
    job->report.messages++;
    job->report.bytes += bytes;
    job->report.left += 2; /* the message and the request */
    struct rank *to = &job->ranks[dest];
    cm_request **r = &to->posted;
    while (*r && !matches(*r, m)) r = &(*r)->next;
    if (*r) {
        cm_request *receive = *r;
        *r = receive->next;
        deliver(job, m, receive);
    } else {
        message **last = &to->arrived;
        while (*last) last = &(*last)->next;
        *last = m;
        signal_event(to);
    }
    pthread_mutex_unlock(&job->lock);
    return request;
}

cm_request *cm_irecv(cm_group *group, void *data, size_t capacity, int source, int tag)
{
    struct job *job = group->job;
    if (source < CM_ANY || source >= job->options.size || source == group->base.rank)
        cm_abort(CM_EXIT_USAGE, "receive from %d", source);
    cm_request *request = new_request(group);
    request->source = source;
    request->tag = tag;
    request->data = data;
    request->capacity = capacity;

    pthread_mutex_lock(&job->lock);
    job->report.left++;
    message **m = &request->owner->arrived;
    while (*m && !matches(request, *m)) m = &(*m)->next;
    if (*m) {
        message *found = *m;
        *m = found->next;
        deliver(job, found, request);
    } else {
        cm_request **last = &request->owner->posted;
        while (*last) last = &(*last)->next;
        *last = request;
    }
    pthread_mutex_unlock(&job->lock);
    return request;
}

static void finish(cm_request **request, cm_status *status)
{
    (*request)->job->report.left--;
    if (status) *status = (*request)->status;
    free(*request);
    *request = NULL;
}

void cm_wait(cm_request **request, cm_status *status)
{
    if (!*request) return;
    if ((*request)->base.schedule) {
        while (!cm_schedule_advance((*request)->base.schedule)) cm_backend_pause();
        cm_schedule_free((*request)->base.schedule);
        cm_backend_request_free(*request);
        *request = NULL;
        return;
    }
    struct job *job = (*request)->job;
    pthread_mutex_lock(&job->lock);
    await(*request);
    finish(request, status);
    pthread_mutex_unlock(&job->lock);
}

void cm_waitall(int n, cm_request **requests, cm_status *statuses)
{
    for (int i = 0; i < n; i++) cm_wait(&requests[i], statuses ? &statuses[i] : NULL);
}

bool cm_test(cm_request **request, cm_status *status)
{
    if (!*request) return true;
    if ((*request)->base.schedule) {
        if (!cm_schedule_advance((*request)->base.schedule)) return false;
        cm_wait(request, status);
        return true;
    }
    struct job *job = (*request)->job;
    cm_progress();
    pthread_mutex_lock(&job->lock);
    const bool done = (*request)->done;
    if (done) finish(request, status);
    pthread_mutex_unlock(&job->lock);
    return done;
}

void cm_send(cm_group *group, const void *data, size_t bytes, int dest, int tag)
{
    cm_request *request = cm_isend(group, data, bytes, dest, tag);
    cm_wait(&request, NULL);
}

void cm_recv(cm_group *group, void *data, size_t capacity, int source, int tag, cm_status *status)
{
    cm_request *request = cm_irecv(group, data, capacity, source, tag);
    cm_wait(&request, status);
}

void cm_sendrecv(cm_group *group, const void *out, size_t out_bytes, int dest, int out_tag,
                 void *in, size_t capacity, int source, int in_tag, cm_status *status)
{
    cm_request *receive = cm_irecv(group, in, capacity, source, in_tag);
    cm_send(group, out, out_bytes, dest, out_tag);
    cm_wait(&receive, status);
}

bool cm_iprobe(cm_group *group, int source, int tag, cm_status *status)
{
    const cm_request wanted = {.space = group->space, .source = source, .tag = tag};
    struct job *job = group->job;
    pthread_mutex_lock(&job->lock);
    const message *m = job->ranks[group->base.rank].arrived;
    while (m && !matches(&wanted, m)) m = m->next;
    if (m && status) *status = (cm_status){m->source, m->tag, m->bytes, .failed = -1};
    pthread_mutex_unlock(&job->lock);
    return m != NULL;
}

void cm_progress(void) { cm_schedule_progress(); }

/* ---- The rest of a backend ------------------------------------------------------------------- */

cm_request *cm_backend_request_new(cm_schedule *schedule)
{
    cm_request *request = calloc(1, sizeof *request);
    request->base.schedule = schedule;
    return request;
}

void cm_backend_request_free(cm_request *request) { free(request); }

const char *cm_host(const cm_group *group, int rank)
{
    static const char *const names[RANKS_HOSTS] = {"north", "east", "south", "west"};
    const int *host = group->job->options.host;
    return names[host ? host[rank] : 0];
}

/* For the sanitizers' builds, which link all shared files. */
cm_group *cm_split(cm_group *group, int color, int key)
{
    cm_abort(CM_EXIT_USAGE, "no split of %p by %d, %d", (void *)group, color, key);
}

double cm_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool cm_backend_oversubscribed(void) { return false; }

bool cm_backend_native_available(cm_collective collective)
{
    return native_available >> collective & 1;
}

bool cm_backend_collective(cm_group *group, const cm_collective_call *call)
{
    (void)group;
    const bool accepted = native_accepts >> call->collective & 1;
    native_calls += accepted;
    return accepted;
}

cm_request *cm_backend_icollective(cm_group *group, const cm_collective_call *call)
{
    return cm_backend_collective(group, call) ? calloc(1, sizeof(cm_request)) : NULL;
}

void ranks_set_native(unsigned available, unsigned accepts)
{
    native_available = available;
    native_accepts = accepts;
    native_calls = 0;
}

int ranks_native_calls(void) { return native_calls; }

/* ---- Direct access --------------------------------------------------------------------------- */

bool cm_backend_direct(void) { return self.job && self.job->options.access != RANKS_APART; }

size_t cm_backend_direct_bytes(cm_group *group, int rank)
{
    const ranks_options *o = &group->job->options;
    const bool near = !o->host || o->host[rank] == o->host[group->base.rank];
    return near && o->access != RANKS_APART ? RANKS_DIRECT_BYTES : SIZE_MAX;
}

/* A number that differs from call to call and rank to rank. */
static unsigned chance(const cm_group *group, int rank)
{
    static _Thread_local unsigned calls;
    return (++calls * 2654435761u + (unsigned)(group->base.rank * 31 + rank) * 40503u) >> 16;
}

void cm_backend_offer(cm_group *group, int rank, const void *data, size_t bytes, bool written,
                      cm_backend_place *place)
{
    const ranks_access access = group->job->options.access;
    const bool offers =
        access == RANKS_DIRECT || (access == RANKS_UNSURE && chance(group, rank) % 4);
    (void)bytes;
    *place = (cm_backend_place){offers ? 1 + (uint64_t)written : 0, (uintptr_t)data};
}

bool cm_backend_move(cm_group *group, int rank, const cm_backend_place *place, size_t offset,
                     void *data, size_t bytes, bool out)
{
    char *there = (char *)(uintptr_t)place->address + offset;
    const bool all = group->job->options.access == RANKS_DIRECT || chance(group, rank) % 3 != 0;
    if (!place->memory) return false;
    if (place->memory != 1 + (uint64_t)out)
        cm_abort(CM_EXIT_WRONG, "moves %s what was not offered for it", out ? "into" : "out of");
    if (!all) bytes /= 2;
    if (bytes) memcpy(out ? there : (char *)data, out ? (char *)data : there, bytes);
    return all;
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

static struct job *new_job(const ranks_options *options)
{
    struct job *job = calloc(1, sizeof *job);
    job->options = *options;
    pthread_mutex_init(&job->lock, NULL);
    job->ranks = calloc((size_t)options->size, sizeof *job->ranks);
    for (int k = 0; k < options->size; k++) {
        struct rank *r = &job->ranks[k];
        pthread_cond_init(&r->moved, NULL);
        r->group = (cm_group){{k, options->size, &r->shadow, 0, NULL}, job, 0};
        r->shadow = (cm_group){{k, options->size, NULL, 0, NULL}, job, 1};
    }
    return job;
}

static void free_job(struct job *job)
{
    for (int k = 0; k < job->options.size; k++) {
        cm_hosts_free(job->ranks[k].group.base.hosts);
        pthread_cond_destroy(&job->ranks[k].moved);
    }
    pthread_mutex_destroy(&job->lock);
    free(job->ranks);
    free(job);
}

static void *live(void *rank)
{
    self.rank = rank;
    self.job = self.rank->group.job;
    self.job->program(&self.rank->group, self.job->context);
    cm_schedule_trim();
    return NULL;
}

ranks_report ranks_run(const ranks_options *options, void (*program)(cm_group *, void *),
                       void *context)
{
    struct job *job = new_job(options);
    job->program = program;
    job->context = context;
    pthread_t threads[options->size];
    for (int k = 0; k < options->size; k++)
        if (pthread_create(&threads[k], NULL, live, &job->ranks[k])) {
            printf("Bail out! no thread for rank %d\n", k);
            exit(1);
        }
    for (int k = 0; k < options->size; k++) pthread_join(threads[k], NULL);
    const ranks_report report = job->report;
    free_job(job);
    return report;
}

cm_group *ranks_lone(int size, int rank)
{
    const ranks_options options = {.size = size, .eager_bytes = SIZE_MAX};
    struct job *job = new_job(&options);
    self.job = job;
    self.rank = &job->ranks[rank];
    return &self.rank->group;
}

void ranks_lone_free(cm_group *group) { free_job(group->job); }

/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_burn.c: rounds for many minutes, on all ranks; after each part rank 0 gets what each host
   did in it. */
#include "config.h"
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "machine/counters.h"
#include "machine/temperature.h"
#include "nodes_burn.h"

/* Words that all ranks give each other between two rounds. */
enum { PART_IS_OVER = 1, ALL_IS_OVER = 2, GOT_SIGINT = 4, GOT_SIGTERM = 8 };
static const double minute_s = 60;

/* This rank's sums over the rounds of a part. */
typedef struct {
    double computed[NODES_COMPUTE], rounds;
    /* On the first rank of a host. */
    double linked[NODES_RATES - NODES_COMPUTE], meetings;
    double state[NODES_BURN_KINDS - NODES_RATES];
} sums;

/* ---- Signals --------------------------------------------------------------------------------- */

/* This thread has both signals blocked, and looks whether they wait. Another thread, of a library
   that started it before, gives its own to this one, whose number is the process's. */
static void give_to_main(int signal) { syscall(SYS_tgkill, getpid(), getpid(), signal); }

typedef struct {
    sigset_t set, before;
    struct sigaction old_int, old_term;
} signals;

static void hold_signals(signals *s)
{
    struct sigaction action = {.sa_handler = give_to_main, .sa_flags = SA_RESTART};
    sigemptyset(&s->set);
    sigaddset(&s->set, SIGINT);
    sigaddset(&s->set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &s->set, &s->before);
    sigaction(SIGINT, &action, &s->old_int);
    sigaction(SIGTERM, &action, &s->old_term);
}

static int32_t waiting_signals(void)
{
    sigset_t waiting;
    int32_t word = 0;
    sigpending(&waiting);
    if (sigismember(&waiting, SIGINT) == 1) word |= GOT_SIGINT;
    if (sigismember(&waiting, SIGTERM) == 1) word |= GOT_SIGTERM;
    return word;
}

/* Those that ended the burn-in are done with. */
static void release_signals(signals *s)
{
    const struct timespec now = {0};
    while (sigtimedwait(&s->set, NULL, &now) > 0) continue;
    sigaction(SIGINT, &s->old_int, NULL);
    sigaction(SIGTERM, &s->old_term, NULL);
    pthread_sigmask(SIG_SETMASK, &s->before, NULL);
}

/* ---- A round --------------------------------------------------------------------------------- */

/* Only the host that leads a pair knows what both reached. */
static void tell_partner(const nodes_job *j, nodes_pair *own)
{
    const int partner = j->partner[j->place.host];
    if (partner < 0 || !j->place.is_first) return;
    const int peer = j->place.first[partner];
    if (partner > j->place.host) cm_send(cm_world(), own, sizeof *own, peer, NODES_TAG_DATA);
    else cm_recv(cm_world(), own, sizeof *own, peer, NODES_TAG_DATA, NULL);
}

static void add_links(const nodes_job *j, const nodes_pair *pair, sums *own)
{
    const int host = j->place.host;
    const bool first = pair->first == host;
    double *linked = own->linked;
    if (j->partner[host] < 0 || !j->place.is_first) return;
    linked[NODES_LATENCY - NODES_COMPUTE] += log(1 / pair->latency_s);
    linked[NODES_SEND - NODES_COMPUTE] += log(first ? pair->out_B_per_s : pair->in_B_per_s);
    linked[NODES_RECEIVE - NODES_COMPUTE] += log(first ? pair->in_B_per_s : pair->out_B_per_s);
    own->meetings++;
}

/* While the first ranks exchange messages, the others of their hosts compute, unless these would
   take the cores of other hosts. */
static void exchange(nodes_job *j, nodes_pair *pair)
{
    static const double trials = 2.5; /* latency for half of one, each direction for one */
    const bool loads = j->place.turns == 1 && !j->place.is_first && j->place.hosts > 1;
    if (!loads) {
        nodes_job_exchange(j, j->place.hosts, pair);
        return;
    }
    nodes_meet(0); /* the only wave */
    nodes_compute_load(&j->compute, trials * j->options->trial_s);
}

static void run_round(nodes_job *j, int round, sums *own)
{
    double rate[NODES_COMPUTE];
    nodes_pair *pair = calloc((size_t)j->place.hosts, sizeof *pair);
    if (!pair) cm_abort(CM_EXIT_SYSTEM, "out of memory for the pairs of the hosts");
    nodes_job_compute(j, round, rate);
    for (int kind = 0; kind < NODES_COMPUTE; kind++) own->computed[kind] += rate[kind];
    own->rounds++;
    nodes_job_draw(j, round);
    exchange(j, pair);
    tell_partner(j, &pair[j->place.host]);
    add_links(j, &pair[j->place.host], own);
    free(pair);
}

/* ---- The state of a host --------------------------------------------------------------------- */

static void ignore(const char *text, void *context)
{
    (void)text;
    (void)context;
}

/* Sets what has moved since the last part on the first rank's host. */
static void look(cm_machine_counters *before, double *state)
{
    cm_machine_counters now;
    cm_machine_counters_read("", &now);
    state[NODES_BURN_CLOCK - NODES_RATES] = now.clock_hz;
    state[NODES_BURN_TEMPERATURE - NODES_RATES] = cm_machine_temperature_C("");
    state[NODES_BURN_MOVED - NODES_RATES] =
        (double)cm_machine_counters_moved(before, &now, ignore, NULL);
    cm_machine_counters_free(before);
    *before = now;
}

/* ---- Rank 0 gets the sums -------------------------------------------------------------------- */

/* Sets mean[kind] of this host, on its first rank. */
static void means_of_host(const nodes_job *j, const sums *own, double mean[NODES_BURN_KINDS])
{
    const double ranks = j->place.ranks[j->place.host];
    double computed[NODES_COMPUTE];
    cm_reduce(j->of_host, own->computed, computed, NODES_COMPUTE, CM_DOUBLE, CM_SUM, 0, CM_AUTO);
    for (int kind = 0; kind < NODES_COMPUTE; kind++)
        mean[kind] = computed[kind] / own->rounds / (kind == NODES_QUIET ? ranks : 1);
    for (int kind = NODES_COMPUTE; kind < NODES_RATES; kind++)
        mean[kind] =
            own->meetings > 0 ? exp(own->linked[kind - NODES_COMPUTE] / own->meetings) : NAN;
    for (int kind = NODES_RATES; kind < NODES_BURN_KINDS; kind++)
        mean[kind] = own->state[kind - NODES_RATES];
}

/* firsts: the first ranks of the hosts; room: on rank 0, for the means of all. */
static void gather(const nodes_job *j, const sums *own, cm_group *firsts, double *room,
                   nodes_burn *burn)
{
    double mean[NODES_BURN_KINDS];
    means_of_host(j, own, mean);
    if (firsts) cm_gather(firsts, mean, sizeof mean, room, 0, CM_AUTO);
    for (int host = 0; room && host < burn->hosts; host++)
        for (int kind = 0; kind < NODES_BURN_KINDS; kind++)
            burn->value[kind][host * burn->stride + burn->parts] =
                room[host * NODES_BURN_KINDS + kind];
}

static double *open_values(nodes_burn *burn)
{
    const size_t hosts = (size_t)burn->hosts;
    double *room = malloc(hosts * NODES_BURN_KINDS * sizeof *room);
    bool whole = room != NULL;
    for (int kind = 0; kind < NODES_BURN_KINDS; kind++) {
        burn->value[kind] = malloc(hosts * NODES_PARTS * sizeof(double));
        whole = whole && burn->value[kind];
    }
    if (!whole) cm_abort(CM_EXIT_SYSTEM, "out of memory for the burn-in of %zu hosts", hosts);
    return room;
}

/* Leaves no room for parts that were not made. */
static void close_values(nodes_burn *burn, double *room)
{
    for (int kind = 0; room && kind < NODES_BURN_KINDS; kind++)
        for (int host = 0; host < burn->hosts; host++)
            memmove(burn->value[kind] + host * burn->parts, burn->value[kind] + host * burn->stride,
                    (size_t)burn->parts * sizeof(double));
    burn->stride = burn->parts;
    free(room);
}

/* ---- All ------------------------------------------------------------------------------------- */

static void show_progress(const nodes_job *j, const nodes_burn *burn, double now_min)
{
    if (j->result)
        cm_result_progress(j->result, fmin(1, now_min / j->options->minutes),
                           "burn-in, minute %.1f, round %d", now_min, burn->rounds + 1);
}

/* Rank 0 looks at the clock, every rank at its signals. */
static int32_t agree(const nodes_job *j, double now_min, int part)
{
    int32_t word = waiting_signals();
    if (cm_rank(cm_world()) == 0) {
        const double share = now_min / j->options->minutes;
        if (share * NODES_PARTS >= part + 1) word |= PART_IS_OVER;
        if (share >= 1) word |= ALL_IS_OVER;
    }
    return nodes_meet_any(word);
}

void nodes_burn_run(nodes_job *j, nodes_burn *burn)
{
    cm_machine_counters before = {0};
    signals held;
    const bool leads = cm_rank(cm_world()) == 0;
    *burn = (nodes_burn){.hosts = j->place.hosts, .stride = NODES_PARTS};
    double *room = leads ? open_values(burn) : NULL;
    nodes_kept *kept = leads ? nodes_kept_open(&j->options->files, &j->place) : NULL;
    cm_group *firsts = cm_split(cm_world(), j->place.is_first ? 0 : -1, 0);
    hold_signals(&held);
    if (j->place.is_first) cm_machine_counters_read("", &before);
    const double begin_s = cm_time();
    for (int32_t word = 0; !(word & (ALL_IS_OVER | GOT_SIGINT | GOT_SIGTERM));) {
        /* A slow round may skip parts of the clock: these are as long as it was. */
        const int clock_part = (int)(burn->minutes / j->options->minutes * NODES_PARTS);
        sums own = {0};
        word = 0;
        while (word == 0) {
            show_progress(j, burn, burn->minutes);
            run_round(j, j->rounds + j->again + burn->rounds++, &own);
            burn->minutes = (cm_time() - begin_s) / minute_s;
            word = agree(j, burn->minutes, clock_part);
        }
        if (j->place.is_first) look(&before, own.state);
        gather(j, &own, firsts, room, burn);
        burn->end_min[burn->parts] = burn->minutes;
        nodes_kept_part(kept, burn, burn->parts++);
        if (burn->parts == NODES_PARTS) word |= ALL_IS_OVER;
        burn->signal = word & GOT_SIGINT ? SIGINT : word & GOT_SIGTERM ? SIGTERM : 0;
    }
    cm_machine_counters_free(&before);
    release_signals(&held);
    cm_group_free(firsts);
    close_values(burn, room);
    burn->kept = kept;
}

void nodes_burn_free(nodes_burn *burn)
{
    nodes_kept_free(burn->kept);
    for (int kind = 0; kind < NODES_BURN_KINDS; kind++) free(burn->value[kind]);
}

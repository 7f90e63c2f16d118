/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_burn.c: rounds for many minutes, on all ranks; rank 0 gets what each host did in each
   part. */
#include "config.h"
#include <math.h>
#include <signal.h>
#include <stdlib.h>
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
    double computed[NODES_PARTS][NODES_COMPUTE];
    double rounds[NODES_PARTS];
    /* On the first rank of a host. */
    double linked[NODES_PARTS][NODES_RATES - NODES_COMPUTE], meetings[NODES_PARTS];
    double state[NODES_PARTS][NODES_BURN_KINDS - NODES_RATES];
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

static void add_links(const nodes_job *j, const nodes_pair *pair, sums *own, int part)
{
    const int host = j->place.host;
    const bool first = pair->first == host;
    double *linked = own->linked[part];
    if (j->partner[host] < 0 || !j->place.is_first) return;
    linked[NODES_LATENCY - NODES_COMPUTE] += log(1 / pair->latency_s);
    linked[NODES_SEND - NODES_COMPUTE] += log(first ? pair->out_B_per_s : pair->in_B_per_s);
    linked[NODES_RECEIVE - NODES_COMPUTE] += log(first ? pair->in_B_per_s : pair->out_B_per_s);
    own->meetings[part]++;
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

static void run_round(nodes_job *j, int round, sums *own, int part)
{
    double rate[NODES_COMPUTE];
    nodes_pair *pair = calloc((size_t)j->place.hosts, sizeof *pair);
    if (!pair) cm_abort(CM_EXIT_SYSTEM, "out of memory for the pairs of the hosts");
    nodes_job_compute(j, round, rate);
    for (int kind = 0; kind < NODES_COMPUTE; kind++) own->computed[part][kind] += rate[kind];
    own->rounds[part]++;
    nodes_job_draw(j, round);
    exchange(j, pair);
    tell_partner(j, &pair[j->place.host]);
    add_links(j, &pair[j->place.host], own, part);
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

enum { COLUMNS = NODES_BURN_KINDS };

/* Sets mean[part * COLUMNS + kind] for this host, on its first rank. */
static void means_of_host(const nodes_job *j, int parts, const sums *own, double *mean)
{
    const double ranks = j->place.ranks[j->place.host];
    double computed[NODES_PARTS][NODES_COMPUTE];
    cm_reduce(j->of_host, own->computed, computed, (size_t)parts * NODES_COMPUTE, CM_DOUBLE, CM_SUM,
              0, CM_AUTO);
    for (int part = 0; part < parts; part++) {
        double *of_part = mean + part * COLUMNS;
        for (int kind = 0; kind < NODES_COMPUTE; kind++)
            of_part[kind] =
                computed[part][kind] / own->rounds[part] / (kind == NODES_QUIET ? ranks : 1);
        for (int kind = NODES_COMPUTE; kind < NODES_RATES; kind++)
            of_part[kind] = own->meetings[part] > 0
                                ? exp(own->linked[part][kind - NODES_COMPUTE] / own->meetings[part])
                                : NAN;
        for (int kind = NODES_RATES; kind < COLUMNS; kind++)
            of_part[kind] = own->state[part][kind - NODES_RATES];
    }
}

static void gather(const nodes_job *j, const sums *own, nodes_burn *burn)
{
    const bool leads = cm_rank(cm_world()) == 0;
    const size_t n = (size_t)burn->parts * COLUMNS, hosts = (size_t)j->place.hosts;
    double mean[NODES_PARTS * COLUMNS] = {0};
    double *all = leads ? malloc(hosts * n * sizeof *all) : NULL;
    bool whole = !leads || all;
    for (int kind = 0; leads && kind < COLUMNS; kind++) {
        burn->value[kind] = malloc(hosts * (size_t)burn->parts * sizeof(double));
        whole = whole && burn->value[kind];
    }
    if (!whole) cm_abort(CM_EXIT_SYSTEM, "out of memory for the burn-in of %zu hosts", hosts);
    means_of_host(j, burn->parts, own, mean);
    cm_group *firsts = cm_split(cm_world(), j->place.is_first ? 0 : -1, 0);
    if (firsts) cm_gather(firsts, mean, n * sizeof *mean, all, 0, CM_AUTO);
    cm_group_free(firsts);
    for (size_t k = 0; leads && k < hosts * (size_t)burn->parts; k++)
        for (size_t kind = 0; kind < COLUMNS; kind++)
            burn->value[kind][k] = all[k * COLUMNS + kind];
    free(all);
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
    sums *own = calloc(1, sizeof *own);
    if (!own) cm_abort(CM_EXIT_SYSTEM, "out of memory for the burn-in");
    *burn = (nodes_burn){.hosts = j->place.hosts};
    hold_signals(&held);
    if (j->place.is_first) cm_machine_counters_read("", &before);
    const double begin_s = cm_time();
    for (int32_t word = 0; !(word & (ALL_IS_OVER | GOT_SIGINT | GOT_SIGTERM));) {
        /* A slow round may skip parts of the clock: these are as long as it was. */
        const int clock_part = (int)(burn->minutes / j->options->minutes * NODES_PARTS);
        word = 0;
        while (word == 0) {
            show_progress(j, burn, burn->minutes);
            run_round(j, j->rounds + j->again + burn->rounds++, own, burn->parts);
            burn->minutes = (cm_time() - begin_s) / minute_s;
            word = agree(j, burn->minutes, clock_part);
        }
        if (j->place.is_first) look(&before, own->state[burn->parts]);
        burn->end_min[burn->parts++] = burn->minutes;
        if (burn->parts == NODES_PARTS) word |= ALL_IS_OVER;
        burn->signal = word & GOT_SIGINT ? SIGINT : word & GOT_SIGTERM ? SIGTERM : 0;
    }
    cm_machine_counters_free(&before);
    release_signals(&held);
    gather(j, own, burn);
    free(own);
}

void nodes_burn_free(nodes_burn *burn)
{
    for (int kind = 0; kind < NODES_BURN_KINDS; kind++) free(burn->value[kind]);
}

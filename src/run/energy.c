/* SPDX-License-Identifier: BSD-3-Clause */
/* energy.c: reads counters of energy around a benchmark, and in between as often as they need it,
   by a thread that sleeps the rest of the time. */
#include "config.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "comm/comm.h"
#include "comm/computer.h"
#include "comm/hosts.h"
#include "machine/energy.h"
#include "measure/clock.h"
#include "run/energy.h"

enum { TAG = CM_TAG_LIMIT - 1, LEADER = 0 };

/* The report of the first rank of a host. */
typedef struct {
    uint64_t kernel; /* the same for all hosts that share it */
    int32_t rank, kind;
} host;

typedef struct {
    double joules;
    int32_t failed;
} reading;

struct cm_run_energy {
    cm_machine_energy counters;
    bool reads;      /* this rank, its computer's */
    bool counted;    /* all computers have counters of the same kind */
    int32_t *reader; /* the ranks that read */
    size_t readers;
    double begin_s;
    char words[160];   /* what is counted */
    cm_result *result; /* rank 0: to be finished */
    bool sleeps;       /* there is a thread */
    pthread_t thread;
    pthread_mutex_t mutex; /* of counters and ends */
    pthread_cond_t end;
    bool ends;
};

/* ---- Who reads ------------------------------------------------------------------------------- */

static bool is_first_of_host(void)
{
    return cm_hosts_of(cm_world())->local[cm_rank(cm_world())] == 0;
}

static uint64_t kernel(void)
{
    char boot[64];
    const char *name = cm_host(cm_world(), cm_rank(cm_world()));
    return cm_computer_named(cm_computer_boot(boot, sizeof boot) ? boot : name);
}

static void *array(size_t n, size_t bytes)
{
    void *all = calloc(n, bytes);
    if (!all) cm_abort(CM_EXIT_SYSTEM, "out of memory for the energy of %zu hosts", n);
    return all;
}

/* The first host of each kernel reads. */
static void choose_readers(cm_run_energy *energy, const host *all, size_t n)
{
    int32_t kind = all[0].kind;
    bool alike = true;
    energy->reader = array(n, sizeof *energy->reader);
    for (size_t k = 0; k < n; k++) {
        size_t first = 0;
        while (all[first].kernel != all[k].kernel) first++;
        if (first < k) continue;
        energy->reader[energy->readers++] = all[k].rank;
        if (all[k].rank == cm_rank(cm_world())) energy->reads = true;
        alike = alike && all[k].kind == kind;
    }
    energy->counted = alike && kind != CM_ENERGY_NONE;
    const char *words = cm_machine_energy_words((cm_machine_energy_kind)kind);
    char more[sizeof energy->counters.said + 4] = "";
    if (*energy->counters.said) snprintf(more, sizeof more, " (%s)", energy->counters.said);
    if (!alike)
        snprintf(energy->words, sizeof energy->words,
                 "not summed: the hosts have different counters");
    else if (energy->counted && energy->readers > 1)
        snprintf(energy->words, sizeof energy->words, "%s%s of %zu computers", words, more,
                 energy->readers);
    else snprintf(energy->words, sizeof energy->words, "%s%s", words, more);
}

/* Ranks of one host need not tell each other anything. */
static void agree(cm_run_energy *energy)
{
    int rank = cm_rank(cm_world());
    host own = {kernel(), rank, energy->counters.kind};
    if (!cm_comm_has(CM_HAS_PROCESSES) || cm_hosts_of(cm_world())->hosts == 1) {
        if (rank == LEADER) choose_readers(energy, &own, 1);
        return;
    }
    cm_group *firsts = cm_split(cm_world(), is_first_of_host() ? 0 : -1, 0);
    if (!firsts) return;
    size_t n = (size_t)cm_size(firsts);
    host *all = array(n, sizeof *all);
    cm_allgather(firsts, &own, sizeof own, all, CM_AUTO);
    cm_group_free(firsts);
    choose_readers(energy, all, n);
    free(all);
}

/* ---- The thread ------------------------------------------------------------------------------ */

static void *read_now_and_then(void *context)
{
    cm_run_energy *energy = context;
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    pthread_mutex_lock(&energy->mutex);
    while (!energy->ends) {
        next.tv_sec += (time_t)cm_machine_energy_interval_s(energy->counters.kind);
        while (!energy->ends && pthread_cond_timedwait(&energy->end, &energy->mutex, &next) == 0) {}
        if (!energy->ends) cm_machine_energy_read(&energy->counters);
    }
    pthread_mutex_unlock(&energy->mutex);
    return NULL;
}

/* Without the thread, long runs lose energy; there is then none to be told. */
static void start_thread(cm_run_energy *energy)
{
    pthread_condattr_t monotonic;
    sigset_t all, before;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&energy->mutex, NULL);
    pthread_cond_init(&energy->end, &monotonic);
    pthread_condattr_destroy(&monotonic);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    energy->sleeps = pthread_create(&energy->thread, NULL, read_now_and_then, energy) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!energy->sleeps) energy->counters.failed = true;
}

static void end_thread(cm_run_energy *energy)
{
    if (!energy->sleeps) return;
    pthread_mutex_lock(&energy->mutex);
    energy->ends = true;
    pthread_cond_signal(&energy->end);
    pthread_mutex_unlock(&energy->mutex);
    pthread_join(energy->thread, NULL);
    pthread_cond_destroy(&energy->end);
    pthread_mutex_destroy(&energy->mutex);
}

/* ---- Begin and end --------------------------------------------------------------------------- */

cm_run_energy *cm_run_energy_begin(const char *root)
{
    if (cm_comm_has(CM_HAS_SIMULATOR)) return NULL;
    cm_run_energy *energy = array(1, sizeof *energy);
    if (is_first_of_host()) cm_machine_energy_open(root, &energy->counters);
    agree(energy);
    if (energy->counted && energy->reads) start_thread(energy);
    energy->begin_s = cm_clock_now_s();
    return energy;
}

void cm_run_energy_tell(cm_run_energy *energy, cm_result *result)
{
    if (!energy) return;
    cm_result_describe_energy(result, energy->words);
    if (!energy->counted) return;
    energy->result = result;
}

static reading read_own(cm_run_energy *energy)
{
    end_thread(energy);
    cm_machine_energy_read(&energy->counters);
    return (reading){energy->counters.joules, energy->counters.failed};
}

/* Other ranks may end long before rank 0 does: they read when rank 0 asks. */
static void answer(cm_run_energy *energy)
{
    char asked;
    cm_status status;
    cm_recv(cm_world(), &asked, sizeof asked, LEADER, TAG, &status);
    reading own = read_own(energy);
    if (status.failed < 0) cm_send(cm_world(), &own, sizeof own, LEADER, TAG);
}

static reading ask_all(cm_run_energy *energy)
{
    char asks = 1;
    for (size_t k = 0; k < energy->readers; k++)
        if (energy->reader[k] != LEADER)
            cm_send(cm_world(), &asks, sizeof asks, energy->reader[k], TAG);
    reading all = read_own(energy);
    for (size_t k = 0; k < energy->readers; k++) {
        reading other = {0};
        cm_status status;
        if (energy->reader[k] == LEADER) continue;
        cm_recv(cm_world(), &other, sizeof other, energy->reader[k], TAG, &status);
        all.joules += other.joules;
        all.failed |= other.failed || status.failed >= 0;
    }
    return all;
}

static void tell(cm_run_energy *energy, const reading *all, int status)
{
    double lasted_s = cm_clock_now_s() - energy->begin_s;
    if (!energy->result) return;
    if (all->failed) {
        cm_result_comment(energy->result,
                          "energy: not told, because some counters could not be read to the end");
    } else if (lasted_s < energy->counters.least_s) {
        cm_result_comment(energy->result,
                          "energy: not told, because Slurm reads its sensors each %.0f s only",
                          energy->counters.least_s);
    } else if (status == CM_EXIT_PASS) {
        cm_result_metric(energy->result, true, "energy_J", cm_quantity_of(all->joules));
        cm_result_metric(energy->result, true, "mean_power_W",
                         cm_quantity_of(all->joules / lasted_s));
    }
}

void cm_run_energy_end(cm_run_energy *energy, int status)
{
    if (!energy) return;
    if (energy->counted && cm_rank(cm_world()) == LEADER) {
        reading all = ask_all(energy);
        tell(energy, &all, status);
    } else if (energy->counted && energy->reads) {
        answer(energy);
    }
    free(energy->reader);
    free(energy);
}

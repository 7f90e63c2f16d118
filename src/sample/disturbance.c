/* SPDX-License-Identifier: BSD-3-Clause */
/* disturbance.c: when a trial counts as disturbed.

   cause     disturbed if                        reason
   waited    it waited for a core for more than  2 % is the half-width that rows end with. A quiet
             2 % of its time, 20 us less for     core costs a rank that sleeps 1 to 10 us at each
             each time it was given one          wake-up; a task on the same core costs a time
                                                 slice, 700 us or more
   switched  there were involuntary switches,    only where the kernel does not count the waiting:
             more than 1 in 10 ms, at least 2    a single one may be a kernel thread's microseconds
   faulted   a page came from a disk             that takes 0.1 ms to 10 ms
   moved     it ended on another processor, and  cold caches cost some 0.1 ms. A rank that is alone
             lasted less than 10 ms              on its core does not move
   stolen    the hypervisor took more than 5 %   the kernel counts in ticks of 10 ms; a quiet
             of its processor's time since the   virtual machine shows one in some 10 s. A look is
             last look                           0.1 s long, so one tick is 10 %
   shared    other tasks had more than 25 % of   the rank did not wait for them, as it slept, but
             its processor's time since the      its caches are theirs when it wakes up. The kernel
             last look, and three standard       charges a whole tick to the task that it meets, so
             deviations of counting in ticks     a rank that runs a share p of n ticks seems to run
             beyond that                         p +- sqrt(p (1 - p) / n). Only of a rank that is
                                                 bound to one processor: else other ranks of the
                                                 job may run there
   pressed   some task of the host waited for a  only where the kernel does not count this rank's
             core for more than 25 % of the      waiting: it may be a task on any other core
             time since the last look
   clocked   the processor's frequency is more   times of computing change as the frequency does. It
             than 5 % from that of the last      is not known in most virtual machines
             look

   A look is a reading of what takes longer, each tenth of a second; its causes are of all trials
   since the look before. Pressure is read in any case, as it costs a microsecond.

   Where the job itself has more ranks than cores, its ranks wait for each other and move. That is
   no disturbance, and the result says "oversubscribed". */
#include "config.h"
#include <math.h>
#include <sched.h>
#include "machine/machine.h"
#include "measure/clock.h"
#include "run/run.h"
#include "sample/disturbance.h"

static const double waited_share = 0.02, wake_up_s = 20e-6;
static const double switches_per_s = 100;
static const int64_t least_switches = 2;
static const double moved_s = 10e-3;
static const double stolen_share = 0.05, shared_share = 0.25, pressed_share = 0.25;
static const double clocked_change = 0.05, sampling_deviations = 3;
static const double look_every_s = 0.1, look_share = 0.01;

/* A comparison with what is not known is false. */
unsigned cm_sample_look_causes(const cm_machine_look *before, const cm_machine_look *now,
                               double lasted_s, bool bound, bool waits)
{
    double own_s = now->own_s - before->own_s, others_s = now->tasks_s - before->tasks_s - own_s;
    double own = fmin(own_s / lasted_s, 1), ticks = fmax(lasted_s / cm_machine_tick_s(), 1);
    double sampling = sampling_deviations * sqrt(own * (1 - own) / ticks);
    unsigned cause = 0;
    if (now->stolen_s - before->stolen_s > stolen_share * lasted_s) cause |= CM_DISTURBED_STOLEN;
    if (bound && others_s > (shared_share + sampling) * lasted_s) cause |= CM_DISTURBED_SHARED;
    if (!waits && now->pressed_s - before->pressed_s > pressed_share * lasted_s)
        cause |= CM_DISTURBED_PRESSED;
    if (fabs(now->frequency_Hz / before->frequency_Hz - 1) > clocked_change)
        cause |= CM_DISTURBED_CLOCKED;
    return cause;
}

/* The first look only begins the window. It does not read the frequency, which is slow on some
   kernels, because there is one for each row. */
static unsigned look_at(cm_sample_watch *watch, int cpu, bool first)
{
    double begin_s = cm_clock_now_s();
    cm_machine_look before = watch->look;
    cm_machine_watch_look(&watch->files, cpu, !first, &watch->look);
    bool same = !first && cpu == watch->look_cpu, waits = !isnan(watch->before.waited_s);
    unsigned cause = same ? cm_sample_look_causes(&before, &watch->look, begin_s - watch->look_s,
                                                  watch->bound, waits)
                          : 0;
    watch->look_cpu = cpu;
    watch->look_s = cm_clock_now_s();
    watch->look_cost_s = watch->look_s - begin_s;
    return cause;
}

static bool is_bound(void)
{
    cpu_set_t may;
    return sched_getaffinity(0, sizeof may, &may) == 0 && CPU_COUNT(&may) == 1;
}

void cm_sample_watch_open(cm_sample_watch *watch)
{
    *watch = (cm_sample_watch){.bound = is_bound(), .crowded = -1};
    cm_machine_watch_open("", &watch->files);
    cm_machine_watch_read(&watch->files, &watch->before);
    look_at(watch, watch->before.cpu, true);
}

void cm_sample_watch_close(cm_sample_watch *watch) { cm_machine_watch_close(&watch->files); }

bool cm_sample_watch_look_is_due(const cm_sample_watch *watch)
{
    double since_s = cm_clock_now_s() - watch->look_s;
    return since_s >= fmax(look_every_s, watch->look_cost_s / look_share);
}

void cm_sample_watch_begin(cm_sample_watch *watch, double now_s)
{
    cm_machine_watch_read(&watch->files, &watch->before);
    watch->before_s = cm_clock_now_s();
    watch->told_s = now_s;
}

/* Only a rank that waited asks, because it takes some reading of files. */
static bool is_crowded(cm_sample_watch *watch)
{
    if (watch->crowded < 0)
        watch->crowded =
            cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world())) > cm_machine_job_cores();
    return watch->crowded;
}

/* What only other ranks and tasks do. */
static unsigned others(const cm_machine_counts *before, const cm_machine_counts *now,
                       double lasted_s)
{
    double runs = (double)(now->runs - before->runs);
    double waited_s = now->waited_s - before->waited_s - wake_up_s * runs;
    int64_t switches = now->switches - before->switches;
    unsigned cause = 0;
    if (waited_s > waited_share * lasted_s) cause |= CM_DISTURBED_WAITED;
    if (isnan(waited_s) && switches >= least_switches
        && (double)switches > switches_per_s * lasted_s)
        cause |= CM_DISTURBED_SWITCHED;
    if (now->cpu != before->cpu && lasted_s < moved_s) cause |= CM_DISTURBED_MOVED;
    return cause;
}

unsigned cm_sample_watch_end(cm_sample_watch *watch, double now_s, bool look)
{
    double lasted_s = cm_clock_now_s() - watch->before_s, told_s = now_s - watch->told_s;
    cm_machine_counts now;
    cm_machine_watch_read(&watch->files, &now);
    const cm_machine_counts *before = &watch->before;
    unsigned cause = look ? look_at(watch, now.cpu, false) : 0;
    if (cm_comm_has(CM_HAS_SIMULATOR)) return 0;
    if (fabs(told_s - lasted_s) > 0.1 * lasted_s + wake_up_s) return 0; /* a simulation */
    if (now.faults > before->faults) cause |= CM_DISTURBED_FAULTED;
    cause |= others(before, &now, lasted_s);
    /* What the job's own ranks do to each other. */
    const unsigned by_ranks = CM_DISTURBED_WAITED | CM_DISTURBED_SWITCHED | CM_DISTURBED_MOVED
                              | CM_DISTURBED_SHARED | CM_DISTURBED_PRESSED;
    return cause & by_ranks && is_crowded(watch) ? cause & ~by_ranks : cause;
}

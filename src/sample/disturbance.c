/* SPDX-License-Identifier: BSD-3-Clause */
/* disturbance.c: decides whether a trial was disturbed.

   cause     disturbed if                         reason
   waited    the rank waited for a core for more  2 % is the half-width at which rows end. On a
             than 2 % of the trial, after         quiet core, a sleeping rank needs 1 to 10 us to
             subtracting 20 us for each time it   wake up; a task on the same core costs a time
             got one                              slice, 700 us or more
   switched  there were two involuntary switches  used only if the kernel does not count waiting. A
             or more, and more than one per 10    single switch may be a kernel thread that runs
             ms                                   for microseconds
   faulted   a page was read from a disk          that takes 0.1 ms to 10 ms
   moved     the trial ended on another           cold caches cost some 0.1 ms. A rank that is
             processor and took less than 10 ms   alone on its core does not move
   stolen    the hypervisor took more than 5 %    the kernel counts in ticks of 10 ms. A quiet
             of the processor's time since the    virtual machine shows one tick in some 10 s.
             last look                            Looks are 0.1 s apart, so one tick is 10 %
   shared    other tasks used more than 25 % of   the rank slept and did not wait for them, but
             the processor's time since the last  they have filled its caches when it wakes up. The
             look, plus three standard            kernel charges a whole tick to the task that it
             deviations of counting in ticks      finds running, so a rank that runs for a share p
                                                  of n ticks seems to run for p +- sqrt(p (1 - p) /
                                                  n). Used only if the rank is bound to one
                                                  processor; otherwise the tasks may be ranks of
                                                  this job
   pressed   some task of the host waited for a   used only if the kernel does not count this
             core for more than 25 % of the time  rank's waiting, because that task may want any
             since the last look                  other core
   clocked   the processor's frequency differs    computing takes longer at a lower frequency. In
             by more than 5 % from that at the    most virtual machines the frequency is unknown
             last look

   A look reads the counters that take longer to read, every tenth of a second. What it finds
   applies to all trials since the previous look. Pressure is read even if it is not used, because
   that costs only a microsecond.

   If the job has more ranks than cores, its ranks wait for each other and move between cores. That
   does not count as disturbance; the result says "oversubscribed". */
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

/* An unknown value is NaN, so that every comparison with it is false. */
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

/* The first look only starts the period that the next one covers. It does not read the frequency:
   every row has a first look, and on some kernels reading the frequency is slow. */
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
    *watch = (cm_sample_watch){.bound = is_bound(), .oversubscribed = -1};
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

/* Called only if the rank was disturbed, because the answer requires reading several files. */
static bool is_oversubscribed(cm_sample_watch *watch)
{
    if (watch->oversubscribed < 0)
        watch->oversubscribed =
            cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world())) > cm_machine_job_cores();
    return watch->oversubscribed;
}

/* Returns the causes that only other ranks and tasks can bring about. */
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
    /* Causes that the ranks of an oversubscribed job also inflict on each other. */
    const unsigned by_ranks = CM_DISTURBED_WAITED | CM_DISTURBED_SWITCHED | CM_DISTURBED_MOVED
                              | CM_DISTURBED_SHARED | CM_DISTURBED_PRESSED;
    return cause & by_ranks && is_oversubscribed(watch) ? cause & ~by_ranks : cause;
}

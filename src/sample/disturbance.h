/* SPDX-License-Identifier: BSD-3-Clause */
/* disturbance.h: detects whether other tasks used this rank's core during its trials. */
#ifndef CM_SAMPLE_DISTURBANCE_H
#define CM_SAMPLE_DISTURBANCE_H

#include "machine/disturbance.h"
#include "measure/samples.h"

/* One rank's record of what disturbed its trials. All readings are taken between trials. */
typedef struct {
    cm_machine_watch files;
    cm_machine_counts before; /* the kernel's counts before the trial */
    double before_s, told_s;  /* time before the trial, by this computer's clock and by the clock
                                 that times the trial */
    double look_s;            /* time of the last look (disturbance.c) */
    cm_machine_look look;
    double look_cost_s;
    int look_cpu;
    bool bound;         /* this rank may run on one processor only */
    int oversubscribed; /* the job has more ranks than cores here: 1 yes, 0 no, -1 not known yet */
} cm_sample_watch;

/* Causes that only a look can detect. They apply to all trials since the previous look. */
enum {
    CM_SAMPLE_LOOKED_FOR =
        CM_DISTURBED_STOLEN | CM_DISTURBED_SHARED | CM_DISTURBED_PRESSED | CM_DISTURBED_CLOCKED
};

/* Returns the causes of disturbance between two looks at one processor, taken lasted_s seconds
   apart. bound: this rank may run only on that processor. waits: the kernel counts how long this
   rank waits for a core. */
unsigned cm_sample_look_causes(const cm_machine_look *before, const cm_machine_look *now,
                               double lasted_s, bool bound, bool waits);

void cm_sample_watch_open(cm_sample_watch *watch);
void cm_sample_watch_close(cm_sample_watch *watch);

/* Returns true if the next look is due: a tenth of a second after the last one, or later if looks
   would otherwise take more than 1 % of the time. */
bool cm_sample_watch_look_is_due(const cm_sample_watch *watch);

/* Call cm_sample_watch_begin before a trial and cm_sample_watch_end after it. now_s is the time by
   the clock that times the trial. If that is not this computer's clock, as in a simulation, no
   trial counts as disturbed. cm_sample_watch_end returns the causes CM_DISTURBED_..., or 0 for an
   undisturbed trial. look: also take a look, whose causes (those in CM_SAMPLE_LOOKED_FOR) apply to
   all trials since the previous look. */
void cm_sample_watch_begin(cm_sample_watch *watch, double now_s);
unsigned cm_sample_watch_end(cm_sample_watch *watch, double now_s, bool look);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* disturbance.h: whether others took this rank's core while it measured. */
#ifndef CM_SAMPLE_DISTURBANCE_H
#define CM_SAMPLE_DISTURBANCE_H

#include "machine/disturbance.h"
#include "measure/samples.h"

/* One rank's watch over its trials. All readings are between trials. */
typedef struct {
    cm_machine_watch files;
    cm_machine_counts before; /* the trial */
    double before_s, told_s;  /* then: this computer's clock; the clock that times the trial */
    double look_s;            /* when what takes longer was last read */
    cm_machine_look look;
    double look_cost_s;
    int look_cpu;
    bool bound;  /* this rank may run on one processor only */
    int crowded; /* more ranks than cores: 1 yes, 0 no, -1 not asked yet */
} cm_sample_watch;

/* Causes that a look finds; they are of all trials since the look before. */
enum {
    CM_SAMPLE_LOOKED_FOR =
        CM_DISTURBED_STOLEN | CM_DISTURBED_SHARED | CM_DISTURBED_PRESSED | CM_DISTURBED_CLOCKED
};

/* Returns the causes between two looks at one processor, lasted_s apart. bound: this rank may run
   on no other. waits: the kernel counts how long this rank waits. */
unsigned cm_sample_look_causes(const cm_machine_look *before, const cm_machine_look *now,
                               double lasted_s, bool bound, bool waits);

void cm_sample_watch_open(cm_sample_watch *watch);
void cm_sample_watch_close(cm_sample_watch *watch);

/* Is it time to read what takes longer? At most each tenth of a second, and 1 % of the time. */
bool cm_sample_watch_look_is_due(const cm_sample_watch *watch);

/* Around a trial. now_s is the time of the clock that times the trial; where that is not this
   computer's, as in a simulation, nothing disturbs. The end returns causes, CM_DISTURBED_..., 0 for
   an undisturbed trial. look: reads what takes longer; causes of CM_SAMPLE_LOOKED_FOR are then of
   all trials since the last look. */
void cm_sample_watch_begin(cm_sample_watch *watch, double now_s);
unsigned cm_sample_watch_end(cm_sample_watch *watch, double now_s, bool look);

#endif

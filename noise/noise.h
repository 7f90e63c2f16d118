/* SPDX-License-Identifier: BSD-3-Clause */
/* noise.h: declarations that the files of cm-noise share. */
#ifndef NOISE_H
#define NOISE_H

#include <stdint.h>
#include "run/run.h"
#include "sample/sample.h"

typedef struct {
    double quantum_s; /* of work (FWQ) and of time (FTQ) */
    double seconds;   /* of each of the three measurements */
    int bind;         /* cm_machine_way */
    cm_result_files files;
} noise_options;

enum {
    NOISE_MOST_QUANTA = 1 << 20,  /* of one rank and measurement */
    NOISE_MOST_SAMPLES = 1 << 22, /* quanta of all ranks that the result holds */
    NOISE_SLICES = 10,            /* of a measurement, for the interval of its mean */
    NOISE_LIMITS = 5              /* 1, 10, .. 10000 us: columns over_..._per_s */
};

/* ---- noise_check.c: for the check of cm_benchmark -------------------------------------------- */

int noise_check(const cm_program *program, void *options);
/* Quanta of a measurement: a power of two, as the spectrum needs it. */
size_t noise_quanta(const noise_options *options);

/* ---- noise_work.c ---------------------------------------------------------------------------- */

/* Steps of a recurrence from x. Each needs the one before, so that they take the same time whatever
   the memory does, and cannot be left out. */
uint64_t noise_work(uint64_t x, int64_t steps);
/* The same number from the recurrence's closed form, in some log2(steps) multiplications. */
uint64_t noise_work_reference(uint64_t x, int64_t steps);
/* Returns the number of steps that take this time on an undisturbed core. */
int64_t noise_work_steps(double seconds);

/* ---- noise_kernel.c: the timed loops, of one rank -------------------------------------------- */

/* Fixed work: sets time_s to the time in seconds of each quantum of `steps` steps. Stops after
   `seconds` seconds or `most` quanta. Returns the number of quanta. *wrong: 0, or 1 if the work's
   answer is wrong. */
size_t noise_fixed_work(int64_t steps, double seconds, size_t most, double *time_s, int64_t *wrong);
/* Fixed time: sets done to the units of work, of `steps` steps each, that are done in each of n
   intervals of quantum_s. A unit that begins in one interval and ends in a later one counts in each
   by its share of the unit's time. *wrong as above. */
void noise_fixed_time(int64_t steps, double quantum_s, size_t n, double *done, int64_t *wrong);

/* ---- noise_core.c: what the quanta of one core say ------------------------------------------- */

typedef struct {
    int32_t host, cpu;                 /* number of its host; processor */
    cm_summary time_s;                 /* of a quantum of fixed work */
    double total_s, lost_s;            /* of all these quanta */
    double slice_lost_s[NOISE_SLICES]; /* lost in successive equal parts of total_s */
    double over[NOISE_LIMITS];         /* quanta that lost more than the limit */
    double time_lost_share;            /* by fixed time */
    double period_s;                   /* period of the losses in fixed time; NaN: none */
    bool period_exact;                 /* false: period_s or a multiple of it */
} noise_core;

/* Fill the parts of core that fixed work and fixed time give. A quantum lost what it took beyond
   the shortest one. alarm: the probability of a period by chance. done is overwritten. Return false
   if memory is short. */
bool noise_core_work(const cm_samples *time_s, noise_core *core);
bool noise_core_time(double *done, size_t n, double quantum_s, double alarm, noise_core *core);

/* ---- noise_model.c: what many hosts lose at a barrier ---------------------------------------- */

enum { NOISE_BINS = 400 };

/* The distribution of what a quantum loses on one core or, as a product, on the slowest core of a
   host, or the mean over hosts. The bins are equal on a logarithmic scale. */
typedef struct {
    double share[NOISE_BINS];  /* of the quanta that lost no more than the end of the bin */
    double lost_s[NOISE_BINS]; /* of all quanta in the bin, together */
    double n[NOISE_BINS];      /* and their number */
} noise_distribution;

void noise_distribution_of(const cm_samples *time_s, noise_distribution *distribution);
/* Returns the expected maximum of this number of independent draws, in seconds. */
double noise_expected_maximum_s(const noise_distribution *distribution, double draws);
/* Collective over the world: makes of each rank's distribution that of a host's slowest core, mean
   over the hosts. */
void noise_distribution_of_hosts(noise_distribution *distribution);

/* ---- noise_step.c ---------------------------------------------------------------------------- */

/* Steps of all ranks, each a quantum of work and a barrier, and barriers alone. On rank 0. */
typedef struct {
    cm_samples step_s, barrier_s; /* means of short series */
} noise_steps;
/* Measures for `seconds` seconds. Collective over the world. *wrong counts wrong answers. */
void noise_step_measure(int64_t steps, double seconds, noise_steps *measured, int64_t *wrong);

/* ---- noise_result.c: rank 0 writes ----------------------------------------------------------- */

typedef struct {
    int ranks, hosts;
    int64_t steps;           /* of a quantum of work */
    noise_core *core;        /* [rank] */
    noise_distribution host; /* of the slowest core of a host */
    noise_steps measured;
    int64_t wrong; /* on all ranks */
} noise_found;

cm_result *noise_result_open(const cm_benchmark *benchmark, const noise_found *found, int sampled);
void noise_result_row(cm_result *result, int rank, const noise_core *core,
                      const cm_samples *time_s);
/* Returns the exit status. */
int noise_result_close(cm_result *result, const noise_found *found);

extern const cm_metric noise_metrics[];

/* ---- noise_run.c ----------------------------------------------------------------------------- */

int noise_run(const cm_benchmark *benchmark);

#endif

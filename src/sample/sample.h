/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.h: the sampler that all benchmarks use. A benchmark defines one trial. This file has the
   rest: warm-up, the length of a trial, the stopping rule, the choice of the rank whose time
   counts, the options that set all this, and the columns that report it.

   There are three levels: operations in a trial, trials in a launch, and launches. The sampler
   handles the first two. The interval of its samples says how precisely this launch was measured,
   and nothing about other launches. */
#ifndef CM_SAMPLE_H
#define CM_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "comm/comm.h"
#include "machine/machine.h"
#include "measure/fit.h"
#include "measure/samples.h"
#include "option/option.h"
#include "result/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- How ------------------------------------------------------------------------------------ */

/* The values of the options, the same for all rows of a result. */
typedef struct {
    cm_stop_rule rule;       /* of each row; rule.most and rule.least count samples */
    int64_t most;            /* --trials, or --repeat of runs; cm_sampling_check copies it to
                              rule.most */
    int64_t runs;            /* --repeat if a run (one trial) gives several samples: the maximum
                                number of trials in a row. 0: no limit; only samples are counted */
    int64_t operations;      /* number of operations in a trial; 0: as many as take trial_s */
    double trial_s;          /* seconds of a trial; 0: a trial is one operation, or the number in
                              `operations` */
    double warm_up_s;        /* seconds of operations before the first row; their times are
                                discarded */
    int bind;                /* binding of the ranks: a cm_machine_way */
    double (*now_s)(void);   /* the clock; NULL: cm_time. Only tests set it */
    unsigned (*cause)(void); /* called after each trial; returns its causes of disturbance,
                                CM_DISTURBED_..., or 0. NULL: the kernel's counters decide. A test
                                that does not call cm_init must set it */
} cm_sampling;

/* Trials of one millisecond, a half-width of 2 % of the median, and at most 1000 samples or limit_s
   seconds per row. */
#define CM_SAMPLING_DEFAULTS(limit_s)                                                  \
    {                                                                                  \
        .rule = {.relative_half_width = 0.02, .least = 10, .time_limit_s = (limit_s)}, \
        .most = 1000, .trial_s = 1e-3, .warm_up_s = 0.1                                \
    }

/* Rows of an option table. Each option means the same in all programs. sampling points to a
   cm_sampling. CM_SAMPLE_OPTIONS has the options of programs whose trials may have any length. */
#define CM_SAMPLE_BIND(sampling) CM_MACHINE_BIND(&(sampling)->bind)
#define CM_SAMPLE_TRIAL_SECONDS(sampling) \
    CM_SAMPLE_TRIAL_SECONDS_AS(           \
        sampling, "trial-seconds",        \
        "a trial, which is one sample, is as many operations as last this long")
/* The same option under another name. */
#define CM_SAMPLE_TRIAL_SECONDS_AS(sampling, name, help) \
    CM_REAL(name, 0, "SECONDS", &(sampling)->trial_s, 1e-6, 1e3, help)
#define CM_SAMPLE_REPETITIONS(sampling)                                 \
    CM_INTEGER("repetitions", 0, "N", &(sampling)->operations, 0, 1e12, \
               "operations of a trial; 0: as many as --trial-seconds asks for")
#define CM_SAMPLE_HALF_WIDTH(sampling) CM_SAMPLE_HALF_WIDTH_ALSO(sampling, "")
/* The same option with words appended to its help. A program that must know whether the user gave
   the option sets it to -1 before parsing and states the default in these words. */
#define CM_SAMPLE_HALF_WIDTH_ALSO(sampling, words)                                         \
    CM_REAL("half-width", 0, "FRACTION", &(sampling)->rule.relative_half_width, 0, 1,      \
            "enough samples when half the 95 % confidence interval of the median is this " \
            "fraction of it; 0: never" words)
#define CM_SAMPLE_TRIALS(sampling) CM_SAMPLE_TRIALS_AS(sampling, "trials")
/* The same option under another name. */
#define CM_SAMPLE_TRIALS_AS(sampling, name) CM_SAMPLE_TRIALS_ALSO(sampling, name, "")
/* The same with words appended to its help. A program sets it to 0 before parsing; 0 afterwards
   means that the option was not given. */
#define CM_SAMPLE_TRIALS_ALSO(sampling, name, words) \
    CM_INTEGER(name, 0, "N", &(sampling)->most, 1, 1e7, "at most N samples a row" words)
/* --repeat N measures each row N times. If runs are long, each measurement is one run and yields
   one sample (CM_SAMPLE_RUNS). If trials are short, each measurement has many samples, and the
   program makes N sweeps over all rows (CM_SAMPLE_SWEEPS; count points to an int64_t). */
#define CM_SAMPLE_RUNS(sampling) CM_SAMPLE_RUNS_TO(&(sampling)->most)
/* The same for runs that yield several samples each. */
#define CM_SAMPLE_RUNS_OF_SAMPLES(sampling) CM_SAMPLE_RUNS_TO(&(sampling)->runs)
#define CM_SAMPLE_RUNS_TO(count) \
    CM_INTEGER("repeat", 0, "N", count, 1, 1e7, "measure each row N times at most, a run each")
#define CM_SAMPLE_SWEEPS(count)                 \
    CM_INTEGER("repeat", 0, "N", count, 1, 1e4, \
               "measure each row N times, in as many sweeps over all of them")
#define CM_SAMPLE_TIME_LIMIT(sampling) CM_SAMPLE_TIME_LIMIT_ALSO(sampling, "")
/* The same with words appended to its help. A program sets it to -1 before parsing; -1 afterwards
   means that the option was not given. */
#define CM_SAMPLE_TIME_LIMIT_ALSO(sampling, words)                              \
    CM_REAL("time-limit", 0, "SECONDS", &(sampling)->rule.time_limit_s, 0, 1e6, \
            "begin no more trials of a row after this time" words)
#define CM_SAMPLE_WARM_UP(sampling)                                  \
    CM_REAL("warm-up", 0, "SECONDS", &(sampling)->warm_up_s, 0, 1e3, \
            "operations before the first row, not kept")
#define CM_SAMPLE_OPTIONS(sampling)                                                      \
    CM_HEADING("Sampling"), CM_SAMPLE_BIND(sampling), CM_SAMPLE_TRIAL_SECONDS(sampling), \
        CM_SAMPLE_REPETITIONS(sampling), CM_SAMPLE_HALF_WIDTH(sampling),                 \
        CM_SAMPLE_TRIALS(sampling), CM_SAMPLE_TIME_LIMIT(sampling), CM_SAMPLE_WARM_UP(sampling)
/* The options of a program whose trials are whole runs. repeat is CM_SAMPLE_RUNS(sampling) or
   CM_SAMPLE_RUNS_OF_SAMPLES(sampling). */
#define CM_SAMPLE_RUN_OPTIONS(sampling, repeat)                                               \
    CM_HEADING("Sampling"), CM_SAMPLE_BIND(sampling), CM_SAMPLE_HALF_WIDTH(sampling), repeat, \
        CM_SAMPLE_TIME_LIMIT(sampling), CM_SAMPLE_WARM_UP(sampling)

/* Call this after parsing. It sets rule.most to `most`, unless that is 0, and limits rule.least to
   rule.most. */
void cm_sampling_check(cm_sampling *sampling);

/* ---- What ----------------------------------------------------------------------------------- */

/* Which value counts. */
typedef enum {
    CM_SAMPLE_OWN,    /* the value of rank 0 of the group, which is alone or already knows the
                         others' values */
    CM_SAMPLE_SLOWEST /* the largest value of any rank of the group, for each series */
} cm_sample_who;

/* A subject is what is measured: one quantity, or several in one trial. prepare, trial and verify
   are called on every rank of the group, in this order. forget and precise are called on rank 0
   only. */
typedef struct {
    cm_sample_who who;
    size_t series; /* number of quantities that a trial measures. Each has its own samples, and all
                      must meet the rule. 0 means 1 */
    bool each;     /* each operation of a trial is a sample: trial sets `operations` values of one
                      series */
    int64_t least_operations, most_operations; /* limits for a trial; 0 means 1 and 2^40 */
    int64_t guess; /* first guess at the number of operations in a trial, taken from a faster
                      subject; 0: no guess */
    int settle;    /* number of consecutive trials that must last long enough before their length is
                      accepted. The first trials mislead if ranks that spin for each other share a
                      core. 0 means 1 */

    void (*prepare)(void *context); /* called before each trial, untimed; may be NULL */
    /* Does the given number of operations and sets value[0 .. series - 1] to this rank's value per
       operation, in seconds or in the measured unit. A value that is not finite does not count.
       Returns the seconds that all operations took on this rank, or a number below 0 if an error
       must end the measurement. */
    double (*trial)(void *context, int64_t operations, double *value);
    /* Called after each trial that is kept, untimed; may be NULL. Returns false if the answer is
       wrong and the measurement must end. */
    bool (*verify)(void *context);
    /* Called when the row starts again. Discards everything that the caller has stored about trials
       besides the samples. NULL if the caller stores nothing. */
    void (*forget)(void *context);
    /* Returns true if the samples (as in cm_sampled) are precise enough. Replaces the rule's
       precision condition. NULL: the rule's condition applies. */
    bool (*precise)(void *context, const cm_samples *samples);
    /* Returns the causes, CM_DISTURBED_..., that disturbed the last trial on ranks outside the
       group, as far as rank 0 knows. Sets *earlier to the causes that it has since learned about
       the trial before. NULL: there are no such ranks. */
    unsigned (*others)(void *context, unsigned *earlier);
    void *context; /* the callbacks' first argument */
} cm_subject;

/* The measurement of a subject. All members are set on rank 0 of the group; operations, trials and
   stop are set on all ranks. */
typedef struct {
    /* [series], owned by the caller. Each is initially CM_SAMPLES_EMPTY, or holds the samples of an
       earlier call, to which this call adds */
    cm_samples *samples;
    int64_t operations; /* number of operations in a trial. If it is not 0 initially, there is no
                           calibration and samples are added */
    size_t trials;      /* number of trials kept */
    size_t dropped;     /* number of values that were not finite */
    size_t last;        /* number of samples before the last trial */
    cm_stop stop;       /* reason why the row ended; CM_STOP_NOT: a trial or its verification failed
                           */
} cm_sampled;

/* Measures n subjects until each meets the rule. Their trials take turns, one of each, so that
   other activity on the machine affects all subjects alike. subject and sampled have n elements.
   All ranks of the group call it, and rank 0 of the group decides. If group is NULL, this rank
   measures alone; its trials may make other ranks work. A trial yields one value per series or,
   with `each`, one per operation. Sets sampled. Ends the job if memory is short. */
void cm_sample(const cm_sampling *sampling, cm_group *group, size_t n, const cm_subject *subject,
               cm_sampled *sampled);

/* Runs operations of a subject for sampling->warm_up_s seconds and discards their times. Call it on
   the same ranks as cm_sample. */
void cm_sample_warm_up(const cm_sampling *sampling, cm_group *group, const cm_subject *subject);

/* ---- What the result says ------------------------------------------------------------------- */

/* The columns of a row: number of samples, minimum, median, the interval of the median and its
   kind, mean, standard deviation and maximum; the number of disturbed samples among the n, and
   whether the other columns describe all samples or only the undisturbed ones. summary is a member
   of the row's type, a cm_summary; unit is the suffix of the names: "_s". CM_SUMMARIZED_COLUMNS are
   the last two, for a table that has names of its own for the others. */
#define CM_SUMMARY_COLUMNS(row, summary, unit, format)                                       \
    CM_COLUMN(row, summary.n, "n", "%.0f"), CM_COLUMN(row, summary.min, "min" unit, format), \
        CM_COLUMN(row, summary.median, "median" unit, format),                               \
        CM_COLUMN(row, summary.low, "low" unit, format),                                     \
        CM_COLUMN(row, summary.high, "high" unit, format),                                   \
        CM_COLUMN(row, summary.interval, "interval", CM_INTERVAL_FORMAT),                    \
        CM_COLUMN(row, summary.mean, "mean" unit, format),                                   \
        CM_COLUMN(row, summary.deviation, "deviation" unit, format),                         \
        CM_COLUMN(row, summary.max, "max" unit, format), CM_SUMMARIZED_COLUMNS(row, summary)
#define CM_SUMMARIZED_COLUMNS(row, summary)                 \
    CM_COLUMN(row, summary.disturbed, "disturbed", "%.0f"), \
        CM_COLUMN(row, summary.left_out, "summarized", "=all|undisturbed")

/* cm_sample_summary returns the summary of the samples, cm_sample_fastest the least sample
   (cm_quantity_least_sample). Both end the job with status 3 if memory is short. */
cm_summary cm_sample_summary(const cm_samples *samples);
cm_quantity cm_sample_fastest(const cm_samples *samples);

/* Adds metadata: what a sample is, when a row ends, the kind of interval, the length of a trial and
   the warm-up. sample describes a sample: "a trial: ...". */
void cm_sample_meta(cm_result *result, const cm_sampling *sampling, const char *sample);

/* Counts the reasons why rows ended. cm_sample_count adds a row with this number of series;
   cm_sample_tell writes the comment line "stopped: ...". */
typedef struct {
    size_t rows[CM_STOP_TIME + 1], samples;
} cm_sample_tally;
void cm_sample_count(cm_sample_tally *tally, const cm_sampled *sampled, size_t series);
void cm_sample_tell(cm_result *result, const cm_sample_tally *tally);

#ifdef __cplusplus
}
#endif
#endif

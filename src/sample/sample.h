/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.h: the sampler that all benchmarks use. A benchmark defines one trial. This file has the
   rest: warm-up, the length of a trial, the rule that ends sampling, the choice of the rank whose
   time counts, the options that set all this and the columns that report it.

   There are three levels: operations in a trial, trials in a launch, and launches. The sampler
   handles the first two; an interval of its samples says how well this launch was measured. */
#ifndef CM_SAMPLE_H
#define CM_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "comm/comm.h"
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
    int64_t runs;            /* --repeat if a run (one trial) gives several samples: the most trials
                              of a row. 0: only samples are counted */
    int64_t operations;      /* operations of a trial; 0: as many as last trial_s */
    double trial_s;          /* seconds of a trial; 0: a trial is one operation, or the number in
                              `operations` */
    double warm_up_s;        /* seconds of operations before the first row; they are not kept */
    bool bind;               /* bind each rank to a core of its own */
    double (*now_s)(void);   /* the clock; NULL: cm_time. A test has a clock of its own */
    unsigned (*cause)(void); /* after each trial: why it was disturbed, CM_DISTURBED_..., 0: it was
                                not. NULL: the kernel knows, and the layer, whether ranks
                                outnumber cores. A test without cm_init has causes of its own */
} cm_sampling;

/* A trial of one millisecond, a half-width of 2 % of the median, at most 1000 samples or limit_s
   seconds for each row. */
#define CM_SAMPLING_DEFAULTS(limit_s)                                                  \
    {                                                                                  \
        .rule = {.relative_half_width = 0.02, .least = 10, .time_limit_s = (limit_s)}, \
        .most = 1000, .trial_s = 1e-3, .warm_up_s = 0.1                                \
    }

/* Rows of an option table; each has one meaning in all programs. sampling points to a cm_sampling.
   CM_SAMPLE_OPTIONS are the options of the programs that are free to choose the length of a
   trial. */
#define CM_SAMPLE_BIND(sampling) \
    CM_FLAG("bind", 0, &(sampling)->bind, "bind each rank to a core of its own")
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
/* The same option with more words at the end of its sentence. A program that must know whether the
   option was given begins with -1 and says there what the default is. */
#define CM_SAMPLE_HALF_WIDTH_ALSO(sampling, words)                                         \
    CM_REAL("half-width", 0, "FRACTION", &(sampling)->rule.relative_half_width, 0, 1,      \
            "enough samples when half the 95 % confidence interval of the median is this " \
            "fraction of it; 0: never" words)
#define CM_SAMPLE_TRIALS(sampling) CM_SAMPLE_TRIALS_AS(sampling, "trials")
/* The same option under another name. */
#define CM_SAMPLE_TRIALS_AS(sampling, name) CM_SAMPLE_TRIALS_ALSO(sampling, name, "")
/* The same with more words; 0: not given. */
#define CM_SAMPLE_TRIALS_ALSO(sampling, name, words) \
    CM_INTEGER(name, 0, "N", &(sampling)->most, 1, 1e7, "at most N samples a row" words)
/* --repeat N: each row is measured N times. If runs are long, a measurement is one run and one
   sample (CM_SAMPLE_RUNS). If trials are short, a measurement has samples of its own and the rows
   are measured in N sweeps over all of them (CM_SAMPLE_SWEEPS, where count points to an
   int64_t). */
#define CM_SAMPLE_RUNS(sampling) CM_SAMPLE_RUNS_TO(&(sampling)->most)
/* The same if a run gives several samples. */
#define CM_SAMPLE_RUNS_OF_SAMPLES(sampling) CM_SAMPLE_RUNS_TO(&(sampling)->runs)
#define CM_SAMPLE_RUNS_TO(count) \
    CM_INTEGER("repeat", 0, "N", count, 1, 1e7, "measure each row N times at most, a run each")
#define CM_SAMPLE_SWEEPS(count)                 \
    CM_INTEGER("repeat", 0, "N", count, 1, 1e4, \
               "measure each row N times, in as many sweeps over all of them")
#define CM_SAMPLE_TIME_LIMIT(sampling) CM_SAMPLE_TIME_LIMIT_ALSO(sampling, "")
/* The same with more words; -1: not given. */
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
/* Those of a program whose trials are whole runs; repeat is CM_SAMPLE_RUNS(sampling) or
   CM_SAMPLE_RUNS_OF_SAMPLES(sampling). */
#define CM_SAMPLE_RUN_OPTIONS(sampling, repeat)                                               \
    CM_HEADING("Sampling"), CM_SAMPLE_BIND(sampling), CM_SAMPLE_HALF_WIDTH(sampling), repeat, \
        CM_SAMPLE_TIME_LIMIT(sampling), CM_SAMPLE_WARM_UP(sampling)

/* Call it after parsing. Sets rule.most to `most`, unless that is 0, and limits rule.least to
   rule.most. */
void cm_sampling_check(cm_sampling *sampling);

/* ---- What ----------------------------------------------------------------------------------- */

/* The value that counts. */
typedef enum {
    CM_SAMPLE_OWN,    /* that of rank 0 of the group, which knows of the others or is alone */
    CM_SAMPLE_SLOWEST /* the largest value of all ranks of the group, for each series */
} cm_sample_who;

/* A subject is one quantity, or several in one trial, that is measured. prepare, trial and verify
   are called on every rank of the group, in the same order; forget and precise are called on rank 0
   only. */
typedef struct {
    cm_sample_who who;
    size_t series; /* number of quantities that a trial measures. Each has samples of its own, and
                      all must meet the rule. 0 means 1 */
    bool each;     /* each operation of a trial is a sample: trial sets `operations` values of one
                      series */
    int64_t least_operations, most_operations; /* of a trial; 0 means 1, and 2^40 */
    int64_t guess; /* operations of a trial of a faster subject, from which the search for their
                      number begins; 0: none */
    int settle;    /* number of consecutive trials that must last long enough before their length is
                      accepted: if ranks spin for each other on one core, the first ones mislead.
                      0 means 1 */

    void (*prepare)(void *context); /* called before each trial, untimed; may be NULL */
    /* Does the given number of operations and sets value[0 .. series - 1] to this rank's value for
       one operation, in seconds or in the unit that is measured. A value that is not finite does
       not count. Returns the seconds that all operations took on this rank, or a number below 0 if
       something is wrong and the measurement must end. */
    double (*trial)(void *context, int64_t operations, double *value);
    /* Called after each trial that counts, untimed; may be NULL. Returns false if the answer is
       wrong and the measurement must end. */
    bool (*verify)(void *context);
    /* Discards everything that the caller keeps of trials besides the samples, because the row
       begins again. NULL if the caller keeps nothing. */
    void (*forget)(void *context);
    /* Returns true if the samples, as in cm_sampled, are precise enough. It replaces the rule's
       condition, which is on the interval of each median relative to that median. NULL: the
       rule's condition. */
    bool (*precise)(void *context, const cm_samples *samples);
    /* Returns why the last trial was disturbed on ranks that are not in the group, as far as rank 0
       knows, and sets *earlier to what it has learned meanwhile of the trial before:
       CM_DISTURBED_... NULL: there are none. */
    unsigned (*others)(void *context, unsigned *earlier);
    void *context; /* the callbacks' first argument */
} cm_subject;

/* The measurement of a subject, set on rank 0 of the group; operations, trials and stop are set on
   all ranks. */
typedef struct {
    /* [series]; they belong to the caller. Each begins as CM_SAMPLES_EMPTY or as the samples to be
       continued */
    cm_samples *samples;
    int64_t operations; /* of a trial. If it is not 0 before, there is no search for it and samples
                           are added */
    size_t trials;      /* trials that were kept */
    size_t dropped;     /* values that were not finite */
    size_t last;        /* number of samples before the last trial */
    cm_stop stop;       /* CM_STOP_NOT: a trial or verification reported that something is wrong */
} cm_sampled;

/* Measures n subjects until each has met the rule. Their trials take turns, one of each, so that
   other activity of the machine affects all of them. subject and sampled have n elements. All ranks
   of the group call it, and its rank 0 decides. If group is NULL, this rank measures alone, and its
   trials may let other ranks work. A trial has at most as many values as it has series or, with
   `each`, most_operations. Sets sampled; ends the job if memory is short. */
void cm_sample(const cm_sampling *sampling, cm_group *group, size_t n, const cm_subject *subject,
               cm_sampled *sampled);

/* Runs operations of a subject for sampling->warm_up_s seconds and keeps nothing. It is called as
   cm_sample is. */
void cm_sample_warm_up(const cm_sampling *sampling, cm_group *group, const cm_subject *subject);

/* ---- What the result says ------------------------------------------------------------------- */

/* The columns of a row: number of samples, minimum, median, the interval of the median and its
   kind, mean, standard deviation and maximum; the number of disturbed samples among the n, and
   whether the other columns are of all samples or of the undisturbed ones. unit is the suffix of
   their names: "_s". cm_sample_values writes the values of a summary for these columns to `to` and
   returns the address after them. */
enum { CM_SAMPLE_COLUMN_COUNT = 11 };
/* clang-format off */
#define CM_SAMPLE_COLUMNS(unit, format)                                              \
    {"n", "%.0f"}, {"min" unit, format}, {"median" unit, format},                    \
    {"low" unit, format}, {"high" unit, format}, {"interval", CM_INTERVAL_FORMAT},   \
    {"mean" unit, format}, {"deviation" unit, format}, {"max" unit, format},         \
    {"disturbed", "%.0f"}, {"summarized", "=all|undisturbed"}
/* clang-format on */
double *cm_sample_values(const cm_summary *summary, double *to);

/* Make the interval of a metric from the summary of a row: of value = factor * median, and of a
   rate, value = factor / median. */
cm_result_interval cm_sample_interval(const cm_summary *summary, double factor);
cm_result_interval cm_sample_rate_interval(const cm_summary *summary, double factor);

/* The interval of the part of an exchange's time that computing hides, 1 - (total - compute) /
   exchange of medians: with all three at the ends of their intervals, which is too wide rather than
   too narrow. total: both together. */
cm_result_interval cm_sample_overlap_interval(const cm_summary *exchange, const cm_summary *compute,
                                              const cm_summary *total);

/* Make the interval of a metric that is not the median of one row. All ends are finite or, if there
   is no interval, NaN; cm_result_verdict_interval then writes none.

   ratio: of a quotient of two values that are above 0, from the interval of each: the least over
   the greatest to the greatest over the least. It is a 95 % interval if both are.
   fastest: of a rate, factor / the fastest sample: a range from the rate of the fifth fastest
   sample, or of the slowest if there are fewer than five.
   fit: of a fit's parameter, factor * estimate: Student's 95 % interval of a fit of so many values
   (points of each curve) with so many parameters. points is the number of sizes, for the result. It
   says how precisely the values determine the parameter if the model holds. */
cm_result_interval cm_sample_ratio_interval(const cm_result_interval *over,
                                            const cm_result_interval *under);
cm_result_interval cm_sample_fastest_interval(const cm_samples *samples, double factor);
cm_result_interval cm_sample_fit_interval(cm_estimate estimate, double factor, size_t values,
                                          size_t parameters, size_t points, bool disturbed);

/* Returns the summary of the samples. Ends the job with status 3 if memory is short. */
cm_summary cm_sample_summary(const cm_samples *samples);

/* Adds metadata: what a sample is, when a row ends, the interval, the length of a trial and the
   warm-up. sample is part of a sentence: "a trial: ...". */
void cm_sample_meta(cm_result *result, const cm_sampling *sampling, const char *sample);

/* The reasons why rows ended: cm_sample_count adds a row, of that number of series, to the tally;
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

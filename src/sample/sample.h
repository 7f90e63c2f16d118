/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.h: the one sampler. A benchmark says what one trial is; warm-up, the length of a trial,
   when there are samples enough, whose time counts, the options that set all this and the columns
   that tell of it are here.

   Three levels are told apart: operations in a trial, trials in a launch, launches. What is here is
   the first two; an interval of them says how well this launch was measured. */
#ifndef CM_SAMPLE_H
#define CM_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "comm/comm.h"
#include "measure/samples.h"
#include "option/option.h"
#include "result/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- How ------------------------------------------------------------------------------------ */

/* What the options say, the same for all rows of a result. */
typedef struct {
    cm_stop_rule rule;     /* of each row; rule.most and rule.least count samples */
    int64_t most;          /* --trials, or --repeat of runs: goes to rule.most */
    int64_t runs;          /* --repeat where a run, one trial, gives several samples: trials of a
                              row at most. 0: samples alone are counted */
    int64_t operations;    /* of a trial; 0: as many as last trial_s */
    double trial_s;        /* 0: a trial is one operation, or as many as `operations` says */
    double warm_up_s;      /* operations before the first row, not kept */
    bool bind;             /* each rank to a core of its own */
    double (*now_s)(void); /* NULL: cm_time; a test brings a clock of its own */
} cm_sampling;

/* A trial of a millisecond, 2 % of the median, at most 1000 samples or limit_s seconds a row. */
#define CM_SAMPLING_DEFAULTS(limit_s)                                                  \
    {                                                                                  \
        .rule = {.relative_half_width = 0.02, .least = 10, .time_limit_s = (limit_s)}, \
        .most = 1000, .trial_s = 1e-3, .warm_up_s = 0.1                                \
    }

/* Rows of an option table, each with one meaning in every program; sampling points to a
   cm_sampling. CM_SAMPLE_OPTIONS are those that any program has whose trials are as long as it
   likes. */
#define CM_SAMPLE_BIND(sampling) \
    CM_FLAG("bind", 0, &(sampling)->bind, "bind each rank to a core of its own")
#define CM_SAMPLE_TRIAL_SECONDS(sampling) \
    CM_SAMPLE_TRIAL_SECONDS_AS(           \
        sampling, "trial-seconds",        \
        "a trial, which is one sample, is as many operations as last this long")
/* The same where a program calls it something else. */
#define CM_SAMPLE_TRIAL_SECONDS_AS(sampling, name, help) \
    CM_REAL(name, 0, "SECONDS", &(sampling)->trial_s, 1e-6, 1e3, help)
#define CM_SAMPLE_REPETITIONS(sampling)                                 \
    CM_INTEGER("repetitions", 0, "N", &(sampling)->operations, 0, 1e12, \
               "operations of a trial; 0: as many as --trial-seconds asks for")
#define CM_SAMPLE_HALF_WIDTH(sampling)                                                     \
    CM_REAL("half-width", 0, "FRACTION", &(sampling)->rule.relative_half_width, 0, 1,      \
            "enough samples when half the 95 % confidence interval of the median is this " \
            "fraction of it; 0: never")
#define CM_SAMPLE_TRIALS(sampling) CM_SAMPLE_TRIALS_AS(sampling, "trials")
/* The same where a program calls them something else. */
#define CM_SAMPLE_TRIALS_AS(sampling, name) \
    CM_INTEGER(name, 0, "N", &(sampling)->most, 1, 1e7, "at most N samples a row")
/* --repeat: each row is measured so many times. Where a run is long, a measurement is one run and
   one sample; where trials are short, it is samples of its own, and rows are taken in sweeps over
   all of them, count to an int64_t. */
#define CM_SAMPLE_RUNS(sampling) CM_SAMPLE_RUNS_TO(&(sampling)->most)
/* The same where a run gives several samples. */
#define CM_SAMPLE_RUNS_OF_SAMPLES(sampling) CM_SAMPLE_RUNS_TO(&(sampling)->runs)
#define CM_SAMPLE_RUNS_TO(count) \
    CM_INTEGER("repeat", 0, "N", count, 1, 1e7, "measure each row N times at most, a run each")
#define CM_SAMPLE_SWEEPS(count)                 \
    CM_INTEGER("repeat", 0, "N", count, 1, 1e4, \
               "measure each row N times, in as many sweeps over all of them")
#define CM_SAMPLE_TIME_LIMIT(sampling)                                          \
    CM_REAL("time-limit", 0, "SECONDS", &(sampling)->rule.time_limit_s, 0, 1e6, \
            "begin no more trials of a row after this time")
#define CM_SAMPLE_WARM_UP(sampling)                                  \
    CM_REAL("warm-up", 0, "SECONDS", &(sampling)->warm_up_s, 0, 1e3, \
            "operations before the first row, not kept")
#define CM_SAMPLE_OPTIONS(sampling)                                                      \
    CM_HEADING("Sampling"), CM_SAMPLE_BIND(sampling), CM_SAMPLE_TRIAL_SECONDS(sampling), \
        CM_SAMPLE_REPETITIONS(sampling), CM_SAMPLE_HALF_WIDTH(sampling),                 \
        CM_SAMPLE_TRIALS(sampling), CM_SAMPLE_TIME_LIMIT(sampling), CM_SAMPLE_WARM_UP(sampling)

/* After parsing: what follows from `most`; no more samples are wanted than there may be. */
void cm_sampling_check(cm_sampling *sampling);

/* ---- What ----------------------------------------------------------------------------------- */

/* Whose value counts. */
typedef enum {
    CM_SAMPLE_OWN,    /* rank 0's of the group, which knows of the others, or is alone */
    CM_SAMPLE_SLOWEST /* the largest of all ranks of the group */
} cm_sample_who;

/* One thing that is measured. Callbacks are called on every rank of the group, in the same
   order. */
typedef struct {
    cm_sample_who who;
    size_t series; /* quantities that a trial gives, each with samples of its own; the rule must
                        be met by all of them. 0: 1 */
    bool each;     /* each operation of a trial is a sample: trial gives `operations` values, of
                        one series */
    int64_t least_operations, most_operations; /* of a trial; 0: 1, and 2^40 */
    int64_t guess; /* operations of a trial of something that was faster, from which the search
                        for their number begins; 0: there is none */
    int settle;    /* trials in a row that must last long enough before their length is believed:
                        where ranks spin for each other on one core the first ones mislead. 0: 1 */

    void (*prepare)(void *context); /* before each trial, untimed; NULL: nothing */
    /* Does so many operations and sets value[0 .. series - 1], in seconds or whatever is measured,
       of one operation, by this rank. A value that is not finite does not count. Returns the
       seconds that all operations took on this rank, below 0: something is wrong, measure no
       more. */
    double (*trial)(void *context, int64_t operations, double *value);
    bool (*verify)(void *context); /* after each trial that counts, untimed; NULL: nothing.
                                         False: the answer is wrong, measure no more */
    /* What the caller keeps of trials beside the samples is to go: the row begins again. NULL: it
       keeps nothing. */
    void (*forget)(void *context);
    /* Instead of the rule's precision, where that is not the relative one of each median; samples
       as in cm_sampled. NULL: the rule's. */
    bool (*precise)(void *context, const cm_samples *samples);
    void *context;
} cm_subject;

/* What is known of it in the end, on rank 0 of the group; operations, trials and stop on all
   ranks. */
typedef struct {
    /* [series]; the caller's, each CM_SAMPLES_EMPTY or what it shall go on from */
    cm_samples *samples;
    int64_t operations; /* of a trial; not 0 before: no search for it, samples are added */
    size_t trials;      /* that were kept */
    size_t dropped;     /* values that were not finite */
    cm_stop stop;       /* CM_STOP_NOT: a trial or verification said that something is wrong */
} cm_sampled;

/* Measures n subjects in turn, a trial of each, so that what else the machine does meets all of
   them, until each has met the rule. Called by every rank of the group; group NULL: by this rank
   alone, whatever its trials have others do. Rank 0 decides. The largest number of values of a
   trial is that of series or, with `each`, most_operations. Ends the job when memory is short. */
void cm_sample(const cm_sampling *sampling, cm_group *group, size_t n, const cm_subject *subject,
               cm_sampled *sampled);

/* Operations of a subject for sampling->warm_up_s; nothing is kept. As cm_sample. */
void cm_sample_warm_up(const cm_sampling *sampling, cm_group *group, const cm_subject *subject);

/* ---- What the result says ------------------------------------------------------------------- */

/* Columns of a row: how many samples, the least, the median, its interval and what that is, mean
   and deviation; unit is the end of their names, "_s". Then the values of a summary for them;
   returns what follows them. */
enum { CM_SAMPLE_COLUMN_COUNT = 8 };
/* clang-format off */
#define CM_SAMPLE_COLUMNS(unit, format)                                              \
    {"n", "%.0f"}, {"min" unit, format}, {"median" unit, format},                    \
    {"low" unit, format}, {"high" unit, format}, {"interval", CM_INTERVAL_FORMAT},   \
    {"mean" unit, format}, {"deviation" unit, format}
/* clang-format on */
double *cm_sample_values(const cm_summary *summary, double *to);

/* Metadata: what a sample is, and when there are enough. sample: "a trial: ...", a sentence
   part. */
void cm_sample_meta(cm_result *result, const cm_sampling *sampling, const char *sample);

/* Why rows ended. */
typedef struct {
    size_t rows[CM_STOP_TIME + 1], samples;
} cm_sample_tally;
void cm_sample_count(cm_sample_tally *tally, const cm_sampled *sampled, size_t series);
void cm_sample_tell(cm_result *result, const cm_sample_tally *tally); /* "stopped: ..." */

#ifdef __cplusplus
}
#endif
#endif

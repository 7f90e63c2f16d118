/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion.h: what the parts of cm-congestion share. Some ranks, the victims, measure; the
   others, the aggressors, load the network or wait. Rank 0 of the job, which may be either, writes
   the result. */
#ifndef CONGESTION_H
#define CONGESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "measure/histogram.h"
#include "pairs/write.h"
#include "run/run.h"

typedef enum {
    CONGESTION_PINGPONG,
    CONGESTION_ALLREDUCE,
    CONGESTION_BANDWIDTH,
    CONGESTION_VICTIMS
} congestion_victim;
typedef enum {
    CONGESTION_ALONE, /* no aggressor */
    CONGESTION_ALLTOALL,
    CONGESTION_INCAST,
    CONGESTION_BROADCAST,
    CONGESTION_LOADS
} congestion_load;
typedef enum { CONGESTION_RANDOM, CONGESTION_ALTERNATE } congestion_placement;

/* Victims that exchange messages need a partner, and so does an aggressor. */
enum { CONGESTION_LEAST_OF_A_KIND = 2, CONGESTION_LEAST_RANKS = 2 * CONGESTION_LEAST_OF_A_KIND };
enum { CONGESTION_MOST_ROUNDS = 1000 };

typedef struct {
    const char *victims_text, *aggressors_text;
    bool victim[CONGESTION_VICTIMS], load[CONGESTION_LOADS]; /* set by the check */
    double share;                                            /* of the ranks that are aggressors */
    int placement;
    bool whole_hosts;   /* all ranks of a host are of one kind */
    int64_t seed;       /* -1 until the check: not given; likewise 0 of the next three */
    int64_t size_bytes; /* ping-pong and allreduce */
    int64_t bandwidth_bytes, window;
    int64_t load_bytes;
    int64_t rounds;
    cm_sampling sampling; /* a trial is a batch of operations */
    cm_result_files files;
} congestion_options;

/* ---- congestion_check.c ---------------------------------------------------------------------- */

int congestion_check(const cm_program *program, void *options);

/* ---- congestion_place.c: who is what --------------------------------------------------------- */

extern const char *const congestion_placements[];

typedef struct {
    int aggressors, victims;
    int victim_root, load_root; /* ranks of the job: the first of either group */
    bool aggressor;             /* this rank */
    cm_group *group;            /* of this rank's kind */
} congestion_place;

/* Returns 0 if the ranks can be divided as the options say. Otherwise rank 0 prints one line, and
   CM_EXIT_USAGE is returned. */
int congestion_place_check(const cm_program *program, const congestion_options *options);

/* Every rank calls it. Splits the job by share, placement, whole_hosts and seed. A group's ranks of
   one host follow each other. */
void congestion_place_open(congestion_place *place, const congestion_options *options);
void congestion_place_close(congestion_place *place);

/* ---- congestion_victim.c: operations that are measured --------------------------------------- */

extern const char *const congestion_victim_names[];
enum { CONGESTION_MOST_BATCH = 4096 };

/* A victim. Pairs are ranks k and k + pairs of the group; the last of an odd number is in none. */
typedef struct {
    cm_group *group;
    int peer;   /* -1: none */
    bool leads; /* times its pair */
    size_t size_bytes, bandwidth_bytes;
    int window;
    unsigned char *send, *receive;
    cm_request **requests; /* [2 * window] */
    double *time_s;        /* [CONGESTION_MOST_BATCH] */
    uint64_t sequence;     /* number of the next message that is checked */
    cm_pair_damage damage;
} congestion_end;

/* Bytes of a victim's buffers; SIZE_MAX if that is too many to count. */
size_t congestion_victim_bytes(const congestion_options *options);
void congestion_victim_open(congestion_end *end, cm_group *group,
                            const congestion_options *options);
void congestion_victim_close(congestion_end *end);

/* Samples one operation on all victims: warm_up_s seconds that are not kept, then length_s that
   are, but at least two operations. All victims call it. The histogram of all of them is added on
   rank 0 of the group. */
void congestion_victim_sample(congestion_end *end, congestion_victim victim,
                              const cm_sampling *sampling, double warm_up_s, double length_s,
                              cm_histogram *histogram);

/* ---- congestion_load.c: operations that load the network ------------------------------------- */

extern const char *const congestion_load_names[];

/* The aggressors' work from the moment at which they notify the victims of the load until they hear
   that the victims have ended. */
typedef struct {
    int64_t operations;
    double bytes, seconds, longest_s; /* longest_s: of one operation on their first rank */
} congestion_work;

typedef struct {
    const congestion_place *place;
    cm_group *group;
    size_t bytes; /* of a block */
    unsigned char *in, *out;
    cm_request **requests; /* [aggressors] */
    uint64_t sequence;
    cm_pair_damage damage;
} congestion_source;

size_t congestion_load_bytes(const congestion_options *options, int aggressors);
void congestion_load_open(congestion_source *source, const congestion_place *place,
                          const congestion_options *options);
void congestion_load_close(congestion_source *source);

/* Loads the network until the first victim says that it is enough. All aggressors call it; work is
   set on the first of them. */
void congestion_load_run(congestion_source *source, congestion_load load,
                         const cm_sampling *sampling, congestion_work *work);
/* The first victim's part: waits until the aggressors load; tells them that it is enough. */
void congestion_load_await(const congestion_place *place);
void congestion_load_end(const congestion_place *place);

/* ---- congestion_estimate.c: quantiles over rounds -------------------------------------------- */

enum { CONGESTION_P50, CONGESTION_P99, CONGESTION_P999, CONGESTION_QUANTILES };
extern const double congestion_fractions[CONGESTION_QUANTILES];

/* The quantile of the samples of all rounds, with an interval by leaving out one round after the
   other. The value is NaN if there are fewer than 1 / (1 - fraction) samples, the interval if
   without some round fewer than 5 / (1 - fraction) are left. */
cm_quantity congestion_quantile(const cm_histogram *rounds, size_t n, double fraction);
/* The ratio of the quantiles of two cases that were measured in the same rounds. */
cm_quantity congestion_ratio(const cm_histogram *over, const cm_histogram *under, size_t n,
                             double fraction);

/* ---- congestion_result.c: rank 0 writes ------------------------------------------------------ */

/* One case: a victim, alone or with an aggressor. */
typedef struct {
    cm_histogram *rounds; /* [rounds] */
    int64_t disturbed;    /* rounds in which something disturbed a victim */
    congestion_work work;
    double first_ns, last_ns; /* distance of the victims' pairs, the greatest; NaN: not known */
} congestion_case;
typedef struct {
    congestion_case cases[CONGESTION_VICTIMS][CONGESTION_LOADS];
    int64_t rounds; /* that were measured */
    cm_pair_damage damage;
    cm_pair_distances_said distances; /* of the victims */
} congestion_table;

cm_result *congestion_result_open(const cm_benchmark *benchmark, const congestion_place *place,
                                  bool core_shared, const cm_pair_distances_said *distances);
/* Writes rows, check and metrics. Returns the exit status. */
int congestion_result_close(cm_result *result, const congestion_options *options,
                            const congestion_table *table);

/* ---- congestion_run.c ------------------------------------------------------------------------ */

int congestion_run(const cm_benchmark *benchmark);

extern const cm_metric congestion_metrics[]; /* of the RESULT lines */
extern const cm_labels congestion_labels[];

#endif

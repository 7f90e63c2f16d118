/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap.h: what the parts of cm-linkmap share. */
#ifndef LINKMAP_H
#define LINKMAP_H

#include "pairs/job.h"

typedef struct {
    int64_t size_bytes;   /* of the long message */
    int64_t again;        /* number of slowest pairs whose times are taken alone */
    double again_limit_s; /* begin no more pairs of a size alone after this time; < 0 until the
                             check: not given */
    double map_limit_s;   /* begin no more rounds after this time */
    int64_t seed;         /* of the order of the rounds */
    cm_pair_job job;
    cm_result_files files;
} linkmap_options;

/* ---- linkmap_check.c ------------------------------------------------------------------------ */

int linkmap_check(const cm_program *program, void *options);

/* ---- linkmap_rounds.c ----------------------------------------------------------------------- */

/* The circle method of round-robin tournaments. Returns the number of rounds after which each rank
   has met each other rank once. */
int linkmap_rounds(int ranks);

/* Such a tournament with ranks as random players and rounds in random order. Ranks with the same
   seed have the same plan. */
typedef struct {
    int ranks, rounds;
    int *round;         /* [k]: the round that is played as number k */
    int *rank, *player; /* [player], [rank]: who is who */
} linkmap_plan;
/* Returns false if memory is short. */
bool linkmap_plan_open(linkmap_plan *plan, int ranks, uint64_t seed);
void linkmap_plan_close(linkmap_plan *plan);
/* Returns the peer of a rank in the round that is played as number k, or -1 if it sits out, as one
   does in each round if the number of ranks is odd. */
int linkmap_plan_peer(const linkmap_plan *plan, int k, int rank);

/* ---- linkmap_map.c: the times of all pairs, on rank 0 --------------------------------------- */

typedef enum { LINKMAP_SMALL, LINKMAP_LONG, LINKMAP_SIZES } linkmap_size;
/* While the other pairs of a round communicate, or while they are silent. */
typedef enum { LINKMAP_TOGETHER, LINKMAP_ALONE, LINKMAP_CONDITIONS } linkmap_condition;
/* Pairs that have a row for their round: all of 64 ranks; of more ranks, those of the first rounds,
   which are random. They bound the size of a result. */
enum { LINKMAP_ROWS = 64 * 63 / 2 };
typedef struct {
    int first, second;
    double time_s;
} linkmap_pair; /* first < 0: none */
/* Random pairs that are measured alone, too, and with which the slowest pair is compared. */
enum { LINKMAP_REFERENCES = 16 };
typedef struct {
    int ranks, hosts;
    int *host;           /* [rank]: the number of its host */
    int rounds_measured; /* of all rounds */
    int rounds_in_rows;  /* whose pairs have rows */
    int64_t bytes[LINKMAP_SIZES];
    /* [first * ranks + second], first < second; NaN: none */
    double *time_s[LINKMAP_SIZES][LINKMAP_CONDITIONS];
    cm_disturbed disturbed[LINKMAP_SIZES]; /* a time together is over disturbed samples */
    /* Of the pairs that were measured alone, in that order. Only they have one: a metric is of a
       pair alone. */
    struct linkmap_alone {
        int first, second;
        cm_summary time_s;
    } * alone[LINKMAP_SIZES];
    size_t n_alone[LINKMAP_SIZES];
    linkmap_pair reference[LINKMAP_REFERENCES]; /* random ones, as many of each rank */
    int references;
} linkmap_map;

/* These end the job if memory is short. */
void linkmap_map_open(linkmap_map *map, int ranks, int64_t long_bytes);
void linkmap_map_close(linkmap_map *map);
double *linkmap_map_at(const linkmap_map *map, linkmap_size size, linkmap_condition condition,
                       int first, int second);

/* Keeps the summary of a pair that was measured alone. The next function returns it, NULL if there
   is none. */
void linkmap_map_alone(linkmap_map *map, linkmap_size size, int first, int second,
                       const cm_summary *time_s);
const cm_summary *linkmap_map_summary(const linkmap_map *map, linkmap_size size, int first,
                                      int second);

/* ---- linkmap_rank.c: which pair is slow ----------------------------------------------------- */

/* Returns the slowest and the fastest of the pairs that have a time of this condition. Times of
   different conditions are never compared. */
linkmap_pair linkmap_slowest(const linkmap_map *map, linkmap_size size,
                             linkmap_condition condition);
linkmap_pair linkmap_fastest(const linkmap_map *map, linkmap_size size,
                             linkmap_condition condition);

/* Returns the pair to be measured alone next, or none if the ranking is settled: `again` pairs are
   at least as slow alone as any pair that was measured only together. The fastest pair comes first,
   because the slowest one is compared with it. Other pairs only slow a pair down, so that no pair
   that was left out is slower alone. */
linkmap_pair linkmap_next(const linkmap_map *map, linkmap_size size, int64_t again);
/* Chooses the reference pairs: those of the first rounds. */
void linkmap_refer(linkmap_map *map, const linkmap_plan *plan);
/* Returns a reference pair that has a time of its round but none alone, or none. */
linkmap_pair linkmap_next_reference(const linkmap_map *map, linkmap_size size);

/* The rule of cm-nodes (measure/outliers.h). The slowest of n pairs stands out if the logarithm of
   its time exceeds the median of the reference pairs by more deviations than that of the slowest of
   n equal pairs does, except with a probability of 5 % for all sizes. Half of this probability is
   left to disturbances, whose tails are heavier than a normal distribution's. The lower end of the
   pair's interval must also exceed the limit. All times are those of pairs measured alone.
   linkmap_limit ends the job if memory is short. */
typedef struct {
    const char *doubt; /* why it is not told apart; NULL: it is */
    double deviations; /* NaN: fewer than 4 reference pairs, or it was not measured alone */
    double factor;     /* a pair slower than the others by more than this factor stands out */
} linkmap_judged;
double linkmap_limit(const linkmap_map *map, linkmap_size size);
linkmap_judged linkmap_judge(const linkmap_map *map, linkmap_size size, double limit);

/* Returns the number of pairs whose time under this condition is above above_s. If condition is
   LINKMAP_TOGETHER, pairs that were also measured alone do not count. */
int64_t linkmap_count(const linkmap_map *map, linkmap_size size, linkmap_condition condition,
                      double above_s);

/* ---- linkmap_boxes.c: the map in boxes, for many ranks -------------------------------------- */

/* Boxes are hosts, or ranks if there is one host. If there are many, a box is several neighbours. A
   pair of boxes has the median and the slowest of the times of its pairs, measured in their rounds.
   Takes time and memory of the order of all pairs. */
enum { LINKMAP_BOXES = 64 };
typedef struct {
    double median_s, slowest_s; /* NaN: none */
    size_t pairs;               /* that have a time */
} linkmap_box;
typedef struct {
    bool of_hosts;                   /* false: of ranks */
    int n, units;                    /* number of boxes, and of the hosts or ranks in all of them */
    linkmap_box *box[LINKMAP_SIZES]; /* [one * n + other], one <= other */
} linkmap_boxes;
void linkmap_boxes_open(linkmap_boxes *boxes, const linkmap_map *map);
void linkmap_boxes_close(linkmap_boxes *boxes);
/* Returns the first host, or rank, of a box; of the box after the last one their number. */
int linkmap_box_first(const linkmap_boxes *boxes, int box);

/* Sets times to the times of all pairs of a size that were measured in their rounds. */
void linkmap_map_times(const linkmap_map *map, linkmap_size size, cm_samples *times);

/* ---- linkmap_result.c: rank 0 writes -------------------------------------------------------- */

/* Opens the result with columns and metadata, or ends the job with one line. All ranks must be
   following. */
cm_result *linkmap_result_open(const cm_benchmark *benchmark, cm_pair_channel *channel);
void linkmap_result_row(cm_result *result, const linkmap_map *map, linkmap_size size, int first,
                        int second, bool alone, const cm_summary *s, const cm_samples *samples,
                        const cm_distance *distance);
/* Writes the hosts, the check and the metrics. Returns the exit status. */
int linkmap_result_close(cm_result *result, const linkmap_options *options,
                         const cm_pair_damage *damage, const linkmap_map *map);

/* ---- linkmap_run.c -------------------------------------------------------------------------- */

int linkmap_run(const cm_benchmark *benchmark);

extern const cm_metric linkmap_metrics[]; /* of the RESULT lines */
extern const cm_labels linkmap_labels[];

#endif

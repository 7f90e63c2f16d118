/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap.h: what the parts of cm-linkmap share. */
#ifndef LINKMAP_H
#define LINKMAP_H

#include "pairs/job.h"

typedef struct {
    int64_t size_bytes; /* of the long message */
    int64_t again;      /* so many of the slowest pairs are measured again, alone */
    cm_pair_job job;
    cm_result_files files;
} linkmap_options;

/* ---- linkmap_check.c ------------------------------------------------------------------------ */

int linkmap_check(const cm_program *program, void *options);

/* ---- linkmap_rounds.c ----------------------------------------------------------------------- */

/* Rounds in which every rank has one peer or none and after which each has met each other once: the
   circle method of round-robin tournaments. An odd number of ranks leaves one out in each round. */
int linkmap_rounds(int ranks);
int linkmap_peer(int ranks, int round, int rank); /* -1: sits out */

/* ---- linkmap_map.c: the times of all pairs, on rank 0 --------------------------------------- */

typedef enum { LINKMAP_SMALL, LINKMAP_LONG, LINKMAP_SIZES } linkmap_size;
typedef struct {
    int ranks;
    int *host; /* [rank]: the number of its host */
    int64_t bytes[LINKMAP_SIZES];
    double *time_s[LINKMAP_SIZES]; /* [first * ranks + second], first < second; NaN: none */
} linkmap_map;

/* These end the job when memory is short. */
void linkmap_map_open(linkmap_map *map, int ranks, int64_t long_bytes);
void linkmap_map_close(linkmap_map *map);
double *linkmap_map_at(const linkmap_map *map, linkmap_size size, int first, int second);

/* The n pairs that have a time, the slowest first. The caller frees them. */
typedef struct {
    int first, second;
    double time_s;
} linkmap_pair;
linkmap_pair *linkmap_map_sorted(const linkmap_map *map, linkmap_size size, size_t *n);

/* Median of the pairs between two hosts, or within one, that have a time; pairs: how many do. */
double linkmap_map_between(const linkmap_map *map, linkmap_size size, int one, int other,
                           size_t *pairs);

/* ---- linkmap_result.c: rank 0 writes -------------------------------------------------------- */

/* With columns and metadata; or the job ends with one line. All ranks must be following. */
cm_result *linkmap_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                               cm_pair_channel *channel);
void linkmap_result_row(cm_result *result, const linkmap_map *map, linkmap_size size, int first,
                        int second, bool alone, const cm_summary *s, const cm_samples *samples);
/* Hosts, check and verdicts. Returns the exit status. */
int linkmap_result_close(cm_result *result, const cm_pair_damage *damage, const linkmap_map *map);

/* ---- linkmap_run.c -------------------------------------------------------------------------- */

int linkmap_run(const cm_benchmark *benchmark, int argc, char **argv);

extern const cm_metric linkmap_metrics[]; /* of the RESULT lines */

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench.h: what the parts of cm-bspbench share. */
#ifndef BSPBENCH_H
#define BSPBENCH_H

#include "measure/fit.h"
#include "../common/sscrap.h"

typedef struct {
    int64_t words, block;        /* largest h of each way, in words of 8 bytes */
    int64_t items, nodes, order; /* of the algorithms; 0: without */
    int64_t repeat, place;
    bool bind;
    cm_result_files files;
} bspbench_options;

/* How an h-relation is made: h words by bsp_put; one bsp_hpput to each other process. */
typedef enum { BSPBENCH_WORDS, BSPBENCH_BLOCKS, BSPBENCH_WAYS } bspbench_way;

typedef struct {
    double r_flop_per_s;
    cm_bsp_parameters fit[BSPBENCH_WAYS];
} bspbench_parameters;

/* ---- bspbench_measure.c: by all processes of the SPMD part ---- */
enum { BSPBENCH_MOST = 64 }; /* values of h of one way */
typedef struct bspbench_area bspbench_area;
bspbench_area *bspbench_area_open(int64_t most_words); /* h up to this */
void bspbench_area_close(bspbench_area *area);
/* Which h are measured: ascending; how many. */
int bspbench_list(bspbench_way way, int64_t most, int64_t *h);
/* A sample: seconds of a superstep of this h-relation, on the slowest process. */
void bspbench_superstep(bspbench_area *area, bspbench_way way, int64_t h, int64_t repeat,
                        cm_samples *samples);
/* Words that did not arrive as they were sent, on all processes, by the last superstep. */
double bspbench_words_wrong(bspbench_area *area, bspbench_way way, int64_t h);
/* A sample: flop/s of one process while all compute, the slowest's. */
void bspbench_rate(int64_t repeat, cm_samples *samples);
/* Samples: seconds of an access (a word read and written at either end) to one of so many cells of
   whole words, at random, many of which are under way at a time, while all processes do the same;
   the slowest's. */
enum { BSPBENCH_ACCESSES = 1 << 20 }; /* of a sample; a word of 8 bytes for each */
void bspbench_access(int64_t cells, size_t cell_bytes, int64_t repeat, cm_samples *samples);

/* ---- bspbench_predict.c: by all of the group, outside of an SPMD part ---- */
enum { BSPBENCH_ALGORITHMS = 8 };
typedef struct {
    const char *name;
    int64_t size;
    int processes;
    double alone_s; /* by one process */
    double measured_s, h_words, words_per_message, supersteps;
    double accesses, access_s; /* irregular ones of each process, beyond its share of alone_s */
    double predicted_s, work_s, g_s, l_s, memory_s;
    bool right; /* all checks held */
} bspbench_prediction;
int bspbench_algorithms(void); /* that can be predicted */
/* Of algorithm k: its size (0: without it) and the option that says it; bytes on each of so many
   processes. */
int64_t bspbench_size(const bspbench_options *options, int k, const char **option);
double bspbench_bytes(const bspbench_options *options, int k, int processes);
int bspbench_predict(const bspbench_options *options, cm_group *group,
                     const bspbench_parameters *parameters, bspbench_prediction *predictions);

/* ---- bspbench_run.c ---- */
int bspbench_run(const cm_benchmark *benchmark, int argc, char **argv);

#endif

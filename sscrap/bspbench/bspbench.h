/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench.h: what the parts of cm-bspbench share. */
#ifndef BSPBENCH_H
#define BSPBENCH_H

#include "measure/fit.h"
#include "../common/sscrap.h"

typedef struct {
    int64_t words, block;        /* largest h of each way, in words of 8 bytes */
    int64_t items, nodes, order; /* of the algorithms; 0: without */
    int64_t place;
    cm_sampling sampling;
    cm_result_files files;
} bspbench_options;

/* How an h-relation is made: h words by bsp_put; one bsp_hpput to each other process. */
typedef enum { BSPBENCH_WORDS, BSPBENCH_BLOCKS, BSPBENCH_WAYS } bspbench_way;

typedef struct {
    double r_flop_per_s;
    cm_bsp_parameters fit[BSPBENCH_WAYS];
} bspbench_parameters;

/* ---- bspbench_check.c ---- */
int bspbench_check(const cm_program *program, void *options);
/* group: that takes part; NULL: this process does not. */
void bspbench_require_memory(const bspbench_options *options, cm_group *group);

/* ---- bspbench_relation.c: supersteps, by all processes of the SPMD part ---- */
enum { BSPBENCH_MOST = 64 }; /* values of h of one way */
/* Which h are measured: ascending; how many. */
int bspbench_list(bspbench_way way, int64_t most, int64_t *h);
typedef struct bspbench_area bspbench_area;
bspbench_area *bspbench_area_open(int64_t most_words); /* h up to this */
void bspbench_area_close(bspbench_area *area);
/* Seconds of a superstep of this h-relation. After each trial that counts, all words that its last
   superstep brought to this process are compared. Holds until the next call. */
cm_subject bspbench_superstep(bspbench_area *area, bspbench_way way, int64_t h);
/* Words that were not as they were sent, on this process, in all trials. */
int64_t bspbench_words_wrong(const bspbench_area *area);

/* ---- bspbench_rate.c: what one process does while all the others do the same ---- */
enum { BSPBENCH_LENGTH = 1024 };
typedef struct {
    double x[BSPBENCH_LENGTH], y[BSPBENCH_LENGTH], z[BSPBENCH_LENGTH];
    cm_group *group;
} bspbench_vectors;
/* Seconds of a flop. */
cm_subject bspbench_flop(bspbench_vectors *vectors);

/* Seconds of an access (a word read and written at either end) to one of so many cells of whole
   words, at random, many of which are under way at a time. */
enum { BSPBENCH_ACCESSES = 1 << 20 }; /* of a trial; a word of 8 bytes for each */
typedef struct {
    cm_group *group;
    int64_t cells, words; /* words of a cell */
    int64_t *memory, *at; /* [cells * words], [BSPBENCH_ACCESSES] */
    uint64_t turn;
} bspbench_cells;
void bspbench_cells_open(bspbench_cells *cells, cm_group *group, int64_t n, size_t cell_bytes);
void bspbench_cells_close(bspbench_cells *cells);
cm_subject bspbench_access(bspbench_cells *cells);

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
/* Returns how many. Times are known on rank 0, whose parameters count. */
int bspbench_predict(const bspbench_options *options, cm_group *group,
                     const bspbench_parameters *parameters, bspbench_prediction *predictions);

/* ---- bspbench_result.c: rank 0 writes ---- */
cm_result *bspbench_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                                int processes);
void bspbench_result_row(cm_result *result, bspbench_way way, int64_t h, const cm_summary *summary,
                         const cm_samples *samples);
const char *bspbench_way_name(bspbench_way way);
void bspbench_result_fits(cm_result *result, const bspbench_parameters *parameters);
void bspbench_result_prediction(cm_result *result, const bspbench_parameters *parameters,
                                const bspbench_prediction *prediction);

/* ---- bspbench_run.c ---- */
int bspbench_run(const cm_benchmark *benchmark, int argc, char **argv);

extern const cm_metric bspbench_metrics[]; /* of the RESULT lines */

#endif

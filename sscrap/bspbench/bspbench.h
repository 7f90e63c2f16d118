/* SPDX-License-Identifier: BSD-3-Clause */
/* bspbench.h: declarations that the files of cm-bspbench share. */
#ifndef BSPBENCH_H
#define BSPBENCH_H

#include "measure/fit.h"
#include "../common/sscrap.h"

typedef struct {
    int64_t words, block;        /* largest h for words and for blocks, in words of 8 bytes */
    int64_t items, nodes, order; /* sizes for the algorithms; 0: without */
    int64_t place;
    cm_sampling sampling;
    cm_result_files files;
} bspbench_options;

/* Ways to make an h-relation: h words by bsp_put; one bsp_hpput to each other process. */
typedef enum { BSPBENCH_WORDS, BSPBENCH_BLOCKS, BSPBENCH_WAYS } bspbench_way;

typedef struct {
    double r_flop_per_s, comparison_s;
    cm_bsp_parameters fit[BSPBENCH_WAYS];
    bool in_rounds;    /* how the measured supersteps end */
    double empty_s[2]; /* an empty superstep: a message to each process; in rounds */
} bspbench_parameters;

/* ---- bspbench_check.c ---- */
int bspbench_check(const cm_program *program, void *options);
/* group: the processes that take part; NULL if this process does not. */
void bspbench_require_memory(const bspbench_options *options, cm_group *group);

/* ---- bspbench_relation.c: supersteps, by all processes of the SPMD part ---- */
enum { BSPBENCH_MOST = 64 }; /* values of h of one way */
/* Lists the h to measure in ascending order. Returns their number. */
int bspbench_list(bspbench_way way, int64_t most, int64_t *h);
typedef struct bspbench_area bspbench_area;
bspbench_area *bspbench_area_open(int64_t most_words); /* for h up to most_words */
void bspbench_area_close(bspbench_area *area);
/* Measures the seconds of a superstep of this h-relation. After each trial that counts it compares
   all words that the last superstep of the trial brought to this process. Valid until the next
   call. */
cm_subject bspbench_superstep(bspbench_area *area, bspbench_way way, int64_t h);
/* Returns the number of wrong words on this process in all trials. */
int64_t bspbench_words_wrong(const bspbench_area *area);

/* ---- bspbench_rate.c: rates of one process while all others do the same ---- */
enum { BSPBENCH_LENGTH = 1024 };
typedef struct {
    double x[BSPBENCH_LENGTH], y[BSPBENCH_LENGTH], z[BSPBENCH_LENGTH];
    cm_group *group;
} bspbench_vectors;
/* Measures the seconds of a flop. */
cm_subject bspbench_flop(bspbench_vectors *vectors);

/* Measures the seconds of an access (one word read and one written) to a random one of a number of
   cells of whole words. Many accesses are under way at the same time. */
enum { BSPBENCH_ACCESSES = 1 << 20 }; /* of a trial; each takes a word of 8 bytes */
typedef struct {
    cm_group *group;
    int64_t cells, words; /* words of a cell */
    int64_t *memory, *at; /* [cells * words], [BSPBENCH_ACCESSES] */
    uint64_t turn;
} bspbench_cells;
void bspbench_cells_open(bspbench_cells *cells, cm_group *group, int64_t n, size_t cell_bytes);
void bspbench_cells_close(bspbench_cells *cells);
cm_subject bspbench_access(bspbench_cells *cells);

/* ---- bspbench_compare.c: sorting by the C library, of one process while all others do ---- */
enum { BSPBENCH_RECORDS = 1 << 14, BSPBENCH_RECORD_WORDS = 2 };
typedef struct {
    uint64_t record[BSPBENCH_RECORDS][BSPBENCH_RECORD_WORDS];
    uint64_t turn;
    cm_group *group;
} bspbench_records;
/* Measures the seconds of a comparison, of which there are n log2(n). */
cm_subject bspbench_comparison(bspbench_records *records);

/* ---- bspbench_predict.c: called by all of the group, outside of an SPMD part ---- */
enum { BSPBENCH_ALGORITHMS = 8 };
typedef struct {
    const char *name;
    int64_t size;
    int processes;
    double alone_s; /* on one process */
    double measured_s, h_words, words_per_message, supersteps;
    double accesses, access_s; /* irregular ones of each process that alone_s does not include */
    double predicted_s, work_s, g_s, l_s, memory_s;
    bool right; /* all checks held */
    const sscrap_problem *problem;
    const void *options; /* the problem's */
    bool one_host;
} bspbench_prediction;
int bspbench_algorithms(void); /* number of algorithms that can be predicted */
/* bspbench_size returns the size of algorithm k (0: without it) and sets the option for it. The
   next function returns the bytes on each of a number of processes. */
int64_t bspbench_size(const bspbench_options *options, int k, const char **option);
double bspbench_bytes(const bspbench_options *options, int k, int processes);
/* Returns the number of predictions. Only rank 0 has the times; its parameters count. */
int bspbench_predict(const bspbench_options *options, cm_group *group,
                     const bspbench_parameters *parameters, bspbench_prediction *predictions);

/* ---- bspbench_extrapolate.c ---- */
/* Returns what a prediction takes for a parameter: below 0 it cannot be told from 0. */
double bspbench_at_least_0(cm_estimate estimate);
enum { BSPBENCH_FARTHEST = 1024 }; /* processes */
/* Predicts the time on any number of processes, 2 or more, by the algorithm's formulas; the
   parameters and *measured are those of a run on measured->processes, 2 or more. */
typedef struct {
    sscrap_model model;
    double work_s, g_s, l_s, memory_s, predicted_s;
} bspbench_extrapolated;
bspbench_extrapolated bspbench_extrapolate(const bspbench_parameters *parameters,
                                           const bspbench_prediction *measured, int processes);
/* Returns the most processes for which the g and l of the run are known, by rank 0 of it: those of
   one host are not those of a network, so they end with the host's cores. */
int bspbench_farthest(const bspbench_prediction *measured);
/* Returns true if a message of this many words takes g of words sent one by one. */
bool bspbench_short(double words);

/* ---- bspbench_result.c: rank 0 writes ---- */
cm_result *bspbench_result_open(const cm_benchmark *benchmark, int processes);
void bspbench_result_row(cm_result *result, bspbench_way way, int64_t h, const cm_summary *summary,
                         const cm_samples *samples);
const char *bspbench_way_name(bspbench_way way);
void bspbench_result_fits(cm_result *result, const bspbench_parameters *parameters);
void bspbench_result_prediction(cm_result *result, const bspbench_parameters *parameters,
                                const bspbench_prediction *prediction);
/* A line for the processes of the run, and for each power of two beyond, up to the farthest. */
void bspbench_result_extrapolation(cm_result *result, const bspbench_parameters *parameters,
                                   const bspbench_prediction *prediction);

/* ---- bspbench_run.c ---- */
int bspbench_run(const cm_benchmark *benchmark);

extern const cm_metric bspbench_metrics[]; /* of the RESULT lines */

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* sscrap.h: runs over numbers of processes and sizes, shared by the programs of this folder. Each
   run is verified; the result has times, cycles per item, shares of computing and communication,
   and supersteps. */
#ifndef SSCRAP_H
#define SSCRAP_H

#include <stdbool.h>
#include <stdint.h>
#include "bsp/bsp_group.h"
#include "memory/memory.h"
#include "random/random.h"
#include "run/run.h"
#include "sample/sample.h"

enum { SSCRAP_CHECKS = 5 };

/* An acceptance rule: value relation bound, with the worst value over all runs and processes. */
typedef struct {
    const char *name, *relation;
    double value, bound;
} sscrap_check;

/* The BSP model's counts for an algorithm on p processes, by the formulas of doc/bspbench.texi.
   Counts are those of the process with the largest count. */
typedef struct {
    double share;       /* of the work of one process alone, on the process with most work */
    double h_words;     /* words of 8 bytes that a process sends, or receives if these are more */
    double messages;    /* writes, reads and messages that a process sends */
    double supersteps;  /* number of supersteps */
    double accesses;    /* irregular ones to memory that share does not include ... */
    double comparisons; /* ... and comparisons of records of two words by qsort */
} sscrap_model;

/* The problem that a program solves. The processes of an SPMD part call the functions between
   cm_bsp_begin and cm_bsp_end, unless stated otherwise. */
typedef struct {
    const char *item;                                  /* name of the items: "keys" */
    const char *size_option;                           /* "--items" */
    void *(*begin)(const void *options, int64_t size); /* memory, registrations */
    void (*fill)(void *state, int run);                /* makes an input */
    void (*solve)(void *state);                        /* timed */
    /* Returns the number of checks; their values and bounds are the same on all processes. */
    int (*verify)(void *state, sscrap_check *checks);
    void (*end)(void *state);
    double (*bytes)(const void *options, int64_t size, int processes); /* of each process */
    double (*items)(int64_t size);                                     /* NULL: size */
    /* May be called outside of an SPMD part. one_host: all processes are on one. */
    sscrap_model (*model)(const void *options, int64_t size, int processes, bool one_host);
    /* The name of the method that the run and the model take; NULL where there is one only. */
    const char *(*method)(const void *options, int64_t size, int processes, bool one_host);
    /* Accesses of the model are to a random one of the process's items of access_bytes; 0: none. */
    size_t access_bytes;
    void (*metadata)(const void *options, cm_result *result);
    /* Returns what trials chose at this size, in words that stay valid; NULL: nothing. May be NULL.
       */
    const char *(*took)(const void *state);
    const char *metric;
    double (*measure)(int64_t size, double time_s);
} sscrap_problem;

typedef struct {
    int64_t size, from;   /* sizes from, 2 from, ... size; from 0: only size */
    int64_t place;        /* most processes on a host; 0: all */
    bool each;            /* with 1, 2, ... processes */
    cm_sampling sampling; /* a sample is a run */
    cm_result_files files;
} sscrap_job;

#define SSCRAP_JOB_DEFAULTS(items)                                     \
    {                                                                  \
        .size = (items), .sampling = {                                 \
            .rule = {.relative_half_width = 0.02, .time_limit_s = 20}, \
            .most = 5                                                  \
        }                                                              \
    }
#define SSCRAP_JOB_OPTIONS(job)                                                                  \
    CM_HEADING("Processes"),                                                                     \
        CM_FLAG("each", 'e', &(job)->each, "measure with 1, 2, 3, ... processes, not only all"), \
        CM_INTEGER("place", 0, "N", &(job)->place, 0, 1e6,                                       \
                   "use at most N processes on a host; 0: all that were started"),               \
        CM_SAMPLE_RUN_OPTIONS(&(job)->sampling, CM_SAMPLE_RUNS(&(job)->sampling)),               \
        CM_RESULT_OPTIONS(&(job)->files)

/* ---- sscrap_run.c: for the run of cm_benchmark ---- */
int sscrap_run(const cm_benchmark *benchmark, const sscrap_job *job, const sscrap_problem *problem,
               const void *options);

/* ---- sscrap_check.c ---- */
/* For the check of cm_benchmark. */
int sscrap_check_options(const cm_program *program, sscrap_job *job, const sscrap_problem *problem);
/* To be called first in run. Returns 0, or a status after one line if ranks are not processes. */
int sscrap_check_backend(const cm_program *program);

/* ---- sscrap_sample.c: runs of one size, by the processes of an SPMD part ---- */
/* The worst value of each acceptance rule in all runs so far; initially zero. */
typedef struct {
    sscrap_check check[SSCRAP_CHECKS];
    int n;
} sscrap_checks;
bool sscrap_checks_hold(const sscrap_checks *checks);

typedef struct {
    cm_samples samples; /* on process 0: seconds of a run of the slowest process */
    cm_sampled sampled;
    cm_bsp_sums sums; /* of this process, in the last run */
    const char *took; /* NULL: nothing was chosen */
} sscrap_measured;
/* Each run has an input of its own and is verified. A wrong answer does not end the runs; the
   checks report it. */
void sscrap_measure(const cm_sampling *sampling, const sscrap_problem *problem, const void *options,
                    int64_t size, sscrap_checks *checks, sscrap_measured *measured);
void sscrap_measured_free(sscrap_measured *measured);
/* Runs the problem for sampling->warm_up_s seconds and discards the results. */
void sscrap_warm_up(const cm_sampling *sampling, const sscrap_problem *problem, const void *options,
                    int64_t size);

/* ---- sscrap_place.c: the processes that take part, the clock ---- */
/* Returns the group of the first processes of each host, at most `place` of them (0: all); NULL if
   this process does not take part. */
cm_group *sscrap_place(int64_t place);
/* Returns true if all processes of the group are on one host. */
bool sscrap_one_host(const cm_group *group);
/* Returns cycles per second and their source; NaN if not known. */
double sscrap_clock_hz(const char **source);

/* ---- sscrap_tools.c ---- */
void *sscrap_memory(size_t bytes);
int64_t sscrap_first(int64_t n, int p, int pid); /* first of n items of process pid, 0 to p */
double sscrap_max(double value);                 /* over the processes of the SPMD part */
double sscrap_sum(double value);

#endif

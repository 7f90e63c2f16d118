/* SPDX-License-Identifier: BSD-3-Clause */
/* sscrap.h: what the programs of this folder share: runs over numbers of processes and sizes, each
   verified, with times, cycles an item, shares of computing and communication, supersteps. */
#ifndef SSCRAP_H
#define SSCRAP_H

#include <stdbool.h>
#include <stdint.h>
#include "bsp/bsp_group.h"
#include "measure/samples.h"
#include "memory/memory.h"
#include "run/run.h"

enum { SSCRAP_CHECKS = 4 };

/* An acceptance rule: value relation bound, the worst over all runs and processes. */
typedef struct {
    const char *name, *relation;
    double value, bound;
} sscrap_check;

/* What a program solves. Called by the processes of an SPMD part, between cm_bsp_begin and
   cm_bsp_end. */
typedef struct {
    const char *item;                            /* what is counted: "keys" */
    const char *size_option;                     /* "--items" */
    void *(*begin)(void *options, int64_t size); /* memory, registrations */
    void (*fill)(void *state, int run);          /* an input */
    void (*solve)(void *state);                  /* timed */
    /* Returns how many checks; their values and bounds are the same on all processes. */
    int (*verify)(void *state, sscrap_check *checks);
    void (*end)(void *state);
    double (*bytes)(const void *options, int64_t size, int processes); /* of each process */
    double (*items)(int64_t size);                                     /* NULL: size */
    /* Irregular accesses to memory of each of several processes, beyond a p-th of what one has;
       NULL: none. Each is to access_bytes, somewhere in as many of them as the process has
       items. */
    double (*accesses)(const void *options, int64_t size, int processes);
    size_t access_bytes;
    void (*metadata)(const void *options, cm_result *result);
    const char *metric, *unit;
    double (*measure)(int64_t size, double time_s);
} sscrap_problem;

typedef struct {
    int64_t size, from;    /* sizes from, 2 from, ... size; from 0: size alone */
    int64_t repeat, place; /* runs of each; processes a host, 0: all */
    double time_limit_s;
    bool each, bind; /* with 1, 2, ... processes */
    cm_result_files files;
} sscrap_job;

#define SSCRAP_JOB_DEFAULTS(items)                       \
    {                                                    \
        .size = (items), .repeat = 5, .time_limit_s = 20 \
    }
#define SSCRAP_JOB_OPTIONS(job)                                                                \
    CM_HEADING("Runs"),                                                                        \
        CM_FLAG("each", 'e', &(job)->each, "with 1, 2, 3, ... processes, not with all alone"), \
        CM_INTEGER("place", 0, "N", &(job)->place, 0, 1e6,                                     \
                   "at most N processes on a host take part; 0: all that were started"),       \
        CM_FLAG("bind", 0, &(job)->bind, "bind each process to a core of its own"),            \
        CM_INTEGER("repeat", 'r', "N", &(job)->repeat, 1, 1e6, "runs of each size"),           \
        CM_REAL("time-limit", 0, "SECONDS", &(job)->time_limit_s, 0, 1e6,                      \
                "begin no more runs of a size after this time"),                               \
        CM_RESULT_OPTIONS(&(job)->files)

/* For cm_benchmark. */
int sscrap_check_options(const cm_program *program, const sscrap_job *job,
                         const sscrap_problem *problem);
/* For run, first: 0, or one line where ranks have no processes of their own, and the status. */
int sscrap_check_backend(const cm_program *program);
int sscrap_run(const cm_benchmark *benchmark, int argc, char **argv, const sscrap_job *job,
               const sscrap_problem *problem, void *options);

/* ---- sscrap_place.c: who takes part, the clock ---- */
/* The first processes of each host, at most `place` of them (0: all); NULL: this one does not take
   part. */
cm_group *sscrap_place(int64_t place);
/* Cycles a second, and where that is from. NaN: not known. */
double sscrap_clock_hz(const char **source);

/* ---- sscrap_tools.c ---- */
void *sscrap_memory(size_t bytes);
int64_t sscrap_first(int64_t n, int p, int pid); /* of the items of process pid, 0 to p */
double sscrap_max(double value);                 /* over the processes of the SPMD part */
double sscrap_sum(double value);
uint64_t sscrap_mix(uint64_t x); /* splitmix64's finaliser: a bijection */
static inline uint64_t sscrap_random(uint64_t seed, uint64_t index)
{
    return sscrap_mix(seed + (index + 1) * 0x9e3779b97f4a7c15u);
}
/* The group that BSP runs on, for what stands outside of the timing. */
cm_group *sscrap_group(void);
void sscrap_group_use(cm_group *group); /* for who does not call sscrap_run */

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h: the part of main that all benchmarks share: options, the job, the places of its ranks and
   the memory that they may take. */
#ifndef CM_RUN_H
#define CM_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include "comm/comm.h"
#include "option/option.h"
#include "result/result.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_benchmark cm_benchmark;
struct cm_benchmark {
    const cm_program *program;
    const cm_result_files *files; /* NULL if it writes no result */
    void *options;                /* the variables that the option table sets, for check and run */

    /* Checks what goes beyond the range of one option, on every rank, before anything is started.
       Returns 0, or prints one line with cm_option_error and returns its status. It may change the
       numbers of ranks below if they depend on the options. NULL if there is nothing to check. */
    int (*check)(const cm_program *program, void *options);

    /* Smallest and largest number of ranks of the job; most = 0 means any number. Unless multiple
       is 0, the number of ranks must be a multiple of it. */
    int least, most, multiple;
    const char *with; /* the option that requires these numbers of ranks, "--pairs"; NULL if they
                         are always required */

    /* Says more of this host, for the comparison of all hosts: calls each as cm_machine_describe
       does. NULL if there is no more. */
    void (*describe)(void (*each)(const char *key, const char *value, void *context),
                     void *context);

    /* Does the work, on every rank of the started job. Returns the exit status; that of rank 0 is
       the job's. */
    int (*run)(const cm_benchmark *benchmark);

    /* Leave them out. cm_run_main sets them for cm_run_result_open: the command line. */
    int argc;
    char **argv;

    /* Leave it out. cm_run_main sets it for run on rank 0, for cm_run_result_open: what the hosts
       say of themselves, for cm_result_describe_hosts; NULL if there is only one host. */
    const char *const *hosts;

    /* Leave it out, too. cm_run_main sets it for cm_run_result_open: the counters of energy. */
    struct cm_run_energy *energy;
    /* Likewise: what counts errors and throttling. */
    struct cm_run_counters *counters;

    /* The root of the energy counters: a prefix of every path. NULL for this machine; a test has
       its own files. */
    const char *root;
};

/* The whole of main. A processor that cannot run this build, a wrong option or environment
   variable, files that cannot be written and a wrong number of ranks end every rank with one line
   and an exit status. This happens before run is called, and no rank is left waiting for another.
   argc and argv are main's. Returns the exit status of the process. */
int cm_run_main(const cm_benchmark *benchmark, int argc, char **argv);

/* Return the number of ranks of the group on the computer of rank, with which it shares cores and
   memory: those below rank, and all. Hosts that share a kernel are one computer. */
int cm_run_ranks_before(const cm_group *group, int rank);
int cm_run_ranks_on_computer(const cm_group *group, int rank);
/* Returns the lowest of them. */
int cm_run_first_on_computer(const cm_group *group, int rank);

/* Returns the number of computers of the group's ranks. *most is the largest number of ranks on one
   of them. */
int cm_run_number_computers(const cm_group *group, int *most);

/* Sets host[rank], for every rank of the group, to the number of its host. Hosts are numbered from
   0 in the order of the ranks. Returns the number of hosts. */
int cm_run_number_hosts(cm_group *group, int *host);

/* Binds this rank by the way, a cm_machine_way, among the processors that the job has on its host.
   Does nothing for CM_BIND_NONE and under a simulator. Ends the job with one line: status 2 if the
   host has too few places for its ranks, or the launcher bound them so that two would get the same
   one; status 3 if the system fails. All ranks call it. */
void cm_run_bind(int way);

/* For use in check. Returns 0, or prints the line of cm_run_require_memory and returns
   CM_EXIT_USAGE, if `bytes` are more than the free memory on the host of launch rank 0. Only launch
   rank 0 checks, so a job that is not yet started ends with that one line. The other hosts are
   checked by cm_run_require_memory. */
int cm_run_check_memory(const cm_program *program, size_t bytes, const char *lower,
                        const char *what, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Ends the job (status 2) if `bytes` on each of its ranks on this host exceed the free memory of
   the host. The line begins with what ("--upper 1000000000 with --buffers cold") and ends with "try
   a smaller <lower>". All ranks call it. The first rank of each host checks, and the others wait
   for it. */
void cm_run_require_memory(size_t bytes, const char *lower, const char *what, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* Returns an array of cm_memory_open; ends the job (status 3) if there is no memory. Free it with
   cm_memory_free. */
void *cm_run_array(size_t bytes);

/* For programs in which every rank works. Returns 0 if there is one rank or if ranks are processes
   (CM_HAS_PROCESSES). Otherwise prints one line ("2 ranks: ranks of the dummy backend <what>; ...",
   where what is "do not compute") and returns CM_EXIT_USAGE. Returns the same on all ranks. */
int cm_run_require_processes(const cm_program *program, const char *what);

/* Opens the result of the benchmark described by run: calls cm_result_open with its program,
   command line and files, and then cm_result_describe_hosts. Ends the job with status 3 if the
   result cannot be opened. Rank 0 calls it. */
cm_result *cm_run_result_open(const cm_benchmark *benchmark, const cm_result_column *columns,
                              size_t n_columns);

/* Calls cm_result_meta_run with the ranks, hosts and computers of the world, and adds the shape and
   what CM_VIRTUAL says. Rank 0 calls it. */
void cm_run_meta(cm_result *result);

/* The share of the hosts that a job uses. */
typedef struct {
    int ranks, hosts, computers;
    int least_ranks, most_ranks; /* of a host */
    int least_cores, most_cores; /* that a host has */
    const char *played;          /* "simulated"; NULL: ranks run on these hosts */
} cm_run_shape;
/* Writes it in words: "2 ranks on 2 hosts, 1 of 64 cores each". */
void cm_run_shape_text(const cm_run_shape *shape, char *text, size_t size);

/* Adds the metadata "shape", these words, and "job_cores", the cores that the job has on each
   host, at least. cm_run_meta calls it. */
void cm_run_meta_shape(cm_result *result);

/* Adds the metadata "bound": each rank to a core (--bind=spread), as started, or no: simulated. */
void cm_run_meta_bound(cm_result *result, int way);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h: what every benchmark's main does around its own work: options, the job, where its ranks
   are, the memory they may take. */
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
    const cm_result_files *files; /* NULL: it writes no result */
    void *options;                /* for check and run; what the option table sets */

    /* What goes beyond one option's range, before anything is started, on every rank: 0, or one
       line by cm_option_error and its status. What follows from the options may still change the
       ranks below. NULL: nothing to check. */
    int (*check)(const cm_program *program, void *options);

    /* Ranks of the job; most 0: any number. multiple: their number is one of this, unless 0. */
    int least, most, multiple;
    const char *with; /* "--pairs", the option that asks for so many; NULL: none, they always
                           are */

    /* The work, on every rank of the started job. Returns the exit status; rank 0's is the
       job's. */
    int (*run)(const cm_benchmark *benchmark, int argc, char **argv);
};

/* The whole of main: a processor that cannot run this build, a wrong option or environment
   variable, files that cannot be written and a wrong number of ranks end every rank with one line
   and an exit status, before run is called and with no rank left waiting for another. Returns the
   exit status of the process. */
int cm_run_main(const cm_benchmark *benchmark, int argc, char **argv);

/* Ranks of group on the host of rank: those below it, and all of them. */
int cm_run_ranks_before(const cm_group *group, int rank);
int cm_run_ranks_on_host(const cm_group *group, int rank);

/* host[rank], for every rank of the group: the number of its host, counted from 0 in the order of
   the ranks. Returns how many hosts there are. */
int cm_run_number_hosts(const cm_group *group, int *host);

/* Binds this rank to a core of its own among those that the job has on its host; ends the job with
   one line when that fails. */
void cm_run_bind(void);

/* For check: 0, or the line of cm_run_require_memory and CM_EXIT_USAGE, when `bytes` are more than
   is free on the host of launch rank 0, which alone looks. A job that is not yet started ends with
   that one line; the other hosts are cm_run_require_memory's. */
int cm_run_check_memory(const cm_program *program, size_t bytes, const char *lower,
                        const char *what, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 4, 5)))
#endif
    ;

/* Ends the job (status 2) when `bytes` on each of its ranks on this host are more than is free
   there. The line begins with what ("--upper 1000000000 with --buffers cold") and ends with "a
   lower <lower> will do". Called by every rank; each host's first rank looks. */
void cm_run_require_memory(size_t bytes, const char *lower, const char *what, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* cm_memory_open, which ends the job (status 3) when there is no memory. Freed by
   cm_memory_free. */
void *cm_run_array(size_t bytes);

/* For programs whose every rank works: 0; or, with several ranks that are no processes
   (CM_HAS_PROCESSES), one line ("2 ranks: those of the dummy backend <what>; ...", what: "do not
   compute") and CM_EXIT_USAGE, the same on all ranks. */
int cm_run_require_processes(const cm_program *program, const char *what);

/* cm_result_meta_run with the ranks and hosts of the world. Rank 0. */
void cm_run_meta(cm_result *result);

/* Where the ranks run, as --bind chose it. */
void cm_run_meta_bound(cm_result *result, bool bind);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c: from main's arguments to the started job, and back to its exit status. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/environment.h"
#include "machine/machine.h"
#include "machine/sets.h"
#include "run/counters.h"
#include "run/energy.h"
#include "run/hosts.h"
#include "run/run.h"

enum { PROGRAM_BYTES = 96, HOW_BYTES = 256 };

/* Writes the command that starts the program with this number of ranks. */
static void how_to_start(const cm_benchmark *b, int ranks, char *how)
{
    char program[PROGRAM_BYTES];
    snprintf(program, sizeof program, "%s%s%s", b->program->name, b->with ? " " : "",
             b->with ? b->with : "");
    if (!cm_comm_has(CM_HAS_PROCESSES))
        snprintf(how, HOW_BYTES, "CM_DUMMY=ranks=%d %s", ranks, program);
    else if (cm_comm_has(CM_HAS_PMI)) snprintf(how, HOW_BYTES, "cmrun -n %d %s", ranks, program);
    else snprintf(how, HOW_BYTES, "%s -n %d %s", RUN_MPIEXEC, ranks, program);
}

/* Returns a valid number of ranks, if possible not less than the present one. */
static int ranks_near(const cm_benchmark *b, int size, int multiple)
{
    int ranks = size < b->least ? b->least : size;
    ranks += (multiple - ranks % multiple) % multiple;
    return b->most == 0 || ranks <= b->most ? ranks : b->most - b->most % multiple;
}

static int check_ranks(const cm_benchmark *b)
{
    int size = cm_size(cm_world());
    int multiple = b->multiple > 0 ? b->multiple : 1;
    if (size >= b->least && (b->most == 0 || size <= b->most) && size % multiple == 0) return 0;
    if (cm_rank(cm_world()) != 0) return CM_EXIT_USAGE;
    char needs[96], how[HOW_BYTES];
    if (b->most == b->least)
        snprintf(needs, sizeof needs, "exactly %d rank%s", b->least, b->least == 1 ? "" : "s");
    else if (b->most) snprintf(needs, sizeof needs, "%d to %d ranks", b->least, b->most);
    else snprintf(needs, sizeof needs, "at least %d ranks", b->least);
    if (b->multiple == 2) strcat(needs, ", an even number");
    else if (b->multiple > 2)
        snprintf(needs + strlen(needs), sizeof needs - strlen(needs), ", a multiple of %d",
                 b->multiple);
    how_to_start(b, ranks_near(b, size, multiple), how);
    return cm_option_error(b->program, "%s%sneeds %s, but this job has %d; start it with: %s",
                           b->with ? b->with : "", b->with ? " " : "", needs, size, how);
}

/* A launcher may not pass variables to other hosts, and rank 0 alone marks the result. */
static void check_delay(const cm_environment *environment, int delay_ns)
{
    if (environment->delay_ns != delay_ns)
        cm_abort(CM_EXIT_USAGE, "CM_DELAY_NS is %d here and %d on rank 0: give all ranks the same",
                 environment->delay_ns, delay_ns);
}

/* Writes why kernels of the instruction set CM_ISA cannot run here. Returns false if they can. */
static bool set_is_missing(const cm_environment *environment, char *why, size_t size)
{
    char sets[64] = "auto";
    const char *lacks = NULL;
    bool missing = false;
    for (int set = 0; set < CM_SETS; set++) {
        if (cm_set_has((cm_set)set, NULL)) {
            strcat(strcat(sets, ", "), cm_set_names[set]);
        } else if (strcmp(environment->set, cm_set_names[set]) == 0) {
            missing = true;
            (void)cm_set_has((cm_set)set, &lacks);
        }
    }
    snprintf(why, size, "CM_ISA=%s: %s %s; expected one of %s", environment->set,
             lacks ? "this processor lacks" : "this build has no kernels for",
             lacks ? lacks : environment->set, sets);
    return missing;
}

static int check_set(const cm_program *program, const cm_environment *environment)
{
    char why[256];
    return set_is_missing(environment, why, sizeof why) ? cm_option_error(program, "%s", why) : 0;
}

/* Like check_delay: hosts may differ. */
static void require_set(const cm_environment *environment)
{
    char why[256];
    if (set_is_missing(environment, why, sizeof why)) cm_abort(CM_EXIT_USAGE, "%s", why);
}

int cm_run_main(const cm_benchmark *b, int argc, char **argv)
{
    cm_machine_require_cpu(b->program->name);
    cm_environment environment;
    int status = cm_option_parse(b->program, argc, argv, NULL);
    if (status != CM_OPTION_RUN) return status;
    /* cm_init would check this, too, but print a second line after one from check. */
    if ((status = cm_environment_read(&environment))) return status;
    int32_t refused = check_set(b->program, &environment);
    if (!refused && b->check) refused = b->check(b->program, b->options);
    if (!refused && b->files) refused = cm_result_files_check(b->program, b->files);
    if (refused && cm_launch_alone()) return refused; /* no other rank waits in cm_init */
    if ((status = cm_init(&argc, &argv))) return status;
    /* Only rank 0 checks files and its memory. If it exited alone, the others would wait for it in
       cm_init. */
    int32_t of_rank_0[] = {refused, environment.delay_ns};
    cm_bcast(cm_world(), of_rank_0, sizeof of_rank_0, 0, CM_AUTO);
    refused = of_rank_0[0];
    if (!refused) {
        check_delay(&environment, of_rank_0[1]);
        require_set(&environment);
    }
    status = refused ? refused : check_ranks(b);
    if (!status) {
        cm_benchmark started = *b; /* check may have changed b */
        started.argc = argc;
        started.argv = argv;
        const char **hosts = b->files ? cm_run_describe_hosts(b->describe) : NULL;
        started.hosts = hosts;
        const char *root = b->root ? b->root : "";
        started.energy = b->files ? cm_run_energy_begin(root) : NULL;
        started.counters = b->files ? cm_run_counters_begin(root) : NULL;
        status = b->run(&started);
        cm_run_counters_end(started.counters);
        cm_run_energy_end(started.energy, status);
        status = cm_run_counters_finish(started.counters, status);
        free(hosts);
    }
    cm_finalize();
    return status;
}

cm_result *cm_run_result_open(const cm_benchmark *benchmark, const cm_result_column *columns,
                              size_t n_columns)
{
    cm_result *result = cm_result_open(benchmark->program, benchmark->argc, benchmark->argv,
                                       benchmark->files, columns, n_columns);
    if (!result) cm_abort(CM_EXIT_SYSTEM, "no result can be written");
    cm_result_describe_hosts(result, benchmark->hosts);
    cm_run_energy_tell(benchmark->energy, result);
    cm_run_counters_tell(benchmark->counters, result);
    return result;
}

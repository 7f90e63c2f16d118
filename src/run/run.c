/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c: from main's arguments to the started job, and out of it again. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/environment.h"
#include "machine/machine.h"
#include "run/run.h"

enum { PROGRAM_BYTES = 96, HOW_BYTES = 256 };

/* The command that starts it with so many ranks. */
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

/* What would be right and is not fewer than there are, where that is possible. */
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
    return cm_option_error(b->program, "%s%sneeds %s, this job has %d; start it as: %s",
                           b->with ? b->with : "", b->with ? " " : "", needs, size, how);
}

int cm_run_main(const cm_benchmark *b, int argc, char **argv)
{
    cm_machine_require_cpu(b->program->name);
    cm_environment environment;
    int status = cm_option_parse(b->program, argc, argv, NULL);
    if (status != CM_OPTION_RUN) return status;
    /* cm_init would, too, but with a second line after one of check's. */
    if ((status = cm_environment_read(&environment))) return status;
    int32_t refused = b->check ? b->check(b->program, b->options) : 0;
    if (!refused && b->files) refused = cm_result_files_check(b->program, b->files);
    if ((status = cm_init(&argc, &argv))) return status;
    /* Only rank 0 looks at files and at its memory. Had it ended by itself, the others would wait
       for it in cm_init. */
    cm_bcast(cm_world(), &refused, sizeof refused, 0, CM_AUTO);
    status = refused ? refused : check_ranks(b);
    if (!status) status = b->run(b, argc, argv);
    cm_finalize();
    return status;
}

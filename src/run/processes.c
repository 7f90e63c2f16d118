/* SPDX-License-Identifier: BSD-3-Clause */
/* processes.c: programs all of whose ranks must work. */
#include "config.h"
#include "run/run.h"

int cm_run_require_processes(const cm_program *program, const char *what)
{
    if (cm_size(cm_world()) == 1 || cm_comm_has(CM_HAS_PROCESSES)) return 0;
    return cm_option_error(program,
                           "%d ranks: those of the dummy backend %s; CM_DUMMY=ranks=1 will do",
                           cm_size(cm_world()), what);
}

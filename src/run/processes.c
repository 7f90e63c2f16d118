/* SPDX-License-Identifier: BSD-3-Clause */
/* processes.c: the check of programs in which every rank must work. */
#include "config.h"
#include "run/run.h"

int cm_run_require_processes(const cm_program *program, const char *what)
{
    if (cm_size(cm_world()) == 1 || cm_comm_has(CM_HAS_PROCESSES)) return 0;
    return cm_option_error(program,
                           "%d ranks: ranks of the dummy backend %s; expected CM_DUMMY=ranks=1",
                           cm_size(cm_world()), what);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: what several commands take. */
#include "config.h"
#include "comm/comm.h"
#include "commands.h"

const cm_option suite_no_options[] = {{0}};

int suite_command_dir(const cm_program *program, int n, char **operand, const char **dir)
{
    if (n == 0 && *dir) return CM_OPTION_RUN;
    if (n == 0) return cm_option_error(program, "DIR is missing: the folder of the results");
    if (n > 1)
        return cm_option_error(program, "more than one DIR: '%s' and '%s'", operand[0], operand[1]);
    *dir = operand[0];
    return CM_OPTION_RUN;
}

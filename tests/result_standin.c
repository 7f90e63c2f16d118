/* SPDX-License-Identifier: BSD-3-Clause */
/* result_standin.c: clock and option calls until their modules are here. */
#include <config.h>
#include <stdarg.h>
#include <stdio.h>
#include "measure/clock.h"
#include "option/option.h"
#include "comm/comm.h"

double cm_clock_resolution_s(void) { return 1e-9; }
double cm_clock_cost_s(void) { return 2e-8; }

int cm_option_error(const cm_program *program, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s: ", program->name);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    return CM_EXIT_USAGE;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* backend.c: which backend carries the job, and what that rules out. */
#include "config.h"
#include <string.h>
#include "run/run.h"

typedef struct {
    const char *name;
    bool is;
} wanted;

static void compare(const char *key, const char *value, void *context)
{
    wanted *comm = context;
    if (strcmp(key, "comm") == 0) comm->is = strcmp(value, comm->name) == 0;
}

bool cm_run_comm_is(const char *name)
{
    wanted comm = {.name = name};
    cm_describe(compare, &comm);
    return comm.is;
}

int cm_run_refuse_dummy(const cm_program *program, const char *what)
{
    if (cm_size(cm_world()) == 1 || !cm_run_comm_is("dummy")) return 0;
    return cm_option_error(program,
                           "%d ranks: those of the dummy backend %s; CM_DUMMY=ranks=1 will do",
                           cm_size(cm_world()), what);
}

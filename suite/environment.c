/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.c: prints the CM_ variables for `clustermark env`; with --cores, how many cores a job
   has here. */
#include <stdio.h>
#include <string.h>
#include "comm/comm.h"
#include "comm/environment.h"
#include "machine/machine.h"

int main(int argc, char **argv)
{
    int status = 0;
    if (argc == 2 && strcmp(argv[1], "--cores") == 0) printf("%d\n", cm_machine_job_cores());
    else {
        cm_environment environment;
        status = cm_environment_read(&environment);
        cm_environment_print();
    }
    if (fflush(stdout) == EOF || ferror(stdout)) {
        perror("cm-environment: standard output");
        return CM_EXIT_SYSTEM;
    }
    return status;
}

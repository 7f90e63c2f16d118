/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.c: prints the CM_ variables for `clustermark env`. */
#include <stdio.h>
#include "comm/backend.h"

int main(void)
{
    cm_environment environment;
    int status = cm_environment_read(&environment);
    cm_environment_print();
    if (fflush(stdout) == EOF || ferror(stdout)) {
        perror("cm-environment: standard output");
        return CM_EXIT_SYSTEM;
    }
    return status;
}

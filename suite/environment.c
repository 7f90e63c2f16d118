/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.c: prints the CM_ variables for `clustermark env`; with --cores, how many cores a job
   has here; with --has, what of processes, pmi and rails the backend has, a word each. */
#include <stdio.h>
#include <string.h>
#include "comm/comm.h"
#include "comm/environment.h"
#include "machine/machine.h"

static void print_properties(void)
{
    static const struct {
        cm_property property;
        const char *word;
    } properties[] = {
        {CM_HAS_PROCESSES, "processes"},
        {CM_HAS_PMI, "pmi"},
        {CM_HAS_RAILS, "rails"},
    };
    for (size_t k = 0; k < sizeof properties / sizeof *properties; k++)
        if (cm_comm_has(properties[k].property)) puts(properties[k].word);
}

int main(int argc, char **argv)
{
    int status = 0;
    if (argc == 2 && strcmp(argv[1], "--cores") == 0) printf("%d\n", cm_machine_job_cores());
    else if (argc == 2 && strcmp(argv[1], "--has") == 0) print_properties();
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

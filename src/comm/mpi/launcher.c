/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.c: refuses launchers under which MPI_Init would start single ranks. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/comm.h"
#include "comm/mpi/launcher.h"

#ifndef CM_MPIEXEC
#define CM_MPIEXEC "mpiexec"
#endif

static bool is_set(const char *name)
{
    const char *text = getenv(name);
    return text && *text;
}

static int number_of(const char *name) { return is_set(name) ? atoi(getenv(name)) : 0; }

/* Returns the number of ranks that the innermost launcher started, and the variable that contains
   it; 0 if there is no launcher. Slurm sets SLURM_NTASKS in a batch script, too, which starts
   launchers but is not a rank itself; no SLURM_STEP_ variable is set there. */
static int launched_ranks(const char **variable)
{
    bool batch_script = is_set("SLURM_JOB_ID") && !is_set("SLURM_STEP_ID")
                        && !is_set("SLURM_STEPID") && !is_set("SLURM_STEP_NUM_TASKS");
    static const char *const names[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS",
                                        "SLURM_NTASKS"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (is_set(names[k]) && !(batch_script && k == 3)) {
            *variable = names[k];
            return number_of(names[k]);
        }
    return 0;
}

static bool plain(const char *word)
{
    if (!*word) return false;
    for (; *word; word++)
        if (!isalnum((unsigned char)*word) && !strchr("-_=+./,:@%", *word)) return false;
    return true;
}

/* Writes a blank and the word, as a shell reads it. Returns its length, more than capacity if it
   does not fit. */
static size_t put_word(char *line, size_t capacity, const char *word)
{
    const char *const quote = plain(word) ? "" : "'";
    size_t used = (size_t)snprintf(line, capacity, " %s", quote);
    for (; *word && used < capacity; word++) {
        const char letter[] = {*word, '\0'};
        used +=
            (size_t)snprintf(line + used, capacity - used, "%s", *word == '\'' ? "'\\''" : letter);
    }
    if (used < capacity) used += (size_t)snprintf(line + used, capacity - used, "%s", quote);
    return used;
}

/* Appends the words of argv, quoted for a shell, as far as they fit. */
static void append_command(char *line, size_t capacity, char **argv)
{
    size_t used = strlen(line);
    for (; argv && *argv; argv++) {
        const size_t length = put_word(line + used, capacity - used, *argv);
        if (length >= capacity - used) {
            line[used] = 0;
            snprintf(line + used, sizeof " ...", " ...");
            return;
        }
        used += length;
    }
}

static int refuse(int ranks, char **argv, const char *why)
{
    if (cm_launch_rank() != 0) return CM_EXIT_USAGE;
    static char *const unknown[] = {(char *)"PROGRAM", NULL};
    char command[2048];
    snprintf(command, sizeof command - 8, "%s -n %d", CM_MPIEXEC, ranks > 0 ? ranks : 1);
    append_command(command, sizeof command - 8, argv && *argv ? argv : (char **)unknown);
    fprintf(stderr, "clustermark: %s; start it with: %s\n", why, command);
    return CM_EXIT_USAGE;
}

int cm_launcher_refuse_cmrun(const char *launcher, char **argv)
{
    if (!launcher || strcmp(launcher, "cmrun") != 0) return 0;
    return refuse(number_of("PMI_SIZE"), argv,
                  "this program was built for MPI, which cmrun cannot start");
}

int cm_launcher_refuse_single(char **argv)
{
    const char *variable;
    int ranks = launched_ranks(&variable);
    if (ranks <= 1) return 0;
    char why[256];
    snprintf(why, sizeof why,
             "the launcher started %d ranks (%s), but this program's MPI sees one; launcher and"
             " MPI do not belong together",
             ranks, variable);
    return refuse(ranks, argv, why);
}

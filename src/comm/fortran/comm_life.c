/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_life.c: the C side of module cm_comm_life. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/fortran/comm_fortran.h"

/* Returns the command line, which a Fortran program cannot pass on, from the kernel; NULL if it is
   not available. */
static char **command_line(int *argc)
{
    static char *words[256];
    *argc = 0;
    FILE *file = fopen("/proc/self/cmdline", "r");
    if (!file) return NULL;
    char *word = NULL;
    size_t capacity = 0;
    while (*argc < 255 && getdelim(&word, &capacity, 0, file) > 0) {
        words[*argc] = strdup(word);
        if (!words[*argc]) break;
        ++*argc;
    }
    free(word);
    fclose(file);
    return words;
}

int cm_fortran_init(void)
{
    static int argc;
    static char **argv;
    argv = command_line(&argc);
    return argv ? cm_init(&argc, &argv) : cm_init(NULL, NULL);
}

void cm_fortran_abort(int status, const char *text) { cm_abort(status, "%s", text); }

group_t cm_fortran_world(void) { return (group_t){cm_world()}; }
int cm_fortran_rank(const group_t *group) { return cm_rank(group->handle); }
int cm_fortran_size(const group_t *group) { return cm_size(group->handle); }

const char *cm_fortran_host(const group_t *group, int rank) { return cm_host(group->handle, rank); }

bool cm_fortran_failed(const group_t *group, int rank) { return cm_failed(group->handle, rank); }
int cm_fortran_failures(const group_t *group) { return cm_failures(group->handle); }

group_t cm_fortran_split(const group_t *group, int color, int key)
{
    return (group_t){cm_split(group->handle, color, key)};
}

group_t cm_fortran_split_host(const group_t *group)
{
    return (group_t){cm_split_host(group->handle)};
}

void cm_fortran_group_free(group_t *group)
{
    cm_group_free(group->handle);
    group->handle = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* owner.c: clusters that belong to a process, and their removal when it has ended without it. */
#include "config.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "virtual.h"

static const char folder[] = "/run/virtual-cluster", suffix[] = "owner";

/* When the process started, by the kernel's ticks: a process id may be used again. Returns 0 if
   there is no such process, or it is a zombie. */
static unsigned long long start_of(long pid)
{
    char path[VIRTUAL_TEXT], line[1024], state;
    unsigned long long start = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "re");
    const char *rest = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    if (rest
        && (sscanf(
                rest + 1,
                " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
                &state, &start)
                != 2
            || state == 'Z'))
        start = 0;
    if (file) fclose(file);
    return start;
}

bool virtual_owner_is(long pid) { return start_of(pid) > 0; }

bool virtual_owner_write(const char *name, long pid)
{
    char path[VIRTUAL_TEXT];
    virtual_path(name, suffix, path);
    FILE *file = fopen(path, "we");
    bool written = file && fprintf(file, "%ld %llu\n", pid, start_of(pid)) > 0;
    if (file && fclose(file) != 0) written = false;
    return written;
}

void virtual_owner_forget(const char *name)
{
    char path[VIRTUAL_TEXT];
    virtual_path(name, suffix, path);
    unlink(path);
}

static void sweep_one(const char *name)
{
    char path[VIRTUAL_TEXT];
    long pid;
    unsigned long long start;
    virtual_path(name, suffix, path);
    FILE *file = fopen(path, "re");
    const bool known = file && fscanf(file, "%ld %llu", &pid, &start) == 2;
    if (file) fclose(file);
    if (!known || start_of(pid) == start) return;
    virtual_fail("removing %s1, ...: process %ld, which they were for, has ended", name, pid);
    virtual_down(name);
}

void virtual_sweep(void)
{
    struct dirent *each;
    DIR *all = opendir(folder);
    while (all && (each = readdir(all)) != NULL) {
        char name[VIRTUAL_TEXT];
        snprintf(name, sizeof name, "%.*s", (int)sizeof name - 1, each->d_name);
        char *dot = strrchr(name, '.');
        if (!dot || strcmp(dot + 1, suffix) != 0) continue;
        *dot = '\0';
        sweep_one(name);
    }
    if (all) closedir(all);
}

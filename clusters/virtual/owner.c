/* SPDX-License-Identifier: BSD-3-Clause */
/* owner.c: the process that a cluster is for: notes it, and finds those that have ended. */
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

/* False too if the file says nothing: then nobody knows whose they are. */
static bool has_ended(const char *name, long *pid)
{
    char path[VIRTUAL_TEXT];
    unsigned long long start;
    virtual_path(name, suffix, path);
    FILE *file = fopen(path, "re");
    const bool known = file && fscanf(file, "%ld %llu", pid, &start) == 2;
    if (file) fclose(file);
    return known && start_of(*pid) != start;
}

void virtual_owner_each_ended(void (*each)(const char *name, long pid))
{
    struct dirent *entry;
    DIR *all = opendir(folder);
    while (all && (entry = readdir(all)) != NULL) {
        char name[VIRTUAL_TEXT];
        long pid;
        snprintf(name, sizeof name, "%.*s", (int)sizeof name - 1, entry->d_name);
        char *dot = strrchr(name, '.');
        if (!dot || strcmp(dot + 1, suffix) != 0) continue;
        *dot = '\0';
        if (has_ended(name, &pid)) each(name, pid);
    }
    if (all) closedir(all);
}

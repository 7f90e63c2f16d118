/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.c: limits of a host on open files and ports; see limits.h. */
#include "config.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include "comm/engine/engine.h"
#include "comm/engine/limits.h"

/* A launcher may leave files open in its ranks, with gaps between their numbers. */
static rlim_t open_files(rlim_t most)
{
    DIR *folder = opendir("/proc/self/fd");
    rlim_t n = 0;
    if (!folder) return most;
    while (readdir(folder)) n++;
    closedir(folder);
    return n;
}

void cm_limits_files(int listeners, int rails, int pending)
{
    enum { EVENTS = 1, SPARE = 8 };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    const rlim_t peers = ((rlim_t)engine.size - 1) * (rlim_t)rails;
    /* Two ranks that connect to each other at the same time have two connections. */
    const rlim_t good = open_files(files.rlim_cur) + (rlim_t)listeners + EVENTS + 2 * peers
                        + (rlim_t)pending + SPARE;
    if (files.rlim_cur >= good) return;
    files.rlim_cur = files.rlim_max < good ? files.rlim_max : good;
    setrlimit(RLIMIT_NOFILE, &files);
}

const char *cm_limits_advice(int cause, int no_port)
{
    static char text[160];
    struct rlimit limit;
    text[0] = 0;
    if (cause == EMFILE && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        snprintf(text, sizeof text, " (the limit on open files, ulimit -n, is %llu)",
                 (unsigned long long)limit.rlim_cur);
    } else if (cause == EFBIG && getrlimit(RLIMIT_FSIZE, &limit) == 0) {
        snprintf(text, sizeof text, " (the limit on the length of files, ulimit -f, is %llu bytes)",
                 (unsigned long long)limit.rlim_cur);
    } else if (cause == ENFILE) {
        snprintf(text, sizeof text, " (the host's limit on open files is fs.file-max)");
    } else if (cause == no_port) {
        unsigned first = 0, last = 0;
        FILE *range = fopen("/proc/sys/net/ipv4/ip_local_port_range", "r");
        if (range && fscanf(range, "%u %u", &first, &last) != 2) first = last = 0;
        if (range) fclose(range);
        snprintf(text, sizeof text,
                 " (no port left: widen net.ipv4.ip_local_port_range, now %u to %u)", first, last);
    } else if (cause == ENETUNREACH || cause == EHOSTUNREACH || cause == ETIMEDOUT) {
        snprintf(text, sizeof text, " (CM_INTERFACE chooses the network)");
    }
    return text;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* down.c: the command down, and the same for clusters whose owner has ended without it. */
#include "config.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "comm/comm.h"
#include "virtual.h"

enum { PAUSE_MS = 20, GRACE_MS = 2000 };

/* Sends the signal, unless it is 0, to each process of the host. Returns their number. */
static int signal_all(const char *host, int signal)
{
    char command[VIRTUAL_TEXT], line[32];
    int n = 0;
    snprintf(command, sizeof command, "ip netns pids %s", host);
    FILE *lines = popen(command, "re");
    while (lines && fgets(line, sizeof line, lines)) {
        const pid_t pid = (pid_t)atol(line);
        if (pid > 0 && kill(pid, signal) == 0) n++;
    }
    if (lines) pclose(lines);
    return n;
}

static void terminate(const char *host, void *context)
{
    (void)context;
    signal_all(host, SIGTERM);
}

typedef struct {
    bool removed;
    int waited_ms;
} removal;

/* Without its name a namespace, and its programs, would stay where nobody finds them. */
static void end_programs(const char *host, removal *all)
{
    while (signal_all(host, all->waited_ms < GRACE_MS ? 0 : SIGKILL)
           && all->waited_ms < 2 * GRACE_MS) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
        all->waited_ms += PAUSE_MS;
    }
}

static void remove_host(const char *host, void *context)
{
    removal *all = context;
    char path[VIRTUAL_TEXT];
    end_programs(host, all);
    if (!virtual_ip("netns del %s", host)) all->removed = false;
    snprintf(path, sizeof path, "/etc/netns/%s/hosts", host);
    unlink(path);
    snprintf(path, sizeof path, "/etc/netns/%s", host);
    rmdir(path);
}

int virtual_down(const char *name)
{
    char hub[VIRTUAL_HOST], path[VIRTUAL_TEXT];
    removal all = {.removed = true};
    int status = virtual_need_root();
    if (status) return status;
    virtual_catch_signals(); /* half a removal would be left */
    virtual_wire_stop(name);
    virtual_each_host(name, terminate, NULL);
    virtual_each_host(name, remove_host, &all);
    virtual_switch(name, hub);
    if (virtual_exists(hub) && !virtual_ip("netns del %s", hub)) all.removed = false;
    virtual_path(name, "settings", path);
    unlink(path);
    if (all.removed) virtual_owner_forget(name);
    return all.removed ? 0 : CM_EXIT_SYSTEM;
}

static void remove_left(const char *name, long pid)
{
    virtual_fail("removing %s1, ...: process %ld, which they were for, has ended", name, pid);
    virtual_down(name);
}

void virtual_sweep(void) { virtual_owner_each_ended(remove_left); }

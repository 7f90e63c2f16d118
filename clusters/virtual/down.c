/* SPDX-License-Identifier: BSD-3-Clause */
/* down.c: the command down, and the same for clusters whose owner has ended without it. */
#include "config.h"
#include <stdio.h>
#include <unistd.h>
#include "comm/comm.h"
#include "virtual.h"

static void remove_host(const char *host, void *context)
{
    bool *removed = context;
    char path[VIRTUAL_TEXT];
    if (!virtual_ip("netns del %s", host)) *removed = false;
    snprintf(path, sizeof path, "/etc/netns/%s/hosts", host);
    unlink(path);
    snprintf(path, sizeof path, "/etc/netns/%s", host);
    rmdir(path);
}

int virtual_down(const char *name)
{
    char hub[VIRTUAL_HOST], path[VIRTUAL_TEXT];
    bool removed = true;
    int status = virtual_need_root();
    if (status) return status;
    virtual_catch_signals(); /* half a removal would be left */
    virtual_wire_stop(name);
    virtual_each_host(name, remove_host, &removed);
    virtual_switch(name, hub);
    if (virtual_exists(hub) && !virtual_ip("netns del %s", hub)) removed = false;
    virtual_path(name, "settings", path);
    unlink(path);
    if (removed) virtual_owner_forget(name);
    return removed ? 0 : CM_EXIT_SYSTEM;
}

static void remove_left(const char *name, long pid)
{
    virtual_fail("removing %s1, ...: process %ld, which they were for, has ended", name, pid);
    virtual_down(name);
}

void virtual_sweep(void) { virtual_owner_each_ended(remove_left); }

/* SPDX-License-Identifier: BSD-3-Clause */
/* name.c: names of hosts and of the files in /run. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "virtual.h"

const char *virtual_name(void)
{
    const char *name = getenv("VIRTUAL_CLUSTER_NAME");
    if (!name || !*name) return "h";
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] = "0123456789-";
    size_t length = strlen(name), right = 0;
    while (strchr(letters, name[right]) || (right > 0 && strchr(others, name[right])))
        if (!name[right++]) break;
    /* A digit at the end would run into the host's number. */
    if (length <= VIRTUAL_NAME && right > length && strchr(letters, name[length - 1])) return name;
    virtual_fail("VIRTUAL_CLUSTER_NAME=%s: expected at most %d letters, digits and -, a letter "
                 "first and last",
                 name, VIRTUAL_NAME);
    return NULL;
}

void virtual_host(const char *name, int host, char text[VIRTUAL_HOST])
{
    snprintf(text, VIRTUAL_HOST, "%s%d", name, host + 1);
}

void virtual_switch(const char *name, char text[VIRTUAL_HOST])
{
    snprintf(text, VIRTUAL_HOST, "%s-switch", name);
}

bool virtual_exists(const char *host)
{
    char path[VIRTUAL_TEXT];
    snprintf(path, sizeof path, "/run/netns/%s", host);
    return access(path, F_OK) == 0;
}

int virtual_each_host(const char *name, void (*each)(const char *host, void *context),
                      void *context)
{
    int found = 0;
    for (int host = 0; host < VIRTUAL_HOSTS; host++) {
        char text[VIRTUAL_HOST];
        virtual_host(name, host, text);
        if (!virtual_exists(text)) continue;
        found++;
        if (each) each(text, context);
    }
    return found;
}

void virtual_path(const char *name, const char *suffix, char text[VIRTUAL_TEXT])
{
    snprintf(text, VIRTUAL_TEXT, "/run/virtual-cluster/%s.%s", name, suffix);
}

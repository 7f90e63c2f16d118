/* SPDX-License-Identifier: BSD-3-Clause */
/* run.c: the commands run, link and list. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"
#include "virtual.h"

static void print(const char *host, void *context) { fprintf(context, " %s", host); }

/* True if the cluster has the host; otherwise one line names those that it has. */
static bool is_there(const char *name, const char *host)
{
    char *all = NULL, *end;
    size_t length = strlen(name), bytes;
    if (strncmp(host, name, length) == 0 && strtol(host + length, &end, 10) > 0 && !*end
        && virtual_exists(host))
        return true;
    FILE *list = open_memstream(&all, &bytes);
    const int n = virtual_each_host(name, list ? print : NULL, list);
    const bool told = list && fclose(list) == 0;
    virtual_fail("no host %s; %s%s", host, n ? "hosts:" : "there are none: `up` makes some",
                 told ? all : "");
    free(all);
    return false;
}

/* What `up` was told, for the results. */
static void tell_settings(const char *name)
{
    char path[VIRTUAL_TEXT], text[VIRTUAL_TEXT];
    virtual_path(name, "settings", path);
    FILE *file = fopen(path, "re");
    if (!file) return;
    if (fgets(text, sizeof text, file)) {
        text[strcspn(text, "\n")] = '\0';
        setenv("CM_VIRTUAL", text, 1);
    }
    fclose(file);
}

/* Separate IPC and PID namespaces: MPI must not find shared memory between the "hosts", and ranks
   must end with the command. */
int virtual_run(const char *name, char **words, bool as_ssh)
{
    static const char as_given[] = "hostname \"$1\"; shift; exec \"$@\"";
    /* As bash does it: no shell waits for a single program, so that none reports its end. */
    static const char like_ssh[] = "hostname \"$1\"; shift; cd /\n"
                                   "case \"$*\" in\n"
                                   "[!/]* | *[\";&|\"]*) exec sh -c \"$*\" ;;\n"
                                   "*) exec sh -c \"exec $*\" ;;\n"
                                   "esac";
    const char *const script = as_ssh ? like_ssh : as_given;
    const char *const before[] = {"ip",           "netns", "exec",  words[0], "unshare",
                                  "--uts",        "--ipc", "--pid", "--fork", "--kill-child",
                                  "--mount-proc", "sh",    "-c",    script,   "sh"};
    enum { BEFORE = sizeof before / sizeof before[0] };
    int status = virtual_need_root();
    if (status) return status;
    if (!is_there(name, words[0])) return CM_EXIT_USAGE;
    size_t n = 0;
    while (words[n]) n++;
    char **all = calloc(BEFORE + n + 1, sizeof *all);
    if (!all) return virtual_fail("out of memory");
    for (size_t k = 0; k < BEFORE; k++) all[k] = (char *)(uintptr_t)before[k];
    memcpy(all + BEFORE, words, n * sizeof *all);
    tell_settings(name);
    execvp(all[0], all);
    status = virtual_fail("%s: %s", all[0], strerror(errno));
    free(all);
    return status;
}

int virtual_link(const char *name, const char *host, const char *state)
{
    int status = virtual_need_root();
    if (status) return status;
    if (!is_there(name, host)) return CM_EXIT_USAGE;
    return virtual_ip("-n %s link set eth0 %s", host, state) ? 0 : CM_EXIT_SYSTEM;
}

static void show(const char *host, void *context)
{
    char command[VIRTUAL_TEXT], line[256];
    (void)context;
    printf("%s", host);
    snprintf(command, sizeof command, "ip -n %s -o addr show up scope global", host);
    FILE *lines = popen(command, "re");
    while (lines && fgets(line, sizeof line, lines)) {
        char address[128];
        if (sscanf(line, "%*s %*s %*s %127s", address) == 1) printf(" %s", address);
    }
    if (lines) pclose(lines);
    putchar('\n');
}

int virtual_list(const char *name)
{
    virtual_each_host(name, show, NULL);
    return fflush(stdout) == 0 ? 0 : CM_EXIT_SYSTEM;
}

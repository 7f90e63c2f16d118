/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c: what the hosts of the job are, told to rank 0 by the first rank of each. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "comm/hosts.h"
#include "machine/machine.h"
#include "result/result.h"
#include "run/hosts.h"

static void say(const char *key, const char *value, void *context)
{
    fprintf(context, "%s: %s\n", key, value);
}

/* Lines "key: value". *bytes: without the NUL at the end. */
static char *describe(cm_run_describe *more, size_t *bytes)
{
    char *text = NULL;
    FILE *lines = open_memstream(&text, bytes);
    if (!lines) return NULL;
    cm_result_describe_build(say, lines);
    cm_machine_describe(say, lines);
    fprintf(lines, "job_cores: %d\n", cm_machine_job_cores());
    if (more) more(say, lines);
    bool failed = ferror(lines);
    if (fclose(lines) == 0 && !failed) return text;
    free(text);
    return NULL;
}

/* Pointers to n texts of `bytes` each, NULL, and room for the texts. */
static const char **open_list(size_t n, size_t bytes, char **room)
{
    const char **list = malloc((n + 1) * sizeof *list + n * bytes);
    if (!list) return NULL;
    *room = (char *)(list + n + 1);
    for (size_t i = 0; i < n; i++) list[i] = *room + i * bytes;
    list[n] = NULL;
    return list;
}

/* Blocks of one length, that of the longest text: a gather of these is a tree, so that rank 0 of a
   thousand hosts has connections to a few. */
static const char **gather(cm_group *firsts, cm_run_describe *more)
{
    size_t used;
    char *own = describe(more, &used), *longer = NULL, *room = NULL;
    const char **list = NULL;
    int64_t needs = own ? (int64_t)used + 1 : INT64_MAX, bytes;
    cm_allreduce(firsts, &needs, &bytes, 1, CM_INT64, CM_MAX, CM_AUTO);
    if (own && bytes < INT64_MAX) longer = realloc(own, (size_t)bytes);
    if (!longer) cm_abort(CM_EXIT_SYSTEM, "out of memory: the description of this host");
    memset(longer + used, 0, (size_t)bytes - used);
    if (cm_rank(firsts) == 0) {
        list = open_list((size_t)cm_size(firsts), (size_t)bytes, &room);
        if (!list)
            cm_abort(CM_EXIT_SYSTEM, "out of memory: the descriptions of %d hosts",
                     cm_size(firsts));
    }
    cm_gather(firsts, longer, (size_t)bytes, room, 0, CM_AUTO);
    free(longer);
    return list;
}

const char **cm_run_describe_hosts(cm_run_describe *more)
{
    const cm_hosts *hosts = cm_hosts_of(cm_world());
    if (!cm_comm_has(CM_HAS_PROCESSES) || hosts->hosts == 1) return NULL;
    if (cm_comm_has(CM_HAS_SIMULATOR)) return NULL; /* all are played by this one */
    cm_group *firsts = cm_split(cm_world(), hosts->local[cm_rank(cm_world())] == 0 ? 0 : -1, 0);
    if (!firsts) return NULL;
    const char **list = gather(firsts, more);
    cm_group_free(firsts);
    return list;
}

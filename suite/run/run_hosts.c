/* SPDX-License-Identifier: BSD-3-Clause */
/* run_hosts.c: the hosts of `clustermark run`: those of --hosts or --hostfile, or those that a
   batch system has allocated. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "launch/host_list.h"
#include "common/memory.h"
#include "run.h"
#include "common/say.h"

static bool are_alike(const host_list *list)
{
    for (int i = 1; i < list->n; i++)
        if (list->host[i].slots != list->host[0].slots) return false;
    return true;
}

/* Hosts with equal slots are named without them: launchers then place the ranks on the hosts in
   turn, so that two ranks are on two hosts. */
static char *names_of(host_list *list)
{
    if (are_alike(list)) {
        host_list_set_slots(list, 1);
        list->counted = false;
    }
    char *text = host_list_text(list), *copy = text ? suite_copy(text) : NULL;
    free(text);
    return copy;
}

/* The hosts for shapes, which place the ranks by themselves. */
static void keep_hosts(suite_session *s, host_list *list)
{
    s->first_host = suite_copy(list->host[0].name);
    host_list_set_slots(list, 1);
    list->counted = false;
    char *text = host_list_text(list);
    s->names = text ? suite_copy(text) : NULL;
    free(text);
}

static bool is_here(const host_list *list) { return list->n == 1 && list->host[0].local; }

/* A command that is given without shapes finds the allocation by itself. */
static bool reads_allocation(const suite_session *s)
{
    suite_words properties = {0};
    suite_words_split(&properties, CM_PROPERTIES);
    bool processes = suite_words_have(&properties, "processes");
    suite_words_free(&properties);
    return processes && suite_launcher_has_shapes(s->options.launcher) && !s->options.place;
}

/* A native backend without rails has only shared memory. */
static bool has_one_host(void)
{
    suite_words properties = {0};
    suite_words_split(&properties, CM_PROPERTIES);
    const bool one =
        suite_words_have(&properties, "pmi") && !suite_words_have(&properties, "rails");
    suite_words_free(&properties);
    return one;
}

/* cmrun would otherwise find the allocation, too. */
static void stay_here(suite_session *s, const char *source)
{
    s->hosts = suite_copy("localhost");
    s->here = true;
    suite_say("%s: %s=%s has several hosts; the %s backend runs on this one only",
              suite_run_word(s), source, getenv(source), CM_COMM);
}

/* Takes over the contents of the list. */
static void take(suite_session *s, host_list *list)
{
    const suite_run_options *o = &s->options;
    s->slots = host_list_slots(list);
    s->n_hosts = list->n;
    s->here = is_here(list);
    s->counted = list->counted || s->slots > list->n;
    s->uneven = !are_alike(list);
    s->node_ranks = list->host[0].slots;
    if (o->hosts && !strchr(o->hosts, '[')) s->hosts = suite_copy(o->hosts);
    else if (o->hosts) s->hosts = host_list_text(list);
    else if (o->hostfile || !s->here) s->hosts = names_of(list);
    keep_hosts(s, list);
}

static int refuse(const suite_session *s, const char *source, const char *value, const char *why,
                  int status)
{
    const char *between = source[0] == '-' ? " " : "=";
    return suite_fail(status, "%s: %s%s%s: %s", suite_run_word(s), source, between, value, why);
}

int suite_run_hosts(suite_session *s)
{
    const suite_run_options *o = &s->options;
    const char *source = NULL;
    char why[512];
    host_list list = {0};
    int status = 0;
    if (o->hosts && o->hostfile)
        return suite_fail(CM_EXIT_USAGE,
                          "%s: --hosts %s and --hostfile %s: expected only one of them",
                          suite_run_word(s), o->hosts, o->hostfile);
    if (o->hosts) {
        status = host_list_parse(o->hosts, &list, why, sizeof why);
        if (status) status = refuse(s, "--hosts", o->hosts, why, status);
    } else if (o->hostfile) {
        status = host_list_read(o->hostfile, &list, why, sizeof why);
        if (status) status = refuse(s, "--hostfile", o->hostfile, why, status);
    } else if (reads_allocation(s)) {
        status = host_list_allocated(&list, &source, why, sizeof why);
        if (status) status = refuse(s, source, getenv(source), why, status);
    }
    const bool too_many =
        !status && list.n > 1 && has_one_host() && suite_launcher_has_shapes(o->launcher);
    if (too_many && source) stay_here(s, source);
    else if (too_many)
        status = suite_fail(CM_EXIT_USAGE,
                            "%s: %s %s: the %s backend runs on one host; the mpi, sockets and "
                            "hybrid backends run on several",
                            suite_run_word(s), o->hosts ? "--hosts" : "--hostfile",
                            o->hosts ? o->hosts : o->hostfile, CM_COMM);
    else if (!status && list.n) take(s, &list);
    host_list_free(&list);
    return status;
}

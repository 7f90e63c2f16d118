/* SPDX-License-Identifier: BSD-3-Clause */
/* life.c: the dummy's start and end, groups, hosts and time. */
#include "config.h"
#include "dummy.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static cm_dummy_settings settings;
const cm_dummy_settings *cm_dummy = &settings;

static cm_group *world;
static char (*host)[72]; /* one a rank */

static cm_group *group_new(bool shadow)
{
    int size = (int)settings.ranks;
    cm_group *group = calloc(1, sizeof *group);
    if (!group || !(group->turn = calloc((size_t)size, sizeof *group->turn)))
        cm_abort(CM_EXIT_SYSTEM, "no memory for a group of %d ranks", size);
    group->base.size = size;
    group->next_peer = 1;
    group->posted_end = &group->posted;
    cm_dummy_queue_open(&group->incoming);
    for (int k = 0; k < size; k++) cm_dummy_queue_open(&group->turn[k].heard);
    if (!shadow) group->base.shadow = group_new(true);
    return group;
}

static void group_free(cm_group *group)
{
    if (!group) return;
    if (group->posted) cm_abort(CM_EXIT_USAGE, "a group is freed while a receive is posted in it");
    group_free(group->base.shadow);
    cm_dummy_queue_clear(&group->incoming);
    for (int k = 0; k < group->base.size; k++) cm_dummy_queue_clear(&group->turn[k].heard);
    free(group->turn);
    free(group);
}

/* Started as one of many, this program would be as many jobs of one. */
static int launched_ranks(const char **variable)
{
    static const char *const names[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        *variable = names[i];
        if (value && atoi(value) > 1) return atoi(value);
    }
    return 1;
}

int cm_init(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    const char *variable;
    int launched = launched_ranks(&variable);
    if (launched > 1) {
        if (cm_launch_rank() == 0)
            fprintf(stderr,
                    "this program was built with the dummy backend, which is one process, "
                    "and %s says %d: start it without a launcher\n",
                    variable, launched);
        return CM_EXIT_USAGE;
    }
    cm_environment environment;
    int status = cm_environment_read(&environment);
    if (status) return status;
    status = cm_dummy_settings_parse(environment.dummy, environment.eager_bytes, &settings);
    if (status) return status;
    host = calloc((size_t)settings.ranks, sizeof *host);
    if (!host || !cm_dummy_network_open(&settings)) {
        fprintf(stderr, "CM_DUMMY: no memory for %.0f ranks\n", settings.ranks);
        return CM_EXIT_SYSTEM;
    }
    if (gethostname(host[0], sizeof host[0] - 1)) snprintf(host[0], sizeof host[0], "localhost");
    for (int k = 1; k < (int)settings.ranks; k++) snprintf(host[k], sizeof host[k], "dummy-%d", k);
    world = group_new(false);
    return 0;
}

void cm_finalize(void)
{
    group_free(world);
    world = NULL;
    cm_dummy_network_close();
    free(host);
    host = NULL;
}

/* Peers on a virtual clock do not fail, so either mode is kept. */
int cm_on_failure(cm_failure_mode mode)
{
    if (mode != CM_END_JOB && mode != CM_RETURN)
        cm_abort(CM_EXIT_USAGE, "cm_on_failure: %d is neither CM_END_JOB nor CM_RETURN", (int)mode);
    return 0;
}

bool cm_failed(const cm_group *group, int rank)
{
    if (rank < 0 || rank >= group->base.size)
        cm_abort(CM_EXIT_USAGE, "cm_failed: rank %d is not in the group (0 to %d)", rank,
                 group->base.size - 1);
    return false;
}

int cm_failures(const cm_group *group)
{
    (void)group;
    return 0;
}

void cm_abort(int status, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fflush(stdout);
    if (host) fprintf(stderr, "clustermark: rank 0 on %s: %s\n", host[0], text);
    else fprintf(stderr, "clustermark: %s\n", text);
    exit(status);
}

void cm_describe(void (*each)(const char *key, const char *value, void *context), void *context)
{
    each("comm", "dummy", context);
    each("comm_version", PACKAGE_VERSION, context);
    each("transport", settings.ranks > 1 ? "echo peers on a virtual clock" : "none", context);
    cm_dummy_settings_describe(&settings, each, context);
}

/* Not CM_HAS_NATIVE: its own operations only imitate a library's. */
bool cm_comm_has(cm_property property)
{
    switch (property) {
    case CM_HAS_SURVIVAL:
        return true;
    case CM_HAS_PROCESSES:
    case CM_HAS_PMI:
    case CM_HAS_NATIVE:
    case CM_HAS_SOCKET_BUFFERS:
    case CM_HAS_RAILS:
        break;
    }
    return false;
}

cm_group *cm_world(void) { return world; }

const char *cm_host(const cm_group *group, int rank)
{
    if (rank < 0 || rank >= group->base.size)
        cm_abort(CM_EXIT_USAGE, "cm_host: rank %d is not in the group (0 to %d)", rank,
                 group->base.size - 1);
    return host[rank];
}

/* The peers pass rank 0's color and key, so ties by rank leave the order as it was. */
cm_group *cm_split(cm_group *group, int color, int key)
{
    (void)group, (void)key;
    cm_dummy_tick();
    return color < 0 ? NULL : group_new(false);
}

void cm_group_free(cm_group *group)
{
    if (group && group == world)
        cm_abort(CM_EXIT_USAGE, "cm_group_free: the world is not the caller's");
    group_free(group);
}

double cm_time(void)
{
    cm_dummy_tick();
    return cm_dummy_now_s();
}

double cm_time_resolution(void)
{
    struct timespec step = {0, 1};
    if (!settings.compute) return 1e-6 * settings.call_us;
    clock_getres(CLOCK_MONOTONIC, &step);
    return (double)step.tv_sec + 1e-9 * (double)step.tv_nsec;
}

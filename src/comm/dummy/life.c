/* SPDX-License-Identifier: BSD-3-Clause */
/* life.c: start and end of the dummy, groups, hosts and time. */
#include "config.h"
#include "comm/computer.h"
#include "comm/hosts.h"
#include "comm/leftover.h"
#include "dummy.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static cm_dummy_settings settings;
const cm_dummy_settings *cm_dummy = &settings;

static cm_group *world;
static char (*host)[72]; /* one for each rank */

static cm_group *group_new(int size, bool shadow)
{
    cm_group *group = calloc(1, sizeof *group);
    if (!group || !(group->turn = calloc((size_t)size, sizeof *group->turn)))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for a group of %d ranks", size);
    group->base.size = size;
    group->next_peer = 1;
    group->posted_end = &group->posted;
    cm_dummy_queue_open(&group->incoming);
    for (int k = 0; k < size; k++) cm_dummy_queue_open(&group->turn[k].heard);
    if (!shadow) group->base.shadow = group_new(size, true);
    return group;
}

static void group_free(cm_group *group)
{
    if (!group) return;
    if (group->posted)
        cm_abort(CM_EXIT_USAGE, "cm_group_free: a receive is still posted in the group");
    group_free(group->base.shadow);
    cm_dummy_queue_clear(&group->incoming);
    for (int k = 0; k < group->base.size; k++) cm_dummy_queue_clear(&group->turn[k].heard);
    cm_hosts_free(group->base.hosts);
    free(group->turn);
    free(group);
}

/* If a launcher starts several processes of this program, each would be a job of its own. */
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
                    "this program was built with the dummy backend, which is a single process, "
                    "but %s is %d: start it without a launcher\n",
                    variable, launched);
        return CM_EXIT_USAGE;
    }
    cm_environment environment;
    int status = cm_environment_read(&environment);
    if (status) return status;
    status = cm_dummy_settings_parse(environment.dummy, environment.eager_bytes, &settings);
    if (status) return status;
    settings.delay_s = 1e-9 * environment.delay_ns;
    host = calloc((size_t)settings.ranks, sizeof *host);
    if (!host || !cm_dummy_network_open(&settings)) {
        fprintf(stderr, "CM_DUMMY: out of memory for %.0f ranks\n", settings.ranks);
        return CM_EXIT_SYSTEM;
    }
    if (gethostname(host[0], sizeof host[0] - 1)) snprintf(host[0], sizeof host[0], "localhost");
    for (int k = 1; k < (int)settings.ranks; k++) snprintf(host[k], sizeof host[k], "dummy-%d", k);
    world = group_new((int)settings.ranks, false);
    return 0;
}

/* Only what the program sees: messages of rank 0 to itself or found by a probe, and receives that
   are still posted. The peers receive all that rank 0 sends. */
static void say_leftover(void)
{
    char line[CM_LEFTOVER_BYTES] = "";
    int n = 0;
    const cm_dummy_message *message = world->incoming.first;
    const cm_request *receive = world->posted;
    cm_leftover first = {0};
    for (const cm_dummy_message *m = message; m; m = m->next) n++;
    if (message)
        first = (cm_leftover){"", "from", message->bytes, message->source, message->tag, 0};
    cm_leftover_append(line, "never received", &first, n);
    n = 0;
    for (const cm_request *r = receive; r; r = r->next) n++;
    if (receive)
        first = (cm_leftover){"a receive of up to ", "from",       receive->capacity,
                              receive->source,       receive->tag, 0};
    cm_leftover_append(line, "never completed", &first, n);
    cm_leftover_print(0, host[0], line);
}

void cm_finalize(void)
{
    say_leftover();
    world->posted = NULL;
    group_free(world);
    world = NULL;
    cm_dummy_spare_close();
    cm_dummy_network_close();
    free(host);
    host = NULL;
}

/* Peers on a virtual clock do not fail, so both modes are accepted. */
int cm_on_failure(cm_failure_mode mode)
{
    if (mode != CM_END_JOB && mode != CM_RETURN)
        cm_abort(CM_EXIT_USAGE, "cm_on_failure: mode %d; expected CM_END_JOB or CM_RETURN",
                 (int)mode);
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
    char delay_ns[32];
    snprintf(delay_ns, sizeof delay_ns, "%.0f", 1e9 * settings.delay_s);
    if (settings.delay_s) each("delay_ns", delay_ns, context);
}

/* Without CM_HAS_NATIVE, because its own operations only imitate a library's. */
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
    case CM_HAS_SIMULATOR:
    case CM_HAS_SHARED:
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

/* Only rank 0 is a process; the others are hosts of their own by their names. */
uint64_t cm_computer_of(const cm_group *group, int rank)
{
    return cm_computer_named(cm_host(group, rank));
}

/* The peers pass rank 0's color and key, so ties are resolved by rank and the order stays the
   same. */
cm_group *cm_split(cm_group *group, int color, int key)
{
    (void)key;
    cm_dummy_tick();
    return color < 0 ? NULL : group_new(group->base.size, false);
}

/* Each rank has a host of its own. */
cm_group *cm_split_host(cm_group *group)
{
    (void)group;
    cm_dummy_tick();
    return group_new(1, false);
}

void cm_group_free(cm_group *group)
{
    if (group && group == world)
        cm_abort(CM_EXIT_USAGE, "cm_group_free: the world cannot be freed");
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

void *cm_allocate(size_t bytes) { return cm_allocate_ordinary(bytes); }
void cm_free(void *memory) { free(memory); }

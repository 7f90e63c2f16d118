/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.c: finds and reads the counters of the memory controllers. */
#include <config.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "machine/machine_internal.h"
#include "machine/traffic.h"

#define DEVICES "/sys/bus/event_source/devices/"
enum { CONTROLLERS = 64, LINE_BYTES = 64 };

/* The kernel names the events of Intel's controllers. Those of AMD's (Zen 4 and later, commands to
   columns) are in perf's table, pmu-events/arch/x86/amdzen4/memory-controller.json; each moves a
   line. */
static const struct {
    const char *device, *name[2], *terms[2];
} kinds[] = {
    {"uncore_imc", {"cas_count_read", "cas_count_write"}, {NULL, NULL}},
    {"uncore_imc_free_running", {"data_read", "data_write"}, {NULL, NULL}},
    {"amd_umc", {NULL, NULL}, {"event=0x0a,rdwrmask=0x1", "event=0x0a,rdwrmask=0x2"}},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Puts the value of a term where its format says: "config:8-15". Returns false for others. */
static bool place_term(const char *root, const char *device, const char *term, uint64_t value,
                       uint64_t *config)
{
    char format[64];
    int low, high;
    if (!cm_machine_file_line(root, format, sizeof format, "%s/format/%s", device, term))
        return false;
    int n = sscanf(format, "config:%d-%d", &low, &high);
    if (n == 1) high = low;
    if (n < 1 || low < 0 || high < low || high > 63 || strchr(format, ',')) return false;
    if (high - low < 63 && value >> (high - low + 1)) return false;
    *config |= value << low;
    return true;
}

/* Reads "event=0x04,umask=0x03". */
static bool parse_terms(const char *root, const char *device, char *terms, uint64_t *config)
{
    *config = 0;
    for (char *term; (term = strsep(&terms, ","));) {
        char *value = strchr(term, '='), *end;
        if (!value) return false;
        *value++ = '\0';
        unsigned long long number = strtoull(value, &end, 0);
        if (end == value || *end || !place_term(root, device, term, number, config)) return false;
    }
    return true;
}

/* "6.103515625e-5" and "MiB". */
static bool event_bytes(const char *root, const char *device, const char *name, double *bytes)
{
    char scale[64], unit[16], *end;
    if (!cm_machine_file_line(root, scale, sizeof scale, "%s/events/%s.scale", device, name)
        || !cm_machine_file_line(root, unit, sizeof unit, "%s/events/%s.unit", device, name)
        || strcmp(unit, "MiB") != 0)
        return false;
    *bytes = strtod(scale, &end) * (1 << 20);
    return *end == '\0' && *bytes > 0;
}

static bool find_event(const char *root, size_t kind, int which, const char *device,
                       cm_machine_traffic_event *event)
{
    char terms[128];
    const char *name = kinds[kind].name[which];
    event->bytes = LINE_BYTES;
    if (!name) snprintf(terms, sizeof terms, "%s", kinds[kind].terms[which]);
    else if (!cm_machine_file_line(root, terms, sizeof terms, "%s/events/%s", device, name)
             || !event_bytes(root, device, name, &event->bytes))
        return false;
    return parse_terms(root, device, terms, &event->config);
}

/* Adds one event for each socket. The file "cpumask" names a processor of each socket. */
static void add(const char *root, const char *device, cm_machine_traffic_event event,
                cm_machine_traffic *traffic)
{
    int64_t type;
    char list[CM_MACHINE_LIST];
    cm_machine_cpus cpus;
    if (!cm_machine_file_integer(root, &type, "%s/type", device) || type < 0
        || !cm_machine_file_line(root, list, sizeof list, "%s/cpumask", device)
        || !cm_machine_cpus_parse(list, &cpus))
        return;
    event.type = (uint32_t)type;
    event.file = -1;
    for (int cpu = cm_machine_cpus_next(&cpus, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(&cpus, cpu)) {
        if (traffic->n == CM_MACHINE_TRAFFIC_EVENTS) return;
        event.cpu = cpu;
        traffic->event[traffic->n++] = event;
    }
}

void cm_machine_traffic_find(const char *root, cm_machine_traffic *traffic)
{
    *traffic = (cm_machine_traffic){.said = "no counters of memory controllers in " DEVICES};
    /* Two kinds would count the same bytes. */
    for (size_t kind = 0; kind < KINDS && traffic->n == 0; kind++) {
        for (int k = 0; k < CONTROLLERS; k++)
            for (int which = 0; which < 2; which++) {
                char device[128];
                cm_machine_traffic_event event = {0};
                snprintf(device, sizeof device, DEVICES "%s_%d", kinds[kind].device, k);
                if (find_event(root, kind, which, device, &event))
                    add(root, device, event, traffic);
            }
        if (traffic->n > 0)
            snprintf(traffic->said, sizeof traffic->said, "%s, %zu events", kinds[kind].device,
                     traffic->n);
    }
}

void cm_machine_traffic_open(cm_machine_traffic *traffic)
{
    for (size_t k = 0; k < traffic->n; k++) {
        cm_machine_traffic_event *event = &traffic->event[k];
        struct perf_event_attr attr = {
            .type = event->type, .size = sizeof attr, .config = event->config};
        event->file = (int)syscall(SYS_perf_event_open, &attr, -1, event->cpu, -1, 0);
        if (event->file >= 0) continue;
        int error = errno;
        cm_machine_traffic_close(traffic);
        snprintf(traffic->said, sizeof traffic->said, "not readable: %s%s", strerror(error),
                 error == EACCES || error == EPERM ? " (/proc/sys/kernel/perf_event_paranoid)"
                                                   : "");
    }
}

double cm_machine_traffic_bytes(const cm_machine_traffic *traffic)
{
    double bytes = 0;
    for (size_t k = 0; k < traffic->n; k++) {
        uint64_t count;
        if (read(traffic->event[k].file, &count, sizeof count) != sizeof count) return -1;
        bytes += (double)count * traffic->event[k].bytes;
    }
    return traffic->n > 0 ? bytes : -1;
}

void cm_machine_traffic_close(cm_machine_traffic *traffic)
{
    for (size_t k = 0; k < traffic->n; k++)
        if (traffic->event[k].file >= 0) close(traffic->event[k].file);
    traffic->n = 0;
}

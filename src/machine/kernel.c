/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel.c: the kernel, its virtual machine or container, and its settings that affect
   measurements. */
#include <config.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "machine/machine_internal.h"

static bool exists(const char *root, const char *path)
{
    char name[CM_MACHINE_PATH];
    snprintf(name, sizeof name, "%s%s", root, path);
    return access(name, F_OK) == 0;
}

/* Returns the container engine, NULL if there is no sign of one. The markers are files that the
   engines create. */
static const char *container(const char *root, char *name, size_t size)
{
    if (cm_machine_file_line(root, name, size, "/run/systemd/container")) return name;
    if (exists(root, "/.dockerenv")) return "docker";
    if (exists(root, "/run/.containerenv")) return "podman";
    if (exists(root, "/.singularity.d") || exists(root, "/singularity")) return "apptainer";
    return NULL;
}

/* Lists each governor in use once: "performance" or "performance,powersave". */
static void governor(const char *root, cm_machine_each *each, void *context)
{
    char all[256] = "", one[64];
    const cm_machine_view *view = cm_machine_this();
    for (int cpu = cm_machine_cpus_next(&view->may_run, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(&view->may_run, cpu)) {
        if (!cm_machine_file_line(root, one, sizeof one,
                                  "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu))
            continue;
        size_t used = strlen(all);
        if (strstr(all, one)) continue;
        snprintf(all + used, sizeof all - used, "%s%s", used ? "," : "", one);
    }
    if (all[0]) each("governor", all, context);
}

/* Finds the word in brackets: "always [madvise] never". */
static void huge_pages(const char *root, cm_machine_each *each, void *context)
{
    char line[128];
    if (!cm_machine_file_line(root, line, sizeof line,
                              "/sys/kernel/mm/transparent_hugepage/enabled"))
        return;
    char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL;
    if (!close) return;
    *close = '\0';
    each("huge_pages", open + 1, context);
}

void cm_machine_describe_kernel(const char *root, cm_machine_each *each, void *context)
{
    struct utsname names;
    char line[256];
    if (uname(&names) == 0)
        cm_machine_say(each, context, "kernel", "%s %s %s", names.sysname, names.release,
                       names.machine);
    const char *host = cm_machine_hypervisor(root, line, sizeof line);
    if (host) each("virtualization", host, context);
    const char *box = container(root, line, sizeof line);
    if (box) each("container", box, context);
    governor(root, each, context);
    huge_pages(root, each, context);
    if (cm_machine_file_line(root, line, sizeof line,
                             "/sys/devices/system/clocksource/clocksource0/current_clocksource"))
        each("clock_source", line, context);
    if (cm_machine_file_line(root, line, sizeof line, "/proc/sys/net/ipv4/tcp_congestion_control"))
        each("congestion_control", line, context);
}

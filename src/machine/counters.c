/* SPDX-License-Identifier: BSD-3-Clause */
/* counters.c: reads the kernel's counters of errors and throttling.

   Sources: Documentation/admin-guide/ras.rst and RAS/main.rst (EDAC), arch/x86/kernel/irq.c
   (interrupts of machine checks and thermal events), drivers/thermal/intel/therm_throt.c,
   Documentation/ABI/stable/sysfs-class-infiniband, net/core/net-procfs.c (/proc/net/dev) and RFC
   4022 (tcpRetransSegs, tcpOutSegs). */
#include <config.h>
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/counters.h"
#include "machine/machine_internal.h"

__attribute__((format(printf, 4, 5))) static void add(cm_machine_counters *c, int64_t value,
                                                      int64_t of, const char *format, ...)
{
    if (c->n == c->capacity) {
        const size_t more = c->capacity ? 2 * c->capacity : 64;
        cm_machine_count *longer = realloc(c->count, more * sizeof *longer);
        if (!longer) return;
        c->count = longer;
        c->capacity = more;
    }
    cm_machine_count *count = &c->count[c->n++];
    *count = (cm_machine_count){.value = value, .of = of};
    va_list list;
    va_start(list, format);
    vsnprintf(count->name, sizeof count->name, format, list);
    va_end(list);
}

static void not_readable(cm_machine_counters *c, const char *group)
{
    const size_t used = strlen(c->not_readable);
    snprintf(c->not_readable + used, sizeof c->not_readable - used, "%s%s", used > 0 ? ", " : "",
             group);
}

/* Calls each(name) for the entries of a folder that begin with prefix, in the order of a directory.
   Returns their number. */
typedef void each_entry(const char *root, const char *name, cm_machine_counters *c);
static int for_entries(const char *root, const char *path, const char *prefix, each_entry *each,
                       cm_machine_counters *c)
{
    char folder_name[CM_MACHINE_PATH];
    int n = 0;
    if (snprintf(folder_name, sizeof folder_name, "%s%s", root, path) >= (int)sizeof folder_name)
        return 0;
    DIR *folder = opendir(folder_name);
    if (!folder) return 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.' || strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
            continue;
        each(root, entry->d_name, c);
        n++;
    }
    closedir(folder);
    return n;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void read_edac(const char *root, const char *name, cm_machine_counters *c)
{
    static const char *const files[][2] = {{"ce_count", "corrected"}, {"ue_count", "uncorrected"}};
    int64_t value;
    for (int k = 0; k < 2; k++)
        if (cm_machine_file_integer(root, &value, "/sys/devices/system/edac/mc/%s/%s", name,
                                    files[k][0]))
            add(c, value, -1, "memory controller %s: %s errors", name, files[k][1]);
}

/* ---- Processors ------------------------------------------------------------------------------ */

/* Sums the processors' numbers of a line of /proc/interrupts: " MCE:  0  0  Machine check ...". */
static int64_t sum_of_line(const char *text)
{
    int64_t sum = 0;
    char *end;
    for (;; text = end) {
        const long long value = strtoll(text, &end, 10);
        if (end == text || (*end && !isspace((unsigned char)*end))) return sum;
        sum += value;
    }
}

static void read_interrupts(const char *root, cm_machine_counters *c)
{
    static const char *const lines[][2] = {{"MCE", "machine checks"},
                                           {"THR", "interrupts by a threshold of errors"},
                                           {"DFR", "interrupts by deferred errors"},
                                           {"TRM", "interrupts by thermal events"}};
    char *value = malloc(CM_MACHINE_CPUS * 12);
    size_t before = c->n;
    for (size_t k = 0; value && k < sizeof lines / sizeof *lines; k++) {
        char key[8];
        /* The key is right-aligned after blanks. */
        for (int blanks = 0; blanks < 4; blanks++) {
            snprintf(key, sizeof key, "%*s%s", blanks, "", lines[k][0]);
            if (!cm_machine_file_field(root, "/proc/interrupts", key, value, CM_MACHINE_CPUS * 12))
                continue;
            add(c, sum_of_line(value), -1, "%s", lines[k][1]);
            break;
        }
    }
    free(value);
    if (c->n == before) not_readable(c, "machine checks");
}

static const char *const throttles[][2] = {
    {"core_throttle_count", "cores throttled by heat"},
    {"package_throttle_count", "sockets throttled by heat"},
    {"core_power_limit_count", "cores limited by power"},
    {"package_power_limit_count", "sockets limited by power"}};
enum { THROTTLES = sizeof throttles / sizeof *throttles };

static void read_throttles(const char *root, cm_machine_counters *c)
{
    const cm_machine_cpus *online = &cm_machine_this()->node.online;
    int64_t sum[THROTTLES] = {0}, value;
    int found[THROTTLES] = {0}, any = 0;
    for (int cpu = cm_machine_cpus_next(online, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(online, cpu))
        for (int k = 0; k < THROTTLES; k++)
            if (cm_machine_file_integer(root, &value,
                                        "/sys/devices/system/cpu/cpu%d/thermal_throttle/%s", cpu,
                                        throttles[k][0])) {
                sum[k] += value;
                found[k]++;
                any++;
            }
    for (int k = 0; k < THROTTLES; k++)
        if (found[k] > 0) add(c, sum[k], -1, "%s, times of all threads", throttles[k][1]);
    if (!any) not_readable(c, "throttling");
}

static void read_clock(const char *root, cm_machine_counters *c)
{
    const cm_machine_cpus *online = &cm_machine_this()->node.online;
    double sum = 0;
    int64_t khz;
    int n = 0;
    for (int cpu = cm_machine_cpus_next(online, -1); cpu >= 0;
         cpu = cm_machine_cpus_next(online, cpu))
        if (cm_machine_file_integer(root, &khz,
                                    "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu))
            sum += 1e3 * (double)khz, n++;
    c->clock_hz = n > 0 ? sum / n : 0;
}

/* ---- Networks -------------------------------------------------------------------------------- */

static void read_port(const char *root, const char *device, const char *port,
                      cm_machine_counters *c)
{
    static const char *const files[] = {"counters/symbol_error",
                                        "counters/link_error_recovery",
                                        "counters/link_downed",
                                        "counters/port_rcv_errors",
                                        "counters/port_rcv_remote_physical_errors",
                                        "counters/port_xmit_discards",
                                        "counters/local_link_integrity_errors",
                                        "counters/excessive_buffer_overrun_errors",
                                        "hw_counters/out_of_sequence",
                                        "hw_counters/packet_seq_err",
                                        "hw_counters/local_ack_timeout_err"};
    int64_t value;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        if (cm_machine_file_integer(root, &value, "/sys/class/infiniband/%s/ports/%s/%s", device,
                                    port, files[k]))
            add(c, value, -1, "%s/%s: %s", device, port, strchr(files[k], '/') + 1);
}

static void read_infiniband(const char *root, const char *device, cm_machine_counters *c)
{
    char path[CM_MACHINE_PATH];
    snprintf(path, sizeof path, "%s/sys/class/infiniband/%s/ports", root, device);
    DIR *folder = opendir(path);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.') read_port(root, device, entry->d_name, c);
    closedir(folder);
}

/* /proc/net/dev is of the network namespace of this process, as /sys may not be: "eth0: BYTES
   PACKETS ERRORS DROPS FIFO FRAME COMPRESSED MULTICAST", and the same for sending. */
static void read_interface(char *line, cm_machine_counters *c)
{
    long long v[16];
    char *colon = strrchr(line, ':'), *name = line + strspn(line, " ");
    if (!colon) return;
    *colon = '\0';
    if (sscanf(colon + 1,
               "%lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld %lld",
               &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &v[9], &v[10], &v[11],
               &v[12], &v[13], &v[14], &v[15])
        != 16)
        return;
    add(c, v[2], v[1], "%s: frames received with errors", name);
    add(c, v[3], v[1], "%s: frames received and dropped", name);
    add(c, v[10], v[9], "%s: frames not sent for errors", name);
    add(c, v[11], v[9], "%s: frames to send dropped", name);
    add(c, v[14], -1, "%s: carrier lost", name);
}

static void read_interfaces(const char *root, cm_machine_counters *c)
{
    char name[CM_MACHINE_PATH], line[1024];
    snprintf(name, sizeof name, "%s/proc/net/dev", root);
    FILE *file = fopen(name, "re");
    if (!file) {
        not_readable(c, "network interfaces");
        return;
    }
    while (fgets(line, sizeof line, file)) read_interface(line, c);
    fclose(file);
}

/* /proc/net/snmp has a line of names and a line of values: "Tcp: RtoAlgorithm ... OutSegs
   RetransSegs ...". */
bool cm_machine_tcp_read(const char *root, int64_t *sent, int64_t *again)
{
    char name[CM_MACHINE_PATH], names[1024] = "", values[1024] = "", line[1024];
    snprintf(name, sizeof name, "%s/proc/net/snmp", root);
    FILE *file = fopen(name, "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "Tcp:", 4) == 0) strcpy(names[0] ? values : names, line);
    if (file) fclose(file);
    *sent = *again = -1;
    char *of_names, *of_values, *key = strtok_r(names, " \n", &of_names),
                                *value = strtok_r(values, " \n", &of_values);
    for (; key && value;
         key = strtok_r(NULL, " \n", &of_names), value = strtok_r(NULL, " \n", &of_values)) {
        if (strcmp(key, "OutSegs") == 0) *sent = strtoll(value, NULL, 10);
        if (strcmp(key, "RetransSegs") == 0) *again = strtoll(value, NULL, 10);
    }
    return *again >= 0 && *sent >= 0;
}

static void read_tcp(const char *root, cm_machine_counters *c)
{
    int64_t sent, again;
    cm_machine_tcp_read(root, &sent, &again);
    if (again < 0) not_readable(c, "tcp");
    else add(c, again, sent, "TCP segments sent again");
}

/* ---- All ------------------------------------------------------------------------------------- */

void cm_machine_counters_read(const char *root, cm_machine_counters *c)
{
    *c = (cm_machine_counters){0};
    if (for_entries(root, "/sys/devices/system/edac/mc", "mc", read_edac, c) == 0)
        not_readable(c, "edac");
    read_interrupts(root, c);
    read_throttles(root, c);
    read_clock(root, c);
    if (for_entries(root, "/sys/class/infiniband", "", read_infiniband, c) == 0)
        not_readable(c, "infiniband");
    read_interfaces(root, c);
    read_tcp(root, c);
}

void cm_machine_counters_free(cm_machine_counters *c)
{
    free(c->count);
    *c = (cm_machine_counters){0};
}

static const cm_machine_count *find(const cm_machine_counters *c, const char *name, size_t place)
{
    if (place < c->n && strcmp(c->count[place].name, name) == 0) return &c->count[place];
    for (size_t k = 0; k < c->n; k++)
        if (strcmp(c->count[k].name, name) == 0) return &c->count[k];
    return NULL;
}

/* The second reading of a counter that was reset counts from 0. */
static int64_t moved_by(int64_t before, int64_t after)
{
    return after >= before ? after - before : after;
}

size_t cm_machine_counters_moved(const cm_machine_counters *before,
                                 const cm_machine_counters *after, cm_machine_each_moved *each,
                                 void *context)
{
    size_t moved = 0;
    for (size_t k = 0; k < after->n; k++) {
        const cm_machine_count *now = &after->count[k], *was = find(before, now->name, k);
        if (!was || now->value == was->value) continue;
        char text[160], share[48] = "";
        const int64_t by = moved_by(was->value, now->value);
        const int64_t of = now->of >= 0 && was->of >= 0 ? moved_by(was->of, now->of) : 0;
        if (of > 0 && by <= of)
            snprintf(share, sizeof share, ", %.2g %% of all of this host",
                     100 * (double)by / (double)of);
        snprintf(text, sizeof text, "%s: %" PRId64 " more%s", now->name, by, share);
        each(text, context);
        moved++;
    }
    return moved;
}

/* ---- Links ----------------------------------------------------------------------------------- */

void cm_machine_slow_links(const char *root, cm_machine_each_moved *each, void *context)
{
    char name[CM_MACHINE_PATH];
    snprintf(name, sizeof name, "%s/sys/class/net", root);
    DIR *folder = opendir(name);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char speed[32], most[32], text[400];
        int64_t width, widest;
        if (entry->d_name[0] == '.'
            || !cm_machine_file_line(root, speed, sizeof speed,
                                     "/sys/class/net/%s/device/current_link_speed", entry->d_name)
            || !cm_machine_file_line(root, most, sizeof most,
                                     "/sys/class/net/%s/device/max_link_speed", entry->d_name)
            || !cm_machine_file_integer(root, &width, "/sys/class/net/%s/device/current_link_width",
                                        entry->d_name)
            || !cm_machine_file_integer(root, &widest, "/sys/class/net/%s/device/max_link_width",
                                        entry->d_name)
            || (strcmp(speed, most) == 0 && width == widest))
            continue;
        snprintf(text, sizeof text, "%s: PCIe link %s x%d, its maximum is %s x%d", entry->d_name,
                 speed, (int)width, most, (int)widest);
        each(text, context);
    }
    closedir(folder);
}

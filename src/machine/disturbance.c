/* SPDX-License-Identifier: BSD-3-Clause */
/* disturbance.c: reads what the kernel counts when others take this thread's core. */
#include <config.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include "machine/disturbance.h"
#include "machine/machine_internal.h"

enum { STAT_BYTES = 1 << 16 }; /* some 600 processors' lines of /proc/stat */

static int open_file(const char *root, const char *path)
{
    char name[CM_MACHINE_PATH];
    if (snprintf(name, sizeof name, "%s%s", root, path) >= (int)sizeof name) return -1;
    return open(name, O_RDONLY | O_CLOEXEC);
}

void cm_machine_watch_open(const char *root, cm_machine_watch *watch)
{
    watch->schedstat = open_file(root, "/proc/thread-self/schedstat");
    watch->text = malloc(STAT_BYTES);
    watch->stat = watch->text ? open_file(root, "/proc/stat") : -1;
    watch->pressure = open_file(root, "/proc/pressure/cpu");
    watch->frequency = watch->frequency_cpu = -1;
    watch->root = root;
}

void cm_machine_watch_close(cm_machine_watch *watch)
{
    if (watch->schedstat >= 0) close(watch->schedstat);
    if (watch->stat >= 0) close(watch->stat);
    if (watch->pressure >= 0) close(watch->pressure);
    if (watch->frequency >= 0) close(watch->frequency);
    free(watch->text);
    *watch = (cm_machine_watch){-1, -1, -1, -1, -1, NULL, NULL};
}

static bool read_text(int file, char *text, size_t size)
{
    ssize_t length = file < 0 ? -1 : pread(file, text, size - 1, 0);
    if (length <= 0) return false;
    text[length] = '\0';
    return true;
}

/* "nanoseconds on a core, nanoseconds waiting for one, times it got one". */
static void read_schedstat(int file, cm_machine_counts *counts)
{
    char text[96], *end;
    counts->waited_s = NAN;
    counts->runs = 0;
    if (!read_text(file, text, sizeof text)) return;
    strtoull(text, &end, 10);
    unsigned long long waited_ns = strtoull(end, &end, 10);
    counts->runs = (int64_t)strtoull(end, &end, 10);
    counts->waited_s = 1e-9 * (double)waited_ns;
}

void cm_machine_watch_read(const cm_machine_watch *watch, cm_machine_counts *counts)
{
    struct rusage usage = {0};
    read_schedstat(watch->schedstat, counts);
    getrusage(RUSAGE_THREAD, &usage);
    counts->switches = usage.ru_nivcsw;
    counts->faults = usage.ru_majflt;
    counts->cpu = sched_getcpu();
}

/* ---- What takes longer ----------------------------------------------------------------------- */

double cm_machine_tick_s(void) { return 1 / (double)sysconf(_SC_CLK_TCK); }

/* "cpu3 user nice system idle iowait irq softirq steal guest guest_nice", in ticks; user contains
   guest. Interrupts may be on this rank's behalf, so that they are no tasks. */
static void read_stat(const cm_machine_watch *watch, int cpu, cm_machine_look *look)
{
    enum { USER, NICE, SYSTEM, STEAL = 7, FIELDS };
    char key[32];
    double tick[FIELDS];
    int length = snprintf(key, sizeof key, "\ncpu%d ", cpu);
    if (!read_text(watch->stat, watch->text, STAT_BYTES)) return;
    char *field = strstr(watch->text, key);
    if (!field) return;
    field += length;
    for (int i = 0; i < FIELDS; i++) tick[i] = (double)strtoull(field, &field, 10);
    if (*field != ' ') return;
    look->stolen_s = tick[STEAL] * cm_machine_tick_s();
    look->tasks_s = (tick[USER] + tick[NICE] + tick[SYSTEM]) * cm_machine_tick_s();
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=MICROSECONDS". */
static void read_pressure(const cm_machine_watch *watch, cm_machine_look *look)
{
    char text[256], *total;
    if (!read_text(watch->pressure, text, sizeof text) || strncmp(text, "some ", 5) != 0
        || !(total = strstr(text, "total=")))
        return;
    look->pressed_s = 1e-6 * (double)strtoull(total + 6, NULL, 10);
}

static double seconds_of(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void close_frequency(cm_machine_watch *watch)
{
    if (watch->frequency >= 0) close(watch->frequency);
    watch->frequency = -1;
}

/* In kHz. */
static void read_frequency(cm_machine_watch *watch, int cpu, cm_machine_look *look)
{
    static const double most_s = 1e-3;
    char path[96], text[32];
    if (watch->frequency_cpu != cpu) {
        close_frequency(watch);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu);
        watch->frequency = open_file(watch->root, path);
        watch->frequency_cpu = cpu;
    }
    double begin_s = seconds_of(CLOCK_MONOTONIC);
    if (!read_text(watch->frequency, text, sizeof text)) return;
    look->frequency_Hz = 1e3 * (double)strtoull(text, NULL, 10);
    if (seconds_of(CLOCK_MONOTONIC) - begin_s > most_s) close_frequency(watch);
}

void cm_machine_watch_look(cm_machine_watch *watch, int cpu, bool frequency, cm_machine_look *look)
{
    *look = (cm_machine_look){NAN, NAN, NAN, NAN, NAN};
    read_stat(watch, cpu, look);
    read_pressure(watch, look);
    if (frequency) read_frequency(watch, cpu, look);
    look->own_s = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

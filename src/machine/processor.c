/* SPDX-License-Identifier: BSD-3-Clause */
/* processor.c: the processor's name and the rate of its time stamp counter. */
#include <config.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif
#include "machine/machine_internal.h"

/* x86 has "model name", POWER "cpu", RISC-V "uarch"; ARM has only numbers. */
static bool name_of(const char *root, char *name, size_t size)
{
    static const char *const keys[] = {"model name", "cpu", "uarch"};
    char maker[32], part[32];
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (cm_machine_file_field(root, "/proc/cpuinfo", keys[i], name, size) && name[0])
            return true;
    if (!cm_machine_file_field(root, "/proc/cpuinfo", "CPU implementer", maker, sizeof maker)
        || !cm_machine_file_field(root, "/proc/cpuinfo", "CPU part", part, sizeof part))
        return false;
    snprintf(name, size, "implementer %s part %s", maker, part);
    return true;
}

#if defined(__x86_64__) || defined(__i386__)

/* Returns the kernel's own calibration, which it provides for profilers: nanoseconds = cycles *
   time_mult >> time_shift (perf_event_open(2), "cap_user_time"). An idle software event is enough.
   Returns 0 if it is not available. */
static double kernel_tsc_hz(void)
{
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE,
                                    .size = sizeof event,
                                    .config = PERF_COUNT_SW_DUMMY,
                                    .disabled = 1,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1};
    int fd = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd < 0) return 0;
    size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    struct perf_event_mmap_page *page = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    double hz = 0;
    if (page != MAP_FAILED) {
        if (page->cap_user_time && page->time_mult > 0)
            hz = 1e9 * (double)(1ULL << page->time_shift) / page->time_mult;
        munmap(page, bytes);
    }
    close(fd);
    return hz;
}

/* Reads the counter and the clock at the same moment. The clock is read between two readings of the
   counter; the narrowest of a few tries counts, because an interrupt widens some. Returns the width
   in cycles. */
static double moment(double *cycles, double *time_s)
{
    double narrowest = 1e300;
    *cycles = *time_s = 0;
    for (int i = 0; i < 20; i++) {
        struct timespec t;
        unsigned long long before = __rdtsc();
        clock_gettime(CLOCK_MONOTONIC_RAW, &t);
        unsigned long long after = __rdtsc();
        if ((double)(after - before) >= narrowest) continue;
        narrowest = (double)(after - before);
        *cycles = (double)before + narrowest / 2;
        *time_s = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
    return narrowest;
}

/* Measures the rate over 10 ms if the kernel does not provide it (virtual machines). Returns 0 if
   the counter's rate changes with the core's, or if the two moments are too uncertain for four
   digits. */
static double measured_tsc_hz(void)
{
    char flags[8192];
    if (!cm_machine_file_field("", "/proc/cpuinfo", "flags", flags, sizeof flags)
        || !strstr(flags, "constant_tsc"))
        return 0;
    double cycles[2], time_s[2];
    double blur = moment(&cycles[0], &time_s[0]);
    const struct timespec pause = {0, 10000000}; /* not a compound literal, because SMPI makes
                                                    nanosleep a macro */
    nanosleep(&pause, NULL);
    blur += moment(&cycles[1], &time_s[1]);
    if (time_s[1] <= time_s[0] || blur > 1e-4 * (cycles[1] - cycles[0])) return 0;
    return (cycles[1] - cycles[0]) / (time_s[1] - time_s[0]);
}

static void describe_tsc(cm_machine_each *each, void *context)
{
    double hz = kernel_tsc_hz();
    if (hz > 0) {
        cm_machine_say(each, context, "tsc_hz", "%.0f", hz);
    } else if ((hz = measured_tsc_hz()) > 0) {
        cm_machine_say(each, context, "tsc_hz", "%.4e", hz);
    }
}

#else

static void describe_tsc(cm_machine_each *each, void *context)
{
    (void)each;
    (void)context;
}

#endif

void cm_machine_describe_processor(const char *root, cm_machine_each *each, void *context)
{
    char name[256];
    if (name_of(root, name, sizeof name)) each("cpu", name, context);
    if (root[0] == '\0') describe_tsc(each, context);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* processor.c: the processor's name and the rate of its time stamp counter. */
#include <config.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "machine/machine_internal.h"

/* x86 says "model name", POWER "cpu", RISC-V "uarch"; ARM gives numbers only. */
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

/* The kernel's own calibration, which it lends to profilers: nanoseconds = cycles * time_mult >>
   time_shift (perf_event_open(2), "cap_user_time"). An idle software event is enough; no
   permission, no answer. */
static double tsc_hz(void)
{
#if defined(__x86_64__) || defined(__i386__)
    struct perf_event_attr event = {.type = PERF_TYPE_SOFTWARE, .size = sizeof event,
                                    .config = PERF_COUNT_SW_DUMMY, .disabled = 1,
                                    .exclude_kernel = 1, .exclude_hv = 1};
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
#else
    return 0;
#endif
}

void cm_machine_describe_processor(const char *root, cm_machine_each *each, void *context)
{
    char name[256];
    if (name_of(root, name, sizeof name)) each("cpu", name, context);
    double hz = root[0] == '\0' ? tsc_hz() : 0;
    if (hz > 0) cm_machine_say(each, context, "tsc_hz", "%.0f", hz);
}

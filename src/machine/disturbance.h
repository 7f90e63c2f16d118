/* SPDX-License-Identifier: BSD-3-Clause */
/* disturbance.h: what the kernel counts when others take this thread's core. */
#ifndef CM_MACHINE_DISTURBANCE_H
#define CM_MACHINE_DISTURBANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The files stay open, because opening one costs more than reading it. */
typedef struct {
    int schedstat, stat, pressure, frequency; /* -1: cannot be read */
    int frequency_cpu;                        /* of which processor frequency is; -1: none yet */
    char *text;                               /* of /proc/stat */
    const char *root;
} cm_machine_watch;

/* All since the thread began. */
typedef struct {
    double waited_s;  /* runnable, but without a core; NaN: not known */
    int64_t runs;     /* times it was given a core */
    int64_t switches; /* involuntary ones. A thread that yields its core counts here, too */
    int64_t faults;   /* pages that came from a disk */
    int cpu;          /* processor on which it runs */
} cm_machine_counts;

/* Counters that take longer to read. NaN: unknown. All except the frequency are sums since boot. */
typedef struct {
    double stolen_s;     /* in which the hypervisor gave this processor to others, in ticks */
    double tasks_s;      /* in which tasks ran on this processor, without interrupts, in ticks */
    double own_s;        /* processor time of this process, all of its threads, since it began */
    double pressed_s;    /* in which some task of this computer waited for a core */
    double frequency_Hz; /* of this processor */
} cm_machine_look;

/* root is a prefix of every path, "" is this machine; it must exist until the watch is closed. What
   cannot be opened is left out. The watch is of the calling thread, which alone may read it. */
void cm_machine_watch_open(const char *root, cm_machine_watch *watch);
void cm_machine_watch_close(cm_machine_watch *watch);

/* Takes a microsecond or two. */
void cm_machine_watch_read(const cm_machine_watch *watch, cm_machine_counts *counts);

/* Returns the seconds of a tick, in which the kernel counts. */
double cm_machine_tick_s(void);

/* Reads all of this processor. Takes up to a millisecond on machines with many processors. The
   frequency is read only on request, and not again if that took longer than a millisecond: some
   kernels sleep to measure it. */
void cm_machine_watch_look(cm_machine_watch *watch, int cpu, bool frequency, cm_machine_look *look);

#endif

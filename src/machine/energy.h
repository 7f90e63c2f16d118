/* SPDX-License-Identifier: BSD-3-Clause */
/* energy.h: what this computer uses, by its own counters. */
#ifndef CM_MACHINE_ENERGY_H
#define CM_MACHINE_ENERGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Counters of one kind only, since kinds count the same energy. The first kind that there is is
   taken. It also says what is counted: only CM_ENERGY_NODE and CM_ENERGY_METER are of the whole
   computer. */
typedef enum {
    CM_ENERGY_NONE,
    CM_ENERGY_NODE,    /* the node's own counter, Cray's pm_counters */
    CM_ENERGY_RAPL,    /* powercap: processor packages and their memory */
    CM_ENERGY_SOCKETS, /* hwmon: processor sockets */
    CM_ENERGY_METER,   /* hwmon: power of the whole computer (ACPI), which is integrated */
    CM_ENERGY_SLURM,   /* a counter, or a power, that Slurm tells (energy_slurm.h) */
    CM_ENERGY_KINDS
} cm_machine_energy_kind;

enum { CM_MACHINE_COUNTERS = 64, CM_MACHINE_COUNTER_PATH = 160 };
typedef struct {
    char path[CM_MACHINE_COUNTER_PATH]; /* of the number, without root; Slurm's: a field's name */
    bool power;                         /* it is one, which is integrated */
    int64_t last, range;                /* last reading; where the counter begins again, 0: never */
} cm_machine_counter;

typedef struct {
    const char *root;
    cm_machine_energy_kind kind;
    cm_machine_counter counter[CM_MACHINE_COUNTERS];
    size_t n;
    double joules;  /* since it was opened, as of the last reading */
    double read_s;  /* when that was, by cm_clock_now_s */
    bool failed;    /* a counter could not be read any more: joules say nothing */
    double least_s; /* in less than that the counters may not change: joules say nothing */
    char said[96];  /* what more is known of the counters, or of why there are none; for people */
} cm_machine_energy;

/* Looks for counters and reads them for the first time. root is a prefix of every path, "" is this
   machine; it must exist as long as the counters are read. kind is CM_ENERGY_NONE if there are no
   counters, or if they may not be read. */
void cm_machine_energy_open(const char *root, cm_machine_energy *energy);

/* Reads the counters and adds what they have counted since the last reading. A counter may begin
   again once between two readings: RAPL's do after some minutes. */
void cm_machine_energy_read(cm_machine_energy *energy);

/* Returns the seconds after which the counters should be read again. */
double cm_machine_energy_interval_s(cm_machine_energy_kind kind);

/* Returns what is counted, "processor packages and memory (RAPL)"; "no counters" for
   CM_ENERGY_NONE. */
const char *cm_machine_energy_words(cm_machine_energy_kind kind);

#endif

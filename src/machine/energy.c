/* SPDX-License-Identifier: BSD-3-Clause */
/* energy.c: finds counters of energy and reads them.

   RAPL's zones overlap: a package contains its cores and its graphics (core, uncore), but not its
   memory (dram); the platform (psys) contains the packages; intel-rapl-mmio:N is package N by
   another way. So packages and their memory are counted, and nothing else. AMD's processors have
   the same files. In hwmon, sockets (Esocket) contain the cores (Ecore); sensors of other chips may
   be of anything and are left out. Slurm's counters come last: they are read by others, and now and
   then only. */
#include <config.h>
#include <stdio.h>
#include <string.h>
#include "machine/energy.h"
#include "machine/energy_slurm.h"
#include "machine/machine_internal.h"
#include "measure/clock.h"

enum { LABEL_BYTES = 64, MOST_ZONES = 64, MOST_PARTS = 16, MOST_CHIPS = 256, MOST_SENSORS = 64 };

static bool read_counter(const cm_machine_energy *energy, const char *path, int64_t *value)
{
    char line[LABEL_BYTES];
    long long number;
    if (path[0] != '/') return cm_machine_slurm_counter(path, value);
    if (!cm_machine_file_line(energy->root, line, sizeof line, "%s", path)) return false;
    if (sscanf(line, "%lld", &number) != 1 || number < 0) return false;
    *value = number;
    return true;
}

static bool is_label(const cm_machine_energy *energy, const char *path, const char *begin)
{
    char label[LABEL_BYTES];
    return cm_machine_file_line(energy->root, label, sizeof label, "%s", path)
           && strncmp(label, begin, strlen(begin)) == 0;
}

/* A counter that cannot be read, as RAPL's by others than root, is none. */
static void add(cm_machine_energy *energy, const char *path, int64_t range)
{
    int64_t value;
    if (energy->n == CM_MACHINE_COUNTERS || !read_counter(energy, path, &value)) return;
    cm_machine_counter *counter = &energy->counter[energy->n++];
    *counter = (cm_machine_counter){.last = value, .range = range};
    snprintf(counter->path, sizeof counter->path, "%s", path);
}

/* ---- Where counters are ---------------------------------------------------------------------- */

static void find_node(cm_machine_energy *energy) { add(energy, "/sys/cray/pm_counters/energy", 0); }

static void add_zone(cm_machine_energy *energy, const char *zone)
{
    char path[CM_MACHINE_COUNTER_PATH];
    int64_t range = 0;
    snprintf(path, sizeof path, "%s/max_energy_range_uj", zone);
    read_counter(energy, path, &range);
    snprintf(path, sizeof path, "%s/energy_uj", zone);
    add(energy, path, range);
}

static void find_rapl(cm_machine_energy *energy)
{
    if (!cm_machine_file_exists(energy->root, "/sys/class/powercap")) return;
    for (int package = 0; package < MOST_ZONES; package++) {
        char zone[64], name[80];
        snprintf(zone, sizeof zone, "/sys/class/powercap/intel-rapl:%d", package);
        snprintf(name, sizeof name, "%s/name", zone);
        if (!is_label(energy, name, "package")) continue;
        size_t before = energy->n;
        add_zone(energy, zone);
        if (energy->n == before) continue;
        for (int part = 0; part < MOST_PARTS; part++) {
            snprintf(zone, sizeof zone, "/sys/class/powercap/intel-rapl:%d:%d", package, part);
            snprintf(name, sizeof name, "%s/name", zone);
            if (is_label(energy, name, "dram")) add_zone(energy, zone);
        }
    }
}

/* Asked first: names of 256 chips take a millisecond. */
static bool has_hwmon(const cm_machine_energy *energy)
{
    return cm_machine_file_exists(energy->root, "/sys/class/hwmon");
}

static void find_sockets(cm_machine_energy *energy)
{
    if (!has_hwmon(energy)) return;
    for (int chip = 0; chip < MOST_CHIPS; chip++) {
        char path[80];
        snprintf(path, sizeof path, "/sys/class/hwmon/hwmon%d/name", chip);
        if (!is_label(energy, path, "amd_energy")) continue;
        for (int sensor = 1; sensor <= MOST_SENSORS; sensor++) {
            snprintf(path, sizeof path, "/sys/class/hwmon/hwmon%d/energy%d_label", chip, sensor);
            if (!is_label(energy, path, "Esocket")) continue;
            snprintf(path, sizeof path, "/sys/class/hwmon/hwmon%d/energy%d_input", chip, sensor);
            add(energy, path, 0);
        }
    }
}

static void find_meter(cm_machine_energy *energy)
{
    static const char *const value[] = {"average", "input"};
    if (!has_hwmon(energy)) return;
    for (int chip = 0; chip < MOST_CHIPS; chip++) {
        char path[80];
        snprintf(path, sizeof path, "/sys/class/hwmon/hwmon%d/name", chip);
        if (!is_label(energy, path, "power_meter")) continue;
        for (size_t k = 0; k < sizeof value / sizeof *value && energy->n == 0; k++) {
            snprintf(path, sizeof path, "/sys/class/hwmon/hwmon%d/power1_%s", chip, value[k]);
            add(energy, path, 0);
            if (energy->n > 0) energy->counter[0].power = true;
        }
    }
}

/* If Slurm does not read its sensors again, they are of no use for a run. */
static void find_slurm(cm_machine_energy *energy)
{
    static const char *const fields[] = {"ConsumedJoules", "ExtSensorsJoules", "CurrentWatts",
                                         NULL};
    const char *field = cm_machine_slurm_find(fields, energy->said, sizeof energy->said);
    if (!field) return;
    snprintf(energy->said, sizeof energy->said, "%s", field);
    energy->least_s = cm_machine_slurm_interval_s();
    if (energy->least_s > 0) add(energy, field, 0);
    else
        snprintf(energy->said, sizeof energy->said, "Slurm: %s",
                 energy->least_s < 0 ? "scontrol show config does not answer"
                                     : "AcctGatherNodeFreq=0");
    if (energy->n > 0) energy->counter[0].power = strcmp(field, "CurrentWatts") == 0;
}

/* [kind] */
static const struct {
    void (*find)(cm_machine_energy *energy);
    double joules; /* of one of the counter; of a power, watts */
    double interval_s;
    const char *words;
} kinds[CM_ENERGY_KINDS] = {
    [CM_ENERGY_NONE] = {NULL, 0, 0, "no counters"},
    [CM_ENERGY_NODE] = {find_node, 1, 3600, "the whole node (pm_counters)"},
    [CM_ENERGY_RAPL] = {find_rapl, 1e-6, 30, "processor packages and memory (RAPL)"},
    [CM_ENERGY_SOCKETS] = {find_sockets, 1e-6, 3600, "processor sockets (hwmon)"},
    [CM_ENERGY_METER] = {find_meter, 1e-6, 1, "the whole node (ACPI power meter, each second)"},
    [CM_ENERGY_SLURM] = {find_slurm, 1, 30, "Slurm's counters"},
};

double cm_machine_energy_interval_s(cm_machine_energy_kind kind) { return kinds[kind].interval_s; }
const char *cm_machine_energy_words(cm_machine_energy_kind kind) { return kinds[kind].words; }

void cm_machine_energy_open(const char *root, cm_machine_energy *energy)
{
    memset(energy, 0, sizeof *energy);
    energy->root = root;
    for (int kind = CM_ENERGY_NONE + 1; kind < CM_ENERGY_KINDS && energy->n == 0; kind++) {
        kinds[kind].find(energy);
        if (energy->n > 0) energy->kind = (cm_machine_energy_kind)kind;
    }
    energy->read_s = cm_clock_now_s();
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Returns the counter's increase since the last reading. For a power, this is the mean power times
   the time. */
static double counted(const cm_machine_energy *energy, const cm_machine_counter *counter,
                      int64_t value, double lasted_s)
{
    double one = kinds[energy->kind].joules;
    if (counter->power) return one * 0.5 * ((double)counter->last + (double)value) * lasted_s;
    int64_t more = value - counter->last;
    if (more < 0 && counter->range > 0) more += counter->range;
    return more < 0 ? -1 : one * (double)more;
}

void cm_machine_energy_read(cm_machine_energy *energy)
{
    double now_s = cm_clock_now_s(), lasted_s = now_s - energy->read_s;
    for (size_t k = 0; k < energy->n; k++) {
        cm_machine_counter *counter = &energy->counter[k];
        int64_t value;
        double joules = -1;
        if (read_counter(energy, counter->path, &value)) {
            joules = counted(energy, counter, value, lasted_s);
            counter->last = value;
        }
        if (joules < 0) energy->failed = true;
        else energy->joules += joules;
    }
    energy->read_s = now_s;
}

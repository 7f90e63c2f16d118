/* SPDX-License-Identifier: BSD-3-Clause */
/* energy.c: counters of energy on computers made of files. */
#define _GNU_SOURCE
#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "machine/energy.h"
#include "tap.h"

#define POWERCAP "/sys/class/powercap/"
#define HWMON "/sys/class/hwmon/"

static char root[] = "/tmp/unit_energy.XXXXXX";

static void put(const char *path, const char *text)
{
    char name[512];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *slash = name + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(name, 0700);
        *slash = '/';
    }
    FILE *file = fopen(name, "w");
    if (!file) exit(99);
    fprintf(file, "%s\n", text);
    fclose(file);
}

static int erase_one(const char *path, const struct stat *s, int flag, struct FTW *ftw)
{
    (void)s, (void)flag, (void)ftw;
    return remove(path);
}

static void erase(void)
{
    nftw(root, erase_one, 16, FTW_DEPTH | FTW_PHYS);
    mkdir(root, 0700);
}

static void test_none(void)
{
    cm_machine_energy energy;
    cm_machine_energy_open(root, &energy);
    cm_machine_energy_read(&energy);
    ok(energy.kind == CM_ENERGY_NONE && energy.joules == 0 && !energy.failed, "no counters");
    ok(strcmp(cm_machine_energy_words(energy.kind), "no counters") == 0, "which is said");
}

static void test_rapl(void)
{
    cm_machine_energy energy;
    put(POWERCAP "intel-rapl:0/name", "package-0");
    put(POWERCAP "intel-rapl:0/max_energy_range_uj", "262143328850");
    put(POWERCAP "intel-rapl:0/energy_uj", "262143000000");
    put(POWERCAP "intel-rapl:0:0/name", "core");
    put(POWERCAP "intel-rapl:0:0/energy_uj", "5");
    put(POWERCAP "intel-rapl:0:1/name", "uncore");
    put(POWERCAP "intel-rapl:0:1/energy_uj", "5");
    put(POWERCAP "intel-rapl:0:2/name", "dram");
    put(POWERCAP "intel-rapl:0:2/max_energy_range_uj", "65712999613");
    put(POWERCAP "intel-rapl:0:2/energy_uj", "100");
    put(POWERCAP "intel-rapl:1/name", "psys");
    put(POWERCAP "intel-rapl:1/energy_uj", "5");
    put(POWERCAP "intel-rapl-mmio:0/name", "package-0");
    put(POWERCAP "intel-rapl-mmio:0/energy_uj", "5");
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_RAPL && energy.n == 2, "a package and its memory: %zu", energy.n);
    put(POWERCAP "intel-rapl:0/energy_uj", "262143328850");
    put(POWERCAP "intel-rapl:0:0/energy_uj", "9000000000");
    put(POWERCAP "intel-rapl:0:2/energy_uj", "2000100");
    put(POWERCAP "intel-rapl:1/energy_uj", "9000000000");
    put(POWERCAP "intel-rapl-mmio:0/energy_uj", "9000000000");
    cm_machine_energy_read(&energy);
    ok_near(energy.joules, 2.32885, 1e-9, "what both counted");
    put(POWERCAP "intel-rapl:0/energy_uj", "1000000");
    cm_machine_energy_read(&energy);
    ok_near(energy.joules, 3.32885, 1e-9, "a counter that begins again");
    put(POWERCAP "intel-rapl:0/energy_uj", "2000000");
    cm_machine_energy_read(&energy);
    ok_near(energy.joules, 4.32885, 1e-9, "and goes on");
    ok(!energy.failed, "all were read");
    put(POWERCAP "intel-rapl:0:2/energy_uj", "soon");
    cm_machine_energy_read(&energy);
    ok(energy.failed, "a counter that is no number any more");
    erase();
}

static void test_backwards(void)
{
    cm_machine_energy energy;
    put(POWERCAP "intel-rapl:0/name", "package-0");
    put(POWERCAP "intel-rapl:0/energy_uj", "1000");
    cm_machine_energy_open(root, &energy);
    put(POWERCAP "intel-rapl:0/energy_uj", "999");
    cm_machine_energy_read(&energy);
    ok(energy.failed, "a counter that goes back, and has no range");
    erase();
}

static void test_refused(void)
{
    cm_machine_energy energy;
    put(POWERCAP "intel-rapl:0/name", "package-0");
    mkdir(root, 0700);
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_NONE, "a zone whose counter cannot be read");
    erase();
}

static void test_sockets(void)
{
    cm_machine_energy energy;
    put(HWMON "hwmon0/name", "nvme");
    put(HWMON "hwmon0/energy1_label", "Esocket9");
    put(HWMON "hwmon0/energy1_input", "1");
    put(HWMON "hwmon3/name", "amd_energy");
    put(HWMON "hwmon3/energy1_label", "Ecore000");
    put(HWMON "hwmon3/energy1_input", "1");
    put(HWMON "hwmon3/energy2_label", "Esocket0");
    put(HWMON "hwmon3/energy2_input", "1000000");
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_SOCKETS && energy.n == 1, "a socket without its cores");
    put(HWMON "hwmon3/energy1_input", "90000000");
    put(HWMON "hwmon3/energy2_input", "8500000");
    cm_machine_energy_read(&energy);
    ok_near(energy.joules, 7.5, 1e-9, "what it counted");
    erase();
}

/* 200 W at the beginning, 300 W at the end. */
static void test_meter(void)
{
    cm_machine_energy energy;
    put(HWMON "hwmon1/name", "power_meter");
    put(HWMON "hwmon1/power1_average", "200000000");
    cm_machine_energy_open(root, &energy);
    double begin_s = energy.read_s;
    ok(energy.kind == CM_ENERGY_METER, "a meter of power");
    ok(cm_machine_energy_interval_s(energy.kind) == 1, "is read each second");
    usleep(20000);
    put(HWMON "hwmon1/power1_average", "300000000");
    cm_machine_energy_read(&energy);
    ok_near(energy.joules, 250 * (energy.read_s - begin_s), 1e-9, "the mean power over the time");
    erase();
}

/* Only the counter that covers the most is used. */
static void test_node(void)
{
    cm_machine_energy energy;
    put("/sys/cray/pm_counters/energy", "1000 J 1234567 us");
    put(POWERCAP "intel-rapl:0/name", "package-0");
    put(POWERCAP "intel-rapl:0/energy_uj", "0");
    cm_machine_energy_open(root, &energy);
    put("/sys/cray/pm_counters/energy", "1042 J 1234999 us");
    put(POWERCAP "intel-rapl:0/energy_uj", "30000000");
    cm_machine_energy_read(&energy);
    ok(energy.kind == CM_ENERGY_NODE && energy.joules == 42, "the node, not its packages again");
    erase();
}

/* ---- Slurm ----------------------------------------------------------------------------------- */

/* scontrol, in a folder of PATH, that prints what this says. */
static void put_scontrol(const char *node, const char *config)
{
    char name[512];
    put("/node", node);
    put("/config", config);
    put("/bin/scontrol", "#!/bin/sh\n"
                         "root=${0%/bin/scontrol}\n"
                         "case $2:$3 in node:n7) cat $root/node ;;\n"
                         "config:) cat $root/config || exit ;;\n"
                         "*) exit 1 ;; esac\n"
                         "[ ! -e $root/hang ] || exec sleep 60");
    snprintf(name, sizeof name, "%s/bin/scontrol", root);
    chmod(name, 0700);
}

#define FREQUENCY(text) "AcctGatherEnergyType   = x\nAcctGatherNodeFreq      = " text "\nA = 1"
#define NODE(line) "NodeName=n7 Arch=x86_64 \n   CPUAlloc=2\n   " line "\n   Reason=x"

static void test_slurm(void)
{
    cm_machine_energy energy;
    char path[1024];
    snprintf(path, sizeof path, "%s/bin:%s", root, getenv("PATH"));
    setenv("PATH", path, 1);
    put_scontrol(NODE("CurrentWatts=200 AveWatts=150"), FREQUENCY("30 sec"));
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_NONE && !*energy.said, "Slurm is not asked without an allocation");
    setenv("SLURM_JOB_ID", "5", 1);
    setenv("SLURMD_NODENAME", "n7", 1);
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_SLURM && energy.n == 1 && energy.least_s == 30,
       "CurrentWatts, %g s old at most", energy.least_s);
    double begin_s = energy.read_s;
    put_scontrol(NODE("CurrentWatts=300 AveWatts=150"), FREQUENCY("30 sec"));
    cm_machine_energy_read(&energy);
    ok_near(energy.joules, 250 * (energy.read_s - begin_s), 1e-9, "the mean power over the time");
    put_scontrol(NODE("CurrentWatts=n/s AveWatts=0"), FREQUENCY("30 sec"));
    cm_machine_energy_read(&energy);
    ok(energy.failed, "Slurm does not know it any more");

    put_scontrol(NODE("CurrentWatts=200 LowestJoules=5 ConsumedJoules=1000"), FREQUENCY("10 sec"));
    cm_machine_energy_open(root, &energy);
    put_scontrol(NODE("CurrentWatts=200 LowestJoules=5 ConsumedJoules=1650"), FREQUENCY("10 sec"));
    cm_machine_energy_read(&energy);
    ok(energy.kind == CM_ENERGY_SLURM && energy.joules == 650 && energy.least_s == 10,
       "a counter is taken before a power: %g J", energy.joules);

    put("/sys/cray/pm_counters/energy", "1000 J");
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_NODE && energy.least_s == 0, "and the node's own before Slurm's");
    erase();

    put_scontrol(NODE("CurrentWatts=n/s AveWatts=n/s"), FREQUENCY("30 sec"));
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_NONE && strcmp(energy.said, "Slurm: CurrentWatts=n/s") == 0,
       "n/s is no counter: %s", energy.said);
    put_scontrol(NODE("CurrentWatts=0 AveWatts=0 ConsumedJoules=0"), FREQUENCY("30 sec"));
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_NONE, "nor is 0: %s", energy.said);
    put_scontrol(NODE("CurrentWatts=200 AveWatts=150"), FREQUENCY("0 sec"));
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_NONE && strcmp(energy.said, "Slurm: AcctGatherNodeFreq=0") == 0,
       "nor what is never read again: %s", energy.said);
    static char config[40000];
    size_t used = 0;
    while (used < sizeof config - 200)
        used += (size_t)snprintf(config + used, sizeof config - used, "Key%zu = value\n", used);
    snprintf(config + used, sizeof config - used, "%s", FREQUENCY("30 sec"));
    put_scontrol(NODE("CurrentWatts=200 AveWatts=150"), config);
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_SLURM && energy.least_s == 30, "a long configuration: %s",
       energy.said);
    snprintf(path, sizeof path, "%s/config", root);
    unlink(path);
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_NONE && strstr(energy.said, "show config does not answer"),
       "no configuration: %s", energy.said);
    put("/hang", "");
    cm_machine_energy_open(root, &energy);
    ok(energy.kind == CM_ENERGY_NONE && strstr(energy.said, "show node does not answer"),
       "scontrol does not end: %s", energy.said);
    erase();
}

int main(void)
{
    unsetenv("SLURM_JOB_ID");
    if (!mkdtemp(root)) return 99;
    test_none();
    test_rapl();
    test_backwards();
    test_refused();
    test_sockets();
    test_meter();
    test_node();
    test_slurm();
    rmdir(root);
    return tap_done();
}

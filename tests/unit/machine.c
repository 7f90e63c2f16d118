/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c: src/machine against what the kernel's files and other programs say, and on
   made-up machines. */
#include <config.h>
#include <arpa/inet.h>
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/exit.h"
#include "machine/disturbance.h"
#include "machine/interface.h"
#include "machine/machine_internal.h"
#include "machine/traffic.h"
#include "tap.h"

/* ---- a machine made of files ----------------------------------------------------------------- */

#define CPU "/sys/devices/system/cpu/"

static char fake[] = "/tmp/unit_machine.XXXXXX";

__attribute__((format(printf, 2, 3))) static void put(const char *path, const char *format, ...)
{
    char name[CM_MACHINE_PATH];
    snprintf(name, sizeof name, "%s%s", fake, path);
    for (char *slash = name + strlen(fake) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(name, 0700);
        *slash = '/';
    }
    FILE *file = fopen(name, "w");
    if (!file) {
        printf("Bail out! cannot write %s\n", name);
        exit(99);
    }
    va_list list;
    va_start(list, format);
    vfprintf(file, format, list);
    va_end(list);
    fclose(file);
}

static int erase_one(const char *path, const struct stat *s, int flag, struct FTW *ftw)
{
    (void)s, (void)flag, (void)ftw;
    return remove(path);
}

static void erase(void)
{
    nftw(fake, erase_one, 16, FTW_DEPTH | FTW_PHYS);
    mkdir(fake, 0700);
}

/* ---- what a description said ----------------------------------------------------------------- */

enum { MOST = 200 };
typedef struct {
    int n;
    char *key[MOST], *value[MOST];
} said;

static void keep(const char *key, const char *value, void *context)
{
    said *all = context;
    if (all->n == MOST) return;
    all->key[all->n] = strdup(key);
    all->value[all->n++] = strdup(value);
}

/* The k-th value of key, NULL when there are fewer. */
static const char *value_of(const said *all, const char *key, int k)
{
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->key[i], key) == 0 && k-- == 0) return all->value[i];
    return NULL;
}

static void forget(said *all)
{
    for (int i = 0; i < all->n; i++) free(all->key[i]), free(all->value[i]);
    all->n = 0;
}

/* Output of a command's first line as a number; -1 without one. */
static double ask(const char *command)
{
    char line[256];
    FILE *pipe = popen(command, "r");
    bool got = pipe && fgets(line, sizeof line, pipe);
    if (pipe) pclose(pipe);
    return got && line[0] != '\n' ? atof(line) : -1;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_cpus(void)
{
    cm_machine_cpus set;
    char list[64];
    ok(cm_machine_cpus_parse("0-3,8,10-11\n", &set) && cm_machine_cpus_count(&set) == 7,
       "a list of processors is read");
    cm_machine_cpus_format(&set, list, sizeof list);
    ok_text(list, "0-3,8,10-11", "and written the same");
    ok(cm_machine_cpus_next(&set, -1) == 0 && cm_machine_cpus_next(&set, 3) == 8
           && cm_machine_cpus_next(&set, 11) == -1,
       "next walks over gaps and ends");
    ok(cm_machine_cpus_parse("8191", &set) && cm_machine_cpus_next(&set, -1) == 8191,
       "the highest number");
    const char *const wrong[] = {"8192", "3-1", "a", "1-", "1;2", "-1", "0-99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(!cm_machine_cpus_parse(wrong[i], &set), "refused: '%s'", wrong[i]);
    ok(!cm_machine_cpus_format(&set, list, 3) && strlen(list) < 3, "a short buffer is kept");
    ok(cm_machine_cpus_parse("0,2,4,6,8191", &set), "several parts");
    ok_text(cm_machine_cpus_text(&set, list, 13), "0,2,4,6,8191", "all of them just fit");
    ok_text(cm_machine_cpus_text(&set, list, 12), "0,2,4,6,...", "what does not fit is told");
    ok_text(cm_machine_cpus_text(&set, list, 11), "0,2,4,...", "in whole parts");

    cm_machine_cpus some = {{0}}, other = {{0}};
    ok_text(cm_machine_cpus_text(&some, list, sizeof list), "unknown", "the empty set in a result");
    ok(cm_machine_cpus_parse("0-3,100", &some) && cm_machine_cpus_parse("3-5,8191", &other),
       "two sets");
    set = some;
    cm_machine_cpus_or(&set, &other);
    ok_text(cm_machine_cpus_text(&set, list, sizeof list), "0-5,100,8191", "what is in either");
    cm_machine_cpus_and(&some, &other);
    ok_text(cm_machine_cpus_text(&some, list, sizeof list), "3", "what is in both");
}

static void test_fake_topology(void)
{
    /* Two packages of two cores with two threads each, numbered round robin as many servers do:
       package p, core c, thread t is processor p + 2 c + 4 t. */
    put(CPU "online", "0-7\n");
    put("/sys/devices/system/node/online", "0-1\n");
    for (int cpu = 0; cpu < 8; cpu++) {
        char path[200];
        int package = cpu % 2, other = cpu < 4 ? cpu + 4 : cpu - 4;
        snprintf(path, sizeof path, CPU "cpu%d/topology/physical_package_id", cpu);
        put(path, "%d\n", package);
        snprintf(path, sizeof path, CPU "cpu%d/topology/thread_siblings_list", cpu);
        put(path, "%d,%d\n", cpu < other ? cpu : other, cpu < other ? other : cpu);
        const struct {
            const char *level, *type, *size;
            bool all;
        } cache[] = {{"1", "Data", "48K", false},
                     {"1", "Instruction", "32K", false},
                     {"2", "Unified", "2048K", false},
                     {"3", "Unified", "266240K", true}};
        for (int i = 0; i < 4; i++) {
            char base[100];
            snprintf(base, sizeof base, CPU "cpu%d/cache/index%d", cpu, i);
            snprintf(path, sizeof path, "%s/level", base), put(path, "%s\n", cache[i].level);
            snprintf(path, sizeof path, "%s/type", base), put(path, "%s\n", cache[i].type);
            snprintf(path, sizeof path, "%s/size", base), put(path, "%s\n", cache[i].size);
            snprintf(path, sizeof path, "%s/shared_cpu_list", base);
            if (cache[i].all) put(path, "%s\n", package ? "1,3,5,7" : "0,2,4,6");
            else put(path, "%d,%d\n", cpu % 4, cpu % 4 + 4);
        }
    }
    cm_machine_node *t = malloc(sizeof *t);
    ok(cm_machine_node_read(fake, true, t), "a made-up machine is read");
    ok(t->cores == 4 && t->threads == 8 && t->sockets == 2 && t->numas == 2,
       "4 cores, 8 threads, 2 sockets, 2 nodes");
    const int core[] = {0, 2, 1, 3, 0, 2, 1, 3};
    bool same = true;
    for (int cpu = 0; cpu < 8; cpu++) same &= t->core_of[cpu] == core[cpu];
    ok(same && t->core_of[8] == -1, "cores in the order of the packages, threads with their core");
    ok(t->caches[1] == 4 && t->cache[1][0].bytes == 48 << 10 && t->cache[1][0].processors == 2,
       "4 data caches of 48 KiB, 2 threads");
    ok(t->caches[2] == 4 && t->cache[2][3].bytes == 2 << 20 && t->caches[3] == 2
           && t->cache[3][1].bytes == 260 << 20 && t->cache[3][1].processors == 4,
       "4 of 2 MiB, and 2 of 260 MiB, these shared by 4 threads");
    bool floor;
    ok(cm_machine_node_last_caches_bytes(t, &floor) == 2LL * 260 << 20 && !floor,
       "the last caches together, as told");
    cm_machine_cpus some;
    ok(cm_machine_cpus_parse("0,4", &some) && cm_machine_node_cores(t, &some) == 1
           && cm_machine_cpus_parse("0-3", &some) && cm_machine_node_cores(t, &some) == 4
           && cm_machine_cpus_parse("1,5,7,9", &some) && cm_machine_node_cores(t, &some) == 2,
       "cores are counted once, and those that do not exist not at all");
    erase();
    ok(!cm_machine_node_read(fake, true, t), "no files, no topology");
    free(t);
}

static void test_topology(void)
{
    cm_machine_node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    bool has_sysfs = cm_machine_node_sysfs("", b);
#ifdef HAVE_HWLOC
    ok(cm_machine_node_hwloc("", a), "hwloc reads this machine");
    if (has_sysfs) {
        ok(a->cores == b->cores && a->threads == b->threads, "hwloc and /sys: same cores");
        ok(a->sockets == b->sockets, "hwloc and /sys: same sockets");
        for (int level = 1; level < CM_NODE_LEVELS; level++)
            ok(a->caches[level] == b->caches[level]
                   && (a->caches[level] == 0
                       || (a->cache[level][0].bytes == b->cache[level][0].bytes
                           && a->cache[level][0].processors == b->cache[level][0].processors)),
               "hwloc and /sys: same level %d cache", level);
    } else {
        tap_skip("hwloc and /sys agree", "/sys has no topology here");
    }
#else
    ok(!cm_machine_node_hwloc("", a), "built without hwloc");
    ok(has_sysfs || cm_machine_this()->node.numas == 0, "/sys, or no more than affinity");
#endif
    double threads = ask("LC_ALL=C lscpu -p=CPU 2>/dev/null | grep -vc '^#'");
    double cores = ask("LC_ALL=C lscpu -p=CORE 2>/dev/null | grep -v '^#' | sort -u | wc -l");
    const cm_machine_node *t = &cm_machine_this()->node;
    if (threads > 0) {
        ok(t->threads == (int)threads, "as many threads as lscpu says (%d)", t->threads);
        ok(t->cores == (int)cores, "as many cores as lscpu says (%d)", t->cores);
        double l1 = ask("LC_ALL=C lscpu -B -C=NAME,ONE-SIZE 2>/dev/null | "
                        "awk '$1 == \"L1d\" {print $2}'");
        if (l1 > 0) ok_near((double)cm_machine_cache_bytes(1), l1, 0, "the data cache lscpu says");
        else tap_skip("the data cache lscpu says", "lscpu names none");
    } else {
        tap_skip("threads, cores and cache as lscpu says", "no lscpu");
    }
    ok(cm_machine_cores() >= 1 && cm_machine_cores() <= t->cores, "usable cores among all");
    int job = cm_machine_job_cores();
    ok(job >= 1 && job <= t->cores, "the job's cores among all");
    ok(cm_machine_cache_bytes(0) == 0 && cm_machine_cache_bytes(-1) == 0
           && cm_machine_cache_bytes(99) == 0,
       "no cache of impossible levels");
    int64_t largest = 0;
    for (int level = 1; level < CM_NODE_LEVELS; level++)
        if (cm_machine_cache_bytes(level) > 0) largest = cm_machine_cache_bytes(level);
    ok(cm_machine_last_cache_bytes() == largest, "the last level's cache");
    free(a);
    free(b);
}

/* What no tree has: nodes of which little or nothing is told. */
static void test_little_told(void)
{
    cm_machine_node *t = malloc(sizeof *t);
    bool floor;
    put(CPU "online", "0-19\n");
    ok(cm_machine_node_read(fake, true, t) && t->threads == 20 && !t->cores_told && t->numas == 0,
       "only a list of processors: their cores and nodes are not told");
    ok(cm_machine_node_last_caches_bytes(t, &floor) == CM_NODE_FLOOR_BYTES && floor,
       "no cache is told: a floor, and it says so");
    for (int cpu = 0; cpu < 20; cpu++) {
        char path[200];
        snprintf(path, sizeof path, CPU "cpu%d/topology/core_cpus_list", cpu);
        put(path, "%d\n", cpu);
        snprintf(path, sizeof path, CPU "cpu%d/cache/index0/level", cpu), put(path, "2\n");
        snprintf(path, sizeof path, CPU "cpu%d/cache/index0/type", cpu), put(path, "Unified\n");
        snprintf(path, sizeof path, CPU "cpu%d/cache/index0/size", cpu), put(path, "1024K\n");
        snprintf(path, sizeof path, CPU "cpu%d/cache/index0/shared_cpu_list", cpu);
        put(path, "%d\n", cpu);
    }
    ok(cm_machine_node_read(fake, true, t) && t->cores == 20 && t->caches[2] == 20,
       "a server whose cores have a second level each");
    ok(cm_machine_node_last_caches_bytes(t, &floor) == CM_NODE_FLOOR_BYTES && floor,
       "a system cache behind it is not told: a floor");
    put(CPU "online", "0-3\n");
    ok(cm_machine_node_read(fake, true, t)
           && cm_machine_node_last_caches_bytes(t, &floor) == 4 << 20 && !floor,
       "the same on a small machine is what it has");
    put(CPU "online", "8000-8191\n");
    ok(cm_machine_node_read(fake, true, t) && t->threads == 192, "the highest numbers there are");
    put(CPU "online", "0-8192\n");
    ok(!cm_machine_node_read(fake, true, t) || t->threads == 20,
       "a number above them is no list of processors");
    erase();
    free(t);
}

/* Binds this thread to the k-th core. Returns its only processor, -1 on an error. */
static int bound_to(int k)
{
    char why[160];
    cm_machine_cpus now;
    if (cm_machine_bind(CM_BIND_SPREAD, k, why, sizeof why) != 0) {
        printf("# %s\n", why);
        return -1;
    }
    return cm_machine_cpus_affinity(0, &now) && cm_machine_cpus_count(&now) == 1
               ? cm_machine_cpus_next(&now, -1)
               : -1;
}

static void *bind_second(void *result)
{
    *(int *)result = bound_to(1);
    return NULL;
}

static void test_bind(void)
{
    const cm_machine_view *view = cm_machine_this();
    const int cores = cm_machine_cores(), first = bound_to(0);
    ok(first >= 0 && cm_machine_cpus_has(&view->may_run, first), "bound to one of its cores");
    ok(cm_machine_cores() == cores, "a bound thread does not change the number of cores");
    int second = -1;
    pthread_t thread;
    pthread_create(&thread, NULL, bind_second, &second);
    pthread_join(thread, NULL);
    if (cores > 1) {
        const int16_t *core_of = view->node.core_of;
        ok(second >= 0 && core_of[second] != core_of[first],
           "a thread that a bound thread started binds to the next core (%d)", second);
    } else {
        ok(second == first, "with one core every thread gets it");
    }
    const int threads = cm_machine_cpus_count(&view->may_run), further = bound_to(cores);
    ok(further >= 0 && view->node.core_of[further] == view->node.core_of[first]
           && (threads > cores || further == first),
       "one rank more than cores shares the first one, on another thread if it has one");
    char why[160];
    ok(cm_machine_bind(CM_BIND_PER_L3, CM_MACHINE_CPUS - 1, why, sizeof why) == CM_EXIT_USAGE
           && (strstr(why, "of this host; expected at most ") || strstr(why, "tells of no L3")),
       "more ranks than L3 caches are refused: %s", why);
    sched_setaffinity(0, sizeof view->may_run.word,
                      (const cpu_set_t *)(const void *)view->may_run.word);
}

/* Programs of another processor run by this command (HACKING). Limits on memory are not those of
   the emulator, nor is its clock that of a processor. */
static const char *emulator(void)
{
    const char *command = getenv("TEST_EMULATOR");
    return command ? command : "";
}

static void *say_binding(void *pipe_of)
{
    char byte;
    cm_machine_cpus *now = malloc(sizeof *now);
    if (read(*(int *)pipe_of, &byte, 1) == 1 && cm_machine_cpus_affinity(0, now)) return now;
    free(now);
    return NULL;
}

/* Exits with status 0 if a thread that is there follows into the L3 cache, and not to a core. */
static int bind_others(void)
{
    static const cm_machine_way ways[] = {CM_BIND_SPREAD, CM_BIND_PER_L3};
    const cm_machine_cpus may_run = cm_machine_this()->may_run;
    for (int k = 0; k < 2; k++) {
        char why[160];
        int ends[2];
        void *said;
        cm_machine_cpus own;
        pthread_t thread;
        if (pipe(ends) != 0 || pthread_create(&thread, NULL, say_binding, &ends[0]) != 0) return 3;
        if (cm_machine_bind(ways[k], 0, why, sizeof why) != 0 || write(ends[1], "", 1) != 1)
            return 4;
        pthread_join(thread, &said);
        if (!said || !cm_machine_cpus_affinity(0, &own) || cm_machine_cpus_count(&own) != 1)
            return 5;
        if (memcmp(said, k == 0 ? &may_run : &own, sizeof own) != 0) return 6 + k;
        free(said);
        sched_setaffinity(0, sizeof may_run.word, (const cpu_set_t *)(const void *)may_run.word);
    }
    return 0;
}

/* In a process for which each processor has an L3 cache. */
static void test_bind_others(void)
{
#ifdef HAVE_HWLOC
    const cm_machine_cpus *may_run = &cm_machine_this()->may_run;
    char command[600], self[400] = {0};
    int last = 0;
    for (int cpu = -1; (cpu = cm_machine_cpus_next(may_run, cpu)) >= 0;) last = cpu;
    if (cm_machine_cpus_count(may_run) < 2
        || readlink("/proc/self/exe", self, sizeof self - 1) < 0) {
        tap_skip("other threads follow", "one processor");
        return;
    }
    snprintf(command, sizeof command,
             "HWLOC_THISSYSTEM=0 HWLOC_SYNTHETIC='pack:%d l3:1 core:1 pu:1' exec %s '%s' --others",
             last + 1, emulator(), self);
    fflush(stdout);
    const int status = system(command);
    ok(status == 0, "other threads follow into an L3 cache (%d)", WEXITSTATUS(status));
#else
    tap_skip("other threads follow", "built without hwloc");
#endif
}

/* A process that its launcher bound to one core still knows how many cores the job shares; if the
   launcher is bound as well, the process has only that core. */
static void test_watch(void)
{
    cm_machine_watch watch;
    cm_machine_counts counts, later;
    cm_machine_look look;
    cm_machine_watch_open(fake, &watch);
    cm_machine_watch_read(&watch, &counts);
    cm_machine_watch_look(&watch, 0, true, &look);
    ok(isnan(counts.waited_s) && counts.cpu >= 0 && isnan(look.stolen_s) && isnan(look.tasks_s)
           && isnan(look.pressed_s) && isnan(look.frequency_Hz),
       "no files: not known");
    ok(look.own_s > 0, "but the time of this process");
    cm_machine_watch_close(&watch);
    put("/proc/thread-self/schedstat", "123456789 2500000000 17\n");
    put("/proc/stat", "cpu  1 2 3 4 5 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 50 9 10\n"
                      "cpu1 1 2 3 4 5 6 7 150 9 10\ncpu11 1 2 3 4 5 6 7 8 9 10\nintr 7\n");
    put("/proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1500000\n"
                              "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
    put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "2400000\n");
    cm_machine_watch_open(fake, &watch);
    cm_machine_watch_read(&watch, &counts);
    ok(counts.waited_s == 2.5 && counts.runs == 17, "waited 2.5 s in 17 turns");
    double tick_s = cm_machine_tick_s();
    ok(tick_s == 1.0 / (double)sysconf(_SC_CLK_TCK), "a tick");
    cm_machine_watch_look(&watch, 1, true, &look);
    ok(fabs(look.stolen_s - 150 * tick_s) < 1e-9, "steal of processor 1");
    ok(fabs(look.tasks_s - (1 + 2 + 3) * tick_s) < 1e-9, "its tasks: user, nice and system");
    ok(look.pressed_s == 1.5 && look.frequency_Hz == 2.4e9, "pressure and frequency");
    put("/sys/devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "1200000\n");
    put("/proc/pressure/cpu", "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
    cm_machine_watch_look(&watch, 1, true, &look);
    ok(look.frequency_Hz == 1.2e9 && isnan(look.pressed_s), "read again; no line for some tasks");
    cm_machine_watch_look(&watch, 1, false, &look);
    ok(isnan(look.frequency_Hz), "no frequency without a request");
    cm_machine_watch_look(&watch, 2, true, &look);
    ok(isnan(look.stolen_s) && isnan(look.tasks_s) && isnan(look.frequency_Hz),
       "none of processor 2");
    put("/proc/thread-self/schedstat", "123456789 2600000000 18\n");
    cm_machine_watch_read(&watch, &later);
    ok(later.waited_s == 2.6 && later.runs == 18, "read again from the open file");
    cm_machine_watch_close(&watch);
    cm_machine_watch_open("", &watch);
    cm_machine_watch_read(&watch, &counts);
    cm_machine_watch_read(&watch, &later);
    ok(later.switches >= counts.switches && later.faults >= counts.faults
           && !(later.waited_s < counts.waited_s),
       "this machine's counts do not fall");
    cm_machine_watch_close(&watch);
}

static void test_job_cores(void)
{
    int cores = cm_machine_cores(), status;
    if (cores < 2) {
        tap_skip("the job's cores under a launcher", "one core");
        return;
    }
    cm_machine_cpus one = {{0}};
    cm_machine_cpus_add(&one, cm_machine_cpus_next(&cm_machine_this()->may_run, -1));
    for (int launcher_bound = 0; launcher_bound < 2; launcher_bound++) {
        char command[600], self[400] = {0};
        if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) continue;
        snprintf(command, sizeof command, "exec %s '%s' --job-cores", emulator(), self);
        fflush(stdout);
        pid_t launcher = fork();
        if (launcher == 0) {
            const cpu_set_t *set = (const cpu_set_t *)(const void *)one.word;
            if (launcher_bound) sched_setaffinity(0, sizeof one.word, set);
            pid_t rank = fork();
            if (rank == 0) {
                sched_setaffinity(0, sizeof one.word, set);
                execl("/bin/sh", "sh", "-c", command, (char *)NULL);
                _exit(99);
            }
            waitpid(rank, &status, 0);
            _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 98);
        }
        waitpid(launcher, &status, 0);
        int want = launcher_bound ? 1 : cm_machine_job_cores();
        ok(WIFEXITED(status) && WEXITSTATUS(status) == want,
           "the job of a bound rank has %d cores when its launcher is %s", want,
           launcher_bound ? "bound" : "free");
    }
}

static void test_memory(void)
{
    int64_t total = cm_machine_memory_bytes(), available = cm_machine_memory_free_bytes();
    double kib = ask("awk '/^MemTotal:/ {print $2}' /proc/meminfo");
    ok_near((double)total, kib * 1024, 0, "memory as /proc/meminfo says");
    ok(available > 0 && available <= total, "some is free (%" PRId64 ")", available);

    struct rlimit space, tight;
    getrlimit(RLIMIT_AS, &space);
    tight = space;
    double used = ask("awk '/^VmSize:/ {printf \"%.0f\", $2 * 1024}' /proc/$PPID/status");
    tight.rlim_cur = (rlim_t)used + (64 << 20);
    if (*emulator()) tap_skip("ulimit -v counts", "the program is emulated");
    else if (setrlimit(RLIMIT_AS, &tight) == 0) {
        int64_t left = cm_machine_memory_free_bytes();
        ok_near((double)left, 64 << 20, 0.05, "ulimit -v counts");
        bool limited = false;
        left = cm_machine_memory_share_bytes(2, &limited);
        ok(limited && fabs((double)left / (64 << 20) - 1) <= 0.05, "for each of two processes");
        setrlimit(RLIMIT_AS, &space);
    }

    put("/proc/meminfo", "MemTotal:       16000000 kB\nMemFree:         1000000 kB\n"
                         "MemAvailable:   12000000 kB\n");
    ok(cm_machine_memory_total(fake) == 16000000LL * 1024, "MemTotal");
    ok(cm_machine_memory_available(fake) == 12000000LL * 1024, "MemAvailable");
    ok(cm_machine_memory_limit(fake) == 0, "no limit without control groups");
    put("/proc/meminfo", "MemTotal:       16000000 kB\nMemFree:         1000000 kB\n");
    ok(cm_machine_memory_available(fake) == 1000000LL * 1024, "MemFree on an old kernel");

    put("/proc/meminfo", "MemTotal:       16000000 kB\nMemAvailable:   12000000 kB\n");
    put("/proc/self/cgroup", "0::/job/step\n");
    put("/proc/self/mountinfo",
        "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n");
    put("/sys/fs/cgroup/job/memory.max", "4000000000\n");
    put("/sys/fs/cgroup/job/memory.current", "1000000000\n");
    put("/sys/fs/cgroup/job/memory.stat", "anon 600000000\ninactive_file 300000000\n");
    put("/sys/fs/cgroup/job/step/memory.max", "max\n");
    put("/sys/fs/cgroup/job/step/memory.current", "1000\n");
    ok(cm_machine_memory_limit(fake) == 4000000000LL, "version 2: the parent's limit counts");
    ok(cm_machine_memory_available(fake) == 3300000000LL, "limit - used + droppable files");
    put("/sys/fs/cgroup/job/step/memory.high", "2000000000\n");
    ok(cm_machine_memory_limit(fake) == 2000000000LL
           && cm_machine_memory_available(fake) == 1999999000LL,
       "memory.high counts");
    put("/sys/fs/cgroup/job/step/memory.current", "2500000000\n");
    ok(cm_machine_memory_available(fake) == 0, "over the limit nothing is left, not less");
    put("/sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
    ok(cm_machine_cgroup_cpu_quota(fake, NULL) == 0, "no processor quota");
    put("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
    uint64_t group, other;
    ok(cm_machine_cgroup_cpu_quota(fake, &group) == 1.5, "the parent's quota of one and a half");
    put("/sys/fs/cgroup/job/step/cpu.max", "50000 100000\n");
    ok(cm_machine_cgroup_cpu_quota(fake, &other) == 0.5 && group && other && group != other,
       "the least quota, and whose it is");
    put("/sys/fs/cgroup/job/step/cpu.max", "max 100000\n");
    put("/sys/fs/cgroup/job/step/cpuset.cpus.effective", "4-7\n");
    cm_machine_cpus set;
    ok(cm_machine_cgroup_cpuset(fake, &set) && cm_machine_cpus_count(&set) == 4
           && cm_machine_cpus_has(&set, 4),
       "the cpuset");
    erase();

    /* Version 1 in a container: the group's name begins with what is mounted. */
    put("/proc/meminfo", "MemTotal:       16000000 kB\nMemAvailable:   12000000 kB\n");
    put("/proc/self/cgroup", "4:cpu,cpuacct:/box/abc/inner\n3:memory:/box/abc/inner\n0::/\n");
    put("/proc/self/mountinfo",
        "29 23 0:25 /box/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct\n"
        "30 23 0:26 /box/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
        "31 23 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000000\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000000\n");
    put("/sys/fs/cgroup/memory/memory.stat", "inactive_file 7\ntotal_inactive_file 200000000\n");
    put("/sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/inner/memory.usage_in_bytes", "500000000\n");
    ok(cm_machine_memory_limit(fake) == 3000000000LL, "version 1: the limit above");
    ok(cm_machine_memory_available(fake) == 2200000000LL, "version 1: what is left of it");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    ok(cm_machine_memory_limit(fake) == 0, "version 1: its way to write none");
    put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    ok(cm_machine_cgroup_cpu_quota(fake, NULL) == 0, "version 1: -1 is no quota");
    put("/sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_quota_us", "400000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_period_us", "100000\n");
    ok(cm_machine_cgroup_cpu_quota(fake, NULL) == 4, "version 1: a quota of four");
    /* A group outside of what the namespace shows. */
    put("/proc/self/cgroup", "3:memory:/../../elsewhere\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000000000\n");
    ok(cm_machine_memory_limit(fake) == 3000000000LL, "a group out of sight: the mount's limit");
    erase();
}

static void interface(const char *name, const char *flags, const char *state, const char *mtu,
                      const char *speed)
{
    char path[200];
    snprintf(path, sizeof path, "/sys/class/net/%s/flags", name), put(path, "%s\n", flags);
    snprintf(path, sizeof path, "/sys/class/net/%s/operstate", name), put(path, "%s\n", state);
    snprintf(path, sizeof path, "/sys/class/net/%s/mtu", name), put(path, "%s\n", mtu);
    if (!speed) return;
    snprintf(path, sizeof path, "/sys/class/net/%s/speed", name), put(path, "%s\n", speed);
}

static void test_networks(void)
{
    char path[CM_MACHINE_PATH];
    said all = {0};
    interface("lo", "0x9", "unknown", "65536", NULL);
    interface("veth1", "0x1003", "up", "1500", "10000");
    interface("eth9", "0x1002", "down", "1500", "1000");
    interface("eth8", "0x1003", "down", "1500", "-1");
    interface("eth0", "0x1003", "up", "9000", "-1");
    snprintf(path, sizeof path, "%s/sys/class/net/eth0/device", fake);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/sys/class/net/eth0/device/driver", fake);
    ok(symlink("../../../bus/pci/drivers/e1000e", path) == 0, "a made-up driver");
    put("/sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n");
    put("/sys/class/infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)\n");
    put("/sys/class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n");
    put("/sys/class/infiniband/mlx5_0/ports/2/state", "1: DOWN\n");
    cm_machine_describe_networks(fake, keep, &all);
    ok_text(value_of(&all, "nic", 0), "eth0 driver=e1000e mtu_bytes=9000", "no speed known");
    ok_text(value_of(&all, "nic", 1), "lo mtu_bytes=65536", "loopback");
    ok_text(value_of(&all, "nic", 2), "veth1 mtu_bytes=1500 speed_Mbit_per_s=10000", "a speed");
    ok(value_of(&all, "nic", 3) == NULL, "what is down, or has no carrier, is left out");
    ok_text(value_of(&all, "infiniband", 0), "mlx5_0/1 rate=100 Gb/sec (4X EDR) link=InfiniBand",
            "an InfiniBand port");
    ok(value_of(&all, "infiniband", 1) == NULL, "a port that is down is left out");
    forget(&all);
    erase();

    cm_machine_describe_networks("", keep, &all);
    double mtu = ask("cat /sys/class/net/lo/mtu 2>/dev/null");
    double up = ask("cat /sys/class/net/lo/flags 2>/dev/null | grep -c '[13579bdf]$'");
    bool found = false;
    char want[64];
    snprintf(want, sizeof want, "mtu_bytes=%.0f", mtu);
    for (int i = 0; value_of(&all, "nic", i); i++) {
        const char *nic = value_of(&all, "nic", i);
        if (strncmp(nic, "lo ", 3) == 0 && strstr(nic, want)) found = true;
    }
    if (up == 1) ok(found, "this machine's loopback with its MTU (%s)", want);
    else tap_skip("this machine's loopback", "it is down");
    forget(&all);
}

static void test_kernel(void)
{
    said all = {0};
    put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    put("/proc/sys/net/ipv4/tcp_congestion_control", "cubic\n");
    put("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
    put("/run/.containerenv", "\n");
    int n = 0;
    const cm_machine_cpus *may = &cm_machine_this()->may_run;
    for (int cpu = cm_machine_cpus_next(may, -1); cpu >= 0; cpu = cm_machine_cpus_next(may, cpu)) {
        char path[200];
        snprintf(path, sizeof path, CPU "cpu%d/cpufreq/scaling_governor", cpu);
        put(path, "%s\n", n++ == 1 ? "powersave" : "performance");
    }
    cm_machine_describe_kernel(fake, keep, &all);
    ok_text(value_of(&all, "huge_pages", 0), "madvise", "the word in brackets");
    ok_text(value_of(&all, "congestion_control", 0), "cubic", "congestion control");
    ok_text(value_of(&all, "clock_source", 0), "hpet", "clock source");
    ok_text(value_of(&all, "container", 0), "podman", "container");
    ok_text(value_of(&all, "governor", 0), n > 1 ? "performance,powersave" : "performance",
            "each governor once");
    forget(&all);
    erase();
    cm_machine_describe_kernel(fake, keep, &all);
    ok(!value_of(&all, "huge_pages", 0) && !value_of(&all, "governor", 0)
           && !value_of(&all, "container", 0) && !value_of(&all, "clock_source", 0),
       "what is not known is left out");
    forget(&all);

    put("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n");
    cm_machine_describe_processor(fake, keep, &all);
    ok_text(value_of(&all, "cpu", 0), "implementer 0x41 part 0xd0c", "an ARM processor");
    forget(&all);
    put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: A Processor @ 2.3 GHz\n");
    cm_machine_describe_processor(fake, keep, &all);
    ok_text(value_of(&all, "cpu", 0), "A Processor @ 2.3 GHz", "an x86 processor");
    forget(&all);
    erase();
}

/* ---- what hardware can do at most ------------------------------------------------------------ */

static void put_x86(const char *vendor, int family, int model, const char *name, const char *flags,
                    int MHz)
{
    erase();
    put("/proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: %s\ncpu family\t: %d\nmodel\t\t: %d\n"
        "model name\t: %s\nflags\t\t: fpu %s\n",
        vendor, family, model, name, flags);
    put(CPU "cpu0/cpufreq/cpuinfo_max_freq", "%d000\n", MHz);
}

/* The peaks that the makers and the TOP500 state for whole processors. */
static void test_peak(void)
{
    static const struct {
        const char *vendor, *name, *flags;
        int family, model, MHz, cores;
        double Gflop_per_s;
    } x86[] = {
        /* AMD, "EPYC 9004 Series Processors": 3.69 Tflop/s at the base clock. */
        {"AuthenticAMD", "AMD EPYC 9654 96-Core Processor", "fma avx2 avx512f", 25, 17, 2400, 96,
         3686.4},
        /* Intel, "APP Metrics": Xeon Platinum 8280, 2419.2 Gflop/s. */
        {"GenuineIntel", "Intel(R) Xeon(R) Platinum 8280 CPU @ 2.70GHz", "fma avx2 avx512f", 6, 85,
         2700, 28, 2419.2},
        /* The same where the hypervisor hides AVX-512. */
        {"GenuineIntel", "Intel(R) Xeon(R) Platinum 8280 CPU @ 2.70GHz", "fma avx2", 6, 85, 2700,
         28, 1209.6},
        /* TOP500, Shaheen II: 7,235 Tflop/s of 196,608 cores of Xeon E5-2698v3. */
        {"GenuineIntel", "Intel(R) Xeon(R) CPU E5-2698 v3 @ 2.30GHz", "fma avx2", 6, 63, 2300,
         196608, 7235174.4},
    };
    said all = {0};
    for (size_t k = 0; k < sizeof x86 / sizeof x86[0]; k++) {
        put_x86(x86[k].vendor, x86[k].family, x86[k].model, x86[k].name, x86[k].flags, x86[k].MHz);
        cm_machine_describe_peak(fake, keep, &all);
        const char *peak = value_of(&all, "core_peak_flop_per_s", 0);
        ok_near(peak ? 1e-9 * x86[k].cores * atof(peak) : 0, x86[k].Gflop_per_s, 1e-3, x86[k].name);
        forget(&all);
    }
    erase();
    put("/proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x46\nCPU part\t: 0x001\n");
    put(CPU "cpu0/cpufreq/cpuinfo_max_freq", "2200000\n");
    cm_machine_describe_peak(fake, keep, &all);
    /* TOP500, Fugaku: 537,212 Tflop/s of 7,630,848 cores of A64FX. */
    ok_near(1e-9 * 7630848 * atof(value_of(&all, "core_peak_flop_per_s", 0)), 537212e3, 1e-3,
            "A64FX");
    ok_text(value_of(&all, "core_clock_from", 0), "the highest that cpufreq allows", "its clock");
    forget(&all);

    put_x86("GenuineIntel", 6, 23, "Core 2, which has no FMA", "sse2", 2000);
    cm_machine_describe_peak(fake, keep, &all);
    ok(all.n == 0, "no FMA, no peak");
    forget(&all);
    put_x86("GenuineIntel", 99, 1, "not made yet", "fma avx2 avx512f", 2000);
    cm_machine_describe_peak(fake, keep, &all);
    ok(all.n == 0, "a processor that is not in the table has none");
    forget(&all);
    put_x86("AuthenticAMD", 25, 1, "without cpufreq", "fma avx2", 2000);
    erase();
    put("/proc/cpuinfo", "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n"
                         "flags\t\t: fma\n");
    cm_machine_describe_peak(fake, keep, &all);
    ok(value_of(&all, "fma_units", 0) && !value_of(&all, "core_peak_flop_per_s", 0),
       "nor has one whose clock is not known");
    forget(&all);
    erase();
}

/* Peaks from rates that were made up, on a Zen 3, which has two units of 256 bits. */
static void test_measured_peak(void)
{
    static const struct {
        const char *what, *flags;
        double flop_per_cycle; /* of avx2, double precision */
        const char *units, *from;
        double peak_flop_per_cycle;
    } all_of[] = {
        {"all units", "fma", 15.7, "2", "measured", 16},
        {"units that are shared", "fma", 8.01, "2", "a table", 16},
        {"more units than the table has", "fma", 24.1, "3", "measured", 24.1},
        {"half a unit", "fma", 3.9, "2", "a table", 16},
        {"a processor that the table does not have", "", 16, "2", "measured", 16},
        {"and whose units are shared", "", 10.4, NULL, NULL, 10.4},
    };
    said all = {0};
    for (size_t k = 0; k < sizeof all_of / sizeof all_of[0]; k++) {
        const double flop = all_of[k].flop_per_cycle;
        const cm_fma_rate rate[] = {{"sse2", 128, false, {4e9, 8e9}, 1e9},
                                    {"avx2", 256, true, {flop * 3e9, 2.1 * flop * 3e9}, 3e9}};
        put_x86("AuthenticAMD", 25, 1, "AMD EPYC", all_of[k].flags, 4000);
        cm_machine_describe_peak_of(fake, rate, 2, keep, &all);
        const char *from = value_of(&all, "fma_units_from", 0);
        const char *units = value_of(&all, "fma_units", 0);
        ok(all_of[k].units ? units && strcmp(units, all_of[k].units) == 0
                                 && strncmp(from, all_of[k].from, strlen(all_of[k].from)) == 0
                           : !units && !from,
           "%s: %s units, %s", all_of[k].what, units ? units : "no", from ? from : "not known");
        ok_near(atof(value_of(&all, "core_peak_flop_per_s", 0)),
                3e9 * all_of[k].peak_flop_per_cycle, 1e-3, "their peak, of the measured clock");
        ok(atof(value_of(&all, "core_single_peak_flop_per_s", 0)) >= 2.09 * flop * 3e9,
           "no rate exceeds that of single precision");
        ok_text(value_of(&all, "fma_set", 0), "avx2", "the set");
        forget(&all);
        erase();
    }
    const cm_fma_rate old[] = {{"sse2", 128, false, {7.6e9, 15.2e9}, 2e9}};
    put_x86("GenuineIntel", 6, 23, "Core 2, which has no FMA", "sse2", 2000);
    cm_machine_describe_peak_of(fake, old, 1, keep, &all);
    ok(!value_of(&all, "fma_units", 0), "no FMA, no units");
    ok_text(value_of(&all, "core_peak_flop_per_s", 0), "7.6e+09", "but a peak that was measured");
    ok_text(value_of(&all, "flop_per_cycle", 0), "sse2 3.8 7.6", "its rates in a cycle");
    forget(&all);
    erase();
    cm_fma_rate rate[] = {{"avx2", 256, true, {48e9, 96e9}, 3e9},
                          {"avx512", 512, true, {47.5e9, 95e9}, 3e9}};
    ok(cm_machine_fma_best(rate, 2) == 1, "of equal sets the wider one counts");
    rate[1].flop_per_s[CM_FMA_DOUBLE] = 40e9;
    ok(cm_machine_fma_best(rate, 2) == 0, "of others the faster one");
}

/* A measured clock is between what any processor of today has. */
static void test_clock(void)
{
    said all = {0};
    cm_machine_describe_peak("", keep, &all);
    const char *hz = value_of(&all, "core_clock_hz", 0);
    if (*emulator()) tap_skip("the clock here", "it is emulated");
    else if (hz) ok(atof(hz) > 2e8 && atof(hz) < 2e10, "the clock here, %s Hz", hz);
    else tap_skip("the clock here", "this processor's vectors are not known");
    /* What is reached is less than what is possible, whatever else runs. */
    const char *reached = value_of(&all, "fma_flop_per_s", 0);
    const char *peak = value_of(&all, "core_peak_flop_per_s", 0);
    if (reached)
        ok(atof(reached) > 0 && peak && atof(peak) >= atof(reached) * (1 - 1e-4),
           "%s flop/s between registers, of %s", reached, peak);
    else tap_skip("FMAs between registers", "this processor has none");
    forget(&all);
}

static void put_module(int module, int megabytes, int bits, int transfers)
{
    unsigned char t[0x28] = {17, sizeof t};
    char name[64];
    t[0x0a] = (unsigned char)bits;
    t[0x0c] = (unsigned char)megabytes;
    t[0x0d] = (unsigned char)(megabytes >> 8);
    t[0x15] = t[0x20] = (unsigned char)transfers;
    t[0x16] = t[0x21] = (unsigned char)(transfers >> 8);
    snprintf(name, sizeof name, "/sys/firmware/dmi/entries/17-%d/raw", module);
    put(name, "x");
    char path[CM_MACHINE_PATH];
    snprintf(path, sizeof path, "%s%s", fake, name);
    FILE *file = fopen(path, "w");
    fwrite(t, 1, sizeof t, file);
    fclose(file);
}

static void put_channel(int controller, int module, int channel, int slot)
{
    char path[128];
    snprintf(path, sizeof path, "/sys/devices/system/edac/mc/mc%d/dimm%d/", controller, module);
    char size[192], place[192];
    snprintf(size, sizeof size, "%ssize", path);
    snprintf(place, sizeof place, "%sdimm_location", path);
    put(size, "16384\n");
    put(place, "channel %d slot %d \n", channel, slot);
}

static void test_channels(void)
{
    said all = {0};
    erase();
    /* Two controllers of two channels; one channel has two modules. */
    put_channel(0, 0, 0, 0);
    put_channel(0, 1, 0, 1);
    put_channel(0, 2, 1, 0);
    put_channel(1, 0, 0, 0);
    put_channel(1, 1, 1, 0);
    cm_machine_describe_channels(fake, keep, &all);
    ok_text(value_of(&all, "memory_channels", 0), "4", "channels with modules");
    ok(!value_of(&all, "memory_peak_bytes_per_s", 0), "their rate is for root alone");
    forget(&all);
    put_module(0, 16384, 64, 3200);
    put_module(1, 0, 0, 0);
    put_module(2, 16384, 64, 3200);
    cm_machine_describe_channels(fake, keep, &all);
    /* DDR4-3200 is PC4-25600: 25.6 GB/s a channel. */
    ok_text(value_of(&all, "memory_peak_bytes_per_s", 0), "1.024e+11",
            "four channels of DDR4-3200");
    forget(&all);
    put_module(3, 16384, 64, 2933);
    cm_machine_describe_channels(fake, keep, &all);
    ok_text(value_of(&all, "memory_peak_bytes_per_s", 0), "9.3856e+10",
            "all are as slow as the slowest");
    forget(&all);
    put_module(4, 16384, 64, 0);
    cm_machine_describe_channels(fake, keep, &all);
    ok(!value_of(&all, "memory_peak_bytes_per_s", 0), "a module of unknown speed");
    forget(&all);
    erase();
    cm_machine_describe_channels(fake, keep, &all);
    ok(all.n == 0, "no controllers");
    forget(&all);
}

static void test_inventory(void)
{
    said all = {0};
    put("/proc/cpuinfo", "processor\t: 0\nmicrocode\t: 0xd0003a5\n");
    put("/proc/meminfo", "MemTotal: 8 kB\nSwapTotal: 2048 kB\nHugePages_Total:     512\n");
    put("/sys/devices/system/cpu/smt/control", "off\n");
    put("/sys/devices/system/node/online", "0,2\n");
    put("/sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:       1000 kB\n");
    put("/sys/devices/system/node/node2/meminfo", "Node 2 MemTotal:       2000 kB\n");
    cm_machine_inventory_of(fake, keep, &all);
    ok_text(value_of(&all, "microcode", 0), "0xd0003a5", "microcode");
    ok_text(value_of(&all, "smt", 0), "off", "SMT");
    ok_text(value_of(&all, "numa0_memory_bytes", 0), "1024000", "memory of node 0");
    ok_text(value_of(&all, "numa2_memory_bytes", 0), "2048000", "memory of node 2");
    ok_text(value_of(&all, "huge_pages_reserved", 0), "512", "huge pages that are set aside");
    ok_text(value_of(&all, "swap_bytes", 0), "2097152", "swap space");
    forget(&all);
    erase();
    cm_machine_inventory_of(fake, keep, &all);
    ok(!value_of(&all, "microcode", 0) && !value_of(&all, "swap_bytes", 0),
       "and nothing where nothing is known");
    forget(&all);
    cm_machine_inventory(keep, &all);
    struct rlimit files;
    char want[64];
    getrlimit(RLIMIT_NOFILE, &files);
    snprintf(want, sizeof want, "%llu", (unsigned long long)files.rlim_cur);
    if (files.rlim_cur == RLIM_INFINITY) strcpy(want, "unlimited");
    ok_text(value_of(&all, "limit_open_files", 0), want, "the limit of open files");
    forget(&all);
}

static void test_describe(void)
{
    said all = {0};
    struct utsname names;
    char text[400];
    cm_machine_describe(keep, &all);
    uname(&names);
    snprintf(text, sizeof text, "%s %s %s", names.sysname, names.release, names.machine);
    ok_text(value_of(&all, "kernel", 0), text, "the kernel as uname says");
    ok_text(value_of(&all, "host", 0), names.nodename, "the host as uname says");
    const char *const always[] = {"cores",        "threads",           "binding",
                                  "memory_bytes", "memory_free_bytes", "clock_resolution_s",
                                  "clock_cost_s"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) {
        const char *value = value_of(&all, always[i], 0);
        ok(value && (strcmp(always[i], "binding") == 0 || atof(value) > 0), "%s: %s", always[i],
           value ? value : "(none)");
    }
    bool tidy = true;
    for (int i = 0; i < all.n; i++) {
        tidy &= all.value[i][0] != '\0' && !strpbrk(all.value[i], "\n\r\t");
        tidy &= strspn(all.key[i], "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(all.key[i]);
    }
    ok(tidy, "keys in lower snake case, values of one line");
    const char *tsc = value_of(&all, "tsc_hz", 0);
    double half_bogomips = ask("awk '/^bogomips/ {print $3 / 2; exit}' /proc/cpuinfo");
    if (tsc && half_bogomips > 0 && ask("grep -c constant_tsc /proc/cpuinfo") > 0)
        ok_near(atof(tsc), half_bogomips * 1e6, 1e-2, "the counter's rate is half the bogomips");
    else tap_skip("the counter's rate", "not known here");
    forget(&all);
}

static void test_instructions(void)
{
    char flags[8192] = " ";
    bool present;
    ok(cm_machine_instruction_set(cm_machine_instruction_sets, &present) == NULL, "the list ends");
    cm_machine_require_cpu("unit_machine");
    ok(true, "this processor can run what was built here");
#if defined(__x86_64__)
    if (!cm_machine_file_field("", "/proc/cpuinfo", "flags", flags + 1, sizeof flags - 2)) {
        tap_skip("instruction sets as the kernel says", "no flags in /proc/cpuinfo");
        return;
    }
    strcat(flags, " ");
    for (size_t i = 0; i < cm_machine_instruction_sets; i++) {
        const char *name = cm_machine_instruction_set(i, &present), *kernel = name;
        char word[64];
        if (strcmp(name, "sse3") == 0) kernel = "pni";
        if (strcmp(name, "lzcnt") == 0) kernel = "abm";
        snprintf(word, sizeof word, " %s ", kernel);
        /* The kernel has no names for processors that are newer than itself. */
        if (present && !strstr(flags, word) && strncmp(name, "avx_", 4) == 0) continue;
        ok(present == (strstr(flags, word) != NULL), "%s: %s, as the kernel says", name,
           present ? "yes" : "no");
        if (cm_machine_built_for[i]) ok(present, "%s: built for and there", name);
    }
    ok(cm_machine_built_for[0] == 1, "x86-64 always has sse2");
#else
    (void)flags;
    tap_skip("instruction sets as the kernel says", "not an x86 processor");
#endif
}

static void test_interface(void)
{
    cm_machine_interface lo;
    char why[512] = "";
    if (ask("grep -c '' /sys/class/net/lo/ifindex") < 1) {
        tap_skip("addresses of interfaces", "there is no lo");
        return;
    }
    ok(cm_machine_interface_choose("lo", AF_INET, &lo, why, sizeof why) == 0
           && strcmp(lo.name, "lo") == 0 && lo.address.ss_family == AF_INET,
       "an interface by its name");
    ok(strncmp(lo.text, "127.", 4) == 0, "its address of the family");
    ok(cm_machine_interface_choose(lo.text, AF_UNSPEC, &lo, why, sizeof why) == 0
           && strcmp(lo.name, "lo") == 0,
       "an interface by its address");
    ok(cm_machine_interface_choose(lo.text, AF_INET6, &lo, why, sizeof why) == 2
           && strstr(why, "IPv6"),
       "an address of the other family is none");
    why[0] = 0;
    ok(cm_machine_interface_choose("no-such", AF_UNSPEC, &lo, why, sizeof why) == 2
           && strstr(why, "expected one of: ") && strstr(why, "lo"),
       "one that does not exist: what there is");
    ok(cm_machine_interface_mtu_bytes("lo") == ask("cat /sys/class/net/lo/mtu"), "its MTU");
    ok(cm_machine_interface_mtu_bytes("no-such") == 0, "the MTU of none is not known");
}

static cm_machine_interface of_speed(const char *name, double Gbit_per_s)
{
    cm_machine_interface one = {.speed_bits_per_s =
                                    Gbit_per_s < 0 ? -1 : (int64_t)(1e9 * Gbit_per_s)};
    snprintf(one.name, sizeof one.name, "%s", name);
    return one;
}

/* The order of names after sorting: "a b c". */
static bool sorted_as(cm_machine_interface *list, int n, const char *want)
{
    char names[128] = "";
    cm_machine_interface_sort(list, n);
    for (int i = 0; i < n; i++) {
        if (i) strcat(names, " ");
        strcat(names, list[i].name);
    }
    if (strcmp(names, want) != 0) printf("# %s\n", names);
    return strcmp(names, want) == 0;
}

static struct sockaddr_storage address_of(const char *text)
{
    struct sockaddr_storage address = {.ss_family = strchr(text, ':') ? AF_INET6 : AF_INET};
    inet_pton(address.ss_family, text,
              address.ss_family == AF_INET6 ? (void *)&((struct sockaddr_in6 *)&address)->sin6_addr
                                            : (void *)&((struct sockaddr_in *)&address)->sin_addr);
    return address;
}

static bool reaches(const char *own, int bits, const char *other)
{
    const cm_machine_interface one = {.address = address_of(own), .network_bits = bits};
    const struct sockaddr_storage there = address_of(other);
    return cm_machine_interface_reaches(&one, &there);
}

static void test_interface_order(void)
{
    cm_machine_interface service[] = {of_speed("eno1", 1), of_speed("ens2", 25),
                                      of_speed("ib0", 200)};
    cm_machine_interface equal[] = {of_speed("eth0", 10), of_speed("eth1", 10),
                                    of_speed("eth2", 25)};
    cm_machine_interface unknown[] = {of_speed("eth0", -1), of_speed("eth1", 1),
                                      of_speed("eth2", 100)};
    ok(sorted_as(service, 3, "ib0 ens2 eno1"), "the fastest interface is the first");
    ok(sorted_as(equal, 3, "eth2 eth0 eth1"), "equal ones stay in the kernel's order");
    ok(sorted_as(unknown, 3, "eth0 eth2 eth1"), "one of unknown speed keeps its place");
    ok(reaches("10.77.0.1", 24, "10.77.0.200") && !reaches("10.77.0.1", 24, "10.77.1.1"),
       "a network of 24 bits");
    ok(reaches("10.77.128.1", 17, "10.77.255.1") && !reaches("10.77.128.1", 17, "10.77.127.1"),
       "a network of 17 bits");
    ok(reaches("192.0.2.1", 32, "192.0.2.1") && !reaches("192.0.2.1", 32, "192.0.2.0"),
       "a network of one address");
    ok(reaches("10.0.0.1", 0, "192.0.2.1"), "a network of all addresses");
    ok(reaches("fd00:1::1", 64, "fd00:1::2:3") && !reaches("fd00:1::1", 64, "fd00:2::1"),
       "a network of IPv6");
    ok(!reaches("10.0.0.1", 0, "fd00::1"), "the other family is in none");
}

static void test_interface_list(void)
{
    cm_machine_interface list[8];
    char why[512] = "";
    int n = -1;
    ok(cm_machine_interface_list("no-such,127.0.0.0/8", AF_UNSPEC, list, 8, &n, why, sizeof why)
               == 0
           && n >= 1 && strcmp(list[0].name, "lo") == 0,
       "a network; what there is not is left out");
    ok(cm_machine_interface_list("lo,127.0.0.0/8", AF_INET, list, 8, &n, why, sizeof why) == 0
           && n == 1,
       "an address that two words have is there once");
    static const char *const wrong[] = {
        "",       "lo,", "127.0.0.0/33",         "127.0.0/8", "127.0.0.0/x",
        "::/129", "/8",  "127.0.0.0/4294967304", "lo, eth0"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        ok(cm_machine_interface_list(wrong[k], AF_UNSPEC, list, 8, &n, why, sizeof why) == 2
               && n == 0 && strstr(why, "a network like 10.77.0.0/16"),
           "refused: \"%s\"", wrong[k]);
}

/* Two sockets of two nodes each; node 3 has processors and no memory. */
static void test_numa(void)
{
    erase();
    ok(cm_machine_numa_farthest_of(fake, 0) == -1, "numa: a machine that says nothing");
    put("/sys/devices/system/node/online", "0-3\n");
    put("/sys/devices/system/node/has_memory", "0-2\n");
    put("/sys/devices/system/node/node0/distance", "10 12 32 32\n");
    put("/sys/devices/system/node/node1/distance", "12 10 32 32\n");
    put("/sys/devices/system/node/node2/distance", "32 32 10 12\n");
    ok(cm_machine_numa_farthest_of(fake, 0) == 2, "numa: the other socket's node with memory");
    ok(cm_machine_numa_farthest_of(fake, 2) == 0, "numa: of equally far nodes the next one, round");
    put("/sys/devices/system/node/has_memory", "0-3\n");
    put("/sys/devices/system/node/node1/distance", "32 10 32 32\n");
    ok(cm_machine_numa_farthest_of(fake, 1) == 2, "numa: of equally far nodes the next one");
    put("/sys/devices/system/node/online", "0,2\n");
    put("/sys/devices/system/node/node0/distance", "10 20\n");
    ok(cm_machine_numa_farthest_of(fake, 0) == 2, "numa: nodes that are not numbered in a row");
    put("/sys/devices/system/node/has_memory", "0\n");
    ok(cm_machine_numa_farthest_of(fake, 0) == -1, "numa: no other node has memory");
    put("/sys/devices/system/node/online", "0,8,255\n");
    put("/sys/devices/system/node/has_memory", "0,8,255\n");
    put("/sys/devices/system/node/has_cpu", "0,8\n");
    put("/sys/devices/system/node/node0/distance", "10 40 80\n");
    ok(cm_machine_numa_farthest_of(fake, 0) == 8, "numa: a GPU's memory is not the far socket");
    put("/sys/devices/system/node/has_cpu", "0\n");
    ok(cm_machine_numa_farthest_of(fake, 0) == 255, "numa: unless no other node has processors");
    erase();
}

/* Returns true if these are the farthest nodes of n nodes, of which those with the same socket_of
   are 12 apart, and others 32. */
static bool farthest_are(int n, const int *socket_of, const int *farthest)
{
    bool all = true;
    put("/sys/devices/system/node/online", "0-%d\n", n - 1);
    put("/sys/devices/system/node/has_memory", "0-%d\n", n - 1);
    for (int node = 0; node < n; node++) {
        char path[64], distances[256] = "";
        snprintf(path, sizeof path, "/sys/devices/system/node/node%d/distance", node);
        for (int to = 0; to < n; to++)
            strcat(distances, to == node                         ? "10 "
                              : socket_of[to] == socket_of[node] ? "12 "
                                                                 : "32 ");
        put(path, "%s\n", distances);
    }
    for (int node = 0; node < n; node++) {
        const int found = cm_machine_numa_farthest_of(fake, node);
        if (found != farthest[node]) printf("# node %d: %d\n", node, found);
        all = all && found == farthest[node];
    }
    erase();
    return all;
}

/* All nodes must be used, whichever processors stream. */
static void test_numa_in_turn(void)
{
    ok(farthest_are(8, (int[]){0, 0, 0, 0, 1, 1, 1, 1}, (int[]){4, 5, 6, 7, 0, 1, 2, 3}),
       "numa: two sockets of four nodes");
    ok(farthest_are(4, (int[]){0, 1, 0, 1}, (int[]){1, 2, 3, 0}),
       "numa: two sockets whose nodes are numbered in turn");
    ok(farthest_are(6, (int[]){0, 0, 1, 1, 2, 2}, (int[]){2, 3, 4, 5, 0, 1}),
       "numa: three sockets of two nodes");
    ok(farthest_are(4, (int[]){0, 1, 2, 3}, (int[]){1, 2, 3, 0}), "numa: four sockets of one node");
}

/* A job that its cpuset lets take memory of some nodes has only theirs. */
static void test_memory_of_nodes(void)
{
    put("/proc/meminfo", "MemTotal:       16000000 kB\nMemAvailable:   12000000 kB\n");
    put("/sys/devices/system/node/has_memory", "0-1\n");
    put("/sys/devices/system/node/node0/meminfo",
        "Node 0 MemTotal:        8000000 kB\nNode 0 MemFree:         5000000 kB\n"
        "Node 0 Active(file):     300000 kB\nNode 0 Inactive(file):   700000 kB\n");
    put("/proc/self/status", "Name:\tx\nMems_allowed:\t1\nMems_allowed_list:\t0\n");
    ok(cm_machine_memory_available(fake) == 6000000LL * 1024, "one of two nodes is allowed");
    put("/proc/self/status", "Mems_allowed_list:\t0-1023\n");
    ok(cm_machine_memory_available(fake) == 12000000LL * 1024, "all nodes are allowed");
    put("/proc/self/status", "Mems_allowed_list:\t1\n");
    ok(cm_machine_memory_available(fake) == 12000000LL * 1024, "a node that says nothing");
    put("/sys/devices/system/node/has_memory", "0\n");
    put("/proc/self/status", "Mems_allowed_list:\t0\n");
    ok(cm_machine_memory_available(fake) == 12000000LL * 1024, "the only node with memory");
    erase();
}

/* A socket of two channels (Intel), two sockets of one channel each (AMD). */
static void test_traffic(void)
{
    cm_machine_traffic t;
    erase();
    cm_machine_traffic_find(fake, &t);
    ok(t.n == 0 && strstr(t.said, "no counters"), "traffic: a machine without counters");
    cm_machine_traffic_open(&t);
    ok(cm_machine_traffic_bytes(&t) < 0, "traffic: nothing is counted");
#define PMU "/sys/bus/event_source/devices/"
    for (int k = 0; k < 2; k++) {
        char path[128];
#define IMC(file, text)                                        \
    snprintf(path, sizeof path, PMU "uncore_imc_%d/" file, k); \
    put(path, "%s\n", text)
        IMC("type", k ? "14" : "13");
        IMC("cpumask", "0");
        IMC("format/event", "config:0-7");
        IMC("format/umask", "config:8-15");
        IMC("events/cas_count_read", "event=0x04,umask=0x03");
        IMC("events/cas_count_read.scale", "6.103515625e-5");
        IMC("events/cas_count_read.unit", "MiB");
        IMC("events/cas_count_write", "event=0x04,umask=0x0c");
        IMC("events/cas_count_write.scale", "6.103515625e-5");
        IMC("events/cas_count_write.unit", "MiB");
    }
    cm_machine_traffic_find(fake, &t);
    ok(t.n == 4 && strcmp(t.said, "uncore_imc, 4 events") == 0, "traffic: Intel, %s", t.said);
    ok(t.event[0].type == 13 && t.event[0].config == 0x304 && t.event[1].config == 0xc04
           && t.event[3].type == 14 && t.event[0].cpu == 0,
       "traffic: the events of both channels");
    ok_near(t.event[2].bytes, 64, 1e-12, "traffic: a count is a line");
    put(PMU "uncore_imc_0/format/umask", "config1:8-15\n");
    cm_machine_traffic_find(fake, &t);
    ok(t.n == 2, "traffic: an event in a format that is not known is left out");
    erase();
    put(PMU "amd_umc_0/type", "20\n");
    put(PMU "amd_umc_0/cpumask", "0,96\n");
    put(PMU "amd_umc_0/format/event", "config:0-7\n");
    put(PMU "amd_umc_0/format/rdwrmask", "config:8-9\n");
    cm_machine_traffic_find(fake, &t);
    ok(t.n == 4 && t.event[0].config == 0x10a && t.event[2].config == 0x20a && t.event[1].cpu == 96
           && t.event[1].bytes == 64,
       "traffic: AMD, reads and writes of both sockets");
    /* No kernel has this type. */
    for (size_t k = 0; k < t.n; k++) t.event[k].type = 0x7ffffff0;
    cm_machine_traffic_open(&t);
    ok(t.n == 0 && strncmp(t.said, "not readable: ", 14) == 0, "traffic: refused, %s", t.said);
    erase();
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--job-cores") == 0) return cm_machine_job_cores();
    if (argc == 2 && strcmp(argv[1], "--others") == 0) return bind_others();
    if (!mkdtemp(fake)) {
        printf("Bail out! no temporary folder: %s\n", strerror(errno));
        return 99;
    }
    test_cpus();
    test_fake_topology();
    test_topology();
    test_little_told();
    test_bind();
    test_bind_others();
    test_job_cores();
    test_memory();
    test_memory_of_nodes();
    test_networks();
    test_interface();
    test_interface_order();
    test_interface_list();
    test_kernel();
    test_peak();
    test_measured_peak();
    test_clock();
    test_channels();
    test_numa();
    test_numa_in_turn();
    test_traffic();
    test_inventory();
    test_describe();
    test_instructions();
    erase();
    test_watch();
    erase();
    rmdir(fake);
    return tap_done();
}

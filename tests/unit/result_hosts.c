/* SPDX-License-Identifier: BSD-3-Clause */
/* result_hosts.c: what differs between made-up hosts, by src/result. */
#include <config.h>
#include <stdlib.h>
#ifdef HAVE_JANSSON
#include <jansson.h>
#endif
#include "comm/comm.h"
#include "result/result_internal.h"
#include "tap.h"

enum { MOST = 70 };
static const cm_metric metrics[] = {{"m", "M", "s", CM_BETTER_LOW, "a metric"}, {0}};
static const cm_program program = {.name = "cm-test", .purpose = "test", .metrics = metrics};
static char *words[] = {"cm-test"};

/* Hosts node1, node2, ..., whose descriptions are said below, and what cm_result_meta_run says. */
static char *description[MOST + 1];
static cm_result *result;

static void say(int host, const char *lines)
{
    char *longer = NULL;
    if (asprintf(&longer, "%s%s", description[host] ? description[host] : "", lines) < 0) exit(99);
    free(description[host]);
    description[host] = longer;
}

static void say_all(int n, const char *lines)
{
    for (int host = 0; host < n; host++) say(host, lines);
}

/* With two ranks on each host. Its output is lines of comments in TAP. */
static void compare(int n)
{
    static char name[MOST][16];
    const char *hosts[2 * MOST];
    for (int host = 0; host < n; host++) {
        snprintf(name[host], sizeof name[host], "node%d", host + 1);
        hosts[host] = hosts[n + host] = name[host];
    }
    const cm_result_files files = {0};
    result = cm_result_open(&program, 1, words, &files, NULL, 0);
    cm_result_describe_hosts(result, (const char *const *)description);
    cm_result_meta_run(result, NULL, hosts, 2 * (size_t)n);
}

/* The k-th line hosts_differ, NULL: there are no more. */
static const char *differ(int k)
{
    for (size_t i = 0; i < result->record.n_meta; i++)
        if (strcmp(result->record.meta[i].key, "hosts_differ") == 0 && k-- == 0)
            return result->record.meta[i].value;
    return NULL;
}

static void forget(void)
{
    cm_result_metric(result, true, "m", cm_quantity_of(1));
    cm_result_close(result);
    for (int host = 0; host <= MOST; host++) {
        free(description[host]);
        description[host] = NULL;
    }
}

static const char same[] = "cpu: A Processor @ 2 GHz\n"
                           "clock_source: tsc\n"
                           "nic: eth0 driver=mlx5_core mtu_bytes=9000\n";

static void test_few(void)
{
    say_all(1, same);
    compare(1);
    ok(!differ(0) && result->hosts.n == 1, "one host");
    forget();

    say_all(2, same);
    say(0, "host: node1\nmemory_free_bytes: 1\nclock_cost_s: 1e-8\nclock_resolution_s: 1e-9\n");
    say(1, "host: node2\nmemory_free_bytes: 2\nclock_cost_s: 2e-8\nclock_resolution_s: 2e-9\n");
    compare(2);
    ok(!differ(0), "two hosts that differ in what always does");
    ok(result->hosts.n == 2 && result->hosts.host[1].ranks == 2
           && strcmp(result->hosts.host[1].name, "node2") == 0,
       "their names and ranks");
    forget();

    say_all(2, "cores: 8\nkernel: Linux 6.1\nnic: eth0 mtu_bytes=9000\n");
    free(description[1]);
    description[1] = strdup("cores: 8\nkernel: Linux 6.2\ngovernor: powersave\n"
                            "nic: eth0 mtu_bytes=1500\nnic: eth0 mtu_bytes=1500\n");
    compare(2);
    ok_text(differ(0), "kernel: Linux 6.1 (node1); Linux 6.2 (node2)", "two kernels");
    ok_text(differ(1), "nic eth0 mtu_bytes: 9000 (node1); 1500 (node2)", "a field of an interface");
    ok_text(differ(2), "governor: not given (node1); powersave (node2)", "a key that one lacks");
    ok(!differ(3), "and no more, though a line came twice");
    forget();

    say_all(2, same);
    compare(3);
    ok(!differ(0) && result->hosts.n == 3, "fewer descriptions than hosts are not compared");
    forget();
}

static void test_amounts(void)
{
    const char *const memory[] = {"100000", "100800", "99900", "50000"};
    char line[64];
    for (int host = 0; host < 4; host++) {
        snprintf(line, sizeof line, "memory_bytes: %s000000\ntsc_hz: %s000\ncores: 4\n",
                 memory[host], host < 3 ? memory[host] : memory[0]);
        say(host, line);
    }
    compare(4);
    ok_text(differ(0), "memory_bytes: 50000000000 (node4); 100000000000 (node1, node2, node3)",
            "a missing module, but not what kernels keep");
    ok(!differ(1), "nor a calibration");
    forget();
}

static void test_names(void)
{
    say_all(3, "nic: eth0 mtu_bytes=9000\ninfiniband: mlx5_0/1 rate=100 Gb/sec (4X EDR) link=IB\n");
    say(0, "nic: eth0.100 mtu_bytes=1496\nnic: eth1 mtu_bytes=1500 speed_Mbit_per_s=10000\n");
    say(1, "nic: eth1 mtu_bytes=1500 speed_Mbit_per_s=1000\n");
    free(description[2]);
    description[2] = strdup("nic: eth0 mtu_bytes=9000\nnic: eth0.100 mtu_bytes=1496\n"
                            "infiniband: mlx5_0/1 rate=50 Gb/sec (2X EDR) link=IB\n");
    compare(3);
    ok_text(differ(0),
            "infiniband mlx5_0/1 rate: 50 Gb/sec (2X EDR) (node3); "
            "100 Gb/sec (4X EDR) (node1, node2)",
            "a value with blanks");
    ok_text(differ(1), "nic eth0.100: not up (node2); up (node1, node3)", "a name within another");
    ok_text(differ(2), "nic eth1: not up (node3); up (node1, node2)", "an interface that is down");
    ok_text(differ(3), "nic eth1 speed_Mbit_per_s: 10000 (node1); 1000 (node2)",
            "a field is a matter of those that have the interface");
    ok(!differ(4), "and no more");
    forget();
}

static void test_many(void)
{
    char line[100];
    say_all(70, "cores: 64\n");
    for (int host = 0; host < 70; host++) {
        say(host, host == 2 ? "nic: eth0 mtu_bytes=1500\n" : "nic: eth0 mtu_bytes=9000\n");
        say(host, host < 4 ? "governor: powersave\n" : "governor: performance\n");
        snprintf(line, sizeof line, "nic: veth%dx driver=veth mtu_bytes=1500\nbinding: %d\n", host,
                 host < 60 ? host / 3 : 99);
        say(host, line);
    }
    compare(70);
    ok_text(differ(0), "nic eth0 mtu_bytes: 1500 (node3); 9000 (node1, node2, node4 and 66 others)",
            "one wrong MTU among seventy stands first");
    ok_text(differ(1),
            "governor: powersave (node1, node2, node3, node4); "
            "performance (node5, node6, node7 and 63 others)",
            "the fourth name instead of one other");
    ok_text(differ(2),
            "binding: 0 (node1, node2, node3); 1 (node4, node5, node6); 2 (node7, node8, node9); "
            "3 (node10, node11, node12); 4 (node13, node14, node15); "
            "15 other values on 45 hosts; 99 (node61, node62, node63 and 7 others)",
            "the rarest of many values, and the commonest");
    ok_text(differ(3), "nic veth0x: up (node1); not up (node2, node3, node4 and 66 others)",
            "what one host has comes last");
    ok_text(differ(32), "and 41 more keys", "a limited number of lines");
    ok(!differ(33), "of which that is the last");
    forget();
}

/* The keys that nobody is named for although hosts differ in them, and the words of the last. */
typedef struct {
    char keys[100], words[200];
} split;

static void keep_split(const char *key, const char *words, void *context)
{
    split *s = context;
    const size_t used = strlen(s->keys);
    snprintf(s->keys + used, sizeof s->keys - used, "%s;", key);
    snprintf(s->words, sizeof s->words, "%s", words);
}

static void count_odd(size_t host, const char *key, const char *value, const char *usual,
                      size_t others, void *context)
{
    (void)host, (void)key, (void)value, (void)usual, (void)others;
    ++*(int *)context;
}

static void test_split(void)
{
    split two = {"", ""}, four = {"", ""}, five = {"", ""};
    int odd = 0;
    say_all(2, "tsc_hz: 2000000000\n");
    say(0, "nic: eth0 mtu_bytes=1500\n");
    say(1, "tsc_hz: 3000000000\nnic: eth0 mtu_bytes=9000\n");
    compare(2);
    ok(cm_result_each_odd(result, count_odd, &odd) && odd == 0, "none of two hosts is the odd one");
    ok(cm_result_each_split(result, keep_split, &two), "what two hosts differ in");
    ok_text(two.keys, "nic eth0 mtu_bytes;", "is said");
    ok_text(two.words, "nic eth0 mtu_bytes: 1500 (node1); 9000 (node2)", "with who has what");
    forget();

    say_all(4, "cores: 8\n");
    for (int host = 0; host < 4; host++)
        say(host, host < 2 ? "governor: powersave\n" : "governor: performance\n");
    say(3, "swap_bytes: 0\n");
    compare(4);
    ok(cm_result_each_split(result, keep_split, &four), "two kinds of hosts");
    ok_text(four.keys, "governor;", "but not what one lacks of four");
    forget();

    say_all(5, "cores: 8\n");
    for (int host = 0; host < 5; host++)
        say(host, host < 2 ? "governor: powersave\n" : "governor: performance\n");
    compare(5);
    ok(cm_result_each_split(result, keep_split, &five) && !*five.keys,
       "three of five are most hosts");
    forget();
}

#ifdef HAVE_JANSSON

static void test_json(void)
{
    say_all(3, "cores: 8\nnic: eth0 driver=veth mtu_bytes=9000\n");
    say(0, "container: docker\n");
    say(1, "container: docker\nnic: eth1 mtu_bytes=1500\n");
    free(description[2]);
    description[2] = strdup("cores: 4\nnic: eth0 driver=veth mtu_bytes=1500\n");
    compare(3);
    char *text =
        cm_result_hosts_keep(result) ? cm_record_json(&result->record, "x", 17, NULL) : NULL;
    ok(text != NULL, "JSON of three hosts");
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *want =
        json_pack("[{s:s, s:i, s:{}}, {s:s, s:i, s:{s:s, s:i}}, {s:s, s:i, s:{s:i, s:i, s:n}}]",
                  "name", "node1", "ranks", 2, "differs", "name", "node2", "ranks", 2, "differs",
                  "nic eth1", "up", "nic eth1 mtu_bytes", 1500, "name", "node3", "ranks", 2,
                  "differs", "cores", 4, "nic eth0 mtu_bytes", 1500, "container");
    if (!ok(json_equal(json_object_get(root, "hosts"), want), "what differs from the first host")) {
        char *got = json_dumps(json_object_get(root, "hosts"), 0);
        printf("# %s\n", got);
        free(got);
    }
    json_decref(root);
    json_decref(want);
    free(text);
    forget();
}

#else

static void test_json(void) { tap_skip("JSON of hosts", "built without jansson"); }

#endif

int main(void)
{
    test_few();
    test_amounts();
    test_names();
    test_many();
    test_split();
    test_json();
    return tap_done();
}

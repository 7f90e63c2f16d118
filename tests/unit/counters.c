/* SPDX-License-Identifier: BSD-3-Clause */
/* counters.c: counters of errors and throttling from files of a made-up host: which are read, which
   changed, and by how much. */
#include <config.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "machine/counters.h"
#include "tap.h"

static char root[] = "counters.XXXXXX";

/* Writes a file below root, with the folders that it needs. */
__attribute__((format(printf, 2, 3))) static void put(const char *path, const char *format, ...)
{
    char name[512];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *slash = strchr(name + strlen(root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(name, 0777);
        *slash = '/';
    }
    FILE *file = fopen(name, "w");
    if (!file) {
        printf("Bail out! cannot write %s\n", name);
        exit(1);
    }
    va_list list;
    va_start(list, format);
    vfprintf(file, format, list);
    va_end(list);
    fclose(file);
}

typedef struct {
    int n;
    char text[8][256];
} lines;

static void keep(const char *text, void *context)
{
    lines *all = context;
    if (all->n < 8) snprintf(all->text[all->n], sizeof all->text[0], "%s", text);
    all->n++;
}

static void put_tcp(int sent, int again)
{
    put("/proc/net/snmp",
        "Ip: Forwarding DefaultTTL\nIp: 1 64\n"
        "Tcp: RtoAlgorithm MaxConn OutSegs RetransSegs InErrs\n"
        "Tcp: 1 -1 %d %d 0\nUdp: InDatagrams\nUdp: 5\n",
        sent, again);
}

static void put_interface(int errors, int dropped)
{
    put("/proc/net/dev",
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs\n"
        "  eth0: 1000 %d %d %d 0 0 0 0 2000 20 0 0 0 0 0 0\n",
        1000 + 10 * errors, errors, dropped);
}

int main(void)
{
    cm_machine_counters none, before, after;
    lines moved = {0};
    if (!mkdtemp(root)) return 1;
    cm_machine_counters_read(root, &none);
    ok(none.n == 0, "a host without files has no counters");
    ok(strcmp(none.not_readable,
              "edac, machine checks, throttling, infiniband, network interfaces, tcp")
           == 0,
       "and says which cannot be read: %s", none.not_readable);
    cm_machine_counters_free(&none);

    put("/sys/devices/system/edac/mc/mc0/ce_count", "7\n");
    put("/sys/devices/system/edac/mc/mc0/ue_count", "0\n");
    put("/proc/interrupts", "            CPU0       CPU1\n  0:   12   0   timer\n"
                            "MCE:   1   2   Machine check exceptions\n"
                            "THR:   0   0   Threshold APIC interrupts\n");
    put("/sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error", "3\n");
    put_interface(0, 5);
    put_tcp(1000, 10);
    cm_machine_counters_read(root, &before);
    ok(before.n == 2 + 2 + 1 + 5 + 1, "all of a made-up host: %zu", before.n);
    ok(strcmp(before.not_readable, "throttling") == 0, "but one group: %s", before.not_readable);
    cm_machine_counters_read(root, &after);
    ok(cm_machine_counters_moved(&before, &after, keep, &moved) == 0 && moved.n == 0,
       "nothing moved");
    cm_machine_counters_free(&after);

    put("/sys/devices/system/edac/mc/mc0/ce_count", "9\n");
    put("/proc/interrupts", "            CPU0       CPU1\n  0:   99   0   timer\n"
                            "MCE:   1   3   Machine check exceptions\n"
                            "THR:   0   0   Threshold APIC interrupts\n");
    put("/sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error", "2\n");
    put_interface(20, 5);
    put_tcp(2000, 40);
    cm_machine_counters_read(root, &after);
    ok(cm_machine_counters_moved(&before, &after, keep, &moved) == 5, "five moved: %d", moved.n);
    static const char *const expected[] = {
        "memory controller mc0: corrected errors: 2 more", "machine checks: 1 more",
        "mlx5_0/1: symbol_error: 2 more", /* it was reset in between */
        "eth0: frames received with errors: 20 more, 10 % of all of this host",
        "TCP segments sent again: 30 more, 3 % of all of this host"};
    for (int k = 0; k < 5; k++)
        ok(strcmp(moved.text[k], expected[k]) == 0, "%s: %s", expected[k], moved.text[k]);

    static const char device[] = "/sys/class/net/eth0/device/";
    static const struct {
        const char *file, *value;
    } link[] = {{"current_link_speed", "8.0 GT/s PCIe"},
                {"max_link_speed", "16.0 GT/s PCIe"},
                {"current_link_width", "4"},
                {"max_link_width", "8"}};
    for (size_t k = 0; k < sizeof link / sizeof *link; k++) {
        char path[128];
        snprintf(path, sizeof path, "%s%s", device, link[k].file);
        put(path, "%s\n", link[k].value);
    }
    moved = (lines){0};
    cm_machine_slow_links(root, keep, &moved);
    ok(moved.n == 1
           && strcmp(moved.text[0],
                     "eth0: PCIe link 8.0 GT/s PCIe x4, its maximum is 16.0 GT/s PCIe x8")
                  == 0,
       "a card in the wrong slot: %s", moved.text[0]);
    put("/sys/class/net/eth0/device/current_link_width", "8\n");
    put("/sys/class/net/eth0/device/current_link_speed", "16.0 GT/s PCIe\n");
    moved = (lines){0};
    cm_machine_slow_links(root, keep, &moved);
    ok(moved.n == 0, "a card at its maximum");
    cm_machine_counters_free(&before);
    cm_machine_counters_free(&after);
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command) != 0 ? 1 : tap_done();
}

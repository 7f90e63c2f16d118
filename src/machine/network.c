/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c: the network interfaces that are up, and InfiniBand ports, from /sys/class. */
#include <config.h>
#include <dirent.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "machine/machine_internal.h"

#define NET "/sys/class/net/"
#define INFINIBAND "/sys/class/infiniband"

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Lists the entries of a folder sorted by name. The count is 0 if the folder cannot be read. */
static int list(const char *root, const char *folder, struct dirent ***entries)
{
    char path[CM_MACHINE_PATH];
    snprintf(path, sizeof path, "%s%s", root, folder);
    int count = scandir(path, entries, visible, by_name);
    return count < 0 ? 0 : count;
}

static void forget(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++) free(entries[i]);
    if (count > 0) free(entries);
}

/* Virtual interfaces have no device folder. The kernel names their kind ("veth", "bridge"). */
static bool ask_driver(const char *name, char *driver, size_t size)
{
    struct ethtool_drvinfo info = {.cmd = ETHTOOL_GDRVINFO};
    struct ifreq request = {.ifr_data = (void *)&info};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%.*s", IFNAMSIZ - 1, name);
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0) s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0) return false;
    bool known = ioctl(s, SIOCETHTOOL, &request) == 0 && info.driver[0] != '\0';
    close(s);
    if (known) snprintf(driver, size, "%.*s", (int)sizeof info.driver, info.driver);
    return known;
}

static bool driver_of(const char *root, const char *name, char *driver, size_t size)
{
    char path[CM_MACHINE_PATH], target[CM_MACHINE_PATH];
    snprintf(path, sizeof path, "%s" NET "%s/device/driver", root, name);
    ssize_t length = readlink(path, target, sizeof target - 1);
    if (length > 0) {
        target[length] = '\0';
        const char *last = strrchr(target, '/');
        snprintf(driver, size, "%.*s", (int)size - 1, last ? last + 1 : target);
        return true;
    }
    return root[0] == '\0' && ask_driver(name, driver, size);
}

static void describe(const char *root, const char *name, cm_machine_each *each, void *context)
{
    char line[64], driver[64];
    int64_t index, number;
    if (!cm_machine_file_line(root, line, sizeof line, NET "%s/flags", name)
        || !(strtoul(line, NULL, 16) & IFF_UP))
        return;
    /* Without a carrier an interface is "down" even if it is switched on; lo and tun are
       "unknown". */
    if (cm_machine_file_line(root, line, sizeof line, NET "%s/operstate", name)
        && strcmp(line, "up") != 0 && strcmp(line, "unknown") != 0)
        return;
    /* /sys may still show a network namespace that this process has left. */
    if (root[0] == '\0' && cm_machine_file_integer(root, &index, NET "%s/ifindex", name)
        && if_nametoindex(name) != (unsigned)index)
        return;

    char value[256];
    int used = snprintf(value, sizeof value, "%.*s", IFNAMSIZ, name);
    if (driver_of(root, name, driver, sizeof driver))
        used += snprintf(value + used, sizeof value - (size_t)used, " driver=%s", driver);
    if (cm_machine_file_integer(root, &number, NET "%s/mtu", name))
        used += snprintf(value + used, sizeof value - (size_t)used, " mtu_bytes=%lld",
                         (long long)number);
    /* The value is -1 or an error if the speed is not known, as on most virtual interfaces. */
    if (cm_machine_file_integer(root, &number, NET "%s/speed", name) && number > 0)
        used += snprintf(value + used, sizeof value - (size_t)used, " speed_Mbit_per_s=%lld",
                         (long long)number);
    /* The value is -1 if the machine has one node. */
    if (cm_machine_file_integer(root, &number, NET "%s/device/numa_node", name) && number >= 0)
        used += snprintf(value + used, sizeof value - (size_t)used, " numa_node=%lld",
                         (long long)number);
    if (root[0] == '\0' && cm_machine_offloads(name, line, sizeof line))
        snprintf(value + used, sizeof value - (size_t)used, " offloads=%s", line);
    each("nic", value, context);
}

/* MPI uses these ports without an interface: "mlx5_0/1 rate=100 Gb/sec (4X EDR)
   link=InfiniBand". */
static void describe_port(const char *root, const char *device, const char *port,
                          cm_machine_each *each, void *context)
{
    char state[64], rate[64], link[64];
    if (!cm_machine_file_line(root, state, sizeof state, INFINIBAND "/%s/ports/%s/state", device,
                              port)
        || !strstr(state, "ACTIVE"))
        return;
    bool has_rate =
        cm_machine_file_line(root, rate, sizeof rate, INFINIBAND "/%s/ports/%s/rate", device, port);
    bool has_link = cm_machine_file_line(root, link, sizeof link,
                                         INFINIBAND "/%s/ports/%s/link_layer", device, port);
    cm_machine_say(each, context, "infiniband", "%s/%s%s%s%s%s", device, port,
                   has_rate ? " rate=" : "", has_rate ? rate : "", has_link ? " link=" : "",
                   has_link ? link : "");
}

void cm_machine_describe_networks(const char *root, cm_machine_each *each, void *context)
{
    struct dirent **names, **ports;
    int n = list(root, NET, &names);
    for (int i = 0; i < n; i++) describe(root, names[i]->d_name, each, context);
    forget(names, n);

    n = list(root, INFINIBAND, &names);
    for (int i = 0; i < n; i++) {
        char folder[CM_MACHINE_PATH];
        snprintf(folder, sizeof folder, INFINIBAND "/%s/ports", names[i]->d_name);
        int n_ports = list(root, folder, &ports);
        for (int j = 0; j < n_ports; j++)
            describe_port(root, names[i]->d_name, ports[j]->d_name, each, context);
        forget(ports, n_ports);
    }
    forget(names, n);
}

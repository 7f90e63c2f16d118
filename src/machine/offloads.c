/* SPDX-License-Identifier: BSD-3-Clause */
/* offloads.c: the work that a network interface does for the kernel. */
#include <config.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "machine/machine_internal.h"

static bool is_on(int s, const char *name, unsigned command)
{
    struct ethtool_value value = {.cmd = command};
    struct ifreq request = {.ifr_data = (void *)&value};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%.*s", IFNAMSIZ - 1, name);
    return ioctl(s, SIOCETHTOOL, &request) == 0 && value.data != 0;
}

bool cm_machine_offloads(const char *name, char *text, size_t size)
{
    static const struct {
        unsigned command;
        const char *name;
    } known[] = {{ETHTOOL_GRXCSUM, "rx"}, {ETHTOOL_GTXCSUM, "tx"}, {ETHTOOL_GSG, "sg"},
                 {ETHTOOL_GTSO, "tso"},   {ETHTOOL_GGSO, "gso"},   {ETHTOOL_GGRO, "gro"}};
    size_t used = 0;
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0) s = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0) return false;
    text[0] = '\0';
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (is_on(s, name, known[k].command) && used < size)
            used +=
                (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", known[k].name);
    close(s);
    return used > 0;
}

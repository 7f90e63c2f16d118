/* SPDX-License-Identifier: BSD-3-Clause */
/* interface.c: which of this host's addresses others reach it by; see interface.h. */
#include "config.h"
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include "comm/comm.h"
#include "comm/engine/interface.h"

static socklen_t length_of(const struct sockaddr *address)
{
    if (!address) return 0;
    return address->sa_family == AF_INET    ? sizeof(struct sockaddr_in)
           : address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                            : 0;
}

static bool is_link_local(const struct sockaddr *address)
{
    return address->sa_family == AF_INET6
           && IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

/* Smaller is better; -1: not this one. */
static int preference(const struct ifaddrs *entry, const char *wanted, const char *text)
{
    bool six = entry->ifa_addr->sa_family == AF_INET6, link_local = is_link_local(entry->ifa_addr);
    if (!(entry->ifa_flags & IFF_UP)) return -1;
    if (wanted) {
        if (strcmp(wanted, text) == 0) return 0;
        if (strcmp(wanted, entry->ifa_name) != 0) return -1;
        return 1 + six + link_local;
    }
    if (link_local || !(entry->ifa_flags & IFF_RUNNING)
        || entry->ifa_flags & (IFF_LOOPBACK | IFF_POINTOPOINT))
        return -1;
    return six;
}

static void take(const struct ifaddrs *entry, const char *text, cm_interface *interface)
{
    memset(interface, 0, sizeof *interface);
    interface->length = length_of(entry->ifa_addr);
    memcpy(&interface->address, entry->ifa_addr, interface->length);
    snprintf(interface->name, sizeof interface->name, "%s", entry->ifa_name);
    snprintf(interface->text, sizeof interface->text, "%s", text);
}

static void add_name(char *list, size_t capacity, const char *name)
{
    size_t used = strlen(list);
    if (!strstr(list, name))
        snprintf(list + used, capacity - used, "%s%s", used ? ", " : "", name);
}

int cm_interface_choose(const char *wanted, cm_interface *interface)
{
    struct ifaddrs *all;
    char names[256] = "";
    int best = -1;
    if (getifaddrs(&all) != 0) {
        fprintf(stderr, "clustermark: cannot list the network interfaces: %s\n", strerror(errno));
        return CM_EXIT_SYSTEM;
    }
    for (const struct ifaddrs *entry = all; entry; entry = entry->ifa_next) {
        char text[NI_MAXHOST];
        socklen_t length = length_of(entry->ifa_addr);
        if (!length || getnameinfo(entry->ifa_addr, length, text, sizeof text, NULL, 0, NI_NUMERICHOST))
            continue;
        if (entry->ifa_flags & IFF_UP) add_name(names, sizeof names, entry->ifa_name);
        int rank = preference(entry, wanted, text);
        if (rank >= 0 && (best < 0 || rank < best)) {
            best = rank;
            take(entry, text, interface);
        }
    }
    freeifaddrs(all);
    if (best >= 0) return 0;
    if (wanted)
        fprintf(stderr, "clustermark: CM_INTERFACE=%s: no interface or address of this host that is up; "
                "there are: %s\n", wanted, names);
    else
        fprintf(stderr, "clustermark: no network interface is up that other hosts could reach; there are: "
                "%s (CM_INTERFACE chooses one)\n", names);
    return wanted ? CM_EXIT_USAGE : CM_EXIT_SYSTEM;
}

void cm_interface_loopback(cm_interface *interface)
{
    struct sockaddr_in *address = (struct sockaddr_in *)&interface->address;
    memset(interface, 0, sizeof *interface);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    interface->length = sizeof *address;
    strcpy(interface->name, "lo");
    strcpy(interface->text, "127.0.0.1");
}

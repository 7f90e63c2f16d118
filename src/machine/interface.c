/* SPDX-License-Identifier: BSD-3-Clause */
/* interface.c: chooses the address by which other hosts reach this host; see interface.h. */
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
#include <sys/ioctl.h>
#include <unistd.h>
#include "base/exit.h"
#include "machine/interface.h"

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

/* Returns a preference, smaller is better; -1 if the entry is unsuitable. */
static int preference(const struct ifaddrs *entry, const char *wanted, int family, const char *text)
{
    bool six = entry->ifa_addr->sa_family == AF_INET6, link_local = is_link_local(entry->ifa_addr);
    if (!(entry->ifa_flags & IFF_UP)) return -1;
    if (family != AF_UNSPEC && entry->ifa_addr->sa_family != family) return -1;
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

static void take(const struct ifaddrs *entry, const char *text, cm_machine_interface *interface)
{
    memset(interface, 0, sizeof *interface);
    interface->length = length_of(entry->ifa_addr);
    memcpy(&interface->address, entry->ifa_addr, interface->length);
    snprintf(interface->name, sizeof interface->name, "%s", entry->ifa_name);
    snprintf(interface->text, sizeof interface->text, "%s", text);
}

/* Adds a name to a list like "lo, eth1, eth10", each name once. */
static void add_name(char *list, size_t capacity, const char *name)
{
    size_t used = strlen(list), length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == 0)) return;
    snprintf(list + used, capacity - used, "%s%s", used ? ", " : "", name);
}

int cm_machine_interface_choose(const char *wanted, int family, cm_machine_interface *interface,
                                char *why, size_t size)
{
    struct ifaddrs *all;
    char names[256] = "";
    int best = -1;
    if (getifaddrs(&all) != 0) {
        snprintf(why, size, "cannot list the network interfaces: %s", strerror(errno));
        return CM_EXIT_SYSTEM;
    }
    for (const struct ifaddrs *entry = all; entry; entry = entry->ifa_next) {
        char text[NI_MAXHOST];
        socklen_t length = length_of(entry->ifa_addr);
        if (!length
            || getnameinfo(entry->ifa_addr, length, text, sizeof text, NULL, 0, NI_NUMERICHOST))
            continue;
        if (entry->ifa_flags & IFF_UP) add_name(names, sizeof names, entry->ifa_name);
        int rank = preference(entry, wanted, family, text);
        if (rank >= 0 && (best < 0 || rank < best)) {
            best = rank;
            take(entry, text, interface);
        }
    }
    freeifaddrs(all);
    if (best >= 0) return 0;
    const char *kind = family == AF_INET ? "IPv4 " : family == AF_INET6 ? "IPv6 " : "";
    if (wanted)
        snprintf(why, size,
                 "no interface or %saddress of this host that is up; expected one of: %s", kind,
                 names);
    else
        snprintf(why, size,
                 "no network interface is up that other hosts could reach%s%s; available: "
                 "%s",
                 *kind ? " by " : "",
                 *kind == 0          ? ""
                 : family == AF_INET ? "IPv4"
                                     : "IPv6",
                 names);
    return wanted ? CM_EXIT_USAGE : CM_EXIT_SYSTEM;
}

void cm_machine_interface_loopback(int family, cm_machine_interface *interface)
{
    memset(interface, 0, sizeof *interface);
    strcpy(interface->name, "lo");
    if (family == AF_INET6) {
        struct sockaddr_in6 *address = (struct sockaddr_in6 *)&interface->address;
        address->sin6_family = AF_INET6;
        address->sin6_addr = in6addr_loopback;
        interface->length = sizeof *address;
        strcpy(interface->text, "::1");
    } else {
        struct sockaddr_in *address = (struct sockaddr_in *)&interface->address;
        address->sin_family = AF_INET;
        address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        interface->length = sizeof *address;
        strcpy(interface->text, "127.0.0.1");
    }
}

int64_t cm_machine_interface_mtu_bytes(const char *name)
{
    struct ifreq request;
    memset(&request, 0, sizeof request);
    if (strlen(name) >= sizeof request.ifr_name) return 0;
    strcpy(request.ifr_name, name);
    int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0) s = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (s < 0) return 0;
    int64_t bytes = ioctl(s, SIOCGIFMTU, &request) == 0 ? request.ifr_mtu : 0;
    close(s);
    return bytes;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* interface.c: the addresses by which other hosts reach this host; see interface.h. */
#include "config.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "base/exit.h"
#include "machine/interface.h"
#include "machine/machine_internal.h"

static socklen_t length_of(const struct sockaddr *address)
{
    if (!address) return 0;
    return address->sa_family == AF_INET    ? sizeof(struct sockaddr_in)
           : address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                            : 0;
}

/* ---- Addresses ------------------------------------------------------------------------------- */

/* The bytes of an address, and how many. */
static const unsigned char *bytes_of(const struct sockaddr *address, size_t *n)
{
    const bool six = address->sa_family == AF_INET6;
    *n = six ? 16 : 4;
    return six ? ((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr
               : (const unsigned char *)&((const struct sockaddr_in *)address)->sin_addr;
}

static bool is_link_local(const struct sockaddr *address)
{
    size_t n;
    const unsigned char *b = bytes_of(address, &n);
    return n == 4 ? b[0] == 169 && b[1] == 254 : b[0] == 0xfe && (b[1] & 0xc0) == 0x80;
}

static bool is_loopback(const struct sockaddr *address)
{
    size_t n;
    const unsigned char *b = bytes_of(address, &n);
    return n == 4 ? b[0] == 127 : memcmp(b, &in6addr_loopback, n) == 0;
}

static bool begin_equally(const struct sockaddr *x, const struct sockaddr *y, int bits)
{
    size_t n;
    if (x->sa_family != y->sa_family) return false;
    const unsigned char *a = bytes_of(x, &n), *b = bytes_of(y, &n);
    const size_t whole = (size_t)bits / 8;
    const int rest = bits % 8;
    if (bits < 0 || whole > n || memcmp(a, b, whole) != 0) return false;
    return !rest || whole == n || (a[whole] ^ b[whole]) >> (8 - rest) == 0;
}

bool cm_machine_interface_reaches(const cm_machine_interface *interface,
                                  const struct sockaddr_storage *address)
{
    return begin_equally((const struct sockaddr *)&interface->address,
                         (const struct sockaddr *)address, interface->network_bits);
}

bool cm_machine_interface_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    return begin_equally((const struct sockaddr *)a, (const struct sockaddr *)b,
                         a->ss_family == AF_INET6 ? 128 : 32);
}

static int bits_of(const struct sockaddr *mask)
{
    size_t n = 0;
    int bits = 0;
    const unsigned char *b = mask ? bytes_of(mask, &n) : NULL;
    while (b && bits < (int)(8 * n) && b[bits / 8] >> (7 - bits % 8) & 1) bits++;
    return bits;
}

/* ---- The host's ------------------------------------------------------------------------------ */

/* The addresses of all interfaces, as the kernel reports them. */
enum { ADDRESSES_MOST = 256 };
typedef struct {
    struct {
        cm_machine_interface interface;
        unsigned flags;
    } of[ADDRESSES_MOST];
    int n;
    char names[256];                             /* of those that are up: "lo, eth0, ..." */
    cm_machine_interface chosen[ADDRESSES_MOST]; /* room to choose in */
} host;

/* Returns the speed of an IPoIB interface, which older kernels do not report: the rate of its port,
   "100 Gb/sec (4X EDR)". */
static int64_t port_rate_of(const char *name)
{
    char folder[CM_MACHINE_PATH], line[64];
    int64_t port = 0, rate = -1;
    snprintf(folder, sizeof folder, "/sys/class/net/%s/device/infiniband", name);
    cm_machine_file_integer("", &port, "/sys/class/net/%s/dev_port", name);
    DIR *devices = opendir(folder);
    for (const struct dirent *entry; devices && rate < 0 && (entry = readdir(devices));)
        if (entry->d_name[0] != '.'
            && cm_machine_file_line("", line, sizeof line, "%s/%s/ports/%d/rate", folder,
                                    entry->d_name, (int)port + 1))
            rate = (int64_t)(1e9 * strtod(line, NULL));
    if (devices) closedir(devices);
    return rate > 0 ? rate : -1;
}

static int64_t speed_of(const char *name)
{
    int64_t Mbit;
    if (cm_machine_file_integer("", &Mbit, "/sys/class/net/%s/speed", name) && Mbit > 0)
        return Mbit * 1000000;
    return port_rate_of(name);
}

/* Adds a name to a list like "lo, eth1, eth10", each name once. Names for which there is no room
   become "...". */
static void add_name(char *list, size_t capacity, const char *name)
{
    size_t used = strlen(list), length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == 0)) return;
    const bool fits = used + length + sizeof ", , ..." <= capacity;
    if (fits || (used > 0 && list[used - 1] != '.'))
        snprintf(list + used, capacity - used, "%s%s", used ? ", " : "", fits ? name : "...");
}

/* False: see errno. */
static bool look(host *host)
{
    struct ifaddrs *all;
    host->n = 0;
    host->names[0] = 0;
    if (getifaddrs(&all) != 0) return false;
    for (const struct ifaddrs *entry = all; entry; entry = entry->ifa_next) {
        char text[sizeof host->of[0].interface.text];
        const socklen_t length = length_of(entry->ifa_addr);
        if (!length || !(entry->ifa_flags & IFF_UP) || host->n == ADDRESSES_MOST
            || getnameinfo(entry->ifa_addr, length, text, sizeof text, NULL, 0, NI_NUMERICHOST))
            continue;
        add_name(host->names, sizeof host->names, entry->ifa_name);
        cm_machine_interface *to = &host->of[host->n].interface;
        memset(to, 0, sizeof *to);
        to->length = length;
        memcpy(&to->address, entry->ifa_addr, length);
        snprintf(to->name, sizeof to->name, "%s", entry->ifa_name);
        memcpy(to->text, text, sizeof text);
        to->network_bits = bits_of(entry->ifa_netmask);
        to->speed_bits_per_s = speed_of(entry->ifa_name);
        host->of[host->n++].flags = entry->ifa_flags;
    }
    freeifaddrs(all);
    return true;
}

static const struct sockaddr *address_of(const host *host, int i)
{
    return (const struct sockaddr *)&host->of[i].interface.address;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

typedef struct {
    cm_machine_interface *list;
    int most, n;
} chosen;

static void add(chosen *to, const cm_machine_interface *interface)
{
    for (int k = 0; k < to->n; k++)
        if (cm_machine_interface_same(&to->list[k].address, &interface->address)
            && strcmp(to->list[k].name, interface->name) == 0)
            return;
    if (to->n < to->most) to->list[to->n++] = *interface;
}

static bool is_family(const host *host, int i, int family)
{
    return family == AF_UNSPEC || address_of(host, i)->sa_family == family;
}

/* IPv4 before IPv6, and each sorted by speed. on_loopback: the loopback interface's. */
static void add_reachable(chosen *to, const host *host, int family, bool on_loopback)
{
    static const int families[] = {AF_INET, AF_INET6};
    for (int f = 0; f < 2; f++) {
        const int first = to->n;
        for (int i = 0; i < host->n; i++) {
            const unsigned flags = host->of[i].flags;
            if (is_family(host, i, family) && is_family(host, i, families[f])
                && !is_link_local(address_of(host, i)) && !is_loopback(address_of(host, i))
                && flags & IFF_RUNNING && !(flags & IFF_POINTOPOINT)
                && !!(flags & IFF_LOOPBACK) == on_loopback)
                add(to, &host->of[i].interface);
        }
        cm_machine_interface_sort(to->list + first, to->n - first);
    }
}

void cm_machine_interface_sort(cm_machine_interface *list, int n)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0; k--) {
            cm_machine_interface *slower = &list[k - 1], faster = list[k];
            if (slower->speed_bits_per_s < 0 || faster.speed_bits_per_s <= slower->speed_bits_per_s)
                break;
            list[k] = *slower;
            *slower = faster;
        }
}

/* Reads ADDRESS/BITS. */
static bool read_network(const char *word, cm_machine_interface *network)
{
    char address[INET6_ADDRSTRLEN], *end;
    const char *slash = strchr(word, '/');
    const size_t length = (size_t)(slash - word);
    const bool six = memchr(word, ':', length) != NULL;
    memset(network, 0, sizeof *network);
    if (length >= sizeof address || slash[1] < '0' || slash[1] > '9') return false;
    memcpy(address, word, length);
    address[length] = 0;
    const long bits = strtol(slash + 1, &end, 10);
    network->network_bits = (int)bits;
    network->address.ss_family = six ? AF_INET6 : AF_INET;
    void *bytes = six ? (void *)&((struct sockaddr_in6 *)&network->address)->sin6_addr
                      : (void *)&((struct sockaddr_in *)&network->address)->sin_addr;
    return !*end && bits <= (six ? 128 : 32)
           && inet_pton(network->address.ss_family, address, bytes) == 1;
}

/* Adds all addresses of a network, or the best one of an interface: IPv4 before IPv6, before
   link-local addresses, and before loopback addresses, which no other host reaches. */
static void add_word(chosen *to, const host *host, int family, const char *word,
                     const cm_machine_interface *network)
{
    int best = -1, least = 0;
    for (int i = 0; i < host->n; i++) {
        const cm_machine_interface *at = &host->of[i].interface;
        const int rank = 4 * is_loopback(address_of(host, i))
                         + 2 * is_link_local(address_of(host, i))
                         + (at->address.ss_family == AF_INET6);
        if (!is_family(host, i, family)) continue;
        if (network ? cm_machine_interface_reaches(network, &at->address)
                    : strcmp(word, at->text) == 0) {
            add(to, at);
        } else if (!network && strcmp(word, at->name) == 0 && (best < 0 || rank < least)) {
            best = i;
            least = rank;
        }
    }
    if (best >= 0) add(to, &host->of[best].interface);
}

static int add_wanted(chosen *to, const host *host, const char *wanted, int family, char *why,
                      size_t size)
{
    const char *kind = family == AF_INET ? "IPv4 " : family == AF_INET6 ? "IPv6 " : "";
    for (const char *at = wanted; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        char word[256];
        cm_machine_interface network;
        const size_t length = strcspn(at, ",");
        const bool is_network = memchr(at, '/', length) != NULL;
        snprintf(word, sizeof word, "%.*s", (int)(length < 255 ? length : 255), at);
        if (length == 0 || length > 255 || word[strcspn(word, " \t")]
            || (is_network && !read_network(word, &network))) {
            snprintf(why, size,
                     "'%s' is not an interface, an address or a network like 10.77.0.0/16", word);
            return CM_EXIT_USAGE;
        }
        add_word(to, host, family, word, is_network ? &network : NULL);
    }
    if (to->n > 0) return 0;
    snprintf(why, size,
             "no interface, %saddress or network of this host that is up; expected one of: %s",
             kind, host->names);
    return CM_EXIT_USAGE;
}

int cm_machine_interface_list(const char *wanted, int family, cm_machine_interface *list, int most,
                              int *n, char *why, size_t size)
{
    host *host = malloc(sizeof *host);
    int status = 0;
    *n = 0;
    if (!host || !look(host)) {
        snprintf(why, size, "cannot list the network interfaces: %s", strerror(errno));
        free(host);
        return CM_EXIT_SYSTEM;
    }
    chosen to = {host->chosen, ADDRESSES_MOST, 0};
    if (wanted) {
        status = add_wanted(&to, host, wanted, family, why, size);
    } else {
        add_reachable(&to, host, family, false);
        if (!to.n) add_reachable(&to, host, family, true);
        if (!to.n) {
            status = CM_EXIT_SYSTEM;
            snprintf(why, size,
                     "no network interface is up that other hosts could reach%s; available: %s",
                     family == AF_INET    ? " by IPv4"
                     : family == AF_INET6 ? " by IPv6"
                                          : "",
                     host->names);
        }
    }
    *n = status ? 0 : to.n < most ? to.n : most;
    memcpy(list, host->chosen, (size_t)*n * sizeof *list);
    free(host);
    return status;
}

int cm_machine_interface_choose(const char *wanted, int family, cm_machine_interface *interface,
                                char *why, size_t size)
{
    int n;
    return cm_machine_interface_list(wanted, family, interface, 1, &n, why, size);
}

/* ---- Loopback, MTU --------------------------------------------------------------------------- */

void cm_machine_interface_loopback(int family, cm_machine_interface *interface)
{
    memset(interface, 0, sizeof *interface);
    interface->network_bits = 8;
    interface->speed_bits_per_s = -1;
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* up.c: the command up. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "comm/comm.h"
#include "virtual.h"

enum { TRIES = 100, PAUSE_MS = 50 };

static bool carried(const virtual_settings *s) { return s->rate || s->delay; }
static int mtu(const virtual_settings *s) { return s->mtu_bytes ? (int)s->mtu_bytes : 1500; }

/* ---- Files ----------------------------------------------------------------------------------- */

static bool write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    bool written = file && fputs(text, file) >= 0;
    if (file && fclose(file) != 0) written = false;
    if (!written) virtual_fail("%s: %s", path, strerror(errno));
    return written;
}

static void address_of(const virtual_settings *s, int host, int network, char text[64])
{
    if (s->ipv6) snprintf(text, 64, "fd%d::%x", 77 + network, (unsigned)host + 1);
    else snprintf(text, 64, "10.%d.0.%d", 77 + network, host + 1);
}

/* `ip netns exec` shows the files of /etc/netns/HOST in place of those of /etc. */
static bool write_names(const char *name, const virtual_settings *s, const char *host)
{
    char *text = NULL, other[VIRTUAL_HOST], path[VIRTUAL_TEXT], address[64];
    size_t length;
    FILE *lines = open_memstream(&text, &length);
    if (!lines) return false;
    fputs("127.0.0.1 localhost\n", lines);
    for (int i = 0; i < s->hosts; i++) {
        virtual_host(name, i, other);
        address_of(s, i, 0, address);
        fprintf(lines, "%s %s\n", address, other);
    }
    bool written = fclose(lines) == 0;
    mkdir("/etc/netns", 0755);
    snprintf(path, sizeof path, "/etc/netns/%s", host);
    mkdir(path, 0755);
    snprintf(path, sizeof path, "/etc/netns/%s/hosts", host);
    written = written && write_file(path, text);
    free(text);
    return written;
}

static bool write_settings(const char *name, const virtual_settings *s)
{
    char text[VIRTUAL_TEXT], line[VIRTUAL_TEXT + 1], path[VIRTUAL_TEXT];
    mkdir("/run/virtual-cluster", 0755);
    virtual_settings_text(s, text);
    snprintf(line, sizeof line, "%s\n", text);
    virtual_path(name, "settings", path);
    return write_file(path, line);
}

/* ---- Interfaces ------------------------------------------------------------------------------ */

/* A bridge for each network, in a namespace of their own. */
static bool make_switch(const char *name, const virtual_settings *s)
{
    char hub[VIRTUAL_HOST];
    virtual_switch(name, hub);
    if (!virtual_ip("netns add %s", hub)) return false;
    for (int k = 0; k < s->networks; k++)
        if (!virtual_ip("-n %s link add br%d type bridge", hub, k)
            || !virtual_ip("-n %s link set br%d mtu %d up", hub, k, mtu(s)))
            return false;
    return true;
}

static bool single_frames(const char *host, const char *interface)
{
    int home = virtual_enter(host);
    if (home < 0) return false;
    bool off = virtual_offload_off(interface);
    return virtual_leave(home) && off;
}

static bool plug_cable(const char *name, const virtual_settings *s, int i, int k)
{
    char hub[VIRTUAL_HOST], host[VIRTUAL_HOST], end[32];
    virtual_switch(name, hub);
    virtual_host(name, i, host);
    snprintf(end, sizeof end, "p%d-%d", i + 1, k);
    if (!virtual_ip("link add eth%d netns %s type veth peer name %s netns %s", k, host, end, hub)
        || !virtual_ip("-n %s link set %s mtu %d master br%d up", hub, end, mtu(s), k))
        return false;
    if (!s->mtu_bytes) return true;
    char interface[16];
    snprintf(interface, sizeof interface, "eth%d", k);
    return single_frames(host, interface) && single_frames(hub, end);
}

static bool plug_tap(const char *name, int i, int k, int *tap)
{
    char host[VIRTUAL_HOST], interface[16];
    unsigned char a[6];
    virtual_host(name, i, host);
    snprintf(interface, sizeof interface, "eth%d", k);
    int home = virtual_enter(host);
    if (home < 0) return false;
    *tap = virtual_tap_open(interface);
    if (!virtual_leave(home) || *tap < 0) return false;
    virtual_wire_address(i, k, a);
    return virtual_ip("-n %s link set %s address %02x:%02x:%02x:%02x:%02x:%02x", host, interface,
                      a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* nodad: without it the kernel first checks that an IPv6 address is unique, which takes time. */
static bool set_address(const char *name, const virtual_settings *s, int i, int k)
{
    char host[VIRTUAL_HOST], address[64];
    virtual_host(name, i, host);
    address_of(s, i, k, address);
    return virtual_ip(s->ipv6 ? "-n %s addr add %s/64 dev eth%d nodad"
                              : "-n %s addr add %s/24 dev eth%d",
                      host, address, k)
           && virtual_ip("-n %s link set eth%d mtu %d up", host, k, mtu(s));
}

static bool make_host(const char *name, const virtual_settings *s, int i, int *taps)
{
    char host[VIRTUAL_HOST];
    virtual_host(name, i, host);
    if (!virtual_ip("netns add %s", host) || !write_names(name, s, host)
        || !virtual_ip("-n %s link set lo up", host))
        return false;
    for (int k = 0; k < s->networks; k++) {
        bool plugged =
            carried(s) ? plug_tap(name, i, k, &taps[k * s->hosts + i]) : plug_cable(name, s, i, k);
        if (!plugged || !set_address(name, s, i, k)) return false;
    }
    return true;
}

/* Every interface of a wire is an open file. */
static void raise_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

/* The wire must not keep open what a script left open, such as its locks. */
static void close_others(void)
{
    const long most = sysconf(_SC_OPEN_MAX);
    for (int fd = 3; fd < (most > 0 && most < 65536 ? most : 65536); fd++) close(fd);
}

/* ---- Up -------------------------------------------------------------------------------------- */

static bool await_host(const char *name, const virtual_settings *s, int i)
{
    char host[VIRTUAL_HOST];
    bool running = true;
    virtual_host(name, i, host);
    int home = virtual_enter(host);
    if (home < 0) return false;
    for (int k = 0, tries = 0; k < s->networks && running; k++)
        while (!virtual_is_running(k) && running && !virtual_interrupted()) {
            running = ++tries < TRIES;
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
        }
    if (!running) virtual_fail("an interface of %s does not come up", host);
    return virtual_leave(home) && running;
}

static bool make(const char *name, const virtual_settings *s, int *taps)
{
    bool made = write_settings(name, s) && (!s->owner || virtual_owner_write(name, s->owner))
                && (carried(s) || make_switch(name, s));
    for (int i = 0; i < s->hosts && made && !virtual_interrupted(); i++)
        made = make_host(name, s, i, taps);
    if (made && carried(s) && !virtual_interrupted()) made = virtual_wire_start(name, s, taps);
    for (int i = 0; i < s->hosts && made && !virtual_interrupted(); i++)
        made = await_host(name, s, i);
    return made;
}

/* The kernel has one table of neighbours for all namespaces. When it is full, connections time
   out. */
static void check_neighbours(const virtual_settings *s)
{
    long most;
    const long pairs = (long)s->hosts * (s->hosts - 1) * s->networks;
    FILE *file = fopen("/proc/sys/net/ipv4/neigh/default/gc_thresh3", "r");
    const bool known = file && fscanf(file, "%ld", &most) == 1;
    if (file) fclose(file);
    if (known && pairs > most)
        virtual_fail(
            "up: %d hosts that all talk to each other need %ld places in the kernel's table "
            "of neighbours, which has %ld; sysctl net.ipv4.neigh.default.gc_thresh3 sets "
            "more",
            s->hosts, pairs, most);
}

int virtual_up(const char *name, const virtual_settings *s)
{
    int status = virtual_need_root();
    if (status) return status;
    virtual_sweep();
    int there = virtual_each_host(name, NULL, NULL);
    if (there) {
        virtual_fail("up: %d hosts exist already: %s1, ...; `VIRTUAL_CLUSTER_NAME=%s "
                     "virtual-cluster down` removes them",
                     there, name, name);
        return CM_EXIT_USAGE;
    }
    virtual_wire_stop(name); /* of hosts that somebody else removed */
    size_t n = (size_t)s->hosts * (size_t)s->networks;
    int *taps = malloc(n * sizeof *taps);
    if (!taps) return virtual_fail("out of memory");
    close_others();
    for (size_t k = 0; k < n; k++) taps[k] = -1;
    raise_limit();
    virtual_catch_signals();
    bool made = make(name, s, taps);
    for (size_t k = 0; k < n; k++)
        if (taps[k] >= 0) close(taps[k]);
    free(taps);
    if (made && !virtual_interrupted()) {
        check_neighbours(s);
        return 0;
    }
    virtual_down(name);
    return virtual_interrupted() ? 128 + virtual_interrupted() : CM_EXIT_SYSTEM;
}

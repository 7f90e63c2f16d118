/* SPDX-License-Identifier: BSD-3-Clause */
/* namespace.c: what this process does inside a host's network namespace. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "virtual.h"

int virtual_enter(const char *host)
{
    char path[VIRTUAL_TEXT];
    snprintf(path, sizeof path, "/run/netns/%s", host);
    int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    int there = open(path, O_RDONLY | O_CLOEXEC);
    if (home < 0 || there < 0 || setns(there, CLONE_NEWNET) != 0) {
        virtual_fail("%s: %s", path, strerror(errno));
        if (home >= 0) close(home);
        home = -1;
    }
    if (there >= 0) close(there);
    return home;
}

bool virtual_leave(int home)
{
    bool left = setns(home, CLONE_NEWNET) == 0;
    if (!left) virtual_fail("cannot return from a namespace: %s", strerror(errno));
    close(home);
    return left;
}

bool virtual_is_running(int network)
{
    struct ifreq request = {0};
    snprintf(request.ifr_name, sizeof request.ifr_name, "eth%d", network);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool running =
        fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0 && request.ifr_flags & IFF_RUNNING;
    if (fd >= 0) close(fd);
    return running;
}

int virtual_tap_open(const char *interface)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};
    snprintf(request.ifr_name, sizeof request.ifr_name, "%s", interface);
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && ioctl(fd, TUNSETIFF, &request) == 0) return fd;
    virtual_fail("--rate and --delay need the kernel's tap interfaces: /dev/net/tun: %s",
                 strerror(errno));
    if (fd >= 0) close(fd);
    return -1;
}

bool virtual_offload_off(const char *interface)
{
    static const uint32_t features[] = {ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool off = fd >= 0;
    for (size_t k = 0; off && k < sizeof features / sizeof features[0]; k++) {
        struct ethtool_value value = {.cmd = features[k], .data = 0};
        struct ifreq request = {.ifr_data = (void *)&value};
        snprintf(request.ifr_name, sizeof request.ifr_name, "%s", interface);
        off = ioctl(fd, SIOCETHTOOL, &request) == 0;
    }
    if (!off)
        virtual_fail("segmentation offload of %s cannot be switched off: %s", interface,
                     strerror(errno));
    if (fd >= 0) close(fd);
    return off;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp_rails.c: chooses interfaces according to CM_RAILS and CM_INTERFACE; see
   tcp_rails.h. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "comm/comm.h"
#include "comm/engine/tcp/tcp_rails.h"

#define ASKED \
    "expected a number of connections from 1 to 8, or up to 8 interfaces separated by commas"
_Static_assert(CM_RAILS_MOST == 8, "the text names the largest number of rails");

static cm_tcp_rails rails;

const cm_tcp_rails *cm_tcp_rails_own(void) { return &rails; }

/* The problem may exist on this host only. Through the launcher, the lines of several ranks become
   one. */
static _Noreturn void refuse(const char *why)
{
    cm_abort(CM_EXIT_USAGE, "CM_RAILS=%s: %s", engine.environment.rails, why);
}

/* Returns false if nobody may use the address, although the kernel lists it: an address of IPv6 for
   which it still asks whether another host has it, or that another host has. A datagram socket
   takes no port from the listeners. */
static bool can_be_bound(const cm_machine_interface *interface)
{
    const int fd = socket(interface->address.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool bound =
        bind(fd, (const struct sockaddr *)&interface->address, interface->length) == 0;
    const bool can = bound || errno != EADDRNOTAVAIL;
    if (fd >= 0) close(fd);
    return can;
}

/* Leaves them all if none can be bound: listening says why. */
static void leave_out_unusable(void)
{
    int n = 0;
    for (int i = 0; i < rails.interfaces; i++)
        if (can_be_bound(&rails.interface[i])) rails.interface[n++] = rails.interface[i];
    if (n) rails.interfaces = n;
}

static void choose_alternatives(bool one_host, const char *wanted)
{
    char why[512];
    rails.alternatives = true;
    rails.interfaces = 1;
    if (one_host && !wanted) {
        cm_machine_interface_loopback(AF_INET, &rails.interface[0]);
        return;
    }
    int status = cm_machine_interface_list(wanted, AF_UNSPEC, rails.interface, CM_RAILS_MOST,
                                           &rails.interfaces, why, sizeof why);
    if (status && wanted) cm_abort(status, "CM_INTERFACE=%s: %s", wanted, why);
    if (status) cm_abort(status, "%s (CM_INTERFACE chooses one)", why);
    if (!wanted) leave_out_unusable();
}

/* Chooses the interfaces of a list NAME,NAME... */
static void choose_each(const char *list)
{
    char why[512], name[1025];
    if (engine.environment.interface)
        refuse("names interfaces, and CM_INTERFACE is set too; expected only one of the two");
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const size_t length = strcspn(at, ",");
        if (length == 0 || length >= sizeof name || rails.rails == CM_RAILS_MOST) refuse(ASKED);
        memcpy(name, at, length);
        name[length] = 0;
        int status = cm_machine_interface_choose(name, AF_UNSPEC, &rails.interface[rails.rails],
                                                 why, sizeof why);
        if (status) cm_abort(status, "CM_RAILS=%s: %s: %s", list, name, why);
        rails.interfaces = ++rails.rails;
    }
}

const cm_tcp_rails *cm_tcp_rails_choose(bool one_host)
{
    const char *text = engine.environment.rails;
    rails = (cm_tcp_rails){.rails = 0};
    if (text && strspn(text, "0123456789") != strlen(text)) {
        choose_each(text);
        return &rails;
    }
    const unsigned long n = text ? strtoul(text, NULL, 10) : 1;
    if (n < 1 || n > CM_RAILS_MOST) refuse(ASKED);
    rails.rails = (int)n;
    choose_alternatives(one_host, engine.environment.interface);
    return &rails;
}

void cm_tcp_rails_use(int fd)
{
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    if (!rails.alternatives || rails.interfaces == 1
        || getsockname(fd, (struct sockaddr *)&own, &length) != 0)
        return;
    for (int i = 0; i < rails.interfaces; i++)
        if (cm_machine_interface_same(&rails.interface[i].address, &own)) rails.used |= 1u << i;
}

void cm_tcp_rails_names(char *text, size_t size)
{
    const unsigned used = !rails.alternatives ? ~0u : rails.used ? rails.used : 1;
    text[0] = 0;
    for (int i = 0; i < rails.interfaces; i++) {
        const size_t length = strlen(text);
        bool said = !(used >> i & 1);
        for (int k = 0; rails.alternatives && k < i; k++)
            said |= used >> k & 1 && !strcmp(rails.interface[k].name, rails.interface[i].name);
        if (!said)
            snprintf(text + length, size - length, "%s%s", length ? "," : "",
                     rails.interface[i].name);
    }
}

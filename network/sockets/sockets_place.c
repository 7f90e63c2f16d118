/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_place.c: the host of a rank, and the network interface that it uses. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "machine/cpus.h"
#include "machine/interface.h"
#include "sockets.h"

const char *const sockets_families[] = {"4", "6", "any", NULL};

static bool all_on_one_host(void)
{
    return strcmp(cm_host(cm_world(), 0), cm_host(cm_world(), SOCKETS_RANKS - 1)) == 0;
}

int sockets_place_choose(const sockets_options *options, sockets_place *place, char *why,
                         size_t size)
{
    static const int families[] = {AF_INET, AF_INET6, AF_UNSPEC};
    cm_machine_interface chosen;
    char cause[512];
    const char *variable = getenv("CM_INTERFACE"), *wanted = options->interface;
    if (!wanted && variable && *variable) wanted = variable;

    memset(place, 0, sizeof *place);
    if (!wanted && all_on_one_host()) {
        cm_machine_interface_loopback(families[options->family], &chosen);
    } else {
        int status = cm_machine_interface_choose(wanted, families[options->family], &chosen, cause,
                                                 sizeof cause);
        if (status) {
            snprintf(why, size, "%s%s%s%s",
                     !wanted              ? ""
                     : options->interface ? "--interface "
                                          : "CM_INTERFACE=",
                     wanted ? wanted : "", wanted ? ": " : "", cause);
            return status;
        }
    }
    struct utsname system;
    if (uname(&system) == 0) {
        snprintf(place->host, sizeof place->host, "%.*s", (int)sizeof place->host - 1,
                 system.nodename);
        snprintf(place->kernel, sizeof place->kernel, "%.*s", (int)sizeof place->kernel - 1,
                 system.release);
    }
    place->process = getpid();
    place->family = chosen.address.ss_family == AF_INET6 ? 6 : 4;
    place->mtu_bytes = cm_machine_interface_mtu_bytes(chosen.name);
    snprintf(place->interface, sizeof place->interface, "%s", chosen.name);
    snprintf(place->address, sizeof place->address, "%.*s", (int)sizeof place->address - 1,
             chosen.text);
    cm_machine_cpus cpus = {{0}};
    cm_machine_cpus_affinity(0, &cpus);
    cm_machine_cpus_text(&cpus, place->cpus, sizeof place->cpus);
    return 0;
}

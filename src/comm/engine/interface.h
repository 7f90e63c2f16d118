/* SPDX-License-Identifier: BSD-3-Clause */
/* interface.h: which of this host's addresses others reach it by. */
#ifndef CM_INTERFACE_H
#define CM_INTERFACE_H

#include <stddef.h>
#include <sys/socket.h>

typedef struct {
    struct sockaddr_storage address;   /* port 0                                                    */
    socklen_t length;
    char name[32];                     /* of the interface: "eth0"                                  */
    char text[1025];                   /* the address, printable                                    */
} cm_interface;

/* wanted: an interface's name, an address of this host, or NULL: the first interface that is up and neither
   loopback nor point-to-point, in the kernel's order. IPv4 goes before IPv6; link-local addresses only
   where wanted names their interface. Returns 0, or prints one line that names what there is and returns
   CM_EXIT_USAGE (wanted does not exist) or CM_EXIT_SYSTEM. */
int cm_interface_choose(const char *wanted, cm_interface *interface);

/* The loopback interface's IPv4 address. */
void cm_interface_loopback(cm_interface *interface);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* interface.h: which of this host's addresses others reach it by. */
#ifndef CM_MACHINE_INTERFACE_H
#define CM_MACHINE_INTERFACE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    struct sockaddr_storage address; /* port 0 */
    socklen_t length;
    char name[32];   /* of the interface: "eth0" */
    char text[1025]; /* the address, printable */
} cm_machine_interface;

/* wanted: an interface's name, an address of this host, or NULL: the first interface that is up and
   neither loopback nor point-to-point, in the kernel's order. family: AF_INET, AF_INET6, or
   AF_UNSPEC, where IPv4 goes before IPv6; link-local addresses only where wanted names their
   interface. Returns 0; or CM_EXIT_USAGE (wanted does not exist, or has no address of that family)
   or CM_EXIT_SYSTEM, and then why, of size bytes, says what is wrong and what there is, to be
   printed behind the name of the setting. */
int cm_machine_interface_choose(const char *wanted, int family, cm_machine_interface *interface,
                                char *why, size_t size);

/* The loopback interface's address; AF_UNSPEC: that of IPv4. */
void cm_machine_interface_loopback(int family, cm_machine_interface *interface);

/* The largest packet that the interface of this name takes, in bytes; 0: not known. */
int64_t cm_machine_interface_mtu_bytes(const char *name);

#ifdef __cplusplus
}
#endif
#endif

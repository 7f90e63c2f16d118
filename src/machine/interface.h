/* SPDX-License-Identifier: BSD-3-Clause */
/* interface.h: chooses the address by which other hosts reach this host. */
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
    char name[32];   /* name of the interface: "eth0" */
    char text[1025]; /* the address as text */
} cm_machine_interface;

/* Chooses an interface and its address. wanted is an interface's name or an address of this host.
   NULL stands for the first interface, in the kernel's order, that is up and neither loopback nor
   point-to-point. family is AF_INET, AF_INET6, or AF_UNSPEC, which prefers IPv4 to IPv6. Link-local
   addresses are used only if wanted names their interface.

   Returns 0 on success. Returns CM_EXIT_USAGE if wanted does not exist or has no address of that
   family, and CM_EXIT_SYSTEM on other errors. Then why, a buffer of size bytes, says what is wrong
   and what is available; print it after the name of the setting. */
int cm_machine_interface_choose(const char *wanted, int family, cm_machine_interface *interface,
                                char *why, size_t size);

/* Sets interface to the loopback interface and its address; AF_UNSPEC means IPv4's. */
void cm_machine_interface_loopback(int family, cm_machine_interface *interface);

/* Returns the size in bytes of the largest packet that the named interface takes (its MTU), 0 if it
   is not known. */
int64_t cm_machine_interface_mtu_bytes(const char *name);

#ifdef __cplusplus
}
#endif
#endif

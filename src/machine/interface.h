/* SPDX-License-Identifier: BSD-3-Clause */
/* interface.h: the addresses by which other hosts reach this host. */
#ifndef CM_MACHINE_INTERFACE_H
#define CM_MACHINE_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    struct sockaddr_storage address; /* port 0 */
    socklen_t length;
    char name[32];            /* name of the interface: "eth0" */
    char text[64];            /* the address as text */
    int network_bits;         /* length of the network's prefix */
    int64_t speed_bits_per_s; /* of the interface; -1: not known */
} cm_machine_interface;

/* Lists the addresses by which other hosts may reach this one, the best first, at most `most` of
   them. family is AF_INET, AF_INET6, or AF_UNSPEC, which puts IPv4 before IPv6.

   wanted is a list of interfaces ("eth0"), addresses of this host and networks ("10.77.0.0/16"),
   separated by commas: its addresses come in the order of the list, and words that this host has
   nothing of are left out, because hosts name their interfaces differently. Of an interface there
   is its best address only.

   NULL stands for all interfaces that are up and neither loopback nor point-to-point, the fastest
   first as far as the kernel knows their speeds, otherwise in its order. An address on the loopback
   interface that is not a loopback address counts where there is no other: hosts of routed networks
   have theirs there. Link-local addresses are used only if wanted names their interface: that of
   the service processor is the same on all hosts.

   Returns 0 on success. Returns CM_EXIT_USAGE if this host has nothing of wanted, or if a word of
   it is malformed, and CM_EXIT_SYSTEM on other errors. Then why, a buffer of size bytes, says what
   is wrong and what is available; print it after the name of the setting. */
int cm_machine_interface_list(const char *wanted, int family, cm_machine_interface *list, int most,
                              int *n, char *why, size_t size);

/* The first of that list. */
int cm_machine_interface_choose(const char *wanted, int family, cm_machine_interface *interface,
                                char *why, size_t size);

/* Sorts by speed, the fastest first. Interfaces of equal speed stay in their order; one whose speed
   is not known keeps its place. */
void cm_machine_interface_sort(cm_machine_interface *list, int n);

/* Returns true if the address is in the interface's network. */
bool cm_machine_interface_reaches(const cm_machine_interface *interface,
                                  const struct sockaddr_storage *address);
/* Returns true if two addresses are equal, whatever their ports. */
bool cm_machine_interface_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b);

/* Sets interface to the loopback interface and its address; AF_UNSPEC means IPv4's. */
void cm_machine_interface_loopback(int family, cm_machine_interface *interface);

/* Returns the size in bytes of the largest packet that the named interface takes (its MTU), 0 if it
   is not known. */
int64_t cm_machine_interface_mtu_bytes(const char *name);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* computer.h: which ranks run on one computer. Hosts that share a kernel (network namespaces,
   containers) are several hosts on one computer: their ranks share its cores and its memory. */
#ifndef CM_COMPUTER_H
#define CM_COMPUTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes the text that the kernel drew at random when it started (36 characters). Returns false if
   the kernel does not say, or the text does not fit. */
bool cm_computer_boot(char *text, size_t capacity);

/* Returns a number that is the same for all processes that share a kernel and the processors of its
   topmost control group, and otherwise differs. A container with processors or a quota of its own
   counts as a computer. host is the name of this host, the number if the kernel does not say. */
uint64_t cm_computer_here(const char *host);

/* Returns the number of a host that is only known by name. */
uint64_t cm_computer_named(const char *host);

struct cm_group;

/* Returns the number of the computer of a group's rank. Every backend defines it. */
uint64_t cm_computer_of(const struct cm_group *group, int rank);

#endif

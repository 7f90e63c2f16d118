/* SPDX-License-Identifier: BSD-3-Clause */
/* doors.h: what a process holds open, as /proc shows it. */
#ifndef CM_TEST_DOORS_H
#define CM_TEST_DOORS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int count;        /* sockets of this process that listen */
    char address[64]; /* of the last: "127.0.0.1", "::1" */
    uint16_t port;
} doors;

doors doors_of(int pid);

/* Whether a descriptor of this process is the socket with this inode. */
bool doors_has_socket(int pid, unsigned long inode);

/* Open descriptors, resident memory (KiB); -1: no such process. */
int doors_descriptors(int pid);
long doors_resident_kib(int pid);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* shim.h: faults at exact places of a rank's streams. faults/shim.c defines send, recv and
   their kin in place of libc's: linked into a program, or preloaded (faults/shim.so) before one
   that knows nothing of it. Preloaded it reads

     FAULTS_CUT=SEED      every transfer over a stream socket moves 1 to 7 bytes, of long ones some
                          move more; one in 16 does nothing and fails with EINTR or EAGAIN; drawn
                          from the seed and the rank
     FAULTS_TIMER_US=N    SIGALRM every N microseconds, handled, and system calls not restarted
     FAULTS_UNTAKEN_MS=N  messages that pass descriptors on fail with ETOOMANYREFS, which the kernel
                          says to a user who has too many of them under way, until N ms after the
                          first
     FAULTS_REPORT=FILE   at the end one line, appended: how many transfers were cut, how many
                          failed, how many signals came */
#ifndef CM_FAULTS_SHIM_H
#define CM_FAULTS_SHIM_H

#include <stdbool.h>
#include <stddef.h>

typedef enum {
    FAULTS_WRITTEN, /* to other ranks */
    FAULTS_READ,    /* from other ranks */
    FAULTS_SAID,    /* to the launcher: written to sockets of the UNIX domain */
    FAULTS_COPIED   /* by the kernel, from or to the memory of other ranks */
} faults_stream;

/* Sends this process the signal when so many more bytes have gone that way, not a byte earlier or
   later. */
void faults_after(faults_stream stream, size_t bytes, int signal);

/* Returns true for a socket that is connected to another rank. */
bool faults_is_lane(int fd);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* door.h: the socket on which a rank listens for ranks of its host, where only this user gets at
   it. It is bound to a file of mode 0600 that is removed at once. The rank keeps a descriptor of
   the file, and peers connect to /proc/PID/fd/NUMBER, which the kernel opens to processes of this
   user alone. Where that cannot be (no folder to write to, no /proc, a namespace of its own), the
   socket has an abstract name: others can then fill its queue, but not get in. */
#ifndef CM_SHM_DOOR_H
#define CM_SHM_DOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

enum { CM_DOOR_NAME_BYTES = 64 };

typedef struct {
    int listener;                  /* does not block, listens */
    int file;                      /* descriptor of the removed file; -1: the name is abstract */
    char name[CM_DOOR_NAME_BYTES]; /* for peers: digits, letters and '.' */
} cm_door;

/* Returns true if all processes of this user on this host see each other in /proc. Ranks where this
   is true do not reach ranks where it is not. */
bool cm_door_sees_all(void);

/* random: 24 hexadecimal digits. Returns 0 or an errno. */
int cm_door_open(const char *random, cm_door *door);
void cm_door_shut(cm_door *door);

/* Sets the address of the door whose name this text begins with. Returns its length. */
socklen_t cm_door_address(const char *name, struct sockaddr_un *address);

#pragma GCC visibility pop
#endif

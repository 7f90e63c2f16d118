/* SPDX-License-Identifier: BSD-3-Clause */
/* tcp.h: the functions of the transport TCP; transport_table.h says what each does. */
#ifndef CM_TCP_H
#define CM_TCP_H

#include "comm/engine/transport_table.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

extern const cm_transport cm_tcp;

void cm_tcp_open(bool one_host, char *card, size_t capacity, int *rails);
void cm_tcp_shut(void);
bool cm_tcp_reaches(const char *address);
cm_lane *cm_tcp_connect(int peer, int rail, const char *address);
ssize_t cm_tcp_write(cm_lane *lane, const struct iovec *parts, int n);
ssize_t cm_tcp_read(cm_lane *lane, const struct iovec *parts, int n);
void cm_tcp_close(cm_lane *lane);
void cm_tcp_want_room(cm_lane *lane, bool want);
uint8_t cm_tcp_pad_units(const char *data, size_t bytes);
size_t cm_tcp_in_flight(const cm_lane *lane);
bool cm_tcp_unanswered(const cm_lane *lane, double seconds);
bool cm_tcp_pursue(cm_lane *lane, bool silent);
void cm_tcp_describe(cm_describe_each *each, void *context);

/* Returns the name of the interface that this rank's rail uses. */
const char *cm_tcp_interface(int rail);

#pragma GCC visibility pop
#endif

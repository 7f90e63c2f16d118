/* SPDX-License-Identifier: BSD-3-Clause */
/* shm.h: the functions of the transport shm, the memory that ranks of one host share.
   transport_table.h says what each does. */
#ifndef CM_SHM_H
#define CM_SHM_H

#include "comm/engine/transport_table.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

extern const cm_transport cm_shm;

void cm_shm_open(bool one_host, char *card, size_t capacity, int *rails);
void cm_shm_shut(void);
bool cm_shm_reaches(const char *address);
cm_lane *cm_shm_connect(int peer, int rail, const char *address);
ssize_t cm_shm_write(cm_lane *lane, const struct iovec *parts, int n);
ssize_t cm_shm_read(cm_lane *lane, const struct iovec *parts, int n);
void cm_shm_close(cm_lane *lane);
void cm_shm_want_room(cm_lane *lane, bool want);
uint8_t cm_shm_pad_units(const char *data, size_t bytes);
size_t cm_shm_in_flight(const cm_lane *lane);
bool cm_shm_unanswered(const cm_lane *lane, double seconds);
bool cm_shm_pursue(cm_lane *lane, bool silent);
void cm_shm_describe(cm_describe_each *each, void *context);
bool cm_shm_look(void);
bool cm_shm_sleeps(bool sleeps);
int cm_shm_patience_ms(void);
bool cm_shm_give(cm_lane *lane, const cm_area *area, uint32_t *number);
bool cm_shm_revoke(cm_lane *lane, const cm_area *area, uint32_t *number);
const cm_segment *cm_shm_area(cm_lane *lane, uint32_t number);
void cm_shm_forget(cm_lane *lane, uint32_t number);

#pragma GCC visibility pop
#endif

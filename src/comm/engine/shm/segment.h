/* SPDX-License-Identifier: BSD-3-Clause */
/* segment.h: the memory that two ranks of a host share: a ring in each direction. It has no name,
   so that it ends with the last process that has it, whatever ends that. The connecting rank makes
   it and sends its descriptor over the connection. */
#ifndef CM_SEGMENT_H
#define CM_SEGMENT_H

#include "comm/engine/region.h"
#include "comm/engine/shm/ring.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

/* Makes memory of this size, zero and sealed; its name shows in /proc/PID/maps. Returns its
   descriptor, or -1; see errno. */
int cm_segment_create(const char *name, size_t bytes, cm_mapping *segment);

/* Looks at memory of another process. Returns its size, or 0 and what is wrong with it: it must be
   sealed ordinary memory, because memory that its maker makes smaller, or that the system may not
   have, would kill this process. */
size_t cm_segment_examine(int fd, const char **wrong);

/* Maps memory that was examined. Does not close fd. Returns false if the system refuses. */
bool cm_segment_map(int fd, size_t bytes, cm_mapping *segment);

/* Makes a segment with rings of this size. Returns its descriptor, or -1; see errno. */
int cm_segment_make(size_t ring_bytes, cm_mapping *segment);

/* Maps a segment of another process. Does not close fd. Returns NULL, or what is wrong with it. */
const char *cm_segment_take(int fd, cm_mapping *segment);

/* Returns a word for claims (share.c) of the maker's sends, or of the other rank's; n <
   CM_LANE_WORDS. */
_Atomic uint64_t *cm_segment_word(const cm_mapping *segment, bool makers, unsigned n);

void cm_segment_release(cm_mapping *segment);

/* Opens the rings of a side. maker is true for the rank that made the segment. */
void cm_segment_rings(const cm_mapping *segment, bool maker, cm_ring_writer *writer,
                      cm_ring_reader *reader);

#pragma GCC visibility pop
#endif

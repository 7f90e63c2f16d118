/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_kernels.h: STREAM's kernels for one instruction set. */
#ifndef CM_STREAM_KERNELS_H
#define CM_STREAM_KERNELS_H

#include "machine/sets.h"
#include "memory/stream.h"

typedef struct {
    bool nontemporal; /* whether there are stores past the caches */
    void (*run)(const cm_stream *stream, cm_stream_kernel kernel, cm_stream_stores stores);
} cm_stream_kernels;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.h: the four kernels of STREAM (McCalpin 1995) over doubles, and STREAM's check of what
   they left.

       copy   c = a            scale   b = q c
       add    c = a + b        triad   a = b + q c

   in this order, which is a pass. A processor that stores to a line it does not have reads it first
   (write allocate), so that memory moves one word more than STREAM counts; stores past the caches
   (non-temporal) save that. */
#ifndef CM_STREAM_H
#define CM_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* sqrt(2) - 1: a pass makes a (2 q + q^2) of a, which is a again, however many passes there are.
   STREAM's own q = 3 multiplies the numbers by 15 each time, and overflows after 261. */
#define CM_STREAM_Q 0.41421356237309503

typedef enum {
    CM_STREAM_COPY,
    CM_STREAM_SCALE,
    CM_STREAM_ADD,
    CM_STREAM_TRIAD,
    CM_STREAM_KERNELS
} cm_stream_kernel;
typedef enum { CM_STREAM_ORDINARY, CM_STREAM_NONTEMPORAL, CM_STREAM_STORES } cm_stream_stores;
extern const char *const cm_stream_names[CM_STREAM_KERNELS + 1]; /* "copy", ...; NULL at the
                                                                      end */

typedef struct {
    double *a, *b, *c;
    size_t n;
} cm_stream;

/* Three arrays of n numbers, filled as STREAM does (a = 2, b = 2, c = 0). false: out of memory. */
bool cm_stream_open(size_t n, cm_stream *stream);
void cm_stream_close(cm_stream *stream);
void cm_stream_fill(cm_stream *stream);

/* Runs one kernel over the arrays. Where the compiler makes no non-temporal stores, cm_stream_has
   says so and the ordinary ones are used. */
void cm_stream_run(const cm_stream *stream, cm_stream_kernel kernel, cm_stream_stores stores);
bool cm_stream_has(cm_stream_stores stores);

/* Bytes a kernel moves over n numbers: as STREAM counts them, and as memory does. */
double cm_stream_bytes(cm_stream_kernel kernel, size_t n);
double cm_stream_moved_bytes(cm_stream_kernel kernel, cm_stream_stores stores, size_t n);

/* STREAM's check after so many passes since the arrays were filled: the largest, over the three
   arrays, of mean |x - expected| / |expected|. STREAM accepts up to CM_STREAM_TOLERANCE, which
   rounding alone cannot reach within CM_STREAM_MOST_PASSES. Within a pass a kernel may be repeated:
   none reads what it writes. */
#define CM_STREAM_TOLERANCE 1e-13
enum { CM_STREAM_MOST_PASSES = 400 };
double cm_stream_error(const cm_stream *stream, size_t passes);

/* Numbers of an array that is CM_STREAM_CACHES times the last-level cache, STREAM's rule for one
   that no cache holds; without a known cache 2^25. */
enum { CM_STREAM_CACHES = 4 };
size_t cm_stream_least_n(void);

#ifdef __cplusplus
}
#endif
#endif

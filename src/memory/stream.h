/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.h: the four kernels of STREAM (McCalpin 1995) over doubles, and STREAM's check of their
   results.

       copy   c = a            scale   b = q c
       add    c = a + b        triad   a = b + q c

   A pass runs them in this order. A processor that stores to a cache line that it does not have
   reads the line first (write allocate), so memory moves one word more than STREAM counts. Stores
   that bypass the caches (non-temporal) avoid that. */
#ifndef CM_STREAM_H
#define CM_STREAM_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The factor q = sqrt(2) - 1. A pass turns a into a (2 q + q^2), which is a again after any number
   of passes. STREAM's own q = 3 multiplies the numbers by 15 in each pass and overflows after 261
   passes. */
#define CM_STREAM_Q 0.41421356237309503

typedef enum {
    CM_STREAM_COPY,
    CM_STREAM_SCALE,
    CM_STREAM_ADD,
    CM_STREAM_TRIAD,
    CM_STREAM_KERNELS
} cm_stream_kernel;
typedef enum { CM_STREAM_ORDINARY, CM_STREAM_NONTEMPORAL, CM_STREAM_STORES } cm_stream_stores;
/* "copy", ...; NULL at the end. */
extern const char *const cm_stream_names[CM_STREAM_KERNELS + 1];

typedef struct {
    double *a, *b, *c;
    size_t n; /* numbers of each array */
} cm_stream;

/* Allocates three arrays of n numbers and fills them. Returns false if memory is short. */
bool cm_stream_open(size_t n, cm_stream *stream);
void cm_stream_close(cm_stream *stream);
/* Fills the arrays as STREAM does (a = 2, b = 2, c = 0). */
void cm_stream_fill(cm_stream *stream);

/* Runs one kernel over the arrays. If the compiler has no non-temporal stores, cm_stream_has
   returns false for them and ordinary stores are used. */
void cm_stream_run(const cm_stream *stream, cm_stream_kernel kernel, cm_stream_stores stores);
bool cm_stream_has(cm_stream_stores stores);

/* Return the bytes that a kernel moves over n numbers: as STREAM counts them, and as memory moves
   them. */
double cm_stream_bytes(cm_stream_kernel kernel, size_t n);
double cm_stream_moved_bytes(cm_stream_kernel kernel, cm_stream_stores stores, size_t n);

/* STREAM's check after the given number of passes since the arrays were filled. Returns the largest
   mean |x - expected| / |expected| of the three arrays. STREAM accepts up to CM_STREAM_TOLERANCE,
   which rounding alone cannot reach within CM_STREAM_MOST_PASSES passes. A kernel may be repeated
   within a pass, because no kernel reads what it writes. */
#define CM_STREAM_TOLERANCE 1e-13
enum { CM_STREAM_MOST_PASSES = 400 };
double cm_stream_error(const cm_stream *stream, size_t passes);
/* The same for passes with another factor than CM_STREAM_Q. */
double cm_stream_error_of(const cm_stream *stream, double q, size_t passes);

/* Returns the length, in numbers, of an array that is CM_STREAM_CACHES times as large as all
   last-level caches of this computer together (cm_machine_last_caches_bytes): STREAM's rule for an
   array that no cache holds. */
enum { CM_STREAM_CACHES = 4 };
size_t cm_stream_least_n(void);

#ifdef __cplusplus
}
#endif
#endif

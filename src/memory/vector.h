/* SPDX-License-Identifier: BSD-3-Clause */
/* vector.h: vectors as wide as the processor's registers, and stores that bypass the caches, for
   loops that the compiler would not vectorize in this way. The types are GNU C's vector types.

   CM_VECTOR_BYTES is the size of a vector. CM_VECTOR_NONTEMPORAL is 1 if there are stores that
   bypass the caches, else 0. */
#ifndef CM_VECTOR_H
#define CM_VECTOR_H

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)
#define CM_VECTOR_BYTES 64
#elif defined(__AVX__)
#define CM_VECTOR_BYTES 32
#else
#define CM_VECTOR_BYTES 16
#endif

/* A vector of a type with _any may be at the address of any number; the other types need an address
   aligned to CM_VECTOR_BYTES. may_alias: rows are allocated as bytes. */
typedef float cm_vector_float __attribute__((vector_size(CM_VECTOR_BYTES), may_alias));
typedef float cm_vector_float_any
    __attribute__((vector_size(CM_VECTOR_BYTES), may_alias, aligned(sizeof(float))));
typedef double cm_vector_double __attribute__((vector_size(CM_VECTOR_BYTES), may_alias));
typedef double cm_vector_double_any
    __attribute__((vector_size(CM_VECTOR_BYTES), may_alias, aligned(sizeof(double))));

/* Store v, bypassing the caches, to an address aligned to CM_VECTOR_BYTES. Call cm_vector_fence
   before others may rely on such stores. */
#if defined(__AVX512F__)
#define CM_VECTOR_NONTEMPORAL 1
static inline void cm_vector_store_past_float(float *to, cm_vector_float v)
{
    _mm512_stream_ps(to, (__m512)v);
}
static inline void cm_vector_store_past_double(double *to, cm_vector_double v)
{
    _mm512_stream_pd(to, (__m512d)v);
}
#elif defined(__AVX__)
#define CM_VECTOR_NONTEMPORAL 1
static inline void cm_vector_store_past_float(float *to, cm_vector_float v)
{
    _mm256_stream_ps(to, (__m256)v);
}
static inline void cm_vector_store_past_double(double *to, cm_vector_double v)
{
    _mm256_stream_pd(to, (__m256d)v);
}
#elif defined(__SSE2__)
#define CM_VECTOR_NONTEMPORAL 1
static inline void cm_vector_store_past_float(float *to, cm_vector_float v)
{
    _mm_stream_ps(to, (__m128)v);
}
static inline void cm_vector_store_past_double(double *to, cm_vector_double v)
{
    _mm_stream_pd(to, (__m128d)v);
}
#else
#define CM_VECTOR_NONTEMPORAL 0
static inline void cm_vector_store_past_float(float *to, cm_vector_float v)
{
    *(cm_vector_float *)to = v;
}
static inline void cm_vector_store_past_double(double *to, cm_vector_double v)
{
    *(cm_vector_double *)to = v;
}
#endif

static inline void cm_vector_fence(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

#endif

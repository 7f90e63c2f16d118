/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp.h: BSPlib (J. M. D. Hill, B. McColl, D. C. Stefanescu, M. W. Goudreau, K. Lang, S. B. Rao, T.
   Suel, T. Tsantilas, R. H. Bisseling: BSPlib: The BSP programming library. Parallel Computing 24
   (1998) 1947-1980) on clustermark's communication layer. Programs written for BSPlib compile as
   they are.

   A program is a sequence of supersteps, each ended by bsp_sync on all processes. What a process
   asks of others in a superstep has happened when bsp_sync returns.

   Sizes are int, as in the standard; the forms with 64 take size_t. Where a size comes back through
   a pointer, programs for MulticoreBSP (A. N. Yzelman, R. H. Bisseling, D. Roose, K. Meerbergen:
   MulticoreBSP for C. International Journal of Parallel Programming 42 (2014) 619-642) pass a
   pointer to size_t; the end of this file lets both compile. A call that is wrong (an area that is
   not registered, a write beyond it, registrations or numbers of supersteps that do not match) ends
   the job with status 2 and a line that names rank and superstep. */
#ifndef CM_BSP_BSP_H
#define CM_BSP_BSP_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* How bsp_set_tagsize, bsp_qsize and bsp_get_tag see what their arguments point to: by overloading
   in C++, by _Generic in C11 and, as an extension, in older C where GCC or Clang compile it.
   Elsewhere they take pointers to int, or, where CM_BSP_SIZE_T is defined before this file is
   included, to size_t. */
#if defined(__cplusplus)
#define CM_BSP_OVERLOADED
#elif defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 5)
#define CM_BSP_GENERIC __extension__ _Generic
#elif !defined(__GNUC__) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define CM_BSP_GENERIC _Generic
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types that programs for MulticoreBSP name --------------------------------------------- */

/* A process, a number of processes or messages, a number of bytes. */
typedef int bsp_pid_t;
#if defined(CM_BSP_OVERLOADED) || defined(CM_BSP_GENERIC)
typedef int bsp_nprocs_t;
typedef size_t bsp_size_t;
#elif defined(CM_BSP_SIZE_T)
typedef size_t bsp_nprocs_t;
typedef size_t bsp_size_t;
#else
typedef int bsp_nprocs_t;
typedef int bsp_size_t;
#endif

/* ---- Life ---------------------------------------------------------------------------------- */

/* First in main, where not all of main is the SPMD part: processes other than 0 call spmd_part and
   exit. May be left out when bsp_begin is the first and bsp_end the last statement of main. */
void bsp_init(void (*spmd_part)(void), int argc, char **argv);

/* The SPMD part, on at most max_processes of the processes there are; what process 0 says counts.
   Processes that are not needed exit here. */
void bsp_begin(int max_processes);
void bsp_end(void);

/* Ends the job with status 1 (in any superstep, on any process) and prints the text. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2), noreturn))
#endif
void bsp_abort(const char *format, ...);

int bsp_nprocs(void);  /* processes of the SPMD part; outside of it, processes that there are */
int bsp_pid(void);     /* 0 <= bsp_pid() < bsp_nprocs() */
double bsp_time(void); /* seconds since bsp_begin */

/* Ends a superstep. In this order: gets read; gets deliver; puts write; messages arrive; what was
   popped is no longer and what was pushed is now registered; a new size of tags holds. */
void bsp_sync(void);

/* ---- Registration -------------------------------------------------------------------------- */

/* From the next superstep on the area of size bytes at ident belongs to the areas that the other
   processes registered by their call of the same number. NULL: this process has none. The newest
   registration of an address counts. */
void bsp_push_reg(const void *ident, int size);
void bsp_push_reg64(const void *ident, size_t size);

/* Ends the newest registration of this address (also one of this superstep) at the end of the
   superstep. Any order is right, as long as it is the same on all processes. NULL: the area that
   the other processes name; if they all say NULL, the newest that all registered as NULL. */
void bsp_pop_reg(const void *ident);

/* ---- Direct access to memory --------------------------------------------------------------- */

/* 0 bytes: nothing happens, and nothing but pid is looked at. */

/* Copies bytes at src into the area of process pid that belongs to the area registered here as dst,
   from offset on. The source is read now; the write happens at the end of the superstep. Where
   writes overlap, one of them is seen (CM_BSP_CHECK=1 ends the job instead and names both). */
void bsp_put(int pid, const void *src, void *dst, int offset, int bytes);
void bsp_put64(int pid, const void *src, void *dst, size_t offset, size_t bytes);

/* Copies bytes of the area of process pid that belongs to src into dst at the end of the superstep;
   they are those from before the writes of this superstep. */
void bsp_get(int pid, const void *src, int offset, void *dst, int bytes);
void bsp_get64(int pid, const void *src, size_t offset, void *dst, size_t bytes);

/* The same without copies between: both sides' memory may be read and written at any time until the
   end of the superstep. */
void bsp_hpput(int pid, const void *src, void *dst, int offset, int bytes);
void bsp_hpput64(int pid, const void *src, void *dst, size_t offset, size_t bytes);
void bsp_hpget(int pid, const void *src, int offset, void *dst, int bytes);
void bsp_hpget64(int pid, const void *src, size_t offset, void *dst, size_t bytes);

/* ---- Messages ------------------------------------------------------------------------------ */

/* Bytes of the tags that are sent from the next superstep on, alike on all processes; 0 at first.
   *tag_bytes gets what the call before this one said. */
void bsp_set_tagsize(int *tag_bytes);
void bsp_set_tagsize64(size_t *tag_bytes);

/* A message to pid, which has it in its queue in the next superstep, and in no other. */
void bsp_send(int pid, const void *tag, const void *payload, int payload_bytes);
void bsp_send64(int pid, const void *tag, const void *payload, size_t payload_bytes);

/* Messages that are in the queue still, and bytes of their payloads (NULL: not wanted). */
void bsp_qsize(int *messages, int *payload_bytes);
void bsp_qsize64(size_t *messages, size_t *payload_bytes);

/* Of the first message in the queue: its payload's bytes, or -1 without one; and its tag. */
void bsp_get_tag(int *payload_bytes, void *tag);
void bsp_get_tag64(int64_t *payload_bytes, void *tag);

/* Takes the first message from the queue: its payload, at most capacity bytes of it. */
void bsp_move(void *payload, int capacity);
void bsp_move64(void *payload, size_t capacity);

/* Takes the first message from the queue without a copy: payload's bytes or -1. The pointers hold
   until the end of the superstep; the payload's is a multiple of 8. */
int bsp_hpmove(void **tag, void **payload);
int64_t bsp_hpmove64(void **tag, void **payload);

/* What bsp_qsize and bsp_get_tag are for pointers to unsigned int and to size_t. */
void cm_bsp_qsize_unsigned(unsigned int *messages, size_t *payload_bytes);
void cm_bsp_get_tag_size(size_t *payload_bytes, void *tag); /* (size_t)-1 without a message */

#ifdef __cplusplus
}
#endif

/* ---- Pointers to size_t -------------------------------------------------------------------- */

/* bsp_set_tagsize, bsp_qsize and bsp_get_tag take pointers to int or to size_t. bsp_qsize also
   counts messages in an unsigned int. A pointer to anything else does not compile. In C these are
   macros: (bsp_qsize) and &bsp_qsize are the functions above. */
#if defined(CM_BSP_OVERLOADED)

/* Some programs include this file inside of extern "C". */
extern "C++" {

inline void bsp_set_tagsize(size_t *tag_bytes) { bsp_set_tagsize64(tag_bytes); }

inline void bsp_get_tag(size_t *payload_bytes, void *tag)
{
    cm_bsp_get_tag_size(payload_bytes, tag);
}

inline void bsp_qsize(size_t *messages, size_t *payload_bytes)
{
    bsp_qsize64(messages, payload_bytes);
}

inline void cm_bsp_qsize(int *messages, size_t *payload_bytes)
{
    bsp_qsize(messages, static_cast<int *>(NULL));
    bsp_qsize64(NULL, payload_bytes);
}

inline void cm_bsp_qsize(unsigned int *messages, size_t *payload_bytes)
{
    cm_bsp_qsize_unsigned(messages, payload_bytes);
}

/* NULL matches no template: a call with NULL in either place is not ambiguous. */
template <typename Count> inline void bsp_qsize(Count *messages, size_t *payload_bytes)
{
    cm_bsp_qsize(messages, payload_bytes);
}

} /* extern "C++" */

#elif defined(CM_BSP_GENERIC)

/* Has the type of p, and void * where p is NULL, however NULL is spelled. */
#define CM_BSP_TYPE(p) (1 ? (p) : (void *)0)

#define bsp_set_tagsize(tag_bytes) \
    (CM_BSP_GENERIC(CM_BSP_TYPE(tag_bytes), \
        int *: bsp_set_tagsize, size_t *: bsp_set_tagsize64)(tag_bytes))

#define bsp_get_tag(payload_bytes, tag) \
    (CM_BSP_GENERIC(CM_BSP_TYPE(payload_bytes), \
        int *: bsp_get_tag, size_t *: cm_bsp_get_tag_size)(payload_bytes, tag))

/* Where size_t is unsigned int, a list that named both would name one type twice. */
#if SIZE_MAX > UINT_MAX
#define CM_BSP_UNSIGNED unsigned int * : cm_bsp_qsize_unsigned,
#else
#define CM_BSP_UNSIGNED
#endif

/* A call for each argument, since their types may differ. */
#define bsp_qsize(messages, payload_bytes) \
    (CM_BSP_GENERIC(CM_BSP_TYPE(messages), CM_BSP_UNSIGNED \
        int *: bsp_qsize, void *: bsp_qsize, size_t *: bsp_qsize64)(messages, NULL), \
     CM_BSP_GENERIC(CM_BSP_TYPE(payload_bytes), \
        int *: bsp_qsize, void *: bsp_qsize, size_t *: bsp_qsize64)(NULL, payload_bytes))

#elif defined(CM_BSP_SIZE_T)

#define bsp_set_tagsize(tag_bytes) bsp_set_tagsize64(tag_bytes)
#define bsp_get_tag(payload_bytes, tag) cm_bsp_get_tag_size(payload_bytes, tag)
#define bsp_qsize(messages, payload_bytes) bsp_qsize64(messages, payload_bytes)

#endif
#endif

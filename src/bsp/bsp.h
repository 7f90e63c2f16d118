/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp.h: BSPlib (J. M. D. Hill, B. McColl, D. C. Stefanescu, M. W. Goudreau, K. Lang, S. B. Rao, T.
   Suel, T. Tsantilas, R. H. Bisseling: BSPlib: The BSP programming library. Parallel Computing 24
   (1998) 1947-1980) on clustermark's communication layer. Programs written for BSPlib compile as
   they are.

   A program is a sequence of supersteps. Each superstep ends with bsp_sync on all processes. All
   reads, writes and messages that a process requests in a superstep are complete when bsp_sync
   returns.

   Sizes are in bytes. They are int, as in the standard; the forms with 64 take size_t. If a size
   comes back through a pointer, programs for MulticoreBSP (A. N. Yzelman, R. H. Bisseling, D.
   Roose, K. Meerbergen: MulticoreBSP for C. International Journal of Parallel Programming 42 (2014)
   619-642) pass a pointer to size_t; the end of this file lets both compile.

   A wrong call (an area that is not registered, a write beyond it, registrations or numbers of
   supersteps that do not match) ends the job with status 2 and a line that names the rank and the
   superstep. */
#ifndef CM_BSP_BSP_H
#define CM_BSP_BSP_H

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* How bsp_set_tagsize, bsp_qsize and bsp_get_tag distinguish the types that their arguments point
   to: by overloading in C++, and by _Generic in C11 and, as an extension of GCC and Clang, in older
   C. Otherwise they take pointers to int, or pointers to size_t if CM_BSP_SIZE_T is defined before
   this file is included. */
#if defined(__cplusplus)
#define CM_BSP_OVERLOADED
#elif defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 5)
#define CM_BSP_GENERIC __extension__ _Generic
#elif !defined(__GNUC__) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define CM_BSP_GENERIC _Generic
#endif

/* Argument n is an address whose contents the call itself does not read. Otherwise GCC warns if a
   variable is registered or fetched before it has a value. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define CM_BSP_ADDRESS(n) __attribute__((access(none, n)))
#else
#define CM_BSP_ADDRESS(n)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types that programs for MulticoreBSP name --------------------------------------------- */

/* bsp_pid_t: a process; bsp_nprocs_t: a number of processes or messages; bsp_size_t: a number of
   bytes. */
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

/* Must be the first statement of main if main does more than the SPMD part. Processes other than 0
   call spmd_part and exit. main may end without the SPMD part. argc and argv are main's. bsp_init
   may be left out if bsp_begin is the first and bsp_end the last statement of main.

   As in MulticoreBSP, a program may have several SPMD parts, one after the other: it calls
   spmd_part again, or bsp_init with another function first. Process 0 alone runs what stands
   between them; the others wait, and call the function anew for each part. (A part in main itself
   is the first. If a later one stands in main, too, without bsp_init, those who took part in the
   one before run what stands between, and no others can take part.) */
void bsp_init(void (*spmd_part)(void), int argc, char **argv);

/* bsp_begin starts the SPMD part on at most max_processes (at least 1) of the processes of the
   job; the value of process 0 counts. Processes that are not needed wait here for another part or
   the end of the job. bsp_end ends the SPMD part. In C and C++, a process whose bsp_begin is not
   the one that process 0 calls ends the job: bsp_begin is also a macro, which gives its line. */
void bsp_begin(int max_processes);
void cm_bsp_begin_at(int max_processes, const char *file, int line);
#define bsp_begin(max_processes) cm_bsp_begin_at(max_processes, __FILE__, __LINE__)
void bsp_end(void);

/* Prints the formatted text and ends the job with status 1. Any process may call it in any
   superstep. Does not return. The format is not checked against the arguments by the compiler:
   bsplu of BSPedupack 2 prints a long with %d, and programs shall compile without a warning. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void bsp_abort(const char *format, ...);

/* The same with a list of arguments, as in MulticoreBSP. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void bsp_vabort(const char *format, va_list arguments);

int bsp_nprocs(void);  /* number of processes of the SPMD part; outside of it, of the job */
int bsp_pid(void);     /* this process: 0 <= bsp_pid() < bsp_nprocs() */
double bsp_time(void); /* seconds since bsp_begin */

/* Ends a superstep. All processes call it. These happen in this order: gets read their sources;
   gets write their destinations; puts write; messages arrive; popped registrations end and pushed
   ones become valid; a new size of tags takes effect. */
void bsp_sync(void);

/* ---- Registration -------------------------------------------------------------------------- */

/* Registers the area of size bytes at ident from the next superstep on. The area corresponds to the
   areas that the other processes register with their call of the same number. With NULL and size 0
   this process has no area. The newest registration of an address counts. */
CM_BSP_ADDRESS(1) void bsp_push_reg(const void *ident, int size);
CM_BSP_ADDRESS(1) void bsp_push_reg64(const void *ident, size_t size);

/* Ends the newest registration of this address, even one of this superstep, at the end of the
   superstep. Registrations may end in any order, which must be the same on all processes. NULL
   stands for the area that the other processes name; if all processes pass NULL, it is the newest
   area that all registered as NULL. */
CM_BSP_ADDRESS(1) void bsp_pop_reg(const void *ident);

/* ---- Direct access to memory --------------------------------------------------------------- */

/* If bytes is 0, nothing happens and only pid is checked. */

/* bsp_put copies bytes from src to process pid, into the area that corresponds to the area
   registered here as dst, offset bytes after its beginning. The source is read at once; the write
   happens at the end of the superstep. If writes overlap, the bytes of one of them remain. (With
   CM_BSP_CHECK=1 such writes end the job with a line that names both.) */
void bsp_put(int pid, const void *src, void *dst, int offset, int bytes);
void bsp_put64(int pid, const void *src, void *dst, size_t offset, size_t bytes);

/* bsp_get copies bytes from process pid, from the area that corresponds to the area registered here
   as src, offset bytes after its beginning, to dst. The copy happens at the end of the superstep,
   with the contents from before the writes of this superstep. */
CM_BSP_ADDRESS(2) void bsp_get(int pid, const void *src, int offset, void *dst, int bytes);
CM_BSP_ADDRESS(2) void bsp_get64(int pid, const void *src, size_t offset, void *dst, size_t bytes);

/* bsp_put and bsp_get without intermediate copies: the memory on both sides may be read and written
   at any time until the end of the superstep. */
void bsp_hpput(int pid, const void *src, void *dst, int offset, int bytes);
void bsp_hpput64(int pid, const void *src, void *dst, size_t offset, size_t bytes);
CM_BSP_ADDRESS(2) void bsp_hpget(int pid, const void *src, int offset, void *dst, int bytes);
CM_BSP_ADDRESS(2)
void bsp_hpget64(int pid, const void *src, size_t offset, void *dst, size_t bytes);

/* MulticoreBSP's read that is complete when it returns. It takes what is in the area then: what was
   there at the end of the last superstep, unless its owner writes to it meanwhile. The owner
   answers in its calls of bsp_sync, bsp_end, bsp_direct_get and cm_bsp_progress. */
CM_BSP_ADDRESS(2) void bsp_direct_get(int pid, const void *src, int offset, void *dst, int bytes);
CM_BSP_ADDRESS(2)
void bsp_direct_get64(int pid, const void *src, size_t offset, void *dst, size_t bytes);

/* ---- Messages ------------------------------------------------------------------------------ */

/* Sets the size in bytes of the tags that are sent from the next superstep on; it must be the same
   on all processes. The size is 0 at first. On return *tag_bytes is the value of the call before
   this one. */
void bsp_set_tagsize(int *tag_bytes);
void bsp_set_tagsize64(size_t *tag_bytes);

/* Sends a message of a tag and payload_bytes of payload to process pid. It is in that process's
   queue in the next superstep, and in no other. */
void bsp_send(int pid, const void *tag, const void *payload, int payload_bytes);
void bsp_send64(int pid, const void *tag, const void *payload, size_t payload_bytes);

/* MulticoreBSP's bsp_send that may read the payload until the end of the superstep. */
void bsp_hpsend(int pid, const void *tag, const void *payload, int payload_bytes);
void bsp_hpsend64(int pid, const void *tag, const void *payload, size_t payload_bytes);

/* Sets *messages to the number of messages that are still in the queue and *payload_bytes to the
   sum of their payloads. Either pointer may be NULL. */
void bsp_qsize(int *messages, int *payload_bytes);
void bsp_qsize64(size_t *messages, size_t *payload_bytes);

/* Looks at the first message in the queue: sets *payload_bytes to the size of its payload and
   copies its tag to tag. Without a message *payload_bytes is -1. */
void bsp_get_tag(int *payload_bytes, void *tag);
void bsp_get_tag64(int64_t *payload_bytes, void *tag);

/* Takes the first message from the queue and copies at most capacity bytes of its payload. An empty
   queue is an error. */
void bsp_move(void *payload, int capacity);
void bsp_move64(void *payload, size_t capacity);

/* Takes the first message from the queue without copying it: sets *tag and *payload to its memory.
   Returns the size of the payload, or -1 if the queue is empty. The pointers are valid until the
   end of the superstep. The payload's address is a multiple of 8. */
int bsp_hpmove(void **tag, void **payload);
int64_t bsp_hpmove64(void **tag, void **payload);

/* bsp_qsize and bsp_get_tag for pointers to unsigned int and to size_t. Without a message the
   latter sets *payload_bytes to (size_t)-1. */
void cm_bsp_qsize_unsigned(unsigned int *messages, size_t *payload_bytes);
void cm_bsp_get_tag_size(size_t *payload_bytes, void *tag);

#ifdef __cplusplus
}
#endif

/* ---- Pointers to size_t -------------------------------------------------------------------- */

/* bsp_set_tagsize, bsp_qsize and bsp_get_tag take pointers to int or to size_t. bsp_qsize also
   accepts an unsigned int for the messages. A pointer to any other type does not compile. In C
   these are macros; (bsp_qsize) and &bsp_qsize are the functions above. */
#if defined(CM_BSP_OVERLOADED)

/* Some programs include this file inside extern "C". */
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

/* NULL matches no template, so a call with NULL in either place is not ambiguous. */
template <typename Count> inline void bsp_qsize(Count *messages, size_t *payload_bytes)
{
    cm_bsp_qsize(messages, payload_bytes);
}

} /* extern "C++" */

#elif defined(CM_BSP_GENERIC)

/* Has the type of p, or void * if p is NULL, however NULL is spelled. */
#define CM_BSP_TYPE(p) (1 ? (p) : (void *)0)

#define bsp_set_tagsize(tag_bytes) \
    (CM_BSP_GENERIC(CM_BSP_TYPE(tag_bytes), \
        int *: bsp_set_tagsize, void *: bsp_set_tagsize, size_t *: bsp_set_tagsize64)(tag_bytes))

#define bsp_get_tag(payload_bytes, tag) \
    (CM_BSP_GENERIC(CM_BSP_TYPE(payload_bytes), \
        int *: bsp_get_tag, void *: bsp_get_tag, size_t *: cm_bsp_get_tag_size)( \
        payload_bytes, tag))

/* If size_t is unsigned int, a list with both would contain one type twice. */
#if SIZE_MAX > UINT_MAX
#define CM_BSP_UNSIGNED unsigned int * : cm_bsp_qsize_unsigned,
#else
#define CM_BSP_UNSIGNED
#endif

/* One call for each argument, because their types may differ. */
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

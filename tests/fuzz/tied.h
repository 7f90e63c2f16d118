/* SPDX-License-Identifier: BSD-3-Clause */
/* tied.h: compiled before every source under test, so that a process can outlive what would end
   it: exits become jumps back to fuzz_run, words on stderr go nowhere (FUZZ_WORDS=1 shows them),
   memory is counted, and neither folder nor environment of the fuzzer changes. The sources
   themselves are the program's own. */
#ifndef CM_FUZZ_TIED_H
#define CM_FUZZ_TIED_H

#include "config.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

_Noreturn void fuzz_exit(int status);
FILE *fuzz_words(void);
void *fuzz_malloc(size_t bytes);
void *fuzz_calloc(size_t n, size_t bytes);
void *fuzz_realloc(void *memory, size_t bytes);
void *fuzz_aligned_alloc(size_t alignment, size_t bytes);
char *fuzz_strdup(const char *text);
void fuzz_free(void *memory);
int fuzz_chdir(const char *folder);
int fuzz_setenv(const char *name, const char *value, int overwrites);
/* The memory of a peer's process is what the harness gives it: wire_transport.h. */
ssize_t fuzz_process_copy(const struct iovec *own, const struct iovec *peers, bool out);
static inline pid_t fuzz_getpid(void) { return 1; } /* it is part of names */

/* The harness's messages are short: copying.h. */
#define CM_COPYING_LOOK_BYTES ((size_t)20000)

#ifndef CM_FUZZ_HARNESS
#undef stderr
#define stderr fuzz_words()
#define exit fuzz_exit
#define _exit fuzz_exit
#define malloc fuzz_malloc
#define calloc fuzz_calloc
#define realloc fuzz_realloc
#define aligned_alloc fuzz_aligned_alloc
#undef strdup
#define strdup fuzz_strdup
#define free fuzz_free
#define chdir fuzz_chdir
#define setenv fuzz_setenv
#define getpid fuzz_getpid
#define process_vm_readv(pid, own, n, peers, m, flags) fuzz_process_copy(own, peers, false)
#define process_vm_writev(pid, own, n, peers, m, flags) fuzz_process_copy(own, peers, true)
#endif

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz.h: what the harnesses share. A harness is one LLVMFuzzerTestOneInput around real sources
   (tied.h); driver.c, libFuzzer or AFL++ call it. It crashes when something is wrong, and only
   then. */
#ifndef CM_FUZZ_H
#define CM_FUZZ_H

#define CM_FUZZ_HARNESS
#include "tied.h"
#include <stdbool.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* What must hold; ends the fuzzer when it does not. */
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_wrong(__FILE__, __LINE__, #condition))
_Noreturn void fuzz_wrong(const char *file, int line, const char *what);

/* Runs program(context). Returns -1 when it came back, else the status that the code under test
   would have exited with; what it had allocated is gone then, as it were with the process. */
int fuzz_run(void (*program)(void *), void *context);

/* Memory of the code under test that is not freed. */
size_t fuzz_memory_blocks(void);
size_t fuzz_memory_bytes(void);
void fuzz_memory_forget(void); /* frees it all */

/* The open files, one bit each; and a function that closes those that were not open before, and
   returns their number. */
uint64_t fuzz_files(void);
int fuzz_files_close(uint64_t before);

/* The rest of an input; what is missing at its end reads as zeros. */
typedef struct {
    const uint8_t *bytes;
    size_t left;
} fuzz_input;

static inline uint8_t fuzz_byte(fuzz_input *input)
{
    if (!input->left) return 0;
    input->left--;
    return *input->bytes++;
}

static inline uint16_t fuzz_short(fuzz_input *input)
{
    unsigned low = fuzz_byte(input);
    return (uint16_t)(low | (unsigned)fuzz_byte(input) << 8);
}

/* Returns a pointer to at most n bytes of the input; *n becomes their number. */
static inline const char *fuzz_bytes(fuzz_input *input, size_t *n)
{
    const char *from = (const char *)input->bytes;
    if (*n > input->left) *n = input->left;
    input->bytes += *n;
    input->left -= *n;
    return from;
}

#endif

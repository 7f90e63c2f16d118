/* SPDX-License-Identifier: BSD-3-Clause */
/* tied.c: exits, memory, files, environment of the code under test; see tied.h. */
#include "fuzz.h"
#include <fcntl.h>
#include <setjmp.h>

static struct {
    jmp_buf back;
    bool armed;
} run;

int fuzz_run(void (*program)(void *), void *context)
{
    int status = setjmp(run.back);
    run.armed = status == 0;
    if (status == 0) {
        program(context);
        run.armed = false;
        return -1;
    }
    fuzz_memory_forget();
    return status - 1;
}

void fuzz_exit(int status)
{
    FUZZ_CHECK(run.armed && status >= 0 && status < 256);
    longjmp(run.back, status + 1);
}

void fuzz_wrong(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

FILE *fuzz_words(void)
{
    static FILE *nowhere;
    if (!nowhere && !getenv("FUZZ_WORDS")) nowhere = fopen("/dev/null", "w");
    return nowhere ? nowhere : stderr;
}

/* ---- Memory: a hash table of what is allocated, linear probing ------------------------------- */

typedef struct {
    void *memory;
    size_t bytes;
} block;
static struct {
    block *table;
    size_t capacity, blocks, bytes;
} held;

static size_t place_of(const void *memory)
{
    size_t place = ((uintptr_t)memory >> 4) * 0x9e3779b97f4a7c15u >> 20 & (held.capacity - 1);
    while (held.table[place].memory && held.table[place].memory != memory)
        place = (place + 1) & (held.capacity - 1);
    return place;
}

static void hold(void *memory, size_t bytes)
{
    if (!memory) return;
    if (2 * held.blocks >= held.capacity) {
        block *old = held.table;
        size_t n = held.capacity;
        held.capacity = n ? 2 * n : 1024;
        held.table = calloc(held.capacity, sizeof *held.table);
        if (!held.table) abort();
        for (size_t i = 0; i < n; i++)
            if (old[i].memory) held.table[place_of(old[i].memory)] = old[i];
        free(old);
    }
    held.table[place_of(memory)] = (block){memory, bytes};
    held.blocks++;
    held.bytes += bytes;
}

static void let_go(const void *memory)
{
    if (!memory || !held.capacity) return;
    size_t hole = place_of(memory);
    if (!held.table[hole].memory) return; /* the C library's: getline, asprintf */
    held.blocks--;
    held.bytes -= held.table[hole].bytes;
    held.table[hole].memory = NULL;
    for (size_t i = (hole + 1) & (held.capacity - 1); held.table[i].memory;
         i = (i + 1) & (held.capacity - 1)) {
        block moved = held.table[i];
        held.table[i].memory = NULL;
        held.table[place_of(moved.memory)] = moved;
    }
}

size_t fuzz_memory_blocks(void) { return held.blocks; }
size_t fuzz_memory_bytes(void) { return held.bytes; }

void fuzz_memory_forget(void)
{
    for (size_t i = 0; i < held.capacity; i++) {
        free(held.table[i].memory);
        held.table[i].memory = NULL;
    }
    held.blocks = held.bytes = 0;
}

void *fuzz_malloc(size_t bytes)
{
    void *memory = malloc(bytes);
    hold(memory, bytes);
    return memory;
}

void *fuzz_calloc(size_t n, size_t bytes)
{
    void *memory = calloc(n, bytes);
    hold(memory, n * bytes);
    return memory;
}

void *fuzz_aligned_alloc(size_t alignment, size_t bytes)
{
    void *memory = aligned_alloc(alignment, bytes);
    hold(memory, bytes);
    return memory;
}

void *fuzz_realloc(void *memory, size_t bytes)
{
    let_go(memory);
    memory = realloc(memory, bytes);
    hold(memory, bytes);
    return memory;
}

char *fuzz_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    return memcpy(fuzz_malloc(bytes), text, bytes);
}

void fuzz_free(void *memory)
{
    let_go(memory);
    free(memory);
}

/* ---- Files ----------------------------------------------------------------------------------- */

uint64_t fuzz_files(void)
{
    uint64_t open = 0;
    fuzz_words(); /* opened when first needed */
    for (int fd = 0; fd < 64; fd++)
        if (fcntl(fd, F_GETFD) >= 0) open |= (uint64_t)1 << fd;
    return open;
}

int fuzz_files_close(uint64_t before)
{
    uint64_t new = fuzz_files() & ~before;
    int count = 0;
    for (int fd = 0; fd < 64; fd++)
        if (new >> fd & 1) {
            close(fd);
            count++;
        }
    return count;
}

/* ---- Folder and environment ------------------------------------------------------------------ */

/* Folders that begin with a slash are there. */
int fuzz_chdir(const char *folder) { return *folder == '/' ? 0 : -1; }

int fuzz_setenv(const char *name, const char *value, int overwrites)
{
    FUZZ_CHECK(*name && !strchr(name, '=') && value && overwrites);
    return 0;
}

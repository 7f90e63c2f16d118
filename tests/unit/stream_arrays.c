/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_arrays.c: cm-stream's arrays in pages of each kind, and STREAM as it is compiled
   plainly; how long they are on large nodes. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "../stream/stream.h"
#include "machine/machine.h"
#include "tap.h"

/* ---- A system that has explicit huge pages, or none: the linker puts this in mmap's place ---- */

static bool has_explicit;
static int asked_explicit;

void *__real_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    if (flags & MAP_HUGETLB) {
        asked_explicit++;
        if (!has_explicit) return MAP_FAILED;
        flags &= ~MAP_HUGETLB;
    }
    return __real_mmap(address, bytes, protection, flags, file, offset);
}

/* ---- Pages ----------------------------------------------------------------------------------- */

enum { MIB = 1 << 20 };

static bool all_zero(const stream_region *region)
{
    char any = 0;
    for (size_t k = 0; k < region->bytes; k++) any |= region->memory[k];
    return !any;
}

static void test_pages(stream_pages pages)
{
    const char *name = stream_pages_names[pages];
    stream_region region;
    if (!ok(stream_pages_open(pages, -1, 5 * MIB + 1, &region), "%s pages", name)) return;
    ok(region.bytes > 5 * MIB && all_zero(&region), "%s: as many as asked for, all zero", name);
    ok((uintptr_t)region.memory % (2 * MIB) == 0 || pages == STREAM_EXPLICIT,
       "%s: from a boundary of huge pages on", name);
    double huge = stream_pages_huge(&region);
    ok(pages == STREAM_SMALL ? huge <= 0 : huge <= 1, "%s: the part in huge pages (%g)", name,
       huge);
    stream_pages_close(&region);
    ok(!region.memory, "%s: given back", name);
}

static void test_node(void)
{
    stream_region region;
    int here = cm_machine_numa_here();
    if (here < 0 || !stream_pages_open(STREAM_SMALL, here, 2 * MIB, &region)) {
        ok(true, "memory on a node # SKIP the system has no nodes");
        return;
    }
    ok(cm_machine_numa_of(region.memory) == here, "memory on the own node");
    ok(stream_pages_on_node(&region) > 0.9, "and so are most pages");
    region.node = here + 1;
    ok(stream_pages_on_node(&region) < 0.1, "not on the next");
    stream_pages_close(&region);
    ok(!stream_pages_open(STREAM_SMALL, 1000, 2 * MIB, &region), "a node that is not there");
}

/* ---- STREAM compiled plainly ----------------------------------------------------------------- */

static void test_plain(size_t n)
{
    cm_stream s;
    if (!ok(stream_plain_open(n, &s), "%zu numbers as static arrays are", n)) return;
    ok(s.b == s.a + n && s.c == s.b + n, "one behind the other");
    for (size_t k = 0; k < STREAM_NTIMES; k++)
        for (int kernel = 0; kernel < CM_STREAM_KERNELS; kernel++)
            stream_plain_kernel(&s, (cm_stream_kernel)kernel);
    /* STREAM's a is 2 before the first pass; each makes b = 3 a, c = 4 a and a = 15 a of it. */
    double a = 2 * pow(15, STREAM_NTIMES);
    ok(s.a[0] == a && s.a[n - 1] == a && s.b[n / 2] == a / 5 && s.c[n - 1] == a / 15 * 4,
       "STREAM's numbers after its passes");
    ok(stream_plain_error(&s, STREAM_NTIMES) == 0, "its check accepts them");
    s.c[n - 1] *= 1 + 1e-12 * (double)n;
    ok(stream_plain_error(&s, STREAM_NTIMES) > CM_STREAM_TOLERANCE, "and finds one wrong number");
    stream_plain_close(&s);
}

/* ---- The chain of --latency ------------------------------------------------------------------ */

static void test_chase(size_t lines)
{
    stream_region region;
    stream_chase chase;
    if (!stream_pages_open(STREAM_SMALL, -1, lines * STREAM_LINE_BYTES, &region)) exit(3);
    stream_chase_open(&region, lines * STREAM_LINE_BYTES, &chase);
    ok(chase.lines == lines && stream_chase_length(&chase) == lines, "%zu lines, one cycle", lines);
    void **begin = chase.at;
    stream_chase_run(&chase, (int64_t)lines - 1);
    bool early = lines > 1 && chase.at == begin;
    stream_chase_run(&chase, 1);
    ok(!early && chase.at == begin, "as many loads later it is back");
    if (lines > 3) { /* A line that is not entered any more makes the cycle shorter. */
        void **next = *chase.at;
        *chase.at = *next;
        ok(stream_chase_length(&chase) == lines - 1, "a line that is left out is missed");
        *next = next; /* the second line leads to itself: never back */
        *chase.at = next;
        ok(stream_chase_length(&chase) > lines, "a cycle that does not come back is none");
    }
    stream_pages_close(&region);
}

/* ---- A job on a node that is not here: the linker puts these in the layer's place ------------ */

static struct {
    int ranks;
    int64_t caches_bytes, own_bytes, free_bytes;
    bool floor;
    int64_t other_wants; /* numbers of an array on another host; 0: there is none */
} there;

cm_group *__wrap_cm_world(void);
cm_group *__wrap_cm_world(void) { return NULL; }

int __wrap_cm_rank(const cm_group *group);
int __wrap_cm_rank(const cm_group *group)
{
    (void)group;
    return 0;
}

int __wrap_cm_run_ranks_on_computer(const cm_group *group, int rank);
int __wrap_cm_run_ranks_on_computer(const cm_group *group, int rank)
{
    (void)group, (void)rank;
    return there.ranks;
}

/* All ranks are alike, or those of the other host want more. */
void __wrap_cm_allreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                         cm_op op, cm_algorithm algorithm);
void __wrap_cm_allreduce(cm_group *group, const void *in, void *out, size_t count, cm_type type,
                         cm_op op, cm_algorithm algorithm)
{
    (void)group, (void)type, (void)algorithm;
    memcpy(out, in, count * sizeof(int64_t));
    if (op.kind == CM_MAX.kind && there.other_wants > *(const int64_t *)in)
        *(int64_t *)out = there.other_wants;
}

int64_t __wrap_cm_machine_memory_share_bytes(int processes, bool *limited);
int64_t __wrap_cm_machine_memory_share_bytes(int processes, bool *limited)
{
    (void)limited;
    return there.free_bytes / processes;
}

int64_t __wrap_cm_machine_last_cache_bytes(void);
int64_t __wrap_cm_machine_last_cache_bytes(void) { return there.own_bytes; }

int64_t __wrap_cm_machine_last_caches_bytes(bool *floor);
int64_t __wrap_cm_machine_last_caches_bytes(bool *floor)
{
    if (floor) *floor = there.floor;
    return there.caches_bytes;
}

/* Looks at the default length, in MiB. */
static void is_long(int ranks, int64_t caches_mib, int64_t own_mib, int64_t free_gib, double mib)
{
    there.ranks = ranks;
    there.caches_bytes = caches_mib * MIB;
    there.own_bytes = own_mib * MIB;
    there.free_bytes = (free_gib << 30);
    const double got_mib = (double)stream_memory_n(0) * sizeof(double) / MIB;
    ok(fabs(got_mib - mib) < 1e-3 && ranks * got_mib >= 4 * (double)caches_mib,
       "%d ranks, caches of %d MiB, of %d for each, %d GiB free: arrays of %g MiB (%g)", ranks,
       (int)caches_mib, (int)own_mib, (int)free_gib, mib, got_mib);
}

static void test_length(void)
{
    is_long(1, 32, 32, 8, 128);
    is_long(2, 32, 32, 8, 128);
    is_long(1, 768, 32, 1500, 3072);  /* the only rank has the rule to itself */
    is_long(192, 768, 32, 1500, 128); /* 24 caches; one rank alone loads through one of them */
    is_long(2, 768, 32, 1500, 1536);
    is_long(104, 210, 105, 1000, 420);
    is_long(104, 210, 105, 200, 200 * 1024.0 / 2 / 3 / 104); /* half of the memory */
    is_long(7, 1000, 1000, 1, 4000 / 7.0);                   /* which the rule does not keep to */
    there.other_wants = 512 * MIB / (int64_t)sizeof(double);
    is_long(104, 210, 105, 1000, 512);
    is_long(64, 32, 32, 23, 23 * 1024.0 / 2 / 3 / 64); /* the other host has memory for them */
    there.other_wants = 0;
    there.floor = true;
    is_long(128, 128, 1, 500, 128); /* the system tells of no cache that cores share */
    ok(stream_memory_n(1 << 20) == (1 << 20) / sizeof(double), "a length that is given");
}

int main(void)
{
    stream_region region;
    const size_t lines[] = {1, 2, 3, 16, 17, 1000, 40000};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) test_chase(lines[k]);
    test_pages(STREAM_SMALL);
    test_pages(STREAM_TRANSPARENT);
    ok(asked_explicit == 0, "neither are explicit huge pages");
    ok(!stream_pages_open(STREAM_EXPLICIT, -1, MIB, &region) && asked_explicit == 1,
       "a system without explicit huge pages");
    has_explicit = true;
    test_pages(STREAM_EXPLICIT);
    ok(!stream_pages_open(STREAM_SMALL, -1, SIZE_MAX - 1, &region), "too much memory is refused");
    test_node();
    test_plain(8);
    test_plain(100003);
    cm_stream s;
    ok(!stream_plain_open(SIZE_MAX / 8, &s), "too long arrays are refused");
    test_length();
    return tap_done();
}

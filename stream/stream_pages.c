/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_pages.c: memory in pages of a given kind, on a given node, and what the system granted. */
#include "config.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "machine/machine.h"
#include "stream.h"

const char *const stream_pages_names[STREAM_PAGES] = {"small", "transparent", "explicit",
                                                      "default"};

enum { HUGE_BYTES = 2 << 20 };

/* Explicit huge pages have the system's default size, and only whole ones can be mapped. */
static size_t huge_bytes(void)
{
    size_t bytes = HUGE_BYTES;
    FILE *file = fopen("/proc/meminfo", "re");
    char line[128];
    unsigned long long kib;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Hugepagesize: %llu kB", &kib) == 1 && kib > 0) bytes = (size_t)kib * 1024;
    if (file) fclose(file);
    return bytes;
}

/* Returns memory that has not been touched yet, or NULL. */
static void *map(stream_pages pages, size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
    if (pages == STREAM_EXPLICIT) {
#ifdef MAP_HUGETLB
        flags |= MAP_HUGETLB;
#else
        return NULL;
#endif
    }
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void advise(stream_pages pages, void *memory, size_t bytes)
{
    /* A kernel without transparent huge pages refuses both; all its pages are small then. */
#ifdef MADV_HUGEPAGE
    if (pages == STREAM_TRANSPARENT) (void)madvise(memory, bytes, MADV_HUGEPAGE);
    if (pages == STREAM_SMALL) (void)madvise(memory, bytes, MADV_NOHUGEPAGE);
#else
    (void)pages, (void)memory, (void)bytes;
#endif
}

bool stream_pages_open(stream_pages pages, int node, size_t bytes, stream_region *region)
{
    size_t align = pages == STREAM_EXPLICIT ? huge_bytes() : HUGE_BYTES;
    *region = (stream_region){.node = node, .pages = pages};
    if (bytes > SIZE_MAX - 2 * align) return false;
    size_t whole = (bytes + align - 1) / align * align;
    /* Room for a begin at a boundary of huge pages; explicit ones begin there. */
    size_t room = pages == STREAM_EXPLICIT ? 0 : align;
    region->mapped = map(pages, whole + room);
    if (!region->mapped) return false;
    region->mapped_bytes = whole + room;
    region->memory = (char *)region->mapped + (room ? -(uintptr_t)region->mapped % align : 0);
    region->bytes = whole;
    advise(pages, region->memory, whole);
    if (node >= 0 && !cm_machine_numa_prefer(region->memory, whole, node)) {
        stream_pages_close(region);
        return false;
    }
#ifdef MADV_POPULATE_WRITE
    /* A control group may have fewer huge pages than the system, and touching one more would end
       the program. Kernels before 5.14 do not know this advice. */
    if (pages == STREAM_EXPLICIT && madvise(region->memory, whole, MADV_POPULATE_WRITE) != 0
        && errno != EINVAL) {
        stream_pages_close(region);
        return false;
    }
#endif
    memset(region->memory, 0, whole);
    return true;
}

void stream_pages_close(stream_region *region)
{
    if (region->mapped) munmap(region->mapped, region->mapped_bytes);
    *region = (stream_region){0};
}

/* A block of lines of /proc/self/smaps begins with "7f..-7f.. rw-p ..."; those that follow say how
   much of this range is in which pages. */
double stream_pages_huge(const stream_region *region)
{
    FILE *file = fopen("/proc/self/smaps", "re");
    if (!file) return -1;
    uintptr_t begin = (uintptr_t)region->memory, end = begin + region->bytes;
    unsigned long long from, to, kib, huge_kib = 0;
    bool inside = false;
    char line[512];
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%llx-%llx ", &from, &to) == 2) inside = from < end && to > begin;
        else if (inside
                 && (sscanf(line, "AnonHugePages: %llu kB", &kib) == 1
                     || sscanf(line, "Private_Hugetlb: %llu kB", &kib) == 1))
            huge_kib += kib;
    }
    fclose(file);
    double part = (double)huge_kib * 1024 / (double)region->bytes;
    return part < 1 ? part : 1;
}

double stream_pages_on_node(const stream_region *region)
{
    enum { LOOKS = 256 };
    int there = 0;
    for (int k = 0; k < LOOKS; k++)
        there +=
            cm_machine_numa_of(region->memory + region->bytes / LOOKS * (size_t)k) == region->node;
    return (double)there / LOOKS;
}

void stream_pages_tell(const stream_region *region, cm_result *result)
{
    double huge = stream_pages_huge(region);
    if (huge >= 0)
        cm_result_comment(result, "pages %s%s: %.0f %% of rank 0's arrays are in huge pages",
                          stream_pages_names[region->pages], region->node < 0 ? "" : ", remote",
                          100 * huge);
    if (region->node >= 0)
        cm_result_comment(result,
                          "numa remote: %.0f %% of rank 0's arrays are on node %d, it on "
                          "node %d",
                          100 * stream_pages_on_node(region), region->node, cm_machine_numa_here());
}

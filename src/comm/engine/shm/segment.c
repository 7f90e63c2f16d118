/* SPDX-License-Identifier: BSD-3-Clause */
/* segment.c: memory for two rings; see segment.h. First, in a page of their own, the controls of
   both and the words for claims, then the lines of the ring on which the maker writes, then those
   of the other one. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include "comm/engine/shm/segment.h"
#include "comm/engine/transport_table.h"

enum { FRONT_BYTES = 4096 };

static const int SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

bool cm_segment_map(int fd, size_t bytes, cm_mapping *segment)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) return false;
    *segment = (cm_mapping){memory, bytes};
    return true;
}

/* As ftruncate, but fails where a limit would end this process by a signal. */
static bool lengthen(int fd, size_t bytes)
{
    struct rlimit file;
    if (getrlimit(RLIMIT_FSIZE, &file) == 0 && file.rlim_cur < bytes) {
        errno = EFBIG;
        return false;
    }
    return ftruncate(fd, (off_t)bytes) == 0;
}

int cm_segment_create(const char *name, size_t bytes, cm_mapping *segment)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) return -1;
    if (lengthen(fd, bytes) && fcntl(fd, F_ADD_SEALS, SEALS) == 0
        && cm_segment_map(fd, bytes, segment))
        return fd;
    const int cause = errno;
    close(fd);
    errno = cause;
    return -1;
}

int cm_segment_make(size_t ring_bytes, cm_mapping *segment)
{
    return cm_segment_create("clustermark-ring", FRONT_BYTES + 2 * ring_bytes, segment);
}

size_t cm_segment_examine(int fd, const char **wrong)
{
    struct stat file;
    struct statfs system;
    const int seals = fcntl(fd, F_GET_SEALS);
    *wrong = NULL;
    if (seals < 0 || (seals & SEALS) != SEALS) *wrong = "is not sealed";
    else if (fstat(fd, &file) != 0 || fstatfs(fd, &system) != 0) *wrong = "cannot be examined";
    else if (system.f_type != TMPFS_MAGIC) *wrong = "is not ordinary memory"; /* huge pages */
    else if (file.st_size <= 0) *wrong = "is empty";
    return *wrong ? 0 : (size_t)file.st_size;
}

const char *cm_segment_take(int fd, cm_mapping *segment)
{
    const char *wrong;
    const size_t bytes = cm_segment_examine(fd, &wrong);
    if (wrong) return wrong;
    for (size_t ring = CM_RING_LEAST; ring <= CM_RING_MOST; ring *= 2)
        if (bytes == FRONT_BYTES + 2 * ring)
            return cm_segment_map(fd, bytes, segment) ? NULL : "cannot be mapped";
    return "has another size than expected";
}

_Static_assert(2 * sizeof(cm_ring_control) + 2 * (size_t)CM_LANE_WORDS * CM_RING_LINE
                   <= FRONT_BYTES,
               "the page has room for the words");

_Atomic uint64_t *cm_segment_word(const cm_mapping *segment, bool makers, unsigned n)
{
    char *words = (char *)segment->memory + 2 * sizeof(cm_ring_control);
    return (_Atomic uint64_t *)(words + (size_t)(n + (makers ? 0 : CM_LANE_WORDS)) * CM_RING_LINE);
}

void cm_segment_release(cm_mapping *segment)
{
    if (segment->memory) munmap(segment->memory, segment->bytes);
    segment->memory = NULL;
}

void cm_segment_rings(const cm_mapping *segment, bool maker, cm_ring_writer *writer,
                      cm_ring_reader *reader)
{
    const size_t size = (segment->bytes - FRONT_BYTES) / 2;
    cm_ring_control *control = segment->memory;
    char *lines = (char *)segment->memory + FRONT_BYTES;
    const int out = maker ? 0 : 1, in = maker ? 1 : 0;
    cm_ring_writer_open(writer, &control[out], lines + (size_t)out * size, size);
    cm_ring_reader_open(reader, &control[in], lines + (size_t)in * size, size);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_write.c: a kept result as a file, under a name that its content gives. Who writes the same
   name writes the same content, so two at once do no harm. */
#include "config.h"
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/memory.h"
#include "common/say.h"
#include "kept.h"

/* So many that a number comes back as it was written. */
#define DIGITS JSON_REAL_PRECISION(12)

/* FNV-1a (Fowler, Noll, Vo), which no change of one character leaves as it is. It finds what was
   edited or damaged, not what somebody forged. kept_from is left out, so that a folder that was
   renamed gives the same name. */
static uint32_t sum_of(const json_t *root)
{
    json_t *copy = json_copy((json_t *)root);
    json_object_del(copy, "kept_from");
    char *text = suite_there(json_dumps(copy, JSON_COMPACT | JSON_SORT_KEYS | DIGITS));
    uint32_t sum = 2166136261u;
    for (const char *c = text; *c; c++) sum = (sum ^ (unsigned char)*c) * 16777619u;
    free(text);
    json_decref(copy);
    return sum;
}

char *suite_kept_name(const suite_kept *kept)
{
    struct tm utc;
    char time[sizeof "20261128T234500"];
    gmtime_r(&kept->time, &utc);
    strftime(time, sizeof time, "%Y%m%dT%H%M%S", &utc);
    return suite_text("%s-%s-%0*" PRIx32 ".json", time, kept->cluster, SUITE_KEPT_SUM,
                      sum_of(kept->root));
}

/* A whole file under another name, which begins with a dot so that no reader takes it. Returns
   false: see errno. */
static bool write_part(const char *part_template, const json_t *root, char **part)
{
    *part = suite_copy(part_template);
    int fd = mkstemp(*part);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file) return false;
    const mode_t mask = umask(0);
    umask(mask);
    bool written = fchmod(fd, 0666 & ~mask) == 0
                   && json_dumpf(root, file, JSON_INDENT(1) | DIGITS) == 0
                   && fputc('\n', file) != EOF && fflush(file) == 0;
    if (written && fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP) written = false;
    const int error = errno;
    if (fclose(file) != 0) return false;
    errno = error;
    return written;
}

/* The file gets its name only if nobody has it; where there are no hard links, in the place of one
   with the same content. */
static bool give_name(const char *part, const char *path, bool *was_there)
{
    if (link(part, path) == 0) return true;
    *was_there = errno == EEXIST;
    if (*was_there) return true;
    return rename(part, path) == 0;
}

bool suite_kept_write(const char *command, const char *dir, const suite_kept *kept, char **file,
                      bool *was_there)
{
    *file = suite_kept_name(kept);
    *was_there = false;
    char *path = suite_text("%s/%s", dir, *file), *part = NULL;
    char *pattern = suite_text("%s/.kept-XXXXXX", dir);
    const bool written = write_part(pattern, kept->root, &part) && give_name(part, path, was_there);
    if (!written) suite_say("%s: cannot write %s: %s", command, path, strerror(errno));
    unlink(part);
    free(pattern);
    free(part);
    free(path);
    return written;
}

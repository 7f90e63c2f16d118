/* SPDX-License-Identifier: BSD-3-Clause */
/* write.c: writes a file whole or not at all. */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "result/result_internal.h"

/* A file beside target that was not there, with the rights that a new file gets. Its name begins
   with target's, so that who finds it knows what it is. */
static int open_temporary(const cm_result_target *target, char *name, size_t size)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    const char *base = strrchr(target->path, '/') + 1;
    for (int attempt = 0; attempt < 100; attempt++) {
        struct timespec now;
        char mark[9] = ".";
        clock_gettime(CLOCK_REALTIME, &now);
        unsigned long seed = (unsigned long)now.tv_nsec * 2654435761u + (unsigned long)getpid()
                             + (unsigned long)attempt * 40503u;
        for (int i = 1; i < 8; i++, seed /= 36) mark[i] = letters[seed % 36];
        if (snprintf(name, size, "%s/%.200s%s", target->folder, base, mark) >= (int)size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/* Gives the temporary its name unless something has that name: errno EEXIST then. */
static int rename_new(const char *temporary, const char *path)
{
#ifdef SYS_renameat2
    const unsigned no_replace = 1; /* RENAME_NOREPLACE */
    if (syscall(SYS_renameat2, AT_FDCWD, temporary, AT_FDCWD, path, no_replace) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1; /* those: not on this file system */
#endif
    if (link(temporary, path) != 0) return -1;
    unlink(temporary);
    return 0;
}

/* After a power failure the name must be there as well. Not every file system can; the data are
   safe. */
static void sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    fsync(fd);
    close(fd);
}

/* Fills the temporary and closes it; false: see errno. */
static bool fill(int fd, const cm_result_target *target, cm_result_writer *writer,
                 const void *content)
{
    FILE *file = fdopen(fd, "w");
    if (!file) {
        close(fd);
        return false;
    }
    if (target->exists) fchmod(fd, target->file.st_mode & 0777); /* --force keeps the rights */
    errno = 0;
    bool fine = writer(content, file) && fflush(file) == 0;
    if (fine && fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) fine = false;
    int cause = errno;
    if (fclose(file) != 0 && fine) {
        fine = false;
        cause = errno;
    }
    errno = cause ? cause : EIO;
    return fine;
}

bool cm_result_write(const cm_result_target *target, bool force, cm_result_writer *writer,
                     const void *content, char *why, size_t size)
{
    char temporary[4096];
    int fd = open_temporary(target, temporary, sizeof temporary);
    if (fd < 0) {
        snprintf(why, size, "cannot be created: %s", strerror(errno));
        return false;
    }
    if (!fill(fd, target, writer, content)) {
        snprintf(why, size, "cannot be written: %s", strerror(errno));
        unlink(temporary);
        return false;
    }
    int (*give_name)(const char *, const char *) = force ? rename : rename_new;
    if (give_name(temporary, target->path) == 0) {
        sync_folder(target->folder);
        return true;
    }
    /* The measurement is not to be had again: it stays, whole, under the temporary's name. */
    if (errno == EEXIST)
        snprintf(why, size, "appeared during the run and is left as it is; this result is in %s",
                 temporary);
    else
        snprintf(why, size, "cannot be given its name (%s); this result is in %s", strerror(errno),
                 temporary);
    return false;
}

/* ---- Files of a program's own ---------------------------------------------------------------- */

typedef struct {
    const char *text;
    size_t bytes;
} own_text;

static bool write_own(const void *content, FILE *file)
{
    const own_text *own = content;
    return fwrite(own->text, 1, own->bytes, file) == own->bytes;
}

bool cm_result_write_text(const cm_result_target *target, bool force, const char *text,
                          size_t bytes, char *why, size_t size)
{
    const own_text own = {text, bytes};
    return cm_result_write(target, force, write_own, &own, why, size);
}

bool cm_result_file_write(const cm_result *result, const char *said, const char *name,
                          const char *text, size_t bytes)
{
    cm_result_target target;
    char why[CM_RESULT_WHY];
    bool written = cm_result_target_find(name, result->force, &target, why, sizeof why)
                   && cm_result_write_text(&target, result->force, text, bytes, why, sizeof why);
    if (!written) fprintf(stderr, "%s: %s%s %s\n", result->program->name, said, name, why);
    cm_result_target_free(&target);
    return written;
}

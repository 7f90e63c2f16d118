/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_file.c: checkpoints: all temperatures in one file, which appears complete or not at all.

   The file has a header, the points row by row (with Chebyshev also those of the iteration before)
   and a hash of both, in this machine's number format. It does not depend on the number of ranks: a
   run can continue with another number. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include "heat.h"

enum { PATH_BYTES = 4096, BUFFER_BYTES = 1 << 16 };

typedef struct {
    char magic[8];
    uint64_t order, version;
    int64_t rows, columns;
    uint64_t precision, method, arrays;
    int64_t iteration;
    double omega, factor, initial;
    uint64_t sides; /* hash of their temperatures */
} header;

static const char magic[8] = {'c', 'm', '-', 'h', 'e', 'a', 't', '\n'};
enum { FORMAT = 1 };
static const uint64_t order = 0x0102030405060708;

/* ---- Hash: detects accidental truncation and change ------------------------------------------ */

/* Numbers have four or eight bytes. Hashing words of four makes the hash independent of how the
   data are cut into pieces. */
static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (size_t k = 0; k + sizeof(uint32_t) <= bytes; k += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, p + k, sizeof word);
        hash ^= word + (uint64_t)1;
        hash = (hash << 29 | hash >> 35) * 0x9e3779b97f4a7c15;
    }
    return hash;
}

static uint64_t hash_sides(const heat_problem *problem)
{
    uint64_t hash = 1;
    for (int s = 0; s < HEAT_SIDES; s++) {
        int64_t n = s == HEAT_NORTH || s == HEAT_SOUTH ? problem->columns : problem->rows;
        for (int64_t k = 1; k <= n; k++) {
            double value = heat_side_at(&problem->sides[s], k, n);
            hash = mix(hash, &value, sizeof value);
        }
    }
    return hash;
}

static size_t number_bytes(uint64_t precision)
{
    return precision == HEAT_SINGLE ? sizeof(float) : sizeof(double);
}
static int arrays_of(heat_method method) { return method == HEAT_CHEBYSHEV ? 2 : 1; }

static header header_of(const heat_problem *problem)
{
    header h;
    memset(&h, 0, sizeof h);
    memcpy(h.magic, magic, sizeof magic);
    h.order = order;
    h.version = FORMAT;
    h.rows = problem->rows;
    h.columns = problem->columns;
    h.precision = problem->precision;
    h.method = problem->method;
    h.arrays = (uint64_t)arrays_of(problem->method);
    h.omega = problem->method == HEAT_SOR ? problem->omega : 1;
    h.initial = problem->initial;
    h.sides = hash_sides(problem);
    return h;
}

static size_t file_bytes(const header *h)
{
    return sizeof *h
           + (size_t)h->arrays * (size_t)h->rows * (size_t)h->columns * number_bytes(h->precision)
           + sizeof(uint64_t);
}

/* ---- Files in the making --------------------------------------------------------------------- */

static void folder_of(const char *path, char *folder)
{
    snprintf(folder, PATH_BYTES, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash) strcpy(folder, ".");
    else slash[slash == folder] = '\0';
}

/* The name of a checkpoint while it is being written; the writer locks it. */
static void part_of(const char *path, char *part) { snprintf(part, PATH_BYTES, "%s.part", path); }

typedef enum { PART_NONE, PART_BUSY, PART_FOREIGN } part_state;

/* Removes what a killed run left of the checkpoint. A file that somebody is writing, or that is
   not cm-heat's, stays, which the result says. */
static part_state remove_part(const char *path)
{
    struct stat there;
    char name[PATH_BYTES], start[sizeof magic];
    part_of(path, name);
    if (lstat(name, &there) != 0) return PART_NONE;
    if (!S_ISREG(there.st_mode)) return PART_FOREIGN;
    int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT ? PART_NONE : PART_FOREIGN;
    part_state state = PART_NONE;
    ssize_t bytes = read(fd, start, sizeof start);
    if (bytes < 0 || memcmp(start, magic, (size_t)bytes) != 0) state = PART_FOREIGN;
    else if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) state = PART_BUSY;
    else if (unlink(name) != 0 && errno != ENOENT) state = PART_FOREIGN;
    close(fd);
    return state;
}

/* Creates the file to write to, which must not be there, and locks it. Returns -1 and sets errno if
   it cannot. */
static int create_part(const char *path)
{
    struct stat made;
    char name[PATH_BYTES];
    part_of(path, name);
    for (;;) {
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno == EEXIST && remove_part(path) == PART_NONE) continue;
        if (fd < 0) return -1;
        /* A file system without locks is used without them. */
        flock(fd, LOCK_EX | LOCK_NB);
        if (fstat(fd, &made) == 0 && made.st_nlink > 0) return fd;
        close(fd); /* between the two lines above it was taken for one left by a killed run */
    }
}

/* ---- Before the run -------------------------------------------------------------------------- */

static int check_name(const cm_program *program, const char *path, bool replaces)
{
    struct stat there;
    size_t length = strlen(path);
    if (length == 0 || length > PATH_BYTES - 16 || path[length - 1] == '/')
        return cm_option_error(program, "--checkpoint '%.60s' is not a file name", path);
    if (stat(path, &there) != 0) return 0;
    if (!S_ISREG(there.st_mode))
        return cm_option_error(program,
                               "--checkpoint %s is not a regular file; choose another name", path);
    if (!replaces)
        return cm_option_error(
            program, "--checkpoint %s exists; choose another name, or --force to overwrite it",
            path);
    return 0;
}

static int check_part(const cm_program *program, const char *path)
{
    char folder[PATH_BYTES], part[PATH_BYTES];
    folder_of(path, folder);
    part_of(path, part);
    part_state left = remove_part(path);
    if (left == PART_BUSY)
        return cm_option_error(
            program, "--checkpoint %s is being written by another run; choose another name", path);
    if (left == PART_FOREIGN)
        return cm_option_error(
            program,
            "--checkpoint %s is first written to %s, which exists and is not cm-heat's; choose "
            "another name",
            path, part);
    /* Only an attempt is reliable: root may write everywhere, but not in /proc. */
    int fd = create_part(path);
    if (fd < 0 || unlink(part) != 0 || close(fd) != 0)
        return cm_option_error(program, "--checkpoint %s cannot be created: folder %s: %s", path,
                               folder, strerror(errno));
    return 0;
}

int heat_check_point_writable(const cm_program *program, const char *path,
                              const heat_problem *problem, bool replaces)
{
    struct statvfs system;
    char folder[PATH_BYTES];
    if (cm_launch_rank() != 0) return 0;
    int status = check_name(program, path, replaces);
    if (!status) status = check_part(program, path);
    if (status) return status;
    header h = header_of(problem);
    folder_of(path, folder);
    if (statvfs(folder, &system) == 0
        && (double)system.f_bavail * (double)system.f_frsize < (double)file_bytes(&h))
        return cm_option_error(program, "--checkpoint %s needs %zu bytes, %.0f are free in %s",
                               path, file_bytes(&h),
                               (double)system.f_bavail * (double)system.f_frsize, folder);
    return 0;
}

static int refuse(const cm_program *program, const char *path, const char *why)
{
    return cm_option_error(program, "--restart %s %s", path, why);
}

static int differs(const cm_program *program, const char *path, const char *what, double theirs,
                   double ours)
{
    return cm_option_error(program,
                           "--restart %s is of another run: its %s is %.17g, here it is %.17g",
                           path, what, theirs, ours);
}

static int compare(const cm_program *program, const char *path, const header *file,
                   const header *ours)
{
    if (memcmp(file->magic, magic, sizeof magic) != 0)
        return refuse(program, path, "is no checkpoint of cm-heat");
    if (file->order != order || file->version != FORMAT)
        return refuse(program, path,
                      "was written by another machine or another version of cm-heat");
    if (file->columns != ours->columns)
        return differs(program, path, "size", (double)file->columns, (double)ours->columns);
    if (file->rows != ours->rows)
        return differs(program, path, "rows", (double)file->rows, (double)ours->rows);
    if (file->precision != ours->precision)
        return refuse(program, path, "is of another run: of another precision");
    if (file->method != ours->method)
        return refuse(program, path, "is of another run: of another method");
    if (file->omega != ours->omega)
        return differs(program, path, "omega", file->omega, ours->omega);
    if (file->initial != ours->initial)
        return differs(program, path, "initial temperature", file->initial, ours->initial);
    if (file->sides != ours->sides)
        return refuse(program, path, "is of another run: its sides have other temperatures");
    if (file->arrays != ours->arrays || file->iteration < 0)
        return refuse(program, path, "is damaged");
    return 0;
}

/* Reads the whole file to check its hash. */
static bool is_whole(FILE *file, const header *h)
{
    unsigned char data[BUFFER_BYTES];
    uint64_t hash = mix(0, h, sizeof *h), said;
    size_t left = file_bytes(h) - sizeof *h - sizeof said;
    while (left > 0) {
        size_t n = left < sizeof data ? left : sizeof data;
        if (fread(data, 1, n, file) != n) return false;
        hash = mix(hash, data, n);
        left -= n;
    }
    return fread(&said, sizeof said, 1, file) == 1 && said == hash && fgetc(file) == EOF;
}

int heat_check_point_check(const cm_program *program, const char *path, const heat_problem *problem,
                           int64_t *iteration)
{
    struct stat there;
    header h;
    *iteration = 0;
    if (cm_launch_rank() != 0) return 0;
    const header ours = header_of(problem); /* only this rank has read the files of sides */
    FILE *file = fopen(path, "rb");
    if (!file) return cm_option_error(program, "--restart %s: %s", path, strerror(errno));
    int status = 0;
    if (fstat(fileno(file), &there) != 0 || !S_ISREG(there.st_mode))
        status = refuse(program, path, "is not a regular file");
    else if (fread(&h, sizeof h, 1, file) != 1)
        status = refuse(program, path, "is no checkpoint of cm-heat");
    else if ((status = compare(program, path, &h, &ours)) == 0) {
        if ((size_t)there.st_size != file_bytes(&h))
            status = cm_option_error(program, "--restart %s is torn: %lld bytes instead of %zu",
                                     path, (long long)there.st_size, file_bytes(&h));
        else if (!is_whole(file, &h))
            status = refuse(program, path, "is damaged: its hash is not that of its data");
        else *iteration = h.iteration;
    }
    fclose(file);
    if (!status) remove_part(path); /* what goes on may be written elsewhere */
    return status;
}

/* ---- Writing and reading --------------------------------------------------------------------- */

typedef struct {
    FILE *file;
    uint64_t hash;
    bool fine;
} stream;

static void write_some(void *of, char *data, size_t bytes)
{
    stream *s = of;
    s->fine = s->fine && fwrite(data, 1, bytes, s->file) == bytes;
    s->hash = mix(s->hash, data, bytes);
}

static void read_some(void *of, char *data, size_t bytes)
{
    stream *s = of;
    s->fine = s->fine && fread(data, 1, bytes, s->file) == bytes;
}

/* Renames the file when everything is on the disk, so that a kill before that leaves the former
   file unchanged. */
static void give_name(const char *path, stream *s)
{
    char folder[PATH_BYTES], part[PATH_BYTES];
    part_of(path, part);
    s->fine = s->fine && fwrite(&s->hash, sizeof s->hash, 1, s->file) == 1;
    s->fine = fflush(s->file) == 0 && s->fine;
    s->fine = (fsync(fileno(s->file)) == 0 || errno == EINVAL || errno == ENOTSUP) && s->fine;
    int cause = errno;
    /* Renamed before it is closed, and so unlocked. */
    if (!s->fine || rename(part, path) != 0 || fclose(s->file) != 0) {
        if (s->fine) cause = errno;
        unlink(part);
        cm_abort(CM_EXIT_SYSTEM, "checkpoint %s cannot be written: %s", path, strerror(cause));
    }
    folder_of(path, folder);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

void heat_check_point_write(const char *path, const heat_problem *problem, const heat_state *state)
{
    const heat_plate *plate = state->plate;
    bool leads = cm_rank(plate->group) == HEAT_LEADER;
    stream s = {NULL, 0, true};
    if (leads) {
        header h = header_of(problem);
        h.iteration = state->iteration;
        h.factor = state->factor;
        int fd = create_part(path);
        s.file = fd < 0 ? NULL : fdopen(fd, "wb");
        if (!s.file) cm_abort(CM_EXIT_SYSTEM, "checkpoint %s.part: %s", path, strerror(errno));
        write_some(&s, (char *)&h, sizeof h);
    }
    for (int k = 0; k < arrays_of(problem->method); k++)
        heat_walk(plate, k ? 1 - plate->now : plate->now, false, write_some, &s);
    if (leads) give_name(path, &s);
}

void heat_check_point_read(const char *path, const heat_problem *problem, heat_state *state)
{
    const heat_plate *plate = state->plate;
    bool leads = cm_rank(plate->group) == HEAT_LEADER;
    stream s = {NULL, 0, true};
    header h;
    if (leads) {
        s.file = fopen(path, "rb");
        if (!s.file) cm_abort(CM_EXIT_SYSTEM, "--restart %s: %s", path, strerror(errno));
        read_some(&s, (char *)&h, sizeof h);
    }
    cm_bcast(plate->group, &h, sizeof h, HEAT_LEADER, CM_AUTO);
    state->iteration = h.iteration;
    state->factor = h.factor;
    for (int k = 0; k < arrays_of(problem->method); k++)
        heat_walk(plate, k ? 1 - plate->now : plate->now, true, read_some, &s);
    if (leads && !s.fine) cm_abort(CM_EXIT_SYSTEM, "--restart %s changed while it was read", path);
    if (leads) fclose(s.file);
}

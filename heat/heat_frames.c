/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_frames.c: writes the gathered plates as files that heat-frames.gp draws. */
#include "config.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "heat.h"

enum { PATH_BYTES = 4096 };

static bool is_frame(const char *name)
{
    size_t length = strlen(name);
    return strncmp(name, "frame-", 6) == 0 && length > 4 && strcmp(name + length - 4, ".dat") == 0;
}

/* Counts, and optionally removes, the frames in the folder. Returns -1 on failure (errno). */
static int64_t frames_in(const char *folder, bool removes)
{
    int64_t n = 0;
    char path[PATH_BYTES];
    DIR *dir = opendir(folder);
    if (!dir) return -1;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (!is_frame(entry->d_name)) continue;
        n++;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (removes && unlink(path) != 0) n = -1;
        if (n < 0) break;
    }
    closedir(dir);
    return n;
}

/* Returns the folder that would contain this one. */
static void parent_of(const char *folder, char *parent, size_t size)
{
    snprintf(parent, size, "%s", folder);
    size_t length = strlen(parent);
    while (length > 1 && parent[length - 1] == '/') parent[--length] = '\0';
    char *slash = strrchr(parent, '/');
    if (!slash) snprintf(parent, size, ".");
    else slash[slash == parent] = '\0';
}

int heat_frames_check(const cm_program *program, const char *folder, bool force)
{
    struct stat there;
    char parent[PATH_BYTES];
    if (cm_launch_rank() != 0) return 0;
    if (strlen(folder) == 0 || strlen(folder) > PATH_BYTES - 64)
        return cm_option_error(program, "--frames '%.60s' is not a folder name", folder);
    if (stat(folder, &there) != 0) {
        parent_of(folder, parent, sizeof parent);
        if (errno != ENOENT)
            return cm_option_error(program, "--frames %s: %s", folder, strerror(errno));
        /* Only an attempt is reliable: root may write everywhere, but not in /proc. */
        if (mkdir(folder, 0777) != 0 || rmdir(folder) != 0)
            return cm_option_error(program, "--frames %s cannot be created: folder %s: %s", folder,
                                   parent, strerror(errno));
        return 0;
    }
    if (!S_ISDIR(there.st_mode))
        return cm_option_error(program, "--frames %s is a file; expected a folder", folder);
    snprintf(parent, sizeof parent, "%s/.cm-heat-XXXXXX", folder);
    int tried = mkstemp(parent);
    if (tried < 0 || close(tried) != 0 || unlink(parent) != 0)
        return cm_option_error(program, "--frames %s: no file can be written there: %s", folder,
                               strerror(errno));
    int64_t frames = frames_in(folder, false);
    if (frames < 0) return cm_option_error(program, "--frames %s: %s", folder, strerror(errno));
    if (frames > 0 && !force)
        return cm_option_error(
            program,
            "--frames %s holds %lld frames; choose another folder, or --force to replace "
            "them",
            folder, (long long)frames);
    return 0;
}

static FILE *create(const char *folder, const char *name, char *path)
{
    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
    unlink(path); /* a link, in a folder of others, would be followed */
    FILE *file = fopen(path, "wbx");
    if (!file) cm_abort(CM_EXIT_SYSTEM, "frames: %s: %s", path, strerror(errno));
    return file;
}

static void finish(FILE *file, const char *path, bool fine)
{
    fine = fflush(file) == 0 && fine;
    int cause = errno;
    if (fclose(file) != 0 && fine) {
        fine = false;
        cause = errno;
    }
    if (!fine) cm_abort(CM_EXIT_SYSTEM, "frames: %s: %s", path, strerror(cause));
}

void heat_frames_open(const char *folder, bool keeps, double low, double high)
{
    char path[PATH_BYTES];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        cm_abort(CM_EXIT_SYSTEM, "frames: %s: %s", folder, strerror(errno));
    if (frames_in(folder, !keeps) < 0)
        cm_abort(CM_EXIT_SYSTEM, "frames: %s: %s", folder, strerror(errno));
    FILE *file = create(folder, "frames.txt", path);
    finish(file, path,
           fprintf(file, "# lowest and highest temperature of all frames\n%.9g %.9g\n", low, high)
               > 0);
}

/* In floats: the number of columns and their places, then each row's place and temperatures. */
void heat_frame_write(const char *folder, const heat_plate *plate, const heat_picture *picture,
                      int64_t iteration)
{
    char path[PATH_BYTES], name[64];
    size_t n = (size_t)picture->columns + 1;
    float *line = malloc(n * sizeof *line);
    if (!line) cm_abort(CM_EXIT_SYSTEM, "out of memory: a frame's row");
    snprintf(name, sizeof name, "frame-%010lld.dat", (long long)iteration);
    FILE *file = create(folder, name, path);
    line[0] = (float)picture->columns;
    for (int64_t j = 0; j < picture->columns; j++) line[j + 1] = (float)(j * picture->thin + 1);
    bool fine = fwrite(line, sizeof *line, n, file) == n;
    for (int64_t i = 0; i < picture->rows && fine; i++) {
        line[0] = (float)(i * picture->thin + 1);
        for (int64_t j = 0; j < picture->columns; j++)
            line[j + 1] = (float)heat_picture_at(plate, picture, i, j);
        fine = fwrite(line, sizeof *line, n, file) == n;
    }
    finish(file, path, fine);
    free(line);
}

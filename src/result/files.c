/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c: can --output and --json be written? Asked before a run, so that none is lost. */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/exit.h"
#include "base/launch_rank.h"
#include "result/result_internal.h"

void cm_result_target_free(cm_result_target *target)
{
    free(target->path);
    free(target->folder);
    *target = (cm_result_target){0};
}

/* Returns the part before the last slash, or the slash itself if it is the root's. */
static char *folder_part(const char *path, const char *last)
{
    return strndup(path, last == path ? 1 : (size_t)(last - path));
}

/* path and folder of a file that is there: where its links lead to. */
static bool place_existing(const char *name, cm_result_target *target, char *why, size_t size)
{
    target->path = realpath(name, NULL);
    char *last = target->path ? strrchr(target->path, '/') : NULL;
    if (last) target->folder = folder_part(target->path, last);
    if (target->folder) return true;
    snprintf(why, size, "cannot be found: %s", strerror(errno));
    return false;
}

/* The same of one that is not there: its folder must be. */
static bool place_new(const char *name, cm_result_target *target, char *why, size_t size)
{
    const char *last = strrchr(name, '/'), *base = last ? last + 1 : name;
    if (!base[0]) {
        snprintf(why, size, "is the name of a folder; a file is wanted");
        return false;
    }
    char *given = last ? folder_part(name, last) : strdup(".");
    if (given) target->folder = realpath(given, NULL);
    if (!target->folder) {
        snprintf(why, size, "cannot be created: folder %s: %s", given ? given : "",
                 strerror(errno));
        free(given);
        return false;
    }
    free(given);
    size_t length = strlen(target->folder) + strlen(base) + 2;
    target->path = malloc(length);
    if (!target->path) {
        snprintf(why, size, "cannot be created: %s", strerror(errno));
        return false;
    }
    snprintf(target->path, length, "%s/%s", strcmp(target->folder, "/") == 0 ? "" : target->folder,
             base);
    return true;
}

/* force or not, only a plain file is ever replaced: renaming over /dev/null would remove the
   device. */
static bool replaceable(const char *name, bool force, cm_result_target *target, char *why,
                        size_t size)
{
    if (stat(name, &target->file) != 0)
        snprintf(why, size, "is a link that leads nowhere; remove it or choose another name");
    else if (S_ISDIR(target->file.st_mode)) snprintf(why, size, "is a folder; a file is wanted");
    else if (!S_ISREG(target->file.st_mode))
        snprintf(why, size, "is not a plain file; choose another name");
    else if (!force) snprintf(why, size, "exists; choose another name, or --force to overwrite it");
    else return true;
    return false;
}

bool cm_result_target_find(const char *name, bool force, cm_result_target *target, char *why,
                           size_t size)
{
    struct stat link;
    cm_result_target found = {0};
    bool fine = false;
    *target = found;
    if (!name[0]) {
        snprintf(why, size, "is no file's name");
    } else if (lstat(name, &link) == 0) {
        found.exists = true;
        fine =
            replaceable(name, force, &found, why, size) && place_existing(name, &found, why, size);
    } else if (errno == ENOENT) {
        fine = place_new(name, &found, why, size);
    } else {
        snprintf(why, size, "cannot be created: %s", strerror(errno));
    }
    if (fine
        && (stat(found.folder, &found.in) != 0
            || faccessat(AT_FDCWD, found.folder, W_OK | X_OK, AT_EACCESS) != 0)) {
        snprintf(why, size, "cannot be created: folder %s: %s", found.folder, strerror(errno));
        fine = false;
    }
    if (fine) *target = found;
    else cm_result_target_free(&found);
    return fine;
}

/* Also when two ways lead to one folder, or two names to one file. */
static bool same(const cm_result_target *a, const cm_result_target *b)
{
    if (a->exists && b->exists && a->file.st_dev == b->file.st_dev
        && a->file.st_ino == b->file.st_ino)
        return true;
    return a->in.st_dev == b->in.st_dev && a->in.st_ino == b->in.st_ino
           && strcmp(strrchr(a->path, '/'), strrchr(b->path, '/')) == 0;
}

const char *cm_result_name_shown(const char *name) { return *name ? name : "''"; }

/* As cm_result_target_find, before a run. Makes a file there for a moment: the rights do not say
   that /proc takes no files, or that a file server gives root none. */
static bool can_write(const char *name, bool force, cm_result_target *target, char *why,
                      size_t size)
{
    if (!cm_result_target_find(name, force, target, why, size)) return false;
    char path[4096];
    const char *base = strrchr(target->path, '/') + 1;
    int fd = -1;
    if (snprintf(path, sizeof path, "%s/%.200s.XXXXXX", target->folder, base) >= (int)sizeof path)
        errno = ENAMETOOLONG;
    else fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0) {
        snprintf(why, size, "cannot be created: %s", strerror(errno));
        return false;
    }
    close(fd);
    unlink(path);
    return true;
}

int cm_result_files_check(const cm_program *program, const cm_result_files *files)
{
    cm_result_target output = {0}, json = {0};
    char why[512];
    int status = 0;
    if (cm_launch_rank() != 0) return 0;
    if (fcntl(STDOUT_FILENO, F_GETFD) < 0 && errno == EBADF) {
        fprintf(stderr, "%s: standard output is closed; send it to a file or to /dev/null\n",
                program->name);
        return CM_EXIT_SYSTEM;
    }
    if (files->json && cm_result_json_missing())
        status = cm_option_error(program, "--json %s: %s", files->json, cm_result_json_missing());
    else if (files->output && !can_write(files->output, files->force, &output, why, sizeof why))
        status =
            cm_option_error(program, "--output %s %s", cm_result_name_shown(files->output), why);
    else if (files->json && !can_write(files->json, files->force, &json, why, sizeof why))
        status = cm_option_error(program, "--json %s %s", cm_result_name_shown(files->json), why);
    else if (output.path && json.path && same(&output, &json))
        status = cm_option_error(program, "--output %s and --json %s are the same file; give two",
                                 files->output, files->json);
    cm_result_target_free(&output);
    cm_result_target_free(&json);
    return status;
}

/* One that cannot be found is compared by its name; if it may be written is asked elsewhere. */
static bool one_file(const char *name, const char *other)
{
    cm_result_target a = {0}, b = {0};
    char why[512];
    const bool one =
        strcmp(name, other) == 0
        || (cm_result_target_find(name, true, &a, why, sizeof why)
            && cm_result_target_find(other, true, &b, why, sizeof why) && same(&a, &b));
    cm_result_target_free(&a);
    cm_result_target_free(&b);
    return one;
}

int cm_result_file_differs(const cm_program *program, const char *said, const char *name,
                           const cm_result_files *files)
{
    const struct {
        const char *option, *name;
    } others[] = {{"output", files->output}, {"json", files->json}};
    if (cm_launch_rank() != 0) return 0;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (others[k].name && one_file(name, others[k].name))
            return cm_option_error(program, "%s and --%s %s: give two different files", said,
                                   others[k].option, others[k].name);
    return 0;
}

int cm_result_file_check(const cm_program *program, const char *said, const char *name, bool force)
{
    cm_result_target target;
    char why[512];
    int status = 0;
    if (cm_launch_rank() != 0) return 0;
    if (!can_write(name, force, &target, why, sizeof why))
        status = cm_option_error(program, "%s%s %s", said, cm_result_name_shown(name), why);
    cm_result_target_free(&target);
    return status;
}

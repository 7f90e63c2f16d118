/* SPDX-License-Identifier: BSD-3-Clause */
/* folder.c: the files of a folder of results. */
#include "config.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "folder.h"
#include "memory.h"
#include "say.h"

char *suite_folder_path(const char *dir, const char *name, const char *suffix)
{
    return suite_text("%s/%s.%s", dir, name, suffix);
}

char *suite_file_text(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) return NULL;
    char *text = suite_array(1, 1);
    size_t n = 0, capacity = 1;
    for (size_t got = 1; got > 0;) {
        if (capacity - n < 4096) text = suite_longer(text, capacity = 2 * capacity + 4096, 1);
        got = fread(text + n, 1, capacity - n - 1, file);
        n += got;
    }
    text[n] = '\0';
    fclose(file);
    return text;
}

static char *text_of(const char *dir, const char *name, const char *suffix)
{
    char *path = suite_folder_path(dir, name, suffix), *text = suite_file_text(path);
    free(path);
    return text;
}

bool suite_folders_make(const char *dir)
{
    char *path = suite_copy(dir);
    for (char *c = path + (*path == '/'); *c; c++)
        if (*c == '/') {
            *c = '\0';
            mkdir(path, 0777);
            *c = '/';
        }
    bool made = mkdir(path, 0777) == 0 || errno == EEXIST;
    free(path);
    return made;
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

void suite_entry_read(const char *dir, const suite_run *run, suite_entry *entry)
{
    char why[4096], *path = suite_folder_path(dir, run->name, "txt");
    *entry = (suite_entry){.state = SUITE_FAILED};
    entry->text = text_of(dir, run->name, "failed");
    if (!entry->text && !is_file(path)) {
        entry->state = SUITE_SKIPPED;
        entry->text = text_of(dir, run->name, "skipped");
        if (!entry->text) entry->text = suite_copy("not run");
    } else if (!entry->text && !cm_record_read(path, &entry->record, why, sizeof why))
        entry->text = suite_copy(why);
    else if (!entry->text && !cm_record_complete(&entry->record)) {
        cm_record_free(&entry->record);
        entry->text = suite_copy("the result has no verdict: the run did not end");
    } else if (!entry->text) entry->state = SUITE_COMPLETE;
    free(path);
}

void suite_entry_free(suite_entry *entry)
{
    free(entry->text);
    cm_record_free(&entry->record);
    *entry = (suite_entry){0};
}

/* Under another name first, so that there is never half a file. Returns false: see errno. */
static bool write_whole(const char *path, const char *text, size_t length)
{
    char *part = suite_text("%s.part", path);
    FILE *file = fopen(part, "w");
    bool written = file && fwrite(text, 1, length, file) == length;
    if (file && fclose(file) != 0) written = false;
    written = written && rename(part, path) == 0;
    int error = errno;
    if (!written) unlink(part);
    free(part);
    errno = error;
    return written;
}

bool suite_folder_write(const char *dir, const char *name, const char *suffix, const char *text)
{
    char *path = suite_folder_path(dir, name, suffix);
    bool written = write_whole(path, text, strlen(text));
    if (!written) suite_say("cannot write %s: %s", path, strerror(errno));
    free(path);
    return written;
}

bool suite_file_write(const char *command, const char *path, const char *text, size_t length)
{
    bool written = write_whole(path, text, length);
    if (!written) suite_say("%s: cannot write %s: %s", command, path, strerror(errno));
    return written;
}

void suite_folder_remove(const char *dir, const char *name, const char *suffix)
{
    char *path = suite_folder_path(dir, name, suffix);
    unlink(path);
    free(path);
}

char *suite_folder_told(const char *dir, const char *key)
{
    char *all = text_of(dir, "run", "txt"), *value = NULL;
    size_t length = strlen(key);
    for (char *line = all; line && !value; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, key, length) == 0 && strncmp(line + length, ": ", 2) == 0) {
            const char *begin = line + length + 2;
            value = suite_text("%.*s", (int)strcspn(begin, "\n"), begin);
        }
    }
    free(all);
    return value;
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

static bool is_part(const char *name)
{
    return has_suffix(name, ".part") || has_suffix(name, ".part.svg")
           || has_suffix(name, ".part.png");
}

void suite_folder_clean(const char *dir)
{
    DIR *folder = opendir(dir);
    if (!folder) return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char *path = suite_text("%s/%s", dir, entry->d_name);
        struct stat status;
        if (is_part(entry->d_name) && lstat(path, &status) == 0 && S_ISREG(status.st_mode))
            unlink(path);
        free(path);
    }
    closedir(folder);
}

bool suite_folder_require(const char *command, const char *dir)
{
    bool found = false;
    DIR *folder = opendir(dir);
    if (!folder) {
        suite_say("%s: %s is not a folder that can be read; clustermark run %s makes one", command,
                  dir, dir);
        return false;
    }
    for (struct dirent *entry; !found && (entry = readdir(folder));)
        found = strcmp(entry->d_name, "run.txt") != 0
                && (has_suffix(entry->d_name, ".txt") || has_suffix(entry->d_name, ".failed")
                    || has_suffix(entry->d_name, ".skipped"));
    closedir(folder);
    if (!found)
        suite_say("%s: %s holds no results; clustermark run %s makes them", command, dir, dir);
    return found;
}

char *suite_folder_temporary(const char *name)
{
    const char *folder = getenv("TMPDIR");
    return suite_text("%s/%s", folder && *folder ? folder : "/tmp", name);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* folder.c: the files of a folder of results. */
#include "config.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "folder.h"
#include "common/memory.h"
#include "result/result_internal.h"
#include "common/say.h"
#include "common/words.h"

char *suite_folder_path(const char *dir, const char *name, const char *suffix)
{
    return suite_text("%s/%s.%s", dir, name, suffix);
}

char *suite_record_path(const char *path)
{
    const size_t length = strlen(path), end = strlen(".txt");
    if (length <= end || strcmp(path + length - end, ".txt") != 0) return suite_copy(path);
    char *json = suite_text("%.*s.json", (int)(length - end), path);
    struct stat status;
    if (lstat(json, &status) == 0) return json; /* a link to nowhere is not "no JSON" */
    free(json);
    return suite_copy(path);
}

bool suite_json_is_whole(const char *path)
{
    FILE *file = cm_record_open(path);
    json_t *json = file ? json_loadf(file, 0, NULL) : NULL;
    const bool whole = json_is_object(json);
    json_decref(json);
    if (file) fclose(file);
    return whole;
}

char *suite_file_text(const char *path)
{
    FILE *file = cm_record_open(path);
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
    char why[4096], *text = suite_folder_path(dir, run->name, "txt"),
                    *path = suite_record_path(text);
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
        entry->text = suite_copy("the result has no metric: the run did not end");
    } else if (!entry->text) entry->state = SUITE_COMPLETE;
    free(path);
    free(text);
}

void suite_entry_free(suite_entry *entry)
{
    free(entry->text);
    cm_record_free(&entry->record);
    *entry = (suite_entry){0};
}

/* Under another name first, so that there is never half a file. That name is this program's: what
   a killed run left there goes, and no link is followed. Returns false: see errno. */
static bool write_whole(const char *path, const char *text, size_t length)
{
    char *part = suite_text("%s.part", path);
    struct stat old;
    unlink(part);
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (file && stat(path, &old) == 0) fchmod(fd, old.st_mode & 0777);
    bool written = file && fwrite(text, 1, length, file) == length && fflush(file) == 0;
    if (written && fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP) written = false;
    int error = errno;
    if (file && fclose(file) != 0 && written) {
        written = false;
        error = errno;
    }
    if (written && rename(part, path) < 0) {
        written = false;
        error = errno;
    }
    if (!written && fd >= 0) unlink(part);
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

bool suite_file_write(const char *command, const char *path, bool force, const char *text,
                      size_t length)
{
    cm_result_target target;
    char why[CM_RESULT_WHY];
    bool written = cm_result_target_find(path, force, &target, why, sizeof why)
                   && cm_result_write_text(&target, force, text, length, why, sizeof why);
    if (!written) suite_say("%s: cannot write %s: it %s", command, path, why);
    cm_result_target_free(&target);
    return written;
}

void suite_folder_remove(const char *dir, const char *name, const char *suffix)
{
    char *path = suite_folder_path(dir, name, suffix);
    unlink(path);
    free(path);
}

char *suite_folder_metadata(const char *dir, const char *key)
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

static void remove_part(const char *dir, const char *name, const char *behind)
{
    char *path = suite_text("%s/%s%s", dir, name, behind);
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) unlink(path);
    free(path);
}

static void remove_figure_parts(const char *dir, const char *name, const char *figure)
{
    char *whole = figure ? suite_text("%s-%s", name, figure) : suite_copy(name);
    remove_part(dir, whole, ".svg.part.svg");
    remove_part(dir, whole, ".png.part.png");
    free(whole);
}

void suite_folder_clean(const char *dir, const suite_table *table)
{
    static const char *const files[] = {"run.txt", "report.html", "papers.tsv", "place.hosts"};
    static const char *const parts[] = {".txt.part", ".json.part", ".failed.part", ".skipped.part"};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) remove_part(dir, files[k], ".part");
    for (size_t r = 0; r < table->n; r++) {
        const suite_run *run = &table->run[r];
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            remove_part(dir, run->name, parts[k]);
        for (size_t f = 0; f < run->n_figures; f++)
            remove_figure_parts(dir, run->name, run->figure[f]);
        remove_figure_parts(dir, run->base, "scale");
        if (run->pair) remove_figure_parts(dir, run->pair, NULL);
    }
}

static bool is_told(const char *value, const char *usual)
{
    return value && *value && strcmp(value, usual) != 0;
}

/* The command that makes the results of a folder that may hold launches of a run already: that run
   goes on only with the same settings. As a shell reads it; the caller frees. */
static char *run_again(const char *dir)
{
    static const char *const key[] = {"profile", "ranks", "launches", "hosts", "place"};
    suite_words words = {0};
    suite_words_split(&words, "clustermark run");
    char *place = suite_folder_metadata(dir, "place");
    char *hosts = suite_folder_metadata(dir, "hosts");
    bool several = hosts && strcmp(hosts, "this host") != 0; /* ranks follow from them */
    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        char *value = suite_folder_metadata(dir, key[k]);
        bool of_place = (place && strcmp(key[k], "hosts") == 0)
                        || ((place || several) && strcmp(key[k], "ranks") == 0);
        if (is_told(value, "this host") && strcmp(value, "simulation") != 0 && !of_place) {
            char *option = suite_text("--%s", key[k]);
            suite_words_add(&words, option);
            suite_words_add(&words, value);
            free(option);
        }
        free(value);
    }
    suite_words_add(&words, dir);
    char *all = suite_words_join(&words);
    suite_words_free(&words);
    free(place);
    free(hosts);
    return all;
}

bool suite_folder_has_several(const char *command, const char *dir)
{
    char *names = suite_folder_metadata(dir, "backends");
    if (!names) return false;
    suite_say("%s: %s has a folder of results for each of the backends %s; give one of them, as "
              "%s/%.*s",
              command, dir, names, dir, (int)strcspn(names, ","), names);
    free(names);
    return true;
}

bool suite_folder_holds(const char *dir)
{
    bool found = false;
    DIR *folder = opendir(dir);
    if (!folder) return false;
    for (struct dirent *entry; !found && (entry = readdir(folder));)
        found =
            strcmp(entry->d_name, "run.txt") != 0
            && (has_suffix(entry->d_name, ".txt") || has_suffix(entry->d_name, ".json")
                || has_suffix(entry->d_name, ".failed") || has_suffix(entry->d_name, ".skipped"));
    closedir(folder);
    return found;
}

bool suite_folder_require(const char *command, const char *dir)
{
    if (suite_folder_has_several(command, dir)) return false;
    if (suite_folder_holds(dir)) return true;
    DIR *folder = opendir(dir);
    if (!folder)
        suite_say("%s: %s is not a folder that can be read; clustermark run %s makes one", command,
                  dir, dir);
    else {
        char *how = run_again(dir);
        suite_say("%s: %s holds no results; %s makes them", command, dir, how);
        free(how);
        closedir(folder);
    }
    return false;
}

bool suite_folder_writable(const char *command, const char *dir)
{
    if (access(dir, W_OK | X_OK) == 0) return true;
    suite_say("%s: cannot write into %s: %s; copy it to a folder of your own", command, dir,
              strerror(errno));
    return false;
}

char *suite_folder_temporary(const char *name)
{
    const char *folder = getenv("TMPDIR");
    return suite_text("%s/%s", folder && *folder ? folder : "/tmp", name);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* anonymous.c: a folder of results without the names of its site; see anonymous.h. The names of
   hosts are those that the records and run.txt have, so that all records are read first. */
#include "config.h"
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "anonymous.h"
#include "common/memory.h"
#include "common/say.h"
#include "common/words.h"
#include "names.h"
#include "results/folder.h"

typedef struct {
    const char *command, *dir, *to;
    suite_names names;
    suite_words left; /* files that are not copied */
} copying;

static bool ends(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length > end && strcmp(name + length - end, suffix) == 0;
}

/* ---- Which names there are ------------------------------------------------------------------- */

static void names_of_record(copying *c, const json_t *record)
{
    size_t k;
    json_t *host;
    json_array_foreach(json_object_get(record, "hosts"), k, host)
    {
        const char *name = json_string_value(json_object_get(host, "name"));
        if (name) suite_names_add(&c->names, name);
    }
    const char *own =
        json_string_value(json_object_get(json_object_get(record, "metadata"), "host"));
    if (own) suite_names_add(&c->names, own);
}

/* A host that was asked for and never came is in run.txt alone. Of a place, the list of hosts is
   what the place is called, "virtual:2". */
static void names_of_run(copying *c)
{
    char *host = suite_folder_metadata(c->dir, "host");
    char *place = suite_folder_metadata(c->dir, "place");
    char *hosts = place ? NULL : suite_folder_metadata(c->dir, "hosts");
    if (host) suite_names_add(&c->names, host);
    suite_words list = {0};
    if (hosts && !strchr(hosts, ' ')) suite_words_list(&list, hosts);
    for (size_t k = 0; k < list.n; k++) {
        char *at = strchr(list.word[k], '@'), *name = at ? at + 1 : list.word[k];
        char *colon = strchr(name, ':');
        if (colon && strchr(colon + 1, ':')) continue; /* an address */
        if (colon) *colon = '\0';
        suite_names_add(&c->names, name);
    }
    suite_words_free(&list);
    free(host);
    free(place);
    free(hosts);
}

/* ---- Copying --------------------------------------------------------------------------------- */

/* What the value of a key is. */
static suite_names_kind kind_of(const char *key, size_t length)
{
    static const char *const commands[] = {"command", "launcher", "rsh", "hostfile", "build"};
    static const char *const versions[] = {"version",     "cc_version", "fc_version",
                                           "cxx_version", "mpi",        "mpi_library",
                                           "blas",        "kernel",     "comm_version"};
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
        if (strlen(commands[k]) == length && strncmp(key, commands[k], length) == 0)
            return SUITE_NAMES_COMMAND;
    for (size_t k = 0; k < sizeof versions / sizeof *versions; k++)
        if (strlen(versions[k]) == length && strncmp(key, versions[k], length) == 0)
            return SUITE_NAMES_VERSION;
    return SUITE_NAMES_TEXT;
}

/* Words that readers look for and that are nobody's name. */
static bool is_fixed(const char *key)
{
    static const char *const fixed[] = {"schema", "program",  "metric", "unit", "format",  "better",
                                        "over",   "interval", "file",   "what", "relation"};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; k++)
        if (strcmp(key, fixed[k]) == 0) return true;
    return false;
}

static json_t *without_names(copying *c, json_t *value, const char *key);

static json_t *object_without(copying *c, json_t *object)
{
    json_t *copy = suite_there(json_object()), *value;
    const char *key;
    /* A column's, a check's or a quantity's name is none of a host. */
    bool named = json_object_get(object, "format") || json_object_get(object, "relation")
                 || json_object_get(object, "unit");
    json_object_foreach(object, key, value)
    {
        bool fixed = is_fixed(key) || (named && strcmp(key, "name") == 0);
        json_t *new = fixed ? json_incref(value) : without_names(c, value, key);
        if (json_object_set_new(copy, key, new) < 0) suite_there(NULL);
    }
    return copy;
}

static json_t *without_names(copying *c, json_t *value, const char *key)
{
    if (json_is_object(value)) return object_without(c, value);
    if (json_is_array(value)) {
        json_t *copy = suite_there(json_array()), *one;
        size_t k;
        json_array_foreach(value, k,
                           one) if (json_array_append_new(copy, without_names(c, one, key)) < 0)
            suite_there(NULL);
        return copy;
    }
    if (!json_is_string(value)) return json_incref(value);
    char *text =
        suite_names_replace(&c->names, json_string_value(value), kind_of(key, strlen(key)));
    json_t *copy = suite_there(json_string(text));
    free(text);
    return copy;
}

/* A text's lines "key: value" and "# key: value", and others. */
static char *text_without(copying *c, const char *text)
{
    char *copy = NULL;
    size_t size = 0;
    FILE *out = suite_there(open_memstream(&copy, &size));
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        char *one = suite_text("%.*s", (int)length, line);
        const char *key = one + strspn(one, "# ");
        char *new = suite_names_replace(&c->names, one, kind_of(key, strcspn(key, ":")));
        fputs(new, out);
        free(new);
        free(one);
        line += length;
        if (*line) fputc(*line++, out);
    }
    if (fclose(out) != 0) suite_there(NULL);
    return copy;
}

static bool write_copy(copying *c, const char *name, const char *text)
{
    char *path = suite_text("%s/%s", c->to, name);
    bool written = suite_file_write(c->command, path, false, text, strlen(text));
    free(path);
    return written;
}

static bool copy_json(copying *c, const char *name, json_t *record)
{
    json_t *copy = without_names(c, record, "");
    char *text = suite_there(json_dumps(copy, JSON_INDENT(1) | JSON_REAL_PRECISION(17)));
    char *whole = suite_text("%s\n", text);
    bool written = write_copy(c, name, whole);
    free(whole);
    free(text);
    json_decref(copy);
    return written;
}

/* Called with each file; name is that in dir. first: names are gathered; otherwise it is copied. */
static bool take(copying *c, const char *name, bool first)
{
    char *path = suite_text("%s/%s", c->dir, name);
    bool done = true;
    if (ends(name, ".json")) {
        json_error_t error;
        json_t *record = json_load_file(path, 0, &error);
        if (!json_is_object(record)) {
            suite_say("%s: %s: %s; no copy without names is made", c->command, path,
                      record ? "no JSON object" : error.text);
            done = false;
        } else if (first) {
            names_of_record(c, record);
        } else {
            done = copy_json(c, name, record);
        }
        json_decref(record);
    } else if (!first && (ends(name, ".txt") || ends(name, ".failed") || ends(name, ".skipped"))) {
        char *text = suite_file_text(path), *copy = text ? text_without(c, text) : NULL;
        if (!text) suite_say("%s: cannot read %s", c->command, path);
        done = copy && write_copy(c, name, copy);
        free(copy);
        free(text);
    } else if (!first) {
        suite_words_add(&c->left, name);
    }
    free(path);
    return done;
}

/* All files of a folder in dir ("" or "launches/"), in the order of their names. */
static bool take_all(copying *c, const char *below, bool first)
{
    char *folder = suite_text("%s/%s", c->dir, below);
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, alphasort);
    bool done = n >= 0 || (*below && errno == ENOENT);
    if (!done) suite_say("%s: %s: %s", c->command, folder, strerror(errno));
    for (int k = 0; k < n; k++) {
        char *name = suite_text("%s%s", below, entry[k]->d_name);
        char *path = suite_text("%s/%s", c->dir, name);
        struct stat status;
        bool plain = *entry[k]->d_name != '.' && stat(path, &status) == 0;
        if (done && plain && S_ISREG(status.st_mode)) done = take(c, name, first);
        else if (plain && !first && strcmp(name, "launches") != 0) suite_words_add(&c->left, name);
        free(path);
        free(name);
        free(entry[k]);
    }
    if (n >= 0) free(entry);
    free(folder);
    return done;
}

static void say(const copying *c)
{
    suite_say("%s: replaced: names of hosts %zu times (%zu host%s: host-1 ...), users %zu, paths "
              "%zu, addresses %zu",
              c->command, c->names.hosts, c->names.n_hosts, c->names.n_hosts == 1 ? "" : "s",
              c->names.users, c->names.paths, c->names.addresses);
    if (c->left.n == 0) return;
    suite_say("%s: left out, as only results are copied: %s%s", c->command, c->left.word[0],
              c->left.n > 1 ? " and others" : "");
}

bool suite_anonymous_copy(const char *command, const char *dir, const char *to)
{
    copying c = {.command = command, .dir = dir, .to = to};
    char *launches = suite_text("%s/launches", to);
    bool done = take_all(&c, "", true) && take_all(&c, "launches/", true);
    if (done) names_of_run(&c);
    if (done && mkdir(launches, 0777) < 0) {
        suite_say("%s: cannot make %s: %s", command, launches, strerror(errno));
        done = false;
    }
    done = done && take_all(&c, "", false) && take_all(&c, "launches/", false);
    rmdir(launches); /* stays where it has files */
    if (done) say(&c);
    suite_names_free(&c.names);
    suite_words_free(&c.left);
    free(launches);
    return done;
}

char *suite_anonymous_temporary(const char *command, const char *dir)
{
    char *copy = suite_folder_temporary("results-XXXXXX");
    if (!mkdtemp(copy)) {
        suite_say("%s: cannot make a folder %s: %s", command, copy, strerror(errno));
        free(copy);
        return NULL;
    }
    if (suite_anonymous_copy(command, dir, copy)) return copy;
    suite_anonymous_remove(copy);
    return NULL;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status;
    (void)kind;
    (void)at;
    return remove(path);
}

void suite_anonymous_remove(char *copy)
{
    if (copy) nftw(copy, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(copy);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* place_tree.c: builds the programs for SimGrid's simulator once, and keeps them in the user's
   cache. The sources are those of the build tree, or what `make install` packed of them. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "comm/comm.h"
#include "results/folder.h"
#include "common/memory.h"
#include "place.h"
#include "common/say.h"

static bool is_there(const char *folder, const char *name)
{
    char *path = suite_text("%s/%s", folder, name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* ---- where ----------------------------------------------------------------------------------- */

/* FNV-1a, so that each source tree has a cache of its own. */
static unsigned long long hash_of(const char *text)
{
    unsigned long long hash = 0xcbf29ce484222325u;
    for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash;
}

/* The sources: the folder of a build tree; else the file that `make install` made. */
static char *sources_of(const suite_home *home)
{
    return home->tree ? suite_copy(home->data) : suite_text("%s/source.tar.gz", home->data);
}

/* The name of the sources; of packed ones also their size and age, for a new installation has a
   cache of its own. The caller frees. */
static char *identity_of(const suite_home *home, const char *sources)
{
    struct stat file = {0};
    char *real = realpath(sources, NULL), *identity;
    if (home->tree || stat(sources, &file) < 0) identity = suite_copy(real ? real : sources);
    else
        identity = suite_text("%s %lld %lld", real ? real : sources, (long long)file.st_size,
                              (long long)file.st_mtime);
    free(real);
    return identity;
}

/* The cache of the programs made from these sources. NULL: there is no home. The caller frees. */
static char *cache_of(const suite_home *home, const char *sources)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *user = getenv("HOME");
    char *identity = identity_of(home, sources), *path = NULL;
    unsigned long long hash = hash_of(identity);
    if (cache && *cache == '/')
        path = suite_text("%s/clustermark/simulated-%s-%016llx", cache, PACKAGE_VERSION, hash);
    else if (user && *user == '/')
        path =
            suite_text("%s/.cache/clustermark/simulated-%s-%016llx", user, PACKAGE_VERSION, hash);
    free(identity);
    return path;
}

/* ---- building -------------------------------------------------------------------------------- */

/* Runs a step in the folder; its output goes to STEP.log there. Returns 0, or prints one line and
   returns the exit status. */
static int step(suite_children *children, const char *folder, const char *name,
                const suite_words *command)
{
    char *log = suite_text("%s/%s.log", folder, name), *errors = suite_text("%s.errors", log);
    suite_child child = {.argv = command->word,
                         .folder = folder,
                         .output = log,
                         .errors = errors,
                         .limit_s = INFINITY};
    int status = 0, result = 0;
    suite_child_end end = suite_child_run(children, &child, &status);
    if (end == SUITE_CHILD_INTERRUPTED) result = 128 + children->interrupted;
    else if (end != SUITE_CHILD_EXITED || status != 0) {
        char *text = suite_file_text(errors), *reason = suite_reason(text ? text : "");
        result =
            suite_fail(CM_EXIT_SYSTEM, "run: --place: %s failed: %s; see %s", name, reason, errors);
        free(reason);
        free(text);
    }
    free(errors);
    free(log);
    return result;
}

/* Unpacks the sources into folder/source, whole or not at all. */
static int unpack(suite_children *children, const char *sources, const char *folder)
{
    static const char script[] =
        "rm -rf source source.part && mkdir source.part && "
        "gzip -dc \"$0\" | tar xf - -C source.part --strip-components=1 && mv source.part source";
    suite_words command = {0};
    const char *const words[] = {"sh", "-c", script, sources};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) suite_words_add(&command, words[k]);
    int status = step(children, folder, "unpack", &command);
    suite_words_free(&command);
    return status;
}

static int configure(suite_children *children, const char *sources, const char *folder)
{
    suite_words command = {0};
    char *script = suite_text("%s/configure", sources);
    suite_words_add(&command, script);
    suite_words_split(&command, "--quiet CC=smpicc CXX= FC= LD= MPICC= --with-comm=mpi");
    int status = step(children, folder, "configure", &command);
    suite_words_free(&command);
    free(script);
    return status;
}

/* Only the library and the benchmarks: neither the suite nor the tests run under the simulator. */
static int make(suite_children *children, const suite_home *home, const char *folder)
{
    suite_table table;
    suite_words command = {0}, folders = {0};
    char *jobs = suite_text("-j%ld", sysconf(_SC_NPROCESSORS_ONLN));
    if (!suite_table_read(home, &table)) {
        free(jobs);
        return CM_EXIT_SYSTEM;
    }
    suite_words_split(&folders, "src sscrap/common");
    for (size_t r = 0; r < table.n; r++)
        if (!suite_words_have(&folders, table.run[r].folder))
            suite_words_add(&folders, table.run[r].folder);
    char *all = suite_words_join(&folders), *setting = suite_text("SUBDIRS=%s", all);
    /* Not with what was given to a make that started this program. */
    suite_words_split(&command, "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make");
    suite_words_add(&command, jobs);
    suite_words_add(&command, setting);
    int status = step(children, folder, "make", &command);
    free(setting);
    free(all);
    free(jobs);
    suite_words_free(&folders);
    suite_words_free(&command);
    suite_table_free(&table);
    return status;
}

/* Two runs do not build at once. */
static int build_locked(const suite_home *home, suite_children *children, const char *sources,
                        const char *folder)
{
    char *path = suite_text("%s/lock", folder);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666), status = 0;
    free(path);
    if (lock < 0 || flock(lock, LOCK_EX) < 0) {
        status = suite_fail(CM_EXIT_SYSTEM, "run: --place: cannot write to %s: %s", folder,
                            strerror(errno));
        if (lock >= 0) close(lock);
        return status;
    }
    if (!is_there(folder, "netpipe/cm-netpipe"))
        suite_say("run: building the programs for the simulator in %s; this takes some minutes, "
                  "once",
                  folder);
    char *unpacked = home->tree ? suite_copy(sources) : suite_text("%s/source", folder);
    if (!is_there(unpacked, "configure")) status = unpack(children, sources, folder);
    if (!status && !is_there(folder, "config.status"))
        status = configure(children, unpacked, folder);
    free(unpacked);
    if (!status) status = make(children, home, folder);
    close(lock);
    return status;
}

/* ---- what it needs --------------------------------------------------------------------------- */

static int check(const suite_home *home, const suite_place *place, const char *sources)
{
    static const char *const programs[] = {"smpirun", "smpicc", "smpif90", "smpicxx", NULL};
    for (const char *const *program = programs; *program; program++)
        if (!suite_can_be_found(*program))
            return suite_fail(CM_EXIT_SYSTEM,
                              "run: --place %s: it needs SimGrid, whose %s is not there; "
                              "Debian's package is libsimgrid-dev",
                              place->name, *program);
    if (home->tree ? !is_there(sources, "configure") : access(sources, R_OK) < 0)
        return suite_fail(CM_EXIT_SYSTEM,
                          "run: --place %s: the programs for the simulator are built from the "
                          "sources, but %s%s cannot be read",
                          place->name, sources, home->tree ? "/configure" : "");
    return 0;
}

int suite_place_build(const suite_home *home, const suite_place *place, suite_children *children,
                      suite_home *tree)
{
    *tree = (suite_home){0};
    char *sources = sources_of(home), *folder = NULL;
    int status = check(home, place, sources);
    if (!status) folder = cache_of(home, sources);
    if (!status && !folder)
        status = suite_fail(CM_EXIT_SYSTEM,
                            "run: --place %s: the programs are kept in XDG_CACHE_HOME or "
                            "HOME/.cache, but neither variable is set",
                            place->name);
    else if (!status && !suite_folders_make(folder))
        status = suite_fail(CM_EXIT_SYSTEM, "run: --place %s: cannot make %s: %s", place->name,
                            folder, strerror(errno));
    else if (!status) status = build_locked(home, children, sources, folder);
    if (folder)
        *tree = (suite_home){.data = suite_copy(home->data),
                             .tree = suite_copy(folder),
                             .programs = suite_copy(home->programs)};
    free(folder);
    free(sources);
    return status;
}

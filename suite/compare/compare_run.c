/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_run.c: `clustermark compare --run`: launches two builds in turns (places/turns.h). */
#include "config.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/child.h"
#include "comm/comm.h"
#include "compare.h"
#include "results/folder.h"
#include "results/launches.h"
#include "common/memory.h"
#include "common/say.h"
#include "places/turns.h"

enum { SIDES = 2 };
static const char *const side_names[SIDES] = {"base", "new"};

typedef struct {
    const suite_compare_run *options;
    const char *build[SIDES], *dir;
    char *program[SIDES]; /* clustermark of each */
    size_t launches;
    suite_children children;
} turns;

/* That of a build tree, of an installation, or the program itself. */
static int find_program(turns *t, int side)
{
    t->program[side] = suite_turns_program(t->build[side], NULL);
    if (t->program[side]) return 0;
    return suite_fail(
        CM_EXIT_SYSTEM,
        "compare: --run: %s cannot run: it has neither suite/clustermark, as a build, "
        "nor bin/clustermark, as an installation, nor is it the program "
        "itself; nothing was judged",
        t->build[side]);
}

/* DIR/run.txt says whose launches these are; those of others must not be mixed with them, and no
   file of another command be replaced. */
static int agree(const turns *t)
{
    char *path = suite_text("%s/run.txt", t->dir);
    bool is_there = access(path, F_OK) == 0;
    free(path);
    for (int side = 0; side < SIDES && is_there; side++) {
        char *before = suite_folder_metadata(t->dir, side_names[side]);
        int status = 0;
        if (!before)
            status = suite_fail(CM_EXIT_USAGE,
                                "compare: --run: %s/run.txt is not of compare --run; use another "
                                "DIR",
                                t->dir);
        else if (strcmp(before, t->build[side]) != 0)
            status = suite_fail(CM_EXIT_USAGE,
                                "compare: --run: %s holds launches of %s as %s, not of %s; use "
                                "another DIR",
                                t->dir, before, side_names[side], t->build[side]);
        free(before);
        if (status) return status;
    }
    char *text = suite_text("base: %s\nnew: %s\n", t->build[0], t->build[1]);
    bool written = is_there || suite_folder_write(t->dir, "run", "txt", text);
    free(text);
    return written ? 0 : CM_EXIT_SYSTEM;
}

/* Prints the number of launches that are needed, before anything is measured. */
static void say_launches(const turns *t, const suite_home *home)
{
    suite_table table;
    suite_words only = {0};
    size_t tests = 0;
    if (!suite_table_read(home, &table)) return;
    if (t->options->only) suite_words_list(&only, t->options->only);
    for (size_t r = 0; r < table.n; r++)
        tests +=
            table.run[r].headline && (only.n == 0 || suite_words_have(&only, table.run[r].name));
    size_t needed = compare_launches_for(tests ? tests : 1);
    suite_say("compare: base is %s, new is %s: %zu launch%s of each in turns; with %zu program%s a "
              "change can be told from %zu launches a side on%s",
              t->build[0], t->build[1], t->launches, t->launches == 1 ? "" : "es", tests,
              tests == 1 ? "" : "s", needed,
              t->launches < needed ? "; fewer tell little or nothing (--fail-on: status 3)" : "");
    suite_words_free(&only);
    suite_table_free(&table);
}

static char *round_folder(const turns *t, size_t launch, int side)
{
    return suite_text("%s/rounds/%zu-%s", t->dir, launch, side_names[side]);
}

/* One launch of all benchmarks of a build. What its folder has already is not run again. */
static int launch_one(turns *t, size_t launch, int side)
{
    char *folder = round_folder(t, launch, side);
    suite_words command = {0};
    suite_words_add(&command, t->program[side]);
    suite_words_add(&command, "run");
    suite_turns_option(&command, "--launches", "1");
    suite_turns_option(&command, "--profile", t->options->profile);
    suite_turns_option(&command, "--only", t->options->only);
    suite_turns_option(&command, "--hosts", t->options->hosts);
    suite_turns_option(&command, "--hostfile", t->options->hostfile);
    suite_turns_option(&command, "--launcher", t->options->launcher);
    suite_words_add(&command, "--");
    suite_words_add(&command, folder);
    suite_child child = {.argv = command.word, .limit_s = INFINITY};
    int status = 0;
    suite_child_end end = suite_child_run(&t->children, &child, &status);
    free(folder);
    suite_words_free(&command);
    if (end == SUITE_CHILD_INTERRUPTED) {
        suite_say("compare: interrupted; the same command goes on where this one ended");
        return 128 + t->children.interrupted;
    }
    /* A wrong answer is a result, which the comparison leaves out and says so. */
    if (end == SUITE_CHILD_EXITED && status <= CM_EXIT_WRONG) return 0;
    char *how = suite_turns_end(end, status);
    suite_say("compare: --run: %s could not run launch %zu (%s); nothing was judged",
              t->build[side], launch, how);
    free(how);
    return CM_EXIT_SYSTEM;
}

/* The order of the two sides changes from round to round. */
static int launch_all(turns *t)
{
    int status = 0;
    for (size_t launch = 1; launch <= t->launches && !status; launch++)
        for (int k = 0; k < SIDES && !status; k++)
            status = launch_one(t, launch, (int)suite_turns_side(launch, (size_t)k, SIDES));
    return status;
}

/* NAME.json of a launch becomes launches/NAME.K.json, and so does its text; NAME.skipped stays what
   it is. */
static int gather_file(const turns *t, size_t launch, int side, const char *from, const char *file)
{
    const char *dot = strrchr(file, '.');
    bool result = dot && (strcmp(dot, ".txt") == 0 || strcmp(dot, ".json") == 0);
    bool skipped = dot && strcmp(dot, ".skipped") == 0;
    if ((!result && !skipped) || strcmp(file, "run.txt") == 0) return 0;
    char *path = suite_text("%s/%s", from, file), *text = suite_file_text(path);
    char *to = suite_text(result ? "%s/%s/launches" : "%s/%s", t->dir, side_names[side]);
    char *name = result ? suite_text("%.*s.%zu", (int)(dot - file), file, launch)
                        : suite_text("%.*s", (int)(dot - file), file);
    bool done = text && suite_folder_write(to, name, dot + 1, text);
    if (!text) suite_say("compare: cannot read %s: %s", path, strerror(errno));
    free(name);
    free(to);
    free(text);
    free(path);
    return done ? 0 : CM_EXIT_SYSTEM;
}

static int gather(const turns *t, size_t launch, int side)
{
    char *from = round_folder(t, launch, side);
    int status = 0;
    DIR *folder = opendir(from);
    if (!folder)
        status = suite_fail(CM_EXIT_SYSTEM, "compare: cannot read %s: %s", from, strerror(errno));
    for (struct dirent *entry; folder && !status && (entry = readdir(folder));)
        status = gather_file(t, launch, side, from, entry->d_name);
    if (folder) closedir(folder);
    free(from);
    return status;
}

/* Of launches that were gathered before, fewer may be wanted now. */
static void remove_files(const char *path)
{
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder) closedir(folder);
}

static int gather_all(const turns *t)
{
    int status = 0;
    for (int side = 0; side < SIDES && !status; side++) {
        char *launches = suite_text("%s/%s/launches", t->dir, side_names[side]);
        if (!suite_folders_make(launches))
            status = suite_fail(CM_EXIT_SYSTEM, "compare: cannot make the folder %s: %s", launches,
                                strerror(errno));
        else remove_files(launches);
        free(launches);
        for (size_t launch = 1; launch <= t->launches && !status; launch++)
            status = gather(t, launch, side);
    }
    return status;
}

int compare_run(const suite_home *home, const suite_compare_run *options, const char *a,
                const char *b, const char *dir)
{
    turns t = {.options = options, .build = {a, b}, .dir = dir};
    int status = 0;
    t.launches = options->launches ? (size_t)options->launches : SUITE_LAUNCHES_ADVISED;
    for (int side = 0; side < SIDES && !status; side++) status = find_program(&t, side);
    if (!status && !suite_folders_make(dir))
        status = suite_fail(CM_EXIT_USAGE, "compare: --run: cannot make the folder %s: %s", dir,
                            strerror(errno));
    if (!status) status = agree(&t);
    if (!status) {
        say_launches(&t, home);
        if (!suite_children_open(&t.children)) status = CM_EXIT_SYSTEM;
        else {
            status = launch_all(&t);
            suite_children_close(&t.children);
        }
    }
    if (!status) status = gather_all(&t);
    for (int side = 0; side < SIDES; side++) free(t.program[side]);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* run_backends.c: `clustermark run --backend`: the same benchmarks over several backends, whose
   launches take turns. Each backend is a build with a clustermark of its own, which measures into
   DIR/NAME, one launch of each benchmark a round. */
#include "config.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"
#include "common/memory.h"
#include "common/say.h"
#include "common/unit.h"
#include "compare/compare.h"
#include "places/turns.h"
#include "results/backends.h"
#include "run.h"

typedef struct {
    char *name, *build; /* as they were typed; build: NULL if NAME stood alone */
    char *program;      /* clustermark of the build */
} backend;

typedef struct {
    const suite_run_options *options;
    const char *list, *dir;
    backend *side;
    size_t n, launches;
    suite_children children;
} turns;

/* ---- Which builds ---------------------------------------------------------------------------- */

static int add(turns *t, const char *word)
{
    const char *equals = strchr(word, '=');
    backend one = {.name =
                       equals ? suite_text("%.*s", (int)(equals - word), word) : suite_copy(word),
                   .build = equals ? suite_copy(equals + 1) : NULL};
    int status = 0;
    if (!suite_backends_is_name(one.name) || (one.build && !*one.build))
        status = suite_fail(CM_EXIT_USAGE,
                            "run: --backend '%s': expected NAME, or NAME=BUILD as in "
                            "sockets=../b-sockets",
                            word);
    for (size_t k = 0; k < t->n && !status; k++)
        if (strcmp(t->side[k].name, one.name) == 0)
            status = suite_fail(CM_EXIT_USAGE,
                                "run: --backend %s: %s is there twice; %s/%s can "
                                "hold one of them",
                                t->list, one.name, t->dir, one.name);
    t->side = suite_longer(t->side, t->n + 1, sizeof one);
    t->side[t->n++] = one;
    return status;
}

static int read_list(turns *t)
{
    suite_words words = {0};
    int status = 0;
    suite_words_list(&words, t->list);
    for (size_t k = 0; k < words.n && !status; k++) status = add(t, words.word[k]);
    if (!status && t->n < 2)
        status =
            suite_fail(CM_EXIT_USAGE,
                       "run: --backend %s: expected two backends or more, with commas", t->list);
    suite_words_free(&words);
    return status;
}

/* This program, if it is over the backend; otherwise the one beside it that was installed with
   --program-suffix=-NAME. */
static char *own_program(const char *name)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return NULL;
    path[length] = '\0';
    if (strcmp(name, CM_COMM) == 0) return suite_copy(path);
    char *beside = suite_text("%s-%s", path, name), *found = suite_turns_program(beside);
    free(beside);
    return found;
}

static int find_program(backend *one)
{
    if (one->build) {
        char *program = suite_turns_program(one->build);
        one->program = program ? realpath(program, NULL) : NULL;
        free(program);
        if (one->program) return 0;
        return suite_fail(CM_EXIT_USAGE,
                          "run: --backend %s=%s: it has neither suite/clustermark, as a build, nor "
                          "bin/clustermark, as an installation",
                          one->name, one->build);
    }
    one->program = own_program(one->name);
    if (one->program) return 0;
    return suite_fail(
        CM_EXIT_USAGE,
        "run: --backend %s: this build is over %s and no clustermark-%s is beside it; "
        "give %s=BUILD",
        one->name, CM_COMM, one->name, one->name);
}

/* The value behind a word that begins a line of `clustermark env`; the caller frees. */
static char *line_of(const char *text, const char *word)
{
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t n = strlen(word);
        if (strncmp(line, word, n) != 0 || line[n] != ' ') continue;
        const char *value = line + n + strspn(line + n, " ");
        return suite_text("%.*s", (int)strcspn(value, "\n"), value);
    }
    return suite_copy("");
}

/* Asks the build what it is. */
static int ask(turns *t, const backend *one)
{
    char *answer = suite_folder_temporary("clustermark-XXXXXX");
    int file = mkstemp(answer), status = 0;
    if (file < 0) status = suite_fail(CM_EXIT_SYSTEM, "run: %s: %s", answer, strerror(errno));
    else {
        char *const argv[] = {one->program, "env", NULL};
        suite_child child = {.argv = argv, .output = answer, .errors = "/dev/null", .limit_s = 60};
        int ended;
        close(file);
        suite_child_run(&t->children, &child, &ended);
        char *text = suite_file_text(answer), *version = line_of(text, "version"),
             *comm = line_of(text, "backend");
        if (t->children.interrupted) status = 128 + t->children.interrupted;
        else if (!*version || !*comm)
            status = suite_fail(CM_EXIT_USAGE, "run: --backend %s: `%s env` names no backend",
                                one->name, one->program);
        else if (strcmp(comm, one->name) != 0)
            status = suite_fail(CM_EXIT_USAGE, "run: --backend %s: %s is over %s; give %s=BUILD",
                                one->name, one->program, comm, comm);
        else if (strcmp(version, PACKAGE_VERSION) != 0)
            status = suite_fail(CM_EXIT_USAGE,
                                "run: --backend %s: %s is version %s, and this is %s; expected "
                                "builds of one version",
                                one->name, one->program, version, PACKAGE_VERSION);
        free(comm);
        free(version);
        free(text);
        unlink(answer);
    }
    free(answer);
    return status;
}

/* ---- The folder ------------------------------------------------------------------------------ */

/* The names as DIR/run.txt has them; the caller frees. */
static char *names_of(const turns *t)
{
    char *all = suite_copy("");
    for (size_t k = 0; k < t->n; k++) {
        char *longer = suite_text("%s%s%s", all, k ? "," : "", t->side[k].name);
        free(all);
        all = longer;
    }
    return all;
}

/* The launches of other builds must not be mixed with these, and no file of another command be
   replaced. */
static int agree(const turns *t)
{
    char *path = suite_text("%s/run.txt", t->dir), *names = names_of(t);
    char *before = suite_folder_metadata(t->dir, "backends"),
         *begun = suite_folder_metadata(t->dir, "begun-anew");
    const bool is_begun = begun != NULL;
    int status = 0;
    bool is_there = access(path, F_OK) == 0;
    if (is_there && !before)
        status = suite_fail(CM_EXIT_USAGE,
                            "run: --backend: %s is not of run --backend; use another DIR", path);
    else if (before && strcmp(before, names) != 0)
        status = suite_fail(CM_EXIT_USAGE,
                            "run: --backend: %s holds launches of %s in turns, not of %s; use "
                            "another DIR",
                            t->dir, before, names);
    else if (is_begun && !t->options->fresh)
        status = suite_fail(CM_EXIT_USAGE,
                            "run: --backend: %s: the last --fresh ended before every backend had "
                            "begun anew; give --fresh again",
                            t->dir);
    for (size_t k = 0; k < t->n && is_there && !status; k++) {
        char *program = suite_folder_metadata(t->dir, t->side[k].name);
        if (!t->options->fresh && program && strcmp(program, t->side[k].program) != 0)
            status = suite_fail(CM_EXIT_USAGE,
                                "run: --backend: %s holds launches of %s over %s, not of %s; use "
                                "another DIR, or --fresh",
                                t->dir, program, t->side[k].name, t->side[k].program);
        free(program);
    }
    free(before);
    free(begun);
    free(names);
    free(path);
    return status;
}

/* begun: not all backends have begun anew, and until then some hold launches from before. */
static int write_told(const turns *t, bool begun)
{
    char *names = names_of(t), *text = suite_text("version: %s\nbackends: %s\n%s", PACKAGE_VERSION,
                                                  names, begun ? "begun-anew: yes\n" : "");
    for (size_t k = 0; k < t->n; k++) {
        char *longer = suite_text("%s%s: %s\n", text, t->side[k].name, t->side[k].program);
        free(text);
        text = longer;
    }
    int status = 0;
    if (!suite_folders_make(t->dir))
        status = suite_fail(CM_EXIT_USAGE, "run: cannot make the folder %s: %s", t->dir,
                            strerror(errno));
    else if (!suite_folder_write(t->dir, "run", "txt", text)) status = CM_EXIT_SYSTEM;
    free(text);
    free(names);
    return status;
}

/* ---- The children ---------------------------------------------------------------------------- */

static void add_number(suite_words *command, const char *name, double value, const char *format)
{
    if (!(value > 0)) return;
    char text[64];
    snprintf(text, sizeof text, format, value);
    suite_turns_option(command, name, text);
}

/* `clustermark run` of the build up to this launch; 0: only its checks. The first round alone
   begins anew. */
static suite_words command_of(const turns *t, const backend *one, size_t until)
{
    const suite_run_options *o = t->options;
    suite_words command = {0};
    char *folder = suite_text("%s/%s", t->dir, one->name), *last = suite_text("%zu", until);
    suite_words_add(&command, one->program);
    suite_words_add(&command, "run");
    suite_turns_option(&command, "--profile", suite_profile_names[o->profile]);
    add_number(&command, "--launches", (double)t->launches, "%.0f");
    suite_turns_option(&command, "--until", last);
    suite_turns_option(&command, "--only", o->only);
    suite_turns_option(&command, "--hosts", o->hosts);
    suite_turns_option(&command, "--hostfile", o->hostfile);
    suite_turns_option(&command, "--launcher", o->launcher);
    suite_turns_option(&command, "--rsh", o->rsh);
    suite_turns_option(&command, "--rails", o->rails);
    suite_turns_option(&command, "--place", o->place);
    add_number(&command, "--ranks", (double)o->ranks, "%.0f");
    add_number(&command, "--time-limit", o->time_limit_s, "%.9g");
    if (o->fresh && until <= 1) suite_words_add(&command, "--fresh");
    suite_words_add(&command, "--");
    suite_words_add(&command, folder);
    free(last);
    free(folder);
    return command;
}

/* The text behind "clustermark: " of the last line; the caller frees. */
static char *last_line(const char *path)
{
    char *text = suite_file_text(path), *line = text ? text : "";
    if (text && *text && text[strlen(text) - 1] == '\n') text[strlen(text) - 1] = '\0';
    if (text && strrchr(text, '\n')) line = strrchr(text, '\n') + 1;
    static const char begin[] = "clustermark: ";
    if (strncmp(line, begin, strlen(begin)) == 0) line += strlen(begin);
    char *copy = suite_copy(line);
    free(text);
    return copy;
}

/* Lets the backend's clustermark check everything without starting or writing anything. */
static int try_one(turns *t, const backend *one)
{
    char *errors = suite_folder_temporary("clustermark-XXXXXX");
    int file = mkstemp(errors), status = 0, ended = 0;
    if (file < 0) status = suite_fail(CM_EXIT_SYSTEM, "run: %s: %s", errors, strerror(errno));
    else {
        close(file);
        suite_words command = command_of(t, one, 0);
        suite_child child = {.argv = command.word, .errors = errors, .limit_s = INFINITY};
        suite_child_end end = suite_child_run(&t->children, &child, &ended);
        if (end == SUITE_CHILD_INTERRUPTED) status = 128 + t->children.interrupted;
        else if (end != SUITE_CHILD_EXITED || ended > CM_EXIT_WRONG) {
            char *why = last_line(errors), *how = suite_turns_end(end, ended);
            status =
                suite_fail(CM_EXIT_USAGE, "run: --backend %s: %s", one->name, *why ? why : how);
            free(how);
            free(why);
        }
        suite_words_free(&command);
        unlink(errors);
    }
    free(errors);
    return status;
}

/* A launch of all benchmarks over one backend. What failed is tried again in the next round. */
static int launch_one(turns *t, const backend *one, size_t launch, int *ended)
{
    suite_words command = command_of(t, one, launch);
    suite_child child = {.argv = command.word, .limit_s = INFINITY};
    suite_say("run: launch %zu of %zu over %s", launch, t->launches, one->name);
    suite_child_end end = suite_child_run(&t->children, &child, ended);
    suite_words_free(&command);
    if (end == SUITE_CHILD_INTERRUPTED) {
        const bool fresh = t->options->fresh;
        suite_say("run: interrupted; the same command%s",
                  fresh && launch == 1 ? " begins anew"
                  : fresh              ? " without --fresh goes on where this one ended"
                                       : " goes on where this one ended");
        return 128 + t->children.interrupted;
    }
    if (end == SUITE_CHILD_EXITED && (*ended <= CM_EXIT_WRONG || *ended == CM_EXIT_SYSTEM))
        return 0;
    char *how = suite_turns_end(end, *ended);
    suite_say("run: --backend: launch %zu over %s could not be run (%s)", launch, one->name, how);
    free(how);
    return end == SUITE_CHILD_EXITED ? *ended : CM_EXIT_SYSTEM;
}

/* The status is that of the last round, in which each clustermark has seen all of its launches. */
static int launch_all(turns *t)
{
    int status = 0, worst = 0;
    for (size_t launch = 1; launch <= t->launches && !status; launch++) {
        worst = 0;
        for (size_t k = 0; k < t->n && !status; k++) {
            int ended = 0;
            status = launch_one(t, &t->side[suite_turns_side(launch, k, t->n)], launch, &ended);
            if (ended > worst) worst = ended;
        }
        if (launch == 1 && t->options->fresh && !status) status = write_told(t, false);
    }
    return status ? status : worst;
}

/* ---- All of it ----------------------------------------------------------------------------- */

/* As many launches as a test of every program over every other backend needs, and no fewer than the
   profile has. */
static int choose_launches(turns *t, const suite_home *home, size_t *needed)
{
    suite_table table;
    suite_words only = {0};
    size_t tests = 0;
    if (!suite_table_read(home, &table)) return CM_EXIT_SYSTEM;
    if (t->options->only) suite_words_list(&only, t->options->only);
    for (size_t r = 0; r < table.n; r++) {
        const suite_run *run = &table.run[r];
        bool asked = only.n == 0 ? run->options[t->options->profile] != NULL
                                 : suite_words_have(&only, run->name);
        tests += run->headline && asked ? t->n - 1 : 0;
    }
    *needed = compare_launches_for(tests ? tests : 1);
    size_t usual = (size_t)suite_run_launches_of(t->options->profile);
    t->launches = t->options->launches ? (size_t)t->options->launches
                  : *needed > usual    ? *needed
                                       : usual;
    suite_words_free(&only);
    suite_table_free(&table);
    return 0;
}

static int prepare(turns *t, const suite_home *home)
{
    size_t needed = 0;
    int status = 0;
    for (size_t k = 0; k < t->n && !status; k++) status = ask(t, &t->side[k]);
    if (!status) status = agree(t);
    if (!status) status = choose_launches(t, home, &needed);
    for (size_t k = 0; k < t->n && !status; k++) status = try_one(t, &t->side[k]);
    if (!status) status = write_told(t, t->options->fresh);
    if (!status) {
        char *launches = suite_counted(t->launches, "launches");
        suite_say("run: %s over each of %zu backends, in turns; a difference can be told from %zu "
                  "launches on%s",
                  launches, t->n, needed,
                  t->launches < needed ? "; fewer tell little or nothing" : "");
        free(launches);
    }
    return status;
}

int suite_run_backends(const suite_home *home, const suite_run_options *options, const char *list,
                       const char *dir)
{
    turns t = {.options = options, .list = list, .dir = dir};
    int status = read_list(&t);
    if (!status && options->place && !suite_virtual_is(options->place))
        status = suite_fail(CM_EXIT_USAGE,
                            "run: --backend with --place %s: a simulated cluster has one backend",
                            options->place);
    for (size_t k = 0; k < t.n && !status; k++) status = find_program(&t.side[k]);
    if (!status && !suite_children_open(&t.children)) status = CM_EXIT_SYSTEM;
    else if (!status) {
        status = prepare(&t, home);
        if (!status) status = launch_all(&t);
        suite_children_close(&t.children);
    }
    for (size_t k = 0; k < t.n; k++) {
        free(t.side[k].name);
        free(t.side[k].build);
        free(t.side[k].program);
    }
    free(t.side);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* run_backends.c: `clustermark run --backend`: the same benchmarks over several backends, whose
   launches take turns. Each backend has a clustermark of its own, in a build or installed beside
   this one, which measures into DIR/NAME, one launch of each benchmark a round. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "builds.h"
#include "comm/comm.h"
#include "common/memory.h"
#include "common/say.h"
#include "common/unit.h"
#include "compare/compare.h"
#include "places/turns.h"
#include "run.h"

typedef struct {
    const suite_run_options *options;
    suite_builds builds;
    size_t launches;
    suite_children children;
} turns;

/* ---- The children ---------------------------------------------------------------------------- */

static void add_number(suite_words *command, const char *name, double value, const char *format)
{
    if (!(value > 0)) return;
    char text[64];
    snprintf(text, sizeof text, format, value);
    suite_turns_option(command, name, text);
}

/* `clustermark run` of the backend into the folder, with these options. */
static suite_words command_of(const suite_build *one, const suite_run_options *o,
                              const char *folder)
{
    suite_words command = {0};
    char *last = suite_text("%lld", (long long)o->until);
    suite_words_add(&command, one->program);
    suite_words_add(&command, "run");
    suite_turns_option(&command, "--profile", suite_profile_names[o->profile]);
    add_number(&command, "--launches", (double)o->launches, "%.0f");
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
    if (o->fresh) suite_words_add(&command, "--fresh");
    suite_words_add(&command, "--");
    suite_words_add(&command, folder);
    free(last);
    return command;
}

/* The same into DIR/NAME, up to this launch; 0: only its checks. The first round alone begins anew.
   */
static suite_words turn_of(const turns *t, const suite_build *one, size_t until)
{
    suite_run_options options = *t->options;
    char *folder = suite_text("%s/%s", t->builds.dir, one->name);
    options.launches = (int64_t)t->launches;
    options.until = (int64_t)until;
    options.fresh = options.fresh && until <= 1;
    suite_words command = command_of(one, &options, folder);
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
static int try_one(turns *t, const suite_build *one)
{
    char *errors = suite_folder_temporary("clustermark-XXXXXX");
    int file = mkstemp(errors), status = 0, ended = 0;
    if (file < 0) status = suite_fail(CM_EXIT_SYSTEM, "run: %s: %s", errors, strerror(errno));
    else {
        close(file);
        suite_words command = turn_of(t, one, 0);
        suite_child child = {.argv = command.word, .errors = errors, .limit_s = INFINITY};
        suite_child_end end = suite_child_run(&t->children, &child, &ended);
        if (end == SUITE_CHILD_INTERRUPTED) status = 128 + t->children.interrupted;
        else if (end != SUITE_CHILD_EXITED || ended > CM_EXIT_WRONG) {
            char *why = last_line(errors), *how = suite_turns_end(end, ended);
            status = suite_fail(end == SUITE_CHILD_EXITED ? ended : CM_EXIT_SYSTEM,
                                "run: --backend %s: %s", one->name, *why ? why : how);
            free(how);
            free(why);
        }
        suite_words_free(&command);
        unlink(errors);
    }
    free(errors);
    return status;
}

/* That of DIR/NAME; NULL: there is none. The caller frees. */
static char *seed_of(const turns *t, const suite_build *one)
{
    char *folder = suite_text("%s/%s", t->builds.dir, one->name),
         *seed = suite_folder_metadata(folder, "seed");
    free(folder);
    return seed;
}

/* Returns true if the build has begun anew since it had this seed, which is freed. */
static bool has_begun(const turns *t, const suite_build *one, char *before)
{
    char *seed = seed_of(t, one);
    const bool begun = seed && (!before || strcmp(seed, before) != 0);
    free(seed);
    free(before);
    return begun;
}

/* A launch of all benchmarks over one backend. What failed is tried again in the next round, but
   not before the build has begun anew: that round would keep the launches from before. */
static int launch_one(turns *t, const suite_build *one, size_t launch, int *ended)
{
    suite_words command = turn_of(t, one, launch);
    char *before = seed_of(t, one);
    suite_child child = {.argv = command.word, .limit_s = INFINITY};
    suite_say("run: launch %zu of %zu over %s", launch, t->launches, one->name);
    suite_child_end end = suite_child_run(&t->children, &child, ended);
    suite_words_free(&command);
    const bool fresh = t->options->fresh, begun = has_begun(t, one, before);
    if (end == SUITE_CHILD_INTERRUPTED)
        return suite_turns_interrupted(&t->children, "run",
                                       !fresh        ? SUITE_AGAIN_GOES_ON
                                       : launch == 1 ? SUITE_AGAIN_BEGINS_ANEW
                                                     : SUITE_AGAIN_GOES_ON_UNLESS_FRESH);
    const bool again = *ended == CM_EXIT_SYSTEM && (begun || !fresh || launch > 1);
    if (end == SUITE_CHILD_EXITED && (*ended <= CM_EXIT_WRONG || again)) return 0;
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
        for (size_t k = 0; k < t->builds.n && !status; k++) {
            const size_t side = suite_turns_side(launch, k, t->builds.n);
            int ended = 0;
            status = launch_one(t, &t->builds.build[side], launch, &ended);
            if (ended > worst) worst = ended;
        }
        if (launch == 1 && t->options->fresh && !status)
            status = suite_builds_write(&t->builds, false);
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
        tests += run->headline && asked ? t->builds.n - 1 : 0;
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
    int status = suite_builds_check(&t->builds, &t->children);
    if (!status) status = choose_launches(t, home, &needed);
    for (size_t k = 0; k < t->builds.n && !status; k++) status = try_one(t, &t->builds.build[k]);
    if (!status) status = suite_builds_write(&t->builds, t->options->fresh);
    if (!status) {
        char *launches = suite_counted(t->launches, "launches");
        suite_say("run: %s over each of %zu backends, in turns; a difference can be told from %zu "
                  "launches on%s",
                  launches, t->builds.n, needed,
                  t->launches < needed ? "; fewer tell little or nothing" : "");
        free(launches);
    }
    return status;
}

/* One backend has no turns: its clustermark does what it would do without --backend. */
static int run_alone(turns *t)
{
    const suite_build *one = &t->builds.build[0];
    int status = suite_build_ask(one, &t->children), ended = 0;
    if (status) return status;
    suite_words command = command_of(one, t->options, t->builds.dir);
    suite_child child = {.argv = command.word, .limit_s = INFINITY};
    suite_child_end end = suite_child_run(&t->children, &child, &ended);
    suite_words_free(&command);
    if (end == SUITE_CHILD_INTERRUPTED) return 128 + t->children.interrupted;
    if (end == SUITE_CHILD_EXITED) return ended;
    char *how = suite_turns_end(end, ended);
    status = suite_fail(CM_EXIT_SYSTEM, "run: --backend %s: %s: %s", one->name, one->program, how);
    free(how);
    return status;
}

static bool is_this(const char *program)
{
    char *own = realpath("/proc/self/exe", NULL);
    bool is = own && strcmp(own, program) == 0;
    free(own);
    return is;
}

int suite_run_backends(const suite_home *home, const suite_run_options *options, const char *list,
                       const char *dir)
{
    turns t = {.options = options, .builds = {.list = list, .dir = dir, .fresh = options->fresh}};
    int status = suite_builds_read(&t.builds);
    if (!status && options->place && !suite_virtual_is(options->place))
        status = suite_fail(CM_EXIT_USAGE,
                            "run: --backend with --place %s: a simulated cluster has one backend",
                            options->place);
    if (!status) status = suite_builds_find(&t.builds, home);
    if (!status && t.builds.n == 1 && is_this(t.builds.build[0].program))
        status = suite_run_benchmarks(home, options, dir);
    else if (!status && !suite_children_open(&t.children)) status = CM_EXIT_SYSTEM;
    else if (!status) {
        if (t.builds.n == 1) status = run_alone(&t);
        else if (!(status = prepare(&t, home))) status = launch_all(&t);
        suite_children_close(&t.children);
    }
    suite_builds_free(&t.builds);
    return status;
}

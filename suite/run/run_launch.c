/* SPDX-License-Identifier: BSD-3-Clause */
/* run_launch.c: one launch of a benchmark, from its command to its metrics. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "comm/comm.h"
#include "launch/loop.h"
#include "results/launches.h"
#include "results/took.h"
#include "machine/machine.h"
#include "measure/repeated.h"
#include "common/memory.h"
#include "run.h"
#include "common/say.h"
#include "common/unit.h"

/* A run over 100 Mbit/s takes several times as long as over the networks for which the table's
   seconds are. */
enum { SLOW_NETWORK = 10 };

/* Much longer than the run should take. Ranks without a core of their own are slower by far more
   than their number. */
static double limit_s(const suite_session *s, const suite_run *run)
{
    if (s->options.time_limit_s > 0) return s->options.time_limit_s;
    double limit = 60 + 10 * run->seconds[s->options.profile];
    if (s->virtuals.settings.rate || s->virtuals.settings.delay) limit *= SLOW_NETWORK;
    int ranks = suite_run_ranks(s, run), cores = cm_machine_job_cores();
    bool here = s->virtuals.hosts || (!s->hosts && !s->options.place);
    if (here && ranks > cores) limit = 4 * limit * ranks / cores;
    return limit + 60 * s->options.minutes;
}

static void make_command(const suite_session *s, const suite_run *run, size_t launch,
                         suite_words *command)
{
    char *output = suite_launch_path(s->dir, run->name, launch, "txt");
    char *json = suite_launch_path(s->dir, run->name, launch, "json");
    char *path = suite_home_program(s->home, run->folder, run->program);
    char *options = suite_run_options_of(s, run);
    if (run->settings && *run->settings) {
        suite_words_add(command, "env");
        suite_words_split(command, run->settings);
    }
    suite_run_launcher(s, run, command);
    if (run->rails) {
        char *setting = suite_text("CM_RAILS=%s", s->options.rails);
        char *env = suite_find_program("env");
        suite_words_add(command, env ? env : "env");
        suite_words_add(command, setting);
        free(env);
        free(setting);
    }
    suite_words_add(command, path);
    suite_words_split(command, options);
    free(options);
    suite_words_add(command, "--output");
    suite_words_add(command, output);
    suite_words_split(command, "--quiet --force --json");
    suite_words_add(command, json);
    if (s->virtuals.hosts) suite_virtual_wrap(&s->virtuals, command);
    free(path);
    free(json);
    free(output);
}

static char *describe_end(suite_child_end end, int status, double limit)
{
    char duration[SUITE_DURATION];
    switch (end) {
    case SUITE_CHILD_OVERTIME:
        return suite_text("none: ended at its time limit of %s", suite_duration(limit, duration));
    case SUITE_CHILD_KILLED:
        return suite_text("none: killed by signal %d (%s)", status, strsignal(status));
    case SUITE_CHILD_NOT_STARTED:
        return suite_text("none: could not be started: %s", strerror(status));
    default:
        return suite_text("%d", status);
    }
}

/* The last lines of a text. */
static const char *tail(const char *text, int lines)
{
    const char *at = text + strlen(text);
    if (at > text && at[-1] == '\n') at--;
    for (; at > text; at--)
        if (at[-1] == '\n' && --lines == 0) break;
    return at;
}

/* The end of the file of cm-nodes that has the parts of a burn-in while it lasts. */
static const char BURN_IN_PARTS[] = "txt.parts";

static void fail(suite_session *s, const suite_run *run, size_t launch, const suite_words *command,
                 const char *end, const char *errors)
{
    char date[32], *words = suite_words_join(command), *reason = suite_reason(errors);
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    const bool told = strncmp(end, "none: ", 6) == 0;
    char *text = suite_text("%s%s\nlaunch: %zu\ncommand: %s\ndate: %s\n%s",
                            told ? "" : "exit status: ", told ? end + 6 : end, launch, words, date,
                            tail(errors, 20));
    s->failed++;
    suite_folder_write(s->dir, run->name, "failed", text);
    char *parts = suite_launch_path(s->dir, run->name, launch, BURN_IN_PARTS);
    const bool kept = access(parts, F_OK) == 0;
    suite_screen_end(&s->screen, run->name, SCREEN_FAILED, "failed: %s%s: %s%s%s",
                     told ? "" : "exit status ", told ? end + 6 : end, reason,
                     kept ? "; what the burn-in measured until then is in " : "",
                     kept ? parts : "");
    free(parts);
    free(text);
    free(reason);
    free(words);
}

static bool has_file(const suite_session *s, const suite_run *run, size_t launch,
                     const char *suffix)
{
    char *path = suite_launch_path(s->dir, run->name, launch, suffix);
    const bool has = access(path, F_OK) == 0;
    free(path);
    return has;
}

/* Reads the JSON of a launch, its record; false: it is not complete. */
static bool read_record(const suite_session *s, const suite_run *run, size_t launch,
                        cm_record *record)
{
    char why[1024], *json = suite_launch_path(s->dir, run->name, launch, "json");
    *record = (cm_record){0};
    const bool whole = cm_record_read(json, record, why, sizeof why) && cm_record_complete(record);
    free(json);
    return whole;
}

/* Reads the result of a launch that has just ended; false: it is not complete, or its text is
   missing. */
static bool read_launch(const suite_session *s, const suite_run *run, size_t launch,
                        cm_record *record)
{
    *record = (cm_record){0};
    return has_file(s, run, launch, "txt") && read_record(s, run, launch, record);
}

/* `clustermark nodes` shows a result that could not tell, which the program ends with status 3: a
   burn-in may have lasted for hours. Several launches may tell it together. */
static bool cannot_tell(const suite_session *s, int status, const cm_record *record)
{
    return (s->options.alone || s->launches >= CM_REPEATED_FEWEST) && status == CM_EXIT_SYSTEM
           && !cm_record_failed(record) && cm_record_finding_of(record, CM_FINDING_CANNOT_TELL, 0);
}

/* A burn-in that gets a signal to end does so after its round, which takes less than this. */
enum { ROUND_S = 60 };

static bool is_whole(const suite_session *s, const suite_run *run, size_t launch)
{
    cm_record record;
    const bool whole = read_launch(s, run, launch, &record);
    cm_record_free(&record);
    return whole;
}

/* For the screen: the value of the headline; without one, of the first metric. */
static void show(suite_session *s, const suite_run *run, const cm_record *record)
{
    const cm_record_metric *metric =
        run->headline ? cm_record_metric_of(record, run->headline) : record->metric;
    double value;
    if (metric && cm_record_number(metric->value, &value))
        suite_screen_value(&s->screen, run->name, metric->name, value, metric->unit);
}

/* The text says no more than the record: where it alone is missing, nothing is measured again. */
static bool renew_text(const suite_session *s, const suite_run *run, size_t launch,
                       const cm_record *record)
{
    if (has_file(s, run, launch, "txt")) return true;
    char *name = suite_text("launches/%s.%zu", run->name, launch);
    char *text = suite_there(cm_record_text(record));
    const bool written = suite_folder_write(s->dir, name, "txt", text);
    free(text);
    free(name);
    return written;
}

bool suite_launches_agree(const suite_session *s, const suite_run *run)
{
    size_t there = 0, whole = 0;
    for (size_t k = 1; k <= (size_t)s->launches; k++) {
        cm_record record = {0};
        if (!has_file(s, run, k, "json")) continue;
        there++;
        whole += read_record(s, run, k, &record);
        cm_record_free(&record);
    }
    return there == 0 || whole == (size_t)s->launches;
}

bool suite_launch_is_there(suite_session *s, const suite_run *run, size_t launch)
{
    cm_record record;
    bool there = read_record(s, run, launch, &record) && renew_text(s, run, launch, &record);
    if (there) {
        show(s, run, &record);
        suite_screen_kept(&s->screen, run->name, cm_record_failed(&record));
    }
    cm_record_free(&record);
    return there;
}

/* Only the run knows how long a launch took, with its launcher. A line has said it if the disk is
   full; the result is complete without. */
static void tell_time(const suite_session *s, const suite_run *run, size_t launch, double taken_s)
{
    static const char *const suffixes[] = {"txt", "json"};
    char *name = suite_text("launches/%s.%zu", run->name, launch), *file[2], *told[2];
    for (int k = 0; k < 2; k++) {
        char *path = suite_launch_path(s->dir, run->name, launch, suffixes[k]);
        file[k] = suite_file_text(path);
        free(path);
    }
    told[0] = file[0] ? suite_took_in_text(file[0], taken_s) : NULL;
    told[1] = file[1] ? suite_took_in_json(file[1], taken_s) : NULL;
    for (int k = 0; k < 2 && told[0] && told[1]; k++)
        if (!suite_folder_write(s->dir, name, suffixes[k], told[k])) break;
    for (int k = 0; k < 2; k++) {
        free(told[k]);
        free(file[k]);
    }
    free(name);
}

static void remove_file(const suite_session *s, const suite_run *run, size_t launch,
                        const char *suffix)
{
    char *path = suite_launch_path(s->dir, run->name, launch, suffix);
    unlink(path);
    free(path);
}

/* The next run would take the result of a launch that failed for a good one. */
static void remove_result(const suite_session *s, const suite_run *run, size_t launch)
{
    remove_file(s, run, launch, "txt");
    remove_file(s, run, launch, "json");
}

static void forget(const suite_session *s, const suite_run *run, size_t launch)
{
    remove_result(s, run, launch);
    remove_file(s, run, launch, "stderr");
    remove_file(s, run, launch, BURN_IN_PARTS);
}

/* Returns a readable description of the launch. */
static char *describe(const suite_session *s, const suite_run *run, size_t launch)
{
    int ranks = suite_run_ranks(s, run);
    char *number = s->launches > 1 ? suite_text("launch %zu of %zu: ", launch, (size_t)s->launches)
                                   : suite_copy("");
    char *options = suite_run_options_of(s, run);
    char *what = suite_text("%s%s %s, %d rank%s", number, run->program, options, ranks,
                            ranks == 1 ? "" : "s");
    free(options);
    free(number);
    return what;
}

suite_launch_end suite_run_launch(suite_session *s, const suite_run *run, size_t launch)
{
    char duration[SUITE_DURATION],
        *errors_path = suite_launch_path(s->dir, run->name, launch, "stderr");
    double limit = limit_s(s, run),
           about = run->seconds[s->options.profile] + 60 * s->options.minutes;
    char *what = describe(s, run, launch);
    suite_words command = {0};
    make_command(s, run, launch, &command);
    suite_child child = {.argv = command.word,
                         .errors = errors_path,
                         .limit_s = limit,
                         .grace_s = s->options.minutes > 0 ? ROUND_S : 0,
                         .tick = suite_screen_tick,
                         .context = &s->screen};
    int status;
    forget(s, run, launch);
    suite_screen_begin(&s->screen, run->name, what, about, limit);
    double begin_s = loop_now_s();
    suite_child_end end = suite_child_run(&s->children, &child, &status);
    double taken_s = loop_now_s() - begin_s;
    char *errors = suite_file_text(errors_path);
    suite_launch_end ended = SUITE_LAUNCH_INTERRUPTED;
    /* A burn-in that was ended early still has a result for the time that it ran. */
    if (end == SUITE_CHILD_INTERRUPTED && s->options.minutes > 0 && is_whole(s, run, launch)) {
        s->children.interrupted = 0;
        end = SUITE_CHILD_EXITED;
        status = CM_EXIT_PASS;
    }
    if (end == SUITE_CHILD_INTERRUPTED || !errors || !*errors) unlink(errors_path);
    if (end != SUITE_CHILD_INTERRUPTED) {
        cm_record record = {0};
        bool whole = end == SUITE_CHILD_EXITED && read_launch(s, run, launch, &record);
        const bool wrong = cm_record_failed(&record),
                   unknown = whole && cannot_tell(s, status, &record);
        whole = whole && (status <= CM_EXIT_WRONG || unknown);
        /* Status 1 says that an answer was wrong. If the result knows of none, the two contradict
           each other, and neither is believed. */
        if (whole && (status == CM_EXIT_PASS || wrong || unknown)) {
            tell_time(s, run, launch, taken_s);
            show(s, run, &record);
            suite_screen_end(&s->screen, run->name, wrong ? SCREEN_WRONG : SCREEN_PASS, "%s, %s",
                             wrong     ? "FAIL"
                             : unknown ? "could not tell"
                                       : "PASS",
                             suite_duration(taken_s, duration));
            ended = SUITE_LAUNCH_COMPLETE;
        } else {
            char *how = whole ? suite_text("%d, though its result knows no wrong answer", status)
                              : describe_end(end, status, limit);
            remove_result(s, run, launch);
            fail(s, run, launch, &command, how, errors ? errors : "");
            free(how);
            ended = SUITE_LAUNCH_FAILED;
        }
        cm_record_free(&record);
    } else suite_screen_end(&s->screen, run->name, SCREEN_INTERRUPTED, "interrupted");
    free(errors);
    suite_words_free(&command);
    free(what);
    free(errors_path);
    return ended;
}

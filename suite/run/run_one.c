/* SPDX-License-Identifier: BSD-3-Clause */
/* run_one.c: one benchmark of `clustermark run`: the reasons not to run it, and the result of its
   launches. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "comm/comm.h"
#include "results/launches.h"
#include "common/memory.h"
#include "run.h"
#include "common/say.h"

bool suite_run_is_asked(const suite_session *s, const suite_run *run)
{
    return s->only.n == 0 || suite_words_have(&s->only, run->name);
}

/* Returns true if its result is complete in DIR, and so are its launches, unless all of them were
   removed. */
static bool is_there(const suite_session *s, const suite_run *run)
{
    suite_entry entry;
    suite_entry_read(s->dir, run, &entry);
    bool there = entry.state == SUITE_COMPLETE;
    suite_entry_free(&entry);
    char *json = suite_folder_path(s->dir, run->name, "json");
    there = there && access(json, F_OK) == 0 && suite_launches_agree(s, run);
    free(json);
    return there;
}

/* ---- What is not run ------------------------------------------------------------------------- */

/* Returns what the profile, the backend or options leave out, which is run only if --only names it;
   NULL: nothing. The caller frees it. */
static char *left_out(const suite_session *s, const suite_run *run)
{
    const char *profile = suite_profile_names[s->options.profile];
    if (!run->options[s->options.profile]) return suite_text("not in profile %s", profile);
    if (run->processes && !*CM_PROPERTIES)
        return suite_copy("it needs processes, and the dummy backend has one");
    if (suite_run_is_same(s, run))
        return suite_text("here it would have the same ranks as %s", run->first);
    if (run->rails && (!s->options.rails || !*s->options.rails))
        return suite_copy("no --rails: it compares several interfaces with one");
    const int ranks = suite_run_ranks(s, run);
    if (run->ranks != SUITE_RANKS_NUMBER && ranks < run->least)
        return suite_text("it needs at least %d ranks, and there are %d", run->least, ranks);
    return NULL;
}

static char *not_startable(const suite_session *s, const suite_run *run, const char *path)
{
    struct stat status;
    if (stat(path, &status) < 0 || !S_ISREG(status.st_mode) || access(path, X_OK) < 0)
        return suite_text("the program %s is not there", run->program);
    return s->launcher.problem ? suite_copy(s->launcher.problem) : NULL;
}

/* Of a run that is made in parts the first and the last say what is skipped. */
static void skip(suite_session *s, const suite_run *run, const char *why, bool asked)
{
    bool told = s->options.until <= 1 || s->options.until >= s->launches;
    s->skipped++;
    if (asked) s->missed++;
    if (asked && !s->first_missed) s->first_missed = suite_text("%s: %s", run->name, why);
    if (s->options.until == 0) return;
    char *text = suite_text("%s\n", why);
    if (!suite_folder_write(s->dir, run->name, "skipped", text)) s->failed++;
    if (told) suite_screen_skip(&s->screen, run->name, "skipped: %s", why);
    free(text);
}

/* ---- Before its launches, and after them ----------------------------------------------------- */

void suite_run_forget(const suite_session *s, const suite_run *run)
{
    static const char *const suffixes[] = {"txt", "json", "failed", "skipped", "stderr", NULL};
    for (const char *const *suffix = suffixes; *suffix; suffix++) {
        suite_folder_remove(s->dir, run->name, *suffix);
        for (size_t k = 1; k <= SUITE_LAUNCHES_MOST; k++) {
            char *path = suite_launch_path(s->dir, run->name, k, *suffix);
            unlink(path);
            free(path);
        }
    }
}

bool suite_run_prepare(suite_session *s, const suite_run *run)
{
    if (!s->options.fresh && is_there(s, run)) {
        suite_entry entry;
        suite_entry_read(s->dir, run, &entry);
        suite_screen_skip(&s->screen, run->name, "complete, %s",
                          cm_record_failed(&entry.record) ? "FAIL" : "PASS");
        suite_entry_free(&entry);
        return false;
    }
    char *path = suite_home_program(s->home, run->folder, run->program);
    char *why = left_out(s, run);
    bool asked = !why || s->only.n, on = false;
    if (!why) why = not_startable(s, run, path);
    if (s->options.until > 0) {
        suite_folder_remove(s->dir, run->name, "skipped");
        suite_folder_remove(s->dir, run->name, "failed");
    }
    if (why) skip(s, run, why, asked);
    else {
        if (s->options.fresh && s->options.until > 0) suite_run_forget(s, run);
        on = true;
    }
    free(why);
    free(path);
    return on;
}

static bool copy_file(const char *from, const char *dir, const char *name, const char *suffix)
{
    char *text = suite_file_text(from);
    bool written = text && suite_folder_write(dir, name, suffix, text);
    free(text);
    return written;
}

/* The one launch is the result. */
static bool copy_launch(const suite_session *s, const suite_run *run)
{
    char *text = suite_launch_path(s->dir, run->name, 1, "txt");
    char *json = suite_launch_path(s->dir, run->name, 1, "json");
    bool copied =
        copy_file(text, s->dir, run->name, "txt") && copy_file(json, s->dir, run->name, "json");
    free(json);
    free(text);
    return copied;
}

static bool combine(const suite_session *s, const suite_run *run, char *why, size_t why_size)
{
    suite_launches launches;
    bool done =
        suite_launches_read(s->dir, run->name, (size_t)s->launches, &launches, why, why_size);
    if (!done) suite_say("%s: %s", run->name, why);
    else {
        cm_record combined;
        suite_combine(&launches, run->rows, &combined);
        done = suite_combined_write(s->dir, run->name, &launches, &combined);
        cm_record_free(&combined);
    }
    suite_launches_free(&launches);
    return done;
}

void suite_run_finish(suite_session *s, const suite_run *run)
{
    char why[4096] = "";
    bool done = s->launches == 1 ? copy_launch(s, run) : combine(s, run, why, sizeof why);
    if (done) return;
    s->failed++;
    suite_folder_remove(s->dir, run->name, "txt");
    suite_folder_remove(s->dir, run->name, "json");
    char *text =
        suite_text("the result of its launches could not be written\n%s%s", why, *why ? "\n" : "");
    suite_folder_write(s->dir, run->name, "failed", text);
    free(text);
}

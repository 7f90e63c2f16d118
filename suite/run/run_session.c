/* SPDX-License-Identifier: BSD-3-Clause */
/* run_session.c: runs the benchmarks of the table, launch by launch. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"
#include "common/memory.h"
#include "places/turns.h"
#include "random/random.h"
#include "run.h"
#include "common/say.h"

/* If several shapes are the same here, only the first is run. */
static bool is_wanted(const suite_session *s, const suite_run *run)
{
    return suite_run_is_asked(s, run) && (s->only.n > 0 || !suite_run_is_same(s, run));
}

static bool has_failed(const suite_session *s)
{
    bool failed = false;
    for (size_t r = 0; r < s->table.n && !failed; r++) {
        suite_entry entry;
        suite_entry_read(s->dir, &s->table.run[r], &entry);
        failed = cm_record_failed(&entry.record);
        suite_entry_free(&entry);
    }
    return failed;
}

static int end(const suite_session *s)
{
    if (s->children.interrupted)
        return suite_turns_interrupted(&s->children, suite_run_word(s),
                                       s->options.alone   ? SUITE_AGAIN_MEASURES_ANEW
                                       : s->options.fresh ? SUITE_AGAIN_GOES_ON_UNLESS_FRESH
                                                          : SUITE_AGAIN_GOES_ON);
    if (s->missed && s->options.until == 0)
        suite_say("%s: it would be skipped: %s", suite_run_word(s), s->first_missed);
    else if (s->missed)
        suite_say("%s: %d skipped, %d of them asked for", suite_run_word(s), s->skipped, s->missed);
    else if (s->skipped && s->options.until >= s->launches)
        suite_say("%s: %d skipped", suite_run_word(s), s->skipped);
    if (s->failed) suite_say("%s: %d failed", suite_run_word(s), s->failed);
    if (s->failed || s->missed) return CM_EXIT_SYSTEM;
    /* What only checks has no answer of its own: those in the folder are of an earlier run. */
    return s->options.until > 0 && has_failed(s) ? CM_EXIT_WRONG : CM_EXIT_PASS;
}

/* Round after round, each in an order of its own, so that what changes with time changes all
   benchmarks alike. A single round has the order of the table. */
static void launch_all(suite_session *s, bool *on, size_t *order)
{
    for (size_t launch = 1; launch <= (size_t)s->launches && launch <= (size_t)s->options.until;
         launch++) {
        if (s->launches > 1) cm_random_shuffle(s->seed, launch, s->table.n, order);
        for (size_t k = 0; k < s->table.n; k++) {
            const suite_run *run = &s->table.run[order[k]];
            if (!on[order[k]]) continue;
            if (!suite_launch_is_there(s, run, launch)) {
                suite_launch_end end = suite_run_launch(s, run, launch);
                if (end == SUITE_LAUNCH_INTERRUPTED) return;
                if (end == SUITE_LAUNCH_FAILED) on[order[k]] = false;
            }
            if (launch == (size_t)s->launches && on[order[k]]) suite_run_finish(s, run);
        }
    }
}

static int run_all(suite_session *s)
{
    bool *on = suite_array(s->table.n, sizeof *on);
    size_t *order = suite_array(s->table.n, sizeof *order);
    suite_screen_open(&s->screen);
    if (s->launcher.remark) suite_say("%s", s->launcher.remark);
    for (size_t r = 0; r < s->table.n; r++) order[r] = r;
    for (size_t r = 0; r < s->table.n; r++) {
        const suite_run *run = &s->table.run[r];
        on[r] = is_wanted(s, run) && suite_run_prepare(s, run);
        if (on[r])
            suite_screen_add(&s->screen, run->name, run->seconds[s->options.profile],
                             (size_t)s->launches);
    }
    launch_all(s, on, order);
    suite_screen_close(&s->screen);
    free(order);
    free(on);
    return end(s);
}

/* Checks what only the launcher itself can tell: whether --launcher is a different launcher, and
   whether hosts have different numbers of ranks, which some launchers cannot handle. */
static int check_launcher(const suite_session *s)
{
    const suite_launcher *launcher = &s->launcher;
    const char *given = s->options.launcher;
    if (given && launcher->problem)
        return suite_fail(CM_EXIT_USAGE, "%s: --launcher '%s': %s", suite_run_word(s), given,
                          launcher->problem);
    const bool srun = launcher->row && strcmp(launcher->row->name, "srun") == 0;
    if (srun && s->n_hosts > 1 && getenv("SLURM_JOB_NODELIST_HET_GROUP_0") && !s->options.hosts
        && !s->options.hostfile)
        return suite_fail(
            CM_EXIT_USAGE,
            "%s: SLURM_JOB_NODELIST_HET_GROUP_0=%s: srun starts ranks in one group of "
            "a heterogeneous job; name hosts of the first group by --hosts, or use "
            "--launcher hydra, openmpi or cmrun with --rsh ssh",
            suite_run_word(s), getenv("SLURM_JOB_NODELIST_HET_GROUP_0"));
    if (!s->uneven || launcher->problem || !suite_launcher_has_shapes(given)
        || suite_launcher_has_lists(launcher))
        return 0;
    return suite_fail(CM_EXIT_USAGE,
                      "%s: the hosts %s have different numbers of slots, which %s cannot be told; "
                      "name hosts with equal ones by --hosts",
                      suite_run_word(s), s->hosts ? s->hosts : s->names,
                      given           ? given
                      : launcher->row ? launcher->row->name
                                      : CM_COMM);
}

int suite_run_benchmarks(const suite_home *home, const suite_run_options *options, const char *dir)
{
    suite_session s = {.options = *options, .home = home, .lock = -1};
    int status = suite_run_check(&s, dir);
    if (!status && s.virtuals.hosts) status = suite_virtual_up(&s.virtuals);
    if (!status && !suite_children_open(&s.children)) status = CM_EXIT_SYSTEM;
    else if (!status) {
        if (suite_run_simulates(&s)) status = suite_run_place(&s);
        else suite_launcher_find(home, options->launcher, &s.children, &s.launcher);
        if (options->rsh) suite_launcher_set_rsh(&s.launcher, options->rsh);
        if (s.virtuals.hosts) {
            s.children.signals.before = s.virtuals.before;
            suite_virtual_launcher(&s.virtuals, &s.launcher);
        }
        if (!status) status = check_launcher(&s);
        s.goes_on = suite_run_goes_on(&s);
        if (!status) status = suite_run_shapes(&s);
        if (!status) status = suite_run_agree(&s);
        if (!status) status = run_all(&s);
        suite_launcher_free(&s.launcher);
        suite_virtual_down(&s.virtuals); /* while signals still wait */
        suite_children_close(&s.children);
    }
    suite_virtual_down(&s.virtuals);
    suite_virtual_free(&s.virtuals);
    suite_words_free(&s.only);
    suite_place_free(&s.place);
    suite_home_free(&s.tree);
    suite_table_free(&s.table);
    free(s.first_host);
    free(s.names);
    free(s.hosts);
    free(s.first_missed);
    free(s.answer_text);
    free(s.answer_json);
    free(s.dir);
    if (s.lock >= 0) close(s.lock);
    return status;
}

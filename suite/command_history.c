/* SPDX-License-Identifier: BSD-3-Clause */
/* command_history.c: `clustermark history`. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "comm/comm.h"
#include "commands.h"
#include "common/memory.h"
#include "common/say.h"
#include "common/unit.h"
#include "history/history.h"
#include "result/result_internal.h"
#include "results/folder.h"

static struct {
    const char *output, *cluster, *reports;
    bool force;
} given;

static const cm_exit_status statuses[] = {
    {CM_EXIT_PASS, "the page was written, whatever it shows"},
    {CM_EXIT_WRONG, "the page was written, but results were left out"},
    {CM_EXIT_USAGE, "wrong usage, or DIR holds no kept result"},
    {CM_EXIT_SYSTEM, "the page could not be written"},
    {0, NULL}};
static const cm_option options[] = {
    CM_TEXT("output", 'o', "FILE", &given.output,
            "write the page to FILE. Default: DIR/history.html, which is written anew"),
    CM_FLAG("force", 'f', &given.force, "overwrite an existing FILE"),
    CM_TEXT("cluster", 0, "NAME", &given.cluster,
            "of this cluster. Default: the one of most results in DIR"),
    CM_TEXT("reports", 0, "PATH", &given.reports,
            "link the reports of the results' folders in PATH. Default: those beside DIR or in "
            "it"),
    {0},
};

/* "60 results: steps of headlines 3, of hosts 1", and the page. */
static void tell(const history *all, const char *path)
{
    size_t of_lines, of_hosts;
    history_count_steps(all, &of_lines, &of_hosts);
    char *results = suite_counted(all->kept.n, "results");
    printf("%s: steps of headlines %zu, of hosts %zu%s\n%s\n", results, of_lines, of_hosts,
           all->kept.n < HISTORY_FEW ? "; that is too few to see a step" : "", path);
    free(results);
}

static int make(const suite_home *home, const char *dir, const char *path, bool force)
{
    history all;
    int status = history_read(home, dir, given.cluster, &all);
    if (!status) {
        history_find_changes(&all);
        if (!history_find_steps(&all)) suite_there(NULL);
        char *text = history_page(home, &all, dir, given.reports, path);
        if (!text || !suite_file_write("history", path, force, text, strlen(text)))
            status = CM_EXIT_SYSTEM;
        else tell(&all, path);
        free(text);
        if (!status && all.n_left_out + all.kept.skipped > 0) status = CM_EXIT_WRONG;
    }
    history_free(&all);
    return status;
}

/* --force is for an earlier page, not for what is kept. */
static bool is_kept(const cm_result_target *target, const char *dir)
{
    static const char end[] = ".json";
    struct stat there;
    const size_t length = strlen(target->path);
    return target->exists && length >= strlen(end)
           && strcmp(target->path + length - strlen(end), end) == 0 && stat(dir, &there) == 0
           && there.st_dev == target->in.st_dev && there.st_ino == target->in.st_ino;
}

static int work(const cm_program *program, const suite_home *home, int n, char **operand)
{
    const char *dir = NULL;
    char why[CM_RESULT_WHY];
    cm_result_target target = {0};
    int status = suite_command_dir(program, n, operand, &dir);
    if (status != CM_OPTION_RUN) return status;
    if (given.output && !cm_result_target_find(given.output, given.force, &target, why, sizeof why))
        return suite_fail(CM_EXIT_USAGE, "history: --output %s %s",
                          cm_result_name_shown(given.output), why);
    if (given.output && is_kept(&target, dir)) {
        status =
            suite_fail(CM_EXIT_USAGE, "history: --output %s is a kept result; choose another name",
                       cm_result_name_shown(given.output));
        cm_result_target_free(&target);
        return status;
    }
    char *path = given.output ? suite_copy(target.path) : suite_text("%s/history.html", dir);
    status = make(home, dir, path, given.force || !given.output);
    free(path);
    cm_result_target_free(&target);
    return status;
}

const suite_command suite_command_history = {
    .program =
        {
            .name = "clustermark history",
            .purpose = "Show what a cluster gave over months, and where it changed.",
            .description =
                "Makes one page of the results that `clustermark baseline add` kept in DIR: each "
                "headline over time with its intervals, the steps at which it fell or rose and "
                "stayed, with how sure that is, what changed then (kernel, MPI, BLAS, firmware, "
                "microcode), and a row for each host. Damaged or edited files, results of another "
                "cluster and of other numbers of hosts and ranks are left out and named.",
            .operands = "DIR",
            .options = options,
            .exit_statuses = statuses,
            .examples = "clustermark history kept\tthe page kept/history.html\n"
                        "clustermark history -f -o www/n.html kept\tanew every night\n",
            .mixed = true,
        },
    .work = work,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* command_baseline.c: `clustermark baseline`. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "commands.h"
#include "common/memory.h"
#include "common/say.h"
#include "common/unit.h"
#include "fleet/kept.h"
#include "results/folder.h"

static const char *given_cluster;

static const cm_exit_status statuses[] = {
    {CM_EXIT_PASS, "all results are kept; list: all files are whole"},
    {CM_EXIT_WRONG, "list: a file was left out"},
    {CM_EXIT_USAGE, "wrong usage, or a result was refused: it is of another cluster or shape than "
                    "the history, edited, unfinished or failed"},
    {CM_EXIT_SYSTEM, "a file could not be written"},
    {0, NULL}};
static const cm_option options[] = {
    CM_TEXT("cluster", 0, "NAME", &given_cluster,
            "add: the cluster's name. Default: what the names of its hosts begin with (n of n01 "
            "and n02), or the place"),
    {0},
};

/* ---- add ------------------------------------------------------------------------------------- */

/* Gives *kept to the history. Returns the exit status. */
static int keep(const char *dir, const char *path, suite_kept *kept, suite_history *history)
{
    bool was_there;
    char *file, *misfit = suite_kept_misfit(history, kept);
    if (misfit) {
        suite_say("baseline: %s does not fit into %s: %s", path, dir, misfit);
        free(misfit);
        return CM_EXIT_USAGE;
    }
    const suite_kept *twin = suite_kept_twin(history, kept);
    if (twin) {
        char *name = twin->file ? suite_copy(twin->file) : suite_kept_name(twin);
        printf("%s: was there: %s/%s\n", path, dir, name);
        free(name);
        return CM_EXIT_PASS;
    }
    const bool written = suite_kept_write("baseline", dir, kept, &file, &was_there);
    if (written) printf("%s: %s %s/%s\n", path, was_there ? "was there:" : "kept:", dir, file);
    free(file);
    if (!written) return CM_EXIT_SYSTEM;
    history->kept = suite_longer(history->kept, history->n + 1, sizeof *kept);
    history->kept[history->n++] = *kept;
    *kept = (suite_kept){0};
    return CM_EXIT_PASS;
}

/* A refused result does not keep the others out. */
static int add(const suite_home *home, const char *dir, int n, char **result)
{
    suite_history history;
    int status = CM_EXIT_PASS;
    if (!suite_folders_make(dir))
        return suite_fail(CM_EXIT_SYSTEM, "baseline: cannot make %s: %s", dir, strerror(errno));
    if ((status = suite_kept_read_all("baseline", dir, &history))) return status;
    for (int k = 0; k < n; k++) {
        suite_kept kept;
        int one = suite_kept_take(home, "baseline", result[k], given_cluster, &kept);
        if (!one) one = keep(dir, result[k], &kept, &history);
        suite_kept_free(&kept);
        if (one > status) status = one;
    }
    suite_history_free(&history);
    return status;
}

/* ---- list ------------------------------------------------------------------------------------ */

static void print(const suite_kept *kept)
{
    char *hosts = suite_counted(kept->n_hosts, "hosts");
    char *results = suite_counted(kept->n_results, "results");
    const char *comm = suite_kept_told(kept, "run", "comm");
    printf("%s %s: %s, %s, %s, from %s: %s\n", kept->date, kept->cluster, hosts,
           comm ? comm : "no backend", results,
           json_string_value(json_object_get(kept->root, "kept_from")), kept->file);
    free(hosts);
    free(results);
}

static int list(const char *dir)
{
    suite_history history;
    int status = suite_kept_read_all("baseline", dir, &history);
    for (size_t k = 0; k < history.n; k++) print(&history.kept[k]);
    if (!status && history.skipped) status = CM_EXIT_WRONG;
    suite_history_free(&history);
    return status;
}

/* ---- Which of them --------------------------------------------------------------------------- */

static int work(const cm_program *program, const suite_home *home, int n, char **operand)
{
    if (n > 0 && strcmp(operand[0], "add") == 0) {
        if (n > 2) return add(home, operand[1], n - 2, operand + 2);
        return cm_option_error(program, "add: expected DIR RESULT...");
    }
    if (n > 0 && strcmp(operand[0], "list") == 0) {
        if (n != 2) return cm_option_error(program, "list: expected one DIR");
        if (given_cluster)
            return cm_option_error(program, "list: --cluster '%s' is an option of add",
                                   given_cluster);
        return list(operand[1]);
    }
    if (n == 0) return cm_option_error(program, "expected add DIR RESULT..., or list DIR");
    return cm_option_error(program, "'%s': expected add or list", operand[0]);
}

const suite_command suite_command_baseline = {
    .program =
        {
            .name = "clustermark baseline",
            .purpose = "Keep what a cluster gave, to hold later results against it.",
            .description =
                "add keeps each RESULT, a folder of `clustermark run` or `clustermark nodes` or "
                "one result as JSON, in a file of its own in DIR: DATE-CLUSTER-CHECKSUM.json, with "
                "the circumstances of the run, all metrics and what each host reached. Nothing "
                "else has to run; a Git repository or an object store can hold the files. A result "
                "that is there already is not written again, and several may be added at once. "
                "A history is of one cluster, and each benchmark of one number of hosts and ranks. "
                "list shows what DIR holds, the earliest first.",
            .operands = "add DIR RESULT... | list DIR",
            .options = options,
            .exit_statuses = statuses,
            .examples = "clustermark baseline add history results\tkeep a nightly run\n"
                        "clustermark baseline list history\twhat is kept\n"
                        "clustermark nodes --against history check\tis this host what it was?\n",
            .mixed = true,
        },
    .work = work,
};

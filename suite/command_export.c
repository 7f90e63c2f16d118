/* SPDX-License-Identifier: BSD-3-Clause */
/* command_export.c: `clustermark export`. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include "comm/comm.h"
#include "commands.h"
#include "export/export.h"
#include "report/tile.h"
#include "result/result_internal.h"
#include "seal/anonymous.h"
#include "common/say.h"

typedef struct {
    int to, better; /* index into names and ways; -1: not given */
    bool reference; /* instead of to: lines of references.tab */
    bool flat;
    const char *cluster;
    const char *output;
    bool force, anonymous;
} suite_export_options;

static const char *const names[] = {"openmetrics", "json", "csv", "github-action-benchmark", NULL};
static const char *const ways[] = {"low", "high", NULL};

static suite_export_options given = {.to = -1, .better = -1};

static const cm_exit_status statuses[] = {
    {CM_EXIT_PASS, "the results were written"},
    {CM_EXIT_USAGE, "wrong usage, or DIR is no folder of results"},
    {CM_EXIT_SYSTEM, "the file could not be written, or every run in "
                     "DIR failed or was skipped"},
    {0, NULL}};
static const cm_option options[] = {
    CM_CHOICE("to", 0, "FORMAT", &given.to, names,
              "the form: openmetrics for Prometheus and its like, json, csv, or the lists of "
              "github-action-benchmark"),
    CM_CHOICE("better", 0, "WAY", &given.better, ways,
              "only metrics of which low, or high, values are better. github-action-benchmark "
              "needs it, for it has a tool for each: customSmallerIsBetter, "
              "customBiggerIsBetter"),
    CM_TEXT("cluster", 0, "NAME", &given.cluster,
            "write NAME as the label cluster, so that several clusters can be told apart. Default: "
            "SLURM_CLUSTER_NAME, else none, and none with --anonymous"),
    CM_FLAG("flat", 0, &given.flat,
            "name metrics as before there were labels: operation, algorithm and precision in the "
            "name, schema 1 of JSON. It goes with the next release"),
    CM_FLAG("reference", 0, &given.reference,
            "instead of --to: write what other machines are compared with as lines for "
            "~/.config/clustermark/references.tab"),
    CM_FLAG("anonymous", 0, &given.anonymous,
            "without the names of hosts, users and paths and without addresses"),
    CM_TEXT("output", 'o', "FILE", &given.output, "write to FILE. Default: standard output"),
    CM_FLAG("force", 'f', &given.force, "overwrite an existing file"),
    {0},
};

enum { OPENMETRICS, JSON, CSV, GITHUB };
static bool (*const writers[])(const export_set *, FILE *) = {
    [OPENMETRICS] = export_openmetrics,
    [JSON] = export_json,
    [CSV] = export_csv,
    [GITHUB] = export_github,
};

/* Asked before anything is read. */
static int check(const suite_export_options *options, cm_result_target *target)
{
    char why[CM_RESULT_WHY];
    if (options->to < 0 && !options->reference)
        return suite_fail(CM_EXIT_USAGE, "export: --to is missing: expected openmetrics, json, csv "
                                         "or github-action-benchmark; or --reference");
    if (options->reference && (options->to >= 0 || options->better >= 0))
        return suite_fail(CM_EXIT_USAGE, "export: --reference has a form of its own; give it "
                                         "without --to and --better");
    if (options->reference && (options->flat || options->cluster))
        return suite_fail(CM_EXIT_USAGE, "export: --reference has no labels; give it without "
                                         "--flat and --cluster");
    if (options->flat && options->cluster)
        return suite_fail(CM_EXIT_USAGE,
                          "export: --flat has no label for --cluster %s; give one "
                          "of them",
                          options->cluster);
    if (options->cluster && !*options->cluster)
        return suite_fail(CM_EXIT_USAGE, "export: --cluster '': expected a name");
    if (options->to == GITHUB && options->better < 0)
        return suite_fail(CM_EXIT_USAGE,
                          "export: --to github-action-benchmark needs --better low (for its tool "
                          "customSmallerIsBetter) or --better high (customBiggerIsBetter)");
    if (options->output
        && !cm_result_target_find(options->output, options->force, target, why, sizeof why))
        return suite_fail(CM_EXIT_USAGE, "export: --output %s %s",
                          cm_result_name_shown(options->output), why);
    return 0;
}

/* Lines for a table of reference machines. Returns the exit status. */
static int write_references(const export_set *set, const char *dir, FILE *out)
{
    const suite_measured measured = {.table = &set->table,
                                     .entry = set->entry,
                                     .place = &set->place,
                                     .comm = export_told(set, "comm")};
    if (suite_tiles_write(out, &measured) > 0) return CM_EXIT_PASS;
    return suite_fail(
        CM_EXIT_USAGE,
        "export: --reference: %s has nothing that other machines can be compared with", dir);
}

static int write_results(const export_set *set, const char *dir, const char *better, int to,
                         FILE *out)
{
    if (!writers[to](set, out)) return suite_fail(CM_EXIT_SYSTEM, "export: out of memory");
    if (set->n > 0) return CM_EXIT_PASS;
    suite_say("export: %s has no result%s%s", dir, better ? " with --better " : "",
              better ? better : "");
    return CM_EXIT_PASS;
}

static bool has_result(const export_set *set)
{
    for (size_t r = 0; r < set->table.n; r++)
        if (set->entry[r].state == SUITE_COMPLETE) return true;
    return false;
}

static int write_set(const export_set *set, const suite_export_options *options, const char *dir,
                     const char *better, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return suite_fail(CM_EXIT_SYSTEM, "export: out of memory");
    int status = options->reference ? write_references(set, dir, out)
                                    : write_results(set, dir, better, options->to, out);
    if (fclose(out) != 0) return suite_fail(CM_EXIT_SYSTEM, "export: out of memory");
    if (!status && path && !suite_file_write("export", path, options->force, text, length))
        status = CM_EXIT_SYSTEM;
    if (!status && !path) fwrite(text, 1, length, stdout); /* main looks for errors */
    free(text);
    /* Failed and skipped runs are exported, too, but a set without any result is no pass. */
    return status || has_result(set) ? status : CM_EXIT_SYSTEM;
}

static int export_results(const suite_home *home, const suite_export_options *options,
                          const char *dir)
{
    cm_result_target target = {0};
    const char *own = options->anonymous ? NULL : getenv("SLURM_CLUSTER_NAME");
    const char *cluster = options->cluster ? options->cluster : own;
    export_set set = {.cluster = cluster, .flat = options->flat};
    const char *better = options->better < 0 ? NULL : ways[options->better];
    char *copy = NULL; /* without names */
    int status = check(options, &target);
    if (!status && options->anonymous) {
        if (!suite_folder_require("export", dir)) status = CM_EXIT_USAGE;
        else if (!(copy = suite_anonymous_temporary("export", dir))) status = CM_EXIT_SYSTEM;
    }
    if (!status) status = export_read(home, "export", copy ? copy : dir, better, &set);
    if (!status) status = write_set(&set, options, dir, better, target.path);
    export_free(&set);
    cm_result_target_free(&target);
    suite_anonymous_remove(copy);
    return status;
}

static int work(const cm_program *program, const suite_home *home, int n, char **operand)
{
    const char *dir = "."; /* without an operand */
    int status = suite_command_dir(program, n, operand, &dir);
    return status == CM_OPTION_RUN ? export_results(home, &given, dir) : status;
}

const suite_command suite_command_export = {
    .program =
        {
            .name = "clustermark export",
            .purpose = "Write results in the form that other programs read.",
            .description =
                "Every metric of the folder DIR (this folder without one) is written: value, unit, "
                "which way is better, whether it passed, the interval with what it is over and of "
                "how many values, whether the machine disturbed it, hosts and ranks. OpenMetrics "
                "also says which benchmarks failed, JSON why. What a metric is one of is in labels "
                "(operation, algorithm, precision, cluster, host, ...), by which Grafana and "
                "spreadsheets group.",
            .operands = "[DIR]",
            .options = options,
            .exit_statuses = statuses,
            .examples = "clustermark export --to csv results\ta table for a spreadsheet\n"
                        "clustermark export --to openmetrics -o cluster.prom results\tfor "
                        "node_exporter's textfile collector\n"
                        "clustermark export --reference results\ta line for each tile of the "
                        "report\n",
            .mixed = true,
        },
    .work = work,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* command_export.c: `clustermark export`. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include "comm/comm.h"
#include "commands.h"
#include "export.h"
#include "result/result_internal.h"
#include "say.h"

const char *const suite_export_names[] = {"openmetrics", "json", "csv", "github-action-benchmark",
                                          NULL};
const char *const suite_export_better[] = {"low", "high", NULL};

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
    if (options->to < 0)
        return suite_fail(CM_EXIT_USAGE, "export: --to is missing: expected openmetrics, json, csv "
                                         "or github-action-benchmark");
    if ((options->to == JSON || options->to == GITHUB) && export_json_missing())
        return suite_fail(CM_EXIT_USAGE, "export: --to %s: %s", suite_export_names[options->to],
                          export_json_missing());
    if (options->to == GITHUB && options->better < 0)
        return suite_fail(CM_EXIT_USAGE,
                          "export: --to github-action-benchmark needs --better low (for its tool "
                          "customSmallerIsBetter) or --better high (customBiggerIsBetter)");
    if (options->output
        && !cm_result_target_find(options->output, options->force, target, why, sizeof why))
        return suite_fail(CM_EXIT_USAGE, "export: --output %s %s", options->output, why);
    return 0;
}

static int write_set(const export_set *set, int to, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool written = out && writers[to](set, out);
    if (out && fclose(out) != 0) written = false;
    if (!written) suite_say("export: out of memory");
    else if (path) written = suite_file_write("export", path, text, length);
    else fwrite(text, 1, length, stdout); /* main looks for errors */
    free(text);
    return written ? CM_EXIT_PASS : CM_EXIT_SYSTEM;
}

int suite_command_export(const suite_home *home, const suite_export_options *options,
                         const char *dir)
{
    cm_result_target target = {0};
    export_set set = {0};
    const char *better = options->better < 0 ? NULL : suite_export_better[options->better];
    int status = check(options, &target);
    if (!status) status = export_read(home, dir, better, &set);
    if (!status) {
        if (set.n == 0)
            suite_say("export: %s has no result%s%s", dir, better ? " with --better " : "",
                      better ? better : "");
        status = write_set(&set, options->to, target.path);
    }
    export_free(&set);
    cm_result_target_free(&target);
    return status;
}

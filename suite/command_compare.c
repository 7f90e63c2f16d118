/* SPDX-License-Identifier: BSD-3-Clause */
/* command_compare.c: `clustermark compare`. */
#include "config.h"
#include <stdlib.h>
#include "comm/comm.h"
#include "commands.h"
#include "compare/compare.h"
#include "measure/rank_test.h"
#include "common/memory.h"
#include "common/say.h"
#include "common/words.h"
#include "results/launches.h"

static suite_compare_run given_run;
static suite_compare_options given = {.margin_percent = 5, .rows = 20, .fail_on = -1};

static const cm_exit_status statuses[] = {
    {CM_EXIT_PASS, "the results were compared"},
    {CM_EXIT_WRONG, "a metric is as --fail-on says, or not as --expect says"},
    {CM_EXIT_USAGE, "wrong usage, or results that cannot be compared"},
    {CM_EXIT_SYSTEM, "a file could not be written, or --fail-on was given and a loss of 25 % "
                     "could not have been seen in a tested metric, or a build of --run "
                     "could not run: then nothing is judged"},
    {0, NULL}};
static const cm_option options[] = {
    CM_FLAG("run", 0, &given_run.on,
            "first launch two builds or installations in turns: the operands are BUILD_A, "
            "BUILD_B, or the programs themselves, and DIR, into which they measure. The same "
            "command goes on where it was interrupted"),
    CM_INTEGER("launches", 0, "N", &given_run.launches, 1, CM_RANK_MOST,
               "with --run: launch each benchmark of each build N times. Default, and the least "
               "that is advised: " SUITE_LAUNCHES_TEXT),
    CM_TEXT("profile", 0, "NAME", &given_run.profile,
            "with --run: the profile of `clustermark run`. Default: quick"),
    CM_TEXT("only", 0, "NAME,...", &given_run.only, "with --run: only these benchmarks"),
    CM_TEXT("hosts", 0, "HOST,...", &given_run.hosts, "with --run: on these hosts"),
    CM_TEXT("hostfile", 0, "FILE", &given_run.hostfile, "with --run: on the hosts of FILE"),
    CM_TEXT("launcher", 0, "COMMAND", &given_run.launcher,
            "with --run: start parallel programs with COMMAND"),
    CM_REAL("margin", 0, "PERCENT", &given.margin_percent, 0, 1000,
            "call a tested metric the same if the whole interval of its ratio is as close to "
            "1 as this"),
    CM_INTEGER("rows", 0, "N", &given.rows, 0, 1000000,
               "show this many of the other metrics, and this many rows, in the text; 0: all. "
               "The page and the JSON have all of them"),
    CM_TEXT("output", 'o', "FILE", &given.output, "also write the text to FILE"),
    CM_TEXT("html", 0, "FILE", &given.html,
            "write a page with the tables and, with gnuplot, the figures of all results to "
            "FILE"),
    CM_TEXT("json", 0, "FILE", &given.json, "write everything as JSON to FILE"),
    CM_TEXT("expect", 0, "FILE", &given.expect,
            "exit with 1 if a result is not as FILE says. Its lines are NAME:METRIC VALUE "
            "TOLERANCE; TOLERANCE is +-10%, or +10% or -10% for a bound on one side"),
    CM_CHOICE("fail-on", 0, "WHAT", &given.fail_on, compare_fail_words,
              "exit with 1 if a tested metric is slower, or if one is different: slower, "
              "faster, higher or lower; with 3, naming the metric, if a loss of 25 % in a "
              "tested metric could not have been seen"),
    CM_FLAG("force", 'f', &given.force, "overwrite existing files"),
    {0},
};

/* Checks the options that only --run takes. */
static int check_run(const suite_compare_run *run, int n)
{
    const struct {
        const char *name;
        bool given;
    } only[] = {{"launches", run->launches > 0},     {"profile", run->profile != NULL},
                {"only", run->only != NULL},         {"hosts", run->hosts != NULL},
                {"hostfile", run->hostfile != NULL}, {"launcher", run->launcher != NULL}};
    for (size_t k = 0; !run->on && k < sizeof only / sizeof *only; k++)
        if (only[k].given)
            return suite_fail(CM_EXIT_USAGE, "compare: --%s needs --run: results are given",
                              only[k].name);
    if (run->on && n != 3)
        return suite_fail(CM_EXIT_USAGE,
                          "compare: --run with %d operand%s; expected BUILD_A BUILD_B DIR", n,
                          n == 1 ? "" : "s");
    return 0;
}

static int work(const cm_program *program, const suite_home *home, int n, char **operand)
{
    if (n == 0 && !given_run.on)
        return cm_option_error(program, "RESULT is missing: a folder of results, or one result");
    int status = check_run(&given_run, n);
    if (status || !given_run.on) return status ? status : compare_results(home, &given, n, operand);
    if ((status = compare_run(home, &given_run, operand[0], operand[1], operand[2]))) return status;
    char *gathered[] = {suite_text("%s/base", operand[2]), suite_text("%s/new", operand[2])};
    status = compare_results(home, &given, 2, gathered);
    free(gathered[0]);
    free(gathered[1]);
    return status;
}

const suite_command suite_command_compare = {
    .program =
        {
            .name = "clustermark compare",
            .purpose = "Say what differs between results, and how certain that is.",
            .description =
                "A RESULT is a folder of `clustermark run`, or one result as text or JSON. The "
                "first is the base; each further one is compared with it: first what differs in "
                "machine, build and settings, then ratios, the largest change first. Launches of a "
                "run (clustermark run --launches) say how much a metric changes by itself. Tested "
                "are the headline metric of each program and, as a second family, a few further "
                "ones such as the peak and the sum over all sizes: faster, slower, the same, or "
                "cannot tell. Everything else is only shown. One RESULT alone is held against "
                "--expect.",
            .operands = "RESULT... | --run BUILD_A BUILD_B DIR",
            .options = options,
            .exit_statuses = statuses,
            .examples =
                "clustermark compare before after\twhat a change did\n"
                "clustermark compare --html page.html before after\tthe same, with figures\n"
                "clustermark compare --fail-on slower before after\tfor continuous tests\n"
                "clustermark compare --run ../old/b b cmp\ttwo builds, launched in turns\n",
            .mixed = true,
        },
    .work = work,
};

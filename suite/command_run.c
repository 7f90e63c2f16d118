/* SPDX-License-Identifier: BSD-3-Clause */
/* command_run.c: `clustermark run`. */
#include "config.h"
#include <stdio.h>
#include <string.h>
#include "comm/comm.h"
#include "commands.h"
#include "common/say.h"
#include "fleet/judge.h"
#include "fleet/kept.h"
#include "report/report.h"

suite_run_options suite_run_given = {.profile = SUITE_QUICK, .until = SUITE_LAUNCHES_MOST};
static const char *backends;
static bool open_page;
suite_against suite_against_given;

const cm_option suite_against_options[] = {
    CM_TEXT("against", 0, "HISTORY", &suite_against_given.dir,
            "judge the result by what `clustermark baseline add HISTORY` kept: with `clustermark "
            "run` the headline metrics, with `clustermark nodes` each host. Prints one line on "
            "standard output, of nodes in place of findings and page"),
    CM_REAL("loss", 0, "PERCENT", &suite_against_given.loss_percent, 6, 90,
            "with --against: it could not be told if so great a loss would not have been seen. "
            "Default: 25"),
    {0},
};

int suite_against_check(const char *command, suite_against *against)
{
    if (!against->dir && against->loss_percent > 0)
        return suite_fail(CM_EXIT_USAGE, "%s: --loss needs --against", command);
    if (!(against->loss_percent > 0)) against->loss_percent = 25;
    return 0;
}

const cm_option suite_where_options[] = {
    CM_TEXT(
        "hosts", 0, "HOST,...", &suite_run_given.hosts,
        "run on these hosts. The MPI's launcher or, with the native backends, cmrun starts the "
        "ranks there. Default: the hosts of the batch job, which `clustermark env` names, or this "
        "host"),
    CM_TEXT("hostfile", 0, "FILE", &suite_run_given.hostfile,
            "read the hosts from FILE, with lines as for cmrun: HOST, HOST SLOTS, HOST:SLOTS "
            "or HOST slots=SLOTS"),
    CM_TEXT("launcher", 0, "NAME|COMMAND", &suite_run_given.launcher,
            "start parallel programs with srun, flux, jsrun, aprun, mpirun_rsh, pals, intel, "
            "hydra, openmpi or cmrun, which is told where the ranks go, or with COMMAND, in which "
            "%n stands for the number of ranks and, so that it can be told, %h for the hosts (a,b) "
            "and %p for the ranks on each. Default: the launcher that `clustermark env` names"),
    CM_TEXT("rsh", 0, "COMMAND", &suite_run_given.rsh,
            "let cmrun, Hydra, Intel MPI or Open MPI reach other hosts by COMMAND, called like "
            "ssh: COMMAND HOST PROGRAM..."),
    {0},
};
static const cm_option options[] = {
    CM_CHOICE("profile", 0, "NAME", &suite_run_given.profile, suite_profile_names,
              "how much to measure: quick takes about two minutes on two idle cores, standard half "
              "an hour, full two and a half hours and has the largest sizes"),
    CM_TABLE((void *)suite_where_options),
    CM_INTEGER("ranks", 0, "N", &suite_run_given.ranks, 2, 999999,
               "number of ranks of the benchmarks that run with all of them, each once. "
               "Default: one for each core of this host, at least 2; of several hosts, one for "
               "each host or for each of its slots or cores"),
    CM_INTEGER("launches", 0, "N", &suite_run_given.launches, 1, SUITE_LAUNCHES_MOST,
               "launch each benchmark N times, in rounds of changing order, and report medians "
               "over the launches. `clustermark compare` tells changes from chance "
               "from " SUITE_LAUNCHES_TEXT " launches a side on. Default: 3 (quick), 6 (standard), "
               "10 (full)"),
    CM_INTEGER("until", 0, "N", &suite_run_given.until, 0, SUITE_LAUNCHES_MOST,
               "end after launch N of each benchmark; the same command without it goes on. 0: only "
               "check whether all could be run, and write nothing"),
    CM_TEXT("backend", 0, "NAME,...", &backends,
            "run over this backend, mpi, sockets, shm or hybrid, which is installed in the same "
            "prefix, or NAME=BUILD in a build or another prefix (mpi=.,sockets=../b-sockets), or "
            "that program itself, as with --program-suffix. The launches of several take turns: "
            "results go to DIR/NAME, and `clustermark report DIR` shows them together. The others "
            "are compared with the first. Default of --launches of several: as many as such a "
            "comparison needs"),
    CM_TEXT("rails", 0, "A,B,...", &suite_run_given.rails,
            "also measure long messages that are spread over these network interfaces, or over "
            "this number of connections (sockets, hybrid; CM_RAILS)"),
    CM_TEXT("place", 0, "NAME", &suite_run_given.place,
            "run on a simulated cluster, one of those that `clustermark places` lists: what a "
            "paper measured there, each benchmark once. Needs SimGrid; the first time, it "
            "builds the programs for the simulator. virtual:HOSTS[,RATE][,delay=TIME]"
            "[,mtu=BYTES] runs all benchmarks on hosts that virtual-cluster makes of this "
            "machine for the run (virtual:4,100mbit). Needs root"),
    CM_TEXT("only", 0, "NAME,...", &suite_run_given.only, "run only these benchmarks"),
    CM_REAL("time-limit", 0, "SECONDS", &suite_run_given.time_limit_s, 1, 1e7,
            "end a benchmark that takes longer, and go on with the next. Default: a minute and "
            "ten times what the benchmark usually takes"),
    CM_FLAG("fresh", 0, &suite_run_given.fresh, "run everything again and replace the results"),
    CM_TABLE((void *)suite_against_options),
    CM_FLAG("open", 0, &open_page,
            "then write the report's page and open it in a browser: $BROWSER, or xdg-open; not "
            "without a display"),
    {0},
};

/* status: of the run. One line on stdout; returns the exit status. */
static int hold_against(const suite_home *home, const suite_against *against, const char *dir,
                        const suite_history *history, int status)
{
    suite_kept kept = {0};
    suite_table table;
    if (status == CM_EXIT_SYSTEM) puts("could not tell: a benchmark did not run to its end");
    if (status == CM_EXIT_WRONG) puts("worse: a metric is FAIL");
    if (status) return status;
    if (!suite_table_read(home, &table)) return CM_EXIT_SYSTEM;
    if (!(status = suite_kept_take(home, "run", dir, suite_history_cluster(history), &kept))) {
        fleet_judgement judged =
            fleet_judge_headlines(history, &kept, &table, 0.01 * against->loss_percent);
        status = fleet_judgement_tell(&judged);
        fleet_judgement_free(&judged);
    }
    suite_kept_free(&kept);
    suite_table_free(&table);
    return status;
}

/* Runs the benchmarks and, with --open, opens the page, unless no benchmark has finished. */
static int work(const cm_program *program, const suite_home *home, int n, char **operand)
{
    const char *dir = NULL;
    int status = suite_command_dir(program, n, operand, &dir);
    if (status != CM_OPTION_RUN) return status;
    const bool several = backends && strchr(backends, ',');
    if (several && suite_against_given.dir)
        return suite_fail(CM_EXIT_USAGE,
                          "run: --backend %s with --against %s: a history is of one "
                          "backend",
                          backends, suite_against_given.dir);
    if (suite_against_given.dir && suite_run_given.until != SUITE_LAUNCHES_MOST)
        return suite_fail(CM_EXIT_USAGE,
                          "run: --until %d with --against %s: only a whole run is judged; give one "
                          "of them",
                          (int)suite_run_given.until, suite_against_given.dir);
    if (several && suite_run_given.until != SUITE_LAUNCHES_MOST)
        return suite_fail(CM_EXIT_USAGE, "run: --backend %s with --until: give one of them",
                          backends);
    suite_history history = {0};
    suite_against against = suite_against_given;
    if ((status = suite_against_check("run", &against))) return status;
    if (against.dir && (status = suite_kept_read_all("run", against.dir, &history))) return status;
    status = backends ? suite_run_backends(home, &suite_run_given, backends, dir)
                      : suite_run_benchmarks(home, &suite_run_given, dir);
    if (against.dir && status <= CM_EXIT_SYSTEM && status != CM_EXIT_USAGE)
        status = hold_against(home, &against, dir, &history, status);
    suite_history_free(&history);
    if (!open_page || status == CM_EXIT_USAGE || status > CM_EXIT_SYSTEM) return status;
    int shown = suite_report_make(home, &(suite_report_options){.open = true}, dir);
    return status ? status : shown;
}

static const cm_exit_status statuses[] = {
    {CM_EXIT_PASS, "all passed; --against: and are like their history"},
    {CM_EXIT_WRONG, "a metric is FAIL, or worse than its history"},
    {CM_EXIT_USAGE, "wrong usage"},
    {CM_EXIT_SYSTEM, "something asked for could not be run: it failed, its program, the "
                     "launcher or a host is missing, or --only names it and it was skipped; "
                     "--against: too little history, or a busy machine"},
    {0, NULL}};

const suite_command suite_command_run = {
    .program =
        {
            .name = "clustermark run",
            .purpose = "Run the benchmarks and keep their results in a folder.",
            .description =
                "The result of each benchmark goes to DIR/NAME.txt and, with all samples, to "
                "DIR/NAME.json. If the benchmark did not run to its end, DIR/NAME.failed or "
                "DIR/NAME.skipped says why.\n\n"
                "If a run is interrupted, the same command goes on where it ended: complete "
                "results are kept. A folder holds the results of one version, backend, profile, "
                "list of hosts, number of ranks and number of launches; clustermark refuses to mix "
                "them.",
            .operands = "DIR",
            .options = options,
            .exit_statuses = statuses,
            .examples = "clustermark run results\tall benchmarks, in about two minutes\n"
                        "clustermark run --backend mpi,sockets results\tthe same over MPI and over "
                        "plain sockets, in turns\n",
            .mixed = true,
        },
    .work = work,
};

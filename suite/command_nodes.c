/* SPDX-License-Identifier: BSD-3-Clause */
/* command_nodes.c: `clustermark nodes`: runs cm-nodes, says what stands out and makes a page. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "commands.h"
#include "figures/draw.h"
#include "fleet/judge.h"
#include "fleet/kept.h"
#include "results/folder.h"
#include "results/hosts_named.h"
#include "common/memory.h"
#include "nodes/nodes_page.h"
#include "common/say.h"

/* Only a result with a burn-in has its figure. */
static void add_figure(suite_table *table, const char *name)
{
    for (size_t r = 0; r < table->n; r++) {
        suite_run *run = &table->run[r];
        if (strcmp(run->name, "nodes") != 0) continue;
        run->figure = suite_longer(run->figure, run->n_figures + 1, sizeof *run->figure);
        run->figure[run->n_figures++] = suite_copy(name);
    }
}

/* DIR/nodes-nodes.svg, and with a burn-in DIR/nodes-burn_in.svg, if gnuplot is there. */
static void draw(const suite_home *home, const char *dir, const cm_record *record)
{
    static const char *const kinds[] = {"svg", NULL};
    static const suite_beside none = {0};
    suite_table table;
    suite_children children;
    char *whole = realpath(dir, NULL);
    if (whole && suite_draw_possible() && suite_table_read(home, &table)) {
        if (cm_record_meta(record, "burn_in_minutes")) add_figure(&table, "burn_in");
        if (suite_children_open(&children)) {
            suite_draw_all(&children, home, &table, whole, &none, kinds);
            suite_children_close(&children);
        }
        suite_table_free(&table);
    }
    free(whole);
}

static void print_said(const cm_record_finding *finding)
{
    char *said = suite_there(cm_record_finding_said(finding));
    puts(said);
    free(said);
}

static size_t print_all(const cm_record *record, const char *what)
{
    const cm_record_finding *finding;
    size_t k = 0;
    for (; (finding = cm_record_finding_of(record, what, k)); k++) print_said(finding);
    return k;
}

/* Bounds of other quantities are in the words of the first one. */
static void print_limits(const cm_record *record)
{
    const cm_record_finding *f;
    for (size_t k = 0; (f = cm_record_finding_of(record, CM_FINDING_LIMIT, k)); k++)
        if (*f->words) print_said(f);
}

/* "n17: sends at 0.31 of the others ..." */
static size_t print_odd(const cm_record *record)
{
    const cm_record_finding *f;
    size_t k = 0;
    for (; (f = cm_record_finding_of(record, CM_FINDING_STANDS_OUT, k)); k++) {
        char *who = suite_hosts_shown(f->who ? f->who : "");
        printf("%s%s%s\n", who, *who ? ": " : "", f->words);
        free(who);
    }
    return k;
}

/* Prints the findings on stdout, then the page's path. Returns the status, which is 3 if no host
   was named and the metric that counts such hosts is missing. */
static int show(const suite_home *home, const char *dir)
{
    char *text = suite_folder_path(dir, "nodes", "txt"), why[1024];
    char *result = suite_record_path(text);
    char *page = suite_folder_path(dir, "nodes", "html");
    cm_record record;
    const cm_record_finding *disturbed;
    int status = CM_EXIT_SYSTEM;
    if (!cm_record_read(result, &record, why, sizeof why)) suite_say("nodes: %s", why);
    else {
        draw(home, dir, &record);
        const size_t odd = print_odd(&record), unknown = print_all(&record, CM_FINDING_CANNOT_TELL);
        if (print_all(&record, CM_FINDING_FEW_HOSTS) + odd + unknown == 0)
            puts("no host and no pair of hosts stands out");
        print_all(&record, CM_FINDING_SPLIT);
        if ((disturbed = suite_nodes_disturbed(&record))) print_said(disturbed);
        print_all(&record, CM_FINDING_FEW);
        print_limits(&record);
        print_all(&record, CM_FINDING_BURN_IN);
        print_all(&record, CM_FINDING_COUNTERS);
        if (suite_nodes_page(home, &record, page, NULL)) {
            puts(page);
            if (odd > 0 || unknown == 0 || cm_record_metric_of(&record, CM_FINDINGS_METRIC))
                status = CM_EXIT_PASS;
        }
        cm_record_free(&record);
    }
    free(result);
    free(text);
    free(page);
    return status;
}

/* ---- Against a history ----------------------------------------------------------------------- */

/* Runs cm-nodes, and takes what the hosts reached. Returns 0; or the exit status after a line on
   stdout, or on stderr if it was no fault of the hosts. */
static int measure(const suite_home *home, const suite_run_options *nodes, const char *dir,
                   const char *cluster, suite_kept *kept)
{
    char *text = suite_folder_path(dir, "nodes", "txt"), *result = suite_record_path(text);
    char why[1024];
    cm_record record = {0};
    int status = suite_run_benchmarks(home, nodes, dir);
    *kept = (suite_kept){0};
    if (status == CM_EXIT_SYSTEM) puts("could not tell: cm-nodes did not run to its end");
    /* Hosts that stand out are judged by their own history. */
    if (status == CM_EXIT_WRONG) {
        free(result);
        result = suite_record_path(text);
        if (!cm_record_read(result, &record, why, sizeof why)) suite_say("nodes: %s", why);
        else if (cm_record_wrong(&record)) puts("worse: cm-nodes gave a wrong answer");
        else status = 0;
    }
    if (!status) status = suite_kept_take(home, "nodes", dir, cluster, kept);
    cm_record_free(&record);
    free(result);
    free(text);
    return status;
}

/* Repeats the measurement of hosts that became worse, because a single value has long tails. */
static int confirm(const suite_home *home, const suite_run_options *nodes, const char *dir,
                   const suite_history *history, const char *cluster, fleet_judgement *judged)
{
    suite_kept again;
    if (fleet_judgement_all(judged) != FLEET_WORSE) return 0;
    int status = measure(home, nodes, dir, cluster, &again);
    if (!status) {
        fleet_judgement second = fleet_judge_hosts(history, &again, judged->loss);
        fleet_confirm(judged, &second);
        fleet_judgement_free(&second);
    }
    suite_kept_free(&again);
    return status;
}

/* One line on stdout. Returns the exit status. */
static int hold_against(const suite_home *home, const suite_run_options *nodes, const char *dir,
                        const suite_against *against)
{
    suite_history history;
    suite_kept kept;
    int status = suite_kept_read_all("nodes", against->dir, &history);
    if (status) return status;
    const char *cluster = suite_history_cluster(&history);
    if (!(status = measure(home, nodes, dir, cluster, &kept))) {
        fleet_judgement judged = fleet_judge_hosts(&history, &kept, 0.01 * against->loss_percent);
        status = confirm(home, nodes, dir, &history, cluster, &judged);
        if (!status) status = fleet_judgement_tell(&judged);
        fleet_judgement_free(&judged);
    }
    suite_kept_free(&kept);
    suite_history_free(&history);
    return status;
}

/* ---- The command ----------------------------------------------------------------------------- */

static const cm_exit_status statuses[] = {
    {CM_EXIT_PASS, "no host and no pair of hosts stands out; --against: all are like their "
                   "history"},
    {CM_EXIT_WRONG, "one does, or is worse than its history; or an answer was wrong"},
    {CM_EXIT_USAGE, "wrong usage"},
    {CM_EXIT_SYSTEM, "cm-nodes could not be run or could not tell, or the page could not be "
                     "written; --against: too little history, or a busy machine"},
    {0, NULL}};
static const cm_option options[] = {
    CM_TABLE((void *)suite_where_options),
    CM_INTEGER("ranks", 0, "N", &suite_run_given.ranks, 2, 999999,
               "number of ranks: one per host measures one core of each. Default: one for each "
               "slot of the hosts, or for each of their cores; at least 2"),
    CM_TEXT("place", 0, "NAME", &suite_run_given.place,
            "run on hosts that virtual-cluster makes of this machine: "
            "virtual:HOSTS[,RATE][,delay=TIME][,mtu=BYTES]. Needs root"),
    CM_INTEGER("launches", 0, "N", &suite_run_given.launches, 1, SUITE_LAUNCHES_MOST,
               "start cm-nodes N times, and judge by all of them: three or more see hosts and "
               "pairs that are a little slow in each, and do not name who was slow in one. "
               "Default: 1"),
    CM_REAL("minutes", 0, "MINUTES", &suite_run_given.minutes, 0, 1e5,
            "a burn-in: repeat all checks for so long, under full load, and name who gets slower"),
    CM_REAL("time-limit", 0, "SECONDS", &suite_run_given.time_limit_s, 1, 1e7,
            "end the program if it takes longer. Default: a minute and ten times what it "
            "usually takes, and the burn-in"),
    CM_TABLE((void *)suite_against_options),
    {0},
};

static int work(const cm_program *program, const suite_home *home, int n, char **operand)
{
    suite_run_options nodes = suite_run_given;
    suite_against against = suite_against_given;
    const char *dir = NULL;
    int status = suite_command_dir(program, n, operand, &dir);
    if (status != CM_OPTION_RUN) return status;
    if (nodes.place && !suite_virtual_is(nodes.place))
        return suite_fail(CM_EXIT_USAGE, "nodes: --place %s: expected virtual:HOSTS", nodes.place);
    if ((status = suite_against_check("nodes", &against))) return status;
    nodes.only = "nodes";
    if (nodes.launches > 1 && (nodes.minutes > 0 || against.dir))
        return suite_fail(CM_EXIT_USAGE, "nodes: --launches %d with --%s: expected one of them",
                          (int)nodes.launches, against.dir ? "against" : "minutes");
    if (nodes.launches == 0) nodes.launches = 1;
    nodes.fresh = nodes.alone = true;
    nodes.profile = SUITE_STANDARD;
    if (against.dir) return hold_against(home, &nodes, dir, &against);
    status = suite_run_benchmarks(home, &nodes, dir);
    if (status != CM_EXIT_PASS && status != CM_EXIT_WRONG) return status;
    int shown = show(home, dir);
    return shown ? shown : status;
}

const suite_command suite_command_nodes = {
    .program =
        {
            .name = "clustermark nodes",
            .purpose = "Say which host, card, cable or clock is not like the others.",
            .description =
                "Runs cm-nodes: an inventory of all hosts, and checks of their processors, "
                "memories and links in rounds with partners drawn at random; with --minutes a "
                "burn-in follows. Prints what stands "
                "out, and the path of a page with the figures of all hosts, DIR/nodes.html. "
                "DIR/nodes.txt and DIR/nodes.json are the result. What a folder held of an earlier "
                "run is replaced. With --against each host is held against its own "
                "history: one line says who is worse, which is measured again, or what would have "
                "been named.",
            .operands = "DIR",
            .options = options,
            .exit_statuses = statuses,
            .examples =
                "clustermark nodes --hosts n[01-64] checks\tall cores of 64 hosts\n"
                "clustermark nodes --hosts n[01-64] --minutes 30 burnin\ta burn-in of them\n"
                "clustermark nodes --against history check\tthis host, in a job's prologue\n"
                "clustermark nodes --place virtual:8 checks\teight hosts of this machine\n",
            .mixed = true,
        },
    .work = work,
};

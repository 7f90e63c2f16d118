/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: clustermark's command line. */
#include "config.h"
#include <stdio.h>
#include <string.h>
#include "comm/comm.h"
#include "commands.h"
#include "machine/machine.h"
#include "option/option.h"
#include "say.h"

/* What a command's operand DIR may be: just one; none where *dir has a default. */
static int take_dir(const cm_program *program, int argc, char **argv, const char **dir)
{
    int operand;
    int status = cm_option_parse(program, argc, argv, &operand);
    if (status != CM_OPTION_RUN) return status;
    if (argc == operand && *dir) return CM_OPTION_RUN;
    if (argc == operand)
        return cm_option_error(program, "DIR is missing: the folder of the results");
    if (argc > operand + 1)
        return cm_option_error(program, "more than one DIR: '%s' and '%s'", argv[operand],
                               argv[operand + 1]);
    *dir = argv[operand];
    return CM_OPTION_RUN;
}

/* The operands of report: the folder and perhaps another one. */
static int take_dirs(const cm_program *program, int argc, char **argv, const char **dir,
                     suite_report_options *options)
{
    int operand;
    int status = cm_option_parse(program, argc, argv, &operand);
    if (status != CM_OPTION_RUN) return status;
    if (argc == operand)
        return cm_option_error(program, "DIR is missing: the folder of the results");
    if (argc > operand + 2)
        return cm_option_error(program, "more than two folders: the third is '%s'",
                               argv[operand + 2]);
    *dir = argv[operand];
    if (argc == operand + 2) options->other = argv[operand + 1];
    if (options->other && options->beside)
        return cm_option_error(program, "--beside '%s' and a second DIR '%s': give one of them",
                               options->beside, options->other);
    return CM_OPTION_RUN;
}

/* Results to compare: one at least. */
static int take_results(const cm_program *program, int argc, char **argv, int *first)
{
    int status = cm_option_parse(program, argc, argv, first);
    if (status == CM_OPTION_RUN && argc == *first)
        return cm_option_error(program, "RESULT is missing: a folder of results, or one result");
    return status;
}

/* A run, and with --open its page, unless nothing was run to the end. */
static int run_and_show(const suite_home *home, const suite_run_options *run,
                        const suite_report_options *report, const char *dir)
{
    int status = suite_command_run(home, run, dir);
    if (!report->open || status == CM_EXIT_USAGE || status > CM_EXIT_SYSTEM) return status;
    int shown = suite_command_report(home, report, dir);
    return status ? status : shown;
}

int main(int argc, char **argv)
{
    suite_run_options run = {.profile = SUITE_QUICK};
    /* Where programs run: of the commands that start some. */
    const cm_option where_options[] = {
        CM_TEXT(
            "hosts", 0, "HOST,...", &run.hosts,
            "run on these hosts. The MPI's launcher or, with the native backends, cmrun starts the "
            "ranks there. Default: the hosts that Slurm, PBS or LSF has allocated, or this host"),
        CM_TEXT("hostfile", 0, "FILE", &run.hostfile,
                "read the hosts from FILE, with lines as for cmrun: HOST, HOST SLOTS, HOST:SLOTS "
                "or HOST slots=SLOTS"),
        {0},
    };
    bool open = false;
    const cm_option run_options[] = {
        CM_CHOICE(
            "profile", 0, "NAME", &run.profile, suite_profile_names,
            "how much to measure: quick takes about a minute on two idle cores, standard half an "
            "hour, full two and a half hours and has the largest sizes"),
        CM_TABLE((void *)where_options),
        CM_INTEGER("ranks", 0, "N", &run.ranks, 2, 999999,
                   "number of ranks of the benchmarks that run with all of them, each once. "
                   "Default: one for each core of this host, at least 2; of several hosts, one for "
                   "each host or for each of its slots or cores"),
        CM_INTEGER(
            "launches", 0, "N", &run.launches, 1, SUITE_LAUNCHES_MOST,
            "launch each benchmark N times, in rounds of changing order, and report medians "
            "over the launches. `clustermark compare` tells changes of all programs from chance "
            "from 6 launches a side on, of a single one from 4. Default: 3 (quick), 6 "
            "(standard), 10 (full)"),
        CM_TEXT("launcher", 0, "COMMAND", &run.launcher,
                "start parallel programs with COMMAND, in which %n stands for the number of ranks. "
                "Default: the launcher that `clustermark env` names"),
        CM_TEXT("rails", 0, "A,B,...", &run.rails,
                "also measure long messages that are spread over these network interfaces, or over "
                "this number of connections (sockets, hybrid; CM_RAILS)"),
        CM_TEXT("place", 0, "NAME", &run.place,
                "run on a simulated cluster, one of those that `clustermark places` lists: what a "
                "paper measured there, each benchmark once. Needs SimGrid; the first time, it "
                "builds the programs for the simulator. virtual:HOSTS[,RATE][,delay=TIME]"
                "[,mtu=BYTES] runs all benchmarks on hosts that virtual-cluster makes of this "
                "machine for the run (virtual:4,100mbit). Needs root"),
        CM_TEXT("only", 0, "NAME,...", &run.only, "run only these benchmarks"),
        CM_REAL("time-limit", 0, "SECONDS", &run.time_limit_s, 1, 1e7,
                "end a benchmark that takes longer, and go on with the next. Default: a minute and "
                "ten times what the benchmark usually takes"),
        CM_FLAG("fresh", 0, &run.fresh, "run everything again and replace the results"),
        CM_FLAG("open", 0, &open,
                "then write the report's page and open it in a browser: $BROWSER, or xdg-open; not "
                "without a display"),
        {0},
    };
    const cm_option nodes_options[] = {
        CM_TABLE((void *)where_options),
        CM_INTEGER("ranks", 0, "N", &run.ranks, 2, 999999,
                   "number of ranks: one per host measures one core of each. Default: one for each "
                   "slot of the hosts, or for each core of this host; at least 2"),
        CM_TEXT("launcher", 0, "COMMAND", &run.launcher,
                "start the ranks with COMMAND, in which %n stands for their number. Default: the "
                "launcher that `clustermark env` names"),
        CM_TEXT("place", 0, "NAME", &run.place,
                "run on hosts that virtual-cluster makes of this machine: "
                "virtual:HOSTS[,RATE][,delay=TIME][,mtu=BYTES]. Needs root"),
        CM_REAL("time-limit", 0, "SECONDS", &run.time_limit_s, 1, 1e7,
                "end the program if it takes longer. Default: a minute and ten times what it "
                "usually takes"),
        {0},
    };
    suite_compare_run compare_run = {0};
    suite_compare_options compare = {.margin_percent = 5, .rows = 20, .fail_on = -1};
    const cm_option compare_options[] = {
        CM_FLAG("run", 0, &compare_run.on,
                "first launch two builds or installations in turns: the operands are BUILD_A, "
                "BUILD_B and DIR, into which they measure. The same command goes on where it was "
                "interrupted"),
        CM_INTEGER("launches", 0, "N", &compare_run.launches, 1, CM_RANK_MOST,
                   "with --run: launch each benchmark of each build N times. All programs need 6, "
                   "a single one 4. Default: 6"),
        CM_TEXT("profile", 0, "NAME", &compare_run.profile,
                "with --run: the profile of `clustermark run`. Default: quick"),
        CM_TEXT("only", 0, "NAME,...", &compare_run.only, "with --run: only these benchmarks"),
        CM_TEXT("hosts", 0, "HOST,...", &compare_run.hosts, "with --run: on these hosts"),
        CM_TEXT("hostfile", 0, "FILE", &compare_run.hostfile, "with --run: on the hosts of FILE"),
        CM_TEXT("launcher", 0, "COMMAND", &compare_run.launcher,
                "with --run: start parallel programs with COMMAND"),
        CM_REAL("margin", 0, "PERCENT", &compare.margin_percent, 0, 1000,
                "call a tested metric the same if the whole interval of its ratio is as close to "
                "1 as this"),
        CM_INTEGER("rows", 0, "N", &compare.rows, 0, 1000000,
                   "show this many of the other metrics, and this many rows, in the text; 0: all. "
                   "The page and the JSON have all of them"),
        CM_TEXT("output", 'o', "FILE", &compare.output, "also write the text to FILE"),
        CM_TEXT("html", 0, "FILE", &compare.html,
                "write a page with the tables and, with gnuplot, the figures of all results to "
                "FILE"),
        CM_TEXT("json", 0, "FILE", &compare.json, "write everything as JSON to FILE"),
        CM_TEXT("expect", 0, "FILE", &compare.expect,
                "exit with 1 if a result is not as FILE says. Its lines are NAME:METRIC VALUE "
                "TOLERANCE; TOLERANCE is +-10%, or +10% or -10% for a bound on one side"),
        CM_CHOICE("fail-on", 0, "WHAT", &compare.fail_on, compare_fail_words,
                  "exit with 1 if a tested metric is slower, or if one is different: slower, "
                  "faster, higher or lower; with 3, naming the metric, if a loss of 25 % in a "
                  "tested metric could not have been seen"),
        CM_FLAG("force", 'f', &compare.force, "overwrite existing files"),
        {0},
    };
    suite_export_options export = {.to = -1, .better = -1};
    const cm_option export_options[] = {
        CM_CHOICE("to", 0, "FORMAT", &export.to, suite_export_names,
                  "the form: openmetrics for Prometheus and its like, json, csv, or the lists of "
                  "github-action-benchmark"),
        CM_CHOICE("better", 0, "WAY", &export.better, suite_export_better,
                  "only metrics of which low, or high, values are better. github-action-benchmark "
                  "needs it, for it has a tool for each: customSmallerIsBetter, "
                  "customBiggerIsBetter"),
        CM_FLAG("reference", 0, &export.reference,
                "instead of --to: write what other machines are compared with as lines for "
                "~/.config/clustermark/references.tab"),
        CM_TEXT("output", 'o', "FILE", &export.output, "write to FILE. Default: standard output"),
        CM_FLAG("force", 'f', &export.force, "overwrite an existing file"),
        {0},
    };
    suite_report_options report = {0};
    const cm_option beside_options[] = {
        CM_TEXT("beside", 0, "FOLDER", &report.beside,
                "also show the results of another folder: those of a simulated cluster, or of "
                "another network. The figures have them in green"),
        {0},
    };
    const char *price_text = NULL;
    const cm_option report_options[] = {
        CM_TABLE((void *)beside_options),
        CM_TEXT("price", 0, "PRICE", &price_text,
                "what the hosts cost, an amount and a currency (\"4000 EUR\"): the page says what "
                "each benchmark's headline gives for it"),
        CM_FLAG("open", 0, &open,
                "open the page in a browser: $BROWSER, or xdg-open; not without a display"),
        {0},
    };
    suite_machine_options machine = {0};
    const cm_option machine_options[] = {
        CM_TEXT("root", 0, "FOLDER", &machine.root,
                "the node whose files are in FOLDER/sys and FOLDER/proc, copied from a computer "
                "or made by hwloc-gather-topology. Default: this computer"),
        CM_FLAG("sysfs", 0, &machine.sysfs,
                "read the kernel's files only, as a build without hwloc does"),
        CM_FLAG("json", 0, &machine.json, "print JSON"),
        {0},
    };
    static const cm_option none[] = {{0}};
    static const cm_exit_status statuses[] = {
        {CM_EXIT_PASS, "all passed"},
        {CM_EXIT_WRONG, "a verdict is FAIL"},
        {CM_EXIT_USAGE, "wrong usage"},
        {CM_EXIT_SYSTEM, "something asked for could not be run: it failed, its program or the "
                         "launcher is missing, or --only names it and it was skipped"},
        {0, NULL}};
    const cm_program command_run = {
        .name = "clustermark run",
        .purpose = "Run the benchmarks and keep their results in a folder.",
        .description =
            "The result of each benchmark goes to DIR/NAME.txt and, with all samples, to "
            "DIR/NAME.json. If the benchmark did not run to its end, DIR/NAME.failed or "
            "DIR/NAME.skipped says why.\n\n"
            "If a run is interrupted, the same command goes on where it ended: complete results "
            "are kept. A folder holds the results of one version, backend, profile, list of hosts, "
            "number of ranks and number of launches; clustermark refuses to mix them.",
        .operands = "DIR",
        .options = run_options,
        .exit_statuses = statuses,
        .mixed = true,
    };
    static const cm_exit_status nodes_statuses[] = {
        {CM_EXIT_PASS, "no host and no pair of hosts stands out"},
        {CM_EXIT_WRONG, "one does, or an answer was wrong"},
        {CM_EXIT_USAGE, "wrong usage"},
        {CM_EXIT_SYSTEM, "cm-nodes could not be run, or the page could not be written"},
        {0, NULL}};
    const cm_program command_nodes = {
        .name = "clustermark nodes",
        .purpose = "Say which host, card, cable or clock is not like the others.",
        .description =
            "Runs cm-nodes: an inventory of all hosts, and checks of their processors, memories "
            "and links in rounds with partners drawn at random. Prints what stands out, and the "
            "path of a page with the figures of all hosts, DIR/nodes.html. DIR/nodes.txt and "
            "DIR/nodes.json are the result. What a folder held of an earlier run is replaced.",
        .operands = "DIR",
        .options = nodes_options,
        .exit_statuses = nodes_statuses,
        .examples = "clustermark nodes --hosts n[01-64] checks\tone core of each of 64 hosts\n"
                    "clustermark nodes --place virtual:8 checks\teight hosts of this machine\n",
        .mixed = true,
    };
    const cm_program command_figures = {
        .name = "clustermark figures",
        .purpose = "Draw the figures of the results in a folder.",
        .description = "Each figure becomes DIR/NAME-FIGURE.svg and DIR/NAME-FIGURE.png. The "
                       "command needs gnuplot.",
        .operands = "DIR",
        .options = beside_options,
        .mixed = true,
    };
    const cm_program command_report = {
        .name = "clustermark report",
        .purpose = "Write DIR/report.html: one page with all figures, tables and verdicts.",
        .description =
            "The page also describes the machine and sets what was measured beside the tables, "
            "figures, numbers and claims of the papers. Without gnuplot it has no figures. The "
            "command prints the path of the page.\n\n"
            "With a second folder the page also has its values beside the first one's, with what "
            "clustermark compare judges of them, and DIR/compare.html has all rows and figures of "
            "both.",
        .operands = "DIR [DIR]",
        .options = report_options,
        .examples = "clustermark report --open results\tthe page, in a browser\n"
                    "clustermark report before after\tthe page of both\n",
        .mixed = true,
    };
    static const cm_exit_status compare_statuses[] = {
        {CM_EXIT_PASS, "the results were compared"},
        {CM_EXIT_WRONG, "a metric is as --fail-on says, or not as --expect says"},
        {CM_EXIT_USAGE, "wrong usage, or results that cannot be compared"},
        {CM_EXIT_SYSTEM, "a file could not be written, or --fail-on was given and a loss of 25 % "
                         "could not have been seen in a tested metric, or a build of --run "
                         "could not run: then nothing is judged"},
        {0, NULL}};
    const cm_program command_compare = {
        .name = "clustermark compare",
        .purpose = "Say what differs between results, and how certain that is.",
        .description =
            "A RESULT is a folder of `clustermark run`, or one result as text or JSON. The first "
            "is the base; each further one is compared with it: first what differs in machine, "
            "build and settings, then ratios, the largest change first. Launches of a run "
            "(clustermark run --launches) say how much a metric changes by itself. Tested are the "
            "headline metric of each program and, as a second family, a few further ones such as "
            "the peak and the sum over all sizes: faster, slower, the same, or cannot tell. "
            "Everything else is only shown. One RESULT alone is held against --expect.",
        .operands = "RESULT... | --run BUILD_A BUILD_B DIR",
        .options = compare_options,
        .exit_statuses = compare_statuses,
        .examples = "clustermark compare before after\twhat a change did\n"
                    "clustermark compare --html page.html before after\tthe same, with figures\n"
                    "clustermark compare --fail-on slower before after\tfor continuous tests\n"
                    "clustermark compare --run ../old/b b cmp\ttwo builds, launched in turns\n",
        .mixed = true,
    };
    static const cm_exit_status export_statuses[] = {
        {CM_EXIT_PASS, "the results were written"},
        {CM_EXIT_USAGE, "wrong usage, or DIR holds no results"},
        {CM_EXIT_SYSTEM, "the file could not be written"},
        {0, NULL}};
    const cm_program command_export = {
        .name = "clustermark export",
        .purpose = "Write results in the form that other programs read.",
        .description =
            "Every RESULT of the folder DIR (this folder without one) is written: value, unit, "
            "which way is better, verdict, the interval with what it is over and of how many "
            "values, whether the machine disturbed it, hosts and ranks. OpenMetrics also says "
            "which benchmarks failed, JSON why.",
        .operands = "[DIR]",
        .options = export_options,
        .exit_statuses = export_statuses,
        .examples = "clustermark export --to csv results\ta table for a spreadsheet\n"
                    "clustermark export --to openmetrics -o cluster.prom results\tfor "
                    "node_exporter's textfile collector\n"
                    "clustermark export --reference results\ta line for each tile of the "
                    "report\n",
        .mixed = true,
    };
    const cm_program command_env = {
        .name = "clustermark env",
        .purpose = "Show what this installation was built for, and the CM_ variables in force.",
        .options = none,
    };
    const cm_program command_places = {
        .name = "clustermark places",
        .purpose = "List the simulated clusters that `clustermark run --place` knows.",
        .options = none,
    };
    static const cm_exit_status machine_statuses[] = {
        {CM_EXIT_PASS, "the node was read"},
        {CM_EXIT_USAGE, "wrong usage"},
        {CM_EXIT_SYSTEM, "nothing tells what processors the node has"},
        {0, NULL}};
    const cm_program command_machine = {
        .name = "clustermark machine",
        .purpose = "Print what the programs take a node to be.",
        .description = "Prints threads, cores, sockets, caches and NUMA nodes with the kinds of "
                       "their memory. Attach it to a report of a fault. A \"cores\" or "
                       "\"numa_nodes\" that the system does not tell is said to be so.",
        .options = machine_options,
        .exit_statuses = machine_statuses,
    };
    const cm_program *const commands[] = {
        &command_run,    &command_nodes,  &command_figures, &command_report, &command_compare,
        &command_export, &command_places, &command_machine, &command_env,    NULL};
    const cm_program program = {
        .name = "clustermark",
        .purpose = "Run all benchmarks of clustermark and make a report of what they found.",
        .options = none,
        .commands = commands,
        .exit_statuses = statuses,
        .examples =
            "clustermark run --profile standard results\tall benchmarks, into the folder results\n"
            "clustermark run --hosts node1,node2 results\tbetween two nodes\n"
            "clustermark report results\tthe page results/report.html\n",
    };
    const cm_program *command;
    const char *dir = NULL;
    suite_home home;
    int first, operand = 0, status;
    cm_machine_require_cpu(program.name);
    status = cm_option_command(&program, argc, argv, &command, &first);
    if (status != CM_OPTION_RUN) return status;
    argc -= first;
    argv += first;
    if (command == &command_export) dir = "."; /* without an operand */
    if (command == &command_compare) status = take_results(command, argc, argv, &operand);
    else if (command == &command_report) status = take_dirs(command, argc, argv, &dir, &report);
    else if (command->operands) status = take_dir(command, argc, argv, &dir);
    else status = cm_option_parse(command, argc, argv, NULL);
    if (status != CM_OPTION_RUN) return status;
    report.open = open;
    if (price_text && !suite_price_read(price_text, &report.price))
        return cm_option_error(command,
                               "--price '%s': expected an amount above 0 and a currency, as in "
                               "\"4000 EUR\"",
                               price_text);
    if (!suite_home_find(&home)) return CM_EXIT_SYSTEM;
    if (command == &command_run) status = run_and_show(&home, &run, &report, dir);
    else if (command == &command_nodes) status = suite_command_nodes(&home, &run, dir);
    else if (command == &command_figures) status = suite_command_figures(&home, dir, report.beside);
    else if (command == &command_report) status = suite_command_report(&home, &report, dir);
    else if (command == &command_compare)
        status =
            suite_command_compare(&home, &compare, &compare_run, argc - operand, argv + operand);
    else if (command == &command_export) status = suite_command_export(&home, &export, dir);
    else if (command == &command_places) status = suite_command_places(&home);
    else if (command == &command_machine) status = suite_command_machine(&machine);
    else status = suite_command_env(&home);
    suite_home_free(&home);
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    return suite_fail(CM_EXIT_SYSTEM, "cannot write to standard output");
}

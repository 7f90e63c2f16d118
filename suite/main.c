/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: clustermark's command line: which command it is. */
#include "config.h"
#include <stdio.h>
#include "comm/comm.h"
#include "commands.h"
#include "machine/machine.h"
#include "common/say.h"

/* In the order of --help. */
static const suite_command *const commands[] = {
    &suite_command_run,     &suite_command_nodes,    &suite_command_figures, &suite_command_report,
    &suite_command_compare, &suite_command_baseline, &suite_command_history, &suite_command_export,
    &suite_command_seal,    &suite_command_verify,   &suite_command_places,  &suite_command_machine,
    &suite_command_env};
enum { COMMANDS = sizeof commands / sizeof *commands };
static const cm_program *programs[COMMANDS + 1]; /* of these; NULL-terminated */

static const cm_exit_status statuses[] = {
    {CM_EXIT_PASS, "the command did what it was asked for"},
    {CM_EXIT_WRONG, "run: a metric is FAIL; nodes: somebody stands out; run and nodes --against: "
                    "worse; compare: what --fail-on names; history, baseline list: a result was "
                    "left out; verify: a file was changed"},
    {CM_EXIT_USAGE, "wrong usage"},
    {CM_EXIT_SYSTEM, "the system failed, or nothing could be told; each command's help says more"},
    {0, NULL}};
static const cm_program clustermark = {
    .name = "clustermark",
    .purpose = "Run all benchmarks of clustermark and make a report of what they found.",
    .options = suite_no_options,
    .commands = programs,
    .exit_statuses = statuses,
    .examples =
        "clustermark run --profile standard results\tall benchmarks, into the folder results\n"
        "clustermark run --hosts node1,node2 results\tbetween two nodes\n"
        "clustermark report results\tthe page results/report.html\n",
};

static int call(const cm_program *program, int argc, char **argv)
{
    int operand = argc, c = 0, status;
    suite_home home;
    status = cm_option_parse(program, argc, argv, program->operands ? &operand : NULL);
    if (status != CM_OPTION_RUN) return status;
    if (!suite_home_find(&home)) return CM_EXIT_SYSTEM;
    while (programs[c] != program) c++;
    status = commands[c]->work(program, &home, argc - operand, argv + operand);
    suite_home_free(&home);
    return status;
}

int main(int argc, char **argv)
{
    const cm_program *program;
    int first;
    cm_machine_require_cpu(clustermark.name);
    for (int c = 0; c < COMMANDS; c++) programs[c] = &commands[c]->program;
    int status = cm_option_command(&clustermark, argc, argv, &program, &first);
    if (status == CM_OPTION_RUN) status = call(program, argc - first, argv + first);
    else return status;
    if (fflush(stdout) == 0 && !ferror(stdout)) return status;
    return suite_fail(CM_EXIT_SYSTEM, "cannot write to standard output");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* command_report.c: `clustermark report`. */
#include "config.h"
#include "comm/comm.h"
#include "commands.h"
#include "report/report.h"

static suite_report_options given;
static const char *price_text;

static const cm_exit_status statuses[] = {
    {CM_EXIT_PASS,
     "the page is written, whatever the results say; also if figures of it could not be drawn, "
     "which stderr then says"},
    {CM_EXIT_USAGE, "wrong usage, DIR is no folder of results, or a result in it is damaged"},
    {CM_EXIT_SYSTEM, "the page could not be made"},
    {0, NULL}};
static const cm_option options[] = {
    CM_TABLE((void *)suite_beside_options),
    CM_TEXT("price", 0, "PRICE", &price_text,
            "what the hosts cost, an amount and a currency (\"4000 EUR\"): the page says what "
            "each benchmark's headline gives for it"),
    CM_FLAG("anonymous", 0, &given.anonymous,
            "write DIR/report-anonymous.html: a page without the names of hosts, users and paths "
            "and without addresses"),
    CM_FLAG("open", 0, &given.open,
            "open the page in a browser: $BROWSER, or xdg-open; not without a display"),
    {0},
};

/* The folder, and perhaps another one. */
static int take(const cm_program *program, int n, char **operand)
{
    if (n == 0) return cm_option_error(program, "DIR is missing: the folder of the results");
    if (n > 2)
        return cm_option_error(program, "more than two folders: the third is '%s'", operand[2]);
    given.beside = suite_beside_given;
    if (n == 2) given.other = operand[1];
    if (given.other && given.beside)
        return cm_option_error(program, "--beside '%s' and a second DIR '%s': give one of them",
                               given.beside, given.other);
    if (given.anonymous && (given.other || given.beside))
        return cm_option_error(program, "--anonymous is for one folder: without '%s'",
                               given.other ? given.other : given.beside);
    if (price_text && !suite_price_read(price_text, &given.price))
        return cm_option_error(program,
                               "--price '%s': expected an amount above 0 and a currency, as in "
                               "\"4000 EUR\"",
                               price_text);
    return CM_OPTION_RUN;
}

static int work(const cm_program *program, const suite_home *home, int n, char **operand)
{
    int status = take(program, n, operand);
    return status == CM_OPTION_RUN ? suite_report_make(home, &given, operand[0]) : status;
}

const suite_command suite_command_report = {
    .program =
        {
            .name = "clustermark report",
            .purpose = "Write DIR/report.html: one page with all figures, tables and metrics.",
            .description =
                "The page also describes the machine and sets what was measured beside the tables, "
                "figures, numbers and claims of the papers. Without gnuplot it has no figures. The "
                "command prints the path of the page.\n\n"
                "With a second folder the page also has its values beside the first one's, with "
                "what clustermark compare judges of them, and DIR/compare.html has all rows and "
                "figures of both.",
            .operands = "DIR [DIR]",
            .options = options,
            .exit_statuses = statuses,
            .examples = "clustermark report --open results\tthe page, in a browser\n"
                        "clustermark report before after\tthe page of both\n",
            .mixed = true,
        },
    .work = work,
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* option_command.c: a program with commands: finding the command, and all that is printed of it. */
#include "config.h"
#include "tap.h"
#include "comm/comm.h"
#include "option/option.h"
#include "option_caught.h"

/* ---- A program like clustermark -------------------------------------------------------------- */

static struct {
    int color, profile;
    int64_t ranks;
    const char *hosts, *file;
    bool fresh, quiet;
} set;

static void defaults(void)
{
    memset(&set, 0, sizeof set);
    set.color = 2;
    set.ranks = -1;
}

static const char *const colors[] = {"always", "never", "auto", NULL};
static const char *const profiles[] = {"quick", "standard", "full", NULL};
static const cm_option options[] = {
    CM_CHOICE("color", 'c', "WHEN", &set.color, colors, "metrics in color"),
    CM_FLAG("quiet", 'q', &set.quiet, "say nothing"),
    {.kind = CM_OPTION_END}};
static const cm_option run_options[] = {
    CM_HEADING("What is run"),
    CM_CHOICE("profile", 'p', "PROFILE", &set.profile, profiles, "how much time to take"),
    CM_FLAG("fresh", 0, &set.fresh, "run everything again"),
    CM_HEADING("Where"),
    CM_TEXT("hosts", 'H', "HOST,...", &set.hosts, "on these hosts"),
    CM_INTEGER("ranks", 'n', "N", &set.ranks, 2, 999999, "when not given, one for each core"),
    {.kind = CM_OPTION_END}};
static const cm_option compare_options[] = {
    CM_TEXT("output", 'o', "FILE", &set.file, "write a page"), {.kind = CM_OPTION_END}};

static const cm_exit_status statuses[] = {
    {0, "all passed"}, {1, "a metric is FAIL"}, {2, "wrong usage"}, {0, NULL}};
static const cm_exit_status statuses_of_compare[] = {
    {0, "no difference"}, {1, "a difference"}, {124, "too late"}, {0, NULL}};

static const cm_program run = {.name = "cm-test run",
                               .purpose = "run all benchmarks",
                               .description =
                                   "Each benchmark's result goes to DIR.\n\n  DIR/NAME.txt\n",
                               .operands = "DIR",
                               .examples = "cm-test run --profile full results\tall of it\n",
                               .options = run_options,
                               .exit_statuses = statuses,
                               .mixed = true};
static const cm_program compare = {.name = "cm-test compare",
                                   .purpose = "say what differs between results, and by how much, "
                                              "with the uncertainty of each difference",
                                   .operands = "RESULT RESULT",
                                   .options = compare_options,
                                   .exit_statuses = statuses_of_compare};
static const cm_program start = {.name = "cm-test start",
                                 .purpose = "start a program",
                                 .operands = "PROGRAM [ARGUMENT]...",
                                 .exit_statuses = statuses};
static const cm_program env = {
    .name = "cm-test env", .purpose = "list the variables", .exit_statuses = statuses};
static const cm_program program = {
    .name = "cm-test",
    .purpose = "runs benchmarks",
    .description = "What the suite is.",
    .examples = "cm-test env\twhich variables there are\n",
    .options = options,
    .commands = (const cm_program *const[]){&run, &compare, &start, &env, NULL},
    .exit_statuses = statuses};

/* ---- Command lines --------------------------------------------------------------------------- */

static const cm_program *command;
static int first, operand; /* operand in all of argv */

/* As a main would do it. */
static int parse(int argc, char **argv, void *context)
{
    command = NULL;
    int status = cm_option_command(context, argc, argv, &command, &first);
    if (status != CM_OPTION_RUN) return status;
    status = cm_option_parse(command, argc - first, argv + first, &operand);
    operand += first;
    return status;
}

static int run_line(const cm_program *which, const char *line)
{
    defaults();
    return caught(parse, line, (void *)which);
}

static bool runs(const char *line, const cm_program *want)
{
    return run_line(&program, line) == CM_OPTION_RUN && command == want && !*printed && !*said;
}

static void refused(const char *line, const char *want)
{
    char full[1200];
    snprintf(full, sizeof full, "%s\n", want);
    ok(run_line(&program, line) == CM_EXIT_USAGE && !*printed, "refused: '%s'", line);
    ok_text(said, full, "  in these words");
}

static void right_tests(void)
{
    ok(runs("env", &env) && first == 1 && operand == 2, "a command");
    ok(runs("run dir", &run) && operand == 2 && set.ranks == -1, "with an operand");
    ok(runs("run --profile full dir", &run) && set.profile == 2 && operand == 4, "and options");
    ok(runs("run dir --fresh", &run) && set.fresh && operand == 3
           && strcmp(caught_words[operand], "dir") == 0,
       "options behind the operand");
    ok(runs("run -- --fresh", &run) && !set.fresh && operand == 3, "an operand behind --");
    ok(runs("start program --fresh", &start) && operand == 2,
       "only commands with mixed operands look for options behind them");
    ok(runs("-q -c never run -p full dir", &run) && set.quiet && set.color == 1 && first == 4
           && set.profile == 2 && operand == 7,
       "options of the program stand before the command");
    ok(runs("--color=always env", &env) && set.color == 0, "with a value in the same word");
    ok(runs("-- env", &env) && first == 2, "-- before the command");
    ok(runs("run help", &run) && strcmp(caught_words[operand], "help") == 0,
       "help is a word like others behind a command");
}

static void wrong_tests(void)
{
    refused("", "cm-test: no command given; the commands are run, compare, start, env");
    refused("-q", "cm-test: no command given; the commands are run, compare, start, env");
    refused("comprae", "cm-test: unknown command 'comprae'; did you mean 'compare'?");
    refused("hlep", "cm-test: unknown command 'hlep'; did you mean 'help'?");
    refused("figures",
            "cm-test: unknown command 'figures'; the commands are run, compare, start, env");
    refused("ru\nn", "cm-test: unknown command 'ru?n'; did you mean 'run'?");
    refused("comp x", "cm-test: unknown command 'comp'; the commands are run, compare, start, env");
    refused("--fresh run", "cm-test: unknown option '--fresh'; try --help");
    refused("run --color=never", "cm-test run: unknown option '--color'; try --help");
    refused("run dir --frehs", "cm-test run: unknown option '--frehs'; did you mean '--fresh'?");
    refused("run dir --ranks", "cm-test run: option '--ranks' needs an argument: --ranks=N");
    refused("env x", "cm-test env: unexpected argument 'x'; only options are allowed, try --help");
    refused("help comprae", "cm-test: unknown command 'comprae'; did you mean 'compare'?");
    refused("help run dir",
            "cm-test: help: unexpected argument 'dir'; only one command is allowed");
    refused("run --print-man", "cm-test run: unknown option '--print-man'; try --help");
    launch_rank = 1;
    ok(run_line(&program, "bad") == CM_EXIT_USAGE && !*said, "other ranks return 2 in silence");
    launch_rank = 0;
}

/* which: the only command of a program; what is wrong with it stands in want. */
static void wrong_table(const cm_program *which, const char *want)
{
    cm_program p = program;
    p.commands = (const cm_program *const[]){&env, which, NULL};
    ok(run_line(&p, "env") == CM_EXIT_SYSTEM && strstr(said, want), "status 3: %s", want);
}

static void table_tests(void)
{
    static const cm_option twice[] = {CM_FLAG("one", 'o', &set.fresh, ""),
                                      CM_FLAG("two", 'o', &set.fresh, ""),
                                      {.kind = CM_OPTION_END}};
    const cm_program other = {.name = "cm-other run", .purpose = ""};
    const cm_program same = {.name = "cm-test", .purpose = ""};
    const cm_program words = {.name = "cm-test run fast", .purpose = ""};
    const cm_program help = {.name = "cm-test help", .purpose = ""};
    const cm_program deep = {
        .name = "cm-test deep", .purpose = "", .commands = (const cm_program *const[]){NULL}};
    const cm_program option = {.name = "cm-test option", .purpose = "", .options = twice};
    wrong_table(&other, "'cm-other run' is not named after it");
    wrong_table(&same, "'cm-test' is not named after it");
    wrong_table(&words, "'cm-test run fast' is not called by one word");
    wrong_table(&help, "'cm-test help' is built in");
    wrong_table(&env, "'cm-test env' is there twice");
    wrong_table(&deep, "'cm-test deep' has commands itself");
    wrong_table(&option, "cm-test option: its option table has '--two'");
}

/* ---- What is printed ------------------------------------------------------------------------- */

static void has(const char *what, const char *const *parts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!ok(strstr(printed, parts[i]), "%s has part %zu", what, i + 1))
            printf("# missing: %s\n# in:\n%s", parts[i], printed);
}

static void help_tests(void)
{
    static char whole[sizeof printed];
    static const char *const parts[] = {
        "Usage: cm-test [OPTION]... COMMAND [ARGUMENT]...\nruns benchmarks\n",
        "\n\nCommands:\n"
        "  run      run all benchmarks\n"
        "  compare  say what differs between results, and by how much, with the\n"
        "           uncertainty of each difference\n",
        "  env      list the variables\n"
        "  help     print this help, or with COMMAND the help of that command\n"
        "\nOptions:\n"
        "  -c, --color=WHEN  ",
        "\nExit status:\n  0  all passed\n  1  a metric is FAIL\n  2  wrong usage\n\nExamples:\n"};
    static const char *const parts_of_run[] = {
        "Usage: cm-test run [OPTION]... DIR\nrun all benchmarks\n", "\n\n  DIR/NAME.txt\n",
        "\nWhere:\n  -H, --hosts=HOST,...   on these hosts\n", "\nOther:\n  -h, --help",
        "\nExit status:\n  0  all passed\n"};
    static const char *const parts_of_compare[] = {
        "\nExit status:\n    0  no difference\n    1  a difference\n  124  too late\n"};
    ok(run_line(&program, "--help") == CM_EXIT_PASS && !*said, "--help of the program");
    has("help", parts, sizeof parts / sizeof parts[0]);
    strcpy(whole, printed);
    ok(run_line(&program, "help") == 0 && strcmp(printed, whole) == 0, "help is the same");
    ok(run_line(&program, "help help") == 0 && strcmp(printed, whole) == 0, "help help as well");
    ok(run_line(&program, "help --help") == 0 && strcmp(printed, whole) == 0, "and help --help");
    ok(run_line(&program, "run dir --help") == 0 && !*said, "--help of a command");
    has("help of run", parts_of_run, sizeof parts_of_run / sizeof parts_of_run[0]);
    strcpy(whole, printed);
    ok(run_line(&program, "help run") == 0 && strcmp(printed, whole) == 0, "help run is the same");
    ok(run_line(&program, "help compare") == 0, "a command with statuses of its own");
    has("help of compare", parts_of_compare, 1);
    ok(run_line(&program, "--version") == 0 && strncmp(printed, "cm-test (clustermark) ", 22) == 0,
       "--version");
    strcpy(whole, printed);
    ok(run_line(&program, "run --version") == 0 && strcmp(printed, whole) == 0,
       "a command has its program's version");
}

static void man_tests(void)
{
    static char text[65536];
    static const char *const parts[] = {
        "\n.SH SYNOPSIS\n.B cm\\-test\n[\\fIOPTION\\fR]...\\&\nCOMMAND [ARGUMENT]...\n",
        "\n.SH COMMANDS\n.B cm\\-test help\n",
        "\n.SS \"run\"\n.B cm\\-test run\n[\\fIOPTION\\fR]...\\&\nDIR\n.PP\nrun all benchmarks\n",
        "\n.SS \"env\"\n.B cm\\-test env\n",
        "\n.SH OPTIONS\n.TP\n\\fB\\-c\\fR, \\fB\\-\\-color\\fR=",
        "\n.SH EXIT STATUS\n.TP\n.B 0\nall passed\n",
        "\n.SH ENVIRONMENT\n",
        "which variables there are:\n",
        "cm\\-test run \\-\\-profile full results\n"};
    char line[512], path[64];
    ok(run_line(&program, "--print-man") == 0 && !*said, "--print-man: one page");
    has("man page", parts, sizeof parts / sizeof parts[0]);
    if (shell("command -v groff", text, sizeof text) != 0) {
        tap_skip("groff finds nothing to warn of", "no groff");
        return;
    }
    snprintf(path, sizeof path, "unit_option_command.%ld.1", (long)getpid());
    save(path);
    snprintf(line, sizeof line, "groff -man -ww -z -Tascii %s 2>&1", path);
    ok(shell(line, text, sizeof text) == 0 && !*text, "groff finds nothing to warn of");
    if (*text) printf("# %s\n", text);
    snprintf(line, sizeof line, "groff -man -Tascii -P-cbou -rLL=80n %s 2>&1", path);
    shell(line, text, sizeof text);
    remove(path);
    static const char *const shown[] = {
        "   run\n       cm-test run [OPTION]... DIR\n\n       run all benchmarks\n",
        "       What is run:\n\n       -p, --profile=PROFILE\n",
        "       Exit status:\n\n       0      no difference\n",
        "       124    too late\n\n   start\n"};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
        if (!ok(strstr(text, shown[i]), "the page shows part %zu", i + 1))
            printf("# missing: %s\n# in:\n%s", shown[i], text);
    const char *rest = strstr(text, "--version");
    ok(rest && (rest = strstr(rest + 1, "--version")) && !strstr(rest + 1, "--version"),
       "what all commands have is said once, and described once");
}

static void completion_tests(void)
{
    char text[4096], path[64], folder[64], words[256];
    ok(run_line(&program, "--print-completion=bash") == 0 && !*said, "--print-completion=bash");
    ok(strstr(printed, "\ncomplete -F _cm_test cm-test\n"), "it is for this program");
    if (shell("command -v bash", text, sizeof text) != 0) {
        tap_skip("completion works", "no bash");
        return;
    }
    snprintf(path, sizeof path, "unit_option_command.%ld.bash", (long)getpid());
    snprintf(folder, sizeof folder, "unit_option_command.%ld.folder", (long)getpid());
    save(path);
    snprintf(words, sizeof words, "mkdir %s", folder);
    if (shell(words, text, sizeof text) != 0) exit(99);
    completes(path, "cm-test \"\"", "run compare start env help");
    completes(path, "cm-test co", "compare");
    completes(path, "cm-test --", "--color= --quiet --help --version");
    completes(path, "cm-test --color = n", "never");
    completes(path, "cm-test --color never e", "env");
    completes(path, "cm-test --color = never e", "env");
    completes(path, "cm-test -c never -q run --fr", "--fresh");
    completes(path, "cm-test run --", "--profile= --fresh --hosts= --ranks= --help --version");
    completes(path, "cm-test run --profile st", "standard");
    completes(path, "cm-test run --profile = st", "standard");
    completes(path, "cm-test run dir -p f", "full");
    completes(path, "cm-test run --ranks = 1", "");
    completes(path, "cm-test env --pro", "");
    completes(path, "cm-test env \"\"", "");
    completes(path, "cm-test other \"\"", "");
    completes(path, "cm-test help c", "compare");
    completes(path, "cm-test help compare c", "");
    snprintf(words, sizeof words, "cm-test run unit_option_command.%ld", (long)getpid());
    completes(path, words, folder);
    snprintf(words, sizeof words, "cm-test compare %s", path);
    completes(path, words, path);
    snprintf(words, sizeof words, "cm-test compare --output = %s", path);
    completes(path, words, path);
    remove(path);
    rmdir(folder);
}

int main(void)
{
    right_tests();
    wrong_tests();
    table_tests();
    help_tests();
    man_tests();
    completion_tests();
    return tap_done();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: cmrun, the launcher of the native backends: options, then the job. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "comm/environment.h"
#include "launch/host_list.h"
#include "launch/job.h"
#include "launch/proxy.h"
#include "launch/variables.h"
#include "option/option.h"

/* Reads the list of hosts and places the ranks, 0 for one a slot; 0, or an exit status after one
   line. */
static int place(const cm_program *program, const char *text, const char *file, host_list *hosts,
                 int *ranks)
{
    char why[512];
    const char *option = file ? "--hostfile" : "--hosts", *value = file ? file : text;
    int status = file ? host_list_read(file, hosts, why, sizeof why)
                      : host_list_parse(text, hosts, why, sizeof why);
    if (status) {
        cm_option_error(program, "%s %s: %s", option, value, why);
        return status;
    }
    if (*ranks == 0) *ranks = host_list_slots(hosts);
    if (host_list_place(hosts, *ranks)) return 0;
    return cm_option_error(program,
                           "-n %d: %s %s has %d slots; give at most so many ranks, or more "
                           "slots",
                           *ranks, option, value, host_list_slots(hosts));
}

/* On one host the ranks have cmrun's own environment; on several hosts cmrun itself goes by the CM_
   variables that they have. */
static int set_own(char *const *variables, bool several)
{
    for (; *variables; variables++) {
        if (several && strncmp(*variables, "CM_", 3) != 0) continue;
        char *equals = strchr(*variables, '=');
        *equals = '\0';
        int status = setenv(*variables, equals + 1, 1);
        *equals = '=';
        if (status) return CM_EXIT_SYSTEM;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const places[] = {"none", "core", NULL};
    int64_t ranks = 0;
    const char *hosts_text = NULL, *hosts_file = NULL, *launcher = "ssh", *last_variable = NULL;
    bool prefix = false, keep_going = false, print_environment = false;
    int bind = 0, operand;
    double timeout_s = 0, start_timeout_s = -1;
    if (argc == 2 && strcmp(argv[1], "--proxy") == 0) return proxy_run();
    const cm_option options[] = {
        CM_INTEGER("ranks", 'n', "N", &ranks, 1, 65536,
                   "start N ranks; when not given 1, or one for each slot of the hosts"),
        CM_TEXT("hosts", 'H', "HOST[:SLOTS],...", &hosts_text,
                "where to start them: SLOTS ranks (1) on each host, filled in order"),
        CM_TEXT("hostfile", 'f', "FILE", &hosts_file,
                "the same from a file with lines HOST [SLOTS]; # begins a comment"),
        CM_TEXT("launcher", 'l', "COMMAND", &launcher,
                "what reaches another host, called like ssh: COMMAND HOST WHAT-TO-RUN"),
        CM_TEXT("env", 'e', "NAME[=VALUE]", &last_variable,
                "the ranks get this variable, on other hosts too; may be repeated"),
        CM_FLAG("prefix-output", 'p', &prefix, "begin each line of a rank's output with [RANK]"),
        CM_REAL("timeout", 't', "SECONDS", &timeout_s, 0, 1e9,
                "end the job when it is not finished by then; 0 waits for ever"),
        CM_REAL("start-timeout", 0, "SECONDS", &start_timeout_s, 0, 1e9,
                "give a host up that is not ready so long after its launcher was started; when not "
                "given 30, or CM_TIMEOUT_S if that is longer; 0 waits for ever"),
        CM_FLAG("keep-going", 'k', &keep_going,
                "a rank that dies, or a host that is lost, does not end the job"),
        CM_CHOICE(
            "bind", 'b', "PLACE", &bind, places,
            "none, or core: the k-th rank of a host runs on its k-th core, modulo their number"),
        CM_FLAG("print-environment", 0, &print_environment,
                "list the CM_ variables with their values and exit"),
        {CM_OPTION_END, NULL, 0, NULL, NULL, NULL, 0, 0, NULL}};
    const cm_program program = {
        .name = "cmrun",
        .purpose = "Start the ranks of a parallel program.",
        .description =
            "Starts N ranks of PROGRAM, which find each other through cmrun (PMI-1), and waits "
            "for them. Any program will do: one that does not ask for its rank runs N times. Rank "
            "0 gets cmrun's standard input, the others an empty one.\n"
            "\n"
            "With --hosts or --hostfile cmrun starts one copy of itself on each host, by the "
            "launcher, on its own host without. Program, working folder and cmrun must be there "
            "under the same path. Ranks get clustermark's own variables and those of --env, "
            "else what the launcher gives them. More ranks than hosts go round the hosts in turn "
            "when no SLOTS are given. When the connection to a host is lost, its ranks end as all "
            "others do; a host that is silent for CM_TIMEOUT_S counts as lost.\n"
            "\n"
            "Signals INT, TERM, HUP, QUIT, USR1, USR2, TSTP and CONT are passed on to all ranks; "
            "a second INT within one second kills them. When a rank fails, cmrun says so in one "
            "line, sends TERM to the others, after one second KILL, and leaves no process "
            "behind.\n"
            "\n"
            "With --keep-going it says so and goes on; barriers no longer wait for the rank, and "
            "ranks find CM_KEEP_GOING=1 in their environment. A rank that aborts the job ends it "
            "all the same.\n"
            "\n"
            "cmrun exits with 0 when every rank did; else with the status of the first rank that "
            "failed, 128 + S when signal S killed it; 124 after --timeout; 2 when PROGRAM cannot "
            "be run; 3 when a rank left without a word or was stopped for CM_TIMEOUT_S, or a host "
            "cannot be reached or is lost. With --keep-going the status is that of the first rank "
            "to exit with another one than 0 after it had left the job in order, and 0 when there "
            "is none; that of the first failure when no rank did.",
        .operands = "PROGRAM [ARGUMENT]...",
        .examples = "cmrun -n 2 ./program --help\ttwo ranks on this host; --help is the program's\n"
                    "cmrun -n 4 --bind core ./program\tfour ranks, each on a core of its own\n"
                    "cmrun -k -n 4 ./program\twhen a rank dies, three go on\n"
                    "cmrun -n 4 -p hostname\teach line with its rank in front\n"
                    "cmrun --hosts node1:2,node2:2 ./program\tfour ranks on two hosts, over ssh\n"
                    "cmrun -f hosts -l 'ssh -q' ./program\thosts from a file, ssh with an option\n",
        .options = options};
    int status = cm_option_parse(&program, argc, argv, &operand);
    if (status != CM_OPTION_RUN) return status;
    if (print_environment) {
        cm_environment_print();
        return fflush(stdout) == 0 ? CM_EXIT_PASS : CM_EXIT_SYSTEM;
    }
    if (operand >= argc)
        return cm_option_error(&program, "no PROGRAM given; for example: cmrun -n 4 ./program");
    if (hosts_text && hosts_file)
        return cm_option_error(&program, "--hosts %s and --hostfile %s: only one of them is right",
                               hosts_text, hosts_file);
    if (launcher[strspn(launcher, " \t")] == '\0')
        return cm_option_error(&program, "--launcher '%s': right is a command such as ssh",
                               launcher);

    bool several = hosts_text || hosts_file;
    host_list hosts = {0};
    int n = (int)ranks;
    if (several) status = place(&program, hosts_text, hosts_file, &hosts, &n);
    else {
        status = 0;
        n = ranks ? (int)ranks : 1;
    }

    /* The ranks' side goes by this; one that was left over from elsewhere would be a lie. */
    if (keep_going) setenv("CM_KEEP_GOING", "1", 1);
    else unsetenv("CM_KEEP_GOING");
    const char *wrong = NULL, **named = variables_option(options, "env", operand, argv);
    char **variables = !status && named ? variables_collect(named, &wrong) : NULL;
    if (!status && wrong)
        status = cm_option_error(&program,
                                 "--env %s: no such variable is set; right is the name of "
                                 "one that is, or NAME=VALUE",
                                 wrong);
    else if (!status && (!variables || set_own(variables, several))) {
        fprintf(stderr, "cmrun: out of memory\n");
        status = CM_EXIT_SYSTEM;
    }
    cm_environment environment = {0};
    if (!status) status = cm_environment_read(&environment);
    if (start_timeout_s < 0) start_timeout_s = fmax(30, environment.timeout_s);
    if (!status) {
        const job_plan plan = {.ranks = n,
                               .argv = argv + operand,
                               .bind = bind == 1,
                               .prefix = prefix,
                               .keep_going = keep_going,
                               .timeout_s = timeout_s,
                               .stopped_s = environment.timeout_s,
                               .hosts = several ? &hosts : NULL,
                               .launcher = launcher,
                               .variables = (const char *const *)variables,
                               .lost_after_s = environment.timeout_s,
                               .start_timeout_s = start_timeout_s > 0 ? start_timeout_s : INFINITY};
        status = job_run(&plan);
    }
    variables_free(variables);
    free(named);
    host_list_free(&hosts);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: cmrun, the launcher of the native backends: options, then the job. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/exit.h"
#include "base/environment.h"
#include "launch/check.h"
#include "launch/host_choice.h"
#include "launch/job.h"
#include "launch/launcher.h"
#include "launch/proxy.h"
#include "launch/tree.h"
#include "launch/variables.h"
#include "option/option.h"

/* On one host the ranks inherit cmrun's environment. On several hosts cmrun itself uses the CM_
   variables that the ranks get. */
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
    host_choice choice = {0};
    const char *launcher = NULL, *last_variable = NULL;
    bool prefix = false, keep_going = false, print_environment = false, check = false;
    int64_t fan_out = TREE_FAN_OUT;
    int bind = 0, operand;
    double timeout_s = 0, start_timeout_s = -1;
    if (argc == 2 && strcmp(argv[1], "--proxy") == 0) return proxy_run(false);
    if (argc == 2 && strcmp(argv[1], "--proxy-of-step") == 0) return proxy_run(true);
    if (argc == 2 && strcmp(argv[1], "--check-host") == 0) return check_host();
    const cm_option options[] = {
        CM_INTEGER("ranks", 'n', "N", &ranks, 1, 65536,
                   "start N ranks (default 1, or one for each slot of the hosts)"),
        CM_TEXT("hosts", 'H', "HOST[:SLOTS],...", &choice.hosts,
                "start ranks on these hosts, SLOTS (default 1) on each, filled in order; "
                "n[01-16,20] stands for 17 hosts"),
        CM_TEXT("hostfile", 'f', "FILE", &choice.hostfile,
                "read the hosts from FILE, with lines HOST, HOST SLOTS, HOST:SLOTS or HOST "
                "slots=SLOTS; # begins a comment"),
        CM_TEXT("per-host", 0, "N", &choice.per_host,
                "give every host N slots, whatever the list of hosts says; cores or sockets: as "
                "many as it has"),
        CM_TEXT(
            "rsh", 'l', "COMMAND", &launcher,
            "start programs on other hosts by COMMAND, called like ssh: COMMAND HOST PROGRAM...; "
            "default: ssh, or srun for the hosts of a Slurm job"),
        CM_RENAMED("launcher", "rsh"),
        CM_INTEGER("fan-out", 0, "N", &fan_out, TREE_FAN_OUT_LEAST, TREE_FAN_OUT_MOST,
                   "reach at most N hosts from any one host; the hosts reached first reach the "
                   "others (default 32)"),
        CM_TEXT("env", 'e', "NAME[=VALUE]", &last_variable,
                "set this variable for the ranks on all hosts; may be repeated"),
        CM_FLAG("prefix-output", 'p', &prefix, "begin each line of a rank's output with [RANK]"),
        CM_REAL("timeout", 't', "SECONDS", &timeout_s, 0, 1e9,
                "end the job if it is not finished after SECONDS; 0 means no limit"),
        CM_REAL(
            "start-timeout", 0, "SECONDS", &start_timeout_s, 0, 1e9,
            "give up a host that is not ready SECONDS after its launcher was started (default 30, "
            "or CM_TIMEOUT_S if that is longer); 0 means no limit"),
        CM_FLAG("keep-going", 'k', &keep_going, "go on when a rank dies or a host is lost"),
        CM_CHOICE(
            "bind", 'b', "PLACE", &bind, places,
            "bind ranks: none, or core (the k-th rank on a host, or on hosts that share a kernel, "
            "runs on core k modulo the cores)"),
        CM_FLAG("check", 0, &check,
                "start no program: connect every pair of hosts once, and tell what would fail: "
                "hosts, networks, ports, limits, versions, PATH, names, clocks"),
        CM_FLAG("print-environment", 0, &print_environment,
                "list the CM_ variables with their values and exit"),
        {CM_OPTION_END, NULL, 0, NULL, NULL, NULL, 0, 0, NULL}};
    const cm_program program = {
        .name = "cmrun",
        .purpose = "Start the ranks of a parallel program.",
        .description =
            "Starts N ranks of PROGRAM and waits for them. The ranks find each other through cmrun "
            "(PMI-1). Any program can be run; one that does not use PMI simply runs N times. Rank "
            "0 reads cmrun's standard input; the standard input of all other ranks is empty.\n"
            "\n"
            "With --hosts or --hostfile, cmrun starts a copy of itself on each host through the "
            "launcher; its own host needs none. If there are more than 32 hosts (--fan-out), the "
            "copies start further ones. PROGRAM, the working folder and cmrun must have "
            "the same path on all hosts. Ranks get clustermark's own variables, those of --env, "
            "and what the launcher provides. If no SLOTS are given and there are more ranks than "
            "hosts, the ranks go round the hosts in turn. When the connection to a host is lost, "
            "its ranks end too. A host that is silent for CM_TIMEOUT_S counts as lost.\n"
            "\n"
            "In a job of Slurm, PBS, LSF, Grid Engine, OAR, Cobalt or Flux, the default is the "
            "hosts of that job; --hosts "
            "localhost keeps the ranks on this host.\n"
            "\n"
            "Signals INT, TERM, HUP, QUIT, USR1, USR2, TSTP and CONT are passed on to all ranks; "
            "a second INT within one second kills them. When a rank fails, cmrun prints one line, "
            "sends TERM to the other ranks and KILL one second later, and leaves no process "
            "behind.\n"
            "\n"
            "With --check, cmrun starts no PROGRAM. Every pair of hosts connects once in each "
            "direction, at the ports of CM_PORTS. A table has each host's version, limits (open "
            "files, locked memory, processes, net.core.somaxconn), clock and network. Lines that "
            "begin with FAIL name what would fail: a host that is silent or cannot be reached, a "
            "pair that does not connect, another version, a limit that is too low, a PROGRAM "
            "(default cm-netpipe) that is not in PATH. Lines that begin with note name what need "
            "not. The status is 0 if nothing would fail, 1 if something would, and 3 if no host "
            "could be looked at.\n"
            "\n"
            "With --keep-going, cmrun prints that line and the job goes on. Barriers no longer "
            "wait for the failed rank. The ranks find CM_KEEP_GOING=1 in their environment. A rank "
            "that aborts the job still ends it.\n"
            "\n"
            "cmrun exits with 0 if all ranks exited with 0, otherwise with the status of the first "
            "rank that failed, or 128 + S if signal S killed that rank. It exits with 124 after "
            "--timeout; with 2 if PROGRAM cannot be run; with 3 if a rank ended without leaving "
            "the job or was stopped for CM_TIMEOUT_S, or if a host cannot be reached or is lost. "
            "With --keep-going, only ranks that left the job count: cmrun exits with the first "
            "nonzero status among them, or 0. If no rank left the job, it exits with the status of "
            "the first failure.",
        .operands = "PROGRAM [ARGUMENT]...",
        .examples = "cmrun -n 2 ./program --help\ttwo ranks on this host; the program gets --help\n"
                    "cmrun -n 4 --bind core ./program\tfour ranks, each on a core of its own\n"
                    "cmrun -k -n 4 ./program\tif a rank dies, the other three go on\n"
                    "cmrun -n 4 -p hostname\teach line of output begins with its rank\n"
                    "cmrun --hosts node1:2,node2:2 ./program\tfour ranks on two hosts, over ssh\n"
                    "cmrun -f hosts -l 'ssh -q' ./program\thosts from a file, ssh with an option\n"
                    "cmrun --check -f hosts ./program\twould it run there?\n",
        .options = options};
    const int parsed = cm_option_parse(&program, argc, argv, &operand);
    if (parsed != CM_OPTION_RUN) return parsed;
    cm_environment environment = {0};
    if (print_environment) {
        const int wrong_value = cm_environment_read(&environment);
        cm_environment_print();
        return fflush(stdout) == 0 ? wrong_value : CM_EXIT_SYSTEM;
    }
    if (operand >= argc && !check)
        return cm_option_error(&program, "no PROGRAM given; for example: cmrun -n 4 ./program");
    if (choice.hosts && choice.hostfile)
        return cm_option_error(&program, "--hosts %s and --hostfile %s: expected only one of them",
                               choice.hosts, choice.hostfile);
    if (launcher && launcher[strspn(launcher, " \t")] == '\0')
        return cm_option_error(&program, "--rsh '%s': expected a command such as ssh", launcher);

    bool several, step;
    per_host_kind per_host;
    host_list hosts;
    int n = (int)ranks;
    int status = host_choose(&program, &choice, &hosts, &several, &n, &per_host, &launcher, &step);
    if (!status && check && hosts.n == 0)
        status = cm_option_error(&program, "--check needs hosts: give --hosts or --hostfile, or "
                                           "start it in a batch job");

    /* The ranks act on this variable. A value left over from the caller's environment would be
       wrong. */
    if (keep_going) setenv("CM_KEEP_GOING", "1", 1);
    else unsetenv("CM_KEEP_GOING");
    const char *wrong = NULL, **named = variables_option(options, "env", operand, argv);
    char **variables = !status && named ? variables_collect(named, &wrong) : NULL;
    if (!status && wrong)
        status = cm_option_error(&program,
                                 "--env %s: this variable is not set; expected the name of a "
                                 "variable that is set, or NAME=VALUE",
                                 wrong);
    else if (!status && (!variables || set_own(variables, several))) {
        fprintf(stderr, "cmrun: out of memory\n");
        status = CM_EXIT_SYSTEM;
    }
    if (!status) status = cm_environment_read(&environment);
    if (!status && !variables_rename(variables)) {
        fprintf(stderr, "cmrun: out of memory\n");
        status = CM_EXIT_SYSTEM;
    }
    if (start_timeout_s < 0) start_timeout_s = fmax(30, environment.timeout_s);
    if (!status && check) {
        const cm_ports ports = environment.ports;
        const check_plan plan = {.hosts = &hosts,
                                 .launcher = step ? LAUNCHER_SRUN : launcher,
                                 .program = operand < argc ? argv[operand] : "cm-netpipe",
                                 .variables = (const char *const *)variables,
                                 .ranks = n,
                                 .ports = ports.low ? ports.high - ports.low + 1 : 0,
                                 .fan_out = (int)fan_out,
                                 .start_limit_s = start_timeout_s > 0 ? start_timeout_s : INFINITY,
                                 .timeout_s = timeout_s > 0 ? timeout_s : INFINITY};
        status = check_run(&plan);
    } else if (!status) {
        const job_plan plan = {.ranks = n,
                               .argv = argv + operand,
                               .bind = bind == 1,
                               .prefix = prefix,
                               .keep_going = keep_going,
                               .timeout_s = timeout_s,
                               .stopped_s = environment.timeout_s,
                               .hosts = several ? &hosts : NULL,
                               .launcher = launcher,
                               .step = step,
                               .fan_out = (int)fan_out,
                               .per_host = per_host,
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

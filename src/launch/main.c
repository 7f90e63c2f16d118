/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: cmrun, the launcher of the native backends: options, then the job. */
#include "config.h"
#include <stdio.h>
#include "comm/backend.h"
#include "launch/job.h"
#include "option/option.h"

int main(int argc, char **argv)
{
    static const char *const places[] = {"none", "core", NULL};
    int64_t ranks = 1;
    bool prefix = false, print_environment = false;
    int bind = 0, operand;
    double timeout_s = 0;
    const cm_option options[] = {
        {CM_OPTION_INTEGER, "ranks", 'n', "N", &ranks, "start N ranks", 1, 65536, NULL},
        {CM_OPTION_FLAG, "prefix-output", 'p', NULL, &prefix,
         "begin each line of a rank's output with [RANK]", 0, 0, NULL},
        {CM_OPTION_REAL, "timeout", 't', "SECONDS", &timeout_s,
         "end the job when it is not finished by then; 0 waits for ever", 0, 1e9, NULL},
        {CM_OPTION_CHOICE, "bind", 'b', "PLACE", &bind,
         "none, or core: rank k runs on core k, modulo the number of cores", 0, 0, places},
        {CM_OPTION_FLAG, "print-environment", 0, NULL, &print_environment,
         "list the CM_ variables with their values and exit", 0, 0, NULL},
        {CM_OPTION_END, NULL, 0, NULL, NULL, NULL, 0, 0, NULL}
    };
    const cm_program program = {
        .name = "cmrun",
        .purpose = "Start the ranks of a parallel program on this host.",
        .description =
            "Starts N ranks of PROGRAM, which find each other through cmrun (PMI-1), and waits "
            "for them. Any program will do: one that does not ask for its rank runs N times. Rank "
            "0 gets cmrun's standard input, the others an empty one.\n"
            "\n"
            "Signals INT, TERM, HUP, QUIT, USR1, USR2, TSTP and CONT are passed on to all ranks; "
            "a second INT within one second kills them. When a rank fails, cmrun says so in one "
            "line, sends TERM to the others, after one second KILL, and leaves no process "
            "behind.\n"
            "\n"
            "cmrun exits with 0 when every rank did; else with the status of the first rank that "
            "failed, 128 + S when signal S killed it; 124 after --timeout; 2 when PROGRAM cannot "
            "be run; 3 when a rank left without a word.",
        .operands = "PROGRAM [ARGUMENT]...",
        .examples =
            "cmrun -n 2 ./program --help\ttwo ranks on this host; --help is the program's\n"
            "cmrun -n 4 --bind core ./program\tfour ranks, each on a core of its own\n"
            "cmrun -n 4 -p hostname\teach line with its rank in front\n",
        .options = options
    };
    int status = cm_option_parse(&program, argc, argv, &operand);
    if (status != CM_OPTION_RUN) return status;
    if (print_environment) {
        cm_environment_print();
        return fflush(stdout) == 0 ? CM_EXIT_PASS : CM_EXIT_SYSTEM;
    }
    if (operand >= argc)
        return cm_option_error(&program, "no PROGRAM given; for example: cmrun -n 4 ./program");
    const job_plan plan = {.ranks = (int)ranks, .argv = argv + operand, .bind = bind == 1,
                           .prefix = prefix, .timeout_s = timeout_s};
    return job_run(&plan);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* commands.h: the commands of clustermark. Each file command_NAME.c has a command's options, help
   and operands; what it does is in a room of its own. */
#ifndef SUITE_COMMANDS_H
#define SUITE_COMMANDS_H

#include "common/home.h"
#include "option/option.h"
#include "run/run.h"

typedef struct {
    cm_program program;
    /* Checks what goes beyond one option's range, and does it. Called with the operands, when the
       options are parsed. Returns the exit status. */
    int (*work)(const cm_program *program, const suite_home *home, int n, char **operand);
} suite_command;

extern const suite_command suite_command_run, suite_command_nodes, suite_command_figures,
    suite_command_report, suite_command_compare, suite_command_export, suite_command_places,
    suite_command_machine, suite_command_env, suite_command_baseline, suite_command_history,
    suite_command_seal, suite_command_verify;

/* command.c: for a command with one operand DIR, which may be missing if *dir has a default. Sets
   *dir and returns CM_OPTION_RUN, or prints one line and returns the exit status. */
int suite_command_dir(const cm_program *program, int n, char **operand, const char **dir);
extern const cm_option suite_no_options[];

/* command_run.c: of the commands that start programs: where these run, and what was given. */
extern const cm_option suite_where_options[];
extern suite_run_options suite_run_given;
/* The same file, for run and nodes: the history that the result is held against. */
typedef struct {
    const char *dir;     /* NULL: none */
    double loss_percent; /* 0: not given */
} suite_against;
extern const cm_option suite_against_options[];
extern suite_against suite_against_given;
/* Sets what was not given. Returns 0, or prints one line and returns the exit status. */
int suite_against_check(const char *command, suite_against *against);
/* command_figures.c: a second folder of results to be shown with DIR's; NULL: none. */
extern const cm_option suite_beside_options[];
extern const char *suite_beside_given;

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* check.h: `cmrun --check`: what would go wrong on these hosts, before any program starts there.
   cmrun starts itself on each host through the launcher; every pair of hosts connects once in each
   direction; a table and one line for each fault follow. */
#ifndef CM_LAUNCH_CHECK_H
#define CM_LAUNCH_CHECK_H

#include "launch/host_list.h"

typedef struct {
    const host_list *hosts;
    const char *launcher;         /* words separated by blanks; HOST and COMMAND are appended */
    const char *program;          /* must be found on each host */
    const char *const *variables; /* NULL-terminated: NAME=VALUE for the hosts */
    int ranks, ports;             /* ports: of CM_PORTS; 0: any */
    int fan_out;                  /* so many launchers start at a time */
    double start_limit_s;         /* for a host to answer; may be infinite */
    double timeout_s;             /* for any answer of a host; may be infinite */
} check_plan;

/* Prints the table and what is wrong on stdout. Returns CM_EXIT_PASS, CM_EXIT_WRONG if a job would
   fail, or, with one line on stderr, CM_EXIT_SYSTEM if nothing could be looked at. */
int check_run(const check_plan *plan);

/* cmrun's part on a host: answers check_run, on stdin and stdout. Returns an exit status. */
int check_host(void);

#endif

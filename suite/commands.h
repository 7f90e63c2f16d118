/* SPDX-License-Identifier: BSD-3-Clause */
/* commands.h: the commands of clustermark. Each returns the exit status. */
#ifndef SUITE_COMMANDS_H
#define SUITE_COMMANDS_H

#include "compare.h"
#include "home.h"
#include "price.h"
#include "run.h"

/* command_run.c: runs the benchmarks of the table; results go to dir. */
int suite_command_run(const suite_home *home, const suite_run_options *options, const char *dir);

/* command_nodes.c: runs cm-nodes, says what stands out, writes dir/nodes.html. */
int suite_command_nodes(const suite_home *home, const suite_run_options *options, const char *dir);

/* command_figures.c: draws all figures of the results in dir. beside: a second folder of results to
   be shown with them; NULL: none. */
int suite_command_figures(const suite_home *home, const char *dir, const char *beside);

/* command_report.c: writes dir/report.html. */
typedef struct {
    const char *beside; /* a further folder, for figures and papers; NULL: none */
    const char *other;  /* the same, and compared with dir's results in dir/compare.html; NULL */
    suite_price price;  /* of the hosts; its amount is 0 if it is not known */
    bool open;          /* the page, when it is written */
} suite_report_options;
int suite_command_report(const suite_home *home, const suite_report_options *options,
                         const char *dir);

/* command_compare.c: compares the results at path[1] to path[n - 1] with that at path[0]; if run
   says so, those that the builds path[0] and path[1] measure first, in turns, into path[2]. */
int suite_command_compare(const suite_home *home, const suite_compare_options *options,
                          const suite_compare_run *run, int n, char *const *path);

/* command_export.c: writes the results in dir in another form. */
extern const char *const suite_export_names[], *const suite_export_better[]; /* NULL-terminated */
typedef struct {
    int to, better; /* index into these; -1: not given */
    bool reference; /* instead of to: lines of references.tab */
    const char *output;
    bool force;
} suite_export_options;
int suite_command_export(const suite_home *home, const suite_export_options *options,
                         const char *dir);

/* command_places.c: lists the simulated clusters. */
int suite_command_places(const suite_home *home);

/* command_machine.c: prints the model of this computer, or of the node whose files are in root. */
typedef struct {
    const char *root; /* NULL: this computer */
    bool json, sysfs; /* sysfs: read the kernel's files, although hwloc is there */
} suite_machine_options;
int suite_command_machine(const suite_machine_options *options);

/* command_env.c: what this installation was built for, and the CM_ variables in force. */
int suite_command_env(const suite_home *home);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* command_env.c: `clustermark env`. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "base/environment.h"
#include "commands.h"
#include "common/memory.h"
#include "launch/host_list.h"
#include "figures/draw.h"
#include "places/launcher.h"

static void print_gnuplot(void)
{
    char version[128] = "not there: reports have no figures\n";
    FILE *pipe = suite_draw_possible() ? popen("gnuplot --version 2>/dev/null", "r") : NULL;
    if (pipe) {
        if (!fgets(version, sizeof version, pipe)) strcpy(version, "does not run\n");
        pclose(pipe);
    }
    printf("gnuplot   %s", version);
}

/* Prints the launchers that --launcher may name here. */
static void print_named(const suite_home *home, suite_children *children)
{
    char *names = suite_launcher_all_there(home, children);
    printf("others    %s (--launcher NAME)\n", *names ? names : "none");
    free(names);
}

/* The line of the hosts of the batch job in which this runs; empty: none. The caller frees. */
static char *hosts_line(void)
{
    const char *variable = NULL;
    char why[512];
    host_list list = {0};
    const int status = host_list_allocated(&list, &variable, why, sizeof why);
    const char *value = variable ? getenv(variable) : NULL;
    char *line = !variable ? suite_copy("")
                 : status
                     ? suite_text("hosts     %s %s\n", variable, why)
                     : suite_text("hosts     %d, of %s=%s\n", list.n, variable, value ? value : "");
    host_list_free(&list);
    return line;
}

static int work(const cm_program *program, const suite_home *home, int n, char **operand)
{
    (void)program, (void)n, (void)operand;
    cm_environment environment;
    suite_launcher launcher;
    suite_children children;
    /* First, while INT and TERM still end this: a file of hosts may be a pipe or hang. */
    char *hosts = hosts_line();
    if (!suite_children_open(&children)) {
        free(hosts);
        return CM_EXIT_SYSTEM;
    }
    suite_launcher_find(home, NULL, &children, &launcher);
    char *words = suite_launcher_text(&launcher);
    const char *note = launcher.problem ? launcher.problem : launcher.remark;
    printf("version   %s\nbackend   %s\nlauncher  %s", PACKAGE_VERSION, CM_COMM, words);
    if (note) printf(" (%s)", note);
    putchar('\n');
    print_named(home, &children);
    suite_children_close(&children);
    fputs(hosts, stdout);
    free(hosts);
    print_gnuplot();
    putchar('\n');
    fflush(stdout);
    free(words);
    suite_launcher_free(&launcher);
    int status = cm_environment_read(&environment);
    cm_environment_print();
    return status;
}

const suite_command suite_command_env = {
    .program =
        {
            .name = "clustermark env",
            .purpose = "Show what this installation was built for, and the CM_ variables in force.",
            .options = suite_no_options,
        },
    .work = work,
};

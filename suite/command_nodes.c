/* SPDX-License-Identifier: BSD-3-Clause */
/* command_nodes.c: `clustermark nodes`: runs cm-nodes, says what stands out and makes a page. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "commands.h"
#include "draw.h"
#include "folder.h"
#include "nodes_page.h"
#include "say.h"

/* DIR/nodes-nodes.svg, if gnuplot is there. */
static void draw(const suite_home *home, const char *dir)
{
    static const char *const kinds[] = {"svg", NULL};
    static const suite_beside none = {0};
    suite_table table;
    suite_children children;
    char *whole = realpath(dir, NULL);
    if (whole && suite_draw_possible() && suite_table_read(home, &table)) {
        if (suite_children_open(&children)) {
            suite_draw_all(&children, home, &table, whole, &none, kinds);
            suite_children_close(&children);
        }
        suite_table_free(&table);
    }
    free(whole);
}

/* What the hosts counted of errors and throttling, or that nothing moved. */
static void print_counters(const cm_record *record)
{
    static const char begin[] = "counters: ";
    for (size_t c = 0; c < record->n_comments; c++)
        if (strncmp(record->comment[c], begin, strlen(begin)) == 0) puts(record->comment[c]);
}

/* Findings on stdout, then the page's path. */
static int show(const suite_home *home, const char *dir)
{
    char *result = suite_folder_path(dir, "nodes", "txt"), why[1024];
    char *page = suite_folder_path(dir, "nodes", "html");
    cm_record record;
    const char *text;
    int status = CM_EXIT_SYSTEM;
    if (!cm_record_read(result, &record, why, sizeof why)) suite_say("nodes: %s", why);
    else {
        draw(home, dir);
        if (!suite_nodes_finding(&record, 0)) puts("no host and no pair of hosts stands out");
        for (size_t k = 0; (text = suite_nodes_finding(&record, k)); k++) puts(text);
        if ((text = suite_nodes_disturbed(&record))) puts(text);
        print_counters(&record);
        if (suite_nodes_page(home, &record, page, NULL)) {
            puts(page);
            status = CM_EXIT_PASS;
        }
        cm_record_free(&record);
    }
    free(result);
    free(page);
    return status;
}

int suite_command_nodes(const suite_home *home, const suite_run_options *options, const char *dir)
{
    suite_run_options nodes = *options;
    if (nodes.place && !suite_virtual_is(nodes.place))
        return suite_fail(CM_EXIT_USAGE, "nodes: --place %s: expected virtual:HOSTS", nodes.place);
    nodes.only = "nodes";
    nodes.launches = 1;
    nodes.fresh = nodes.alone = true;
    nodes.profile = SUITE_STANDARD;
    int status = suite_command_run(home, &nodes, dir);
    if (status != CM_EXIT_PASS && status != CM_EXIT_WRONG) return status;
    int shown = show(home, dir);
    return shown ? shown : status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h: the parts of the report's page, one a file. */
#ifndef SUITE_PAGE_H
#define SUITE_PAGE_H

#include <stdbool.h>
#include <stdio.h>
#include "answer.h"
#include "beside.h"
#include "cross.h"
#include "folder.h"
#include "home.h"
#include "items.h"
#include "metrics.h"
#include "place.h"
#include "price.h"
#include "reproduce.h"
#include "table.h"

typedef struct {
    FILE *out;
    const suite_home *home;
    const suite_table *table;
    const suite_place *place; /* its name is NULL: the hosts are no simulated cluster */
    const suite_beside *beside;
    const suite_price *price; /* its amount is 0: not known */
    const char *dir;
    bool drawn;
    char *style;            /* of suite/style.css */
    suite_entry *entry;     /* of each run of the table */
    const cm_record *first; /* describes the machine; NULL: no run ended */
    suite_shown shown;
    suite_items items;
    suite_places places; /* all there are */
    suite_side side[2];  /* whose results answer to the papers: these, and those beside them */
    size_t n_sides;
    suite_results seen_from_beside; /* the results of the second side */
    char **own_name;                /* beside/NAME there */
    suite_agreements agreements;
    suite_crosses crosses;
    suite_metrics metrics;
} suite_page;

/* page_head.c: up to <main>. */
void page_head(suite_page *page);
/* page_shapes.c: how much of the hosts the runs used, and how much one of them did; nothing if the
   results do not say. */
void page_shapes(suite_page *page);
void page_shape_of(suite_page *page, size_t run);
/* page_hosts.c: in what the hosts differ; nothing if they do not. */
void page_hosts(suite_page *page);
/* page_verdicts.c: every RESULT of every run, and what was not run. */
void page_verdicts(suite_page *page);
/* page_disturbed.c: the line of the verdicts that says how much was disturbed, and the section that
   says what, and why; nothing if nothing was. */
void page_disturbed_line(const suite_page *page);
void page_disturbed(const suite_page *page);
/* page_sides.c: whose results answer to the papers. */
void page_sides_open(suite_page *page);
void page_sides_close(suite_page *page);
/* page_place.c: the paper's numbers beside those of the simulated cluster, and likewise if that
   stands beside. The check returns true, or prints one line: a place names an item that no paper
   has. */
bool page_place_check(const suite_page *page);
void page_place(suite_page *page);
void page_beside(suite_page *page);
/* page_cross.c: the line of the verdicts that some cross-checks disagree, and all of them. */
void page_cross_line(suite_page *page);
void page_cross(suite_page *page);
/* page_rates.c: the headlines for energy and money; nothing without energy and price. */
void page_rates(suite_page *page);
/* page_benchmark.c: the section of the run table->run[run]. */
void page_benchmark(suite_page *page, size_t run);
/* page_figures.c: the figures of that run, and what their bars and marks are; one of them,
   DIR/ID.svg by the script FIGURE. */
void page_figures(suite_page *page, const suite_run *run, const cm_record *record);
void page_figure(suite_page *page, const suite_run *run, const char *figure, const char *id);
/* At the end of a page: what makes figures answer to the mouse. They are whole without it. */
void page_figures_script(FILE *out, const suite_home *home);
/* page_together.c: the figures of several results; nothing if there are none. */
void page_together(suite_page *page);
/* page_result.c: checks, fits, winners; then metadata and rows. */
void page_result_answers(suite_page *page, const cm_record *record);
void page_result_rows(suite_page *page, const char *name, const cm_record *record);
/* page_papers.c: the numbers that stand under a benchmark's heading, and the index of all items. */
void page_papers_of(suite_page *page, const char *bench);
void page_papers(suite_page *page);
/* papers_table.c: the same for programs, in DIR/papers.tsv. Returns true, or prints one line and
   returns false. */
bool page_papers_table(const suite_page *page);
/* page_machine.c: metadata, of the machine or of how it was measured; the machine; the end. */
void page_metadata(suite_page *page, const cm_record *record, bool machine, const char *caption);
void page_machine(suite_page *page);
void page_foot(suite_page *page);

#endif

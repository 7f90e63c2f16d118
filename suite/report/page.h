/* SPDX-License-Identifier: BSD-3-Clause */
/* page.h: the parts of the report's page, one a file. */
#ifndef SUITE_PAGE_H
#define SUITE_PAGE_H

#include <stdbool.h>
#include <stdio.h>
#include "papers/answer.h"
#include "backends.h"
#include "places/beside.h"
#include "compare/compare.h"
#include "papers/cross.h"
#include "results/folder.h"
#include "common/home.h"
#include "papers/items.h"
#include "results/metrics.h"
#include "places/place.h"
#include "common/price.h"
#include "reference.h"
#include "reproduce.h"
#include "common/table.h"

typedef struct {
    FILE *out;
    const suite_home *home;
    const suite_table *table;
    const suite_place *place; /* its name is NULL: the hosts are no simulated cluster */
    const suite_beside *beside;
    const suite_price *price;       /* its amount is 0: not known */
    bool alone;                     /* the page goes elsewhere: no links to files beside it */
    const comparison *compared;     /* with other results; NULL: with none */
    const suite_backends *backends; /* NULL: the results are of one backend */
    const char *dir;                /* of the results */
    const char *folder;             /* of the page */
    char *below;                    /* "" or "mpi/": from the page to the results */
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
    suite_references references;
} suite_page;

/* page_head.c: up to <main>, with the contents. */
void page_head(suite_page *page);
/* page_head.c: what was measured where, over what, and when. */
void page_about(suite_page *page);
/* page_tiles.c: the first screen: a sentence, six tiles, and the warnings of page_warnings.c. */
void page_tiles(suite_page *page);
void page_warnings(suite_page *page);
/* page_shapes.c: how much of the hosts the runs used; nothing if the results do not say. How much
   one of them did; NULL: it has no result, or one of an earlier version. */
void page_shapes(suite_page *page);
const char *page_shape_of(const suite_page *page, size_t run);
/* page_hosts.c: the differences between hosts; nothing if they do not differ. */
void page_hosts(suite_page *page);
/* page_links.c: the other pages of the folder; nothing if there are none. */
void page_links(const suite_page *page);
/* page_compared.c: the values of another folder beside these, and what compare judges of them;
   nothing without one. */
void page_compared(const suite_page *page);
/* page_backends.c: what was measured over several backends, together; nothing with one. */
void page_backends(suite_page *page);
/* page_hosts_table.c: all hosts, those that are alike in one row; nothing if there is one. */
bool page_has_hosts_table(const suite_page *page);

/* page_hosts_stream.c: what all ranks of each host have of its memory by cm-stream's result (of its
   JSON), in MB/s: the median triad of the faster stores. NAN where the result does not say, or is
   NULL. The ratios are to the median of them. The caller frees both. */
double *page_hosts_stream(const cm_record *stream, const cm_record *hosts);
double *page_hosts_ratios(const double *value, size_t n);
void page_hosts_table(suite_page *page);
/* page_contents.c: links to all parts of the page; the parts with the benchmarks. */
void page_contents(const suite_page *page);
void page_groups(suite_page *page);
/* page_measured.c: how to read the numbers, cross-checks, disturbance, the machine. */
void page_measured(suite_page *page);
/* page_value.c: prints a number with the digits of suite_digits_of and all of them in its tooltip:
   from a text, which may be no number, or a metric's value with its unit, and its interval. An
   interval that is no 95 % interval but a range has a mark. */
void page_number(FILE *out, const char *text);
void page_value(FILE *out, const cm_record_metric *metric);
bool page_is_range(const cm_record_metric *metric);
void page_interval(FILE *out, const cm_record *record, const cm_record_metric *metric);
/* page_numbers.c: the three metrics of a run that say most; all of them, folded. */
void page_three(suite_page *page, const suite_run *run, const cm_record *record);
void page_numbers(suite_page *page, const suite_run *run, const cm_record *record);
/* page_matrix.c: the run's matrix. Returns false if it has none, or the result no such rows. */
bool page_matrix(suite_page *page, const suite_run *run, const cm_record *record);
/* page_distances.c: a table for each host of cm-netpipe --distances. Returns false for another
   result. */
bool page_distances(suite_page *page, const cm_record *record);
/* page_headlines.c: a line for each run: is its answer right, its headline, or why it was not
   run. */
void page_headlines(suite_page *page);
/* The metric of that line: one that is FAIL; the headline; of a run without one, as a further shape
   is, its program's, or its first metric. */
const cm_record_metric *page_headline(const suite_page *page, const suite_run *run,
                                      const cm_record *record);
/* page_disturbed.c: the line above the headlines that says how much was disturbed, and the section
   that says what, and why; nothing if nothing was. */
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
/* page_cross.c: the line above the headlines that some cross-checks disagree, and all of them. */
void page_cross_line(suite_page *page);
void page_cross(suite_page *page);
/* page_rates.c: the headlines for energy and money; nothing without energy and price. */
void page_rates(suite_page *page);
/* page_benchmark.c: prints the section of the run table->run[run]. */
void page_benchmark(suite_page *page, size_t run);
/* page_figures.c: that run's figures from one to before another; one of them, DIR/ID.svg by the
   script FIGURE; and one of no run, by a script of the suite. */
void page_figures(suite_page *page, const suite_run *run, size_t from, size_t to);
void page_figure(suite_page *page, const suite_run *run, const char *figure, const char *id);
void page_figure_of_suite(suite_page *page, const char *figure, const char *title);
/* page_together.c: the figures of several results; nothing if there are none. */
void page_together(suite_page *page);
/* page_result.c: checks, fits, winners; then metadata and rows. */
void page_result_answers(suite_page *page, const char *name, const cm_record *record);
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

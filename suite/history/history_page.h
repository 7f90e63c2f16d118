/* SPDX-License-Identifier: BSD-3-Clause */
/* history_page.h: the parts of the page of `clustermark history`, each in a file of its own. */
#ifndef SUITE_HISTORY_PAGE_H
#define SUITE_HISTORY_PAGE_H

#include <stdio.h>
#include "common/unit.h"
#include "history.h"

typedef struct {
    FILE *out;
    const history *all;
    char *const *link; /* of each kept result its report; NULL: there is none */
} history_view;

/* history_page_steps.c: a row for each step, for many hosts with the same one together: of steps
   that stay worse, or of all others. Writes nothing if there are none. */
void history_write_steps(const history_view *v, bool stays);

/* history_page_first.c: is the cluster what it was, and which host is not? */
void history_write_first(const history_view *v);

/* history_page_lines.c: the headlines in a table, and each over time. */
void history_write_headlines(const history_view *v);
void history_write_lines(const history_view *v);
/* In the order of the page: what is worse first, then what has steps. The caller frees. */
const history_line **history_lines_in_order(const history *all);

/* history_page_hosts.c: the hosts that differ, then all others. */
void history_write_hosts(const history_view *v);
/* Returns whether hosts have anything to show. */
bool history_has_hosts(const history *all);

/* history_page_words.c: "4.9 % lower (4.1 to 5.8 %)". */
void history_write_factor(FILE *out, const cm_rank_factor *factor);
/* The class of its words. */
const char *history_way(const history_step *step);
/* The day of the kept result of a point, as history_day has it. */
const char *history_day_of(const history *all, const history_line *line, size_t point);

/* The names of n hosts, of which at most `most` are written, in the order of the results; and of
   all that do not differ, *n. The caller frees. */
char *history_host_names(const history_host *const *host, size_t n, size_t most);
char *history_names_alike(const history *all, size_t most, size_t *n);

#endif

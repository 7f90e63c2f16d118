/* SPDX-License-Identifier: BSD-3-Clause */
/* history_page.c: the page of `clustermark history`: whether the cluster is what it was, then what
   changed, the headlines over time, the hosts and the results. */
#include "config.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "common/say.h"
#include "figures/svg.h"
#include "results/folder.h"
#include "history_page.h"
#include "pages.h"

/* ---- The parts ------------------------------------------------------------------------------- */

static void head(const history_view *v, const char *style)
{
    const history *all = v->all;
    const history_line **line = history_lines_in_order(all);
    piece_history_begin(v->out, all->kept.kept[all->kept.n - 1].cluster, style);
    piece_contents_begin(v->out, SAID_HISTORY_FIND, SAID_HISTORY_FIND_NONE);
    piece_contents_entry(v->out, "first", SAID_HISTORY_CONTENTS_FIRST);
    if (all->n > 0) piece_contents_entry(v->out, "levels", SAID_HISTORY_CONTENTS_HEADLINES);
    if (all->n_changes > 0) piece_contents_entry(v->out, "changes", SAID_HISTORY_CONTENTS_CHANGES);
    if (all->n > 0) {
        piece_contents_group(v->out, "lines", SAID_HISTORY_CONTENTS_LINES, true);
        for (size_t k = 0; k < all->n; k++)
            piece_contents_entry(v->out, line[k]->benchmark, line[k]->title);
        piece_contents_group_end(v->out, true);
    }
    if (history_has_hosts(all)) piece_contents_entry(v->out, "hosts", SAID_HISTORY_CONTENTS_HOSTS);
    piece_contents_entry(v->out, "results", SAID_HISTORY_CONTENTS_RESULTS);
    piece_contents_end(v->out);
    piece_main_begin(v->out);
    free(line);
}

static void change_rows(const history_view *v, size_t from, size_t end, size_t number)
{
    piece_history_changes_table(v->out);
    for (size_t k = from; k < end; k++) {
        const history_change *c = &v->all->change[k];
        number += k == 0 || c->at != v->all->change[k - 1].at;
        piece_history_change_row(v->out, number, history_day(v->all->kept.kept[c->at].time),
                                 c->what, c->before, c->now);
    }
}

/* The last ones; those before them are folded. */
static void changes(const history_view *v)
{
    enum { OPEN = 12 };
    const size_t n = v->all->n_changes, folded = n > OPEN ? n - OPEN : 0;
    size_t number = 0;
    if (n == 0) return;
    piece_history_changes_begin(v->out);
    for (size_t k = 0; k < folded; k++)
        number += k == 0 || v->all->change[k].at != v->all->change[k - 1].at;
    change_rows(v, folded, n, number);
    piece_table_end(v->out);
    if (folded > 0) {
        piece_history_changes_folded(v->out, folded);
        change_rows(v, 0, folded, 0);
        piece_part_of_tables_end(v->out);
    }
    piece_history_changes_end(v->out);
}

static void left_out(const history_view *v)
{
    enum { OPEN = 5 };
    const size_t n = v->all->n_left_out, open = n < OPEN ? n : OPEN;
    if (n == 0) return;
    piece_history_left_out(v->out);
    for (size_t k = 0; k < open; k++) piece_item(v->out, v->all->left_out[k]);
    piece_list_end(v->out);
    if (n == open) return;
    piece_history_left_out_more(v->out, n - open);
    for (size_t k = open; k < n; k++) piece_item(v->out, v->all->left_out[k]);
    piece_history_left_out_more_end(v->out);
}

static void results(const history_view *v)
{
    const suite_history *all = &v->all->kept;
    piece_history_results_begin(v->out);
    left_out(v);
    if (all->skipped > 0) piece_history_skipped(v->out, all->skipped);
    piece_history_results_table(v->out);
    for (size_t k = all->n; k-- > 0;) {
        const suite_kept *kept = &all->kept[k];
        const char *from = json_string_value(json_object_get(kept->root, "kept_from"));
        piece_history_result(v->out, kept->date, v->link[k], from, kept->n_hosts, kept->file);
    }
    piece_part_of_tables_end(v->out);
    piece_history_method(v->out, CM_STEP_STAYS, CM_STEP_LEVEL);
    piece_section_end(v->out);
}

static void write_page(const suite_home *home, const history_view *v, const char *style,
                       const char *dir)
{
    head(v, style);
    history_write_first(v);
    history_write_headlines(v);
    changes(v);
    history_write_lines(v);
    history_write_hosts(v);
    results(v);
    piece_history_end(v->out, PACKAGE_VERSION, dir);
    svg_scripts(v->out, home);
    piece_page_end(v->out);
}

char *history_page(const suite_home *home, const history *all, const char *dir, const char *reports,
                   const char *page)
{
    char *file = suite_home_file(home, "suite/style.css"), *style = suite_file_text(file);
    char **link = history_links(all, dir, reports, page), *text = NULL;
    size_t length;
    history_view v = {.out = style ? suite_there(open_memstream(&text, &length)) : NULL,
                      .all = all,
                      .link = link};
    if (!style) suite_say("history: cannot read %s: %s", file, strerror(errno));
    if (v.out) {
        write_page(home, &v, style, dir);
        if (fclose(v.out) != 0) suite_there(NULL);
    }
    for (size_t k = 0; k < all->kept.n; k++) free(link[k]);
    free(link);
    free(style);
    free(file);
    return text;
}

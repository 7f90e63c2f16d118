/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_page.c: the page of `clustermark nodes`: what stands out, all hosts, the inventory. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "results/folder.h"
#include "results/host_names.h"
#include "results/hosts_named.h"
#include "common/memory.h"
#include "nodes_page.h"
#include "common/say.h"
#include "figures/svg.h"
#include "common/unit.h"
#include "common/words.h"
#include "pages.h"

static const cm_record_finding *odd_of(const cm_record *record, size_t k)
{
    return cm_record_finding_of(record, CM_FINDING_STANDS_OUT, k);
}

const cm_record_finding *suite_nodes_disturbed(const cm_record *record)
{
    const cm_record_finding *f;
    for (size_t k = 0; (f = cm_record_finding_of(record, CM_FINDING_DISTURBED, k)); k++)
        if (f->value > 0) return f;
    return NULL;
}

/* ---- The parts ------------------------------------------------------------------------------- */

static void head(FILE *out, const cm_record *record, const char *style, const char *report)
{
    const char *hosts = cm_record_meta(record, "hosts");
    const bool one = hosts && strcmp(hosts, "1") == 0;
    piece_nodes_begin(out, hosts, one, style);
    piece_contents_begin(out, SAID_NODES_FIND, SAID_NODES_FIND_NONE);
    piece_contents_entry(out, "findings", SAID_NODES_CONTENTS_FINDINGS);
    piece_contents_entry(out, "hosts", SAID_NODES_CONTENTS_HOSTS);
    piece_contents_entry(out, "inventory", SAID_NODES_CONTENTS_INVENTORY);
    piece_contents_end(out);
    piece_main_begin(out);
    piece_nodes_about(out, hosts, one, cm_record_meta(record, "ranks"),
                      cm_record_meta(record, "comm"), cm_record_meta(record, "date"),
                      cm_record_meta(record, "version"), report);
}

static void print_said(FILE *out, const cm_record_finding *finding)
{
    char *said = suite_there(cm_record_finding_said(finding));
    piece_nodes_said(out, said);
    free(said);
}

/* Errors come first, then how certain the findings are. */
static void findings(FILE *out, const cm_record *record)
{
    static const char *const sure[] = {
        CM_FINDING_SPLIT, CM_FINDING_FEW_HOSTS,    CM_FINDING_FEW,     CM_FINDING_CANNOT_TELL,
        CM_FINDING_LIMIT, CM_FINDING_FALSE_ALARMS, CM_FINDING_COVERED, CM_FINDING_BURN_IN};
    const cm_record_finding *f;
    size_t n = 0;
    piece_nodes_findings_begin(out);
    for (; (f = odd_of(record, n)); n++) {
        if (n == 0) piece_list_begin(out);
        char *who = suite_hosts_shown(f->who ? f->who : "");
        piece_nodes_finding(out, who, f->words, f->launches, f->of_launches);
        free(who);
    }
    if (n > 0) piece_list_end(out);
    else if (!cm_record_finding_of(record, CM_FINDING_CANNOT_TELL, 0)
             && !cm_record_finding_of(record, CM_FINDING_FEW_HOSTS, 0))
        piece_nodes_none_stands_out(out);
    for (size_t kind = 0; kind < sizeof sure / sizeof sure[0]; kind++)
        for (size_t k = 0; (f = cm_record_finding_of(record, sure[kind], k)); k++)
            if (*f->words) print_said(out, f); /* the first bound's words tell the others */
    f = suite_nodes_disturbed(record);
    if (f) print_said(out, f);
    for (size_t c = 0; c < record->n_checks; c++)
        if (!record->check[c].pass) piece_nodes_check_failed(out, record->check[c].text);
    piece_section_end(out);
}

static const struct {
    const char *figure, *ratio, *head, *unit;
} columns[] = {
    {"ranks", "", SAID_NODES_RANKS, ""},
    {"triad_MB_per_s", "triad_ratio", SAID_HOSTS_TRIAD, "MB/s"},
    {"gemm_Mflop_per_s", "gemm_ratio", SAID_HOSTS_GEMM, "Mflop/s"},
    {"quiet", "quiet_ratio", SAID_HOSTS_QUIET, ""},
    {"latency_us", "latency_ratio", SAID_HOSTS_LATENCY, "us"},
    {"send_MB_per_s", "send_ratio", SAID_HOSTS_SENDS, "MB/s"},
    {"receive_MB_per_s", "receive_ratio", SAID_HOSTS_RECEIVES, "MB/s"},
    {"clock_offset_s", "", SAID_NODES_CLOCK, "s"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* The cell's text; "": the record has no such column. */
static const char *text_at(const cm_record *record, size_t row, const char *column)
{
    int at = cm_record_column(record, column);
    return at < 0 ? "" : cm_record_cell(record, row, (size_t)at);
}

/* One unit for the column, by its largest number, so that its numbers can be compared. Returns what
   to divide them by. */
static double unit_of(const cm_record *record, size_t column, char words[SUITE_UNIT])
{
    double most = 0, number;
    for (size_t row = 0; row < record->n_rows; row++)
        if (cm_record_number(text_at(record, row, columns[column].figure), &number))
            most = fmax(most, fabs(number));
    return suite_unit_easy(most, columns[column].unit, NULL, words);
}

/* Three digits, or all of a count. */
static void digits_of(double number, size_t column, char digits[SUITE_NUMBER])
{
    const bool is_count = !*columns[column].unit && number == floor(number);
    if (!is_count) suite_number(number, digits, SUITE_NUMBER);
    else snprintf(digits, SUITE_NUMBER, "%.0f", number);
}

/* A figure, and its ratio to the others. */
static void cell(FILE *out, const cm_record *record, size_t row, size_t column, double divisor)
{
    const char *value = text_at(record, row, columns[column].figure);
    const char *times = text_at(record, row, columns[column].ratio);
    double number, share;
    char digits[SUITE_NUMBER], ratio[SUITE_NUMBER] = "";
    if (!cm_record_number(value, &number)) {
        piece_nodes_cell_none(out);
        return;
    }
    digits_of(number / divisor, column, digits);
    if (cm_record_number(times, &share)) suite_number(share, ratio, sizeof ratio);
    piece_nodes_cell(out, value, columns[column].unit, digits, ratio);
}

static void row_of(FILE *out, const cm_record *record, size_t row, const char *name, bool named,
                   const double *divisor)
{
    piece_nodes_row(out, named, name);
    for (size_t k = 0; k < COLUMNS; k++) cell(out, record, row, k, divisor[k]);
    piece_row_end(out);
}

/* What all tables of the hosts need. */
typedef struct {
    FILE *out;
    const cm_record *record;
    suite_words names;
    suite_index odd;         /* of the hosts that a finding names */
    size_t n_alike;          /* the others */
    double divisor[COLUMNS]; /* of the units */
    char unit[COLUMNS][SUITE_UNIT];
} view;

static bool is_odd(const view *v, size_t row)
{
    return suite_hosts_is_named(&v->odd, v->names.word[row]);
}

static void table_begin(const view *v)
{
    piece_nodes_table_begin(v->out);
    for (size_t k = 0; k < COLUMNS; k++)
        piece_hosts_head_measure(v->out, columns[k].head, v->unit[k]);
    piece_head_end(v->out);
}

static void rows_of(const view *v, bool odd)
{
    for (size_t row = 0; row < v->record->n_rows && row < v->names.n; row++)
        if (is_odd(v, row) == odd)
            row_of(v->out, v->record, row, v->names.word[row], odd, v->divisor);
}

/* From the least to the greatest of the hosts that are alike. */
static void range_of(const view *v, size_t column)
{
    double least = INFINITY, most = -INFINITY, number;
    for (size_t row = 0; row < v->record->n_rows && row < v->names.n; row++) {
        if (is_odd(v, row)
            || !cm_record_number(text_at(v->record, row, columns[column].figure), &number))
            continue;
        least = fmin(least, number);
        most = fmax(most, number);
    }
    if (least > most) {
        piece_nodes_cell_none(v->out);
        return;
    }
    char low[SUITE_NUMBER], high[SUITE_NUMBER];
    digits_of(least / v->divisor[column], column, low);
    digits_of(most / v->divisor[column], column, high);
    piece_nodes_range(v->out, low, strcmp(low, high) != 0 ? high : NULL);
}

/* The hosts that no finding names: a row for all of them. */
static void row_of_alike(const view *v)
{
    enum { NAMES_MOST = 12 };
    const char **name = suite_array(v->n_alike, sizeof name[0]);
    size_t n = 0;
    for (size_t k = 0; k < v->names.n; k++)
        if (!is_odd(v, k)) name[n++] = v->names.word[k];
    char *names = suite_host_names(name, n, NAMES_MOST);
    piece_nodes_alike(v->out, n, names);
    for (size_t k = 0; k < COLUMNS; k++) range_of(v, k);
    piece_row_end(v->out);
    free(names);
    free(name);
}

static void open_view(view *v)
{
    v->odd = suite_hosts_named(v->record);
    suite_hosts_of_rows(v->record, &v->names);
    for (size_t k = 0; k < v->names.n; k++) v->n_alike += !is_odd(v, k);
    for (size_t k = 0; k < COLUMNS; k++) v->divisor[k] = unit_of(v->record, k, v->unit[k]);
}

/* The odd hosts, then all others: each in a row, or, if there are many, in one row and folded. */
static void hosts(FILE *out, const cm_record *record)
{
    enum { FEW = 8 };
    view v = {.out = out, .record = record};
    open_view(&v);
    piece_nodes_hosts_begin(out);
    table_begin(&v);
    rows_of(&v, true);
    if (v.n_alike <= FEW) rows_of(&v, false);
    else row_of_alike(&v);
    piece_table_end(out);
    if (v.n_alike > FEW) {
        piece_nodes_alike_begin(out, v.n_alike);
        table_begin(&v);
        rows_of(&v, false);
        piece_nodes_alike_end(out);
    }
    piece_section_end(out);
    suite_words_free(&v.names);
    suite_index_free(&v.odd);
}

static void inventory(FILE *out, const cm_record *record)
{
    bool differ = cm_record_meta(record, "hosts_differ") != NULL;
    piece_nodes_inventory_begin(out, differ);
    for (size_t m = 0; m < record->n_meta; m++)
        if (strcmp(record->meta[m].key, "hosts_differ") == 0)
            piece_item(out, record->meta[m].value);
    if (differ) piece_list_end(out);
    piece_nodes_measured(out);
    for (size_t m = 0; m < record->n_meta; m++)
        if (strcmp(record->meta[m].key, "hosts_differ") != 0)
            piece_key(out, record->meta[m].key, record->meta[m].value);
    piece_part_of_tables_end(out);
    piece_section_end(out);
}

/* DIR/nodes-NAME.svg, which `clustermark nodes` has drawn; nothing without gnuplot. */
static void figure(FILE *out, const char *base, const char *name, const char *title,
                   const char *caption)
{
    char *drawing = suite_text("%s-%s.svg", base, name), *id = suite_text("nodes-%s", name);
    if (access(drawing, R_OK) == 0) {
        piece_figure_begin(out, id);
        svg_copy(out, drawing, id, title, caption);
        piece_figure_end(out, caption);
    }
    free(id);
    free(drawing);
}

static void figures(FILE *out, const cm_record *record, const char *base)
{
    const char *hosts = cm_record_meta(record, "hosts");
    if (!hosts || strcmp(hosts, "1") != 0) /* one alone has nobody beside it */
        figure(out, base, "nodes", SAID_NODES_FIGURE, SAID_NODES_FIGURE_ABOUT);
    if (cm_record_meta(record, "burn_in_minutes"))
        figure(out, base, "burn_in", SAID_BURN_IN_FIGURE, SAID_BURN_IN_FIGURE_ABOUT);
}

static void write_parts(FILE *out, const suite_home *home, const cm_record *record,
                        const char *style, const char *base, const char *report)
{
    head(out, record, style, report);
    findings(out, record);
    figures(out, record, base);
    hosts(out, record);
    inventory(out, record);
    piece_main_end(out);
    svg_scripts(out, home);
    piece_page_end(out);
}

/* ---- The file -------------------------------------------------------------------------------- */

static bool write_file(const suite_home *home, const cm_record *record, const char *style,
                       const char *path, const char *report)
{
    char *base = suite_text("%.*s", (int)(strlen(path) - strlen(".html")), path);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool whole = out != NULL;
    if (out) {
        write_parts(out, home, record, style, base, report);
        whole = fclose(out) == 0;
    }
    bool written = whole && suite_file_write("nodes", path, true, text, length);
    if (!whole) suite_say("nodes: out of memory");
    free(text);
    free(base);
    return written;
}

bool suite_nodes_page(const suite_home *home, const cm_record *record, const char *path,
                      const char *report)
{
    char *file = suite_home_file(home, "suite/style.css"), *style = suite_file_text(file);
    if (!style) suite_say("nodes: cannot read %s: %s", file, strerror(errno));
    bool written = style && write_file(home, record, style, path, report);
    free(style);
    free(file);
    return written;
}

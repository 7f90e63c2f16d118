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
#include "common/html.h"
#include "common/memory.h"
#include "nodes_page.h"
#include "common/say.h"
#include "figures/svg.h"
#include "common/unit.h"
#include "common/words.h"

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

/* Returns true if a finding names the host: alone, in a pair or in a group. */
static bool is_named(const cm_record *record, const char *host)
{
    const cm_record_finding *f;
    for (size_t k = 0; (f = odd_of(record, k)); k++)
        if (cm_record_finding_names(f, host)) return true;
    return false;
}

/* ---- The parts ------------------------------------------------------------------------------- */

static void head(FILE *out, const cm_record *record, const char *style, const char *report)
{
    const char *hosts = cm_record_meta(record, "hosts"), *ranks = cm_record_meta(record, "ranks");
    const char *comm = cm_record_meta(record, "comm"), *date = cm_record_meta(record, "date");
    const char *plural = hosts && strcmp(hosts, "1") == 0 ? "" : "s";
    html_print(out,
               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
               "<title>clustermark nodes: %h host%s</title>\n<style>\n%s</style>\n"
               "</head>\n<body>\n<header>\n<h1>clustermark nodes</h1>\n",
               hosts, plural, style);
    html_print(out,
               "<p>%h host%s, %h ranks, over the backend <strong>%h</strong>, %h, clustermark "
               "%h.</p>\n",
               hosts, plural, ranks, comm, date, PACKAGE_VERSION);
    if (report)
        html_print(out, "<p>Beside this page: <a href=\"%h\">the report</a>.</p>\n", report);
    html_print(out, "</header>\n<main>\n");
}

static void print_said(FILE *out, const cm_record_finding *finding)
{
    char *said = suite_there(cm_record_finding_said(finding));
    html_print(out, "<p>%h.</p>\n", said);
    free(said);
}

/* Errors come first, then how certain the findings are. */
static void findings(FILE *out, const cm_record *record)
{
    static const char *const sure[] = {CM_FINDING_FEW, CM_FINDING_CANNOT_TELL,
                                       CM_FINDING_FALSE_ALARMS, CM_FINDING_COVERED,
                                       CM_FINDING_BURN_IN};
    const cm_record_finding *f;
    size_t n = 0;
    html_print(out, "<section id=\"findings\">\n<h2>What stands out</h2>\n");
    for (; (f = odd_of(record, n)); n++) {
        html_print(out, "%s<li><span class=\"fail\">%h</span>: %h", n == 0 ? "<ul>\n" : "", f->who,
                   f->words);
        if (f->of_launches > 0)
            html_print(out, " (in %u of %u launches)", f->launches, f->of_launches);
        html_print(out, "</li>\n");
    }
    if (n > 0) html_print(out, "</ul>\n");
    else if (!cm_record_finding_of(record, CM_FINDING_CANNOT_TELL, 0))
        html_print(out, "<p class=\"pass\">No host and no pair of hosts stands out.</p>\n");
    for (size_t kind = 0; kind < sizeof sure / sizeof sure[0]; kind++)
        for (size_t k = 0; (f = cm_record_finding_of(record, sure[kind], k)); k++)
            print_said(out, f);
    f = suite_nodes_disturbed(record);
    if (f) print_said(out, f);
    for (size_t c = 0; c < record->n_checks; c++)
        if (!record->check[c].pass)
            html_print(out, "<p class=\"fail\">%h</p>\n", record->check[c].text);
    html_print(out, "</section>\n");
}

static const struct {
    const char *figure, *ratio, *head, *unit;
} columns[] = {
    {"ranks", "", "Ranks", ""},
    {"triad_MB_per_s", "triad_ratio", "Triad", "MB/s"},
    {"gemm_Mflop_per_s", "gemm_ratio", "Matrix product", "Mflop/s"},
    {"quiet", "quiet_ratio", "Quiet", ""},
    {"latency_us", "latency_ratio", "Latency", "us"},
    {"send_MB_per_s", "send_ratio", "Sends", "MB/s"},
    {"receive_MB_per_s", "receive_ratio", "Receives", "MB/s"},
    {"clock_offset_s", "", "Clock", "s"},
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

/* A figure, and its ratio to the others. */
static void cell(FILE *out, const cm_record *record, size_t row, size_t column, double divisor)
{
    const char *value = text_at(record, row, columns[column].figure);
    const char *times = text_at(record, row, columns[column].ratio);
    double number, share;
    char digits[SUITE_NUMBER];
    if (!cm_record_number(value, &number)) {
        html_print(out, "<td class=\"number none\">none</td>");
        return;
    }
    number /= divisor;
    const bool is_count = !*columns[column].unit && !value[strspn(value, "0123456789")];
    if (!is_count) suite_number(number, digits, sizeof digits);
    else snprintf(digits, sizeof digits, "%s", value);
    html_print(out, "<td class=\"number\" title=\"%h%s%h\">%h", value,
               *columns[column].unit ? " " : "", columns[column].unit, digits);
    if (cm_record_number(times, &share)) {
        suite_number(share, digits, sizeof digits);
        html_print(out, " (%h)", digits);
    }
    html_print(out, "</td>");
}

static void row_of(FILE *out, const cm_record *record, size_t row, const char *name, bool named,
                   const double *divisor)
{
    html_print(out, "<tr><th scope=\"row\"%s>%h</th>", named ? " class=\"fail\"" : "", name);
    for (size_t k = 0; k < COLUMNS; k++) cell(out, record, row, k, divisor[k]);
    html_print(out, "</tr>\n");
}

static void rows_of(FILE *out, const cm_record *record, const suite_words *names, bool named)
{
    double divisor[COLUMNS];
    html_print(out, "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Host</th>");
    for (size_t k = 0; k < COLUMNS; k++) {
        char words[SUITE_UNIT];
        divisor[k] = unit_of(record, k, words);
        html_print(out, "<th scope=\"col\" class=\"number\">%s%s%h</th>", columns[k].head,
                   *words ? ", " : "", words);
    }
    html_print(out, "</tr></thead>\n<tbody>\n");
    for (size_t row = 0; row < record->n_rows && row < names->n; row++)
        if (is_named(record, names->word[row]) == named)
            row_of(out, record, row, names->word[row], named, divisor);
    html_print(out, "</tbody></table></div>\n");
}

/* "n1:4 n2:4": the names in the order of the rows. A name may have colons. */
static void read_names(const cm_record *record, suite_words *names)
{
    const char *text = cm_record_meta(record, "ranks_per_host");
    if (!text) return;
    suite_words_split(names, text);
    for (size_t k = 0; k < names->n; k++) {
        char *colon = strrchr(names->word[k], ':');
        if (colon) *colon = '\0';
    }
}

static void hosts(FILE *out, const cm_record *record)
{
    suite_words names = {0};
    size_t named = 0;
    read_names(record, &names);
    for (size_t k = 0; k < names.n; k++) named += is_named(record, names.word[k]);
    html_print(out, "<section id=\"hosts\">\n<h2>The hosts</h2>\n<p>Medians over the rounds; in "
                    "parentheses the ratio to the median host. Quiet is the share of the time that "
                    "fixed work got. The clock is compared with that of the first host.</p>\n");
    if (named > 0) rows_of(out, record, &names, true);
    if (named > 0 && named < names.n)
        html_print(out, "<details%s><summary>The %u other hosts</summary>\n",
                   names.n - named <= 32 ? " open=\"open\"" : "", names.n - named);
    if (named < names.n) rows_of(out, record, &names, false);
    if (named > 0 && named < names.n) html_print(out, "</details>\n");
    html_print(out, "</section>\n");
    suite_words_free(&names);
}

static void inventory(FILE *out, const cm_record *record)
{
    bool differ = cm_record_meta(record, "hosts_differ") != NULL;
    html_print(out, "<section id=\"inventory\">\n<h2>The inventory</h2>\n");
    html_print(out, differ ? "<p>The hosts differ in:</p>\n<ul>\n"
                           : "<p>The hosts do not differ in what is compared.</p>\n");
    for (size_t m = 0; m < record->n_meta; m++)
        if (strcmp(record->meta[m].key, "hosts_differ") == 0)
            html_print(out, "<li>%h</li>\n", record->meta[m].value);
    if (differ) html_print(out, "</ul>\n");
    html_print(out, "<details><summary>The first host, and how it was measured</summary>\n"
                    "<div class=\"wide keys\"><table>\n<tbody>\n");
    for (size_t m = 0; m < record->n_meta; m++)
        if (strcmp(record->meta[m].key, "hosts_differ") != 0)
            html_print(out, "<tr><th scope=\"row\">%h</th><td>%h</td></tr>\n", record->meta[m].key,
                       record->meta[m].value);
    html_print(out, "</tbody></table></div></details>\n</section>\n");
}

/* DIR/nodes-NAME.svg, which `clustermark nodes` has drawn; nothing without gnuplot. */
static void figure(FILE *out, const char *base, const char *name, const char *title,
                   const char *caption)
{
    char *drawing = suite_text("%s-%s.svg", base, name), *id = suite_text("nodes-%s", name);
    if (access(drawing, R_OK) == 0) {
        html_print(out, "<figure id=\"%h\">\n<div class=\"drawing\">\n", id);
        svg_copy(out, drawing, id, title, caption);
        html_print(out, "</div>\n<figcaption>%h</figcaption>\n</figure>\n", caption);
    }
    free(id);
    free(drawing);
}

static void figures(FILE *out, const cm_record *record, const char *base)
{
    figure(out, base, "nodes", "The hosts beside the median host",
           "Each host's figures over those of the median host. Triangles, with names, are hosts "
           "that the findings call slow in that figure.");
    if (cm_record_meta(record, "burn_in_minutes"))
        figure(out, base, "burn_in", "The hosts over the minutes of the burn-in",
               "Each host over the minutes of the burn-in. Thick lines, with names, are hosts that "
               "the findings say got slower in that figure.");
}

static void write_parts(FILE *out, const suite_home *home, const cm_record *record,
                        const char *style, const char *base, const char *report)
{
    head(out, record, style, report);
    findings(out, record);
    figures(out, record, base);
    hosts(out, record);
    inventory(out, record);
    html_print(out, "</main>\n");
    svg_script(out, home);
    html_print(out, "</body>\n</html>\n");
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* history_page.c: the page of `clustermark history`: steps first, then lines, hosts and results. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/html.h"
#include "common/memory.h"
#include "common/say.h"
#include "common/unit.h"
#include "results/folder.h"
#include "history.h"

/* Colours for white paper; style.css turns figures over in the dark. */
static const char own_style[] =
    ".months text { font: 11px system-ui, sans-serif; fill: #444; }\n"
    ".months path { fill: none; } .months .grid { stroke: #e4e4e4; }\n"
    ".months .line { stroke: #0072b2; stroke-opacity: .45; }\n"
    ".months .interval { stroke: #0072b2; stroke-opacity: .3; stroke-width: 2; }\n"
    ".months circle { fill: #0072b2; } .months circle.disturbed { fill: #fff; stroke: #0072b2; }\n"
    ".months .level { stroke: #222; stroke-width: 1.6; }\n"
    ".months .level.worse { stroke: #b00020; } .months .level.better { stroke: #156b2f; }\n"
    ".months .step { fill: #888; fill-opacity: .22; }\n"
    ".months .step.worse { fill: #b00020; } .months .step.better { fill: #156b2f; }\n"
    ".months .change path { stroke: #8a5200; stroke-dasharray: 2 3; }\n"
    ".months .change text { fill: #8a5200; }\n"
    ".spark { width: 10.5rem; height: 1.9rem; display: block; background: #fff; }\n"
    "#hosts small { display: block; color: var(--faint); font-weight: 400; }\n";

/* ---- Words ----------------------------------------------------------------------------------- */

/* "1 host", "2 hosts", and what follows. */
static void count(FILE *out, size_t n, const char *many, const char *then)
{
    char *text = suite_counted(n, many);
    html_print(out, "%h%s", text, then);
    free(text);
}

static void write_value(FILE *out, double value, const history_line *line)
{
    char unit[SUITE_UNIT], number[SUITE_NUMBER];
    const double per = suite_unit_easy(value, line->unit, line->metric, unit);
    suite_number(value / per, number, sizeof number);
    html_print(out, "%h %h", number, unit);
}

/* "4.9 % lower (4.1 to 5.8 %)" */
static void write_factor(FILE *out, const cm_rank_factor *f)
{
    if (isnan(f->ratio)) {
        fputs("another level", out);
        return;
    }
    const bool up = f->ratio > 1;
    const double one = 100 * fabs(f->ratio - 1), a = 100 * (f->low - 1), b = 100 * (f->high - 1);
    fprintf(out, "%.3g %% %s (%.3g to %.3g %%%s)", one, up ? "higher" : "lower", up ? a : -b,
            up ? b : -a, f->interval == CM_INTERVAL_95 ? "" : ", least and greatest");
}

static void write_sure(FILE *out, const history_step *step)
{
    if (step->pages >= 1e6) fputs("less than one in a million", out);
    else if (step->pages < 100) fprintf(out, "one in %.2g", step->pages);
    else fprintf(out, "at most one in %.0f", floor(step->pages / 100) * 100);
}

static const suite_kept *kept_at(const history *all, const history_line *line, size_t point)
{
    return &all->kept.kept[line->point[point].at];
}

static const char *way_of(const history_step *step)
{
    return step->worse ? "slower" : step->better ? "faster" : "";
}

/* What changed from the last result before the step can be to the last at which it may begin. */
static void write_meanwhile(FILE *out, const history_line *line, const history_step *step,
                            const history_change *change, size_t n)
{
    const size_t after = line->point[step->place.from - 1].at, to = line->point[step->place.to].at;
    for (size_t k = 0; k < n; k++)
        if (change[k].at > after && change[k].at <= to)
            html_print(out, "%h %h &#8594; %h<br />", change[k].what, change[k].before,
                       change[k].now);
}

/* One row of the table of steps; host NULL: a headline. */
static void write_step(FILE *out, const history *all, const history_line *line, size_t s,
                       const history_host *host)
{
    const history_step *step = &line->step[s];
    html_print(out, "<tr><th scope=\"row\">");
    if (host) html_print(out, "%h: %h", host->name, line->metric);
    else html_print(out, "<a href=\"#%h\">%h</a>", line->benchmark, line->title);
    html_print(out, "</th><td><span class=\"%s\">", way_of(step));
    write_factor(out, &step->factor);
    html_print(out, "%s</span></td><td class=\"unit\">%h",
               step->worse    ? ", worse"
               : step->better ? ", better"
                              : "",
               history_day(kept_at(all, line, step->place.at)->time));
    html_print(out, "<br /><small>after %h, ",
               history_day(kept_at(all, line, step->place.from - 1)->time));
    html_print(out, "by %h</small></td><td>",
               history_day(kept_at(all, line, step->place.to)->time));
    write_meanwhile(out, line, step, all->change, all->n_changes);
    if (host) write_meanwhile(out, line, step, host->change, host->n_changes);
    html_print(out, "</td><td>");
    write_sure(out, step);
    html_print(out, "</td></tr>\n");
}

/* ---- The parts ------------------------------------------------------------------------------- */

static void head(FILE *out, const history *all, const char *style)
{
    const suite_kept *first = &all->kept.kept[0], *last = &all->kept.kept[all->kept.n - 1];
    html_print(out,
               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
               "<title>clustermark history: %h</title>\n<style>\n%s%s</style>\n</head>\n<body>\n"
               "<header>\n<h1>What %h gave</h1>\n",
               last->cluster, style, own_style, last->cluster);
    html_print(out, "<p>");
    count(out, all->kept.n, "results", " from ");
    html_print(out, "%h", history_day(first->time));
    html_print(out, " to %h, ", history_day(last->time));
    if (all->n_hosts > 0) count(out, all->n_hosts, "hosts", ", ");
    html_print(out, "clustermark %h.</p>\n</header>\n<main>\n", PACKAGE_VERSION);
}

static void steps(FILE *out, const history *all)
{
    size_t of_lines, of_hosts;
    history_count_steps(all, &of_lines, &of_hosts);
    html_print(out, "<section id=\"steps\">\n<h2>Steps</h2>\n");
    if (of_lines + of_hosts == 0) {
        html_print(out,
                   "<p>No headline and no host changed its level and stayed there, as far as ");
        count(out, all->kept.n, "results", " can tell");
        html_print(out, "%s.</p>\n",
                   all->kept.n < HISTORY_FEW ? "; that is too few to see a step" : "");
    } else {
        html_print(out,
                   "<div class=\"wide\"><table><thead><tr><th>What</th><th>Change</th>"
                   "<th>When</th><th>What else changed then</th><th>By chance on pages</th></tr>"
                   "</thead><tbody>\n");
        for (size_t k = 0; k < all->n; k++)
            for (size_t s = all->line[k].n_steps; s-- > 0;)
                write_step(out, all, &all->line[k], s, NULL);
        for (size_t h = 0; h < all->n_hosts; h++)
            for (size_t k = 0; k < all->host[h].n; k++)
                for (size_t s = all->host[h].line[k].n_steps; s-- > 0;)
                    write_step(out, all, &all->host[h].line[k], s, &all->host[h]);
        html_print(out, "</tbody></table></div>\n");
    }
    html_print(
        out,
        "<p class=\"quiet\">A step is a fall or a rise that stays for at least %u results, or, "
        "where another one follows, for %u. Random orders of the results tell what is chance: "
        "where nothing changed, at most one page in 20 names a step of a headline, and one in 20 "
        "one of a host; two to three in 20 where neighbouring results are much alike. The step "
        "begins within the dates given with 95 %% confidence. Seasons are not looked for.</p>\n"
        "</section>\n",
        (size_t)CM_STEP_STAYS, (size_t)CM_STEP_LEVEL);
}

static void changes(FILE *out, const history *all)
{
    size_t number = 0;
    if (all->n_changes == 0) return;
    html_print(out, "<section id=\"changes\">\n<h2>What changed</h2>\n<div class=\"wide\">"
                    "<table class=\"keys\"><thead><tr><th class=\"number\">Mark</th><th>From</th>"
                    "<th>What</th><th>Before</th><th>Then</th></tr></thead><tbody>\n");
    for (size_t k = 0; k < all->n_changes; k++) {
        const history_change *c = &all->change[k];
        number += k == 0 || c->at != all->change[k - 1].at;
        html_print(
            out,
            "<tr><td class=\"number\">%u</td><td class=\"unit\">%h</td><td class=\"unit\">%h</td>"
            "<td>%h</td><td>%h</td></tr>\n",
            number, history_day(all->kept.kept[c->at].time), c->what, c->before, c->now);
    }
    html_print(out, "</tbody></table></div>\n<p class=\"quiet\">As the first host of each result "
                    "has it, with the first result that has it.</p>\n</section>\n");
}

static void lines(FILE *out, const history *all, char *const *link)
{
    if (all->n == 0) return;
    html_print(out, "<section id=\"lines\">\n<h2>Headlines</h2>\n");
    for (size_t k = 0; k < all->n; k++) {
        const history_line *line = &all->line[k];
        html_print(out, "<figure id=\"%h\"><h3>%h <code>%h</code></h3><div class=\"drawing\">\n",
                   line->benchmark, line->title, line->metric);
        history_figure(out, all, line, link);
        html_print(out, "</div><figcaption>Last: ");
        write_value(out, line->point[line->n - 1].value, line);
        html_print(out, "; %h values are better%s%h. ",
                   strcmp(line->better, "neither") == 0 ? "no" : line->better,
                   line->meaning && *line->meaning ? ": " : "", line->meaning);
        count(out, line->hosts, "hosts", ", ");
        count(out, line->ranks, "ranks", ", ");
        count(out, line->n, "results", ".</figcaption></figure>\n");
    }
    html_print(out, "<p class=\"quiet\">Bars are intervals, hollow points were disturbed, level "
                    "lines are medians, shades are where a step may be, numbered dotted lines are "
                    "changes of the machine. A point leads to its report where there is one.</p>\n"
                    "</section>\n");
}

/* The metrics of all hosts, in the order in which they come. */
static const history_line *find_metric(const history_host *host, const history_line *like)
{
    for (size_t k = 0; k < host->n; k++)
        if (strcmp(host->line[k].metric, like->metric) == 0
            && strcmp(host->line[k].unit, like->unit) == 0)
            return &host->line[k];
    return NULL;
}

static size_t columns_of(const history *all, const history_line **column, size_t most)
{
    size_t n = 0;
    for (size_t h = 0; h < all->n_hosts; h++)
        for (size_t k = 0; k < all->host[h].n; k++) {
            const history_line *line = &all->host[h].line[k];
            size_t c = 0;
            while (c < n
                   && (strcmp(column[c]->metric, line->metric) != 0
                       || strcmp(column[c]->unit, line->unit) != 0))
                c++;
            if (c == n && n < most) column[n++] = line;
        }
    return n;
}

static void host_row(FILE *out, const history *all, const history_host *host,
                     const history_line *const *column, size_t n)
{
    html_print(out, "<tr><th scope=\"row\">%h<small>", host->name);
    count(out, host->results, "results", "");
    if (host->stood_out) html_print(out, "; stood out in %u", host->stood_out);
    for (size_t k = 0; k < host->n_changes; k++)
        html_print(out, "<br />%h: %h %h &#8594; %h",
                   history_day(all->kept.kept[host->change[k].at].time), host->change[k].what,
                   host->change[k].before, host->change[k].now);
    html_print(out, "</small></th>");
    for (size_t c = 0; c < n; c++) {
        const history_line *line = find_metric(host, column[c]);
        html_print(out, "<td>");
        if (line) {
            history_spark(out, all, line);
            html_print(out, "<small>");
            write_value(out, line->point[line->n - 1].value, line);
            for (size_t s = 0; s < line->n_steps; s++) {
                html_print(out, "<br /><span class=\"%s\">%h: ", way_of(&line->step[s]),
                           history_day(kept_at(all, line, line->step[s].place.at)->time));
                write_factor(out, &line->step[s].factor);
                html_print(out, "</span>");
            }
            html_print(out, "</small>");
        }
        html_print(out, "</td>");
    }
    html_print(out, "</tr>\n");
}

static bool is_odd(const history_host *host)
{
    bool odd = host->stood_out > 0 || host->n_changes > 0;
    for (size_t k = 0; k < host->n; k++) odd = odd || host->line[k].n_steps > 0;
    return odd;
}

/* A table of those hosts that are odd, or of those that are not. */
static void hosts_table(FILE *out, const history *all, const history_line *const *column, size_t n,
                        bool odd)
{
    html_print(out, "<div class=\"wide\"><table><thead><tr><th>Host</th>");
    for (size_t c = 0; c < n; c++) html_print(out, "<th><code>%h</code></th>", column[c]->metric);
    html_print(out, "</tr></thead><tbody>\n");
    for (size_t h = 0; h < all->n_hosts; h++)
        if (is_odd(&all->host[h]) == odd) host_row(out, all, &all->host[h], column, n);
    html_print(out, "</tbody></table></div>\n");
}

/* Hosts of which nothing is to be told are one line, which opens, if there are many. */
static void hosts(FILE *out, const history *all)
{
    enum { COLUMNS = 8, MANY = 16 };
    const history_line *column[COLUMNS];
    const size_t n = columns_of(all, column, COLUMNS);
    size_t odd = 0;
    if (n == 0) return;
    for (size_t h = 0; h < all->n_hosts; h++) odd += is_odd(&all->host[h]);
    const size_t even = all->n_hosts - odd;
    html_print(out, "<section id=\"hosts\">\n<h2>Hosts</h2>\n");
    if (odd > 0) hosts_table(out, all, column, n, true);
    if (even > MANY)
        html_print(out,
                   "<details><summary>%u %shosts: no step, no change of their own, and none stood "
                   "out</summary>\n",
                   even, odd > 0 ? "other " : "");
    if (even > 0) hosts_table(out, all, column, n, false);
    if (even > MANY) html_print(out, "</details>\n");
    html_print(out, "<p class=\"quiet\">Hosts with steps first; below each line its last value. "
                    "Disturbed values are drawn and not tested.</p>\n</section>\n");
}

static void results(FILE *out, const history *all, char *const *link)
{
    html_print(out, "<section id=\"results\">\n<h2>Results</h2>\n");
    if (all->n_left_out > 0) {
        html_print(out, "<p class=\"note\">Left out:</p>\n<ul>\n");
        for (size_t k = 0; k < all->n_left_out; k++)
            html_print(out, "<li>%h</li>\n", all->left_out[k]);
        html_print(out, "</ul>\n");
    }
    if (all->kept.skipped > 0)
        html_print(out,
                   "<p class=\"note\">Left out: %u file%s that %s damaged, edited or no kept "
                   "result%s.</p>\n",
                   all->kept.skipped, all->kept.skipped == 1 ? "" : "s",
                   all->kept.skipped == 1 ? "is" : "are", all->kept.skipped == 1 ? "" : "s");
    html_print(out,
               "<details><summary>All, the last one first</summary>\n<div class=\"wide\"><table>"
               "<thead><tr>"
               "<th>Date</th><th>Result</th><th>Hosts</th><th>File</th></tr></thead><tbody>\n");
    for (size_t k = all->kept.n; k-- > 0;) {
        const suite_kept *kept = &all->kept.kept[k];
        const char *from = json_string_value(json_object_get(kept->root, "kept_from"));
        html_print(out, "<tr><td class=\"unit\">%h</td><td>", kept->date);
        if (link[k]) html_print(out, "<a href=\"%h\">%h</a>", link[k], from);
        else html_print(out, "%h", from);
        html_print(out, "</td><td class=\"number\">%u</td><td><code>%h</code></td></tr>\n",
                   kept->n_hosts, kept->file);
    }
    html_print(out, "</tbody></table></div></details>\n</section>\n");
}

char *history_page(const suite_home *home, const history *all, const char *dir, const char *reports,
                   const char *page)
{
    char *file = suite_home_file(home, "suite/style.css"), *style = suite_file_text(file);
    char **link = history_links(all, dir, reports, page), *text = NULL;
    size_t length;
    FILE *out = style ? suite_there(open_memstream(&text, &length)) : NULL;
    if (!style) suite_say("history: cannot read %s: %s", file, strerror(errno));
    if (out) {
        head(out, all, style);
        steps(out, all);
        changes(out, all);
        lines(out, all, link);
        hosts(out, all);
        results(out, all, link);
        html_print(out,
                   "</main>\n<footer><p>Made by clustermark %h from <code>%h</code>.</p>"
                   "</footer>\n</body>\n</html>\n",
                   PACKAGE_VERSION, dir);
        if (fclose(out) != 0) suite_there(NULL);
    }
    for (size_t k = 0; k < all->kept.n; k++) free(link[k]);
    free(link);
    free(style);
    free(file);
    return text;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* svg_finish.c: gnuplot's SVG for its mouse, made into one that needs no script: points have their
   texts as titles, parts of a series its name, marks that are alike are one path, and what was
   measured stands in the description. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "results/folder.h"
#include "common/memory.h"
#include "svg.h"

/* The points of a series: what the first and the last of them say. */
typedef struct {
    const char *name, *first, *last;
    int name_length, first_length, last_length;
} series;

typedef struct {
    char *text;
    bool is_written; /* not before it has a content */
} group;

typedef struct {
    FILE *out;
    const char *at; /* what is left of gnuplot's file */
    group *open;    /* the groups around it */
    size_t n, n_all;
    char **held; /* groups that have ended, the innermost first; their ends are written unless the
                    next ones are alike */
    size_t n_held, n_held_all;
    const char *name; /* of the series, and its length; NULL: it has none */
    int name_length;
    series *points;
    size_t n_points;
    bool is_new;   /* the next point is the first of its series */
    svg_mark mark; /* the last one of a path that has begun */
    bool has_path;
} finisher;

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* The place behind a text, or the file's end. */
static const char *behind(const char *at, const char *text)
{
    const char *found = strstr(at, text);
    return found ? found + strlen(text) : at + strlen(at);
}

/* The place of a text within a tag, or NULL. */
static const char *within(const char *tag, const char *end, const char *text)
{
    return memmem(tag, (size_t)(end - tag), text, strlen(text));
}

static void begin_group(finisher *f, char *text)
{
    if (f->n == f->n_all) f->open = suite_longer(f->open, ++f->n_all, sizeof f->open[0]);
    f->open[f->n++] = (group){text, false};
}

/* Before anything else is written: the path of marks ends. */
static void end_path(finisher *f)
{
    if (f->has_path) svg_mark_end(f->out);
    f->has_path = false;
}

/* Goes on with groups that were held as the next ones from open[next] on, and ends the others. */
static void release(finisher *f, size_t next)
{
    for (; f->n_held > 0 && next < f->n && strcmp(f->open[next].text, f->held[f->n_held - 1]) == 0;
         next++) {
        f->open[next].is_written = true;
        free(f->held[--f->n_held]);
    }
    while (f->n_held > 0) {
        end_path(f);
        fputs("</g>\n", f->out);
        free(f->held[--f->n_held]);
    }
}

/* Before a content: the groups around it. */
static void write_groups(finisher *f)
{
    size_t k = 0;
    while (k < f->n && f->open[k].is_written) k++;
    release(f, k);
    for (; k < f->n; k++) {
        if (f->open[k].is_written) continue;
        end_path(f);
        fprintf(f->out, "%s\n", f->open[k].text);
        f->open[k].is_written = true;
    }
}

/* A group without a content is left out. */
static void end_group(finisher *f)
{
    if (f->n == 0) return;
    group ended = f->open[--f->n];
    if (!ended.is_written) {
        free(ended.text);
        return;
    }
    if (f->n_held == f->n_held_all)
        f->held = suite_longer(f->held, ++f->n_held_all, sizeof f->held[0]);
    f->held[f->n_held++] = ended.text;
}

static void write_content(finisher *f, const char *from, const char *to)
{
    write_groups(f);
    end_path(f);
    fprintf(f->out, "%.*s\n", (int)(to - from), from);
}

/* A dot or a box goes on with the path of those before it, if it is like them. */
static bool write_mark(finisher *f, const char *tag)
{
    svg_mark mark;
    if (!svg_mark_read(tag, &mark)) return false;
    write_groups(f);
    if (f->has_path && svg_mark_is_alike(&f->mark, &mark)) svg_mark_add(f->out, &f->mark, &mark);
    else {
        end_path(f);
        svg_mark_begin(f->out, &mark);
    }
    f->mark = mark;
    f->has_path = true;
    return true;
}

/* The name of the series as an attribute: in gnuplot's file it is a text, which may have quotes. */
static char *named(const finisher *f, const char *kind)
{
    char *text = suite_text("<g class=\"%s\" data-name=\"", kind);
    for (int k = 0; k < f->name_length; k++) {
        char *longer =
            f->name[k] == '"' ? suite_text("%s&quot;", text) : suite_text("%s%c", text, f->name[k]);
        free(text);
        text = longer;
    }
    char *whole = suite_text("%s\">", text);
    free(text);
    return whole;
}

/* A plot without a name: figures.js gives it to the series of its colour. */
static const char part[] = "<g class=\"part\">";

/* <g id="NAME_plot_1a" ><title>TITLE</title>; without a title of its own it has the id as one. */
static void begin_plot(finisher *f, const char *end)
{
    const char *title = behind(end, "<title>"), *last = strstr(title, "</title>");
    if (!last) last = title;
    f->name_length = (int)(last - title);
    f->name = f->name_length > 0 && !within(title, last, "_plot_") ? title : NULL;
    f->at = behind(last, "</title>");
    f->is_new = true;
    begin_group(f, f->name ? named(f, "series") : suite_copy(part));
}

/* A plot without a title has that of its points. */
static void name_plot(finisher *f, const char *name, int length)
{
    f->name = name;
    f->name_length = length;
    for (size_t k = f->n; k-- > 0;)
        if (!f->open[k].is_written && strcmp(f->open[k].text, part) == 0) {
            free(f->open[k].text);
            f->open[k].text = named(f, "series");
            return;
        }
}

static void remember(finisher *f, const char *told, int length)
{
    if (!f->name) return;
    if (f->is_new) {
        const char *bar = memchr(f->name, '|', (size_t)f->name_length);
        f->points = suite_longer(f->points, f->n_points + 1, sizeof f->points[0]);
        f->points[f->n_points++] =
            (series){.name = f->name,
                     .name_length = bar ? (int)(bar - f->name) : f->name_length,
                     .first = told,
                     .first_length = length};
        f->is_new = false;
    }
    f->points[f->n_points - 1].last = told;
    f->points[f->n_points - 1].last_length = length;
}

/* What all points have in common: they are there for the mouse, and are not seen. */
static const char points[] = "<g fill=\"#fff\" fill-opacity=\"0\" stroke=\"none\">";

/* <g onmousemove="gnuplot_svg.showHypertext(evt,'TITLE\nTEXT')" ...><title> </title><use
   transform='translate(X,Y) ...'/></g> */
static void write_point(finisher *f, const char *text)
{
    const char *last = strstr(text, "')\""), *place = strstr(text, "translate("),
               *group = strstr(text, "</g>");
    if (!last || !place || !group || place > group) return;
    place += strlen("translate(");
    const char *comma = strchr(place, ','), *close = strchr(place, ')');
    const char *line = within(text, last, "\\n");
    f->at = group + strlen("</g>");
    if (line && !f->name) name_plot(f, text, (int)(line - text));
    if (line) text = line + strlen("\\n");
    if (!comma || !close || comma > close) return;
    begin_group(f, suite_copy(points));
    write_groups(f);
    end_path(f);
    fprintf(f->out,
            "<circle class=\"point\" cx=\"%.*s\" cy=\"%.*s\" r=\"6\"><title>%.*s</title>"
            "</circle>\n",
            (int)(comma - place), place, (int)(close - comma - 1), comma + 1, (int)(last - text),
            text);
    end_group(f);
    remember(f, text, (int)(last - text));
}

static void read_group(finisher *f, const char *end)
{
    static const char told[] = "gnuplot_svg.showHypertext(evt,'";
    static const char usual[] = " stroke-linecap=\"butt\" stroke-linejoin=\"miter\"";
    const char *tag = f->at, *found;
    f->at = end;
    if ((found = within(tag, end, told))) write_point(f, found + strlen(told));
    else if (within(tag, end, "_keyentry\""))
        begin_group(f, f->name ? named(f, "key") : suite_copy("<g>"));
    else if (within(tag, end, "_plot_")) begin_plot(f, end);
    else if ((found = within(tag, end, " onclick=")))
        begin_group(f, suite_text("%.*s>", (int)(found - tag), tag));
    else if ((found = within(tag, end, usual)))
        begin_group(f, suite_text("%.*s>", (int)(found - tag), tag));
    else begin_group(f, suite_text("%.*s", (int)(end - tag), tag));
}

/* Elements that are of gnuplot's mouse alone. */
static bool skip_element(finisher *f, const char *end)
{
    static const char *const of_mouse[] = {"<text id=\"coord_text\"", "<rect id=\"hypertextbox\"",
                                           "<text id=\"hypertext\"", "<image id=\"hyperimage\""};
    bool skipped = within(f->at, end, "gnuplot_svg.toggleGrid") != NULL;
    if (skipped) f->at = end;
    else if (begins(f->at, "<script")) {
        f->at = end[-2] == '/' ? end : behind(end, "</script>");
        skipped = true;
    }
    for (size_t k = 0; !skipped && k < sizeof of_mouse / sizeof of_mouse[0]; k++)
        if (begins(f->at, of_mouse[k])) {
            f->at = begins(f->at, "<text") ? behind(f->at, "</text>") : end;
            skipped = true;
        }
    return skipped;
}

/* An element that is copied whole, or its first tag. */
static const char *end_of_element(const char *tag, const char *end)
{
    static const char *const whole[][2] = {
        {"<text", "</text>"}, {"<defs>", "</defs>"}, {"<title>", "</title>"}};
    for (size_t k = 0; k < sizeof whole / sizeof whole[0]; k++)
        if (begins(tag, whole[k][0])) return behind(tag, whole[k][1]);
    return end;
}

/* Returns true for a mark without a size, or for the mark of a key that lies outside. */
static bool is_nothing(const char *tag, const char *end)
{
    const char *place = within(tag, end, "translate(");
    if (!begins(tag, "<use") || !place) return false;
    return within(tag, end, " scale(0.00)") || strtod(place + strlen("translate("), NULL) > 1e5;
}

/* A circle that gnuplot filled or drew. */
static bool write_circle(finisher *f, const char *tag, const char *end)
{
    const char *paint, *corners;
    double centre[2], radius;
    if (begins(tag, "<polygon")) {
        paint = within(tag, end, "fill = ");
        corners = within(tag, end, "points = '");
    } else if (begins(tag, "<path")) {
        paint = within(tag, end, "stroke=");
        corners = within(tag, end, "d='");
    } else return false;
    if (!paint || !corners || paint > corners) return false;
    const char *list = strchr(corners, '\'') + 1;
    if (!svg_round(list, end, centre, &radius)) return false;
    int length = (int)(corners - paint);
    while (length > 0 && paint[length - 1] == ' ') length--;
    write_groups(f);
    end_path(f);
    fprintf(f->out, "<circle %.*s cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"/>\n", length, paint, centre[0],
            centre[1], radius);
    return true;
}

static void read_tag(finisher *f)
{
    const char *tag = f->at, *end = behind(tag, ">"), *found;
    if (begins(tag, "<!--")) f->at = behind(tag, "-->");
    else if (begins(tag, "<g ") || begins(tag, "<g>")) read_group(f, end);
    else if (begins(tag, "</g>")) {
        end_group(f);
        f->at = end;
    } else if (skip_element(f, end)) return;
    else if (begins(tag, "<svg") && (found = within(tag, end, "width="))) {
        end_path(f);
        fprintf(f->out, "<svg %.*s\n", (int)(end - found), found);
        f->at = end;
    } else if (begins(tag, "<rect") && (found = within(tag, end, " stroke=\"black\""))
               && within(tag, end, "onclick=")) {
        end_path(f);
        fprintf(f->out, "%.*s/>\n", (int)(found - tag), tag);
        f->at = end;
    } else if (begins(tag, "</svg>")) {
        release(f, f->n);
        end_path(f);
        fputs("</svg>\n", f->out);
        f->at = end;
    } else {
        f->at = end_of_element(tag, end);
        if (!is_nothing(tag, end) && !write_mark(f, tag) && !write_circle(f, tag, end))
            write_content(f, tag, f->at);
    }
}

/* The numbers that matter, for who does not see the figure. */
static void write_description(const finisher *f, FILE *out)
{
    enum { MOST = 16 };
    fputs("<desc>", out);
    for (size_t k = 0; k < f->n_points && k < MOST; k++) {
        const series *s = &f->points[k];
        const bool several = s->last != s->first;
        fprintf(out, "%s%.*s: %s%.*s", k ? ". " : "", s->name_length, s->name,
                several ? "first " : "", s->first_length, s->first);
        if (several) fprintf(out, "; last %.*s", s->last_length, s->last);
    }
    fprintf(out, "%s</desc>\n", f->n_points > MOST ? ", and more." : f->n_points ? "." : "");
}

static bool write_file(const char *path, const finisher *f, const char *text, size_t described,
                       size_t length)
{
    FILE *file = fopen(path, "w");
    if (!file) return false;
    bool written = fwrite(text, 1, described, file) == described;
    write_description(f, file);
    written =
        fwrite(text + described, 1, length - described, file) == length - described && written;
    return fclose(file) == 0 && written;
}

bool svg_finish(const char *path)
{
    char *svg = suite_file_text(path), *text = NULL;
    size_t length = 0, described = 0;
    finisher f = {.out = svg ? open_memstream(&text, &length) : NULL, .at = svg};
    if (!f.out) {
        free(svg);
        return false;
    }
    while (*f.at) {
        f.at += strcspn(f.at, "<");
        if (begins(f.at, "<desc>")) {
            fflush(f.out);
            described = length;
            f.at = behind(f.at, "</desc>");
        } else if (*f.at) read_tag(&f);
    }
    bool written = fclose(f.out) == 0 && write_file(path, &f, text, described, length);
    for (size_t k = 0; k < f.n; k++) free(f.open[k].text);
    for (size_t k = 0; k < f.n_held; k++) free(f.held[k]);
    free(f.held);
    free(f.open);
    free(f.points);
    free(text);
    free(svg);
    return written;
}

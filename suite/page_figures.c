/* SPDX-License-Identifier: BSD-3-Clause */
/* page_figures.c: the figures of a run, each with the words that its script has for it. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "html.h"
#include "memory.h"
#include "page.h"
#include "svg.h"

/* The lines "# caption:" of a figure's script, each with a blank behind it; the caller frees. */
static char *read_caption(const char *script)
{
    static const char key[] = "# caption: ";
    char *caption = suite_copy(""), *line = NULL;
    size_t capacity = 0;
    FILE *file = fopen(script, "r");
    while (file && getline(&line, &capacity, file) > 0) {
        if (strncmp(line, key, strlen(key)) != 0) continue;
        line[strcspn(line, "\n")] = '\0';
        char *longer = suite_text("%s%s ", caption, line + strlen(key));
        free(caption);
        caption = longer;
    }
    free(line);
    if (file) fclose(file);
    return caption;
}

/* What refused.gp drew: the words why there is no figure; the caller frees. NULL: it drew one. */
static char *read_refusal(const char *path)
{
    static const char words[] = "Not drawn: ";
    char *svg = suite_file_text(path), *text = NULL;
    const char *why = svg && strstr(svg, "height=\"60\"") ? strstr(svg, words) : NULL;
    if (why) text = strndup(why, strcspn(why, "<"));
    free(svg);
    return text;
}

static void print_drawing(const suite_page *page, const char *path, const char *id,
                          const char *title, const char *caption)
{
    html_print(page->out, "<figure id=\"%h\">\n<div class=\"drawing\">\n", id);
    if (!svg_copy(page->out, path, id, title, caption))
        html_print(page->out, "<p class=\"note\">gnuplot could not draw this figure.</p>\n");
    html_print(page->out, "</div>\n<figcaption>%h</figcaption>\n</figure>\n", caption);
}

void page_figure(suite_page *page, const suite_run *run, const char *figure, const char *id)
{
    char *script = suite_figure_script(page->home, run, figure), *caption = read_caption(script);
    char *title = suite_text("%s: %s", run->heading, figure);
    char *path = suite_folder_path(page->dir, id, "svg");
    char *refusal = read_refusal(path);
    if (refusal)
        html_print(page->out, "<p class=\"none\" id=\"%h\">%s: %s</p>\n", id, figure, refusal);
    else print_drawing(page, path, id, title, caption);
    free(refusal);
    free(script);
    free(caption);
    free(title);
    free(path);
}

static void print_levels(FILE *out, const cm_record *record)
{
    const char *launches = cm_record_meta(record, "launches");
    bool disturbed = suite_result_disturbed_rows(record) > 0;
    if (!launches && !disturbed) return;
    html_print(out, "<p>");
    if (launches)
        html_print(out,
                   "In the figures marks are medians over %h launches, thin bars the interval over "
                   "launches, wide pale bars the interval within a launch.%s",
                   launches, disturbed ? " " : "");
    if (disturbed) html_print(out, "Open marks could not be had undisturbed.");
    html_print(out, "</p>\n");
}

void page_figures_script(FILE *out, const suite_home *home)
{
    char *path = suite_home_file(home, "suite/figures.js"), *script = suite_file_text(path);
    if (script) html_print(out, "<script>//<![CDATA[\n%s//]]>\n</script>\n", script);
    free(script);
    free(path);
}

void page_figures(suite_page *page, const suite_run *run, const cm_record *record)
{
    if (!suite_result_crowded(record)) print_levels(page->out, record);
    for (size_t f = 0; f < run->n_figures; f++) {
        char *id = suite_text("%s-%s", run->name, run->figure[f]);
        page_figure(page, run, run->figure[f], id);
        free(id);
    }
}

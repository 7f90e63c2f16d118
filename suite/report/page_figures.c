/* SPDX-License-Identifier: BSD-3-Clause */
/* page_figures.c: the figures of a run, each with the words that its script has for it. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "common/quantity.h"
#include "common/unit.h"
#include "page.h"
#include "figures/svg.h"
#include "pages.h"

/* Returns the text of a caption's line, "# caption: TEXT" or, if the figure shows WORDS, "# caption
   [WORDS]: TEXT"; NULL: it has none. */
static const char *caption_line(const char *line, const char *svg)
{
    static const char key[] = "# caption";
    if (strncmp(line, key, strlen(key)) != 0) return NULL;
    line += strlen(key);
    const char *end = strstr(line, "]: ");
    if (strncmp(line, " [", 2) == 0 && end) {
        char *words = suite_text("%.*s", (int)(end - line - 2), line + 2);
        const bool shown = svg && strstr(svg, words);
        free(words);
        return shown ? end + strlen("]: ") : NULL;
    }
    return strncmp(line, ": ", 2) == 0 ? line + 2 : NULL;
}

/* The caption of a figure's script, of the lines that are about what the figure shows, each with a
   blank behind it; the caller frees. */
static char *read_caption(const char *script, const char *figure)
{
    char *caption = suite_copy(""), *line = NULL, *svg = suite_file_text(figure);
    size_t capacity = 0;
    FILE *file = fopen(script, "r");
    while (file && getline(&line, &capacity, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        const char *text = caption_line(line, svg);
        if (!text) continue;
        char *longer = suite_text("%s%s ", caption, text);
        free(caption);
        caption = longer;
    }
    free(line);
    free(svg);
    if (file) fclose(file);
    return caption;
}

/* For those who do not see the figure: its caption, and the number that answers the question of its
   benchmark. The caller frees. */
static char *description(suite_page *page, const suite_run *run, const char *caption)
{
    const cm_record *record = suite_results_find(&page->shown.results, run->name);
    if (!record) return suite_copy(caption);
    const cm_record_metric *metric = page_headline(page, run, record);
    char *program = suite_home_program(page->home, run->folder, run->program);
    char *label = suite_metrics_label(&page->metrics, program, metric->name);
    char unit[SUITE_UNIT];
    const cm_quantity q = suite_quantity_of(metric);
    suite_digits digits =
        suite_digits_easy(q.value, q.low, q.high, metric->unit, metric->name, unit);
    char *values = q.n > 0 ? suite_counted(q.n, q.over) : NULL;
    char *text = said_figure_words(caption, label, digits.value, unit,
                                   cm_quantity_has_interval(&q) ? digits.low : NULL, digits.high,
                                   q.kind == CM_INTERVAL_RANGE, values);
    free(program);
    free(label);
    free(values);
    return text;
}

/* Returns the words that refused.gp drew in place of a figure; the caller frees them. NULL: it drew
   a figure. */
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
                          const char *title, const char *words, const char *caption)
{
    piece_figure_begin(page->out, id);
    if (!svg_copy(page->out, path, id, title, words)) piece_figure_failed(page->out);
    piece_figure_end(page->out, caption);
}

/* run: NULL if it is of several. */
static void print_figure(suite_page *page, const suite_run *run, const char *script,
                         const char *figure, const char *id, const char *title)
{
    char *path = suite_folder_path(page->dir, id, "svg");
    char *caption = read_caption(script, path);
    char *refusal = read_refusal(path);
    char *words = run ? description(page, run, caption) : suite_copy(caption);
    if (refusal) piece_figure_refused(page->out, id, figure, refusal);
    else print_drawing(page, path, id, title, words, caption);
    free(refusal);
    free(words);
    free(caption);
    free(path);
}

void page_figure(suite_page *page, const suite_run *run, const char *figure, const char *id)
{
    char *script = suite_figure_script(page->home, run, figure);
    char *title = suite_text("%s: %s", run->heading, figure);
    print_figure(page, run, script, figure, id, title);
    free(title);
    free(script);
}

void page_figure_of_suite(suite_page *page, const char *figure, const char *title)
{
    char *name = suite_text("suite/%s.gp", figure), *script = suite_home_file(page->home, name);
    print_figure(page, NULL, script, figure, figure, title);
    free(script);
    free(name);
}

void page_figures(suite_page *page, const suite_run *run, size_t from, size_t to)
{
    for (size_t f = from; f < to; f++) {
        char *id = suite_text("%s-%s", run->name, run->figure[f]);
        page_figure(page, run, run->figure[f], id);
        free(id);
    }
}

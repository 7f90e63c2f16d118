/* SPDX-License-Identifier: BSD-3-Clause */
/* page_result.c: a result: its checks and remarks, fits, winners, metadata and rows. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/html.h"
#include "common/memory.h"
#include "page.h"

static void print_checks(FILE *out, const cm_record *record)
{
    static const char boxes[] = "box: "; /* up to 2000 lines, which a figure shows */
    const char *launch = cm_record_meta(record, "launch_of_comments");
    if (record->n_checks + record->n_findings + record->n_comments == 0) return;
    html_print(out, "<h4>Checks and remarks%s%h</h4>\n<ul>\n", launch ? ", those of launch " : "",
               launch ? launch : "");
    for (size_t k = 0; k < record->n_checks; k++)
        html_print(out, "<li class=\"%s\">%h</li>\n", record->check[k].pass ? "pass" : "fail",
                   record->check[k].text);
    for (size_t k = 0; k < record->n_findings; k += cm_record_findings_said(record, k)) {
        char *said = suite_there(cm_record_finding_said(&record->finding[k]));
        html_print(out, "<li>%h</li>\n", said);
        free(said);
    }
    for (size_t k = 0; k < record->n_comments; k++)
        if (strncmp(record->comment[k], boxes, strlen(boxes)) != 0)
            html_print(out, "<li>%h</li>\n", record->comment[k]);
    html_print(out, "</ul>\n");
}

static bool is_error(const char *key)
{
    static const char end[] = "_error";
    size_t length = strlen(key), end_length = strlen(end);
    return length >= end_length && strcmp(key + length - end_length, end) == 0;
}

static void print_fits(FILE *out, const cm_record *record)
{
    if (record->n_fits == 0) return;
    html_print(
        out,
        "<h4>Fitted models</h4>\n<div class=\"wide\"><table><thead><tr><th scope=\"col\">Model</th>"
        "<th scope=\"col\">Parameter</th><th scope=\"col\" class=\"number\">Value</th>"
        "<th scope=\"col\" class=\"number\">Standard error</th></tr></thead>\n"
        "<tbody>\n");
    for (size_t k = 0; k < record->n_fits; k++) {
        const cm_record_fit *fit = &record->fit[k];
        if (is_error(fit->key)) continue;
        char *error = suite_text("%s_error", fit->key);
        const char *error_value = cm_record_fit_value(record, fit->model, error);
        html_print(out, "<tr><th scope=\"row\">%h</th><td>%h</td><td class=\"number\">", fit->model,
                   fit->key);
        page_number(out, fit->value);
        html_print(out, "</td><td class=\"number\">");
        page_number(out, error_value ? error_value : "");
        html_print(out, "</td></tr>\n");
        free(error);
    }
    html_print(out, "</tbody></table></div>\n");
}

static void print_head(FILE *out, const char *word)
{
    html_print(out, "<th scope=\"col\">%h</th>\n", word);
}

/* Each word of a line by print. */
static void print_words(FILE *out, const char *line, void (*print)(FILE *, const char *))
{
    char *copy = suite_copy(line), *rest = copy;
    for (char *word; (word = strsep(&rest, " \t"));)
        if (*word) print(out, word);
    free(copy);
}

/* Lines of words, the first of them the heads. */
static void print_fastest(FILE *out, const cm_record *record)
{
    if (record->n_fastest == 0) return;
    html_print(out, "<h4>What is the fastest where</h4>\n<div class=\"wide\"><table><caption>Next: "
                    "the second; ratio: how many times as long it takes. Where the intervals "
                    "overlap, this run does not tell which of the two is faster.</caption>\n"
                    "<thead><tr>\n");
    print_words(out, record->fastest[0], print_head);
    html_print(out, "</tr></thead>\n<tbody>\n");
    for (size_t k = 1; k < record->n_fastest; k++) {
        html_print(out, "<tr>");
        print_words(out, record->fastest[k], html_cell);
        html_print(out, "</tr>\n");
    }
    html_print(out, "</tbody></table></div>\n");
}

void page_result_answers(suite_page *page, const cm_record *record)
{
    if (record->n_checks + record->n_findings + record->n_comments + record->n_fits
            + record->n_fastest
        == 0)
        return;
    html_print(page->out, "<details><summary>Checks%s%s</summary>\n",
               record->n_fits ? ", fitted models" : "",
               record->n_fastest ? ", what is the fastest where" : "");
    print_checks(page->out, record);
    print_fits(page->out, record);
    print_fastest(page->out, record);
    html_print(page->out, "</details>\n");
}

static void print_files(const suite_page *page, const char *name, bool more)
{
    char *json = suite_folder_path(page->dir, name, "json");
    html_print(page->out, "<p>%s: <a href=\"%h.txt\">%h.txt</a>",
               more ? "All of them" : "The same numbers", name, name);
    if (access(json, F_OK) == 0)
        html_print(page->out, "; with every sample: <a href=\"%h.json\">%h.json</a>", name, name);
    html_print(page->out, ".</p>\n");
    free(json);
}

/* The rows of very long results stay in their files, so that the page can be opened. */
static void print_rows(suite_page *page, const char *name, const cm_record *record)
{
    enum { ROWS_MOST = 1000 };
    FILE *out = page->out;
    const size_t rows = record->n_rows < ROWS_MOST ? record->n_rows : ROWS_MOST;
    if (rows < record->n_rows)
        html_print(out, "<details><summary>The first %u of %u rows of the result</summary>\n", rows,
                   record->n_rows);
    else html_print(out, "<details><summary>All %u rows of the result</summary>\n", rows);
    if (!page->alone) print_files(page, name, rows < record->n_rows);
    html_print(out,
               "<div class=\"wide\" role=\"region\" aria-label=\"All rows\" tabindex=\"0\">"
               "<table class=\"rows\"><caption class=\"unseen\">All rows</caption><thead><tr>\n");
    for (size_t c = 0; c < record->n_columns; c++)
        html_print(out, "<th scope=\"col\">%h</th>\n", record->column[c]);
    html_print(out, "</tr></thead>\n<tbody>\n");
    for (size_t r = 0; r < rows; r++) {
        html_print(out, "<tr>");
        for (size_t c = 0; c < record->n_columns; c++)
            html_print(out, "<td>%h</td>", cm_record_cell(record, r, c));
        html_print(out, "</tr>\n");
    }
    html_print(out, "</tbody></table></div></details>\n");
}

void page_result_rows(suite_page *page, const char *name, const cm_record *record)
{
    html_print(page->out, "<details><summary>How it was measured</summary>\n");
    page_metadata(page, record, false, "Units stand in the names.");
    html_print(page->out, "</details>\n");
    if (record->n_rows > 0) print_rows(page, name, record);
}

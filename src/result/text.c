/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: the lines of a result, for people and gnuplot: those that a program prints and those of a
   record that was read. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

/* ---- Lines ----------------------------------------------------------------------------------- */

void cm_text_line(FILE *out, const char *key, const char *text)
{
    fprintf(out, "# %s%s%s\n", key ? key : "", key ? ": " : "", text);
}

void cm_text_cell(FILE *out, const char *before, int width, const char *text)
{
    fprintf(out, "%s%*s", before, width, text);
}

void cm_text_metric(FILE *out, const cm_record_metric *m)
{
    char text[64];
    double value;
    const bool number = cm_record_number(m->value, &value);
    if (number) cm_result_number_text(text, sizeof text, "%.6g", value);
    fprintf(out, "# RESULT: %s %s %s %s", m->pass ? "PASS" : "FAIL", m->name,
            number ? text : m->value, m->unit);
    if (isfinite(m->low) && isfinite(m->high) && m->interval)
        fprintf(out, " low=%.6g high=%.6g interval=%s", m->low, m->high, m->interval);
    if (m->over) fprintf(out, " over=%s n=%zu", m->over, m->n);
    if (m->tells || m->unseen)
        fprintf(out, " disturbed=%s", m->unseen ? "unknown" : m->disturbed ? "yes" : "no");
    fputc('\n', out);
}

/* ---- A record -------------------------------------------------------------------------------- */

static void put_rows(const cm_record *record, FILE *out)
{
    const size_t n = record->n_columns;
    int *width = calloc(n + 1, sizeof *width);
    for (size_t c = 0; c < n && width; c++) {
        width[c] = (int)strlen(record->column[c]);
        for (size_t r = 0; r < record->n_rows; r++) {
            const int length = (int)strlen(cm_record_cell(record, r, c));
            if (length > width[c]) width[c] = length;
        }
    }
    for (size_t line = 0; line <= record->n_rows && n > 0; line++) {
        for (size_t c = 0; c < n; c++)
            cm_text_cell(out, "  ", width ? width[c] : 0,
                         line ? cm_record_cell(record, line - 1, c) : record->column[c]);
        fputc('\n', out);
    }
    free(width);
}

/* Parameters of one model that follow each other share a line. */
static void put_comments(const cm_record *record, FILE *out)
{
    for (size_t k = 0; k < record->n_fastest; k++) cm_text_line(out, "fastest", record->fastest[k]);
    for (size_t k = 0; k < record->n_comments; k++) cm_text_line(out, NULL, record->comment[k]);
    for (size_t f = 0; f < record->n_fits;) {
        const cm_record_fit *fit = record->fit;
        const char *model = fit[f].model;
        fprintf(out, "# fit: model=%s", model);
        for (; f < record->n_fits && strcmp(fit[f].model, model) == 0; f++)
            fprintf(out, " %s=%s", fit[f].key, fit[f].value);
        fputc('\n', out);
    }
}

static void put_record(const cm_record *record, FILE *out)
{
    for (size_t m = 0; m < record->n_meta; m++)
        cm_text_line(out, record->meta[m].key, record->meta[m].value);
    put_rows(record, out);
    for (size_t k = 0, n; k < record->n_findings; k += n) {
        n = cm_record_findings_said(record, k);
        char *line = cm_record_finding_line(&record->finding[k], n);
        if (line) cm_text_line(out, NULL, line);
        free(line);
    }
    put_comments(record, out);
    for (size_t c = 0; c < record->n_checks; c++) cm_text_line(out, "CHECK", record->check[c].text);
    for (size_t v = 0; v < record->n_metrics; v++) cm_text_metric(out, &record->metric[v]);
}

static char *text_by(void (*put)(const cm_record *, FILE *), const cm_record *record)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    put(record, out);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

char *cm_record_text(const cm_record *record) { return text_by(put_record, record); }

char *cm_record_comments(const cm_record *record) { return text_by(put_comments, record); }

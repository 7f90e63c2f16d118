/* SPDX-License-Identifier: BSD-3-Clause */
/* record_text.c: the text of a record. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "record_write.h"

static void write_rows(const cm_record *record, FILE *out)
{
    int *width = suite_array(record->n_columns, sizeof *width);
    for (size_t c = 0; c < record->n_columns; c++) {
        width[c] = (int)strlen(record->column[c]);
        for (size_t r = 0; r < record->n_rows; r++) {
            const int length = (int)strlen(cm_record_cell(record, r, c));
            if (length > width[c]) width[c] = length;
        }
    }
    for (size_t line = 0; line <= record->n_rows && record->n_columns; line++) {
        for (size_t c = 0; c < record->n_columns; c++)
            fprintf(out, "  %*s", width[c],
                    line ? cm_record_cell(record, line - 1, c) : record->column[c]);
        fputc('\n', out);
    }
    free(width);
}

static void add_line(suite_words *lines, char *line)
{
    suite_words_add(lines, line);
    free(line);
}

/* Parameters of one model that follow each other share a line. */
static void add_fits(const cm_record *record, suite_words *lines)
{
    for (size_t f = 0, next; f < record->n_fits; f = next) {
        const cm_record_fit *fit = record->fit;
        char *line = suite_text("fit: model=%s", fit[f].model);
        for (next = f; next < record->n_fits && strcmp(fit[next].model, fit[f].model) == 0;
             next++) {
            char *longer = suite_text("%s %s=%s", line, fit[next].key, fit[next].value);
            free(line);
            line = longer;
        }
        add_line(lines, line);
    }
}

suite_words suite_record_comments(const cm_record *record)
{
    suite_words lines = {0};
    for (size_t k = 0; k < record->n_fastest; k++)
        add_line(&lines, suite_text("fastest: %s", record->fastest[k]));
    for (size_t k = 0; k < record->n_comments; k++) suite_words_add(&lines, record->comment[k]);
    add_fits(record, &lines);
    return lines;
}

static void write_verdict(const cm_record_verdict *v, FILE *out)
{
    fprintf(out, "# RESULT: %s %s %s %s", v->pass ? "PASS" : "FAIL", v->metric, v->value, v->unit);
    if (isfinite(v->low) && isfinite(v->high) && v->interval)
        fprintf(out, " low=%.6g high=%.6g interval=%s", v->low, v->high, v->interval);
    if (v->over) fprintf(out, " over=%s n=%zu", v->over, v->n);
    if (v->tells) fprintf(out, " disturbed=%s", v->disturbed ? "yes" : "no");
    fputc('\n', out);
}

static void write_findings(const cm_record *record, FILE *out)
{
    for (size_t k = 0, n; k < record->n_findings; k += n) {
        n = cm_record_findings_said(record, k);
        char *line = suite_there(cm_record_finding_line(&record->finding[k], n));
        fprintf(out, "# %s\n", line);
        free(line);
    }
}

char *suite_record_text(const cm_record *record)
{
    char *text = NULL;
    size_t length;
    FILE *out = suite_there(open_memstream(&text, &length));
    for (size_t m = 0; m < record->n_meta; m++)
        fprintf(out, "# %s: %s\n", record->meta[m].key, record->meta[m].value);
    write_rows(record, out);
    write_findings(record, out);
    suite_words lines = suite_record_comments(record);
    for (size_t k = 0; k < lines.n; k++) fprintf(out, "# %s\n", lines.word[k]);
    suite_words_free(&lines);
    for (size_t c = 0; c < record->n_checks; c++)
        fprintf(out, "# CHECK: %s\n", record->check[c].text);
    for (size_t v = 0; v < record->n_verdicts; v++) write_verdict(&record->verdict[v], out);
    return fclose(out) == 0 ? text : suite_there(NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* combine_write.c: writes what launches say together, as text. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "combine_json.h"
#include "folder.h"
#include "launches.h"
#include "common/memory.h"
#include "common/say.h"

static void write_rows(const cm_record *record, FILE *out)
{
    for (size_t line = 0; line <= record->n_rows && record->n_columns; line++) {
        for (size_t c = 0; c < record->n_columns; c++) {
            size_t width = strlen(record->column[c]);
            for (size_t r = 0; r < record->n_rows; r++) {
                size_t length = strlen(cm_record_cell(record, r, c));
                if (length > width) width = length;
            }
            fprintf(out, "  %*s", (int)width,
                    line ? cm_record_cell(record, line - 1, c) : record->column[c]);
        }
        fputc('\n', out);
    }
}

/* Parameters of one model that follow each other share a line. */
static void write_fits(const cm_record *record, FILE *out)
{
    for (size_t f = 0; f < record->n_fits; f++) {
        const cm_record_fit *fit = &record->fit[f];
        if (f == 0 || strcmp(fit->model, fit[-1].model) != 0)
            fprintf(out, "%s# fit: model=%s", f ? "\n" : "", fit->model);
        fprintf(out, " %s=%s", fit->key, fit->value);
    }
    if (record->n_fits) fputc('\n', out);
}

static void write_verdict(const cm_record_verdict *v, FILE *out)
{
    fprintf(out, "# RESULT: %s %s %s %s", v->pass ? "PASS" : "FAIL", v->metric, v->value, v->unit);
    if (isfinite(v->low) && isfinite(v->high))
        fprintf(out, " low=%.6g high=%.6g interval=%s", v->low, v->high, v->interval);
    fprintf(out, " over=%s n=%zu", v->over, v->n);
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

static char *text_of(const cm_record *record)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    for (size_t m = 0; m < record->n_meta; m++)
        fprintf(out, "# %s: %s\n", record->meta[m].key, record->meta[m].value);
    write_rows(record, out);
    for (size_t k = 0; k < record->n_fastest; k++)
        fprintf(out, "# fastest: %s\n", record->fastest[k]);
    write_findings(record, out);
    for (size_t k = 0; k < record->n_comments; k++) fprintf(out, "# %s\n", record->comment[k]);
    for (size_t c = 0; c < record->n_checks; c++)
        fprintf(out, "# CHECK: %s\n", record->check[c].text);
    write_fits(record, out);
    for (size_t v = 0; v < record->n_verdicts; v++) write_verdict(&record->verdict[v], out);
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

bool suite_combined_write(const char *dir, const char *name, const suite_launches *launches,
                          const cm_record *combined, bool json, char *why, size_t why_size)
{
    /* The JSON first: the text is what says that the result is complete. */
    if (json) {
        char *text = suite_combined_json(dir, name, launches, combined, why, why_size);
        if (!text) suite_say("%s: %s", name, why);
        bool written = text && suite_folder_write(dir, name, "json", text);
        free(text);
        if (!written) return false;
    }
    char *text = text_of(combined);
    if (!text) suite_say("out of memory");
    bool written = text && suite_folder_write(dir, name, "txt", text);
    free(text);
    return written;
}

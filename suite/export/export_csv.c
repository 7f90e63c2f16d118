/* SPDX-License-Identifier: BSD-3-Clause */
/* export_csv.c: comma-separated values as RFC 4180 has them: a line a RESULT, below a header. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "export.h"
#include "common/memory.h"

/* A field is quoted if it has to be; quotes in it are doubled. */
static void field(FILE *out, const char *text, const char *end)
{
    if (!text) text = "";
    bool quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    if (quoted) fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputs(quoted ? "\"" : "", out);
    fputs(end, out);
}

/* What is not a number is an empty field. */
static void number(FILE *out, double value)
{
    if (isfinite(value)) fprintf(out, "%.10g", value);
    fputc(',', out);
}

static void count(FILE *out, size_t n)
{
    if (n > 0) fprintf(out, "%zu", n);
    fputc(',', out);
}

/* Labels with columns of their own. */
static const char *const columns[] = {"operation", "algorithm", "precision"};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static const char *truth(bool is) { return is ? "true" : "false"; }

/* Labels that have no column of their own: "kernel=lean on_ranks=4". */
static void others(FILE *out, const suite_labels *of)
{
    char *all = suite_copy("");
    for (size_t k = 0; k < of->n; k++) {
        const suite_label *label = &of->label[k];
        bool has_column = false;
        for (size_t c = 0; c < COLUMNS; c++) has_column |= strcmp(label->key, columns[c]) == 0;
        if (has_column || !*label->value) continue;
        char *longer = suite_text("%s%s%s=%s", all, *all ? " " : "", label->key, label->value);
        free(all);
        all = longer;
    }
    field(out, all, ",");
    free(all);
}

static void labels(FILE *out, const export_set *set, const export_result *r)
{
    field(out, r->of.quantity, ",");
    for (size_t c = 0; c < COLUMNS; c++) field(out, export_label(r, columns[c]), ",");
    others(out, &r->of);
    field(out, set->cluster, ",");
    field(out, r->host, ",");
}

bool export_csv(const export_set *set, FILE *out)
{
    static const char head[] = "value,unit,better,pass,low,high,interval,over,n,disturbed,hosts,"
                               "ranks,oversubscribed,date,meaning\r\n";
    fputs("benchmark,program,metric,", out);
    if (!set->flat) fputs("quantity,operation,algorithm,precision,labels,cluster,host,", out);
    fputs(head, out);
    for (size_t k = 0; k < set->n; k++) {
        const export_result *r = &set->result[k];
        const cm_record_metric *m = r->metric;
        const bool has = export_has_interval(r);
        field(out, r->benchmark, ",");
        field(out, r->program, ",");
        field(out, m->name, ",");
        if (!set->flat) labels(out, set, r);
        number(out, r->value);
        field(out, m->unit, ",");
        field(out, r->better, ",");
        field(out, truth(m->pass), ",");
        number(out, has ? m->low : NAN);
        number(out, has ? m->high : NAN);
        field(out, has ? m->interval : NULL, ",");
        field(out, m->over, ",");
        count(out, m->n);
        field(out, m->tells ? truth(m->disturbed) : NULL, ",");
        field(out, r->hosts, ",");
        field(out, r->ranks, ",");
        field(out, truth(r->oversubscribed), ",");
        field(out, export_told(set, "date"), ",");
        field(out, r->meaning, "\r\n");
    }
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* export_csv.c: comma-separated values as RFC 4180 has them: a line a RESULT, below a header. */
#include "config.h"
#include <math.h>
#include <string.h>
#include "export.h"

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

static const char *truth(bool is) { return is ? "true" : "false"; }

bool export_csv(const export_set *set, FILE *out)
{
    static const char head[] =
        "benchmark,program,metric,value,unit,better,pass,low,high,interval,over,n,disturbed,hosts,"
        "ranks,oversubscribed,date,meaning\r\n";
    fputs(head, out);
    for (size_t k = 0; k < set->n; k++) {
        const export_result *r = &set->result[k];
        const cm_record_verdict *v = r->verdict;
        const bool has = export_has_interval(r);
        field(out, r->benchmark, ",");
        field(out, r->program, ",");
        field(out, v->metric, ",");
        number(out, r->value);
        field(out, v->unit, ",");
        field(out, r->better, ",");
        field(out, truth(v->pass), ",");
        number(out, has ? v->low : NAN);
        number(out, has ? v->high : NAN);
        field(out, has ? v->interval : NULL, ",");
        field(out, v->over, ",");
        count(out, v->n);
        field(out, v->tells ? truth(v->disturbed) : NULL, ",");
        field(out, r->hosts, ",");
        field(out, r->ranks, ",");
        field(out, truth(r->oversubscribed), ",");
        field(out, export_told(set, "date"), ",");
        field(out, r->meaning, "\r\n");
    }
    return true;
}

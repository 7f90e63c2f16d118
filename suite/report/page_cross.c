/* SPDX-License-Identifier: BSD-3-Clause */
/* page_cross.c: the cross-checks: what several benchmarks measured of the same thing. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "common/memory.h"
#include "common/unit.h"
#include "page.h"
#include "pages.h"

/* ---- the line above the headlines ------------------------------------------------------------ */

void page_cross_line(suite_page *page)
{
    const suite_crosses *crosses = &page->crosses;
    bool any = false;
    if (crosses->disagree == 0) return;
    piece_cross_line_begin(page->out, crosses->disagree, crosses->n);
    for (size_t c = 0; c < crosses->n; c++) {
        const suite_cross *cross = &crosses->cross[c];
        if (!cross->differs && cross->odd == 0) continue;
        piece_cross_line_title(page->out, any, cross->agreement->title);
        any = true;
    }
    piece_cross_line_end(page->out);
}

/* ---- the section ----------------------------------------------------------------------------- */

static void print_remark(FILE *out, suite_cross_remark remark)
{
    static void (*const remarks[])(FILE *) = {[SUITE_CROSS_AGREES] = piece_cross_agrees,
                                              [SUITE_CROSS_OVERLAPS] = piece_cross_overlaps,
                                              [SUITE_CROSS_ODD] = piece_cross_odd,
                                              [SUITE_CROSS_DIFFERS] = piece_cross_differs,
                                              [SUITE_CROSS_OVERSUBSCRIBED] =
                                                  piece_cross_oversubscribed};
    remarks[remark](out);
}

static void print_value(suite_page *page, const suite_cross *cross, const suite_cross_value *value)
{
    char *title = suite_table_title(page->table, value->bench);
    const cm_quantity *q = &value->quantity;
    const bool known = cm_quantity_has_interval(q) && q->low < q->high;
    suite_digits digits = suite_digits_of(q->value, known ? q->low : NAN, known ? q->high : NAN);
    char *ratio = value->ratio > 0 ? suite_text("%.2f", value->ratio) : suite_copy("");
    char *values = q->n > 0 && q->over ? suite_counted(q->n, q->over) : NULL;
    char unit[SUITE_UNIT];
    suite_unit_said(cross->agreement->unit, unit);
    piece_cross_value(page->out, value->bench, title, digits.value, known ? digits.low : NULL,
                      digits.high, q->kind == CM_INTERVAL_RANGE, values, unit, ratio);
    print_remark(page->out, value->remark);
    free(title);
    free(values);
    free(ratio);
}

static void print_cross(suite_page *page, const suite_cross *cross)
{
    const suite_agreement *agreement = cross->agreement;
    char *percent = suite_cross_number(agreement->tolerance_percent);
    piece_cross(page->out, cross->n, agreement->title, percent, agreement->reason);
    for (size_t k = 0; k < cross->n; k++) {
        if (k > 0) piece_row_begin(page->out);
        print_value(page, cross, &cross->value[k]);
    }
    piece_tbody_end(page->out);
    free(percent);
}

void page_cross(suite_page *page)
{
    const suite_crosses *crosses = &page->crosses;
    if (crosses->n == 0) return;
    piece_cross_begin(page->out, crosses->n);
    for (size_t c = 0; c < crosses->n; c++) print_cross(page, &crosses->cross[c]);
    piece_cross_end(page->out);
}

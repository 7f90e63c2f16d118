/* SPDX-License-Identifier: BSD-3-Clause */
/* quantity.h: the numbers of results on a page, in the one form that all parts of it have: "0.167
   us, 0.164 to 0.175*, 3 launches". The digits are those of suite_digits_of (unit.h); a star marks
   ends that are a range, and no 95 % interval. */
#ifndef SUITE_QUANTITY_H
#define SUITE_QUANTITY_H

#include <stdio.h>
#include "measure/quantity.h"
#include "result/read.h"

/* The metric as a quantity in its own unit. value is NaN if it is no number. One value alone has no
   interval. */
cm_quantity suite_quantity_of(const cm_record_metric *metric);

/* Writes a quantity; nothing if it is NaN. The unit is that in which its value is easy to read;
   metric is for suite_unit_easy (unit.h). "": the unit stands elsewhere. */
void suite_quantity_print(FILE *out, const cm_quantity *quantity, const char *unit,
                          const char *metric);

/* The number as HTML, "1.30 x 10^9" of "1.30e9"; the caller frees. */
char *suite_number_html(const char *near);
/* Writes a number with few digits (near, of suite_digits_of) and, behind it, text: all of them. */
void suite_quantity_print_near(FILE *out, const char *text, const char *unit, const char *near);

#endif

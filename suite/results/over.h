/* SPDX-License-Identifier: BSD-3-Clause */
/* over.h: values of one quantity, such as one a launch, and numbers in the form of a cell. */
#ifndef SUITE_OVER_H
#define SUITE_OVER_H

#include <stdbool.h>
#include "measure/samples.h"

/* Adds the number in the text, if it is one. */
void suite_over_add(cm_samples *values, const char *text);
void suite_over_add_number(cm_samples *values, double number);
/* Their summary; all values are NaN without any. */
cm_summary suite_over_summary(const cm_samples *values);

/* The number in the form that the model, another cell of the column, has: with as many digits, an
   exponent if that has one. The caller frees. */
char *suite_over_cell(double number, const char *model);

#endif

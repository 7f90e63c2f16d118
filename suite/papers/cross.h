/* SPDX-License-Identifier: BSD-3-Clause */
/* cross.h: cross-checks: do the benchmarks that measure the same agree in this run? */
#ifndef SUITE_CROSS_H
#define SUITE_CROSS_H

#include <stdbool.h>
#include <stddef.h>
#include "agreement.h"

typedef enum {
    SUITE_CROSS_AGREES,
    SUITE_CROSS_OVERLAPS, /* beyond the tolerance, but its interval meets those of the others */
    SUITE_CROSS_ODD,      /* beyond the tolerance, while more than half of the values are not */
    SUITE_CROSS_DIFFERS,  /* the values disagree, and nothing says which is odd */
    SUITE_CROSS_OVERSUBSCRIBED /* more ranks than cores: not compared */
} suite_cross_remark;

typedef struct {
    const char *bench;
    cm_quantity quantity; /* in the agreement's unit; low and high are value without interval */
    double ratio;         /* to the median; 0: not compared */
    suite_cross_remark remark;
} suite_cross_value;

typedef struct {
    const suite_agreement *agreement;
    suite_cross_value *value; /* what was measured, in the order of the agreement */
    size_t n;
    size_t compared; /* values that are compared: at least 2 */
    size_t odd;      /* values that are odd */
    bool differs;    /* the compared values disagree, and nothing says which is odd */
    double median;   /* of the compared values */
} suite_cross;

typedef struct {
    suite_cross *cross;
    size_t n, disagree;
} suite_crosses;

/* Compares the results: one cross-check for each agreement with two or more values that can be
   compared. A value lies beyond the tolerance t (per cent) if its ratio to the median is above
   1 + t / 100 or below 1 / (1 + t / 100); of two values, if that holds of one's ratio to the other.
   It is excused if its interval meets those of at least half of the others, where a value without
   an interval is one of no width. Values that are not there, 0 or less, or of a wrong answer are
   left out. The agreements and the results' names must last as long as the cross-checks; free with
   suite_crosses_free. */
suite_crosses suite_crosses_find(const suite_agreements *agreements, const suite_results *results);
void suite_crosses_free(suite_crosses *crosses);

/* The number as tables show it; the caller frees. */
char *suite_cross_number(double value);

/* One sentence for each value that is odd, or for the whole cross-check if nothing says which is.
   Calls tell with each of them. */
void suite_cross_tell(const suite_cross *cross, const suite_table *table,
                      void (*tell)(const char *sentence));

#endif

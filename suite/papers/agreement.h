/* SPDX-License-Identifier: BSD-3-Clause */
/* agreement.h: what several benchmarks measure, each in its own way, and how far their values may
   lie apart: suite/agreements.tab (HACKING, "Agreements"). */
#ifndef SUITE_AGREEMENT_H
#define SUITE_AGREEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include "expression.h"
#include "common/table.h"

/* A value of an agreement: of the result bench, if its metadata meet the conditions. */
typedef struct {
    char *bench;
    suite_condition *condition; /* no value is NULL */
    size_t n_conditions;
    suite_expression expression; /* sources that name no benchmark are of bench */
} suite_measure;

typedef struct {
    char *title, *unit;
    double tolerance_percent; /* values agree if one is at most 1 + this / 100 times the other */
    char *reason;             /* of the tolerance */
    suite_measure *measure;
    size_t n; /* at least 2 */
} suite_agreement;

typedef struct {
    suite_agreement *agreement;
    size_t n;
} suite_agreements;

/* Reads suite/agreements.tab. Returns true, or prints one line with file, line and field for the
   first line that is wrong and returns false: it has not five fields, an empty one, a tolerance
   that is no number above 0, fewer than two values, a value of a run that the table does not have,
   or one that cannot be read. Free with suite_agreements_free, also after false. */
bool suite_agreements_read(const suite_home *home, const suite_table *table,
                           suite_agreements *agreements);
void suite_agreements_free(suite_agreements *agreements);

#endif

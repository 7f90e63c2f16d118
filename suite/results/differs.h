/* SPDX-License-Identifier: BSD-3-Clause */
/* differs.h: compares records, such as that of a folder with what its launches say together. */
#ifndef SUITE_DIFFERS_H
#define SUITE_DIFFERS_H

#include "result/read.h"

/* Returns the first thing in which the record is not as it should be, "latency_us is 14 us, not 15
   us", or NULL. All is compared but comments, whose words may change from version to version;
   numbers with the digits that both have. The caller frees. */
char *suite_record_differs(const cm_record *is, const cm_record *right);

#endif

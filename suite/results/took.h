/* SPDX-License-Identifier: BSD-3-Clause */
/* took.h: when a benchmark was launched first, and how long its launches took. */
#ifndef SUITE_TOOK_H
#define SUITE_TOOK_H

#include "result/read.h"

/* Metadata that `clustermark run` adds. Of a launch: how long it took, from the start of its
   launcher to its end. Of several launches that all say so: when the first one began, and how long
   they took together. */
#define SUITE_LAUNCH_S "launch_s"
#define SUITE_LAUNCHES_BEGUN "launches_begun"
#define SUITE_LAUNCHES_S "launches_s"

/* How long the launches of a result took, in seconds; NAN: it does not say. */
double suite_took_s(const cm_record *record);
/* The date at which the first of them began; NULL: it does not say. */
const char *suite_took_begun(const cm_record *record);

/* As the metadata have it: milliseconds, with as few digits as JSON gives back, "3.25", "3.0". The
   caller frees it. */
char *suite_took_number(double seconds);

/* Writes how long a launch took into the copies of its text and its JSON, of which all else stays
   as it is. NULL: a file is not as a program writes it. The caller frees them. */
char *suite_took_in_text(const char *text, double seconds);
char *suite_took_in_json(const char *json, double seconds);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* say.h: what clustermark says on stderr: lines that begin with its name. */
#ifndef SUITE_SAY_H
#define SUITE_SAY_H

/* One line, whatever bytes the text has. */
void suite_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same; returns the status, so that a caller can return it. */
int suite_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* variables.h: which environment variables go to ranks on other hosts: those of clustermark, and
   what the repeatable option --env names. */
#ifndef CM_LAUNCH_VARIABLES_H
#define CM_LAUNCH_VARIABLES_H

#include "option/option.h"

/* The values of all occurrences of the option called name in argv[1] .. argv[operands-1], which
   cm_option_parse has accepted: an array of pointers into argv, NULL-terminated, to be freed. NULL:
   out of memory. */
const char **variables_option(const cm_option *options, const char *name, int operands,
                              char **argv);

/* NAME=VALUE texts: clustermark's variables that are set, then those named. An array to be freed by
   variables_free; NULL: *wrong is the named one that is neither NAME=VALUE nor set, or NULL when
   out of memory. */
char **variables_collect(const char *const *named, const char **wrong);
void variables_free(char **variables);

#endif

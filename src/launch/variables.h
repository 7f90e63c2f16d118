/* SPDX-License-Identifier: BSD-3-Clause */
/* variables.h: the environment variables for ranks on other hosts: those of clustermark, OpenBLAS's
   choice of kernels, and those named by the repeatable option --env. */
#ifndef CM_LAUNCH_VARIABLES_H
#define CM_LAUNCH_VARIABLES_H

#include "option/option.h"

/* Returns the values of all occurrences of option name in argv[1] .. argv[operands-1], which
   cm_option_parse has accepted. The result is a NULL-terminated array of pointers into argv, which
   the caller frees; NULL if out of memory. */
const char **variables_option(const cm_option *options, const char *name, int operands,
                              char **argv);

/* Returns NAME=VALUE texts: clustermark's variables and OPENBLAS_CORETYPE, those that are set, then
   the named ones. Free the
   array by variables_free. On failure it returns NULL, and *wrong is the named variable that is
   neither NAME=VALUE nor set, or NULL if out of memory. */
char **variables_collect(const char *const *named, const char **wrong);
void variables_free(char **variables);

/* Gives those that have an old name the new one, so that the ranks do not tell of it again. Returns
   false if out of memory. */
bool variables_rename(char **variables);

#endif

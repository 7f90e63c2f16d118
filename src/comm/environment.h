/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.h: names and meanings of the CM_ environment variables, for manual pages and the
   like; needs no backend. Their values are read through backend.h. */
#ifndef CM_ENVIRONMENT_H
#define CM_ENVIRONMENT_H

/* Calls each once a variable; initial is its default as a user would write it, NULL: none. */
void cm_environment_each(void (*each)(const char *name, const char *initial, const char *meaning,
                                      void *context),
                         void *context);

#endif

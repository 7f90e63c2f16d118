/* SPDX-License-Identifier: BSD-3-Clause */
/* anonymous.h: a folder of results without the names of its site. */
#ifndef SUITE_ANONYMOUS_H
#define SUITE_ANONYMOUS_H

#include <stdbool.h>

/* Writes a copy of the results of dir into the folder to, which is there and empty, without the
   names of hosts, users and paths and without addresses (names.h). Pages and figures are not
   copied: they can be made from the copy. Says for the command on stderr what was replaced and what
   was not copied. Returns true, or prints one line and returns false. */
bool suite_anonymous_copy(const char *command, const char *dir, const char *to);

/* The same into a folder in TMPDIR, for a command that goes on with it; NULL after one line. The
   caller removes it by suite_anonymous_remove, which frees the name. */
char *suite_anonymous_temporary(const char *command, const char *dir);
void suite_anonymous_remove(char *copy);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* host_names.h: many names of hosts in few words, as Slurm writes them: n[0001-0517,0519],login. */
#ifndef SUITE_HOST_NAMES_H
#define SUITE_HOST_NAMES_H

#include <stddef.h>

/* The names in their order, with names that follow each other as ranges; the caller frees. At most
   `most` names and ranges are written, then how many hosts more there are. */
char *suite_host_names(const char *const *name, size_t n, size_t most);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* backends.h: DIR of `clustermark run --backend`: DIR/NAME is the folder of the results over the
   backend NAME, and DIR/run.txt lists the backends. */
#ifndef SUITE_BACKENDS_H
#define SUITE_BACKENDS_H

#include <stdbool.h>
#include "common/words.h"

/* Returns true if the folder has the results of several backends, and adds their names in the order
   in which they were given; the first is the one that the others are compared with. */
bool suite_backends_read(const char *dir, suite_words *names);

/* Returns true if the word can be a backend's name, and so that of a folder: small letters and
   digits. */
bool suite_backends_is_name(const char *word);

#endif

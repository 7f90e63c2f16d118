/* SPDX-License-Identifier: BSD-3-Clause */
/* combine_json.h: what launches say together, as JSON. */
#ifndef SUITE_COMBINE_JSON_H
#define SUITE_COMBINE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include "launches.h"

/* Returns true if the file is there and is a JSON object from its beginning to its end. */
bool suite_json_is_whole(const char *path);

/* Returns the JSON of the middle launch with rows, metrics and failed checks of all launches, and
   with a member "launches": each launch's file, which has the samples, and its metrics.
   Returns NULL with one line in why if a JSON cannot be read or this build has none. The
   caller frees. */
char *suite_combined_json(const char *dir, const char *name, const suite_launches *launches,
                          const cm_record *combined, char *why, size_t why_size);

#endif

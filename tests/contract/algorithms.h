/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h: the algorithms that the tests of collectives go through. */
#ifndef CM_CONTRACT_ALGORITHMS_H
#define CM_CONTRACT_ALGORITHMS_H

#include "contract.h"

/* At several parameters where they take one. */
#define NOTHING(name) name,
#define LEAVES(name) name ":1", name ":2", name ":3",
#define BYTES(name) name ":0", name ":1000", name ":4096",
#define NAMES(kind, builders, name, counts, least, properties) counts(name)

/* Calls each(algorithm, name) for every algorithm that collective has. */
UNUSED static void each_algorithm(cm_collective collective,
                                  void each(cm_collective, cm_algorithm, const char *name))
{
    static const char *const names[] = {CM_ALGORITHM_LIST(NAMES)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cm_algorithm algorithm;
        if (!cm_algorithm_parse(names[i], &algorithm))
            cm_abort(CM_EXIT_WRONG, "cm_algorithm_parse does not know %s", names[i]);
        if (cm_algorithm_available(collective, algorithm)) each(collective, algorithm, names[i]);
    }
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns_paper.c: the three tables of warschko-1995, section 6.1, from paper.dat. */
#include <math.h>
#include "patterns.h"

static const struct {
    patterns_pattern pattern;
    patterns_transfer transfer;
    int bytes;
    double time_us, MB_per_s;
} table[] = {
#include "patterns_paper.inc"
};

patterns_printed patterns_paper(patterns_pattern pattern, patterns_transfer transfer, int64_t bytes)
{
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].pattern == pattern && table[k].transfer == transfer && table[k].bytes == bytes)
            return (patterns_printed){table[k].time_us, table[k].MB_per_s};
    return (patterns_printed){NAN, NAN};
}

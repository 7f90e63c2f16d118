/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_paper.c: the table of warschko-1995, section 6.3, from paper.dat. */
#include <math.h>
#include "linpack_result.h"

enum { TIME_1, TIME_2, MFLOP_1, MFLOP_2, SPEED_UP };

static const struct {
    int order, what;
    double value;
} table[] = {
#include "linpack_paper.inc"
};

linpack_printed linpack_paper(int order)
{
    linpack_printed printed = {{NAN, NAN}, {NAN, NAN}, NAN};
    double *const at[] = {&printed.time_s[0], &printed.time_s[1], &printed.Mflop[0],
                          &printed.Mflop[1], &printed.speed_up};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (table[k].order == order) *at[table[k].what] = table[k].value;
    return printed;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_part.c: a BSPlib program whose SPMD part is a function, on fewer processes than there are:
   process 0 alone runs the code before and after it. */
#include <stdlib.h>
#include "bsp.h"
#include "tap.h"

static int wanted = 1000, sum = -1, part = -1;

static void spmd_part(void)
{
    bsp_begin(wanted);
    int p = bsp_nprocs(), one = bsp_pid() + 1;
    int *all = calloc((size_t)p, sizeof *all);
    bsp_push_reg(all, p * (int)sizeof *all);
    bsp_sync();
    bsp_put(0, &one, all, bsp_pid() * (int)sizeof one, sizeof one);
    bsp_pop_reg(all);
    bsp_sync();
    if (bsp_pid() == 0) {
        part = p;
        sum = 0;
        for (int s = 0; s < p; s++) sum += all[s];
    }
    free(all);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd_part, argc, argv);
    int before = bsp_nprocs();
    ok(bsp_pid() == 0, "process 0 alone is in main");
    wanted = 3;
    spmd_part();
    ok(part == (before < 3 ? before : 3), "as many processes as process 0 wants: %d of %d", part,
       before);
    ok(sum == part * (part + 1) / 2, "they were there");
    ok(bsp_nprocs() == before, "and main goes on");
    return tap_done();
}

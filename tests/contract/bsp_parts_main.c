/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_parts_main.c: a program whose first SPMD parts are in main, and the last one a function. */
#include "bsp.h"
#include "tap.h"

static int spmd_ranks;

static void function(void)
{
    bsp_begin(bsp_nprocs());
    int one = 1, all[1000] = {0}, n = 0;
    bsp_push_reg(all, sizeof all);
    bsp_sync();
    bsp_put(0, &one, all, bsp_pid() * (int)sizeof one, sizeof one);
    bsp_sync();
    for (int k = 0; k < 1000; k++) n += all[k];
    if (bsp_pid() == 0) spmd_ranks = n;
    bsp_end();
}

static int right_of_left(void)
{
    int p = bsp_nprocs(), s = bsp_pid(), got = -1;
    bsp_push_reg(&got, sizeof got);
    bsp_sync();
    bsp_put((s + 1) % p, &s, &got, 0, sizeof s);
    bsp_sync();
    return got == (s + p - 1) % p;
}

int main(int argc, char **argv)
{
    int all = bsp_nprocs();
    bsp_begin(2);
    int p = bsp_nprocs(), right = right_of_left();
    if (!right) bsp_abort("part 1, process %d\n", bsp_pid());
    bsp_end();

    bsp_begin(1000);
    int later = bsp_nprocs();
    right = right_of_left();
    if (!right) bsp_abort("part 2, process %d\n", bsp_pid());
    bsp_end();

    /* Process 0 only: the others wait in bsp_end for the function. */
    bsp_init(function, argc, argv);
    ok(bsp_pid() == 0, "process 0 goes on alone");
    ok(p == (all < 2 ? all : 2), "a part in main on %d of %d processes", p, all);
    ok(later == p, "the next one in main is on no more");
    function();
    ok(spmd_ranks == all, "one in a function is on all: %d", spmd_ranks);
    return tap_done();
}

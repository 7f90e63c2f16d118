/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_parts.c: a program of several SPMD parts, as MulticoreBSP allows: the same function again,
   and another one, on different numbers of processes. Process 0 alone runs the code between
   them. */
#include <stdlib.h>
#include "bsp.h"
#include "tap.h"

static int wanted, between; /* set by process 0 alone */
static int took_part, sum, others_between;

/* Adds up what all processes have; process 0 keeps the sum. */
static int sum_of(int mine)
{
    int p = bsp_nprocs(), total = 0, *all = calloc((size_t)p, sizeof *all);
    bsp_push_reg(all, p * (int)sizeof *all);
    bsp_sync();
    bsp_put(0, &mine, all, bsp_pid() * (int)sizeof mine, sizeof mine);
    bsp_sync();
    for (int s = 0; s < p; s++) total += all[s];
    bsp_pop_reg(all);
    bsp_sync();
    free(all);
    return total;
}

static void first(void)
{
    bsp_begin(wanted);
    int here = sum_of(bsp_pid() + 1), there = sum_of(bsp_pid() ? between : 0);
    if (bsp_pid() == 0) {
        took_part = bsp_nprocs();
        sum = here;
        others_between = there;
    }
    bsp_end();
}

/* Integrates 4 / (1 + x^2) numerically; process 0 fetches the parts itself. */
static double integral;

static void second(void)
{
    enum { N = 10000 };
    bsp_begin(wanted);
    double part = 0;
    bsp_push_reg(&part, sizeof part);
    bsp_sync();
    for (int k = bsp_pid(); k < N; k += bsp_nprocs()) {
        double x = (k + 0.5) / N;
        part += 4 / (1 + x * x) / N;
    }
    bsp_sync();
    if (bsp_pid() == 0) {
        integral = part;
        took_part = bsp_nprocs();
        for (int s = 1; s < bsp_nprocs(); s++) {
            bsp_direct_get(s, &part, 0, &part, sizeof part);
            integral += part;
        }
    }
    bsp_end();
}

static int least(int a, int b) { return a < b ? a : b; }

int main(int argc, char **argv)
{
    bsp_init(first, argc, argv);
    int all = bsp_nprocs();
    for (int n = 1; n <= 3; n++) {
        wanted = n == 2 ? 1 : 1000;
        first();
        between++;
        ok(took_part == least(wanted, all) && sum == took_part * (took_part + 1) / 2,
           "part %d: %d of %d processes", n, took_part, all);
        ok(others_between == 0, "only process 0 runs what is between the parts");
    }
    bsp_init(second, argc, argv);
    wanted = 2;
    second();
    ok(integral > 3.14159265 && integral < 3.14159266, "another function: %.9f", integral);
    ok(took_part == least(2, all), "on %d of %d processes", took_part, all);
    bsp_init(first, argc, argv);
    wanted = all;
    first();
    ok(took_part == all && sum == all * (all + 1) / 2, "the first one again");
    return tap_done();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_wrong.c: mistakes that BSPlib programs make; bsp_wrong.sh knows what is said of each. */
#include <stdio.h>
#include <string.h>
#include "bsp.h"

int main(int argc, char **argv)
{
    const char *mistake = argc > 1 ? argv[1] : "";
    int a[4] = {0}, b = 0, other = 0;
#define IS(name) (strcmp(mistake, name) == 0)
    if (IS("outside")) bsp_sync();
    bsp_begin(2);
    int s = bsp_pid(), last = s == bsp_nprocs() - 1;
    bsp_push_reg(a, s ? 8 : 16);
    bsp_push_reg(&b, sizeof b);
    bsp_sync();
    bsp_sync();
    if (IS("beyond") && !last) bsp_put(1, a, a, 4, 8);
    if (IS("beyond-hp") && !last) bsp_hpput(1, a, a, 8, 1);
    if (IS("beyond-get") && !last) bsp_get(1, a, 9, &other, 0), bsp_get(1, a, 8, &other, 4);
    if (IS("negative") && !last) bsp_put(1, a, a, -4, 4);
    if (IS("unregistered") && !last) bsp_put(0, &b, &other, 0, 4);
    if (IS("too-early")) {
        bsp_push_reg(&other, 4);
        if (!last) bsp_put(0, &b, &other, 0, 4);
    }
    if (IS("popped")) {
        bsp_pop_reg(&b);
        bsp_sync();
        if (!last) bsp_put(0, &b, &b, 0, 4);
    }
    if (IS("nobody") && !last) bsp_send(2, NULL, &b, 4);
    if (IS("pushes") && !last) bsp_push_reg(&other, 4);
    if (IS("pops")) bsp_pop_reg(s ? (void *)&b : (void *)a);
    if (IS("order")) {
        bsp_pop_reg(s ? (void *)&b : (void *)a);
        bsp_pop_reg(s ? (void *)a : (void *)&b);
    }
    if (IS("tags")) {
        int bytes = 4 * s;
        bsp_set_tagsize(&bytes);
    }
    if (IS("syncs") && !last) bsp_sync();
    if (IS("empty") && !last) bsp_move(&other, 4);
    if (IS("conflict")) bsp_put(0, &s, a, s ? 2 : 0, 4);
    if (IS("conflict-hp")) {
        static char area[100000];
        bsp_push_reg(area, sizeof area);
        bsp_sync();
        bsp_hpput(0, area, area, s ? 40000 : 0, 50000);
    }
    if (IS("beside")) bsp_put(0, &s, a, s ? 4 : 0, 4);
    if (IS("abort") && last) bsp_abort("all %d is lost\n", 42);
    bsp_sync();
    bsp_end();
    return 0;
}

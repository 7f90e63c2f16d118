/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_few.c: a BSPlib program whose main is the SPMD part, on fewer processes than there are. */
#include "bsp.h"
#include "tap.h"

int main(void)
{
    bsp_begin(2);
    int p = bsp_nprocs(), s = bsp_pid(), got = -1;
    bsp_push_reg(&got, sizeof got);
    bsp_sync();
    bsp_put((s + 1) % p, &s, &got, 0, sizeof s);
    bsp_sync();
    if (got != (s + p - 1) % p) bsp_abort("process %d has %d", s, got);
    if (s == 0) {
        ok(p == 1 || p == 2, "no more processes than wanted");
        tap_done();
    }
    bsp_end();
    return 0;
}

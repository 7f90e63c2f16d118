/* SPDX-License-Identifier: BSD-3-Clause */
/* own_names.c: a user's program whose names are words that the library might use itself. */
#include <stdio.h>
#include "comm/comm.h"

int engine = 5, state = 6, job = 7, transport = 8, areas = 9;

int main(int argc, char **argv)
{
    if (cm_init(&argc, &argv)) return 1;
    const int ranks = cm_size(cm_world());
    cm_finalize();
    if (ranks != 1 || engine != 5 || state != 6 || job != 7 || transport != 8 || areas != 9) {
        fprintf(stderr, "own_names: %d ranks; %d %d %d %d %d instead of 5 to 9\n", ranks, engine,
                state, job, transport, areas);
        return 1;
    }
    puts("own names are kept");
    return 0;
}

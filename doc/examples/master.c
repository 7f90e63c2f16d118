/* SPDX-License-Identifier: BSD-3-Clause */
/* master.c: the other ranks square numbers for rank 0, which goes on without dead ranks. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "comm/comm.h"

enum { UNITS = 1000, WORK = 1, RESULT = 2, END = 3 };

static void work(bool mortal)
{
    for (;;) {
        int64_t unit;
        cm_status status;
        cm_recv(cm_world(), &unit, sizeof unit, 0, CM_ANY, &status);
        if (status.failed == 0 || status.tag == END) return;
        if (mortal) raise(SIGKILL); /* to show what happens */
        unit *= unit;
        cm_send(cm_world(), &unit, sizeof unit, 0, RESULT);
    }
}

static int64_t lead(int size)
{
    static int64_t open[UNITS];
    int64_t result, sum = 0, *has = calloc((size_t)size, sizeof *has);
    int n_open = 0;
    if (!has) cm_abort(CM_EXIT_SYSTEM, "out of memory");
    while (n_open < UNITS) open[n_open] = n_open + 1, n_open++;

    for (int done = 0; done < UNITS;) {
        int working = 0;
        for (int w = 1; w < size; w++) {
            if (!has[w] && n_open > 0 && !cm_failed(cm_world(), w)) {
                has[w] = open[--n_open];
                cm_send(cm_world(), &has[w], sizeof has[w], w, WORK);
            }
            working += has[w] != 0;
        }
        if (!working) cm_abort(CM_EXIT_SYSTEM, "no worker is left");

        cm_status status;
        cm_recv(cm_world(), &result, sizeof result, CM_ANY, RESULT, &status);
        if (status.failed < 0) {
            sum += result;
            done++;
        } else if (has[status.failed]) {
            open[n_open++] = has[status.failed]; /* for another worker */
        }
        has[status.source] = 0;
    }
    for (int w = 1; w < size; w++) cm_send(cm_world(), NULL, 0, w, END);
    free(has);
    return sum;
}

int main(int argc, char **argv)
{
    int status = cm_init(&argc, &argv);
    if (status) return status;
    int rank = cm_rank(cm_world()), size = cm_size(cm_world());
    if ((status = cm_on_failure(CM_RETURN))) {
        cm_finalize();
        return status;
    }
    if (size < 2) cm_abort(CM_EXIT_USAGE, "a master needs workers");
    if (rank) {
        work(rank == size - 1);
    } else {
        int64_t sum = lead(size);
        int64_t right = (int64_t)UNITS * (UNITS + 1) * (2 * UNITS + 1) / 6;
        int left = size - 1 - cm_failures(cm_world());
        printf("%lld by %d of %d workers\n", (long long)sum, left, size - 1);
        if (sum != right) status = CM_EXIT_WRONG;
    }
    cm_finalize();
    return status;
}

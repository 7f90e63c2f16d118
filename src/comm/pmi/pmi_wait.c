/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_wait.c: waits for all ranks to join, but not for ever: a launcher need not notice that a rank
   has died before it had connections. */
#include "config.h"
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "comm/comm.h"
#include "comm/pmi/pmi_internal.h"

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits in the barrier until then. */
static int wait_until(cm_pmi *pmi, double until_s, bool *done)
{
    for (;;) {
        int status = cm_pmi_barrier_done(pmi, done);
        double left_s = until_s - now_s();
        if (status || *done || left_s <= 0) return status;
        struct pollfd readable = {.fd = pmi->fd, .events = POLLIN};
        poll(&readable, 1, left_s > 1 ? 1000 : (int)(1e3 * left_s) + 1);
    }
}

/* Says which ranks are missing. One of those that are there says it: the first. */
static int report(cm_pmi *pmi, double limit_s)
{
    enum { NAMED = 8 };
    int missing = 0, first_seen = -1;
    char names[16 * NAMED] = "";
    if (!pmi->protocol || !pmi->protocol->seen)
        return cm_pmi_failed(pmi,
                             "not all %d ranks have joined the job within %g s (CM_TIMEOUT_S); "
                             "this launcher does not tell which",
                             pmi->size, limit_s);
    for (int rank = 0; rank < pmi->size; rank++) {
        if (rank == pmi->rank || pmi->protocol->seen(pmi, rank)) {
            if (first_seen < 0) first_seen = rank;
            if (first_seen < pmi->rank) break; /* it says it */
        } else if (missing++ < NAMED)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%d",
                     *names ? ", " : "", rank);
    }
    if (first_seen < pmi->rank) {
        struct timespec second = {.tv_sec = 1}; /* for the line to come out first */
        nanosleep(&second, NULL);
        return CM_EXIT_SYSTEM;
    }
    char more[32] = "";
    if (missing > NAMED) snprintf(more, sizeof more, " and %d more", missing - NAMED);
    if (missing == 0)
        return cm_pmi_failed(pmi,
                             "all %d ranks have joined the job, but the launcher has not "
                             "brought them together within %g s (CM_TIMEOUT_S)",
                             pmi->size, limit_s);
    return cm_pmi_failed(pmi, "rank%s %s%s of %d %s not joined the job within %g s (CM_TIMEOUT_S)",
                         missing > 1 ? "s" : "", names, more, pmi->size,
                         missing > 1 ? "have" : "has", limit_s);
}

int cm_pmi_barrier_within(cm_pmi *pmi, double limit_s)
{
    const double begin_s = now_s(), show_s = limit_s < 4 ? limit_s / 4 : 1;
    bool done = false;
    int status = cm_pmi_barrier_start(pmi);
    if (!status) status = wait_until(pmi, begin_s + show_s, &done);
    if (!status && !done && pmi->protocol && pmi->protocol->show) status = pmi->protocol->show(pmi);
    if (!status && !done) status = wait_until(pmi, begin_s + limit_s, &done);
    if (status || done) return status;
    return report(pmi, limit_s);
}

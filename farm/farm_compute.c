/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_compute.c: what a worker does with a batch of units. */
#include "config.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "farm_unit.h"
#include "measure/clock.h"

struct farm_computer {
    farm_work work;
    farm_sha1 *sha1;
    const farm_multi *multi; /* NULL: one unit after the other */
    unsigned char *data;     /* one unit */
};

size_t farm_computer_bytes(const farm_work *work)
{
    return sizeof(farm_computer) + (work->kind == FARM_SHA1 ? work->unit_bytes : 0);
}

farm_computer *farm_computer_open(const farm_work *work, const char **why)
{
    farm_computer *computer = calloc(1, sizeof *computer);
    *why = "out of memory for units of work";
    if (!computer) return NULL;
    computer->work = *work;
    if (work->kind != FARM_SHA1) return computer;
    computer->data = malloc(work->unit_bytes);
    if (computer->data) {
        *why = "libcrypto does not do SHA-1 here";
        computer->sha1 = farm_sha1_open();
    }
    if (computer->sha1) {
        *why = "SHA-1 of several units at once differs from libcrypto's (--sha1 libcrypto does "
               "without)";
        if (work->sha1 != FARM_MULTI || !farm_multi_choose(computer->sha1, &computer->multi))
            return computer;
    }
    farm_computer_close(computer);
    return NULL;
}

void farm_computer_close(farm_computer *computer)
{
    if (!computer) return;
    farm_sha1_close(computer->sha1);
    free(computer->data);
    free(computer);
}

const char *farm_computer_sha1(const farm_computer *computer)
{
    return computer->multi ? computer->multi->name : "libcrypto";
}

/* ---- Kinds of work --------------------------------------------------------------------------- */

static bool sha1_units(farm_computer *computer, const uint32_t *unit, size_t n, farm_digest *sum)
{
    const farm_work *work = &computer->work;
    const farm_multi *multi = computer->multi;
    size_t k = 0, together = multi ? (size_t)multi->messages : 1;
    farm_digest digest[FARM_MOST_AT_ONCE];
    for (; multi && k + together <= n; k += together) {
        multi->units(unit + k, work->unit_bytes, digest);
        for (size_t i = 0; i < together; i++) farm_digest_add(sum, &digest[i]);
    }
    for (; k < n; k++) {
        farm_unit_fill(unit[k], 0, computer->data, work->unit_bytes);
        if (!farm_sha1_digest(computer->sha1, computer->data, work->unit_bytes, digest))
            return false;
        farm_digest_add(sum, digest);
    }
    return true;
}

static bool first_bytes(farm_computer *computer, const uint32_t *unit, size_t n, farm_digest *sum)
{
    (void)computer;
    for (size_t k = 0; k < n; k++) {
        farm_digest digest;
        farm_unit_fill(unit[k], 0, digest.byte, sizeof digest.byte);
        farm_digest_add(sum, &digest);
    }
    return true;
}

static bool spin_units(farm_computer *computer, const uint32_t *unit, size_t n, farm_digest *sum)
{
    double end_s = cm_clock_now_s() + (double)n * computer->work.spin_s;
    if (cm_comm_has(CM_HAS_SIMULATOR)) cm_compute(0, (double)n * computer->work.spin_s);
    else
        while (cm_clock_now_s() < end_s)
            if (computer->work.yields) sched_yield();
    return first_bytes(computer, unit, n, sum);
}

bool farm_compute(farm_computer *computer, const uint32_t *unit, size_t n, farm_digest *digest)
{
    static bool (*const kinds[])(farm_computer *, const uint32_t *, size_t, farm_digest *) = {
        [FARM_SHA1] = sha1_units,
        [FARM_SPIN] = spin_units,
        [FARM_NONE] = first_bytes,
    };
    memset(digest, 0, sizeof *digest);
    if (computer->work.kind == FARM_SHA1) cm_compute(0, (double)n * cm_item_s());
    return kinds[computer->work.kind](computer, unit, n, digest);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_compute.c: what a worker does with a batch of units. */
#include "config.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include "farm_unit.h"
#include "measure/clock.h"

struct farm_computer {
    farm_work work;
    farm_sha1 *sha1;
    unsigned char *data;         /* one unit */
};

size_t farm_computer_bytes(const farm_work *work)
{
    return sizeof(farm_computer) + (work->kind == FARM_SHA1 ? work->unit_bytes : 0);
}

/* Around the ends of the first blocks and where the padding takes a block more, lanes all
   different. */
static bool lanes_agree(farm_computer *computer)
{
    static const size_t length[] = {0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 200};
    unsigned char data[FARM_LANES][200];
    const unsigned char *lane[FARM_LANES];
    farm_digest ours[FARM_LANES], theirs;
    for (int k = 0; k < FARM_LANES; k++) {
        farm_unit_fill((uint32_t)k, 0, data[k], sizeof data[k]);
        lane[k] = data[k];
    }
    for (size_t i = 0; i < sizeof length / sizeof *length; i++) {
        farm_lanes_digest(lane, length[i], ours);
        for (int k = 0; k < FARM_LANES; k++)
            if (!farm_sha1_digest(computer->sha1, data[k], length[i], &theirs)
                || memcmp(&ours[k], &theirs, sizeof theirs) != 0)
                return false;
    }
    return true;
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
        *why = "SHA-1 of 16 units at once differs from libcrypto's (--sha1 libcrypto does without)";
        if (work->sha1 != FARM_MULTI || lanes_agree(computer)) return computer;
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

/* ---- Kinds of work --------------------------------------------------------------------------- */

static bool sha1_units(farm_computer *computer, const uint32_t *unit, size_t n, farm_digest *sum)
{
    const farm_work *work = &computer->work;
    farm_digest digest[FARM_LANES];
    size_t k = 0;
    for (; work->sha1 == FARM_MULTI && k + FARM_LANES <= n; k += FARM_LANES) {
        farm_lanes_units(unit + k, work->unit_bytes, digest);
        for (int i = 0; i < FARM_LANES; i++) farm_digest_add(sum, &digest[i]);
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
    while (cm_clock_now_s() < end_s)
        if (computer->work.yields) sched_yield();
    return first_bytes(computer, unit, n, sum);
}

bool farm_compute(farm_computer *computer, const uint32_t *unit, size_t n, farm_digest *digest)
{
    static bool (*const kinds[])(farm_computer *, const uint32_t *, size_t, farm_digest *) = {
        [FARM_SHA1] = sha1_units, [FARM_SPIN] = spin_units, [FARM_NONE] = first_bytes,
    };
    memset(digest, 0, sizeof *digest);
    return kinds[computer->work.kind](computer, unit, n, digest);
}

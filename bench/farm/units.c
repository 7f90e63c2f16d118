/* SPDX-License-Identifier: BSD-3-Clause */
/* units.c: what a unit of 32768 bytes costs cm-farm's workers, us: to make it, to hash it by
   libcrypto, both for units in turn, and both for 16 units at once. Usage: units UNITS. Prints the
   least of several times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../farm/farm_unit.h"
#include "measure/clock.h"

enum { UNIT_BYTES = 32768, TRIES = 9 };

static unsigned char data[UNIT_BYTES];
static farm_sha1 *sha1;
static farm_computer *computer;

static void make(uint32_t unit, farm_digest *digest)
{
    (void)digest;
    farm_unit_fill(unit, 0, data, sizeof data);
    __asm__ volatile("" : : "r"(data) : "memory");
}

static void hash(uint32_t unit, farm_digest *digest)
{
    (void)unit;
    if (!farm_sha1_digest(sha1, data, sizeof data, digest)) exit(3);
}

/* Every sixteenth time, sixteen. */
static void compute(uint32_t unit, farm_digest *digest)
{
    uint32_t units[FARM_LANES];
    if (unit % FARM_LANES) return;
    for (uint32_t k = 0; k < FARM_LANES; k++) units[k] = unit + k;
    if (!farm_compute(computer, units, FARM_LANES, digest)) exit(3);
}

static double least_us(void (*work)(uint32_t unit, farm_digest *digest), uint32_t units)
{
    double least_s = INFINITY;
    farm_digest digest;
    for (int k = 0; k < TRIES; k++) {
        double begun_s = cm_clock_now_s();
        for (uint32_t unit = 0; unit < units; unit++) work(unit, &digest);
        least_s = fmin(least_s, cm_clock_now_s() - begun_s);
    }
    return 1e6 * least_s / units;
}

int main(int argc, char **argv)
{
    uint32_t units = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 640;
    farm_work work = {.kind = FARM_SHA1, .unit_bytes = UNIT_BYTES};
    const char *why = "libcrypto does not do SHA-1 here";
    units -= units % FARM_LANES;
    sha1 = farm_sha1_open();
    if (!sha1 || units == 0) return 2;
    printf("%.4f %.4f", least_us(make, units), least_us(hash, units));
    for (int kind = FARM_LIBCRYPTO; kind <= FARM_MULTI; kind++) {
        work.sha1 = (farm_sha1_kind)kind;
        computer = farm_computer_open(&work, &why);
        if (!computer) {
            fprintf(stderr, "units: %s\n", why);
            return 3;
        }
        printf(" %.4f", least_us(compute, units));
        farm_computer_close(computer);
    }
    printf("\n");
    farm_sha1_close(sha1);
    return 0;
}

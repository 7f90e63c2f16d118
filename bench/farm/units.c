/* SPDX-License-Identifier: BSD-3-Clause */
/* units.c: the cost of a unit of 32768 bytes for cm-farm's workers in us: making it, hashing it by
   libcrypto, both for one unit after the other, and both for several units at once. Usage: units
   UNITS. Prints the minimum of several times. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "../../farm/farm_unit.h"
#include "measure/clock.h"

enum { UNIT_BYTES = 32768, TRIES = 15 };

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

/* Computes sixteen units at every sixteenth call. */
static void compute(uint32_t unit, farm_digest *digest)
{
    uint32_t units[FARM_MOST_AT_ONCE];
    if (unit % FARM_MOST_AT_ONCE) return;
    for (uint32_t k = 0; k < FARM_MOST_AT_ONCE; k++) units[k] = unit + k;
    if (!farm_compute(computer, units, FARM_MOST_AT_ONCE, digest)) exit(3);
}

static double pass_s(void (*work)(uint32_t unit, farm_digest *digest), uint32_t units)
{
    farm_digest digest;
    double begun_s = cm_clock_now_s();
    for (uint32_t unit = 0; unit < units; unit++) work(unit, &digest);
    return cm_clock_now_s() - begun_s;
}

static farm_computer *opened(farm_sha1_kind kind)
{
    const char *why = "";
    farm_computer *opened = farm_computer_open(
        &(farm_work){.kind = FARM_SHA1, .unit_bytes = UNIT_BYTES, .sha1 = kind}, &why);
    if (!opened) {
        fprintf(stderr, "units: %s\n", why);
        exit(3);
    }
    return opened;
}

/* Measures the kinds in turn, because the clock rate may change. */
int main(int argc, char **argv)
{
    enum { MAKE, HASH, LIBCRYPTO, MULTI, KINDS };
    uint32_t units = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 640;
    double least_s[KINDS] = {INFINITY, INFINITY, INFINITY, INFINITY};
    units -= units % FARM_MOST_AT_ONCE;
    sha1 = farm_sha1_open();
    if (!sha1 || units == 0) return 2;
    farm_computer *plain = opened(FARM_LIBCRYPTO), *multi = opened(FARM_MULTI);
    for (int k = 0; k < TRIES; k++) {
        least_s[MAKE] = fmin(least_s[MAKE], pass_s(make, units));
        least_s[HASH] = fmin(least_s[HASH], pass_s(hash, units));
        computer = plain;
        least_s[LIBCRYPTO] = fmin(least_s[LIBCRYPTO], pass_s(compute, units));
        computer = multi;
        least_s[MULTI] = fmin(least_s[MULTI], pass_s(compute, units));
    }
    for (int k = 0; k < KINDS; k++) printf("%.4f ", 1e6 * least_s[k] / units);
    printf("\n");
    farm_computer_close(plain);
    farm_computer_close(multi);
    farm_sha1_close(sha1);
    return 0;
}

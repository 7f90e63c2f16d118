/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_expected.c: the digest that the workers must find, and what computes one. */
#include "farm.h"

farm_computer *farm_computer_or_end(const farm_work *work)
{
    const char *why;
    farm_computer *computer = farm_computer_open(work, &why);
    if (!computer) cm_abort(CM_EXIT_SYSTEM, "%s", why);
    return computer;
}

static void plain_digest(const farm_work *work, int64_t first, int64_t n, farm_digest *digest)
{
    if (!farm_reference(work, (uint32_t)first, (uint32_t)n, digest))
        cm_abort(CM_EXIT_SYSTEM, "libcrypto does not do SHA-1 here, or no memory for a unit");
}

void farm_expect_first(farm_lead *l)
{
    const farm_options *o = l->table.options;
    l->digest_from = "known, from the plain program";
    if (!farm_known(&o->work, (uint32_t)o->units, &l->digest)) {
        l->digest_from = "the plain program, run on rank 0";
        plain_digest(&o->work, 0, o->units, &l->digest);
    }
    farm_expect(l, o->units);
}

void farm_expect(farm_lead *l, int64_t units)
{
    const farm_options *o = l->table.options;
    farm_digest more;
    if (units == l->expected_units) return;
    l->expected = l->digest;
    l->expected_units = units;
    if (units == o->units) return;
    plain_digest(&o->work, o->units, units - o->units, &more);
    farm_digest_add(&l->expected, &more);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_options.c: what goes beyond one option's range. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "farm.h"

/* "sha1", "none", "spin:MICROSECONDS" */
static bool parse_work(const char *text, farm_work *work)
{
    static const char spin[] = "spin:";
    const double most_us = 1e9;
    char *end;
    if (strcmp(text, "sha1") == 0) work->kind = FARM_SHA1;
    else if (strcmp(text, "none") == 0) work->kind = FARM_NONE;
    else if (strncmp(text, spin, sizeof spin - 1) == 0) {
        const char *number = text + sizeof spin - 1;
        double us = strtod(number, &end);
        if (end == number || *end || !(us >= 0 && us <= most_us)) return false;
        work->kind = FARM_SPIN;
        work->spin_s = 1e-6 * us;
    } else return false;
    return true;
}

static int64_t most_batch(const farm_options *options)
{
    farm_counts batches;
    farm_plan_batches(options, &batches);
    return batches.value[batches.n - 1];
}

int farm_options_check(const cm_program *program, void *of_program)
{
    farm_options *o = of_program;
    if (!parse_work(o->work_text, &o->work))
        return cm_option_error(program,
                               "--work %s: must be sha1, none or spin:MICROSECONDS "
                               "(0 to 1e9)",
                               o->work_text);
    if (o->workers_text)
        o->workers.n = (int)cm_option_integers(o->workers_text, 1, 1 << 30, o->workers.value,
                                               FARM_MOST_COUNTS);
    if (o->workers_text && o->workers.n == 0)
        return cm_option_error(program,
                               "--workers %s: must be at most %d numbers from 1, as "
                               "in 1,3,7",
                               o->workers_text, FARM_MOST_COUNTS);
    if (o->series && o->batch > 0)
        return cm_option_error(program,
                               "--batch %lld with --series, which has batches of its own; "
                               "leave one out",
                               (long long)o->batch);
    if (o->batch == 0) o->batch = o->protocol != FARM_GUIDED ? 1 : o->units < 100 ? o->units : 100;
    if (most_batch(o) > o->units)
        return cm_option_error(program, "--units %lld is below %s%lld%s", (long long)o->units,
                               o->series ? "" : "--batch ", (long long)most_batch(o),
                               o->series ? ", the largest batch of --series"
                                         : "; give as many or a smaller batch");
    if (o->protocol == FARM_PAPER && o->credit > 1)
        return cm_option_error(program,
                               "--credit %lld with --protocol paper, which has one batch "
                               "in flight; --protocol credit has more",
                               (long long)o->credit);
    if (o->protocol != FARM_TREE && o->masters > 0)
        return cm_option_error(program,
                               "--masters %lld with --protocol %s, which has one; leave "
                               "it out, or --protocol tree",
                               (long long)o->masters, farm_protocols[o->protocol]);
    if (o->protocol == FARM_TREE && o->survive)
        return cm_option_error(program,
                               "--survive with --protocol tree, where a master may die "
                               "whose workers nobody else knows; another --protocol goes on");
    if (o->credit == 0) o->credit = o->protocol == FARM_CREDIT ? 8 : 1;
    o->work.unit_bytes = (size_t)o->unit_bytes;
    return cm_run_check_memory(program, farm_computer_bytes(&o->work), "--unit-bytes",
                               "--unit-bytes %lld", (long long)o->unit_bytes);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_check.c: whether the options are valid: by themselves, in this job, and for its memory. */
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

int farm_check(const cm_program *program, void *of_program)
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
                               "--batch %lld with --all-batches, which sets its own batches; omit "
                               "one of the two",
                               (long long)o->batch);
    if (o->batch == 0) o->batch = o->protocol != FARM_GUIDED ? 1 : o->units < 100 ? o->units : 100;
    if (most_batch(o) > o->units)
        return cm_option_error(program, "--units %lld is below %s%lld%s", (long long)o->units,
                               o->series ? "" : "--batch ", (long long)most_batch(o),
                               o->series ? ", the largest batch of --all-batches"
                                         : "; use more units or a smaller batch");
    if (o->protocol == FARM_PAPER && o->credit > 1)
        return cm_option_error(program,
                               "--credit %lld with --protocol paper, which has one batch "
                               "in flight; --protocol credit has more",
                               (long long)o->credit);
    if (o->protocol != FARM_TREE && o->masters > 0)
        return cm_option_error(program,
                               "--masters %lld with --protocol %s, which has one master; "
                               "use --protocol tree, or omit it",
                               (long long)o->masters, farm_protocols[o->protocol]);
    if (o->protocol == FARM_TREE && o->survive)
        return cm_option_error(program,
                               "--survive with --protocol tree: the workers of a master that "
                               "dies would be lost; use another --protocol");
    if (o->credit == 0) o->credit = o->protocol == FARM_CREDIT ? 8 : 1;
    o->work.unit_bytes = (size_t)o->unit_bytes;
    cm_sampling_check(&o->sampling);
    return cm_run_check_memory(program, farm_computer_bytes(&o->work), "--unit-bytes",
                               "--unit-bytes %lld", (long long)o->unit_bytes);
}

/* ---- In this job ----------------------------------------------------------------------------- */

int farm_refuse(const cm_program *program, const farm_options *options)
{
    int available = cm_size(cm_world()) - 1;
    int status = cm_run_require_processes(program, "do not compute");
    if (status) return status;
    if (options->survive && !cm_comm_has(CM_HAS_SURVIVAL))
        return cm_option_error(
            program, "--survive: this backend ends the job when a rank fails; use a build "
                     "--with-comm=sockets, shm or hybrid, started by cmrun --keep-going");
    if (options->protocol == FARM_TREE && available > 0) {
        if (available < 2)
            return cm_option_error(program, "--protocol tree: this job has 2 ranks; expected at "
                                            "least 3: a master, one below it and a worker");
        if (2 * options->masters > available)
            return cm_option_error(program,
                                   "--masters %lld: this job has %d ranks, and each "
                                   "master needs a worker: at most %d",
                                   (long long)options->masters, available + 1, available / 2);
        available -= farm_plan_masters(options, available);
    }
    for (int k = 0; k < options->workers.n; k++)
        if (options->workers.value[k] > available)
            return cm_option_error(program,
                                   "--workers %lld: this job has %d rank%s, %d of them %s: "
                                   "at most %d workers%s",
                                   (long long)options->workers.value[k], cm_size(cm_world()),
                                   cm_size(cm_world()) == 1 ? "" : "s",
                                   cm_size(cm_world()) - available,
                                   cm_size(cm_world()) - available > 1 ? "masters" : "the master",
                                   available, available > 0 ? "" : "; start more ranks");
    return options->survive && available > 0 ? cm_on_failure(CM_RETURN) : 0;
}

void farm_require_memory(const farm_options *o)
{
    cm_run_require_memory(farm_computer_bytes(&o->work), "--unit-bytes", "--unit-bytes %lld",
                          (long long)o->unit_bytes);
    /* Rank 0 holds all batches in flight, at most all units. */
    double batch = (double)most_batch(o);
    double flying = batch * (double)o->credit * (cm_size(cm_world()) - 1);
    double units = batch + fmin(flying, (double)o->units);
    cm_run_require_memory((size_t)(units * sizeof(uint32_t)), "--batch",
                          "--batch %lld with %lld in flight", (long long)most_batch(o),
                          (long long)o->credit);
}

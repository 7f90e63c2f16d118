/* SPDX-License-Identifier: BSD-3-Clause */
/* farm.c: cm-farm: a master gives units of work to workers, as pelikan-2007. */
#include <math.h>
#include "farm.h"

const char *const farm_sha1_kinds[] = {"libcrypto", "multi", NULL};
static const char *const coalesces[] = {"on", "off", NULL};

int main(int argc, char **argv)
{
    farm_options options = {
        .units = FARM_PAPER_UNITS,
        .unit_bytes = FARM_PAPER_UNIT_BYTES,
        .protocol = FARM_PAPER,
        .receive = FARM_ANY,
        .work_text = "sha1",
        /* No time limit: a row of the paper's size takes as long as it takes. */
        .sampling = {.rule = {.relative_half_width = 0.02, .time_limit_s = INFINITY},
                     .most = 1,
                     .warm_up_s = 0.1},
    };
    const cm_option table[] = {
        CM_HEADING("Work"),
        CM_INTEGER("units", 'n', "N", &options.units, 1, UINT32_MAX, "units of work"),
        CM_BYTES("unit-bytes", 0, "BYTES", &options.unit_bytes, 1, (double)((int64_t)1 << 40),
                 "what a worker makes of the 4 bytes that name a unit, and hashes"),
        CM_INTEGER(
            "batch", 'b', "N", &options.batch, 1, UINT32_MAX,
            "units in a message; 1 unless given; with --protocol guided the most, 100 unless "
            "given"),
        CM_FLAG("series", 's', &options.series,
                "the paper's tables: batches of 1, 2, 4, 10 and 100, and unless --workers says "
                "which, 1, 3, 7, 19, the powers of two and all workers"),
        CM_TEXT("workers", 'w', "LIST", &options.workers_text,
                "numbers of workers to run with, as in 1,3,7; all unless given"),
        CM_TEXT("work", 0, "KIND", &options.work_text,
                "sha1; none, which leaves the messages; or spin:MICROSECONDS a unit"),
        CM_CHOICE(
            "sha1", 0, "BY", &options.work.sha1, farm_sha1_kinds,
            "libcrypto, one unit after the other; multi: several units of a batch at once, by "
            "what is the fastest here"),
        CM_HEADING("Messages"),
        CM_CHOICE(
            "protocol", 'p', "NAME", &options.protocol, farm_protocols,
            "paper: a worker has one batch at a time; credit: it has --credit of them, and does "
            "not wait; guided: as paper, with batches that shrink towards the end; tree: "
            "masters below the first deal out blocks of batches, each to workers of its own"),
        CM_INTEGER(
            "credit", 'k', "K", &options.credit, 1, FARM_MOST_CREDIT,
            "batches in flight to each worker; 8 unless given with --protocol credit, else 1"),
        CM_INTEGER(
            "masters", 0, "M", &options.masters, 1, 1 << 30,
            "masters below the first with --protocol tree; about as many as each has workers "
            "unless given"),
        CM_CHOICE("receive", 'r', "HOW", &options.receive, farm_receives,
                  "how the master receives: from any source, by waiting for any or for some of its "
                  "posted receives, or from fixed sources in turn"),
        CM_CHOICE(
            "coalesce", 0, "WHETHER", &options.coalesce, coalesces,
            "several batches in flight: the master's messages to a worker that are ready together "
            "share a write, and results that took less than one (sockets backend)"),
        CM_FLAG("survive", 0, &options.survive,
                "give the batches of a worker that dies to the others (sockets backend, cmrun "
                "--keep-going)"),
        CM_HEADING("Sampling"),
        CM_SAMPLE_BIND(&options.sampling),
        CM_SAMPLE_HALF_WIDTH(&options.sampling),
        CM_SAMPLE_RUNS(&options.sampling),
        CM_SAMPLE_TIME_LIMIT(&options.sampling),
        CM_SAMPLE_WARM_UP(&options.sampling),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-farm",
        .purpose = "a master gives units of work to workers: rate, overhead and speed-up",
        .description =
            "Rank 0 is the master, all other ranks are workers. A message names a batch of units, "
            "the worker expands each to --unit-bytes, takes its SHA-1 digest and sends back the "
            "XOR of the batch's digests. The XOR of all is the same whatever the workers, the "
            "batches and the protocol, and is checked. Reported are time, messages a second, the "
            "overhead of a message against the largest batch, round trips, and in a series the "
            "speed-up with its fits, beside the paper's tables.\n\n"
            "One rank is master and worker in one, without messages.",
        .examples =
            "mpiexec -n 4 cm-farm --series --units 20000\tthe paper's tables with three workers\n"
            "cmrun -n 2 cm-farm --work none --protocol credit\thow many messages a second\n"
            "cmrun --keep-going -n 4 cm-farm --survive\tgoes on without workers that die\n",
        .options = table,
        .metrics = farm_metrics,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = farm_check,
        .least = 1,
        .run = farm_run_job,
    };
    return cm_run_main(&benchmark, argc, argv);
}

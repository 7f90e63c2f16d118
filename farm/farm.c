/* SPDX-License-Identifier: BSD-3-Clause */
/* farm.c: cm-farm: a master gives units of work to workers, as in pelikan-2007. */
#include <math.h>
#include "farm.h"

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
        CM_INTEGER("units", 'n', "N", &options.units, 1, UINT32_MAX,
                   "units of work; --all-batches rounds up to a multiple of the workers times 100"),
        CM_BYTES("unit-bytes", 0, "BYTES", &options.unit_bytes, 1, (double)((int64_t)1 << 40),
                 "size to which a worker expands a unit, and which it hashes"),
        CM_INTEGER(
            "batch", 'b', "N", &options.batch, 1, UINT32_MAX,
            "units in a message (default 1); with --protocol guided the maximum (default 100)"),
        CM_FLAG("all-batches", 's', &options.series,
                "the paper's tables: batches of 1, 2, 4, 10 and 100; without --workers 1, 3, 7 and "
                "19 workers, the powers of two, and all"),
        CM_TEXT("workers", 'w', "LIST", &options.workers_text,
                "numbers of workers to run with, such as 1,3,7 (default: all)"),
        CM_TEXT("work", 0, "KIND", &options.work_text,
                "sha1; none, only messages; or spin:MICROSECONDS for each unit"),
        CM_CHOICE(
            "sha1", 0, "BY", &options.work.sha1, farm_sha1_kinds,
            "libcrypto: one unit after the other; multi: several units of a batch at once, in the "
            "fastest way that this processor has"),
        CM_HEADING("Messages"),
        CM_CHOICE(
            "protocol", 'p', "NAME", &options.protocol, farm_protocols,
            "paper: a worker has one batch at a time; credit: it has --credit batches and does not "
            "wait; guided: as paper, with batches that shrink towards the end; tree: further "
            "masters get blocks of batches and deal them out, each to its own workers"),
        CM_INTEGER("credit", 'k', "K", &options.credit, 1, FARM_MOST_CREDIT,
                   "batches in flight to each worker (default 8 with --protocol credit, else 1)"),
        CM_INTEGER(
            "masters", 0, "M", &options.masters, 1, 1 << 30,
            "masters below the first with --protocol tree (default: about as many as each of them "
            "has workers)"),
        CM_CHOICE("receive", 'r', "HOW", &options.receive, farm_receives,
                  "how the master receives: from any source, by waiting for any or for some of its "
                  "posted receives, or from each worker in turn"),
        CM_CHOICE(
            "coalesce", 0, "WHETHER", &options.coalesce, coalesces,
            "with several batches in flight: combine messages of the master that are ready at the "
            "same time, and results that took less time than a write (sockets backend)"),
        CM_FLAG("survive", 0, &options.survive,
                "continue if a worker dies; others get its batches (not over MPI; needs cmrun "
                "with --keep-going)"),
        CM_SAMPLE_RUN_OPTIONS(&options.sampling, CM_SAMPLE_RUNS(&options.sampling)),
        CM_RESULT_OPTIONS(&options.files),
        CM_RENAMED("series", "all-batches"),
        {0},
    };
    const cm_program program = {
        .name = "cm-farm",
        .purpose = "a master gives units of work to workers: rate, overhead and speed-up",
        .description =
            "Rank 0 is the master, all other ranks are workers. A message names a batch of units. "
            "The worker expands each unit to --unit-bytes, takes its SHA-1 digest and sends back "
            "the XOR of the batch's digests. The XOR of all digests does not depend on the "
            "workers, the batches or the protocol; it is checked. The result has times, messages "
            "per second, the overhead of a message relative to the largest batch, and round trips; "
            "a series also has speed-ups with their fits, and the paper's tables beside ours. A "
            "value that the data do not determine is left out, and a comment says why.\n\n"
            "A single rank is both master and worker, without messages.",
        .examples =
            "mpiexec -n 4 cm-farm --all-batches --units 20000\tthe paper's tables with three "
            "workers\n"
            "cmrun -n 2 cm-farm --work none --protocol credit\tthe highest message rate\n"
            "cmrun --keep-going -n 4 cm-farm --survive\tcontinues without workers that die\n",
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

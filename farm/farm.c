/* SPDX-License-Identifier: BSD-3-Clause */
/* farm.c: cm-farm: a master gives units of work to workers, as pelikan-2007. */
#include <math.h>
#include "farm.h"

const char *const farm_sha1_kinds[] = {"libcrypto", "multi", NULL};
const char *const farm_coalesces[] = {"on", "off", NULL};

int main(int argc, char **argv)
{
    enum { MOST_REPEAT = 1000 };
    farm_options options = {
        .units = FARM_PAPER_UNITS,
        .unit_bytes = FARM_PAPER_UNIT_BYTES,
        .protocol = FARM_PAPER,
        .receive = FARM_ANY,
        .work_text = "sha1",
        .repeat = 1,
    };
    const cm_option table[] = {
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Work", 0, 0, 0},
        {CM_OPTION_INTEGER, "units", 'u', "N", &options.units, "units of work", 1, UINT32_MAX, 0},
        {CM_OPTION_BYTES, "unit-bytes", 0, "BYTES", &options.unit_bytes,
         "what a worker makes of the 4 bytes that name a unit, and hashes", 1,
         (double)((int64_t)1 << 40), 0},
        {CM_OPTION_INTEGER, "batch", 'b', "N", &options.batch,
         "units in a message; 1 unless given; with --protocol guided the most, 100 unless given", 1,
         UINT32_MAX, 0},
        {CM_OPTION_FLAG, "series", 's', 0, &options.series,
         "the paper's tables: batches of 1, 2, 4, 10 and 100, and unless --workers says which, 1, "
         "3, 7, 19, the powers of two and all workers", 0, 0, 0},
        {CM_OPTION_TEXT, "workers", 'w', "LIST", &options.workers_text,
         "numbers of workers to run with, as in 1,3,7; all unless given", 0, 0, 0},
        {CM_OPTION_TEXT, "work", 0, "KIND", &options.work_text,
         "sha1; none, which leaves the messages; or spin:MICROSECONDS a unit", 0, 0, 0},
        {CM_OPTION_CHOICE, "sha1", 0, "BY", &options.work.sha1,
         "libcrypto, one unit after the other; multi: several units of a batch at once, by what is "
         "the fastest here", 0, 0,
         farm_sha1_kinds},
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Messages", 0, 0, 0},
        {CM_OPTION_CHOICE, "protocol", 'p', "NAME", &options.protocol,
         "paper: a worker has one batch at a time; credit: it has --credit of them, and does not "
         "wait; guided: as paper, with batches that shrink towards the end; tree: masters below "
         "the first deal out blocks of batches, each to workers of its own", 0, 0, farm_protocols},
        {CM_OPTION_INTEGER, "credit", 'k', "K", &options.credit,
         "batches in flight to each worker; 8 unless given with --protocol credit, else 1", 1,
         FARM_MOST_CREDIT, 0},
        {CM_OPTION_INTEGER, "masters", 0, "M", &options.masters,
         "masters below the first with --protocol tree; about as many as each has workers unless "
         "given", 1, 1 << 30, 0},
        {CM_OPTION_CHOICE, "receive", 'r', "HOW", &options.receive,
         "how the master receives: from any source, by waiting for any or for some of its posted "
         "receives, or from fixed sources in turn", 0, 0, farm_receives},
        {CM_OPTION_CHOICE, "coalesce", 0, "WHETHER", &options.coalesce,
         "several batches in flight: the master's messages to a worker that are ready together "
         "share a write, and results that took less than one (sockets backend)", 0, 0,
         farm_coalesces},
        {CM_OPTION_FLAG, "survive", 0, 0, &options.survive,
         "give the batches of a worker that dies to the others (sockets backend, cmrun "
         "--keep-going)",
         0, 0, 0},
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Sampling", 0, 0, 0},
        {CM_OPTION_INTEGER, "repeat", 'n', "N", &options.repeat, "runs of each kind", 1,
         MOST_REPEAT, 0},
        {CM_OPTION_FLAG, "bind", 0, 0, &options.bind, "bind each rank to a core of its own", 0, 0,
         0},
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
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = farm_options_check,
        .least = 1,
        .run = farm_run_all,
    };
    return cm_run_main(&benchmark, argc, argv);
}

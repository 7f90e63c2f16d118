/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_run.c: every rank's way through the program; rank 0 runs all there is to run and writes the
   result. */
#include <stdlib.h>
#include "farm.h"
#include "machine/machine.h"

/* The largest batch first: it is the reference of the others' overhead. */
static void measure_all(farm_lead *l)
{
    int64_t all = l->workers.value[l->workers.n - 1];
    farm_measure_warm_up(l, all);
    for (int w = 0; w < l->workers.n; w++)
        for (int b = l->batches.n - 1; b >= 0; b--)
            farm_measure_row(l, l->workers.value[w], l->batches.value[b]);
}

static int lead(const cm_benchmark *benchmark)
{
    const farm_options *o = benchmark->options;
    int available = cm_size(cm_world()) - 1;
    farm_lead l = {.table.options = o, .masters = farm_plan_masters(o, available)};
    farm_plan_batches(o, &l.batches);
    farm_plan_workers(o, available - l.masters, &l.workers);
    l.table.point = calloc((size_t)(l.workers.n * l.batches.n), sizeof *l.table.point);
    if (!l.table.point) cm_abort(CM_EXIT_SYSTEM, "out of memory for the rows");
    l.result = farm_result_open(benchmark);
    l.computer = farm_computer_or_end(&o->work);
    l.coalesces = o->coalesce == FARM_COALESCE_ON && o->credit > 1 && cm_coalesce(false);
    farm_expect_first(&l);
    l.table.plain_unit_s = farm_measure_plain_s(o);
    farm_result_meta(&l);
    measure_all(&l);
    farm_master_end();
    farm_result_end(&l);
    for (int k = 0; k < l.table.n; k++) free(l.table.point[k].trips);
    free(l.table.point);
    farm_computer_close(l.computer);
    return cm_result_close(l.result);
}

int farm_run_job(const cm_benchmark *benchmark)
{
    farm_options *options = benchmark->options;
    int status = farm_refuse(benchmark->program, options);
    if (status) return status;
    int rank = cm_rank(cm_world());
    farm_require_memory(options);
    cm_run_bind(options->sampling.bind);
    options->work.yields = cm_run_ranks_on_computer(cm_world(), rank) > cm_machine_job_cores();
    return rank == 0 ? lead(benchmark) : farm_worker(options);
}

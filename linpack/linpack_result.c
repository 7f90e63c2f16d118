/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_report.c: the table, its metadata, the metrics. */
#include "config.h"
#include <string.h>
#include "linpack_program.h"

const cm_metric linpack_metrics[] = {
    {"rate_Gflop_per_s", "Gflop/s", CM_BETTER_HIGH,
     "the highest rate of all orders, LINPACK's operations over the time to factor and to "
     "solve"},
    {"gemm_share", "1", CM_BETTER_HIGH,
     "the highest rate over that of the BLAS's own matrix product on all ranks"},
    {"speed_up", "1", CM_BETTER_HIGH,
     "over a plain program on one processor, at the highest order"},
    {0},
};

/* Columns that are there: always, with --refine, --serial or --serial-from, --condition, the
   paper's orders. */
enum { ALWAYS = 1, REFINED = 2, SERIAL = 4, CONDITION = 8, PAPER = 16 };

static const struct {
    const char *name, *format;
    int when;
} columns[] = {
    {"order", "%.0f", ALWAYS},
    {"panel", "%.0f", ALWAYS},
    {"slices", "%.0f", ALWAYS},
    {"n", "%.0f", ALWAYS},
    {"factor_s", "%.4e", ALWAYS},
    {"solve_s", "%.4e", ALWAYS},
    {"refine_s", "%.4e", REFINED},
    {"iterations", "%.0f", REFINED},
    {"total_s", "%.4e", ALWAYS},
    {"Mflop_per_s", "%.5g", ALWAYS},
    {"gemm_share", "%.3f", ALWAYS},
    {"search_share", "%.3f", ALWAYS},
    {"exchange_share", "%.3f", ALWAYS},
    {"broadcast_share", "%.3f", ALWAYS},
    {"update_share", "%.3f", ALWAYS},
    {"serial_s", "%.4e", SERIAL},
    {"serial_cpu_s", "%.4e", SERIAL},
    {"serial_Mflop_per_s", "%.5g", SERIAL},
    {"speed_up", "%.3f", SERIAL},
    {"paper_1_s", "%.2f", PAPER},
    {"paper_1_Mflop_per_s", "%.2f", PAPER},
    {"paper_2_s", "%.2f", PAPER},
    {"paper_2_Mflop_per_s", "%.2f", PAPER},
    {"paper_speed_up", "%.2f", PAPER},
    {"hpl_residual", "%.3e", ALWAYS},
    {"linpack_residual", "%.3e", ALWAYS},
    {"growth", "%.3g", ALWAYS},
    {"condition", "%.2e", CONDITION},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

struct linpack_report {
    const linpack_options *options;
    cm_result *result;
    double gemm_flop_per_s;
    int when;
    double best_flop_per_s, speed_up;
};

cm_result *linpack_report_result(linpack_report *report) { return report->result; }

static int columns_for(const linpack_options *options)
{
    int when = ALWAYS;
    if (options->refine) when |= REFINED;
    if (options->serial || options->serial_file) when |= SERIAL;
    if (options->condition) when |= CONDITION;
    for (int k = 0; k < options->n_orders; k++)
        if (linpack_paper(options->orders[k]).speed_up > 0) when |= PAPER;
    return when;
}

static void write_metadata(const linpack_report *report)
{
    const linpack_options *o = report->options;
    cm_result *result = report->result;
    cm_run_meta(result);
    cm_blas_meta(result, "cm-linpack");
    cm_result_meta_number(result, "blas_threads", (double)o->threads, "%.0f");
    cm_run_meta_bound(result, o->bind);
    cm_result_meta(result, "algorithm", "%s",
                   o->algorithm == LINPACK_CLASSIC ? "classic" : "blocked");
    cm_result_meta(result, "precision", "%s",
                   o->refine                        ? "single, refined to double"
                   : o->precision == LINPACK_DOUBLE ? "double"
                                                    : "single");
    if (o->matrix) cm_result_meta(result, "matrix", "%s", o->matrix);
    else
        cm_result_meta(result, "generator", "%s",
                       o->generator == LINPACK_MATGEN ? "linpack" : "random");
    if (o->generator == LINPACK_RANDOM)
        cm_result_meta_number(result, "seed", (double)o->seed, "%.0f");
    cm_result_meta_number(result, "block_rows", (double)o->block, "%.0f");
    cm_result_meta_number(result, "gemm_Gflop_per_s", 1e-9 * report->gemm_flop_per_s, "%.4g");
    cm_result_meta(result, "gemm",
                   "all ranks at once, the best of 5 products of 1024 x 1024 matrices on each");
    cm_result_meta(result, "sample",
                   "factor and solve once; the slowest rank's time; columns are medians");
    cm_result_meta(result, "operations", "2/3 n^3 + 2 n^2%s",
                   o->refine ? ", over the total time, refining included" : "");
    if (o->serial)
        cm_result_meta(result, "serial", "SGEFA and SGESL by columns on rank 0, wall and CPU time");
    if (o->serial_file) cm_result_meta(result, "serial", "from %s", o->serial_file);
}

linpack_report *linpack_report_open(const cm_benchmark *benchmark, int argc, char **argv,
                                    double gemm_flop_per_s)
{
    linpack_report *report = linpack_allocate(1, sizeof *report, "the report");
    cm_result_column chosen[COLUMNS];
    size_t n = 0;
    report->options = benchmark->options;
    report->gemm_flop_per_s = gemm_flop_per_s;
    report->when = columns_for(report->options);
    report->speed_up = NAN;
    for (int k = 0; k < COLUMNS; k++)
        if (columns[k].when & report->when)
            chosen[n++] = (cm_result_column){columns[k].name, columns[k].format};
    report->result = cm_result_open(benchmark->program, argc, argv, benchmark->files, chosen, n);
    if (!report->result) {
        free(report);
        return NULL;
    }
    write_metadata(report);
    return report;
}

void linpack_report_row(linpack_report *report, const linpack_measured *m)
{
    const linpack_options *o = report->options;
    double flop_per_s = linpack_operations(m->order) / m->total_s;
    double serial_s = m->serial_s, serial_cpu_s = m->serial_cpu_s;
    if (o->serial_file) linpack_serial_read(o->serial_file, m->order, &serial_s, &serial_cpu_s);
    linpack_printed paper = linpack_paper(m->order);
    double in_factor = m->parts_s[0] + m->parts_s[1] + m->parts_s[2] + m->parts_s[3];
    const double all[COLUMNS] = {
        m->order,
        m->nb,
        m->slices,
        (double)m->total.n,
        m->factor_s,
        m->solve_s,
        m->refine_s,
        m->iterations,
        m->total_s,
        1e-6 * flop_per_s,
        flop_per_s / report->gemm_flop_per_s,
        m->parts_s[0] / in_factor,
        m->parts_s[1] / in_factor,
        m->parts_s[2] / in_factor,
        m->parts_s[3] / in_factor,
        serial_s,
        serial_cpu_s,
        1e-6 * linpack_operations(m->order) / serial_s,
        serial_s / m->total_s,
        paper.time_s[0],
        paper.Mflop[0],
        paper.time_s[1],
        paper.Mflop[1],
        paper.speed_up,
        m->residual.hpl,
        m->residual.linpack,
        m->growth,
        m->condition,
    };
    double chosen[COLUMNS];
    for (int k = 0, n = 0; k < COLUMNS; k++)
        if (columns[k].when & report->when) chosen[n++] = all[k];
    cm_result_row(report->result, chosen, &m->total, "s");
    if (flop_per_s > report->best_flop_per_s) report->best_flop_per_s = flop_per_s;
    if (serial_s > 0) report->speed_up = serial_s / m->total_s;
}

int linpack_report_close(linpack_report *report, bool pass)
{
    cm_result *result = report->result;
    if (pass) {
        double rate = report->best_flop_per_s;
        cm_result_verdict(result, true, "rate_Gflop_per_s", 1e-9 * rate);
        cm_result_verdict(result, true, "gemm_share", rate / report->gemm_flop_per_s);
        if (report->speed_up > 0) cm_result_verdict(result, true, "speed_up", report->speed_up);
    }
    free(report);
    return cm_result_close(result);
}

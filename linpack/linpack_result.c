/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_result.c: metadata, a row for each order, its checks, the metrics. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "linpack_hpl_run.h"
#include "linpack_result.h"
#include "linpack_system.h"

const cm_metric linpack_metrics[] = {
    {"rate_Gflop_per_s", "LINPACK rate, double precision", "Gflop/s", CM_BETTER_HIGH,
     "highest rate of all orders in double precision, as HPL's: LINPACK's operations over the time "
     "to factor and to solve"},
    {"single_Gflop_per_s", "LINPACK rate, single precision", "Gflop/s", CM_BETTER_HIGH,
     "highest rate of all orders in single precision, which is not HPL's: LINPACK's operations "
     "over the time to factor and to solve"},
    {"refined_Gflop_per_s", "LINPACK rate, refined to double", "Gflop/s", CM_BETTER_HIGH,
     "highest rate of all orders, factored in lower precision: LINPACK's operations over the time "
     "to factor and to refine"},
    {"hpl_mxp_Gflop_per_s", "HPL-MxP rate", "Gflop/s", CM_BETTER_HIGH,
     "with --generator hpl-mxp --refine: highest rate of all orders that keep HPL-MxP's rules: its "
     "operations, 2/3 n^3 + 3/2 n^2, over the time to factor in lower precision and to refine to "
     "double"},
    {"gemm_share", "Share of the matrix product's rate", "1", CM_BETTER_HIGH,
     "highest rate divided by that of the BLAS's own matrix product on all ranks"},
    {"speed_up", "Speed-up over one processor", "1", CM_BETTER_HIGH,
     "with --algorithm classic: speed-up over the plain program on one processor, which is the "
     "same algorithm with the same level-1 BLAS, at the last order"},
    {"over_plain", "All ranks over the plain program", "1", CM_BETTER_HIGH,
     "with another algorithm: how many times as fast all ranks are with it as one processor with "
     "the plain program, at the last order"},
    {0},
};

const cm_labels linpack_labels[] = {
    {"rate_Gflop_per_s", "rate precision=double"},
    {"single_Gflop_per_s", "rate precision=single"},
    {"refined_Gflop_per_s", "rate precision=refined"},
    {"hpl_mxp_Gflop_per_s", "rate precision=hpl-mxp"},
    {0},
};

/* Conditions of columns: always, with --refine, with --serial or --serial-from, there with the
   plain program's algorithm or with another one, at the paper's orders, with --condition, with
   a model's time. */
enum {
    ALWAYS,
    REFINED = 1,
    SERIAL = 2,
    SAME = 4,
    OTHER = 8,
    PAPER = 16,
    CONDITION = 32,
    PREDICTED = 64
};

typedef struct {
    linpack_measured is;
    double Mflop_per_s, gemm_share;
    double part_share[4]; /* of parts_s */
    double serial_Mflop_per_s, over_serial;
    linpack_printed printed;
} table_row;
/* clang-format off */
static const cm_result_column
    parameters[] = {
        CM_COLUMN(table_row, is.order, "order", "%.0f"),
        CM_COLUMN(table_row, is.nb, "panel", "%.0f"),
        CM_COLUMN(table_row, is.look_ahead, "look_ahead", "%.0f"),
        CM_COLUMN(table_row, is.slices, "slices", "%.0f"),
        CM_COLUMN(table_row, is.grid.rows, "grid_rows", "%.0f"),
        CM_COLUMN(table_row, is.grid.columns, "grid_columns", "%.0f"),
    },
    times[] = {
        CM_SUMMARY_COLUMNS(table_row, is.total_s, "_s", "%.4e"),
        CM_COLUMN(table_row, is.factor_s, "factor_s", "%.4e"),
        CM_COLUMN(table_row, is.solve_s, "solve_s", "%.4e"),
    },
    predicted[] = {
        CM_COLUMN(table_row, is.predicted_s.value, "predicted_s", "%.4e"),
        CM_COLUMN(table_row, is.predicted_s.low, "low_predicted_s", "%.4e"),
        CM_COLUMN(table_row, is.predicted_s.high, "high_predicted_s", "%.4e"),
    },
    refined[] = {
        CM_COLUMN(table_row, is.refine_s, "refine_s", "%.4e"),
        CM_COLUMN(table_row, is.iterations, "iterations", "%.0f"),
    },
    rates[] = {
        CM_COLUMN(table_row, is.total_s.median, "total_s", "%.4e"),
        CM_COLUMN(table_row, Mflop_per_s, "Mflop_per_s", "%.5g"),
        CM_COLUMN(table_row, gemm_share, "gemm_share", "%.3g"),
        CM_COLUMN(table_row, part_share[0], "search_share", "%.3f"),
        CM_COLUMN(table_row, part_share[1], "exchange_share", "%.3f"),
        CM_COLUMN(table_row, part_share[2], "broadcast_share", "%.3f"),
        CM_COLUMN(table_row, part_share[3], "update_share", "%.3f"),
    },
    serial[] = {
        CM_COLUMN(table_row, is.serial_s.value, "serial_s", "%.4e"),
        CM_COLUMN(table_row, is.serial_cpu_s, "serial_cpu_s", "%.4e"),
        CM_COLUMN(table_row, serial_Mflop_per_s, "serial_Mflop_per_s", "%.5g"),
    },
    /* A ratio of two algorithms is no speed-up. */
    same[] = {
        CM_COLUMN(table_row, over_serial, "speed_up", "%.3f"),
    },
    other[] = {
        CM_COLUMN(table_row, over_serial, "over_plain", "%.3f"),
    },
    paper[] = {
        CM_COLUMN(table_row, printed.time_s[0], "paper_1_s", "%.2f"),
        CM_COLUMN(table_row, printed.Mflop[0], "paper_1_Mflop_per_s", "%.2f"),
        CM_COLUMN(table_row, printed.time_s[1], "paper_2_s", "%.2f"),
        CM_COLUMN(table_row, printed.Mflop[1], "paper_2_Mflop_per_s", "%.2f"),
        CM_COLUMN(table_row, printed.speed_up, "paper_speed_up", "%.2f"),
    },
    answer[] = {
        CM_COLUMN(table_row, is.residual.hpl, "hpl_residual", "%.3e"),
        CM_COLUMN(table_row, is.residual.linpack, "linpack_residual", "%.3e"),
        CM_COLUMN(table_row, is.growth, "growth", "%.3g"),
    },
    condition[] = {
        CM_COLUMN(table_row, is.condition, "condition", "%.2e"),
    };
/* clang-format on */

#define GROUP(columns, when)                               \
    {                                                      \
        columns, sizeof(columns) / sizeof *(columns), when \
    }
/* In the order of the columns. */
static const struct {
    const cm_result_column *columns;
    size_t n;
    int when;
} groups[] = {GROUP(parameters, ALWAYS), GROUP(times, ALWAYS),       GROUP(predicted, PREDICTED),
              GROUP(refined, REFINED),   GROUP(rates, ALWAYS),       GROUP(serial, SERIAL),
              GROUP(same, SAME),         GROUP(other, OTHER),        GROUP(paper, PAPER),
              GROUP(answer, ALWAYS),     GROUP(condition, CONDITION)};
enum {
    GROUPS = sizeof groups / sizeof *groups,
    COLUMNS = (sizeof parameters + sizeof times + sizeof predicted + sizeof refined + sizeof rates
               + sizeof serial + sizeof same + sizeof other + sizeof paper + sizeof answer
               + sizeof condition)
              / sizeof *parameters
};

struct linpack_result {
    const linpack_options *options;
    cm_result *result;
    linpack_gemm_rate gemm; /* of all ranks */
    double epsilon;         /* of the factors */
    int when;
    cm_sample_tally tally; /* of orders */
    cm_quantity best_flop_per_s, mxp_flop_per_s, over_plain;
};

cm_result *linpack_result_of(linpack_result *r) { return r->result; }

static bool is_there(const linpack_result *r, int group)
{
    return groups[group].when == ALWAYS || groups[group].when & r->when;
}

static int columns_for(const linpack_options *options)
{
    int when = ALWAYS;
    if (options->refine) when |= REFINED;
    if (options->serial || options->serial_file)
        when |= SERIAL | (options->algorithm == LINPACK_CLASSIC ? SAME : OTHER);
    if (options->condition) when |= CONDITION;
    if (linpack_is_predicted(options)) when |= PREDICTED;
    for (int k = 0; k < options->n_orders; k++)
        if (linpack_paper(options->orders[k]).speed_up > 0) when |= PAPER;
    return when;
}

/* A rate is compared with others of its precision only. */
static const char *rate_metric(const linpack_options *o)
{
    return o->refine                        ? "refined_Gflop_per_s"
           : o->precision == LINPACK_DOUBLE ? "rate_Gflop_per_s"
                                            : "single_Gflop_per_s";
}

static void write_precision(cm_result *result, const linpack_options *o)
{
    const cm_blas_low *low = linpack_low_of(o);
    const char *name = o->refine                        ? "single, refined to double"
                       : o->precision == LINPACK_DOUBLE ? "double"
                                                        : "single";
    if (low) {
        cm_result_meta(result, "precision", "single, products in %s, refined to double",
                       linpack_factors[o->refine_factors]);
        cm_result_meta(result, "refine_product", "%s", low->name);
    } else {
        cm_result_meta(result, "precision", "%s", name);
    }
}

static void write_metadata(const linpack_result *r)
{
    const linpack_options *o = r->options;
    cm_result *result = r->result;
    cm_run_meta(result);
    cm_blas_meta(result, "cm-linpack", (int)o->threads, r->gemm.busy);
    if (*o->threads_from) cm_result_meta(result, "blas_threads_from", "%s", o->threads_from);
    cm_run_meta_bound(result, o->sampling.bind);
    cm_result_meta(result, "algorithm", "%s",
                   o->algorithm == LINPACK_CLASSIC ? "classic"
                   : o->algorithm == LINPACK_GRID  ? "grid"
                                                   : "blocked");
    write_precision(result, o);
    if (o->hpl_file) linpack_hpl_meta(result, o);
    if (o->matrix) cm_result_meta(result, "matrix", "%s", o->matrix);
    else cm_result_meta(result, "generator", "%s", linpack_generators[o->generator]);
    if (o->generator != LINPACK_MATGEN && o->generator != LINPACK_HPL)
        cm_result_meta_number(result, "seed", (double)o->seed, "%.0f");
    cm_result_meta_number(result, "block_rows", (double)o->block, "%.0f");
    if (o->algorithm == LINPACK_GRID)
        cm_result_meta(result, "broadcast", "%s",
                       o->hpl_file         ? "BCAST of --hpl"
                       : o->broadcast_text ? o->broadcast_text
                                           : "auto");
    cm_result_meta(result, "pivoting", "%s",
                   o->pivoting == LINPACK_TOURNAMENT ? "tournament" : "partial");
    if (o->algorithm != LINPACK_CLASSIC)
        cm_result_meta(result, "exchange", "%s", o->exchange == LINPACK_ROLL ? "roll" : "direct");
    if (linpack_needs_costs(o)) {
        const linpack_costs *c = &o->costs.usual;
        cm_result_meta_number(result, "ring_latency_us", 1e6 * c->latency_s, "%.4g");
        cm_result_meta_number(result, "ring_MB_per_s", 1e-6 / c->byte_s, "%.4g");
    }
    cm_result_meta_number(result, "gemm_Gflop_per_s", 1e-9 * r->gemm.best_flop_per_s, "%.4g");
    const int edge = linpack_gemm_edge(o);
    if (cm_comm_has(CM_HAS_SIMULATOR))
        cm_result_meta(result, "gemm", "the speed of the simulated hosts, all ranks");
    else if (r->gemm.shared)
        cm_result_meta(
            result, "gemm",
            "all ranks, whose threads share cores: %d products of %d x %d matrices on each, over "
            "the time from the first's begin to the last's end",
            LINPACK_GEMM_TIMES, edge, edge);
    else
        cm_result_meta(result, "gemm",
                       "all ranks at once, the best of %d products of %d x %d matrices on each",
                       LINPACK_GEMM_TIMES, edge, edge);
    cm_sample_meta(result, &o->sampling,
                   "a run: the matrix is factored and solved with once; the slowest rank's time");
    cm_result_meta(result, "operations", "2/3 n^3 + 2 n^2%s",
                   o->refine ? ", over the total time, refining included" : "");
    if (o->serial)
        cm_result_meta(result, "serial", "SGEFA and SGESL by columns on rank 0, wall and CPU time");
    if (o->serial_file) cm_result_meta(result, "serial", "from %s", o->serial_file);
}

linpack_result *linpack_result_open(const cm_benchmark *benchmark, const linpack_gemm_rate *gemm)
{
    linpack_result *r = linpack_allocate(1, sizeof *r, "the result");
    cm_result_column columns[COLUMNS];
    size_t n = 0;
    r->options = benchmark->options;
    r->gemm = *gemm;
    r->epsilon =
        r->options->refine ? DBL_EPSILON : linpack_solvers_of(r->options->precision)->epsilon;
    r->when = columns_for(r->options);
    r->best_flop_per_s = r->mxp_flop_per_s = r->over_plain = cm_quantity_of(NAN);
    for (int g = 0; g < GROUPS; g++)
        for (size_t k = 0; k < groups[g].n && is_there(r, g); k++)
            columns[n++] = groups[g].columns[k];
    r->result = cm_run_result_open(benchmark, columns, n);
    write_metadata(r);
    return r;
}

static void tell_costs(const linpack_result *r)
{
    const linpack_costs *c = &r->options->costs.usual;
    cm_result_comment(r->result,
                      "costs: flop_s=%.4g element_s=%.4g column_s=%.4g entry_s=%.4g "
                      "panel_flop_s=%.4g move_s=%.4g latency_s=%.4g record_s=%.4g gap_s=%.4g "
                      "byte_s=%.4g",
                      c->flop_s, c->element_s, c->column_s, c->entry_s, c->panel_flop_s, c->move_s,
                      c->latency_s, c->record_s, c->gap_s, c->byte_s);
}

static void tell_model(const linpack_result *r, int order, linpack_grid grid, bool chosen)
{
    char broadcast[40];
    cm_algorithm_text(linpack_broadcast(r->options, order, grid), broadcast, sizeof broadcast);
    const cm_quantity s = linpack_predict(r->options, order, grid);
    cm_result_comment(r->result,
                      "model: order=%d grid=%dx%d broadcast=%s predicted_s=%.4g low=%.4g high=%.4g"
                      "%s",
                      order, grid.rows, grid.columns, broadcast, s.value, s.low, s.high,
                      chosen ? " chosen" : "");
}

void linpack_result_model(linpack_result *r, int order)
{
    const linpack_options *o = r->options;
    const int ranks = cm_size(cm_world());
    if (!linpack_is_predicted(o)) return;
    const linpack_grid grid = linpack_grid_of_order(o, order, ranks);
    tell_costs(r);
    for (int rows = 1; rows <= ranks; rows++)
        if (ranks % rows == 0 && (rows == grid.rows || !o->grid_given.rows))
            tell_model(r, order, (linpack_grid){rows, ranks / rows}, rows == grid.rows);
}

/* ---- HPL-MxP --------------------------------------------------------------------------------- */

static bool is_mxp(const linpack_options *o)
{
    return o->refine && o->generator == LINPACK_MXP && !o->matrix;
}

/* HPL-MxP's rules (hpl-mxp.org): factors in lower precision, of at least 16 bits, which are the
   preconditioner of an iteration in double; a residual of at most 16. Its reference code ends after
   50 iterations, and counts these operations. */
static void count_mxp(linpack_result *r, const linpack_measured *m)
{
    enum { ITERATIONS_MOST = 50 };
    const double n = m->order, flop = 2 * n * n * n / 3 + 3 * n * n / 2;
    const bool counts = m->fallbacks == 0 && m->iterations <= ITERATIONS_MOST
                        && m->residual.hpl <= LINPACK_ACCEPTED;
    cm_result_comment(r->result, "hpl_mxp: order=%d iterations=%d residual=%.3g %s", m->order,
                      m->iterations, m->residual.hpl,
                      counts             ? "counted"
                      : m->fallbacks > 0 ? "not counted: it was solved again in double"
                                         : "not counted: the residual is too large");
    if (counts)
        r->mxp_flop_per_s = cm_quantity_greater(
            r->mxp_flop_per_s, cm_quantity_invert(cm_quantity_median(&m->total_s), flop));
}

/* ---- Rows ------------------------------------------------------------------------------------ */

void linpack_result_row(linpack_result *r, const linpack_measured *m, const cm_sampled *sampled)
{
    const double flop = linpack_operations(m->order), median_s = m->total_s.median;
    const double in_factor = m->parts_s[0] + m->parts_s[1] + m->parts_s[2] + m->parts_s[3];
    table_row row = {.is = *m,
                     .Mflop_per_s = 1e-6 * flop / median_s,
                     .gemm_share = flop / median_s / r->gemm.best_flop_per_s,
                     .serial_Mflop_per_s = 1e-6 * flop / m->serial_s.value,
                     .over_serial = m->serial_s.value / median_s,
                     .printed = linpack_paper(m->order)};
    for (int k = 0; k < 4; k++) row.part_share[k] = m->parts_s[k] / in_factor;
    cm_result_row(r->result, &row, &sampled->samples[LINPACK_TOTAL], "s");
    if (m->condition * r->epsilon >= 1)
        cm_result_comment(
            r->result,
            "ill_conditioned: order=%d condition=%.2e: singular to working precision, "
            "so the solution may have no correct digit",
            m->order, m->condition);
    cm_sample_count(&r->tally, sampled, 1);
    const cm_quantity total_s = cm_quantity_median(&m->total_s);
    r->best_flop_per_s = cm_quantity_greater(
        r->best_flop_per_s, cm_quantity_invert(total_s, linpack_operations(m->order)));
    if (is_mxp(r->options)) count_mxp(r, m);
    if (m->serial_s.value > 0) r->over_plain = cm_quantity_ratio(m->serial_s, total_s);
}

void linpack_result_refined(linpack_result *r, int order, const linpack_refinement *refined)
{
    const char *matrix = refined->kept ? "kept" : "generated";
    const char *factors = linpack_factors[r->options->refine_factors];
    if (refined->fallbacks)
        cm_result_comment(r->result,
                          "refined: order=%d factors=%s matrix=%s fell back to double %d %s: %s",
                          order, factors, matrix, refined->fallbacks,
                          refined->fallbacks == 1 ? "time" : "times", refined->why);
    else
        cm_result_comment(r->result, "refined: order=%d factors=%s matrix=%s%s%s", order, factors,
                          matrix, refined->why[0] ? ": " : "", refined->why);
}

void linpack_result_checks(linpack_result *r, int order, const linpack_residual *residual,
                           const linpack_residual *plain)
{
    char name[160];
    snprintf(name, sizeof name, "order %d: |Ax-b| / (u (|A| |x| + |b|) n)", order);
    cm_result_check(r->result, name, residual->hpl, "<=", LINPACK_ACCEPTED);
    snprintf(name, sizeof name, "order %d: |Ax-b| / (n max|a| |x| eps)", order);
    /* LINPACK printed its residual without a verdict; this is HPL's rule in LINPACK's terms. */
    cm_result_check(r->result, name, residual->linpack, "<=",
                    LINPACK_ACCEPTED / 2
                        * (residual->a_infinity + residual->b_max / residual->x_max)
                        / residual->a_max);
    if (!plain) return;
    snprintf(name, sizeof name, "order %d, plain program: |Ax-b| / (u (|A| |x| + |b|) n)", order);
    cm_result_check(r->result, name, plain->hpl, "<=", LINPACK_ACCEPTED);
}

/* Only the best and the worst of the products are known, so fewer than six give a range. */
static void write_gemm_share(const linpack_result *r)
{
    const cm_quantity gemm = {.value = r->gemm.best_flop_per_s,
                              .low = r->gemm.worst_flop_per_s,
                              .high = r->gemm.best_flop_per_s,
                              .kind = CM_INTERVAL_RANGE,
                              .over = "trials",
                              .n = r->gemm.shared ? 1 : LINPACK_GEMM_TIMES};
    cm_result_metric(r->result, true, "gemm_share", cm_quantity_ratio(r->best_flop_per_s, gemm));
}

int linpack_result_close(linpack_result *r, bool pass)
{
    cm_result *result = r->result;
    cm_sample_tell(result, &r->tally);
    /* Without any solution there is no rate, and no metric of it. */
    if (r->best_flop_per_s.value > 0) {
        if (r->mxp_flop_per_s.value > 0)
            cm_result_metric(result, pass, "hpl_mxp_Gflop_per_s",
                             cm_quantity_scale(r->mxp_flop_per_s, 1e-9));
        else
            cm_result_metric(result, pass, rate_metric(r->options),
                             cm_quantity_scale(r->best_flop_per_s, 1e-9));
        write_gemm_share(r);
        if (r->over_plain.value > 0)
            cm_result_metric(result, pass, r->when & SAME ? "speed_up" : "over_plain",
                             r->over_plain);
    }
    free(r);
    return cm_result_close(result);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_multigrid.c: V cycles over the grids of heat_levels.c. */
#include <string.h>
#include "heat_multigrid.h"

enum { BEFORE = 2, AFTER = 1, AT_THE_END = 10 };

/* ---- One level ------------------------------------------------------------------------------- */

static void *source_at(const heat_level *level, int64_t row, int64_t column)
{
    const heat_plate *plate = level->plate;
    if (!level->source) return NULL;
    return (char *)level->source + (row * plate->stride + column) * (int64_t)plate->kernels->bytes;
}

static void exchange(heat_state *state, heat_plate *plate)
{
    double start_s = cm_time();
    heat_halo halo;
    heat_halo_begin(plate, &halo);
    heat_halo_end(&halo);
    state->halo_s += cm_time() - start_s;
    state->sent_bytes += (double)halo.sent_bytes;
}

/* Restriction and interpolation also read the points between neighbours' rows and columns. */
static void exchange_corners(heat_state *state, heat_plate *plate, int which)
{
    double start_s = cm_time();
    plate->now = which;
    state->sent_bytes += (double)heat_halo_exchange(plate, 1);
    plate->now = 0;
    state->halo_s += cm_time() - start_s;
}

static bool is_last(const heat_plate *plate, int64_t row)
{
    return plate->first - 1 + row == plate->rows;
}

static bool has_last_column(const heat_plate *plate)
{
    return plate->first_column - 1 + plate->columns == plate->whole_columns;
}

static heat_edge edge_of(double row_gap, double column_gap)
{
    return (heat_edge){1 / row_gap, 1 / column_gap, (1 + row_gap) / 2, (1 + column_gap) / 2};
}

/* Columns of a row that are like those of a uniform grid. */
static int64_t uniform(const heat_level *level, int64_t row)
{
    const heat_plate *plate = level->plate;
    if (is_last(plate, row) && level->row_gap != 1) return 0;
    return plate->columns - (has_last_column(plate) && level->column_gap != 1);
}

static void defect_row(const heat_level *level, int64_t row)
{
    const heat_plate *plate = level->plate;
    const heat_grid_kernels *k = plate->kernels->grid;
    const void *u = heat_at(plate, 0, row, 0), *f = source_at(level, row, 0);
    void *r = heat_at(plate, 1, row, 0);
    const int64_t n = plate->columns, inner = uniform(level, row);
    k->defect(r, u, f, plate->stride, 1, inner, NULL);
    if (inner == n) return;
    const int64_t last = n - has_last_column(plate);
    double gap = is_last(plate, row) ? level->row_gap : 1;
    const heat_edge edge = edge_of(gap, 1), corner = edge_of(gap, level->column_gap);
    if (inner == 0) k->defect(r, u, f, plate->stride, 1, last, &edge);
    if (last < n) k->defect(r, u, f, plate->stride, n, n, &corner);
}

/* ---- To the next level and back -------------------------------------------------------------- */

/* Weight of the last coarse point at the fine point after it, which is followed by the side; 0:
   there is none. */
static double last_weight(int64_t points, double gap) { return points % 2 ? gap / (1 + gap) : 0; }

/* Returns the fine row that a coarse row is. */
static int64_t fine_row(const heat_plate *fine, const heat_plate *coarse, int64_t row)
{
    return 2 * (coarse->first - 1 + row) - (fine->first - 1);
}

static void restrict_row(const heat_level *fine, const heat_level *coarse, int64_t row)
{
    const heat_plate *from = fine->plate, *to = coarse->plate;
    if (to->columns == 0) return;
    const double south = is_last(to, row) ? last_weight(from->rows, fine->row_gap) : 0.5,
                 east =
                     has_last_column(to) ? last_weight(from->whole_columns, fine->column_gap) : 0.5;
    /* Column 1 of the coarse block is column 2 of the fine one, or column 1. */
    const int64_t before = 2 * (to->first_column - 1) - (from->first_column - 1);
    from->kernels->grid->restrict_row(source_at(coarse, row, 0),
                                      heat_at(from, 1, fine_row(from, to, row), before),
                                      from->stride, to->columns, south, east);
}

/* Neighbours beside a block need the defects of all its rows. */
static void restrict_block(heat_state *state, const heat_level *fine, const heat_level *coarse)
{
    for (int64_t row = 1; row <= fine->plate->mine; row++) defect_row(fine, row);
    exchange_corners(state, fine->plate, 1);
    for (int64_t row = 1; row <= coarse->plate->mine; row++) restrict_row(fine, coarse, row);
}

/* The defects of the first and the last row travel while the others are computed, each shortly
   before it is restricted. */
static void restrict_rows(heat_state *state, const heat_level *fine, const heat_level *coarse)
{
    heat_plate *from = fine->plate;
    const int64_t last = from->mine, coarse_last = coarse->plate->mine;
    heat_halo halo;
    defect_row(fine, 1);
    if (last > 1) defect_row(fine, last);
    from->now = 1;
    heat_exchange_begin(state, from, &halo);
    from->now = 0;
    int64_t next = 2;
    for (int64_t row = 1; row <= coarse_last; row++) {
        const int64_t middle = fine_row(from, coarse->plate, row);
        for (; next <= middle + 1 && next < last; next++) defect_row(fine, next);
        if (middle > 1 && middle < last) restrict_row(fine, coarse, row);
    }
    heat_exchange_end(state, &halo);
    if (coarse_last > 0 && fine_row(from, coarse->plate, 1) == 1) restrict_row(fine, coarse, 1);
    if (last > 1 && fine_row(from, coarse->plate, coarse_last) == last)
        restrict_row(fine, coarse, coarse_last);
}

static void restrict_to(heat_state *state, const heat_level *fine, const heat_level *coarse)
{
    heat_cost(fine->plate, (double)fine->plate->mine);
    (fine->plate->packed ? restrict_block : restrict_rows)(state, fine, coarse);
}

/* The kernels take pairs of an odd and an even column of the whole plate. If a block begins or ends
   between the two, they also change a neighbour's column, which is received again before it is
   read. */
static void prolong_row(const heat_level *fine, const heat_level *coarse, int64_t row)
{
    const heat_plate *to = fine->plate, *from = coarse->plate;
    const heat_grid_kernels *k = to->kernels->grid;
    const double last = last_weight(to->whole_columns, fine->column_gap);
    const int64_t before = to->first_column % 2 == 0, whole = to->first - 1 + row;
    int64_t columns = before + to->columns;
    if (columns % 2 && !has_last_column(to)) columns++;
    heat_cost(to, 0.5);
    void *u = heat_at(to, 0, row, -before);
    const void *c = heat_at(from, 0, whole / 2 - (from->first - 1), 0);
    if (whole % 2 == 0) k->prolong_on(u, c, columns, 1, last);
    else if (whole == to->rows)
        k->prolong_on(u, c, columns, last_weight(to->rows, fine->row_gap), last);
    else k->prolong_between(u, c, from->stride, columns, last);
}

/* ---- Sweeps ---------------------------------------------------------------------------------- */

/* coarse: its correction is to be added to the rows from `next` to the last but one, each shortly
   before it is read. NULL: no correction. */
typedef struct {
    const heat_level *level, *coarse;
    heat_stores stores;
    int64_t next;
} sweep;

/* Relaxes points of an edge that is nearer to the side. */
static void relax_edges(const heat_level *level, int64_t row, int odd)
{
    const heat_plate *plate = level->plate;
    const heat_grid_kernels *k = plate->kernels->grid;
    const int64_t n = plate->columns, inner = uniform(level, row);
    if (inner == n) return;
    void *u = heat_at(plate, 0, row, 0);
    const void *f = source_at(level, row, 0);
    const int64_t last = n - has_last_column(plate);
    double gap = is_last(plate, row) ? level->row_gap : 1;
    const heat_edge edge = edge_of(gap, 1), corner = edge_of(gap, level->column_gap);
    if (inner == 0) k->relax_edge(u, f, plate->stride, 1 + odd, 2, last, &edge);
    if (last < n && last % 2 == odd) k->relax_edge(u, f, plate->stride, n, 1, n, &corner);
}

/* A point is red if row + column is even. Red in this row and black in the one above are in the
   same columns. */
static void relax_row(void *context, int64_t row, int black, bool both)
{
    sweep *s = context;
    const heat_level *level = s->level;
    const heat_plate *plate = level->plate;
    const int odd = (int)((plate->first - 1 + row + plate->first_column + black) % 2);
    for (; s->coarse && s->next <= row + 1 && s->next < plate->mine; s->next++)
        prolong_row(level, s->coarse, s->next);
    plate->kernels->relax(heat_at(plate, 0, row, 1), source_at(level, row, 1), plate->stride,
                          uniform(level, row), odd, 1, s->stores, both);
    relax_edges(level, row, odd);
    if (both) relax_edges(level, row - 1, odd);
}

static void relax(heat_state *state, const heat_level *level, bool is_zero)
{
    sweep s = {.level = level, .stores = state->stores};
    heat_relax_rows(state, level->plate, is_zero, relax_row, &s);
}

/* The first and the last row go to the neighbours before the others are reached. */
static void correct_and_relax(heat_state *state, const heat_level *level, const heat_level *coarse)
{
    const heat_plate *plate = level->plate;
    sweep s = {.level = level, .coarse = coarse, .stores = state->stores, .next = 2};
    prolong_row(level, coarse, 1);
    if (plate->mine > 1) prolong_row(level, coarse, plate->mine);
    for (; plate->packed && s.next < plate->mine; s.next++) prolong_row(level, coarse, s.next);
    heat_relax_rows(state, plate, false, relax_row, &s);
}

/* ---- The cycle ------------------------------------------------------------------------------- */

/* The correction of a level below the first, from 0. At the end neighbours' points around the block
   are known. */
static void correct(heat_state *state, int at)
{
    heat_level *level = &state->levels->level[at];
    heat_plate *plate = level->plate;
    if (level->next == HEAT_FEWER) {
        state->sent_bytes += (double)heat_fewer_gather(level, level + 1);
        if (at + 1 < state->levels->n) correct(state, at + 1);
        state->sent_bytes += (double)heat_fewer_scatter(level, level + 1);
        return;
    }
    memset(heat_at(plate, 0, 0, 0), 0,
           (size_t)((plate->mine + 2) * plate->stride) * plate->kernels->bytes);
    int before = level->next == HEAT_COARSEST ? AT_THE_END : BEFORE;
    for (int k = 0; k < before; k++) relax(state, level, k == 0);
    if (level->next == HEAT_COARSEST) {
        exchange_corners(state, plate, 0);
        return;
    }
    exchange(state, plate);
    restrict_to(state, level, level + 1);
    correct(state, at + 1);
    correct_and_relax(state, level, level + 1);
    for (int k = 1; k < AFTER; k++) relax(state, level, false);
    exchange_corners(state, plate, 0);
}

void heat_cycle(heat_state *state)
{
    heat_level *level = state->levels->level;
    const bool coarsens = level->next == HEAT_COARSEN;
    for (int k = 0; k < BEFORE; k++) relax(state, level, false);
    if (coarsens) {
        exchange(state, level->plate);
        restrict_to(state, level, level + 1);
        correct(state, 1);
        correct_and_relax(state, level, level + 1);
    }
    for (int k = coarsens; k < AFTER; k++) relax(state, level, false);
}

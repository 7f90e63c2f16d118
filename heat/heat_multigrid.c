/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_multigrid.c: V cycles over the grids of heat_levels.c. */
#include <string.h>
#include "heat_multigrid.h"

enum { BEFORE = 2, AFTER = 1, AT_THE_END = 10, TAG = 3 };

/* ---- One level ------------------------------------------------------------------------------- */

static void *source_at(const heat_level *level, int64_t row)
{
    const heat_plate *plate = level->plate;
    return (char *)level->source + row * plate->stride * (int64_t)plate->kernels->bytes;
}

static void exchange(heat_state *state, heat_plate *plate, int which)
{
    double start_s = cm_time();
    heat_halo halo;
    plate->now = which;
    heat_halo_begin(plate, 1, &halo);
    heat_halo_end(&halo);
    plate->now = 0;
    state->halo_s += cm_time() - start_s;
    state->sent_bytes += (double)halo.sent_bytes;
}

static bool is_last(const heat_plate *plate, int64_t row)
{
    return plate->first - 1 + row == plate->rows;
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
    return plate->columns - (level->column_gap != 1);
}

/* Point 1 is red in the first row. */
static void relax_row(const heat_level *level, bool plain, int64_t row, int black)
{
    const heat_plate *plate = level->plate;
    const heat_kernels *k = plate->kernels;
    void *u = heat_at(plate, 0, row, 0);
    const void *f = source_at(level, row);
    const int odd = (int)((plate->first - 1 + row + 1 + black) % 2);
    const int64_t n = plate->columns, inner = uniform(level, row);
    (plain ? k->plain_relax_source : k->relax_source)(u, f, plate->stride, inner, odd);
    if (inner == n) return;
    double gap = is_last(plate, row) ? level->row_gap : 1;
    const heat_edge edge = edge_of(gap, 1), corner = edge_of(gap, level->column_gap);
    if (inner == 0) k->relax_edge(u, f, plate->stride, 1 + odd, 2, n - 1, &edge);
    if ((n - 1) % 2 == odd) k->relax_edge(u, f, plate->stride, n, 1, n, &corner);
}

static void relax(heat_state *state, const heat_level *level, bool is_zero)
{
    const heat_plate *plate = level->plate;
    for (int black = 0; black < 2; black++) {
        if (!is_zero || black) exchange(state, level->plate, 0);
        heat_cost(plate, (double)plate->mine / 2);
        for (int64_t row = 1; row <= plate->mine; row++)
            relax_row(level, state->stores == HEAT_PLAIN, row, black);
    }
}

static void defect_row(const heat_level *level, int64_t row)
{
    const heat_plate *plate = level->plate;
    const heat_kernels *k = plate->kernels;
    const void *u = heat_at(plate, 0, row, 0), *f = level->source ? source_at(level, row) : NULL;
    void *r = heat_at(plate, 1, row, 0);
    const int64_t n = plate->columns, inner = uniform(level, row);
    k->defect(r, u, f, plate->stride, inner);
    if (inner == n) return;
    double gap = is_last(plate, row) ? level->row_gap : 1;
    const heat_edge edge = edge_of(gap, 1), corner = edge_of(gap, level->column_gap);
    if (inner == 0) k->defect_edge(r, u, f, plate->stride, 1, n - 1, &edge);
    k->defect_edge(r, u, f, plate->stride, n, n, &corner);
}

/* ---- To the next level and back -------------------------------------------------------------- */

/* Weight of the last coarse point at the fine point behind it, which is followed by the side; 0:
   there is none. */
static double last_weight(int64_t points, double gap) { return points % 2 ? gap / (1 + gap) : 0; }

static void restrict_to(heat_state *state, const heat_level *fine, const heat_level *coarse)
{
    const heat_plate *from = fine->plate, *to = coarse->plate;
    heat_cost(from, (double)from->mine);
    for (int64_t row = 1; row <= from->mine; row++) defect_row(fine, row);
    exchange(state, fine->plate, 1);
    double east = last_weight(from->columns, fine->column_gap);
    for (int64_t row = 1; row <= to->mine; row++) {
        double south = is_last(to, row) ? last_weight(from->rows, fine->row_gap) : 0.5;
        int64_t middle = 2 * (to->first - 1 + row) - (from->first - 1);
        from->kernels->restrict_row(source_at(coarse, row), heat_at(from, 1, middle, 0),
                                    from->stride, to->columns, south, east);
    }
}

static void prolong(const heat_level *fine, const heat_level *coarse)
{
    const heat_plate *to = fine->plate, *from = coarse->plate;
    const heat_kernels *k = to->kernels;
    const double last = last_weight(to->columns, fine->column_gap);
    heat_cost(to, (double)to->mine / 2);
    for (int64_t row = 1; row <= to->mine; row++) {
        int64_t whole = to->first - 1 + row;
        void *u = heat_at(to, 0, row, 0);
        const void *c = heat_at(from, 0, whole / 2 - (from->first - 1), 0);
        if (whole % 2 == 0) k->prolong_on(u, c, to->columns, 1, last);
        else if (whole == to->rows)
            k->prolong_on(u, c, to->columns, last_weight(to->rows, fine->row_gap), last);
        else k->prolong_between(u, c, from->stride, to->columns, last);
    }
}

static size_t bytes_of(const heat_plate *plate, int64_t rows)
{
    return rows > 0 ? (size_t)(rows * plate->stride) * plate->kernels->bytes : 0;
}

static void send(heat_state *state, cm_group *group, const void *data, size_t bytes, int to)
{
    cm_send(group, data, bytes, to, TAG);
    state->sent_bytes += (double)bytes;
}

/* The rows of f go to the leader. Returns true on it. */
static bool gather(heat_state *state, const heat_level *many, const heat_level *few)
{
    const heat_plate *plate = many->plate;
    int rank = cm_rank(plate->group), leader = rank / HEAT_MERGE * HEAT_MERGE;
    if (rank != leader) {
        send(state, plate->group, source_at(many, 1), bytes_of(plate, plate->mine), leader);
        return false;
    }
    memcpy(source_at(few, 1), source_at(many, 1), bytes_of(plate, plate->mine));
    int64_t row = 1 + many->of_rank[0];
    for (int k = 1; k < HEAT_MERGE && leader + k < cm_size(plate->group); k++) {
        cm_recv(plate->group, source_at(few, row), bytes_of(plate, many->of_rank[k]), leader + k,
                TAG, NULL);
        row += many->of_rank[k];
    }
    return true;
}

/* And those of the correction come back, with the rows beside them. */
static void scatter(heat_state *state, const heat_level *many, const heat_level *few)
{
    const heat_plate *plate = many->plate;
    int rank = cm_rank(plate->group), leader = rank / HEAT_MERGE * HEAT_MERGE;
    void *own = heat_at(plate, 0, 0, 0);
    if (rank != leader) {
        cm_recv(plate->group, own, bytes_of(plate, plate->mine + 2), leader, TAG, NULL);
        return;
    }
    memcpy(own, heat_at(few->plate, 0, 0, 0), bytes_of(plate, plate->mine + 2));
    int64_t row = many->of_rank[0];
    for (int k = 1; k < HEAT_MERGE && leader + k < cm_size(plate->group); k++) {
        send(state, plate->group, heat_at(few->plate, 0, row, 0),
             bytes_of(plate, many->of_rank[k] + 2), leader + k);
        row += many->of_rank[k];
    }
}

/* ---- The cycle ------------------------------------------------------------------------------- */

/* The correction of a level below the first, from 0. At the end neighbours' rows are known. */
static void correct(heat_state *state, int at)
{
    heat_level *level = &state->levels->level[at];
    heat_plate *plate = level->plate;
    if (level->next == HEAT_FEWER) {
        if (gather(state, level, level + 1)) correct(state, at + 1);
        scatter(state, level, level + 1);
        return;
    }
    memset(heat_at(plate, 0, 0, 0), 0, bytes_of(plate, plate->mine + 2));
    int before = level->next == HEAT_COARSEST ? AT_THE_END : BEFORE;
    for (int k = 0; k < before; k++) relax(state, level, k == 0);
    exchange(state, plate, 0);
    if (level->next == HEAT_COARSEST) return;
    restrict_to(state, level, level + 1);
    correct(state, at + 1);
    prolong(level, level + 1);
    for (int k = 0; k < AFTER; k++) relax(state, level, false);
    exchange(state, plate, 0);
}

void heat_cycle(heat_state *state)
{
    heat_level *level = state->levels->level;
    for (int k = 0; k < BEFORE; k++) heat_relax(state);
    if (level->next == HEAT_COARSEN) {
        exchange(state, level->plate, 0);
        restrict_to(state, level, level + 1);
        correct(state, 1);
        prolong(level, level + 1);
    }
    for (int k = 0; k < AFTER; k++) heat_relax(state);
}

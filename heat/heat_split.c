/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_split.c: sweeps of Gauss-Seidel and SOR on split rows: of each row first the even columns,
   then the odd ones. Then a colour is contiguous, for the arithmetic and for messages. */
#include "heat.h"

/* Splitting and joining take as long as one sweep or two in place; short rows gain nothing. */
enum { LEAST_SWEEPS = 4, LEAST_COLUMNS = 16 };

typedef struct {
    heat_state *state;
    heat_plate *plate;
    int which;      /* array of the split rows */
    int64_t odd_at; /* place of column 1; that of column 0 is 0 */
} split;

bool heat_split_pays(const heat_state *state, int64_t sweeps)
{
    return (state->method == HEAT_GAUSS_SEIDEL || state->method == HEAT_SOR)
           && state->stores != HEAT_PLAIN && sweeps >= LEAST_SWEEPS
           && state->plate->columns >= LEAST_COLUMNS;
}

/* Column 2 lies where column 1 is in an ordinary row, at the beginning of a line. The odd columns
   also begin a line if the row is long enough. */
static int64_t odd_place(const heat_plate *plate)
{
    int64_t line = 64 / (int64_t)plate->kernels->bytes, even = (plate->columns + 1) / 2,
            odd = plate->columns / 2 + 1, rounded = (even + line - 1) / line * line;
    return 1 + (rounded + odd < plate->stride ? rounded : even);
}

/* The red columns of a row are the even ones if the row is. */
static bool is_odd(const split *s, int64_t row, int black)
{
    return (s->plate->first - 1 + row + black) % 2 != 0;
}

static int64_t count_of(const split *s, bool odd) { return (s->plate->columns + odd) / 2; }

/* Returns the first number of a colour inside the plate. */
static void *half_at(const split *s, int64_t row, bool odd)
{
    return heat_at(s->plate, s->which, row, odd ? s->odd_at : 1);
}

static const void *west_of(const split *s, int64_t row, bool odd)
{
    return heat_at(s->plate, s->which, row, odd ? 0 : s->odd_at);
}

static void split_rows(const split *s)
{
    const heat_plate *plate = s->plate;
    for (int64_t row = 0; row <= plate->mine + 1; row++)
        plate->kernels->split_row(heat_at(plate, s->which, row, 0),
                                  heat_at(plate, s->which, row, s->odd_at),
                                  heat_at(plate, plate->now, row, 0), plate->columns + 2);
}

static void join_rows(const split *s)
{
    const heat_plate *plate = s->plate;
    for (int64_t row = 1; row <= plate->mine; row++)
        plate->kernels->join_row(heat_at(plate, plate->now, row, 0),
                                 heat_at(plate, s->which, row, 0),
                                 heat_at(plate, s->which, row, s->odd_at), plate->columns + 2);
}

static void relax(const split *s, int64_t row, int black)
{
    bool odd = is_odd(s, row, black);
    heat_cost(s->plate, 0.5);
    s->plate->kernels->relax_half(half_at(s, row, odd), west_of(s, row, odd), s->plate->stride,
                                  count_of(s, odd), s->state->omega);
}

/* Red in this row and black in the one above are in the same columns. */
static void relax_both(const split *s, int64_t row)
{
    bool odd = is_odd(s, row, 0);
    heat_cost(s->plate, 1);
    s->plate->kernels->relax_halves(half_at(s, row, odd), west_of(s, row, odd), s->plate->stride,
                                    count_of(s, odd), s->state->omega);
}

static heat_halo_part part_of(const split *s, int64_t row, int black)
{
    bool odd = is_odd(s, row, black);
    return (heat_halo_part){half_at(s, row, odd),
                            (size_t)count_of(s, odd) * s->plate->kernels->bytes};
}

/* Only the colour that the other one reads next is exchanged. */
static void begin(const split *s, int black, heat_halo *halo)
{
    int64_t last = s->plate->mine;
    const heat_halo_part part[] = {part_of(s, 0, black), part_of(s, 1, black),
                                   part_of(s, last, black), part_of(s, last + 1, black)};
    double start_s = cm_time();
    heat_halo_begin_parts(s->plate, part, halo);
    s->state->halo_s += cm_time() - start_s;
    s->state->sent_bytes += (double)halo->sent_bytes;
}

static void end(const split *s, heat_halo *halo)
{
    double start_s = cm_time();
    heat_halo_end(halo);
    s->state->halo_s += cm_time() - start_s;
}

/* The order is that of heat_relax. */
static void sweep(const split *s)
{
    int64_t last = s->plate->mine, step = heat_rows_at_a_time(s->plate);
    heat_halo halo;
    begin(s, 1, &halo);
    for (int64_t row = 2; row < last; row++) {
        if (row > 3) relax_both(s, row);
        else relax(s, row, 0);
        if (row % step == 0) cm_progress();
    }
    end(s, &halo);
    relax(s, 1, 0);
    if (last > 1) relax(s, last, 0);

    begin(s, 0, &halo);
    if (last > 2) relax(s, 2, 1);
    if (last > 3) relax(s, last - 1, 1);
    end(s, &halo);
    relax(s, 1, 1);
    if (last > 1) relax(s, last, 1);
}

void heat_split_relax(heat_state *state, int64_t sweeps)
{
    heat_plate *plate = state->plate;
    const split s = {
        .state = state, .plate = plate, .which = 1 - plate->now, .odd_at = odd_place(plate)};
    split_rows(&s);
    for (int64_t k = 0; k < sweeps; k++) sweep(&s);
    join_rows(&s);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_blocks.c: which rank has which rows and columns of the plate. */
#include <string.h>
#include "heat.h"

heat_grid heat_grid_of(const heat_problem *problem, int ranks)
{
    return ranks > 1 && problem->blocks.rows ? problem->blocks : (heat_grid){ranks, 1};
}

bool heat_make_grid(const heat_problem *problem, int ranks, int columns, heat_grid *grid)
{
    *grid = (heat_grid){ranks / columns, columns};
    return ranks % columns == 0 && columns <= problem->columns && grid->rows <= problem->rows;
}

/* Returns the first of n points, from 1, that part k of some parts has. */
static int64_t first_of(int64_t n, int parts, int k)
{
    int64_t extra = n % parts;
    return 1 + k * (n / parts) + (k < extra ? k : extra);
}

heat_block heat_block_of(heat_grid grid, int64_t rows, int64_t columns, int rank)
{
    int p = rank / grid.columns, q = rank % grid.columns;
    heat_block block = {.first = first_of(rows, grid.rows, p),
                        .first_column = first_of(columns, grid.columns, q)};
    block.rows = first_of(rows, grid.rows, p + 1) - block.first;
    block.columns = first_of(columns, grid.columns, q + 1) - block.first_column;
    return block;
}

int64_t heat_most_steps(const heat_problem *problem, heat_grid grid)
{
    const int64_t rows = problem->rows / grid.rows, columns = problem->columns / grid.columns;
    return grid.columns > 1 && columns < rows ? columns : rows;
}

heat_teams heat_teams_of(heat_grid grid, int64_t points, int64_t most)
{
    if (grid.rows * grid.columns * points <= most) return (heat_teams){1, grid.columns};
    int columns = grid.columns < 3 ? grid.columns : 3;
    while (grid.columns % columns) columns++;
    const int64_t rows = grid.rows * (grid.columns / columns), fit = most / (columns * points);
    return (heat_teams){(int)(fit > 1 ? (rows + fit - 1) / fit : rows), columns};
}

static inline __attribute__((always_inline)) void copy(char *to, size_t to_apart, const char *from,
                                                       size_t from_apart, size_t bytes, size_t rows)
{
    for (size_t k = 0; k < rows; k++) memcpy(to + k * to_apart, from + k * from_apart, bytes);
}

/* A row may be a single number, of which a copy is one instruction. */
void heat_copy_rows(void *to, size_t to_apart, const void *from, size_t from_apart, size_t bytes,
                    int64_t rows)
{
    const size_t n = (size_t)rows;
    if (to_apart == bytes && from_apart == bytes) memcpy(to, from, n * bytes);
    else if (bytes == sizeof(float)) copy(to, to_apart, from, from_apart, sizeof(float), n);
    else if (bytes == sizeof(double)) copy(to, to_apart, from, from_apart, sizeof(double), n);
    else copy(to, to_apart, from, from_apart, bytes, n);
}

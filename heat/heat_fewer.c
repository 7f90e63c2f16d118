/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_fewer.c: moves a grid of multigrid to fewer ranks and back. The blocks of up to HEAT_MERGE
   neighbours become one: of a square of ranks, or of a row of them if the grid of ranks is one. */
#include "heat_multigrid.h"
#include "memory/memory.h"

enum { TAG = 3 };

/* Ranks below and beside each other whose blocks become one. */
static heat_grid merged(heat_grid grid)
{
    if (grid.columns == 1) return (heat_grid){HEAT_MERGE, 1};
    if (grid.rows == 1) return (heat_grid){1, HEAT_MERGE};
    return (heat_grid){2, HEAT_MERGE / 2};
}

/* Returns the grid of the ranks that go on. */
static heat_grid fewer(heat_grid grid)
{
    const heat_grid some = merged(grid);
    return (heat_grid){(grid.rows + some.rows - 1) / some.rows,
                       (grid.columns + some.columns - 1) / some.columns};
}

/* Finds the ranks whose blocks go where this rank's goes, row by row. */
static void find_ranks(heat_level *level)
{
    const heat_grid grid = level->plate->grid, some = merged(grid);
    const int rank = cm_rank(level->plate->group);
    const int p = rank / grid.columns / some.rows * some.rows,
              q = rank % grid.columns / some.columns * some.columns;
    level->ranks = 0;
    for (int i = p; i < p + some.rows && i < grid.rows; i++)
        for (int j = q; j < q + some.columns && j < grid.columns; j++)
            level->rank[level->ranks++] = i * grid.columns + j;
}

/* Returns the bytes of the block with the points around it. */
static size_t bytes_of(const heat_block *block, size_t number)
{
    return (size_t)((block->rows + 2) * (block->columns + 2)) * number;
}

bool heat_fewer_open(heat_level *many, heat_level *few)
{
    const heat_plate *plate = many->plate;
    const heat_block mine = {plate->first, plate->mine, plate->first_column, plate->columns};
    const int rank = cm_rank(plate->group);
    find_ranks(many);
    const bool leads = rank == many->rank[0];
    cm_group *group = cm_split(plate->group, leads ? 0 : -1, rank);
    size_t most = bytes_of(&mine, plate->kernels->bytes);
    if (!leads) cm_send(plate->group, &mine, sizeof mine, many->rank[0], TAG);
    heat_block all = many->block[0] = mine;
    for (int k = 1; k < many->ranks && leads; k++) {
        heat_block *block = &many->block[k];
        cm_recv(plate->group, block, sizeof *block, many->rank[k], TAG, NULL);
        const size_t bytes = bytes_of(block, plate->kernels->bytes);
        if (bytes > most) most = bytes;
        all.rows = block->first + block->rows - all.first;
        all.columns = block->first_column + block->columns - all.first_column;
    }
    many->message = cm_memory_open(most);
    heat_level_require(many->message);
    if (!leads) return false;
    few->row_gap = many->row_gap;
    few->column_gap = many->column_gap;
    heat_level_open(few, plate, group, fewer(plate->grid), plate->rows, plate->whole_columns, &all);
    return true;
}

void heat_fewer_close(heat_level *many)
{
    cm_memory_free(many->message);
    many->message = NULL;
}

/* ---- There and back -------------------------------------------------------------------------- */

static size_t apart(const heat_plate *plate)
{
    return (size_t)plate->stride * plate->kernels->bytes;
}

/* Returns the address of the leader's point of the whole grid, in an array from column 0 of row 0.
   */
static void *point(const heat_plate *plate, void *array, int64_t row, int64_t column)
{
    row += 1 - plate->first;
    column += 1 - plate->first_column;
    return (char *)array + (row * plate->stride + column) * (int64_t)plate->kernels->bytes;
}

size_t heat_fewer_gather(const heat_level *many, const heat_level *few)
{
    const heat_plate *plate = many->plate, *to = few->plate;
    const size_t number = plate->kernels->bytes;
    const void *mine = (char *)many->source + apart(plate) + number;
    if (cm_rank(plate->group) != many->rank[0]) {
        const size_t row_bytes = (size_t)plate->columns * number,
                     bytes = (size_t)plate->mine * row_bytes;
        heat_copy_rows(many->message, row_bytes, mine, apart(plate), row_bytes, plate->mine);
        cm_send(plate->group, many->message, bytes, many->rank[0], TAG);
        return bytes;
    }
    for (int k = 0; k < many->ranks; k++) {
        const heat_block *block = &many->block[k];
        const size_t row_bytes = (size_t)block->columns * number;
        if (k > 0)
            cm_recv(plate->group, many->message, (size_t)block->rows * row_bytes, many->rank[k],
                    TAG, NULL);
        heat_copy_rows(point(to, few->source, block->first, block->first_column), apart(to),
                       k > 0 ? many->message : mine, k > 0 ? row_bytes : apart(plate), row_bytes,
                       block->rows);
    }
    return 0;
}

size_t heat_fewer_scatter(const heat_level *many, const heat_level *few)
{
    const heat_plate *plate = many->plate, *from = few->plate;
    const size_t number = plate->kernels->bytes, row_bytes = (size_t)(plate->columns + 2) * number;
    void *own = heat_at(plate, 0, 0, 0);
    size_t sent = 0;
    if (cm_rank(plate->group) != many->rank[0]) {
        cm_recv(plate->group, many->message, (size_t)(plate->mine + 2) * row_bytes, many->rank[0],
                TAG, NULL);
        heat_copy_rows(own, apart(plate), many->message, row_bytes, row_bytes, plate->mine + 2);
        return 0;
    }
    heat_copy_rows(own, apart(plate), heat_at(from, 0, 0, 0), apart(from), row_bytes,
                   plate->mine + 2);
    for (int k = 1; k < many->ranks; k++) {
        const heat_block *block = &many->block[k];
        const size_t part_bytes = (size_t)(block->columns + 2) * number;
        heat_copy_rows(
            many->message, part_bytes,
            point(from, heat_at(from, 0, 0, 0), block->first - 1, block->first_column - 1),
            apart(from), part_bytes, block->rows + 2);
        cm_send(plate->group, many->message, bytes_of(block, number), many->rank[k], TAG);
        sent += bytes_of(block, number);
    }
    return sent;
}

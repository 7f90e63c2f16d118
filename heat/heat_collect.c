/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_collect.c: gathers the plate on rank 0. */
#include <stdlib.h>
#include <string.h>
#include "heat.h"

static int64_t thinning(int64_t rows, int64_t columns, int64_t most)
{
    int64_t longest = rows > columns ? rows : columns;
    return (longest + most - 1) / most;
}

/* Number of rows or columns up to this one that thinning keeps: 1, 1 + thin, ... */
static int64_t kept(int64_t row, int64_t thin) { return row < 1 ? 0 : (row - 1) / thin + 1; }

size_t heat_picture_bytes(const heat_problem *problem, int64_t most)
{
    int64_t thin = thinning(problem->rows, problem->columns, most);
    return (size_t)(kept(problem->rows, thin) * kept(problem->columns, thin))
           * heat_number_bytes(problem->precision);
}

static void *room(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        cm_abort(CM_EXIT_SYSTEM, "out of memory: %zu bytes for collecting the plate", bytes);
    return memory;
}

/* Points of a block that thinning keeps: from a row and a column of the picture, from 0. */
static heat_block kept_of(const heat_plate *plate, int64_t thin, int rank)
{
    const heat_block block = heat_block_of(plate->grid, plate->rows, plate->whole_columns, rank);
    heat_block part = {.first = kept(block.first - 1, thin),
                       .first_column = kept(block.first_column - 1, thin)};
    part.rows = kept(block.first + block.rows - 1, thin) - part.first;
    part.columns = kept(block.first_column + block.columns - 1, thin) - part.first_column;
    return part;
}

static size_t bytes_of(const heat_plate *plate, const heat_block *part)
{
    return (size_t)(part->rows * part->columns) * plate->kernels->bytes;
}

void heat_picture_open(const heat_plate *plate, int64_t most, heat_picture *picture)
{
    int64_t thin = thinning(plate->rows, plate->whole_columns, most);
    *picture = (heat_picture){
        .thin = thin, .rows = kept(plate->rows, thin), .columns = kept(plate->whole_columns, thin)};
    heat_block part = kept_of(plate, thin, cm_rank(plate->group));
    picture->part = room(bytes_of(plate, &part));
    if (cm_rank(plate->group) != HEAT_LEADER) return;
    int ranks = cm_size(plate->group);
    size_t bytes = (size_t)(picture->rows * picture->columns) * plate->kernels->bytes, offset = 0;
    picture->whole = room(bytes);
    picture->gathered = plate->grid.columns > 1 ? room(bytes) : picture->whole;
    picture->bytes = room((size_t)ranks * sizeof *picture->bytes);
    picture->offset = room((size_t)ranks * sizeof *picture->offset);
    for (int rank = 0; rank < ranks; rank++) {
        part = kept_of(plate, thin, rank);
        picture->offset[rank] = offset;
        offset += picture->bytes[rank] = bytes_of(plate, &part);
    }
}

void heat_picture_close(heat_picture *picture)
{
    free(picture->part);
    if (picture->gathered != picture->whole) free(picture->gathered);
    free(picture->whole);
    free(picture->bytes);
    free(picture->offset);
    *picture = (heat_picture){0};
}

/* Puts the gathered blocks in their places. */
static void join(const heat_plate *plate, const heat_picture *picture)
{
    const size_t number = plate->kernels->bytes;
    for (int rank = 0; rank < cm_size(plate->group); rank++) {
        const heat_block part = kept_of(plate, picture->thin, rank);
        const char *from = (const char *)picture->gathered + picture->offset[rank];
        char *to = (char *)picture->whole
                   + (size_t)(part.first * picture->columns + part.first_column) * number;
        for (int64_t row = 0; row < part.rows; row++)
            memcpy(to + (size_t)(row * picture->columns) * number,
                   from + (size_t)(row * part.columns) * number, (size_t)part.columns * number);
    }
}

void heat_collect(const heat_plate *plate, heat_picture *picture)
{
    const int64_t thin = picture->thin;
    const heat_block part = kept_of(plate, thin, cm_rank(plate->group));
    const size_t number = plate->kernels->bytes, row_bytes = (size_t)part.columns * number;
    const int64_t row = part.first * thin + 2 - plate->first,
                  column = part.first_column * thin + 2 - plate->first_column;
    for (int64_t k = 0; k < part.rows && part.columns > 0; k++)
        heat_copy_rows((char *)picture->part + (size_t)k * row_bytes, number,
                       heat_at(plate, plate->now, row + k * thin, column), (size_t)thin * number,
                       number, part.columns);
    cm_gatherv(plate->group, picture->part, bytes_of(plate, &part), picture->gathered,
               picture->bytes, picture->offset, HEAT_LEADER, CM_AUTO);
    if (picture->gathered != picture->whole) join(plate, picture);
}

double heat_picture_at(const heat_plate *plate, const heat_picture *picture, int64_t row,
                       int64_t column)
{
    return heat_get(plate->kernels->precision, picture->whole, row * picture->columns + column);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_collect.c: gathers the plate on rank 0. */
#include <stdlib.h>
#include "heat.h"

static int64_t thinning(int64_t rows, int64_t columns, int64_t most)
{
    int64_t longest = rows > columns ? rows : columns;
    return (longest + most - 1) / most;
}

/* Number of rows up to this one that thinning keeps: 1, 1 + thin, ... */
static int64_t kept(int64_t row, int64_t thin) { return row < 1 ? 0 : (row - 1) / thin + 1; }

size_t heat_picture_bytes(const heat_problem *problem, int64_t most)
{
    int64_t thin = thinning(problem->rows, problem->columns, most);
    size_t number = problem->precision == HEAT_SINGLE ? sizeof(float) : sizeof(double);
    return (size_t)(kept(problem->rows, thin) * kept(problem->columns, thin)) * number;
}

static void *room(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        cm_abort(CM_EXIT_SYSTEM, "out of memory: %zu bytes for collecting the plate", bytes);
    return memory;
}

void heat_picture_open(const heat_plate *plate, int64_t most, heat_picture *picture)
{
    int64_t thin = thinning(plate->rows, plate->columns, most);
    *picture = (heat_picture){
        .thin = thin, .rows = kept(plate->rows, thin), .columns = kept(plate->columns, thin)};
    size_t row_bytes = (size_t)picture->columns * plate->kernels->bytes;
    int64_t mine = kept(plate->first + plate->mine - 1, thin) - kept(plate->first - 1, thin);
    picture->part = room((size_t)mine * row_bytes);
    if (cm_rank(plate->group) != HEAT_LEADER) return;
    int ranks = cm_size(plate->group);
    picture->whole = room((size_t)picture->rows * row_bytes);
    picture->bytes = room((size_t)ranks * sizeof *picture->bytes);
    picture->offset = room((size_t)ranks * sizeof *picture->offset);
    for (int rank = 0; rank < ranks; rank++) {
        int64_t before = kept(heat_first_row(plate->rows, ranks, rank) - 1, thin);
        int64_t after = kept(heat_first_row(plate->rows, ranks, rank + 1) - 1, thin);
        picture->offset[rank] = (size_t)before * row_bytes;
        picture->bytes[rank] = (size_t)(after - before) * row_bytes;
    }
}

void heat_picture_close(heat_picture *picture)
{
    free(picture->part);
    free(picture->whole);
    free(picture->bytes);
    free(picture->offset);
    *picture = (heat_picture){0};
}

void heat_collect(const heat_plate *plate, heat_picture *picture)
{
    size_t row_bytes = (size_t)picture->columns * plate->kernels->bytes, used = 0;
    for (int64_t r = 1; r <= plate->mine; r++) {
        if ((plate->first - 1 + r - 1) % picture->thin != 0) continue;
        plate->kernels->pack((char *)picture->part + used, heat_at(plate, plate->now, r, 1),
                             picture->thin, picture->columns);
        used += row_bytes;
    }
    cm_gatherv(plate->group, picture->part, used, picture->whole, picture->bytes, picture->offset,
               HEAT_LEADER, CM_AUTO);
}

double heat_picture_at(const heat_plate *plate, const heat_picture *picture, int64_t row,
                       int64_t column)
{
    return plate->kernels->get(picture->whole, row * picture->columns + column);
}

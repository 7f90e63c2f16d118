/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_plate.c: memory for the rows of a rank, with its neighbours' rows and the sides around
   them. */
#include "heat.h"
#include "memory/memory.h"

enum { LINE_BYTES = 64, PAGE_BYTES = 4096, APART_BYTES = 512, LARGE_BYTES = 8192 };

int64_t heat_first_row(int64_t rows, int ranks, int rank)
{
    int64_t extra = rows % ranks;
    return 1 + rank * (rows / ranks) + (rank < extra ? rank : extra);
}

/* Column 1 begins a line in every row. The distance of large rows is an odd multiple of 512 bytes.
   Both arrays begin at the same offset in a page, and storing a row past the caches while reading
   the one below it took four times as long with a distance near a multiple of 1024 (16384 columns
   in single precision, AMD Zen 3: 320 ms a sweep instead of 85). Small rows must not be a page
   apart, where they would share few cache sets. */
static int64_t stride_of(int64_t columns, size_t number)
{
    int64_t line = LINE_BYTES / (int64_t)number, apart = APART_BYTES / (int64_t)number;
    int64_t stride = (columns + 1 + line) / line * line;
    if (stride * (int64_t)number >= LARGE_BYTES)
        return (stride + apart - 1) / (2 * apart) * (2 * apart) + apart;
    return stride + (stride * (int64_t)number % PAGE_BYTES == 0 ? line : 0);
}

static size_t array_bytes(int64_t columns, size_t number, int64_t mine, int64_t depth)
{
    return (size_t)((mine + 2 * depth + 1) * stride_of(columns, number)) * number + 2 * LINE_BYTES;
}

size_t heat_plate_bytes(const heat_problem *problem, int ranks, int64_t depth)
{
    return 2
           * array_bytes(problem->columns, heat_kernels_of(problem->precision)->bytes,
                         (problem->rows + ranks - 1) / ranks, depth);
}

void *heat_at(const heat_plate *plate, int which, int64_t row, int64_t column)
{
    return plate->origin[which] + (row * plate->stride + column) * (int64_t)plate->kernels->bytes;
}

void heat_plate_reset(const heat_problem *problem, heat_plate *plate)
{
    const heat_kernels *kernels = plate->kernels;
    int64_t columns = plate->columns;
    plate->now = 0;
    for (int which = 0; which < 2; which++)
        for (int64_t r = 1 - plate->depth; r <= plate->mine + plate->depth; r++) {
            int64_t row = plate->first - 1 + r;
            if (row < 0 || row > plate->rows + 1) continue;
            void *at = heat_at(plate, which, r, 0);
            if (row == 0 || row == plate->rows + 1) {
                const heat_side *side = &problem->sides[row ? HEAT_SOUTH : HEAT_NORTH];
                for (int64_t j = 1; j <= columns; j++)
                    kernels->set(at, j, heat_side_at(side, j, columns));
                /* A corner is no point's neighbour. */
                kernels->set(at, 0, problem->initial);
                kernels->set(at, columns + 1, problem->initial);
                continue;
            }
            kernels->fill(heat_at(plate, which, r, 1), problem->initial, columns);
            kernels->set(at, 0, heat_side_at(&problem->sides[HEAT_WEST], row, plate->rows));
            kernels->set(at, columns + 1,
                         heat_side_at(&problem->sides[HEAT_EAST], row, plate->rows));
        }
}

void *heat_plate_array(const heat_plate *plate, void **origin)
{
    size_t number = plate->kernels->bytes;
    void *memory = cm_memory_open(array_bytes(plate->columns, number, plate->mine, plate->depth));
    *origin = (char *)memory + LINE_BYTES - number
              + (size_t)((plate->depth - 1) * plate->stride) * number;
    return memory;
}

bool heat_plate_open_rows(const heat_kernels *kernels, cm_group *group, int64_t rows,
                          int64_t columns, int64_t first, int64_t mine, int64_t depth,
                          heat_plate *plate)
{
    int rank = cm_rank(group), ranks = cm_size(group);
    *plate = (heat_plate){
        .kernels = kernels,
        .group = group,
        .rows = rows,
        .columns = columns,
        .first = first,
        .mine = mine,
        .depth = depth,
        .stride = stride_of(columns, kernels->bytes),
        .above = rank - 1,
        .below = rank + 1 < ranks ? rank + 1 : -1,
    };
    for (int which = 0; which < 2; which++) {
        void *origin;
        plate->memory[which] = heat_plate_array(plate, &origin);
        if (!plate->memory[which]) {
            heat_plate_close(plate);
            return false;
        }
        plate->origin[which] = origin;
    }
    return true;
}

bool heat_plate_open(const heat_problem *problem, cm_group *group, int64_t depth, heat_plate *plate)
{
    int rank = cm_rank(group), ranks = cm_size(group);
    int64_t first = heat_first_row(problem->rows, ranks, rank);
    int64_t mine = heat_first_row(problem->rows, ranks, rank + 1) - first;
    if (!heat_plate_open_rows(heat_kernels_of(problem->precision), group, problem->rows,
                              problem->columns, first, mine, depth, plate))
        return false;
    heat_plate_reset(problem, plate);
    return true;
}

heat_plate heat_plate_part(const heat_plate *plate, int64_t first, int64_t rows)
{
    heat_plate part = *plate;
    part.first += first - 1;
    part.mine = rows;
    for (int which = 0; which < 2; which++)
        part.origin[which] = heat_at(plate, which, first - 1, 0);
    return part;
}

void heat_plate_close(heat_plate *plate)
{
    for (int which = 0; which < 2; which++) {
        cm_memory_free(plate->memory[which]);
        plate->memory[which] = NULL;
    }
}

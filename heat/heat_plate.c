/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_plate.c: memory for the rows or the block of a rank, with its neighbours' rows and columns
   and the sides around them. */
#include "heat.h"
#include "memory/memory.h"

enum { LINE_BYTES = 64, PAGE_BYTES = 4096, APART_BYTES = 512, LARGE_BYTES = 8192 };

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

/* Columns to and from either side. */
static size_t packed_bytes(size_t number, int64_t mine) { return 4 * (size_t)mine * number; }

size_t heat_plate_bytes(const heat_problem *problem, int ranks, int64_t depth)
{
    const heat_grid grid = heat_grid_of(problem, ranks);
    const heat_block largest = heat_block_of(grid, problem->rows, problem->columns, 0);
    const size_t number = heat_kernels_of(problem->precision)->bytes;
    return 2 * array_bytes(largest.columns, number, largest.rows, depth)
           + (grid.columns > 1 ? packed_bytes(number, largest.rows) : 0);
}

void *heat_at(const heat_plate *plate, int which, int64_t row, int64_t column)
{
    return plate->origin[which] + (row * plate->stride + column) * (int64_t)plate->kernels->bytes;
}

/* Temperatures of a northern or southern side. A corner is no point's neighbour. */
static void set_side(const heat_problem *problem, const heat_plate *plate, const heat_side *side,
                     void *at)
{
    for (int64_t j = 0; j <= plate->columns + 1; j++) {
        int64_t column = plate->first_column - 1 + j;
        bool is_corner = column == 0 || column == problem->columns + 1;
        plate->kernels->set(
            at, j, is_corner ? problem->initial : heat_side_at(side, column, problem->columns));
    }
}

/* Temperature beside a row: that of the side, or until the first exchange the initial one. */
static double beside(const heat_problem *problem, heat_place place, int64_t row, int neighbour)
{
    return neighbour >= 0 ? problem->initial
                          : heat_side_at(&problem->sides[place], row, problem->rows);
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
                set_side(problem, plate, &problem->sides[row ? HEAT_SOUTH : HEAT_NORTH], at);
                continue;
            }
            kernels->fill(heat_at(plate, which, r, 1), problem->initial, columns);
            kernels->set(at, 0, beside(problem, HEAT_WEST, row, plate->left));
            kernels->set(at, columns + 1, beside(problem, HEAT_EAST, row, plate->right));
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

static bool open_block(const heat_kernels *kernels, cm_group *group, heat_grid grid, int64_t rows,
                       int64_t columns, const heat_block *block, int64_t depth, heat_plate *plate)
{
    const int rank = cm_rank(group), ranks = cm_size(group);
    const int q = rank % grid.columns;
    *plate = (heat_plate){
        .kernels = kernels,
        .group = group,
        .grid = grid,
        .rows = rows,
        .whole_columns = columns,
        .first = block->first,
        .mine = block->rows,
        .first_column = block->first_column,
        .columns = block->columns,
        .depth = depth,
        .stride = stride_of(block->columns, kernels->bytes),
        .above = rank >= grid.columns ? rank - grid.columns : -1,
        .below = rank + grid.columns < ranks ? rank + grid.columns : -1,
        .left = q > 0 ? rank - 1 : -1,
        .right = q + 1 < grid.columns ? rank + 1 : -1,
    };
    bool fine = true;
    for (int which = 0; which < 2; which++) {
        void *origin;
        plate->memory[which] = heat_plate_array(plate, &origin);
        plate->origin[which] = origin;
        fine = fine && plate->memory[which];
    }
    if (grid.columns > 1) {
        plate->packed = cm_memory_open(packed_bytes(kernels->bytes, plate->mine));
        fine = fine && plate->packed;
    }
    if (!fine) heat_plate_close(plate);
    return fine;
}

bool heat_plate_open_rows(const heat_kernels *kernels, cm_group *group, int64_t rows,
                          int64_t columns, int64_t first, int64_t mine, int64_t depth,
                          heat_plate *plate)
{
    const heat_block block = {first, mine, 1, columns};
    return open_block(kernels, group, (heat_grid){cm_size(group), 1}, rows, columns, &block, depth,
                      plate);
}

bool heat_plate_open(const heat_problem *problem, cm_group *group, int64_t depth, heat_plate *plate)
{
    const heat_grid grid = heat_grid_of(problem, cm_size(group));
    const heat_block block = heat_block_of(grid, problem->rows, problem->columns, cm_rank(group));
    if (!open_block(heat_kernels_of(problem->precision), group, grid, problem->rows,
                    problem->columns, &block, depth, plate))
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
    cm_memory_free(plate->packed);
    plate->packed = NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_plate.c: memory for the rows or the block of a rank, with its neighbours' rows and columns
   and the sides around them. */
#include "heat.h"
#include "memory/memory.h"

enum { LINE_BYTES = 64, PAGE_BYTES = 4096, APART_BYTES = 512, LARGE_BYTES = 8192 };

static int64_t line_of(size_t number) { return LINE_BYTES / (int64_t)number; }

static int64_t whole_lines(int64_t count, size_t number)
{
    int64_t line = line_of(number);
    return (count + line - 1) / line * line;
}

/* Column 1 begins a line in every row. The distance of large rows is an odd multiple of 512 bytes.
   Both arrays begin at the same offset in a page, and storing a row past the caches while reading
   the one below it took four times as long with a distance near a multiple of 1024 (16384 columns
   in single precision, AMD Zen 3: 320 ms a sweep instead of 85). Small rows must not be a page
   apart, where they would share few cache sets. */
static int64_t stride_of(int64_t columns, int64_t beside, size_t number)
{
    int64_t apart = APART_BYTES / (int64_t)number;
    int64_t stride = whole_lines(columns + 2 * beside, number);
    if (stride * (int64_t)number >= LARGE_BYTES)
        return (stride + apart - 1) / (2 * apart) * (2 * apart) + apart;
    return stride + (stride * (int64_t)number % PAGE_BYTES == 0 ? line_of(number) : 0);
}

static size_t array_bytes(int64_t columns, int64_t beside, size_t number, int64_t mine,
                          int64_t depth)
{
    int64_t numbers = (mine + 2 * depth + 1) * stride_of(columns, beside, number)
                      + whole_lines(beside, number) + line_of(number);
    return (size_t)numbers * number;
}

static int64_t beside_of(heat_grid grid, int64_t depth) { return grid.columns > 1 ? depth : 1; }

/* Columns to and from either side. A coarse grid may have no row here. */
static size_t packed_bytes(size_t number, int64_t mine, int64_t beside)
{
    return 4 * (size_t)((mine > 0 ? mine : 1) * beside) * number;
}

size_t heat_plate_bytes(const heat_problem *problem, int ranks, int64_t depth)
{
    const heat_grid grid = heat_grid_of(problem, ranks);
    const heat_block largest = heat_block_of(grid, problem->rows, problem->columns, 0);
    const size_t number = heat_number_bytes(problem->precision);
    const int64_t beside = beside_of(grid, depth);
    return 2 * array_bytes(largest.columns, beside, number, largest.rows, depth)
           + (grid.columns > 1 ? packed_bytes(number, largest.rows, beside) : 0);
}

void *heat_at(const heat_plate *plate, int which, int64_t row, int64_t column)
{
    return plate->origin[which] + (row * plate->stride + column) * (int64_t)plate->kernels->bytes;
}

/* Returns the temperature of a point before the first iteration, or that of a side. A corner is no
   point's neighbour. */
static double first_at(const heat_problem *problem, int64_t row, int64_t column)
{
    const heat_side *sides = problem->sides;
    const bool beside = column == 0 || column == problem->columns + 1;
    if (row == 0 || row == problem->rows + 1)
        return beside
                   ? problem->initial
                   : heat_side_at(&sides[row ? HEAT_SOUTH : HEAT_NORTH], column, problem->columns);
    return beside ? heat_side_at(&sides[column ? HEAT_EAST : HEAT_WEST], row, problem->rows)
                  : problem->initial;
}

/* Neighbours' points are set as this rank's are, although an exchange will. */
static void reset_row(const heat_problem *problem, const heat_plate *plate, int which, int64_t row)
{
    const heat_precision precision = plate->kernels->precision;
    const int64_t whole = plate->first - 1 + row, columns = plate->columns;
    const bool is_side = whole == 0 || whole == plate->rows + 1;
    void *at = heat_at(plate, which, row, 0);
    if (!is_side) heat_fill(precision, heat_at(plate, which, row, 1), problem->initial, columns);
    for (int64_t j = 1 - plate->beside; j <= columns + plate->beside; j++) {
        if (j == 1 && !is_side) j = columns + 1;
        int64_t column = plate->first_column - 1 + j;
        if (column >= 0 && column <= plate->whole_columns + 1)
            heat_set(precision, at, j, first_at(problem, whole, column));
    }
}

void heat_plate_reset(const heat_problem *problem, heat_plate *plate)
{
    plate->now = 0;
    for (int which = 0; which < 2; which++)
        for (int64_t row = 1 - plate->depth; row <= plate->mine + plate->depth; row++) {
            int64_t whole = plate->first - 1 + row;
            if (whole >= 0 && whole <= plate->rows + 1) reset_row(problem, plate, which, row);
        }
}

void *heat_plate_array(const heat_plate *plate, void **origin)
{
    const size_t number = plate->kernels->bytes;
    void *memory = cm_memory_open(
        array_bytes(plate->columns, plate->beside, number, plate->mine, plate->depth));
    *origin = (char *)memory
              + ((plate->depth - 1) * plate->stride + whole_lines(plate->beside, number) - 1)
                    * (int64_t)number;
    return memory;
}

bool heat_plate_open_block(const heat_kernels *kernels, cm_group *group, heat_grid grid,
                           int64_t rows, int64_t columns, const heat_block *block, int64_t depth,
                           heat_plate *plate)
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
        .beside = beside_of(grid, depth),
        .stride = stride_of(block->columns, beside_of(grid, depth), kernels->bytes),
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
        plate->packed = cm_memory_open(packed_bytes(kernels->bytes, plate->mine, depth));
        fine = fine && plate->packed;
    }
    if (!fine) heat_plate_close(plate);
    return fine;
}

bool heat_plate_open(const heat_problem *problem, cm_group *group, int64_t depth, heat_plate *plate)
{
    const heat_grid grid = heat_grid_of(problem, cm_size(group));
    const heat_block block = heat_block_of(grid, problem->rows, problem->columns, cm_rank(group));
    if (!heat_plate_open_block(heat_kernels_of(problem->precision), group, grid, problem->rows,
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

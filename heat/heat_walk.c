/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_walk.c: brings an array of the plate to rank 0 or from it, some whole rows at a time. */
#include <stdlib.h>
#include "heat.h"

enum { TAG = 7, MESSAGE_BYTES = 1 << 20 };

typedef struct {
    const heat_plate *plate;
    int which;
    bool reads, leads;
    char *data;    /* whole rows, on the leader */
    char *message; /* a block's part of them */
} walk;

/* A message holds whole rows, or a block's part of them. */
static int64_t rows_a_message(const heat_plate *plate)
{
    int64_t rows = MESSAGE_BYTES / (plate->whole_columns * (int64_t)plate->kernels->bytes);
    return rows < 1 ? 1 : rows;
}

/* Moves what `owner` has of rows `row` and on, of its own counting. */
static void move(const walk *w, int owner, const heat_block *block, int64_t row, int64_t rows)
{
    const heat_plate *plate = w->plate;
    const size_t number = plate->kernels->bytes, bytes = (size_t)block->columns * number,
                 whole = (size_t)plate->whole_columns * number,
                 apart = (size_t)plate->stride * number, message = (size_t)rows * bytes;
    const bool mine = cm_rank(plate->group) == owner;
    char *part = w->leads ? w->data + (size_t)(block->first_column - 1) * number : NULL;
    char *here = mine ? heat_at(plate, w->which, row, 1) : NULL;
    if (mine && w->leads) {
        if (w->reads) heat_copy_rows(here, apart, part, whole, bytes, rows);
        else heat_copy_rows(part, whole, here, apart, bytes, rows);
    } else if (w->leads && w->reads) {
        heat_copy_rows(w->message, bytes, part, whole, bytes, rows);
        cm_send(plate->group, w->message, message, owner, TAG);
    } else if (w->leads) {
        cm_recv(plate->group, w->message, message, owner, TAG, NULL);
        heat_copy_rows(part, whole, w->message, bytes, bytes, rows);
    } else if (mine && w->reads) {
        cm_recv(plate->group, w->message, message, HEAT_LEADER, TAG, NULL);
        heat_copy_rows(here, apart, w->message, bytes, bytes, rows);
    } else if (mine) {
        heat_copy_rows(w->message, bytes, here, apart, bytes, rows);
        cm_send(plate->group, w->message, message, HEAT_LEADER, TAG);
    }
}

static char *room(size_t bytes)
{
    char *memory = malloc(bytes);
    if (!memory) cm_abort(CM_EXIT_SYSTEM, "out of memory: %zu bytes for a checkpoint", bytes);
    return memory;
}

void heat_walk(const heat_plate *plate, int which, bool reads, heat_each_rows *each, void *context)
{
    const int64_t step = rows_a_message(plate);
    const size_t row_bytes = (size_t)plate->whole_columns * plate->kernels->bytes;
    walk w = {.plate = plate,
              .which = which,
              .reads = reads,
              .leads = cm_rank(plate->group) == HEAT_LEADER,
              .message = room((size_t)step * row_bytes)};
    if (w.leads) w.data = room((size_t)step * row_bytes);
    for (int p = 0; p < plate->grid.rows; p++) {
        const int first = p * plate->grid.columns;
        heat_block block = heat_block_of(plate->grid, plate->rows, plate->whole_columns, first);
        for (int64_t row = 1; row <= block.rows; row += step) {
            int64_t rows = block.rows - row + 1 < step ? block.rows - row + 1 : step;
            if (w.leads && reads) each(context, w.data, (size_t)rows * row_bytes);
            for (int q = 0; q < plate->grid.columns; q++) {
                block = heat_block_of(plate->grid, plate->rows, plate->whole_columns, first + q);
                move(&w, first + q, &block, row, rows);
            }
            if (w.leads && !reads) each(context, w.data, (size_t)rows * row_bytes);
        }
    }
    free(w.message);
    free(w.data);
}

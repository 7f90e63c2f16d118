/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_exchange.c: an exchange of edges and its time; what rows cost. */
#include "heat.h"

/* Bytes of a plate between two calls of cm_progress. */
enum { PROGRESS_BYTES = 1 << 18 };

void heat_exchange_begin(heat_state *state, const heat_plate *plate, heat_halo *halo)
{
    double start_s = cm_time();
    heat_halo_begin(plate, halo);
    state->halo_s += cm_time() - start_s;
    state->sent_bytes += (double)halo->sent_bytes;
}

void heat_exchange_end(heat_state *state, heat_halo *halo)
{
    double start_s = cm_time();
    heat_halo_end(halo);
    state->halo_s += cm_time() - start_s;
}

int64_t heat_rows_at_a_time(const heat_plate *plate)
{
    if (plate->above < 0 && plate->below < 0 && !plate->packed) return plate->mine;
    int64_t rows = PROGRESS_BYTES / (plate->stride * (int64_t)plate->kernels->bytes);
    return rows < 8 ? 8 : rows;
}

void heat_cost(const heat_plate *plate, double rows)
{
    cm_compute(0, rows * (double)plate->columns * cm_item_s());
}

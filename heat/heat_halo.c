/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_halo.c: exchanges rows, and columns of blocks, with the neighbouring ranks. */
#include "heat.h"

enum { UPWARDS = 1, DOWNWARDS = 2 };

void heat_halo_begin_parts(const heat_plate *plate, const heat_halo_part part[4], heat_halo *halo)
{
    *halo = (heat_halo){.sent_bytes = 0};
    if (plate->above >= 0)
        halo->request[0] =
            cm_irecv(plate->group, part[0].at, part[0].bytes, plate->above, DOWNWARDS);
    if (plate->below >= 0) {
        halo->request[1] = cm_irecv(plate->group, part[3].at, part[3].bytes, plate->below, UPWARDS);
        halo->request[2] =
            cm_isend(plate->group, part[2].at, part[2].bytes, plate->below, DOWNWARDS);
        halo->sent_bytes += part[2].bytes;
    }
    if (plate->above >= 0) {
        halo->request[3] = cm_isend(plate->group, part[1].at, part[1].bytes, plate->above, UPWARDS);
        halo->sent_bytes += part[1].bytes;
    }
}

/* Rows are contiguous with what is between them, so several rows are one message. They include the
   sides' temperatures, or `deep` columns of the neighbours beside. */
static void begin_rows(const heat_plate *plate, int64_t deep, heat_halo *halo)
{
    const int now = plate->now;
    const int64_t first = plate->left >= 0 ? 1 - deep : 0,
                  last = plate->columns + (plate->right >= 0 ? deep : 1);
    const size_t bytes =
        (size_t)((deep - 1) * plate->stride + last - first + 1) * plate->kernels->bytes;
    const heat_halo_part part[4] = {{heat_at(plate, now, 1 - deep, first), bytes},
                                    {heat_at(plate, now, 1, first), bytes},
                                    {heat_at(plate, now, plate->mine + 1 - deep, first), bytes},
                                    {heat_at(plate, now, plate->mine + 1, first), bytes}};
    heat_halo_begin_parts(plate, part, halo);
}

void heat_halo_begin(const heat_plate *plate, heat_halo *halo)
{
    begin_rows(plate, 1, halo);
    if (!plate->packed) return;
    halo->beside = plate;
    heat_columns_begin(plate, 1, halo);
}

void heat_halo_end(heat_halo *halo)
{
    cm_waitall(halo->beside ? 8 : 4, halo->request, NULL);
    if (halo->beside) heat_columns_end(halo->beside, 1);
}

/* Rows are sent when columns have come, so that corners come with the rows. */
size_t heat_halo_exchange(const heat_plate *plate, int64_t deep)
{
    heat_halo columns = {.sent_bytes = 0}, rows;
    if (plate->packed) {
        heat_columns_begin(plate, deep, &columns);
        cm_waitall(8, columns.request, NULL);
        heat_columns_end(plate, deep);
    }
    begin_rows(plate, deep, &rows);
    cm_waitall(4, rows.request, NULL);
    return columns.sent_bytes + rows.sent_bytes;
}

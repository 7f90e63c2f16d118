/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_halo.c: exchanges rows with the neighbouring ranks. */
#include "heat.h"

enum { UPWARDS = 1, DOWNWARDS = 2 };

/* Rows are contiguous with the sides' temperatures between them, so several rows are one
   message. */
static size_t bytes_of(const heat_plate *plate, int64_t deep)
{
    return (size_t)((deep - 1) * plate->stride + plate->columns + 2) * plate->kernels->bytes;
}

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

void heat_halo_begin(const heat_plate *plate, int64_t deep, heat_halo *halo)
{
    int now = plate->now;
    size_t bytes = bytes_of(plate, deep);
    const heat_halo_part part[4] = {{heat_at(plate, now, 1 - deep, 0), bytes},
                                    {heat_at(plate, now, 1, 0), bytes},
                                    {heat_at(plate, now, plate->mine + 1 - deep, 0), bytes},
                                    {heat_at(plate, now, plate->mine + 1, 0), bytes}};
    heat_halo_begin_parts(plate, part, halo);
}

void heat_halo_end(heat_halo *halo) { cm_waitall(4, halo->request, NULL); }

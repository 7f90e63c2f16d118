/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_columns.c: exchanges columns with the ranks beside this one.

   A column is packed into a message of consecutive numbers. Corners are not exchanged: no point has
   one as its neighbour. */
#include "heat.h"

enum { LEFTWARDS = 3, RIGHTWARDS = 4 };
enum { TO_LEFT, TO_RIGHT, FROM_LEFT, FROM_RIGHT };

static size_t bytes_of(const heat_plate *plate)
{
    return (size_t)plate->mine * plate->kernels->bytes;
}

static void *message(const heat_plate *plate, int which)
{
    return (char *)plate->packed + (size_t)which * bytes_of(plate);
}

static void *packed(const heat_plate *plate, int which, int64_t column)
{
    void *to = message(plate, which);
    plate->kernels->pack(to, heat_at(plate, plate->now, 1, column), plate->stride, plate->mine);
    return to;
}

void heat_columns_begin(const heat_plate *plate, heat_halo *halo)
{
    const int left = plate->left, right = plate->right;
    const size_t bytes = bytes_of(plate);
    cm_request **request = halo->request + 4;
    halo->beside = plate;
    if (left >= 0)
        request[0] = cm_irecv(plate->group, message(plate, FROM_LEFT), bytes, left, RIGHTWARDS);
    if (right >= 0) {
        request[1] = cm_irecv(plate->group, message(plate, FROM_RIGHT), bytes, right, LEFTWARDS);
        request[2] = cm_isend(plate->group, packed(plate, TO_RIGHT, plate->columns), bytes, right,
                              RIGHTWARDS);
        halo->sent_bytes += bytes;
    }
    if (left >= 0) {
        request[3] = cm_isend(plate->group, packed(plate, TO_LEFT, 1), bytes, left, LEFTWARDS);
        halo->sent_bytes += bytes;
    }
}

void heat_columns_end(const heat_halo *halo)
{
    const heat_plate *plate = halo->beside;
    if (plate->left >= 0)
        plate->kernels->unpack(heat_at(plate, plate->now, 1, 0), message(plate, FROM_LEFT),
                               plate->stride, plate->mine);
    if (plate->right >= 0)
        plate->kernels->unpack(heat_at(plate, plate->now, 1, plate->columns + 1),
                               message(plate, FROM_RIGHT), plate->stride, plate->mine);
}

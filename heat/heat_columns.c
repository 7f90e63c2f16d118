/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_columns.c: exchanges columns with the ranks beside this one. They are packed into a message
   of consecutive numbers. */
#include "heat.h"

enum { LEFTWARDS = 3, RIGHTWARDS = 4 };
enum { TO_LEFT, TO_RIGHT, FROM_LEFT, FROM_RIGHT };

static size_t row_bytes(const heat_plate *plate, int64_t deep)
{
    return (size_t)deep * plate->kernels->bytes;
}

static size_t bytes_of(const heat_plate *plate, int64_t deep)
{
    return (size_t)plate->mine * row_bytes(plate, deep);
}

static void *message(const heat_plate *plate, int64_t deep, int which)
{
    return (char *)plate->packed + (size_t)which * bytes_of(plate, deep);
}

static void *packed(const heat_plate *plate, int64_t deep, int which, int64_t column)
{
    void *to = message(plate, deep, which), *from = heat_at(plate, plate->now, 1, column);
    heat_copy_rows(to, row_bytes(plate, deep), from, row_bytes(plate, plate->stride),
                   row_bytes(plate, deep), plate->mine);
    return to;
}

static void unpack(const heat_plate *plate, int64_t deep, int which, int64_t column)
{
    void *from = message(plate, deep, which), *to = heat_at(plate, plate->now, 1, column);
    heat_copy_rows(to, row_bytes(plate, plate->stride), from, row_bytes(plate, deep),
                   row_bytes(plate, deep), plate->mine);
}

void heat_columns_begin(const heat_plate *plate, int64_t deep, heat_halo *halo)
{
    const int left = plate->left, right = plate->right;
    const size_t bytes = bytes_of(plate, deep);
    cm_request **request = halo->request + 4;
    if (left >= 0)
        request[0] =
            cm_irecv(plate->group, message(plate, deep, FROM_LEFT), bytes, left, RIGHTWARDS);
    if (right >= 0) {
        request[1] =
            cm_irecv(plate->group, message(plate, deep, FROM_RIGHT), bytes, right, LEFTWARDS);
        request[2] =
            cm_isend(plate->group, packed(plate, deep, TO_RIGHT, plate->columns + 1 - deep), bytes,
                     right, RIGHTWARDS);
        halo->sent_bytes += bytes;
    }
    if (left >= 0) {
        request[3] =
            cm_isend(plate->group, packed(plate, deep, TO_LEFT, 1), bytes, left, LEFTWARDS);
        halo->sent_bytes += bytes;
    }
}

void heat_columns_end(const heat_plate *plate, int64_t deep)
{
    if (plate->left >= 0) unpack(plate, deep, FROM_LEFT, 1 - deep);
    if (plate->right >= 0) unpack(plate, deep, FROM_RIGHT, plate->columns + 1);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_tournament.c: the reduction of tournament pivoting, whose operator is Fortran's. */
#include "linpack.h"

#define OPERATOR(name, play)                                                    \
    static void name(const void *left, void *right, size_t count, cm_type type) \
    {                                                                           \
        const size_t bytes = cm_type_bytes(type);                               \
        for (size_t k = 0; k < count; k++)                                      \
            play((const char *)left + k * bytes, (char *)right + k * bytes);    \
    }
OPERATOR(play_single, linpack_single_play)
OPERATOR(play_double, linpack_double_play)

cm_request *linpack_tournament_start(cm_group *group, void *record, int real_bytes, size_t bytes)
{
    return cm_iallreduce(
        group, record, record, 1, CM_RECORD(bytes),
        CM_USER_OP(real_bytes == (int)sizeof(float) ? play_single : play_double, 0), CM_AUTO);
}

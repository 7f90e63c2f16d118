/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_tournament.c: the reduction of tournament pivoting, whose operator is Fortran's. */
#include "linpack.h"

void linpack_tournament_start(cm_group *const *group, void *record, size_t bytes,
                              cm_op_function *play, cm_request **request)
{
    *request =
        cm_iallreduce(*group, record, record, 1, CM_RECORD(bytes), CM_USER_OP(play, 0), CM_AUTO);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_algorithm.c: the C side of module cm_comm_algorithm. */
#include "comm/fortran/comm_fortran.h"

bool cm_fortran_algorithm_available(int collective, const cm_algorithm *algorithm)
{
    return cm_algorithm_available((cm_collective)collective, *algorithm);
}

const char *cm_fortran_algorithm_name(const cm_algorithm *algorithm)
{
    return cm_algorithm_name(*algorithm);
}

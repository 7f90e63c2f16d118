/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_fortran.h: shared by the C sides of the modules of cm_comm. */
#ifndef CM_COMM_FORTRAN_H
#define CM_COMM_FORTRAN_H

#include "comm/fortran/descriptor.h"

typedef CFI_cdesc_t array;

/* The derived types of the modules, each with one component. */
typedef struct {
    cm_group *handle;
} group_t;
typedef struct {
    cm_request *handle;
} request_t;

/* Returns the algorithm given in the call, or the default. */
static inline cm_algorithm chosen(const cm_algorithm *algorithm)
{
    return algorithm ? *algorithm : CM_AUTO;
}

#endif

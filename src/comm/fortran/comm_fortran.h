/* SPDX-License-Identifier: BSD-3-Clause */
/* comm_fortran.h: what the C sides of the modules of cm_comm share. */
#ifndef CM_COMM_FORTRAN_H
#define CM_COMM_FORTRAN_H

#include "comm/fortran/descriptor.h"

typedef CFI_cdesc_t array;

/* The modules' derived types, each one component. */
typedef struct {
    cm_group *handle;
} group_t;
typedef struct {
    cm_request *handle;
} request_t;

/* The algorithm that a call names, or the default. */
static inline cm_algorithm chosen(const cm_algorithm *algorithm)
{
    return algorithm ? *algorithm : CM_AUTO;
}

#endif

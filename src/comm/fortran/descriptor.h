/* SPDX-License-Identifier: BSD-3-Clause */
/* descriptor.h: from a Fortran array's descriptor to its address and length; private to the C sides
   of the Fortran modules. */
#ifndef CM_COMM_FORTRAN_DESCRIPTOR_H
#define CM_COMM_FORTRAN_DESCRIPTOR_H

#include <ISO_Fortran_binding.h>
#include "comm/comm.h"

/* Refuses an argument whose length is unknown or whose elements are not contiguous. Returns its
   number of elements. Strides are meaningless if an extent is 1 or the array is empty. */
static inline size_t elements(const char *call, const char *argument, const CFI_cdesc_t *d)
{
    size_t n = 1;
    for (int k = 0; k < d->rank; k++) {
        if (d->dim[k].extent < 0)
            cm_abort(CM_EXIT_USAGE,
                     "%s: the length of %s is unknown (an assumed-size array);"
                     " pass an array section",
                     call, argument);
        n *= (size_t)d->dim[k].extent;
    }
    if (n == 0) return 0;
    size_t step = d->elem_len;
    for (int k = 0; k < d->rank; k++) {
        if (d->dim[k].extent > 1 && d->dim[k].sm != (CFI_index_t)step)
            cm_abort(CM_EXIT_USAGE,
                     "%s: %s is not contiguous (elements along dimension %d are"
                     " %td bytes apart, not %zu); pass a contiguous section or a copy",
                     call, argument, k + 1, (ptrdiff_t)d->dim[k].sm, step);
        step *= (size_t)d->dim[k].extent;
    }
    return n;
}

typedef struct {
    void *data;
    size_t bytes;
} buffer;

static inline buffer whole(const char *call, const char *argument, const CFI_cdesc_t *d)
{
    size_t bytes = elements(call, argument, d) * d->elem_len;
    return (buffer){bytes ? d->base_addr : NULL, bytes};
}

#endif

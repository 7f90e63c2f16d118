/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_inventory.c: what a host says of itself beyond what every result has. */
#include "config.h"
#include "nodes.h"
#ifdef HAVE_BLAS
#include "blas/blas.h"
#endif

void nodes_describe(void (*each)(const char *key, const char *value, void *context), void *context)
{
    cm_machine_inventory(each, context);
#ifdef HAVE_BLAS
    const char *kernel = cm_blas_kernel();
    each("blas", *kernel ? kernel : CM_BLAS_LIBS, context);
#else
    each("blas", "none", context);
#endif
}

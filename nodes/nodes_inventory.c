/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_inventory.c: what a host says of itself beyond what every result has. */
#include "config.h"
#include <stdio.h>
#include "nodes.h"
#ifdef HAVE_BLAS
#include "blas/blas.h"
#endif

void nodes_describe(void (*each)(const char *key, const char *value, void *context), void *context)
{
    cm_machine_inventory(each, context);
#ifdef HAVE_BLAS
    const cm_blas_library library = cm_blas_library_loaded();
    const char *kernel = cm_blas_kernel();
    char text[256];
    snprintf(text, sizeof text, "%s%s%s%s%s", library.name, *library.version ? " " : "",
             library.version, *kernel ? " " : "", kernel);
    each("blas", text, context);
#else
    each("blas", "none", context);
#endif
}

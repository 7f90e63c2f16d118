/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_low.c: the precision of --refine-factors. */
#include "linpack_options.h"

const char *const linpack_factors[] = {"single", "bfloat16", "half", NULL};

const cm_blas_low *linpack_low_of(const linpack_options *options)
{
    return options->refine && options->refine_factors ? &options->low : NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_sets.c: the kernels of a precision, for the instruction set in force. */
#include "config.h"
#include "heat_kernels.h"
#include "machine/sets.h"

CM_SETS_DECLARE(const heat_kernels, heat_kernels_single);
CM_SETS_DECLARE(const heat_kernels, heat_kernels_double);

const heat_kernels *heat_kernels_of(heat_precision precision)
{
    static const heat_kernels *const kernels[2][CM_SETS] = {
        [HEAT_SINGLE] = CM_SETS_TABLE(heat_kernels_single),
        [HEAT_DOUBLE] = CM_SETS_TABLE(heat_kernels_double)};
    return kernels[precision][cm_set_chosen()];
}

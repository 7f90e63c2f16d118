/* SPDX-License-Identifier: BSD-3-Clause */
/* built_for.c: the instruction sets for which the library, or one of its sets of kernels, was
   compiled. The file contains only
   data, so the library's own compiler flags do no harm on a processor that lacks them. */
#include <config.h>
#include "machine/machine_internal.h"
#include "machine/sets.h"

/* Expands to 1 if the macro is defined to 1 and to 0 if it is undefined. The paste gives either
   "CM_IS_1", which moves the 1 to second place, or a name that is not defined. */
#define CM_IS_1 0, 1
#define CM_DEFINED(macro) CM_DEFINED_PASTE(macro)
#define CM_DEFINED_PASTE(value) CM_DEFINED_SECOND(CM_IS_##value, 0, 0)
#define CM_DEFINED_SECOND(...) CM_DEFINED_TAKE(__VA_ARGS__)
#define CM_DEFINED_TAKE(first, second, ...) second

const unsigned char CM_SETS_NAME(cm_machine_built_for)[] = {
#define CM_SET(macro, ...) CM_DEFINED(macro),
#include "machine/instruction_sets.h"
#undef CM_SET
    0 /* ends the table on processor families without lines */
};

/* SPDX-License-Identifier: BSD-3-Clause */
/* sets.c: which of the compiled instruction sets this processor has, and which is in force. */
#include "config.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine_internal.h"
#include "machine/sets.h"

const char *const cm_set_names[CM_SETS + 1] = {"baseline", "native", "v3", "v4", NULL};

/* The instructions that the compiler may use by itself with each set's flags. */
typedef const unsigned char built_for[];
CM_SETS_DECLARE(built_for, cm_machine_built_for);
static const unsigned char (*const tables[CM_SETS])[] = CM_SETS_TABLE(cm_machine_built_for);

bool cm_set_has(cm_set set, const char **why)
{
    const char *name = NULL;
    bool present = tables[set] != NULL;
    for (size_t i = 0; present && i < cm_machine_instruction_sets; i++)
        if ((*tables[set])[i]) name = cm_machine_instruction_set(i, &present);
    if (why) *why = name;
    return present;
}

static cm_set choose(void)
{
    const char *asked = getenv("CM_ISA");
    if (!asked || !*asked) asked = getenv("CM_SET"); /* its old name */
    cm_set best = CM_SET_BASELINE;
    for (int set = 0; set < CM_SETS; set++) {
        if (!cm_set_has((cm_set)set, NULL)) continue;
        best = (cm_set)set;
        if (asked && strcmp(asked, cm_set_names[set]) == 0) break;
    }
    return best;
}

/* Asking the processor takes microseconds, with a hypervisor many. All threads find the same. */
cm_set cm_set_chosen(void)
{
    static _Atomic int chosen = -1;
    int set = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (set < 0) atomic_store_explicit(&chosen, set = (int)choose(), memory_order_relaxed);
    return (cm_set)set;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_false_cpu.c: a program that says it was built for all instruction sets there are; no
   processor has them all. Its table takes the place of the library's. */
#include <config.h>
#include <stdio.h>
#include <string.h>
#include "machine/machine_internal.h"

const unsigned char cm_machine_built_for[] = {
#define CM_SET(macro, ...) 1,
#include "machine/instruction_sets.h"
#undef CM_SET
    0};

int main(void)
{
    printf("main began\n");
    cm_machine_require_cpu("machine_false_cpu");
    return 0;
}

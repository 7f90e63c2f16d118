/* SPDX-License-Identifier: BSD-3-Clause */
/* sets_false_cpu.c: a program whose kernels of the set v4 say that they need all instruction sets
   there are; no processor has them all. It says which set is in force. */
#include "config.h"
#include <stdio.h>
#include "machine/sets.h"
#include "run/run.h"

extern const unsigned char cm_machine_built_for_v4[];
const unsigned char cm_machine_built_for_v4[] = {
#define CM_SET(macro, ...) 1,
#include "machine/instruction_sets.h"
#undef CM_SET
    0};

static int run(const cm_benchmark *benchmark)
{
    (void)benchmark, printf("%s\n", cm_set_names[cm_set_chosen()]);
    return 0;
}

int main(int argc, char **argv)
{
    const cm_option options[] = {{0}};
    const cm_program program = {
        .name = "sets_false_cpu", .purpose = "print the set in force", .options = options};
    const cm_benchmark benchmark = {.program = &program, .least = 1, .run = run};
    return cm_run_main(&benchmark, argc, argv);
}

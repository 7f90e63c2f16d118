/* SPDX-License-Identifier: BSD-3-Clause */
/* noise_check.c: checks options beyond their ranges. */
#include "noise.h"
#include "measure/period.h"

size_t noise_quanta(const noise_options *options)
{
    size_t n = CM_PERIOD_LEAST_VALUES;
    while ((double)n * options->quantum_s < options->seconds) n *= 2;
    return n;
}

int noise_check(const cm_program *program, void *of_program)
{
    const noise_options *options = of_program;
    if (cm_comm_has(CM_HAS_SIMULATOR))
        return cm_option_error(program, "a simulated host has no noise; run it on the host itself");
    if (options->seconds < CM_PERIOD_LEAST_VALUES * options->quantum_s)
        return cm_option_error(program,
                               "--seconds %g has fewer than %d quanta of %g s; expected at least "
                               "%g",
                               options->seconds, (int)CM_PERIOD_LEAST_VALUES, options->quantum_s,
                               CM_PERIOD_LEAST_VALUES * options->quantum_s);
    if (options->seconds > NOISE_MOST_QUANTA * options->quantum_s)
        return cm_option_error(program,
                               "--seconds %g has more than %d quanta of %g s; expected at most %g",
                               options->seconds, (int)NOISE_MOST_QUANTA, options->quantum_s,
                               NOISE_MOST_QUANTA * options->quantum_s);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_bsp.c: a superstep's time l + g h (Valiant, Communications of the ACM 33 (1990) 103; l
   and g as bspbench measures them: Bisseling, Parallel Scientific Computation, 2nd ed. 2020,
   section 1.5). */
#include "config.h"
#include "measure/fit.h"

bool cm_fit_bsp(size_t n, const double *h_words, const double *time_s, cm_fit_weight weight,
                cm_bsp_parameters *fit)
{
    cm_line line;
    if (!cm_fit_line(n, h_words, time_s, weight, &line)) return false;
    *fit = (cm_bsp_parameters){.g_s_per_word = line.slope,
                               .l_s = line.intercept,
                               .residual_deviation = line.residual_deviation};
    return true;
}

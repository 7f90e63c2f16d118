/* SPDX-License-Identifier: BSD-3-Clause */
/* delay.c: holds a message up at its sender, for CM_DELAY_NS. */
#include "comm/backend.h"

/* Nothing else moves meanwhile: a sender that is this much slower does not progress either. */
void cm_delay_spin(int delay_ns)
{
    const double until_s = cm_time() + 1e-9 * delay_ns;
    while (cm_time() < until_s) {}
}

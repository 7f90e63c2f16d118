/* SPDX-License-Identifier: BSD-3-Clause */
/* cost.c: counts the CPU time of a trial's exchanges at each end. */
#include "pairs/pairs.h"

double cm_pair_obey_at_cost(cm_pair_channel *channel, const cm_pair_mode *mode,
                            cm_pair_operation operation, int64_t bytes, int64_t iterations,
                            bool leads)
{
    bool costs = channel->costs && (operation == CM_PAIR_TRIAL || operation == CM_PAIR_CHECKED);
    double before_s = cm_time();
    cm_cpu before = costs ? cm_cpu_used() : (cm_cpu){0, 0};
    double begin_s = cm_time();
    cm_pair_obey(channel, mode, operation, bytes, iterations, leads);
    double time_s = cm_time() - begin_s;
    if (!costs) return time_s;
    cm_cpu_add_since(&channel->cost.cpu, &before);
    channel->cost.lasted_s += cm_time() - before_s; /* includes the readings, as cpu does */
    if (leads)
        channel->cost.messages +=
            (double)iterations * mode->messages_per_iteration * mode->directions;
    return time_s;
}

void cm_pair_cost_add(cm_pair_cost *cost, const cm_pair_cost *other)
{
    cost->cpu.user_s += other->cpu.user_s;
    cost->cpu.system_s += other->cpu.system_s;
    cost->lasted_s += other->lasted_s;
    cost->messages += other->messages;
}

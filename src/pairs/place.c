/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c: determines the processors on which ranks may run, and whether each rank has its own. */
#include "comm/computer.h"
#include "pairs/pairs.h"
#include "run/run.h"

cm_machine_cpus cm_pair_own_cpus(void)
{
    cm_machine_cpus cpus = {{0}};
    cm_machine_cpus_affinity(0, &cpus);
    return cpus;
}

bool cm_pair_cores_shared(const cm_group *group, const cm_machine_cpus *cpus)
{
    int size = cm_size(group);
    for (int first = 0; first < size; first++) {
        if (cm_run_ranks_before(group, first) > 0) continue;
        cm_machine_cpus all = {{0}};
        bool known = true;
        for (int rank = first; rank < size; rank++) {
            if (cm_computer_of(group, rank) != cm_computer_of(group, first)) continue;
            known = known && cm_machine_cpus_count(&cpus[rank]) > 0;
            cm_machine_cpus_or(&all, &cpus[rank]);
        }
        if (known && cm_machine_cpus_count(&all) < cm_run_ranks_on_computer(group, first))
            return true;
    }
    return false;
}

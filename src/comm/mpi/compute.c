/* SPDX-License-Identifier: BSD-3-Clause */
/* compute.c: what computations cost under SimGrid. */
#include "comm/mpi/backend_mpi.h"

#ifdef SMPI_H
#include <simgrid/host.h>

/* smpi_execute would take the seconds by the speed of smpi/host-speed, and drop short ones. */
void cm_compute(double flop, double seconds)
{
    flop += seconds * sg_host_get_speed(sg_host_self());
    if (flop > 0) smpi_execute_flops(flop);
}

double cm_item_s(void) { return cm_mpi.item_s; }

const char *cm_mpi_simulated_clock(void)
{
    return sg_host_get_property_value(sg_host_self(), "clock_hz");
}

#else

void cm_compute(double flop, double seconds)
{
    (void)flop;
    (void)seconds;
}

double cm_item_s(void) { return 0; }

const char *cm_mpi_simulated_clock(void) { return NULL; }

#endif

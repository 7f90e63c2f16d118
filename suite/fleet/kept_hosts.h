/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_hosts.h: what is kept of the machine and of each host. */
#ifndef SUITE_KEPT_HOSTS_H
#define SUITE_KEPT_HOSTS_H

#include <jansson.h>
#include "results/launches.h"

/* Adds what the record says of kernel, MPI, BLAS, compilers and the like, and machine does not. */
void suite_kept_add_machine(json_t *machine, const cm_record *record);
/* Adds an object for each host of the record. Of cm-nodes, which has a row a host, it has what the
   host reached, a value for each launch; without launches that of the record. */
void suite_kept_add_hosts(json_t *hosts, const cm_record *record, const suite_launches *launches);

#endif

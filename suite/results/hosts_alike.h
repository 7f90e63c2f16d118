/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts_alike.h: the hosts of a result in groups of hosts that are alike. */
#ifndef SUITE_HOSTS_ALIKE_H
#define SUITE_HOSTS_ALIKE_H

#include "common/index.h"
#include "result/read.h"

enum {
    SUITE_HOST_CORES,
    SUITE_HOST_CPU,
    SUITE_HOST_MEMORY,
    SUITE_HOST_KERNEL,
    SUITE_HOST_GOVERNOR,
    SUITE_HOST_NIC,
    SUITE_HOST_MTU,
    SUITE_HOST_ELSE, /* in what else the host is not as the first one */
    SUITE_HOST_CELLS
};

typedef struct {
    char *cell[SUITE_HOST_CELLS]; /* "" where the result does not say */
    size_t *host;                 /* which, of the record */
    size_t n;
    bool slow; /* cm-nodes names this host, which is alone in its group */
    bool odd;  /* slow, or not as more than half of the hosts are */
} suite_alike;

typedef struct {
    suite_alike *group; /* the odd ones first, then the smallest */
    size_t n;
    const char *usual[SUITE_HOST_CELLS]; /* of more than half of the hosts; NULL: there is none */
} suite_hosts;

/* The record is one with hosts (of JSON). Free with suite_hosts_free. */
suite_hosts suite_hosts_alike(const cm_record *record);
void suite_hosts_free(suite_hosts *hosts);

/* The names of the record's hosts, numbered as they are; of two of one name the first is found. The
   caller frees with suite_index_free. */
suite_index suite_hosts_index(const cm_record *record);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* split_host.c: splits a group by hosts. */
#include "comm/hosts.h"

cm_group *cm_split_host(cm_group *group)
{
    if (!group) cm_abort(CM_EXIT_USAGE, "cm_split_host: the group is NULL");
    const cm_hosts *hosts = cm_hosts_of(group);
    const int rank = cm_rank(group);
    return cm_split(group, hosts->host[rank], rank);
}

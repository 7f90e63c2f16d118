/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_agree.c: in what all processes must agree at the end of a superstep. */
#include "bsp/bsp_internal.h"

static const char *name_of(uint32_t call) { return call == BSP_END ? "bsp_end" : "bsp_sync"; }

void cm_bsp_check_agreement(int peer, const bsp_said *mine, const bsp_said *theirs)
{
    int pid = cm_bsp.pid;
    if (mine->superstep == theirs->superstep && mine->call == theirs->call
        && mine->pushes == theirs->pushes && mine->pops == theirs->pops
        && mine->tag_bytes == theirs->tag_bytes)
        return;
    cm_bsp_let_speak(pid, peer);
    if (mine->superstep != theirs->superstep || mine->call != theirs->call)
        cm_bsp_wrong(name_of(mine->call),
                     "process %d calls %s in superstep %llu, but process %d calls %s in "
                     "superstep %llu",
                     pid, name_of(mine->call), (unsigned long long)mine->superstep, peer,
                     name_of(theirs->call), (unsigned long long)theirs->superstep);
    if (mine->pushes != theirs->pushes || mine->pops != theirs->pops)
        cm_bsp_wrong(name_of(mine->call),
                     "process %d calls bsp_push_reg %u and bsp_pop_reg %u times, "
                     "but process %d %u and %u times",
                     pid, mine->pushes, mine->pops, peer, theirs->pushes, theirs->pops);
    cm_bsp_wrong(name_of(mine->call),
                 "bsp_set_tagsize: process %d sets %u bytes, but process %d sets %u", pid,
                 mine->tag_bytes, peer, theirs->tag_bytes);
}

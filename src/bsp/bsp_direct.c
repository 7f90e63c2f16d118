/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_direct.c: large unbuffered writes: an announcement, then the data from memory to memory. The
   receiver posts the receive when it reads the announcement (in cm_bsp_progress, otherwise in
   bsp_sync), so the data can travel during a computation. */
#include <stdlib.h>
#include "bsp/bsp_internal.h"

void cm_bsp_direct_put(int pid, int slot, const void *src, size_t offset, size_t bytes)
{
    bsp_announced *announced = cm_bsp_memory(NULL, sizeof *announced);
    *announced =
        (bsp_announced){.next = cm_bsp.announced,
                        .said = {.slot = (uint32_t)slot, .offset = offset, .bytes = bytes}};
    cm_bsp.announced = announced;
    cm_bsp_requests_add(&cm_bsp.sends,
                        cm_isend(cm_bsp.group, &announced->said, sizeof announced->said, pid,
                                 bsp_tag_of(BSP_TAG_ANNOUNCE)));
    cm_bsp_requests_add(&cm_bsp.sends,
                        cm_isend(cm_bsp.group, src, bytes, pid, bsp_tag_of(BSP_TAG_DIRECT)));
    cm_bsp.out[pid].announced++;
}

static void hear(int pid)
{
    bsp_announcement said;
    cm_recv(cm_bsp.group, &said, sizeof said, pid, bsp_tag_of(BSP_TAG_ANNOUNCE), NULL);
    unsigned char *to = (unsigned char *)cm_bsp.area[said.slot].base + said.offset;
    cm_bsp_requests_add(&cm_bsp.receives,
                        cm_irecv(cm_bsp.group, to, said.bytes, pid, bsp_tag_of(BSP_TAG_DIRECT)));
    if (cm_bsp.check) cm_bsp_conflict_note(pid, to, said.bytes);
    cm_bsp.heard[pid]++;
}

void cm_bsp_progress(void)
{
    cm_status status;
    cm_bsp_check_call("cm_bsp_progress", 0);
    while (cm_iprobe(cm_bsp.group, CM_ANY, bsp_tag_of(BSP_TAG_ANNOUNCE), &status))
        hear(status.source);
    cm_bsp_now_progress();
    cm_progress();
}

void cm_bsp_direct_hear(int pid, uint32_t announced)
{
    while (cm_bsp.heard[pid] < (int)announced) hear(pid);
    cm_bsp.heard[pid] = 0;
}

void cm_bsp_direct_end(void)
{
    while (cm_bsp.announced) {
        bsp_announced *next = cm_bsp.announced->next;
        free(cm_bsp.announced);
        cm_bsp.announced = next;
    }
}

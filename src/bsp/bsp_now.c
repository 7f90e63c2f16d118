/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_now.c: bsp_direct_get, which is complete when it returns. The reader asks the owner of the
   data, and the owner answers in any call of BSPlib that waits. A reader may be in the next
   superstep already; then the owner answers when it is there, too. A process that reads has not
   called bsp_sync, so others wait for nothing else of this superstep before it has its answer. */
#include <stdlib.h>
#include "bsp/bsp_internal.h"

enum { ASK_TAG = BSP_TAG + 17, NOW_TAG };

static void await_ask(void)
{
    cm_bsp.ask_request = cm_irecv(cm_bsp.group, &cm_bsp.ask, sizeof cm_bsp.ask, CM_ANY, ASK_TAG);
}

void cm_bsp_now_open(void)
{
    if (cm_bsp.p == 1) return;
    cm_bsp.early = cm_bsp_memory(NULL, (size_t)cm_bsp.p * sizeof *cm_bsp.early);
    await_ask();
}

void cm_bsp_now_close(void)
{
    cm_cancel(&cm_bsp.ask_request);
    free(cm_bsp.early);
}

/* The reader's receive is posted, so this waits for no one. */
static void answer(const bsp_ask *ask)
{
    const char *from = (const char *)cm_bsp.area[ask->slot].base + ask->offset;
    cm_bsp.now.out_bytes += (int64_t)ask->bytes;
    cm_bsp.now.out_messages++;
    cm_send(cm_bsp.group, from, ask->bytes, ask->pid, NOW_TAG);
}

/* Handles the ask that has come. */
static void hear_ask(void)
{
    const bsp_ask ask = cm_bsp.ask;
    await_ask();
    if (ask.superstep == cm_bsp.superstep) answer(&ask);
    else cm_bsp.early[cm_bsp.early_n++] = ask;
}

void cm_bsp_now_turn(void)
{
    for (int k = 0; k < cm_bsp.early_n; k++) answer(&cm_bsp.early[k]);
    cm_bsp.early_n = 0;
}

void cm_bsp_now_progress(void)
{
    while (cm_bsp.ask_request && cm_test(&cm_bsp.ask_request, NULL)) hear_ask();
}

void cm_bsp_now_wait(cm_request *request, cm_status *status)
{
    while (request) {
        cm_request *both[] = {request, cm_bsp.ask_request};
        cm_status got;
        const int which = cm_waitany(2, both, &got);
        request = both[0];
        cm_bsp.ask_request = both[1];
        if (which) hear_ask();
        else if (status) *status = got;
    }
}

void cm_bsp_now_get(int pid, int slot, size_t offset, void *dst, size_t bytes)
{
    cm_request *data = cm_irecv(cm_bsp.group, dst, bytes, pid, NOW_TAG);
    const bsp_ask ask = {.superstep = cm_bsp.superstep,
                         .offset = offset,
                         .bytes = bytes,
                         .slot = slot,
                         .pid = cm_bsp.pid};
    cm_send(cm_bsp.group, &ask, sizeof ask, pid, ASK_TAG);
    cm_bsp_now_wait(data, NULL);
}

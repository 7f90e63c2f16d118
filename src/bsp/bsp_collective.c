/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_collective.c: copies among all processes, by BSPlib's own calls. */
#include "bsp/bsp_internal.h"
#include "bsp/bsp_level1.h"

enum { BSP_TWO_PHASES_BYTES = 16384 }; /* from here on a superstep costs less than p times h */

size_t cm_bsp_collective_size(const char *call, int pid, int bytes)
{
    cm_bsp_check_call(call, pid);
    if (bytes < 0) cm_bsp_wrong(call, "size is %d; expected at least 0", bytes);
    return (size_t)bytes;
}

static void need(const char *call, const char *name, const void *data, size_t bytes)
{
    if (bytes && !data) cm_bsp_wrong(call, "%s is NULL", name);
}

/* Process pid + k, so that not all processes write to the same one at the same time. */
static int after(int pid, int k) { return (pid + k) % cm_bsp.p; }

/* ---- Broadcast ------------------------------------------------------------------------------- */

/* Puts the part of the data that process part exchanges to process pid. */
static void put_part(int pid, int part, const void *src, void *dst, size_t bytes)
{
    size_t p = (size_t)cm_bsp.p, most = (bytes + p - 1) / p, begin = (size_t)part * most;
    if (begin >= bytes) return;
    size_t length = bytes - begin < most ? bytes - begin : most;
    bsp_hpput64(pid, (const char *)src + begin, dst, begin, length);
}

static void two_phases(int root, const void *src, void *dst, size_t bytes)
{
    int p = cm_bsp.p, pid = cm_bsp.pid;
    for (int k = 1; k < p && pid == root; k++)
        put_part(after(pid, k), after(pid, k), src, dst, bytes);
    bsp_sync();
    for (int k = 1; k < p; k++)
        if (after(pid, k) != root)
            put_part(after(pid, k), pid, pid == root ? src : dst, dst, bytes);
}

void cm_bsp_bcast(int root, const void *src, void *dst, size_t bytes)
{
    int p = cm_bsp.p, pid = cm_bsp.pid;
    bsp_push_reg64(dst, bytes);
    bsp_sync();
    if (p > 2 && bytes >= BSP_TWO_PHASES_BYTES) two_phases(root, src, dst, bytes);
    else
        for (int k = 1; k < p && pid == root; k++) bsp_hpput64(after(pid, k), src, dst, 0, bytes);
    bsp_pop_reg(dst);
    bsp_sync();
    if (pid == root && bytes) memmove(dst, src, bytes);
}

void bsp_bcast(int pid, const void *src, void *dst, int bytes)
{
    size_t size = cm_bsp_collective_size("bsp_bcast", pid, bytes);
    need("bsp_bcast", "the destination", dst, size);
    if (pid == cm_bsp.pid) need("bsp_bcast", "the source", src, size);
    cm_bsp_bcast(pid, src, dst, size);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

void bsp_gather(int pid, const void *src, void *dst, int bytes)
{
    size_t size = cm_bsp_collective_size("bsp_gather", pid, bytes);
    bool root = pid == cm_bsp.pid;
    void *area = root ? dst : NULL;
    need("bsp_gather", "the source", src, size);
    if (root) need("bsp_gather", "the destination", dst, size);
    bsp_push_reg64(area, root ? (size_t)cm_bsp.p * size : 0);
    bsp_sync();
    bsp_hpput64(pid, src, area, (size_t)cm_bsp.pid * size, size);
    bsp_pop_reg(area);
    bsp_sync();
}

void bsp_scatter(int pid, const void *src, void *dst, int bytes)
{
    size_t size = cm_bsp_collective_size("bsp_scatter", pid, bytes);
    bool root = pid == cm_bsp.pid;
    need("bsp_scatter", "the destination", dst, size);
    if (root) need("bsp_scatter", "the source", src, size);
    bsp_push_reg64(dst, size);
    bsp_sync();
    for (int k = 0; k < cm_bsp.p && root && size; k++) {
        int to = after(pid, k);
        bsp_hpput64(to, (const char *)src + (size_t)to * size, dst, 0, size);
    }
    bsp_pop_reg(dst);
    bsp_sync();
}

void bsp_total_exchange(const void *src, void *dst, int bytes)
{
    size_t size = cm_bsp_collective_size("bsp_total_exchange", 0, bytes);
    need("bsp_total_exchange", "the source", src, size);
    need("bsp_total_exchange", "the destination", dst, size);
    bsp_push_reg64(dst, (size_t)cm_bsp.p * size);
    bsp_sync();
    for (int k = 0; k < cm_bsp.p && size; k++) {
        int to = after(cm_bsp.pid, k);
        bsp_hpput64(to, (const char *)src + (size_t)to * size, dst, (size_t)cm_bsp.pid * size,
                    size);
    }
    bsp_pop_reg(dst);
    bsp_sync();
}

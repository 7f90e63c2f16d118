/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_access.c: reads and writes of other processes' memory, as records of this superstep. */
#include "bsp/bsp_internal.h"

static size_t size_of(const char *call, const char *what, int value)
{
    if (value < 0) cm_bsp_wrong(call, "%s is %d; expected at least 0", what, value);
    return (size_t)value;
}

/* ---- Writes ---------------------------------------------------------------------------------- */

static void put_record(int pid, int slot, const void *src, size_t offset, size_t bytes)
{
    bsp_record *record = cm_bsp_append(pid, BSP_PUT, slot, bytes);
    record->offset = offset;
    memcpy(record + 1, src, bytes);
}

static void count(int pid, size_t bytes)
{
    cm_bsp.out[pid].payload_bytes += bytes;
    cm_bsp.out[pid].messages++;
}

/* Returns true if nothing is to be copied; then the addresses do not matter. A process without a
   part of an array may have no address for it. */
static bool nothing(const char *call, int pid, const char *name, const void *mine, size_t bytes)
{
    if (!bytes || !mine) cm_bsp_check_call(call, pid);
    if (bytes && !mine) cm_bsp_wrong(call, "the %s is NULL", name);
    return !bytes;
}

static void put_any(int pid, const void *src, void *dst, size_t offset, size_t bytes)
{
    if (nothing("bsp_put", pid, "source", src, bytes)) return;
    int slot = cm_bsp_area_find("bsp_put", pid, dst, offset, bytes);
    count(pid, bytes);
    while (bytes > BSP_RECORD_MOST) {
        put_record(pid, slot, src, offset, BSP_RECORD_MOST);
        src = (const char *)src + BSP_RECORD_MOST;
        offset += BSP_RECORD_MOST;
        bytes -= BSP_RECORD_MOST;
    }
    put_record(pid, slot, src, offset, bytes);
}

/* Appends one more word to the last record, if the write continues it. Two adjacent writes become
   one; their order is kept. */
static inline bool lengthen(bsp_stream *out, uint32_t kind_slot, const void *src, size_t offset)
{
    if (!out->last) return false;
    bsp_record *last = (bsp_record *)(void *)(out->buffer.data + out->last);
    if (last->kind_slot != kind_slot || last->offset + last->bytes != offset
        || last->bytes >= BSP_RECORD_MOST)
        return false;
    memcpy(out->buffer.data + out->buffer.used, src, 8);
    out->buffer.used += 8;
    last->bytes += 8;
    return true;
}

/* Supersteps may write very many words of 8 bytes, so this takes only a few instructions. */
static inline void put_word(int pid, const void *src, void *dst, size_t offset, size_t bytes)
{
    bsp_state *s = &cm_bsp;
    if (bytes != 8 || !src || !s->running || s->found < 0 || dst != s->found_ident
        || (unsigned)pid >= (unsigned)s->p || s->found_size[pid] < 8
        || offset > s->found_size[pid] - 8) {
        put_any(pid, src, dst, offset, bytes);
        return;
    }
    bsp_stream *out = &s->out[pid];
    uint32_t kind_slot = BSP_PUT + 8 * (uint32_t)s->found;
    if (out->buffer.capacity - out->buffer.used < sizeof(bsp_record) + 8)
        cm_bsp_grow(&out->buffer, sizeof(bsp_record) + 8);
    out->payload_bytes += 8;
    out->messages++;
    if (lengthen(out, kind_slot, src, offset)) return;
    bsp_record *record = (bsp_record *)(void *)(out->buffer.data + out->buffer.used);
    out->last = out->buffer.used;
    out->buffer.used += sizeof *record + 8;
    *record = (bsp_record){kind_slot, 8, offset};
    memcpy(record + 1, src, 8);
}

void bsp_put64(int pid, const void *src, void *dst, size_t offset, size_t bytes)
{
    put_word(pid, src, dst, offset, bytes);
}

void bsp_put(int pid, const void *src, void *dst, int offset, int bytes)
{
    if (offset < 0 || bytes < 0) {
        size_of("bsp_put", "offset", offset);
        size_of("bsp_put", "size", bytes);
    }
    put_word(pid, src, dst, (size_t)offset, (size_t)bytes);
}

/* A copy within a process, done at once. */
static void copy_direct(void *to, const void *from, size_t bytes)
{
    memmove(to, from, bytes);
    if (cm_bsp.check) cm_bsp_conflict_note(cm_bsp.pid, to, bytes);
}

void bsp_hpput64(int pid, const void *src, void *dst, size_t offset, size_t bytes)
{
    if (nothing("bsp_hpput", pid, "source", src, bytes)) return;
    int slot = cm_bsp_area_find("bsp_hpput", pid, dst, offset, bytes);
    if (pid == cm_bsp.pid) {
        copy_direct((char *)dst + offset, src, bytes);
        return;
    }
    if (bytes < BSP_LARGE_BYTES) {
        bsp_put64(pid, src, dst, offset, bytes);
        return;
    }
    count(pid, bytes);
    cm_bsp_direct_put(pid, slot, src, offset, bytes);
}

void bsp_hpput(int pid, const void *src, void *dst, int offset, int bytes)
{
    bsp_hpput64(pid, src, dst, size_of("bsp_hpput", "offset", offset),
                size_of("bsp_hpput", "size", bytes));
}

/* ---- Reads ----------------------------------------------------------------------------------- */

static void get_record(int pid, int slot, size_t offset, void *dst, size_t bytes)
{
    bsp_reads *reads = &cm_bsp.reads[pid];
    if (reads->n == reads->capacity) {
        reads->capacity = reads->capacity ? 2 * reads->capacity : 64;
        reads->want = cm_bsp_memory(reads->want, reads->capacity * sizeof *reads->want);
    }
    reads->want[reads->n++] = (bsp_wanted){dst, bytes};
    reads->bytes += bytes;
    bsp_record *record = cm_bsp_append(pid, BSP_GET, slot, 0);
    record->bytes = (uint32_t)bytes;
    record->offset = offset;
    cm_bsp.out[pid].gets++;
}

static void count_read(int pid, size_t bytes)
{
    if (pid == cm_bsp.pid) return;
    cm_bsp.now.in_bytes += (int64_t)bytes;
    cm_bsp.now.in_messages++;
}

void bsp_get64(int pid, const void *src, size_t offset, void *dst, size_t bytes)
{
    if (nothing("bsp_get", pid, "destination", dst, bytes)) return;
    int slot = cm_bsp_area_find("bsp_get", pid, src, offset, bytes);
    count_read(pid, bytes);
    while (bytes > BSP_RECORD_MOST) {
        get_record(pid, slot, offset, dst, BSP_RECORD_MOST);
        dst = (char *)dst + BSP_RECORD_MOST;
        offset += BSP_RECORD_MOST;
        bytes -= BSP_RECORD_MOST;
    }
    get_record(pid, slot, offset, dst, bytes);
}

void bsp_get(int pid, const void *src, int offset, void *dst, int bytes)
{
    bsp_get64(pid, src, size_of("bsp_get", "offset", offset), dst,
              size_of("bsp_get", "size", bytes));
}

void bsp_hpget64(int pid, const void *src, size_t offset, void *dst, size_t bytes)
{
    if (nothing("bsp_hpget", pid, "destination", dst, bytes)) return;
    int slot = cm_bsp_area_find("bsp_hpget", pid, src, offset, bytes);
    if (pid == cm_bsp.pid) {
        copy_direct(dst, (const char *)src + offset, bytes);
        return;
    }
    if (bytes < BSP_LARGE_BYTES) {
        bsp_get64(pid, src, offset, dst, bytes);
        return;
    }
    count_read(pid, bytes);
    bsp_record *record = cm_bsp_append(pid, BSP_GET_DIRECT, slot, sizeof(uint64_t));
    record->offset = offset;
    uint64_t length = bytes;
    memcpy(record + 1, &length, sizeof length);
    cm_bsp.out[pid].gets++;
    cm_bsp_requests_add(&cm_bsp.receives,
                        cm_irecv(cm_bsp.group, dst, bytes, pid, bsp_tag_of(BSP_TAG_ANSWER_DIRECT)));
    if (cm_bsp.check) cm_bsp_conflict_note(cm_bsp.pid, dst, bytes);
}

void bsp_hpget(int pid, const void *src, int offset, void *dst, int bytes)
{
    bsp_hpget64(pid, src, size_of("bsp_hpget", "offset", offset), dst,
                size_of("bsp_hpget", "size", bytes));
}

void bsp_direct_get64(int pid, const void *src, size_t offset, void *dst, size_t bytes)
{
    if (nothing("bsp_direct_get", pid, "destination", dst, bytes)) return;
    int slot = cm_bsp_area_find("bsp_direct_get", pid, src, offset, bytes);
    if (pid == cm_bsp.pid) {
        memmove(dst, (const char *)src + offset, bytes);
        return;
    }
    count_read(pid, bytes);
    cm_bsp_now_get(pid, slot, offset, dst, bytes);
}

void bsp_direct_get(int pid, const void *src, int offset, void *dst, int bytes)
{
    bsp_direct_get64(pid, src, size_of("bsp_direct_get", "offset", offset), dst,
                     size_of("bsp_direct_get", "size", bytes));
}

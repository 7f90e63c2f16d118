/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_fortran.c: the C side of module cm_bsp: from array descriptors to addresses and lengths. */
#include "bsp/bsp_internal.h"
#include "comm/fortran/descriptor.h"

typedef CFI_cdesc_t array;
typedef struct {
    cm_group *handle;
} group_t; /* the module's derived type */

static inline size_t from(const size_t *offset) { return offset ? *offset : 0; }

void cm_fortran_bsp_group_begin(const group_t *group) { cm_bsp_begin(group->handle); }
void cm_fortran_bsp_init(void (*spmd_part)(void)) { bsp_init(spmd_part, 0, NULL); }
_Noreturn void cm_fortran_bsp_abort(const char *text) { bsp_abort("%s", text); }

/* An empty array has no address of its own; it is treated like NULL. */
void cm_fortran_bsp_push_reg(const array *ident)
{
    buffer b = whole("bsp_push_reg", "ident", ident);
    bsp_push_reg64(b.data, b.bytes);
}

void cm_fortran_bsp_pop_reg(const array *ident)
{
    bsp_pop_reg(whole("bsp_pop_reg", "ident", ident).data);
}

void cm_fortran_bsp_put(int pid, const array *src, const array *dst, const size_t *offset)
{
    buffer b = whole("bsp_put", "src", src);
    bsp_put64(pid, b.data, whole("bsp_put", "dst", dst).data, from(offset), b.bytes);
}

void cm_fortran_bsp_hpput(int pid, const array *src, const array *dst, const size_t *offset)
{
    buffer b = whole("bsp_hpput", "src", src);
    bsp_hpput64(pid, b.data, whole("bsp_hpput", "dst", dst).data, from(offset), b.bytes);
}

void cm_fortran_bsp_get(int pid, const array *src, const array *dst, const size_t *offset)
{
    buffer b = whole("bsp_get", "dst", dst);
    bsp_get64(pid, whole("bsp_get", "src", src).data, from(offset), b.data, b.bytes);
}

void cm_fortran_bsp_hpget(int pid, const array *src, const array *dst, const size_t *offset)
{
    buffer b = whole("bsp_hpget", "dst", dst);
    bsp_hpget64(pid, whole("bsp_hpget", "src", src).data, from(offset), b.data, b.bytes);
}

void cm_fortran_bsp_direct_get(int pid, const array *src, const array *dst, const size_t *offset)
{
    buffer b = whole("bsp_direct_get", "dst", dst);
    bsp_direct_get64(pid, whole("bsp_direct_get", "src", src).data, from(offset), b.data, b.bytes);
}

/* ---- Messages -------------------------------------------------------------------------------- */

static void *tag_of(const char *call, const array *tag, size_t tag_bytes)
{
    buffer b = whole(call, "tag", tag);
    if (b.bytes < tag_bytes)
        cm_bsp_wrong(call, "tag has %zu bytes; expected %zu", b.bytes, tag_bytes);
    return b.data;
}

void cm_fortran_bsp_send(int pid, const array *tag, const array *payload)
{
    buffer b = whole("bsp_send", "payload", payload);
    bsp_send64(pid, tag_of("bsp_send", tag, (size_t)cm_bsp.tag_bytes), b.data, b.bytes);
}

void cm_fortran_bsp_get_tag(int64_t *payload_bytes, const array *tag)
{
    bsp_get_tag64(payload_bytes, tag_of("bsp_get_tag", tag, cm_bsp_queue_tag_bytes()));
}

void cm_fortran_bsp_move(const array *payload)
{
    buffer b = whole("bsp_move", "payload", payload);
    bsp_move64(b.data, b.bytes);
}

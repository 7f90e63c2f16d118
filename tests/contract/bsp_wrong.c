/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_wrong.c: mistakes in BSPlib programs; bsp_wrong.sh has the error message of each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bsp.h"
#include "bsp/bsp_internal.h"
#include "bsp/bsp_level1.h"

/* Sizes for which no test has the memory: a message to this process, declared to have 4 GiB and 3
   bytes, and 4 Gi and 5 messages in the queue. */
static void queue_too_much(void)
{
    bsp_send(bsp_pid(), NULL, "xyz", 3);
    bsp_sync();
    bsp_record *record =
        (bsp_record *)(void *)(cm_bsp.in[(cm_bsp.superstep - 1) & 1][bsp_pid()].buffer.data
                               + cm_bsp.queue_at);
    record->offset = cm_bsp.queue_bytes = ((size_t)1 << 32) + 3;
    cm_bsp.queue_messages = ((size_t)1 << 32) + 5;
}

/* The same where the variables are wide enough. */
static bool fits(void)
{
    size_t messages = 0, bytes = 0, payload_bytes = 0;
    bsp_qsize(&messages, &bytes);
    bsp_get_tag(&payload_bytes, NULL);
    return messages == ((size_t)1 << 32) + 5 && bytes == ((size_t)1 << 32) + 3
           && payload_bytes == bytes;
}

static const char *mistake;

static bool is(const char *name) { return strcmp(mistake, name) == 0; }

static void part(void)
{
    bsp_begin(2);
    bsp_end();
}

/* Mistakes between parts. */
static void parts(void)
{
    static int calls;
    const bool again = calls++ > 0, other = bsp_pid() == 1;
    if (is("parts-never") && other) return;
    if (is("parts-exit") && again && other) exit(0);
    if (is("parts-return") && again && other) return;
    bsp_begin(is("parts-one") ? 1 : 2);
    bsp_end();
    if (!is("parts-two") && !is("parts-one")) return;
    bsp_begin(4);
    bsp_end();
}

/* Process 0 has not given this one to bsp_init. */
static void unknown(void)
{
    bsp_begin(2);
    bsp_end();
}

int main(int argc, char **argv)
{
    int a[4] = {0}, b = 0, other = 0;
    mistake = argc > 1 ? argv[1] : "";
#define IS(name) is(name)
    if (IS("outside")) bsp_sync();
    if (IS("asks")) return bsp_nprocs() == 2 && bsp_pid() < 2 ? 0 : 3;
    if (IS("asks-fails")) return bsp_pid() ? 0 : 3;
    if (strncmp(mistake, "no-part", 7) == 0) {
        bsp_init(part, argc, argv);
        return IS("no-part-fails") ? 3 : 0;
    }
    if (IS("init-null")) bsp_init(NULL, argc, argv);
    if (strncmp(mistake, "parts-", 6) == 0) {
        bsp_init(parts, argc, argv);
        if (IS("parts-unknown")) unknown();
        parts();
        parts();
        return 0;
    }
    if (IS("early")) bsp_abort("before all, %s", "anyway");
    bsp_begin(IS("nobody-at-all") ? 0 : 2);
    if (IS("twice")) bsp_begin(2);
    if (IS("init-late")) bsp_init(bsp_end, argc, argv);
    int s = bsp_pid(), last = s == bsp_nprocs() - 1;
    bsp_push_reg(a, s ? 8 : 16);
    bsp_push_reg(&b, sizeof b);
    bsp_sync();
    bsp_sync();
    if (IS("beyond") && !last) bsp_put(1, a, a, 4, 8);
    if (IS("beyond-word") && !last) bsp_put(1, a, a, 0, 8), bsp_put(1, a, a, 1, 8);
    if (IS("beyond-hp") && !last) bsp_hpput(1, a, a, 8, 1);
    if (IS("beyond-get") && !last) bsp_get(1, a, 8, &other, 4);
    if (IS("beyond-hpget") && !last) bsp_hpget(1, a, 5, &other, 4);
    if (IS("far") && !last) bsp_put64(1, a, a, SIZE_MAX - 3, 8);
    if (IS("shorter")) {
        bsp_push_reg(a, 4);
        bsp_sync();
        if (!last) bsp_put(0, &b, a, 4, 4);
    }
    if (IS("null-put") && !last) bsp_put(1, NULL, a, 0, 8);
    if (IS("null-put-short") && !last) bsp_put(1, NULL, a, 0, 4);
    if (IS("null-hpput") && !last) bsp_hpput(1, NULL, a, 0, 8);
    if (IS("null-read") && !last) bsp_get(1, a, 0, NULL, 8);
    if (IS("null-hpget") && !last) bsp_hpget(1, a, 0, NULL, 8);
    if (IS("negative") && !last) bsp_put(1, a, a, -4, 4);
    if (IS("negative-bytes") && !last) bsp_put(1, a, a, 0, -1);
    if (IS("negative-get") && !last) bsp_get(1, a, -1, &other, 4);
    if (IS("negative-hpput") && !last) bsp_hpput(1, a, a, 0, -2);
    if (IS("negative-hpget") && !last) bsp_hpget(1, a, -3, &other, 4);
    if (IS("negative-send") && !last) bsp_send(1, NULL, a, -4);
    if (IS("negative-move") && !last) bsp_move(a, -5);
    if (IS("negative-area") && !last) bsp_push_reg(&other, -6);
    if (IS("negative-tag") && !last) {
        int bytes = -7;
        bsp_set_tagsize(&bytes);
    }
    if (IS("null-tagsize") && !last) bsp_set_tagsize((int *)NULL);
    if (IS("null-tagsize-plain") && !last) bsp_set_tagsize(NULL);
    if (IS("null-get-tag-plain") && !last) bsp_get_tag(NULL, NULL);
    if (IS("null-tagsize64") && !last) bsp_set_tagsize((size_t *)NULL);
    if (IS("null-payload") && !last) bsp_send(0, NULL, NULL, 1);
    if (strncmp(mistake, "null-", 5) == 0) {
        int bytes = sizeof b;
        void *at = NULL;
        bsp_set_tagsize(&bytes);
        bsp_sync();
        if (IS("null-tag") && !last) bsp_send(0, NULL, &b, 1);
        bsp_send(1 - s, &b, &b, sizeof b);
        bsp_sync();
        if (IS("null-status") && !last) bsp_get_tag((int *)NULL, &other);
        if (IS("null-status64") && !last) bsp_get_tag((size_t *)NULL, &other);
        if (IS("null-get") && !last) bsp_get_tag(&bytes, NULL);
        if (IS("null-move") && !last) bsp_move(NULL, sizeof b);
        if (IS("null-hpmove-tag") && !last) bsp_hpmove(NULL, &at);
        if (IS("null-hpmove") && !last) bsp_hpmove(&at, NULL);
    }
    if (IS("large-tag") && !last) {
        size_t bytes = (size_t)INT_MAX + 1;
        bsp_set_tagsize(&bytes);
    }
    if (strncmp(mistake, "int-", 4) == 0) {
        int bytes;
        unsigned int messages;
        void *tag, *payload;
        queue_too_much();
        if (IS("int-fits") && !fits()) bsp_abort("a size_t has other numbers");
        if (IS("int-messages") && !last) bsp_qsize(&bytes, NULL);
        if (IS("int-unsigned") && !last) bsp_qsize(&messages, NULL);
        if (IS("int-bytes") && !last) bsp_qsize(NULL, &bytes);
        if (IS("int-payload") && !last) bsp_get_tag(&bytes, NULL);
        if (IS("int-hpmove") && !last) bsp_hpmove(&tag, &payload);
    }
    if (IS("bcast-negative") && !last) bsp_bcast(0, a, a, -1);
    if (IS("gather-nobody") && !last) bsp_gather(2, &b, a, 4);
    if (IS("scatter-null") && !last) bsp_scatter(0, NULL, &b, 4);
    if (IS("exchange-null") && !last) bsp_total_exchange(a, NULL, 4);
    if (IS("fold-null") && !last) bsp_fold(NULL, a, a, 4);
    if (IS("bcast-sizes")) bsp_bcast(0, a, &b, s ? 3 : 4);
    if (IS("no-area") && !last) bsp_push_reg(NULL, 4);
    if (IS("null-there")) {
        bsp_push_reg(s ? NULL : (void *)&other, s ? 0 : sizeof other);
        bsp_sync();
        if (!last) bsp_put(1, &b, &other, 0, sizeof b);
    }
    if (IS("unregistered") && !last) bsp_put(0, &b, &other, 0, 4);
    if (IS("too-early")) {
        bsp_push_reg(&other, 4);
        if (!last) bsp_put(0, &b, &other, 0, 4);
    }
    if (IS("popped")) {
        bsp_pop_reg(&b);
        bsp_sync();
        if (!last) bsp_put(0, &b, &b, 0, 4);
    }
    if (IS("pop-nothing") && !last) bsp_pop_reg(&other);
    if (IS("pop-twice") && !last) bsp_pop_reg(&b), bsp_pop_reg(&b);
    if (IS("pop-null") && !last) bsp_pop_reg(NULL);
    if (IS("pop-nulls-twice")) {
        bsp_push_reg(NULL, 0);
        bsp_pop_reg(NULL);
        if (!last) bsp_pop_reg(NULL);
    }
    if (IS("pop-nulls")) { /* each has NULL in one area, none in both */
        bsp_push_reg(s ? NULL : (void *)&other, 0);
        bsp_push_reg(s ? (void *)&other : NULL, 0);
        bsp_pop_reg(NULL);
    }
    if (IS("pop-other")) {
        bsp_push_reg(s ? NULL : (void *)&other, 0);
        bsp_pop_reg(s ? NULL : (void *)a);
    }
    if (IS("nobody") && !last) bsp_send(2, NULL, &b, 4);
    if (IS("nobody-empty") && !last) bsp_put(-1, NULL, NULL, 0, 0);
    if (IS("pushes") && !last) bsp_push_reg(&other, 4);
    if (IS("pops")) bsp_pop_reg(s ? (void *)&b : (void *)a);
    if (IS("order")) {
        bsp_pop_reg(s ? (void *)&b : (void *)a);
        bsp_pop_reg(s ? (void *)a : (void *)&b);
    }
    if (IS("tags")) {
        int bytes = 4 * s;
        bsp_set_tagsize(&bytes);
    }
    if (IS("syncs") && !last) bsp_sync();
    if (IS("empty") && !last) bsp_move(&other, 4);
    if (IS("conflict")) bsp_put(0, &s, a, s ? 2 : 0, 4);
    if (IS("conflict-hp")) {
        static char area[100000];
        bsp_push_reg(area, sizeof area);
        bsp_sync();
        bsp_hpput(0, area, area, s ? 40000 : 0, 50000);
    }
    if (IS("conflict-get")) {
        bsp_get(s, a, 0, a + 1, 4);
        bsp_put(0, &s, a, s ? 4 : 0, 4);
    }
    if (IS("later")) {
        bsp_put(0, &s, a, s ? 4 : 0, 4);
        bsp_sync();
        bsp_put(0, &s, a, s ? 0 : 4, 4);
    }
    if (IS("conflict-self") && !last) bsp_hpput(s, &b, a, 0, 4), bsp_hpput(s, &b, a, 3, 4);
    if (IS("beside")) bsp_put(0, &s, a, s ? 4 : 0, 4);
    if (IS("abort") && last) bsp_abort("all %d is lost\n", 42);
    if (IS("gone") && last) return 0;
    bsp_sync();
    bsp_end();
    if (IS("again")) {
        bsp_begin(2);
        bsp_end();
    }
    if (IS("after")) bsp_put(0, &b, &b, 0, 4);
    if (IS("numbers")) return bsp_nprocs() == 2 && bsp_pid() == s ? 0 : 1;
    return 0;
}

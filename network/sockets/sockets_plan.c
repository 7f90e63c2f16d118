/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_plan.c: what is measured, in which order. */
#include <stdlib.h>
#include <string.h>
#include "sockets.h"

const char *const sockets_kind_names[SOCKETS_KINDS] = {
    [SOCKETS_TCP_STREAM] = "tcp-stream", [SOCKETS_UDP_STREAM] = "udp-stream",
    [SOCKETS_TCP_TURN] = "tcp-turn",     [SOCKETS_UDP_TURN] = "udp-turn",
    [SOCKETS_WRITE_READ] = "write-read", [SOCKETS_ONE_WAY] = "one-way",
};
const char *const sockets_tests[] = {"tcp-stream",  "udp-stream", "tcp-turn", "udp-turn",
                                     "delayed-ack", "all",        NULL};
const char *const sockets_switches[] = {"off", "on", "both", NULL};

/* ---- Sizes ---------------------------------------------------------------------------------- */

static bool add_size(int64_t size[SOCKETS_MOST_SIZES], size_t *n, int64_t bytes)
{
    if (*n == SOCKETS_MOST_SIZES || bytes < 1 || bytes > SOCKETS_MOST_BYTES) return false;
    size[(*n)++] = bytes;
    return true;
}

/* "BYTES" or "LOW:HIGH". */
static bool add_item(const char *item, size_t length, int64_t size[SOCKETS_MOST_SIZES], size_t *n)
{
    char text[64];
    int64_t low, high;
    if (length == 0 || length >= sizeof text) return false;
    memcpy(text, item, length);
    text[length] = 0;
    char *colon = strchr(text, ':');
    if (!colon) return cm_option_bytes(text, &low) && add_size(size, n, low);
    *colon = 0;
    if (!cm_option_bytes(text, &low) || !cm_option_bytes(colon + 1, &high) || low < 1 || high < low)
        return false;
    for (; low < high; low *= 2)
        if (!add_size(size, n, low)) return false;
    return add_size(size, n, high);
}

size_t sockets_sizes_parse(const char *text, int64_t size[SOCKETS_MOST_SIZES])
{
    size_t n = 0;
    for (;;) {
        size_t length = strcspn(text, ",");
        if (!add_item(text, length, size, &n)) return 0;
        if (text[length] == 0) return n;
        text += length + 1;
    }
}

/* ---- Cases ---------------------------------------------------------------------------------- */

bool sockets_is_udp(const sockets_case *one)
{
    return one->kind == SOCKETS_UDP_STREAM || one->kind == SOCKETS_UDP_TURN;
}

bool sockets_test_has(const sockets_options *options, sockets_kind kind)
{
    static const int test_of[SOCKETS_KINDS] = {
        [SOCKETS_TCP_STREAM] = SOCKETS_TEST_TCP_STREAM,
        [SOCKETS_UDP_STREAM] = SOCKETS_TEST_UDP_STREAM,
        [SOCKETS_TCP_TURN] = SOCKETS_TEST_TCP_TURN,
        [SOCKETS_UDP_TURN] = SOCKETS_TEST_UDP_TURN,
        [SOCKETS_WRITE_READ] = SOCKETS_TEST_DELAYED_ACK,
        [SOCKETS_ONE_WAY] = SOCKETS_TEST_DELAYED_ACK,
    };
    return options->test == SOCKETS_TEST_ALL || options->test == test_of[kind];
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The sizes of a test without --size. */
static size_t usual_sizes(sockets_kind kind, int64_t unfragmented_bytes,
                          int64_t size[SOCKETS_MOST_SIZES])
{
    size_t n = 0;
    bool udp = kind == SOCKETS_UDP_STREAM;
    if (udp || kind == SOCKETS_TCP_STREAM) {
        for (int64_t bytes = 64; bytes < 65536; bytes *= 4) add_size(size, &n, bytes);
        add_size(size, &n, udp ? SOCKETS_MOST_DATAGRAM_BYTES : 65536);
        if (udp && unfragmented_bytes > 64 && unfragmented_bytes < SOCKETS_MOST_DATAGRAM_BYTES)
            add_size(size, &n, unfragmented_bytes);
        qsort(size, n, sizeof *size, ascending);
    } else {
        add_size(size, &n, kind == SOCKETS_WRITE_READ || kind == SOCKETS_ONE_WAY ? 100 : 1);
    }
    return n;
}

static sockets_switch usual_nodelay(sockets_kind kind)
{
    return kind == SOCKETS_TCP_STREAM                              ? SOCKETS_OFF
           : kind == SOCKETS_WRITE_READ || kind == SOCKETS_ONE_WAY ? SOCKETS_BOTH
                                                                   : SOCKETS_ON;
}

static sockets_switch usual_quickack(sockets_kind kind)
{
    return kind == SOCKETS_WRITE_READ || kind == SOCKETS_ONE_WAY ? SOCKETS_BOTH : SOCKETS_OFF;
}

static bool has(sockets_switch wanted, bool on)
{
    return wanted == SOCKETS_BOTH || wanted == (on ? SOCKETS_ON : SOCKETS_OFF);
}

static size_t add_cases(const sockets_options *options, sockets_kind kind, int64_t bytes,
                        sockets_case *cases)
{
    size_t n = 0;
    sockets_case one = {.kind = kind, .bytes = bytes, .writes = 1};
    if (kind == SOCKETS_WRITE_READ) {
        one.writes = (int)options->writes;
        one.gather = options->gather;
    }
    if (kind == SOCKETS_UDP_STREAM || kind == SOCKETS_UDP_TURN) {
        cases[0] = one;
        return 1;
    }
    sockets_switch nodelay = options->nodelay == SOCKETS_NOT_GIVEN
                                 ? usual_nodelay(kind)
                                 : (sockets_switch)options->nodelay;
    sockets_switch quickack = options->quickack == SOCKETS_NOT_GIVEN
                                  ? usual_quickack(kind)
                                  : (sockets_switch)options->quickack;
    for (int k = 0; k < 4; k++) {
        one.nodelay = k & 1;
        one.quickack = k & 2;
        if (has(nodelay, one.nodelay) && has(quickack, one.quickack)) cases[n++] = one;
    }
    return n;
}

size_t sockets_plan(const sockets_options *options, int64_t unfragmented_bytes,
                    sockets_case cases[SOCKETS_MOST_CASES])
{
    size_t n = 0;
    for (int kind = SOCKETS_TCP_STREAM; kind < SOCKETS_KINDS; kind++) {
        if (!sockets_test_has(options, kind)) continue;
        int64_t usual[SOCKETS_MOST_SIZES];
        const int64_t *size = options->size;
        size_t sizes = options->sizes;
        if (sizes == 0) {
            sizes = usual_sizes(kind, unfragmented_bytes, usual);
            size = usual;
        }
        for (size_t i = 0; i < sizes; i++) n += add_cases(options, kind, size[i], cases + n);
    }
    return n;
}

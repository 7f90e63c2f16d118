/* SPDX-License-Identifier: BSD-3-Clause */
/* unit_netpipe.c: sizes, patterns and buffers of cm-netpipe. */
#include <stdlib.h>
#include "../netpipe/netpipe.h"
#include "tap.h"

static bool equal(size_t n, const int64_t *sizes, size_t wanted, const int64_t *list)
{
    return n == wanted && memcmp(sizes, list, n * sizeof *list) == 0;
}

static void test_sizes(void)
{
    /* What NetPIPE measures with its perturbation of 3. */
    static const int64_t usual[] = {1, 2, 3, 4, 6, 8, 12, 13, 16, 19, 21, 24, 27, 29, 32, 35, 45,
                                    48, 51, 61, 64};
    static const int64_t plain[] = {1, 2, 3, 4, 6, 8, 12, 16};
    static const int64_t odd[] = {5, 7, 10, 15, 20};
    static const int64_t one[] = {7};
    int64_t *sizes;
    size_t n = netpipe_sizes(1, 64, 3, &sizes);
    ok(equal(n, sizes, sizeof usual / sizeof *usual, usual), "sizes 1 to 64, perturbation 3");
    free(sizes);
    n = netpipe_sizes(1, 16, 0, &sizes);
    ok(equal(n, sizes, sizeof plain / sizeof *plain, plain), "sizes 1 to 16 without perturbation");
    free(sizes);
    n = netpipe_sizes(5, 20, 0, &sizes);
    ok(equal(n, sizes, sizeof odd / sizeof *odd, odd), "sizes from 5");
    free(sizes);
    n = netpipe_sizes(7, 7, 3, &sizes);
    ok(equal(n, sizes, 1, one), "one size");
    free(sizes);

    const int64_t largest = (int64_t)1 << 48;
    for (int64_t p = 0; p < 1 << 20; p = 3 * p + 1) {
        n = netpipe_sizes(3, largest, p, &sizes);
        bool fine = n > 0 && sizes[0] == 3 && sizes[n - 1] <= largest;
        for (size_t i = 1; i < n; i++) fine = fine && sizes[i] > sizes[i - 1];
        ok(fine, "sizes ascend and stay in bounds, perturbation %lld", (long long)p);
        free(sizes);
    }
}

static void test_pattern(void)
{
    enum { MOST = 41, GUARD = 9 };
    unsigned char data[MOST + GUARD], other[MOST + GUARD];
    int missed = 0, misnamed = 0, refused = 0, alike = 0;
    for (size_t bytes = 0; bytes <= MOST; bytes++) {
        for (uint64_t sequence = 0; sequence < 3; sequence++) {
            netpipe_damage none = {0};
            netpipe_pattern_poison(data, bytes, sequence, GUARD);
            netpipe_damage all = {0};
            netpipe_pattern_check(data, bytes, sequence, GUARD, &all);
            alike += all.wrong_bytes != bytes;
            netpipe_pattern_fill(data, bytes, sequence);
            netpipe_pattern_check(data, bytes, sequence, GUARD, &none);
            refused += none.wrong_bytes != 0;
            for (size_t k = 0; k < bytes + GUARD; k++) {
                netpipe_damage damage = {0};
                unsigned char right = data[k];
                data[k] ^= 0x10;
                netpipe_pattern_check(data, bytes, sequence, GUARD, &damage);
                missed += damage.wrong_bytes != 1;
                misnamed += damage.first_offset != k || damage.first_bytes != bytes
                            || damage.first_sequence != sequence || damage.expected != right
                            || damage.got != data[k];
                data[k] = right;
            }
        }
    }
    ok(refused == 0, "what was filled passes");
    ok(alike == 0, "a message that did not arrive is wrong in every byte");
    ok(missed == 0, "every single wrong byte is seen, in the message and behind it");
    ok(misnamed == 0, "size, offset, number and both values of the first wrong byte are named");

    netpipe_damage damage = {0};
    netpipe_pattern_fill(data, 32, 7);
    netpipe_pattern_check(data, 32, 8, 0, &damage);
    ok(damage.wrong_bytes > 16, "another message's data are wrong");
    netpipe_pattern_fill(other, 33, 7);
    ok(memcmp(data, other, 32) != 0, "data depend on the size");
    netpipe_pattern_fill(data, 32, 7);
    memmove(data, data + 8, 24);
    damage = (netpipe_damage){0};
    netpipe_pattern_check(data, 24, 7, 0, &damage);
    ok(damage.wrong_bytes > 12, "data depend on the offset");
}

static void test_buffers(void)
{
    netpipe_buffers buffers;
    ok(netpipe_buffers_open(&buffers, NETPIPE_REUSED, 1000), "reused buffers open");
    unsigned char *send = buffers.send, *receive = buffers.receive;
    netpipe_buffers_turn(&buffers);
    ok(buffers.send == send && buffers.receive == receive, "reused: the same two");
    ok(buffers.guard_bytes > 0 && labs(receive - send) >= 1000 + (long)buffers.guard_bytes
           && (size_t)(receive - buffers.memory) + 1000 + buffers.guard_bytes
                  <= buffers.memory_bytes,
       "two messages and what guards them have room");
    netpipe_buffers_close(&buffers);

    ok(netpipe_buffers_open(&buffers, NETPIPE_ALTERNATING, 1000), "alternating buffers open");
    send = buffers.send, receive = buffers.receive;
    netpipe_buffers_turn(&buffers);
    ok(buffers.send == receive && buffers.receive == send,
       "alternating: what arrived is sent next");
    netpipe_buffers_close(&buffers);

    /* The walk, on a small pool: the real one is larger than the cache. */
    static unsigned char memory[64 * 1024];
    int unvisited = 0, shared = 0;
    for (size_t bytes = 1; bytes <= 4096; bytes = 3 * bytes + 1) {
        unsigned char seen[1024] = {0};
        buffers = (netpipe_buffers){.memory = memory, .memory_bytes = sizeof memory,
                                    .policy = NETPIPE_COLD};
        netpipe_buffers_size(&buffers, bytes);
        for (size_t k = 0; k < buffers.slots; k++)
            seen[(size_t)(netpipe_buffers_slot(&buffers) - memory) / buffers.slot_bytes]++;
        for (size_t k = 0; k < buffers.slots; k++) unvisited += seen[k] != 1;
        shared += bytes + buffers.guard_bytes > buffers.slot_bytes
                  || buffers.slots * buffers.slot_bytes > sizeof memory;
    }
    ok(unvisited == 0, "cold: every slot is visited once before any again");
    ok(shared == 0, "cold: slots do not overlap and lie in the pool");
    ok(netpipe_buffers_bytes(NETPIPE_COLD, SIZE_MAX / 2) == SIZE_MAX,
       "a size that no memory holds does not wrap around");
}

int main(void)
{
    test_sizes();
    test_pattern();
    test_buffers();
    return tap_done();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* random.c: the generator against what its authors' program prints. */
#include "tap.h"
#include "random/random.h"
#include <stdlib.h>

/* Each of the 24 orders of 4 is as frequent as another: 24000 draws, within five deviations. */
static void shuffle_tests(void)
{
    enum { N = 4, ORDERS = 24, DRAWS = 24000 };
    int drawn[N * N * N * N] = {0}, orders = 0;
    bool even = true, same = true;
    for (uint64_t round = 0; round < DRAWS; round++) {
        size_t order[N], again[N];
        cm_random_shuffle(1, round, N, order);
        cm_random_shuffle(1, round, N, again);
        same = same && memcmp(order, again, sizeof order) == 0;
        drawn[((order[0] * N + order[1]) * N + order[2]) * N + order[3]]++;
    }
    for (size_t k = 0; k < sizeof drawn / sizeof *drawn; k++) {
        if (drawn[k] == 0) continue;
        orders++;
        even = even && abs(drawn[k] - DRAWS / ORDERS) < 5 * sqrt(DRAWS / ORDERS);
    }
    ok(same, "a seed and a round give one order");
    ok(orders == ORDERS, "all %d orders of %d appear", ORDERS, N);
    ok(even, "and as often as each other");
}

int main(void)
{
    static const uint64_t printed[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f,
                                       0xf88bb8a8724c81ec, 0x1b39896a51a8749b};
    enum { WORDS = sizeof printed / sizeof printed[0] };
    uint64_t state = 0, elsewhere = 12345, second;
    bool next = true, word = true;
    for (uint64_t k = 0; k < WORDS; k++) {
        next = next && cm_random_next(&state) == printed[k];
        word = word && cm_random_word(0, k) == printed[k];
    }
    ok(next, "the sequence from state 0");
    ok(word, "each of its words by itself");
    ok(cm_random_mix(state) == printed[WORDS - 1], "the last word from its state");
    cm_random_next(&elsewhere);
    second = cm_random_next(&elsewhere);
    ok(second == cm_random_word(12345, 1), "another start");
    ok(cm_random_word(CM_RANDOM_STEP, 0) == printed[1], "a sequence that begins one word later");
    shuffle_tests();
    return tap_done();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* random.c: the generator against what its authors' program prints. */
#include "tap.h"
#include "random/random.h"

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
    return tap_done();
}

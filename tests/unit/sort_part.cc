// SPDX-License-Identifier: BSD-3-Clause
// sort_part.cc: cm-sort's parting of keys by vectors against one key at a time, with each
// instruction set that Highway has for this processor: all types, 2 to 8 parts, each of which
// stays, few keys and many, limits that are equal or beyond all keys, what stays moved forward.
#include <hwy/targets.h>
#include <vector>
#include "../sscrap/sort/sort.h"
#include "tap.h"

namespace
{
constexpr int MOST = 1203, ASIDE = 7, ROOM = 64;

int part_of(uint64_t bits, const uint64_t *limit, int limits)
{
    int part = 0;
    while (part < limits && bits >= limit[part]) part++;
    return part;
}

bool equal(const sort_kernels *k, const void *left, const void *right, int64_t n)
{
    return memcmp(left, right, static_cast<size_t>(n) * k->bytes) == 0;
}

// Keys of both signs, some of them equal.
std::vector<unsigned char> make_keys(int key, int n)
{
    const sort_kernels *k = sort_kernels_of(key, false);
    std::vector<unsigned char> keys((size_t)(n + ASIDE + ROOM) * k->bytes);
    for (int i = 0; i < n + ASIDE; i++) {
        uint64_t random = cm_random_word(29, (uint64_t)i);
        double x = (double)(int64_t)random * 0x1p-60;
        if (random % 5 == 0) x = (double)(random % 3);
        unsigned char *to = keys.data() + (size_t)i * k->bytes;
        const float single = (float)x;
        const int32_t whole = (int32_t)(x * 1e8);
        const int64_t large = (int64_t)(x * 1e17);
        const void *const from[] = {&x, &single, &whole, &large};
        memcpy(to, from[key], k->bytes);
    }
    return keys;
}

// The keys that stay begin ASIDE keys before all, as if others before them had left.
bool parts(int key, int n, int limits, int own, bool extremes)
{
    const sort_kernels *k = sort_kernels_of(key, false);
    std::vector<unsigned char> keys = make_keys(key, n), right(keys.size()), out(keys.size());
    std::vector<unsigned char> wanted(keys.size());
    const unsigned char *first = keys.data() + ASIDE * k->bytes;
    uint64_t limit[SORT_PARTED], above = k->bits_32 ? UINT32_MAX : UINT64_MAX;
    for (int s = 0; s < limits; s++) limit[s] = k->bits(keys.data(), s);
    for (int s = 1; s < limits; s++)
        for (int t = s; t > 0 && limit[t] < limit[t - 1]; t--) std::swap(limit[t], limit[t - 1]);
    if (extremes) {
        limit[0] = 0;
        limit[limits - 1] = above;
    }
    int64_t at[SORT_PARTED] = {}, next[SORT_PARTED] = {}, stay = 0;
    for (int i = 0; i < n; i++) at[part_of(k->bits(first, i), limit, limits)]++;
    at[own] = 0;
    for (int b = 0, sum = 0; b <= limits; b++) {
        int here = (int)at[b];
        at[b] = next[b] = sum;
        sum += here;
    }
    for (int i = 0; i < n; i++) {
        int b = part_of(k->bits(first, i), limit, limits);
        unsigned char *to = b == own ? right.data() + (size_t)stay++ * k->bytes
                                     : wanted.data() + (size_t)next[b]++ * k->bytes;
        memcpy(to, first + (size_t)i * k->bytes, k->bytes);
    }
    int64_t got = sort_vector_part(key, first, n, limit, limits, own, keys.data(), out.data(), at);
    bool fine = got == stay && equal(k, keys.data(), right.data(), stay)
                && equal(k, out.data(), wanted.data(), n - stay);
    for (int b = 0; b <= limits; b++) fine = fine && (b == own || at[b] == next[b]);
    return fine;
}
} // namespace

int main()
{
    static const char *const names[] = {"double", "float", "int32", "int64"};
    static const int sizes[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 1000, MOST};
    int64_t all = hwy::SupportedTargets();
    for (int64_t rest = all, target; rest; rest &= rest - 1) {
        target = rest & -rest;
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        for (int key = 0; key < SORT_KEYS; key++) {
            int tried = 0, right = 0;
            for (int n : sizes)
                for (int limits = 1; limits < SORT_PARTED; limits++)
                    for (int own = 0; own <= limits; own++)
                        for (int extremes = 0; extremes < 2; extremes++, tried++)
                            right += parts(key, n, limits, own, extremes);
            ok(right == tried, "%s, %s: %d of %d are right", hwy::TargetName(target), names[key],
               right, tried);
        }
    }
    return tap_done();
}

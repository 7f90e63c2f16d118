// SPDX-License-Identifier: BSD-3-Clause
// sort_vector_part.cc: parts keys at limits by vectors, in one pass. Google Highway compiles it for
// several instruction sets and chooses among them at run time, as in vqsort.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sort_vector_part.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "sort.h"

HWY_BEFORE_NAMESPACE();
namespace sort
{
namespace HWY_NAMESPACE
{
namespace
{
namespace hn = hwy::HWY_NAMESPACE;

// Signed words in the order of the keys: of numbers of IEEE 754 the negative ones are complemented
// except for their sign.
template <bool REAL, class D> HWY_INLINE hn::Vec<D> order_of(D d, hn::Vec<D> word)
{
    if (!REAL) return word;
    const hn::RebindToUnsigned<D> unsigned_d;
    const auto negative = hn::BitCast(unsigned_d, hn::BroadcastSignBit(word));
    return hn::Xor(word, hn::BitCast(d, hn::ShiftRight<1>(negative)));
}

template <bool REAL, class WORD> HWY_INLINE WORD order_of_one(WORD word)
{
    return REAL && word < 0 ? word ^ hwy::LimitsMax<WORD>() : word;
}

// The kept keys are stored by whole vectors, which end before the next key that is loaded.
template <class WORD, bool REAL>
int64_t part(const void *keys, int64_t n, const uint64_t *limit, int limits, int own, void *kept,
             void *out, int64_t *at)
{
    const hn::ScalableTag<WORD> d;
    const int64_t lanes = (int64_t)hn::Lanes(d);
    const WORD *key = static_cast<const WORD *>(keys);
    WORD *keep = static_cast<WORD *>(kept), *leave = static_cast<WORD *>(out);
    WORD from[SORT_PARTED];
    int64_t stay = 0, k = 0;
    for (int s = 0; s < limits; s++) from[s] = (WORD)(limit[s] ^ (uint64_t)hwy::LimitsMin<WORD>());
    for (; k + lanes <= n; k += lanes) {
        const auto word = hn::LoadU(d, key + k);
        const auto order = order_of<REAL>(d, word);
        auto rest = hn::FirstN(d, (size_t)lanes);
        for (int b = 0; b <= limits; b++) {
            auto here = rest;
            if (b < limits) {
                here = hn::And(rest, hn::Lt(order, hn::Set(d, from[b])));
                rest = hn::AndNot(here, rest);
            }
            if (b == own) stay += (int64_t)hn::CompressStore(word, here, d, keep + stay);
            else at[b] += (int64_t)hn::CompressBlendedStore(word, here, d, leave + at[b]);
        }
    }
    for (; k < n; k++) {
        const WORD order = order_of_one<REAL>(key[k]);
        int b = 0;
        while (b < limits && order >= from[b]) b++;
        if (b == own) keep[stay++] = key[k];
        else leave[at[b]++] = key[k];
    }
    return stay;
}

int64_t part_keys(int key, const void *keys, int64_t n, const uint64_t *limit, int limits, int own,
                  void *kept, void *out, int64_t *at)
{
    switch (key) {
    case SORT_DOUBLE:
        return part<int64_t, true>(keys, n, limit, limits, own, kept, out, at);
    case SORT_FLOAT:
        return part<int32_t, true>(keys, n, limit, limits, own, kept, out, at);
    case SORT_INT32:
        return part<int32_t, false>(keys, n, limit, limits, own, kept, out, at);
    default:
        return part<int64_t, false>(keys, n, limit, limits, own, kept, out, at);
    }
}
} // namespace
} // namespace HWY_NAMESPACE
} // namespace sort
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sort
{
HWY_EXPORT(part_keys);
} // namespace sort

int64_t sort_vector_part(int key, const void *keys, int64_t n, const uint64_t *limit, int limits,
                         int own, void *kept, void *out, int64_t *at)
{
    using namespace sort;
    return HWY_DYNAMIC_DISPATCH(part_keys)(key, keys, n, limit, limits, own, kept, out, at);
}
#endif

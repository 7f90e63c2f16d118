/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_input.c: the distributions of keys. Many are those of the literature on distributed sorting
   (M. Axtmann, P. Sanders: Robust massively parallel sorting. ALENEX 2017, section 7). */
#include <math.h>
#include "sort.h"

const char *const sort_input_names[SORT_INPUTS + 1] = {
    [SORT_UNIFORM] = "uniform",
    [SORT_GAUSSIAN] = "gaussian",
    [SORT_SORTED] = "sorted",
    [SORT_REVERSE] = "reverse",
    [SORT_FEW] = "few",
    [SORT_EQUAL] = "equal",
    [SORT_STAGGERED] = "staggered",
    [SORT_ZIPF] = "zipf",
    [SORT_EXPONENTIAL] = "exponential",
    [SORT_ROOT_DUP] = "root-dup",
    [SORT_MIRRORED] = "mirrored",
    [SORT_ALL_TO_ONE] = "all-to-one",
    [SORT_ALMOST_SORTED] = "almost-sorted",
};

static double unit(uint64_t seed, uint64_t index)
{
    return (double)(cm_random_word(seed, index) >> 11) * 0x1p-53;
}

/* Box and Muller; the largest is below 9 deviations. */
static double gaussian(uint64_t seed, uint64_t i)
{
    double radius = sqrt(-2 * log(1 - unit(seed, 2 * i)));
    return 0.5 + radius * cos(6.283185307179586 * unit(seed, 2 * i + 1)) / 20;
}

/* Blocks in an order of their own, each with a narrow range, and every other key of all in one
   block. A sample at regular places, or from one process only, is misleading. */
static double staggered(double random, int64_t index, int64_t total)
{
    int64_t blocks = 61, block = index * blocks / total;
    if (index % 2) return 0.25 + random / 1000;
    return ((double)(block * 17 % blocks) + random / 8) / (double)blocks;
}

/* All keys of a process belong to the process whose number has the same bits in reverse. */
static double mirrored(double random, int p, int pid)
{
    int ranges = 1, mirror = 0;
    for (; ranges < p; ranges *= 2, pid /= 2) mirror = 2 * mirror + pid % 2;
    return (mirror + random) / ranges;
}

/* All keys of a process belong to one other process, but the last belongs to the first process. */
static double all_to_one(double random, const sort_source *source, bool last)
{
    double back = source->p - 1 - source->pid;
    return last ? back * 0x1p-40 : 0x1p-10 + (1 - 0x1p-10) * (back + random) / source->p;
}

sort_source sort_source_of(const sort_source *source, int64_t index)
{
    sort_source owner = *source;
    int64_t each = source->total / source->p, more = source->total % source->p;
    int64_t in_larger = more * (each + 1); /* processes that have one key more are the first */
    owner.pid = (int)(index < in_larger ? index / (each + 1) : more + (index - in_larger) / each);
    owner.first = sscrap_first(source->total, source->p, owner.pid);
    owner.own = sscrap_first(source->total, source->p, owner.pid + 1) - owner.first;
    return owner;
}

double sort_real(const sort_source *source, int64_t index)
{
    uint64_t i = (uint64_t)index, seed = source->seed;
    double random = unit(seed, i), total = (double)source->total;
    switch ((sort_input)source->input) {
    case SORT_GAUSSIAN:
        return gaussian(seed, i);
    case SORT_SORTED:
        return ((double)index + 0.5) / total;
    case SORT_REVERSE:
        return 1 - ((double)index + 0.5) / total;
    case SORT_FEW:
        return (double)(cm_random_word(seed, i) % 16) / 16;
    case SORT_EQUAL:
        return 0.5;
    case SORT_STAGGERED:
        return staggered(random, index, source->total);
    case SORT_ZIPF: /* P(r <= x) = log(x + 1) / log(2^20) */
        return floor(exp2(20 * random)) * 0x1p-20;
    case SORT_EXPONENTIAL: /* the largest is 53 log(2) / 40 < 1 */
        return -log(1 - random) / 40;
    case SORT_ROOT_DUP:
        return fmod((double)index, floor(sqrt(total))) / sqrt(total);
    case SORT_MIRRORED:
        return mirrored(random, source->p, source->pid);
    case SORT_ALL_TO_ONE:
        return all_to_one(random, source, index == source->first + source->own - 1);
    case SORT_ALMOST_SORTED: /* one in a hundred is not at its place */
        return cm_random_word(seed + 1, i) % 100 ? ((double)index + 0.5) / total : random;
    case SORT_UNIFORM:
    case SORT_INPUTS:
        break;
    }
    return random;
}

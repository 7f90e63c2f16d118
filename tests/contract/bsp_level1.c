/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_level1.c: the collective operations of BSPlib's level 1, compared with their expected
   results. */
#include "bsp/bsp_group.h"
#include "bsp/bsp_level1.h"
#include "subject.h"

/* Bytes of a block: on both sides of every limit between algorithms and ways of transport. */
static const int sizes[] = {0, 1, 24, 5000, 20008, 150000};
enum { SIZES = sizeof sizes / sizeof *sizes, LARGE = 150000 };

static void copies(int root, int bytes)
{
    size_t block = (size_t)bytes, all = (size_t)size * block;
    unsigned char *src = memory(all + 1), *dst = memory(all + 1);
    for (int k = 0; k < size; k++) fill(src + (size_t)k * block, block, (unsigned)(7 * rank + k));

    memset(dst, 0, all + 1);
    bsp_bcast(root, rank == root ? src : NULL, dst, bytes);
    EXPECT(wrong_at(dst, block, (unsigned)(7 * root)) == block && !dst[block],
           "bsp_bcast of %d bytes from %d", bytes, root);
    memcpy(dst, src, block);
    bsp_bcast(root, dst, dst, bytes);
    EXPECT(wrong_at(dst, block, (unsigned)(7 * root)) == block,
           "bsp_bcast of %d bytes from %d in place", bytes, root);

    memset(dst, 0, all + 1);
    bsp_gather(root, src, rank == root ? dst : NULL, bytes);
    for (int k = 0; k < size && rank == root; k++)
        EXPECT(wrong_at(dst + (size_t)k * block, block, (unsigned)(7 * k)) == block,
               "bsp_gather of %d bytes from %d", bytes, k);
    EXPECT(dst[all] == 0 && (rank == root || !bytes || !dst[0]), "bsp_gather beyond its blocks");

    memset(dst, 0, all + 1);
    bsp_scatter(root, rank == root ? src : NULL, dst, bytes);
    EXPECT(wrong_at(dst, block, (unsigned)(7 * root + rank)) == block && !dst[block],
           "bsp_scatter of %d bytes from %d", bytes, root);

    memset(dst, 0, all + 1);
    bsp_total_exchange(src, dst, bytes);
    for (int k = 0; k < size; k++)
        EXPECT(wrong_at(dst + (size_t)k * block, block, (unsigned)(7 * k + rank)) == block,
               "bsp_total_exchange of %d bytes from %d", bytes, k);
    EXPECT(dst[all] == 0, "bsp_total_exchange beyond its blocks");
    free(src);
    free(dst);
}

/* Maps x -> a x + b modulo 2^32: their composition is associative, but not commutative. */
typedef struct {
    uint32_t a, b;
} map;

static map map_of(int pid, int i) { return (map){2 * (uint32_t)(pid + i) + 3, 5u + (uint32_t)pid}; }

/* Clears the result first, which is correct only if the operands do not overlap. */
static void compose(void *result, void *left, void *right, int *bytes)
{
    map *to = result, *first = left, *then = right;
    memset(result, 0, (size_t)*bytes);
    for (size_t i = 0; i < (size_t)*bytes / sizeof(map); i++)
        to[i] = (map){then[i].a * first[i].a, then[i].a * first[i].b + then[i].b};
}

static bool composed(const map *got, int n, int last)
{
    for (int i = 0; i < n; i++) {
        map wanted = map_of(0, i);
        for (int k = 1; k <= last; k++) {
            map left = wanted, right = map_of(k, i);
            int bytes = sizeof(map);
            compose(&wanted, &left, &right, &bytes);
        }
        if (got[i].a != wanted.a || got[i].b != wanted.b) return false;
    }
    return true;
}

static void reductions(int bytes)
{
    int n = bytes / (int)sizeof(map);
    map *src = memory((size_t)bytes + 1), *dst = memory((size_t)bytes + 1);
    bytes = n * (int)sizeof(map);
    for (int i = 0; i < n; i++) src[i] = map_of(rank, i);
    bsp_fold(compose, src, dst, bytes);
    EXPECT(composed(dst, n, size - 1), "bsp_fold of %d bytes", bytes);
    bsp_scan(compose, src, dst, bytes);
    EXPECT(composed(dst, n, rank), "bsp_scan of %d bytes", bytes);
    memcpy(dst, src, (size_t)bytes);
    bsp_fold(compose, dst, dst, bytes);
    EXPECT(composed(dst, n, size - 1), "bsp_fold of %d bytes in place", bytes);
    bsp_scan(compose, src, src, bytes);
    EXPECT(composed(src, n, rank), "bsp_scan of %d bytes in place", bytes);
    free(src);
    free(dst);
}

static void numbers(void)
{
    int p = size, s = rank;
    EXPECT(bsp_sumI(s + 1) == p * (p + 1) / 2);
    EXPECT(bsp_sumR((float)s + 0.5f) == (float)(p * p) / 2);
    EXPECT(bsp_sumD(s - 0.25) == p * (p - 1) / 2 - 0.25 * p);
    EXPECT(bsp_sumI_prefix(s + 1) == (s + 1) * (s + 2) / 2);
    EXPECT(bsp_sumR_prefix(0.5f) == 0.5f * (float)(s + 1));
    EXPECT(bsp_sumD_prefix(2. * s + 1) == (s + 1.) * (s + 1));
    EXPECT(bsp_productI(s == p - 1 ? -3 : 1) == -3);
    EXPECT(bsp_productR(s ? 1 : 0.5f) == 0.5f);
    EXPECT(bsp_productD(s ? 1 : 1e300) == 1e300);
    EXPECT(bsp_productI_prefix(-1) == (s % 2 ? 1 : -1));
    EXPECT(bsp_productR_prefix(-0.5f) == (s % 2 ? 1 : -1) / (float)(1 << (s + 1)));
    EXPECT(bsp_productD_prefix(2) == (double)(2 << s));
    EXPECT(bsp_minI(-s) == 1 - p && bsp_maxI(-s) == 0);
    EXPECT(bsp_minR((float)s) == 0 && bsp_maxR((float)s) == (float)(p - 1));
    EXPECT(bsp_minD(s + 0.125) == 0.125 && bsp_maxD(-s - 0.125) == -0.125);
    EXPECT(bsp_minI_prefix(-s) == -s && bsp_maxI_prefix(-s) == 0);
    EXPECT(bsp_minR_prefix((float)-s) == (float)-s && bsp_maxR_prefix((float)s) == (float)s);
    EXPECT(bsp_minD_prefix(s) == 0 && bsp_maxD_prefix(s) == s);
    EXPECT(bsp_all(2) == 1 && bsp_all(s == 0) == (p == 1) && bsp_all(0) == 0);
    EXPECT(bsp_any(0) == 0 && bsp_any(s == p - 1 ? 4 : 0) == 1);
}

static void around(void)
{
    point("what was requested before is complete, and registrations remain");
    int value = -1, sum = -1;
    bsp_push_reg(&value, sizeof value);
    bsp_push_reg(&sum, sizeof sum);
    bsp_sync();
    bsp_put(right_of(rank), &rank, &value, 0, sizeof rank);
    bsp_bcast(0, &value, &sum, sizeof sum);
    EXPECT(value == left_of(rank) && sum == left_of(0), "%d %d", value, sum);
    bsp_put(right_of(rank), &rank, &sum, 0, sizeof rank);
    bsp_sync();
    EXPECT(sum == left_of(rank), "%d", sum);
    bsp_pop_reg(&sum);
    bsp_pop_reg(&value);
    bsp_sync();

    point("a large broadcast's h is about twice the data, however many processes");
    unsigned char *data = memory(LARGE);
    fill(data, LARGE, 1);
    int64_t before = cm_bsp_total().out_bytes;
    bsp_bcast(0, data, data, LARGE);
    int64_t sent = cm_bsp_total().out_bytes - before;
    EXPECT(sent <= 2 * LARGE, "%lld bytes", (long long)sent);
    free(data);
}

SUBJECT(bsp_level1)
{
    cm_bsp_begin(world);
    point("bsp_bcast, bsp_gather, bsp_scatter and bsp_total_exchange, every root and size");
    for (int root = 0; root < size; root++)
        for (int k = 0; k < SIZES; k++) copies(root, sizes[k]);
    point("bsp_fold and bsp_scan by an operator that does not commute");
    for (int k = 0; k < SIZES; k++) reductions(sizes[k]);
    point("sums, products, minima and maxima");
    numbers();
    around();
    cm_bsp_end();
}

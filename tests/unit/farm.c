/* SPDX-License-Identifier: BSD-3-Clause */
/* farm.c: cm-farm's units, digests and percentiles, compared with published values. */
#include <stdlib.h>
#include "../farm/farm.h"
#include "tap.h"

/* ---- The generator --------------------------------------------------------------------------- */

/* splitmix64 from state 0, as the authors' program prints it. */
static void generator(void)
{
    static const uint64_t printed[] = {0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f,
                                       0xf88bb8a8724c81ec, 0x1b39896a51a8749b};
    unsigned char data[8 * 5], part[8 * 5];
    farm_unit_fill(0, 0, data, sizeof data);
    bool same = true, begins = true;
    for (size_t k = 0; k < 5; k++)
        for (size_t i = 0; i < 8; i++)
            same = same && data[8 * k + i] == (unsigned char)(printed[k] >> 8 * i);
    ok(same, "unit 0 is splitmix64's sequence, lowest byte first");
    for (size_t bytes = 0; bytes <= sizeof data; bytes++) {
        memset(part, 0xaa, sizeof part);
        farm_unit_fill(0, 0, part, bytes);
        begins = begins && memcmp(part, data, bytes) == 0
                 && (bytes == sizeof data || part[bytes] == 0xaa);
    }
    ok(begins, "a shorter unit is the beginning of a longer one, and nothing behind it is written");
    farm_unit_fill(1, 0, part, sizeof part);
    ok(memcmp(part, data, sizeof part) != 0, "unit 1 is another");
    farm_unit_fill(0, 16, part, 24);
    ok(memcmp(part, data + 16, 24) == 0, "a unit from its third word on");
}

/* Lengths that are and are not multiples of the words made at once, compared with a word-by-word
   generator as its authors publish it. */
static void long_units(void)
{
    enum { WORDS = 100 };
    const uint32_t unit = 0xfffffff7;
    unsigned char data[8 * WORDS];
    int wrong = 0;
    for (size_t words = 0; words <= WORDS; words++) {
        /* Uses its own splitmix64, so that it also finds mistakes in random.h. */
        uint64_t state = ((uint64_t)unit << 32) * 0x9e3779b97f4a7c15u;
        farm_unit_fill(unit, 0, data, 8 * words);
        for (size_t k = 0; k < 8 * words; k++) {
            if (k % 8 == 0) state += 0x9e3779b97f4a7c15u;
            uint64_t z = state;
            z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
            z = (z ^ z >> 27) * 0x94d049bb133111ebu;
            wrong += data[k] != (unsigned char)((z ^ z >> 31) >> k % 8 * 8);
        }
    }
    ok(wrong == 0, "units of 0 to %d words", WORDS);
}

/* ---- SHA-1 ----------------------------------------------------------------------------------- */

static bool is(const farm_digest *digest, const char *text)
{
    char ours[FARM_DIGEST_TEXT];
    bool same = strcmp(farm_digest_text(digest, ours), text) == 0;
    if (!same) printf("# got %s, want %s\n", ours, text);
    return same;
}

/* Tests all ways that this processor has, with copies of the same message. */
static bool all_ways(const char *data, size_t bytes, const char *digest)
{
    const unsigned char *message[FARM_MOST_AT_ONCE];
    farm_digest ours[FARM_MOST_AT_ONCE];
    bool all = true;
    for (int k = 0; k < FARM_MOST_AT_ONCE; k++) message[k] = (const unsigned char *)data;
    const farm_multi *multi;
    for (int way = 0; (multi = farm_multi_at(way)); way++) {
        if (!multi->supported()) continue;
        multi->digest(message, bytes, ours);
        for (int k = 0; k < multi->messages; k++) all = is(&ours[k], digest) && all;
    }
    return all;
}

/* FIPS 180-1, appendices A to C, and the empty message of NIST's test vectors. */
static void fips(void)
{
    enum { MILLION = 1000000 };
    static char many[MILLION];
    memset(many, 'a', MILLION);
    const struct {
        const char *name, *data;
        size_t bytes;
        const char *digest;
    } vector[] = {
        {"the empty message", "", 0, "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
        {"abc", "abc", 3, "a9993e364706816aba3e25717850c26c9cd0d89d"},
        {"two blocks", "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
         "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
        {"a million a", many, MILLION, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"},
    };
    farm_sha1 *sha1 = farm_sha1_open();
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++) {
        farm_digest one;
        ok(sha1 && farm_sha1_digest(sha1, vector[k].data, vector[k].bytes, &one)
               && is(&one, vector[k].digest),
           "libcrypto: %s", vector[k].name);
        ok(all_ways(vector[k].data, vector[k].bytes, vector[k].digest), "several at once: %s",
           vector[k].name);
    }
    farm_sha1_close(sha1);
}

/* Messages of their own, all lengths around one to some blocks; units and given messages. */
static void several_differ(const farm_multi *multi)
{
    enum { LONGEST = 260 };
    unsigned char data[FARM_MOST_AT_ONCE][LONGEST];
    const unsigned char *message[FARM_MOST_AT_ONCE];
    uint32_t unit[FARM_MOST_AT_ONCE];
    farm_digest of_messages[FARM_MOST_AT_ONCE], of_units[FARM_MOST_AT_ONCE], right;
    farm_sha1 *sha1 = farm_sha1_open();
    int wrong = 0;
    for (int k = 0; k < multi->messages; k++) {
        unit[k] = 77 + 1000003 * (uint32_t)k;
        farm_unit_fill(unit[k], 0, data[k], LONGEST);
        message[k] = data[k];
    }
    for (size_t bytes = 0; bytes <= LONGEST; bytes++) {
        multi->digest(message, bytes, of_messages);
        multi->units(unit, bytes, of_units);
        for (int k = 0; k < multi->messages; k++)
            wrong += !farm_sha1_digest(sha1, data[k], bytes, &right)
                     || memcmp(&of_messages[k], &right, sizeof right) != 0
                     || memcmp(&of_units[k], &right, sizeof right) != 0;
    }
    ok(wrong == 0, "%s: %d messages of their own, 0 to %d bytes", multi->name, multi->messages,
       LONGEST);
    farm_sha1_close(sha1);
}

static void all_differ(void)
{
    const farm_multi *multi;
    for (int k = 0; (multi = farm_multi_at(k)); k++) {
        if (multi->supported()) several_differ(multi);
        else printf("# %s: this processor has none\n", multi->name);
    }
}

static void choice(void)
{
    farm_sha1 *sha1 = farm_sha1_open();
    const farm_multi *fastest, *wrong = farm_multi_choose(sha1, &fastest);
    ok(!wrong && (!fastest || fastest->supported()), "the fastest here: %s",
       fastest ? fastest->name : "libcrypto");
    farm_sha1_close(sha1);
}

/* ---- Batches --------------------------------------------------------------------------------- */

/* By Python's hashlib and a splitmix64 of its own. */
static void known(void)
{
    static const struct {
        uint32_t units;
        size_t unit_bytes;
        const char *digest;
    } by_python[] = {
        {1, 8, "e475fccd8d67bd44a40263c1e280254f84dc36b9"},
        {7, 131, "5dac5ce2a7526531f6a15848cc303ab73ecf22a2"},
        {10, 100, "723712d31214dcbaabf8cedafb781597eb4b7ba7"},
        {1000, 64, "e8f7e9d481caa9a51b4e55e199bea1222f0a6667"},
        {500, 32768, "8ad0db4bf6fd5be0b75fea2391267a1e50db424a"},
    };
    uint32_t unit[1000];
    for (uint32_t k = 0; k < 1000; k++) unit[k] = k;
    for (size_t k = 0; k < sizeof by_python / sizeof *by_python; k++) {
        farm_work work = {.kind = FARM_SHA1, .unit_bytes = by_python[k].unit_bytes};
        farm_digest digest;
        ok(farm_reference(&work, 0, by_python[k].units, &digest)
               && is(&digest, by_python[k].digest),
           "plain program: %u units of %zu bytes", by_python[k].units, by_python[k].unit_bytes);
        for (int sha1 = FARM_LIBCRYPTO; sha1 <= FARM_MULTI; sha1++) {
            const char *why = "";
            work.sha1 = (farm_sha1_kind)sha1;
            farm_computer *computer = farm_computer_open(&work, &why);
            ok(computer && farm_compute(computer, unit, by_python[k].units, &digest)
                   && is(&digest, by_python[k].digest),
               "a batch of them, %s%s", sha1 == FARM_MULTI ? "several at once" : "by libcrypto",
               computer ? "" : why);
            farm_computer_close(computer);
        }
    }
    farm_work none = {.kind = FARM_NONE};
    const char *why;
    farm_computer *computer = farm_computer_open(&none, &why);
    farm_digest ours, theirs;
    ok(computer && farm_compute(computer, unit + 10, 100, &ours)
           && farm_reference(&none, 10, 100, &theirs) && memcmp(&ours, &theirs, sizeof ours) == 0,
       "without work there is a digest, too");
    farm_computer_close(computer);
}

/* ---- Percentiles ----------------------------------------------------------------------------- */

static void percentiles(void)
{
    farm_round_trips *trips = calloc(1, sizeof *trips);
    uint64_t count[FARM_COARSE_BINS], all = 0;
    for (int k = 1; k <= 10000; k++) farm_round_trips_add(trips, 1e-6 * k);
    ok_near(farm_round_trips_quantile(trips, 0.5), 5.0e-3, 0.02, "half of 1 to 10000 us");
    ok_near(farm_round_trips_quantile(trips, 0.99), 9.9e-3, 0.02, "99 per cent");
    ok_near(farm_round_trips_quantile(trips, 0.999), 9.99e-3, 0.02, "99.9 per cent");
    ok(isnan(farm_round_trips_quantile(trips, 0.99999)), "of 10000 there is no 99.999 per cent");
    ok(trips->longest_s == 1e-6 * 10000, "the longest");
    farm_round_trips_coarse(trips, count);
    int first = -1, last = -1;
    for (int k = 0; k < FARM_COARSE_BINS; k++) {
        all += count[k];
        if (count[k] && first < 0) first = k;
        if (count[k]) last = k;
    }
    ok(all == 10000, "a histogram has all of them");
    ok(farm_coarse_edge_s(first) <= 1.02e-6 && farm_coarse_edge_s(last + 1) >= 0.98e-2,
       "and its ends are theirs");
    farm_round_trips_add(trips, 1e12);
    farm_round_trips_add(trips, 0);
    ok(trips->n == 10002, "no time is too long or too short");
    free(trips);
}

/* ---- Plans ----------------------------------------------------------------------------------- */

static void shares(void)
{
    /* Half of a share of 100 over 5 workers is 10, of 90 is 9, ... */
    ok(farm_plan_share(100, 5, 1, 100) == 10 && farm_plan_share(90, 5, 1, 100) == 9
           && farm_plan_share(100, 5, 1, 7) == 7 && farm_plan_share(9, 5, 1, 100) == 1
           && farm_plan_share(3, 5, 4, 100) == 3,
       "shares of what is left");
    ok(farm_plan_share(UINT32_MAX, 1 << 30, 1, UINT32_MAX) == 1, "of many for very many");
    int64_t batches;
    ok(farm_plan_shares(130, 3, 7, 7, 7, &batches) == 19 && batches == 19,
       "equal batches, the last one shorter");
    /* 10 units for one: 5, 2, 1, 1, 1 */
    ok(farm_plan_shares(10, 1, 1, 100, 2, &batches) == 5 && batches == 3 + 1 + 3,
       "batches of which messages are cut");
}

/* Every rank is a master, a master's worker, or unused; workers follow their master; loads differ
   by at most one if there is room. */
static bool tree_is_right(int ranks, int masters, int workers)
{
    int seen = 0, end = 1, fewest = workers, most = 0;
    for (int k = 0; k < masters; k++) {
        farm_branch b = farm_tree_branch(ranks, masters, workers, k);
        if (b.master < end || b.first != b.master + 1 || b.workers < 0) return false;
        end = b.first + b.workers;
        seen += b.workers;
        fewest = b.workers < fewest ? b.workers : fewest;
        most = b.workers > most ? b.workers : most;
    }
    return end <= ranks + 1 && seen == workers && most - fewest <= 1;
}

static void trees(void)
{
    int wrong = 0;
    for (int ranks = 2; ranks <= 60; ranks++)
        for (int masters = 1; 2 * masters <= ranks; masters++)
            for (int workers = masters; workers <= ranks - masters; workers++)
                wrong += !tree_is_right(ranks, masters, workers);
    ok(wrong == 0, "trees of 2 to 60 ranks");
    ok(farm_tree_masters(1) == 0 && farm_tree_masters(2) == 1 && farm_tree_masters(5) == 1
           && farm_tree_masters(6) == 2 && farm_tree_masters(110) == 10,
       "as many masters as each has "
       "workers");
}

int main(void)
{
    shares();
    trees();
    generator();
    long_units();
    fips();
    all_differ();
    choice();
    known();
    percentiles();
    return tap_done();
}

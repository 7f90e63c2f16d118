/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets.c: sizes, cases, patterns, the counter of datagrams and the histogram of
   cm-sockets. */
#include <math.h>
#include <stdlib.h>
#include "../network/sockets/sockets_result_metrics.h"
#include "tap.h"

/* ---- Sizes and cases ------------------------------------------------------------------------ */

static bool parses(const char *text, size_t n, const int64_t *wanted)
{
    int64_t size[SOCKETS_MOST_SIZES];
    return sockets_sizes_parse(text, size) == n && memcmp(size, wanted, n * sizeof *size) == 0;
}

static void test_sizes(void)
{
    static const int64_t list[] = {64, 1024, 8192}, doublings[] = {3, 6, 12, 20, 7}, one[] = {1};
    static const char *const wrong[] = {"",     ",",   "5,",       "0",     "-1",
                                        "5,,6", "a",   "5:",       ":5",    "6:5",
                                        "0:5",  "1k2", "67108865", "1:2:3", "99999999999999999999"};
    ok(parses("64,1Ki,8192", 3, list), "a list of sizes");
    ok(parses("3:20,7", 5, doublings), "doublings up to an end that is none, and one more");
    ok(parses("1:1", 1, one), "a range of one");
    int64_t size[SOCKETS_MOST_SIZES];
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        ok(sockets_sizes_parse(wrong[k], size) == 0, "refused: '%s'", wrong[k]);
    char many[4 * SOCKETS_MOST_SIZES] = "1";
    for (int k = 1; k < SOCKETS_MOST_SIZES; k++) strcat(many, ",1");
    ok(sockets_sizes_parse(many, size) == SOCKETS_MOST_SIZES, "as many sizes as there may be");
    strcat(many, ",1");
    ok(sockets_sizes_parse(many, size) == 0, "one more is refused");
}

static size_t count(const sockets_case *cases, size_t n, sockets_kind kind)
{
    size_t found = 0;
    for (size_t i = 0; i < n; i++) found += cases[i].kind == kind;
    return found;
}

static void test_plan(void)
{
    static sockets_case cases[SOCKETS_MOST_CASES];
    sockets_options options = {.test = SOCKETS_TEST_ALL,
                               .nodelay = SOCKETS_NOT_GIVEN,
                               .quickack = SOCKETS_NOT_GIVEN,
                               .writes = 3,
                               .gather = true};
    size_t n = sockets_plan(&options, 1472, cases);
    ok(count(cases, n, SOCKETS_TCP_STREAM) == 6 && count(cases, n, SOCKETS_UDP_STREAM) == 7
           && count(cases, n, SOCKETS_TCP_TURN) == 1 && count(cases, n, SOCKETS_UDP_TURN) == 1
           && count(cases, n, SOCKETS_WRITE_READ) == 4 && count(cases, n, SOCKETS_ONE_WAY) == 4,
       "all tests, each with its own sizes and settings");
    bool unfragmented = false, fine = true, all[4] = {false};
    for (size_t i = 0; i < n; i++) {
        const sockets_case *one = &cases[i];
        bool udp = sockets_is_udp(one), writes = one->kind == SOCKETS_WRITE_READ;
        unfragmented = unfragmented || (udp && one->bytes == 1472);
        fine = fine && one->bytes >= 1 && (!udp || one->bytes <= SOCKETS_MOST_DATAGRAM_BYTES)
               && one->writes == (writes ? 3 : 1) && one->gather == writes
               && !(udp && (one->nodelay || one->quickack));
        if (writes) all[one->nodelay + 2 * one->quickack] = true;
    }
    ok(unfragmented, "the largest datagram that fits a packet is among them");
    ok(fine, "sizes, writes and settings make sense");
    ok(all[0] && all[1] && all[2] && all[3], "delayed-ack has the four settings");

    options.test = SOCKETS_TEST_TCP_STREAM;
    options.nodelay = SOCKETS_BOTH;
    options.quickack = SOCKETS_ON;
    for (options.sizes = 0; options.sizes < SOCKETS_MOST_SIZES; options.sizes++)
        options.size[options.sizes] = 7;
    n = sockets_plan(&options, 0, cases);
    fine = n == 2 * SOCKETS_MOST_SIZES;
    for (size_t i = 0; i < n; i++)
        fine = fine && cases[i].kind == SOCKETS_TCP_STREAM && cases[i].quickack
               && cases[i].nodelay == (i % 2 == 1) && cases[i].bytes == 7;
    ok(fine, "sizes and settings that are given");
    options.test = SOCKETS_TEST_ALL;
    options.quickack = SOCKETS_BOTH;
    ok(sockets_plan(&options, 0, cases) == SOCKETS_MOST_CASES, "the most there can be has room");
}

/* ---- What travels --------------------------------------------------------------------------- */

static void test_pattern(void)
{
    enum { LARGEST = 3 * SOCKETS_PERIOD_BYTES + 5 };
    sockets_pattern pattern;
    if (!ok(sockets_pattern_open(&pattern, LARGEST), "a pattern")) return;
    int apart = 0;
    for (size_t k = SOCKETS_PERIOD_BYTES; k < pattern.bytes; k++)
        apart += pattern.data[k] != pattern.data[k - SOCKETS_PERIOD_BYTES];
    ok(pattern.bytes >= SOCKETS_PERIOD_BYTES + LARGEST && apart == 0, "goes on behind its period");

    static unsigned char data[LARGEST];
    uint64_t position = 7 * (uint64_t)SOCKETS_PERIOD_BYTES - 11;
    memcpy(data, sockets_pattern_at(&pattern, position), 1000);
    sockets_damage none = {0};
    sockets_pattern_check(&pattern, position, data, 1000, true, &none);
    ok(none.wrong_bytes == 0, "what was sent passes");
    int missed = 0, misnamed = 0, unseen = 0;
    for (size_t k = 0; k < 1000; k++) {
        sockets_damage all = {0}, ends = {0};
        data[k] ^= 4;
        sockets_pattern_check(&pattern, position, data, 1000, true, &all);
        sockets_pattern_check(&pattern, position, data, 1000, false, &ends);
        missed += all.wrong_bytes != 1;
        misnamed +=
            all.position != position + k || all.got != data[k] || all.expected != (data[k] ^ 4);
        unseen += ends.wrong_bytes != (k < 8 || k >= 992);
        data[k] ^= 4;
    }
    ok(missed == 0, "every wrong byte is seen");
    ok(misnamed == 0, "position and both values are named");
    ok(unseen == 0, "the quick check sees the first and the last eight");
    int slipped = 0;
    for (uint64_t slip = 1; slip <= 2000; slip++) {
        sockets_damage damage = {0};
        sockets_pattern_check(&pattern, position + slip, data, 1000, false, &damage);
        slipped += damage.wrong_bytes > 0;
    }
    ok(slipped == 2000, "a stream that slipped is seen at once");
    sockets_pattern_close(&pattern);
}

static void test_datagrams(void)
{
    sockets_pattern pattern;
    if (!ok(sockets_pattern_open(&pattern, 1 << 17), "a pattern")) return;
    unsigned char data[64], other[64];
    int refused = 0, missed = 0, alike = 0;
    for (size_t bytes = 1; bytes <= 64; bytes++)
        for (uint64_t number = 0; number < 300; number += 23) {
            sockets_damage none = {0}, another = {0};
            sockets_datagram_fill(&pattern, number, data, bytes);
            sockets_datagram_check(&pattern, number, data, bytes, true, &none);
            refused += none.wrong_bytes != 0;
            uint64_t mask = bytes < 8 ? ((uint64_t)1 << 8 * bytes) - 1 : ~(uint64_t)0;
            refused += sockets_datagram_number(data, bytes) != (number & mask);
            sockets_datagram_check(&pattern, number + 1, data, bytes, true, &another);
            missed += another.wrong_bytes == 0;
            sockets_datagram_fill(&pattern, number + 1, other, bytes);
            alike += bytes > 8 && memcmp(data + 8, other + 8, bytes - 8) == 0;
        }
    ok(refused == 0, "datagrams of any size pass and tell their number");
    ok(missed == 0, "another's number is wrong");
    ok(alike == 0, "their contents differ, too: mixed fragments are seen");
    sockets_datagram_fill(&pattern, 5, data, 64);
    sockets_datagram_stamp(5 + SOCKETS_SLOTS, data, 64);
    sockets_damage damage = {0};
    sockets_datagram_check(&pattern, 5 + SOCKETS_SLOTS, data, 64, true, &damage);
    ok(damage.wrong_bytes == 0, "a buffer that is used again needs a new number only");
    sockets_pattern_close(&pattern);
}

/* ---- The counter ---------------------------------------------------------------------------- */

static bool counts(const sockets_sequence *s, uint64_t received, uint64_t reordered,
                   uint64_t duplicated, uint64_t late)
{
    if (s->received == received && s->reordered == reordered && s->duplicated == duplicated
        && s->late == late)
        return true;
    printf("# received %llu, reordered %llu, duplicated %llu, late %llu\n",
           (unsigned long long)s->received, (unsigned long long)s->reordered,
           (unsigned long long)s->duplicated, (unsigned long long)s->late);
    return false;
}

static void add(sockets_sequence *sequence, size_t n, const uint64_t *numbers)
{
    sockets_sequence_open(sequence);
    for (size_t k = 0; k < n; k++) sockets_sequence_add(sequence, numbers[k]);
    sockets_sequence_close(sequence);
}
#define ADD(sequence, ...) \
    add(sequence, sizeof(uint64_t[]){__VA_ARGS__} / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__})

static void test_sequence(void)
{
    sockets_sequence s;
    ADD(&s, 0, 1, 2, 3);
    ok(counts(&s, 4, 0, 0, 0), "all in order");
    ADD(&s, 0, 1, 5, 6);
    ok(counts(&s, 4, 0, 0, 0), "a gap is no reordering");
    ADD(&s, 0, 2, 1, 3);
    ok(counts(&s, 4, 1, 0, 0), "one that was overtaken");
    ADD(&s, 3, 0, 1, 2);
    ok(counts(&s, 4, 3, 0, 0), "three that one has overtaken (RFC 4737: each is reordered)");
    ADD(&s, 0, 1, 1, 2, 0, 2);
    ok(counts(&s, 3, 0, 3, 0), "what comes again is no other one");
    ADD(&s, 0, 2, 1, 1);
    ok(counts(&s, 3, 1, 1, 0), "overtaken, and then again");
    ADD(&s, 0, SOCKETS_WINDOW, 1, 0);
    ok(counts(&s, 3, 1, 0, 1), "the oldest of the window counts, what is behind it is late");
    ADD(&s, 5, 5 + 10ull * SOCKETS_WINDOW, 6 + 9ull * SOCKETS_WINDOW, 5 + 10ull * SOCKETS_WINDOW);
    ok(counts(&s, 3, 1, 1, 0), "a jump over the whole window forgets what was before");

    /* Against an array that remembers everything. */
    enum { N = 200000 };
    static unsigned char seen[N];
    uint64_t state = 1, highest = 0, received = 0, reordered = 0, duplicated = 0;
    bool any = false;
    sockets_sequence_open(&s);
    for (uint64_t k = 0; k < N; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint64_t back = (state >> 60) == 0 ? (state >> 40) % 3000 : 0;
        uint64_t number = k < back ? 0 : k - back;
        sockets_sequence_add(&s, number);
        if (seen[number]) duplicated++;
        else {
            seen[number] = 1;
            received++;
            reordered += any && number < highest;
        }
        if (!any || number > highest) highest = number;
        any = true;
    }
    ok(counts(&s, received, reordered, duplicated, 0), "a long random sequence");
    ok(s.next == highest + 1, "one above the highest");
    sockets_sequence_close(&s);
}

/* ---- The histogram -------------------------------------------------------------------------- */

static void test_histogram(void)
{
    double value[] = {0.0399, 0.0401, 0.044, 0.2, 1e-5, 0, 1e9, 1e-5};
    cm_samples samples = {.value = value, .n = sizeof value / sizeof *value};
    static sockets_histogram histogram;
    sockets_histogram_fill(&histogram, &samples);
    uint64_t all = 0;
    int outside = 0;
    for (int k = 0; k < SOCKETS_BINS; k++) all += histogram.count[k];
    for (size_t i = 0; i < samples.n; i++) {
        bool found = false;
        for (int k = 0; k < SOCKETS_BINS; k++) {
            double low = k == 0 ? 0 : sockets_histogram_low_s(k);
            double high = k == SOCKETS_BINS - 1 ? INFINITY : sockets_histogram_low_s(k + 1);
            double near = 1e-9 * value[i]; /* a bin's edge is rounded */
            bool inside = value[i] >= low - near && value[i] <= high + near;
            found = found || (inside && histogram.count[k] > 0);
        }
        outside += !found;
    }
    ok(all == samples.n, "every sample has a bin");
    ok(outside == 0, "and lies in it");
    char text[4096], small[20];
    sockets_histogram_text(&histogram, text, sizeof text);
    ok(strstr(text, "0.1995:1") && strstr(text, "1e-05:2"), "lower edges and counts: %s", text);
    sockets_histogram_text(&histogram, small, sizeof small);
    ok(strlen(small) < sizeof small && strncmp(small, text, strlen(small)) == 0
           && (text[strlen(small)] == ' ' || text[strlen(small)] == 0),
       "what has no room is left out whole");
}

/* ---- The best row ---------------------------------------------------------------------------- */

/* Adds a row of this size with so many MB/s, or s. */
static void add_row(sockets_best *best, sockets_kind kind, int64_t bytes, double value,
                    bool disturbed)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_summary summary;
    const sockets_case now = {.kind = kind, .bytes = bytes, .writes = 1};
    for (int k = 0; k < 8; k++)
        if (!cm_samples_add(&samples, value)) exit(99);
    if (disturbed && !cm_samples_disturb(&samples, 0, 8, 1)) exit(99);
    if (!cm_summarize(&samples, &summary)) exit(99);
    sockets_best_add(best, &now, 0, &summary, NAN, NAN);
    cm_samples_free(&samples);
}

/* Whether the values of sizes that do not count were disturbed does not matter. */
static void test_best(void)
{
    enum { TCP_RATE = 0, TCP_TURN = 4 };
    sockets_best best;
    if (!sockets_best_open(&best, 1)) exit(99);
    add_row(&best, SOCKETS_TCP_STREAM, 64, 100, true);
    ok(best.last[TCP_RATE].value == 100 && best.last[TCP_RATE].disturbed == CM_DISTURBED_YES,
       "a rate that was disturbed");
    add_row(&best, SOCKETS_TCP_STREAM, 1024, 1000, false);
    add_row(&best, SOCKETS_TCP_STREAM, 65536, 900, true);
    ok(best.last[TCP_RATE].value == 1000 && best.last[TCP_RATE].disturbed == CM_DISTURBED_NO,
       "a better one that was not");
    add_row(&best, SOCKETS_TCP_TURN, 100, 1e-5, true);
    add_row(&best, SOCKETS_TCP_TURN, 1, 2e-5, false);
    ok(best.last[TCP_TURN].value == 20 && best.last[TCP_TURN].disturbed == CM_DISTURBED_NO,
       "the turn of the smallest size, likewise");
    sockets_best_close(&best);
}

int main(void)
{
    test_sizes();
    test_plan();
    test_pattern();
    test_datagrams();
    test_sequence();
    test_histogram();
    test_best();
    return tap_done();
}

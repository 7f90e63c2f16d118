/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe.c: sizes, patterns, buffers, calibration, and what is kept of pairs. */
#include <math.h>
#include <stdlib.h>
#include "measure/clock.h"
#include "pairs/pairs.h"
#include "tap.h"

static bool equal(size_t n, const int64_t *sizes, size_t wanted, const int64_t *list)
{
    return n == wanted && memcmp(sizes, list, n * sizeof *list) == 0;
}

static void test_sizes(void)
{
    /* What NetPIPE measures with its perturbation of 3. */
    static const int64_t usual[] = {1,  2,  3,  4,  6,  8,  12, 13, 16, 19, 21,
                                    24, 27, 29, 32, 35, 45, 48, 51, 61, 64};
    static const int64_t plain[] = {1, 2, 3, 4, 6, 8, 12, 16};
    static const int64_t odd[] = {5, 7, 10, 15, 20};
    static const int64_t one[] = {7};
    int64_t *sizes;
    size_t n = cm_pair_sizes(1, 64, 3, &sizes);
    ok(equal(n, sizes, sizeof usual / sizeof *usual, usual), "sizes 1 to 64, perturbation 3");
    free(sizes);
    n = cm_pair_sizes(1, 16, 0, &sizes);
    ok(equal(n, sizes, sizeof plain / sizeof *plain, plain), "sizes 1 to 16 without perturbation");
    free(sizes);
    n = cm_pair_sizes(5, 20, 0, &sizes);
    ok(equal(n, sizes, sizeof odd / sizeof *odd, odd), "sizes from 5");
    free(sizes);
    n = cm_pair_sizes(7, 7, 3, &sizes);
    ok(equal(n, sizes, 1, one), "one size");
    free(sizes);

    const int64_t largest = (int64_t)1 << 48;
    for (int64_t p = 0; p < 1 << 20; p = 3 * p + 1) {
        n = cm_pair_sizes(3, largest, p, &sizes);
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
            cm_pair_damage none = {0};
            cm_pair_pattern_poison(data, bytes, sequence, GUARD);
            cm_pair_damage all = {0};
            cm_pair_pattern_check(data, bytes, sequence, GUARD, &all);
            alike += all.wrong_bytes != bytes;
            cm_pair_pattern_fill(data, bytes, sequence);
            cm_pair_pattern_check(data, bytes, sequence, GUARD, &none);
            refused += none.wrong_bytes != 0;
            for (size_t k = 0; k < bytes + GUARD; k++) {
                cm_pair_damage damage = {0};
                unsigned char right = data[k];
                data[k] ^= 0x10;
                cm_pair_pattern_check(data, bytes, sequence, GUARD, &damage);
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

    cm_pair_damage damage = {0};
    cm_pair_pattern_fill(data, 32, 7);
    cm_pair_pattern_check(data, 32, 8, 0, &damage);
    ok(damage.wrong_bytes > 16, "another message's data are wrong");
    cm_pair_pattern_fill(other, 33, 7);
    ok(memcmp(data, other, 32) != 0, "data depend on the size");
    cm_pair_pattern_fill(data, 32, 7);
    memmove(data, data + 8, 24);
    damage = (cm_pair_damage){0};
    cm_pair_pattern_check(data, 24, 7, 0, &damage);
    ok(damage.wrong_bytes > 12, "data depend on the offset");
}

/* ---- Buffers -------------------------------------------------------------------------------- */

static bool opened(cm_pair_buffers *buffers, cm_pair_policy policy, int receives)
{
    const cm_pair_layout layout = {.policy = policy,
                                   .upper_bytes = 1000,
                                   .send_offset = 3,
                                   .receive_offset = policy == CM_PAIR_REUSED ? 70 : 3,
                                   .receives = receives};
    return cm_pair_buffers_open(buffers, &layout);
}

/* No two of them overlap, guards included, and all lie in the memory at their offsets. */
static bool apart(const cm_pair_buffers *b, size_t bytes)
{
    const unsigned char *at[] = {b->send, b->receive, b->upcoming};
    const size_t offset[] = {b->layout.send_offset, b->layout.receive_offset,
                             b->layout.receive_offset};
    int n = b->layout.receives + 1;
    for (int i = 0; i < n; i++) {
        if (at[i] < b->memory || at[i] + bytes + b->guard_bytes > b->memory + b->memory_bytes)
            return false;
        if ((size_t)(at[i] - b->memory) % CM_PAIR_LINE_BYTES != offset[i] % CM_PAIR_LINE_BYTES)
            return false;
        for (int k = 0; k < i; k++)
            if (labs((long)(at[i] - at[k])) < (long)(bytes + b->guard_bytes)) return false;
    }
    return (b->upcoming != NULL) == (b->layout.receives == 2);
}

static void test_fixed_buffers(void)
{
    cm_pair_buffers buffers;
    for (int receives = 1; receives <= 2; receives++) {
        ok(opened(&buffers, CM_PAIR_REUSED, receives), "reused buffers, %d receives", receives);
        unsigned char *send = buffers.send, *receive = buffers.receive;
        ok(buffers.guard_bytes > 0 && apart(&buffers, 1000), "lie apart, at their offsets");
        cm_pair_buffers_turn(&buffers);
        ok(buffers.send == send && (buffers.receive == receive) == (receives == 1),
           "the next message is sent from the same");
        cm_pair_buffers_turn(&buffers);
        ok(buffers.receive == receive && apart(&buffers, 1000), "and the next but one comes there");
        cm_pair_buffers_close(&buffers);

        ok(opened(&buffers, CM_PAIR_ALTERNATING, receives), "alternating, %d receives", receives);
        for (int k = 0; k < 4; k++) {
            unsigned char *received = buffers.receive, *posted = buffers.upcoming;
            cm_pair_buffers_turn(&buffers);
            ok(buffers.send == received && (!posted || buffers.receive == posted)
                   && apart(&buffers, 1000),
               "what arrived is sent next, what is posted is received next");
        }
        cm_pair_buffers_close(&buffers);
    }
    ok(opened(&buffers, CM_PAIR_ONE, 1), "one buffer");
    unsigned char *only = buffers.send;
    cm_pair_buffers_turn(&buffers);
    ok(buffers.send == only
           && buffers.receive - only
                  == (long)buffers.layout.receive_offset - (long)buffers.layout.send_offset
           && only + 1000 + buffers.guard_bytes <= buffers.memory + buffers.memory_bytes,
       "sends and receives");
    cm_pair_buffers_close(&buffers);
    const cm_pair_layout none = {
        .policy = CM_PAIR_COLD, .upper_bytes = SIZE_MAX / 2, .receives = 1};
    ok(cm_pair_buffers_bytes(&none) == SIZE_MAX,
       "a size that no memory holds does not wrap around");
}

/* The walk, on a small pool: the real one is larger than the cache. */
static void test_cold_buffers(void)
{
    static _Alignas(CM_PAIR_LINE_BYTES) unsigned char memory[64 * 1024];
    int unvisited = 0, shared = 0, moved = 0;
    for (size_t bytes = 1; bytes <= 4096; bytes = 3 * bytes + 1) {
        unsigned char seen[1024] = {0};
        cm_pair_buffers buffers = {.memory = memory,
                                   .memory_bytes = sizeof memory,
                                   .layout = {.policy = CM_PAIR_COLD,
                                              .upper_bytes = 4096,
                                              .send_offset = 5,
                                              .receive_offset = 9,
                                              .receives = 2}};
        cm_pair_buffers_size(&buffers, bytes);
        for (size_t k = 0; k < 3 * buffers.slots; k++) {
            const unsigned char *posted = buffers.upcoming;
            shared += !apart(&buffers, bytes);
            cm_pair_buffers_turn(&buffers);
            moved += buffers.receive != posted;
        }
        for (size_t k = 0; k < buffers.slots; k++)
            seen[(size_t)(cm_pair_buffers_slot(&buffers, 0) - memory) / buffers.slot_bytes]++;
        for (size_t k = 0; k < buffers.slots; k++) unvisited += seen[k] != 1;
        shared += buffers.slots * buffers.slot_bytes > sizeof memory;
    }
    ok(unvisited == 0, "cold: every slot is visited once before any again");
    ok(shared == 0, "cold: slots do not overlap and lie in the pool");
    ok(moved == 0, "cold: what is posted is received next");
}

/* ---- Calibration, against a network with a clock of its own --------------------------------- */

static struct {
    double iteration_s, held_s; /* what holds the cores makes a trial so much longer */
    int free_calls, held_calls; /* so many calls before, and so many with it */
    int calls;
} network;

static double pretend(cm_pair_channel *channel, const cm_pair_mode *mode,
                      cm_pair_operation operation, int64_t bytes, int64_t iterations)
{
    (void)channel, (void)mode, (void)bytes;
    if (operation != CM_PAIR_TRIAL) return 0;
    int call = network.calls++ - network.free_calls;
    return network.iteration_s * (double)iterations
           + (call >= 0 && call < network.held_calls ? network.held_s : 0);
}

static void pretend_report(cm_pair_channel *channel) { (void)channel; }

/* ---- Distances of cores ---------------------------------------------------------------------- */

/* What the looks of two pairs find, one after the other: ranks 0 and 2, and 1 and 3. Below 0: they
   share no line. */
static struct {
    const double (*ns)[2];
    int n, next;
} looks;

static void look_up(cm_pair_channel *channel, cm_pair_looked *looked)
{
    const int now = looks.next < looks.n ? looks.next++ : looks.n - 1;
    for (int rank = 0; rank < channel->pairs->ranks; rank++) {
        const double ns = rank < 2 ? looks.ns[now][rank] : -1;
        looked[rank] = (cm_pair_looked){ns < 0 ? NAN : ns, rank, ns < 0 ? -1 : rank + 2};
    }
}

static cm_pair_distances_said said_of(const double (*ns)[2], int n, int times, bool anew)
{
    static const cm_pair_conduct conduct = {
        .command = pretend, .report = pretend_report, .look = look_up};
    cm_pairs pairs = {.ranks = 4};
    cm_pair_channel channel = {.conduct = &conduct, .pairs = &pairs};
    looks.ns = ns, looks.n = n, looks.next = 0;
    for (int k = 0; k < times; k++) cm_pair_look(&channel);
    if (anew) cm_pair_look_anew(&channel);
    const cm_pair_distances_said said = cm_pair_distances_say(&channel);
    cm_pair_look_close(&channel);
    return said;
}

static void test_distances(void)
{
    static const double moved[][2] = {{12, 47}, {12, 48}, {12.2, 47}, {12, 100},
                                      {95, 47}, {95, 46}, {94, 47},   {95, 47}};
    static const double unknown[][2] = {{NAN, NAN}};
    static const double apart[][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
    static const double late[][2] = {{NAN, NAN}, {NAN, NAN}, {20, NAN}, {20, NAN}, {20, NAN}};
    if (!cm_comm_has(CM_HAS_PROCESSES) || cm_comm_has(CM_HAS_SIMULATOR)) return;
    cm_pair_distances_said s = said_of(moved, 8, 1, false);
    ok(looks.next == 3 && s.pairs == 2 && s.changed == 0, "three looks at first");
    ok(s.least_ns == 12 && s.most_ns == 47, "the least and the greatest of two pairs");
    s = said_of(moved, 8, 4, false);
    ok(looks.next == 8 && s.changed == 1, "again until it is settled: %zu moved", s.changed);
    ok(s.changed_rank == 0 && s.changed_peer == 2 && s.from_ns == 12 && s.to_ns == 95,
       "ranks 0 and 2, from 12 to 95 ns");
    s = said_of(moved, 8, 4, true);
    ok(s.pairs == 0 && s.changed == 1, "what has changed is kept if the pairs become others");
    s = said_of(unknown, 1, 9, false);
    ok(s.pairs == 0 && isnan(s.most_ns), "nobody knows");
    s = said_of(apart, 4, 9, false);
    ok(looks.next == 1 && s.pairs == 0, "on two hosts they look once, not %d times", looks.next);
    s = said_of(late, 5, 3, false);
    ok(s.pairs == 1 && s.most_ns == 20, "a pair that is late at first");
}

static unsigned undisturbed(void) { return 0; }

/* Of a size that is measured by it; network.calls then are those of the calibration. */
static int64_t calibrated(double iteration_s, int free_calls, int held_calls, int64_t guess)
{
    enum { SAMPLES = 10 };
    static const cm_pair_conduct conduct = {.command = pretend, .report = pretend_report};
    static const cm_pair_mode mode = {.messages_per_iteration = 2, .least_iterations = 1};
    const cm_sampling sampling = {.now_s = cm_clock_now_s, /* there is no job */
                                  .cause = undisturbed,
                                  .trial_s = 1e-3,
                                  .rule = {.most = SAMPLES, .time_limit_s = INFINITY}};
    cm_pair_point point = {.bytes = 1, .iterations = guess, .samples = CM_SAMPLES_EMPTY};
    cm_pair_channel channel = {.conduct = &conduct};
    network.iteration_s = iteration_s;
    network.held_s = 4e-3;
    network.free_calls = free_calls;
    network.held_calls = held_calls;
    network.calls = 0;
    if (!cm_pair_measure(&channel, &mode, &sampling, &point)) return -1;
    cm_samples_free(&point.samples);
    network.calls -= SAMPLES;
    return point.iterations;
}

static void test_calibration(void)
{
    int64_t quiet = calibrated(1e-6, 0, 0, 0);
    ok(quiet >= 1000 && quiet <= 2000, "1 us an iteration: %lld last 1 ms", (long long)quiet);
    for (int held = 1; held <= 5; held++)
        for (int free = 0; free <= 3; free++) {
            int64_t n = calibrated(1e-6, free, held, 1);
            ok(n >= 1000 && n <= 2000, "%d trials held up after %d: %lld", held, free,
               (long long)n);
        }
    for (int held = 6; held <= 200; held += 97) {
        int64_t n = calibrated(1e-6, 0, held, 0), m = calibrated(1e-6, 2, held, 2000);
        ok(n >= 1000 && n <= 2000, "the first %d held up, nothing known: %lld", held, (long long)n);
        ok(m >= 1000 && m <= 2000, "%d held up, though a smaller message was fast: %lld", held,
           (long long)m);
    }
    int64_t lowered = calibrated(1e-6, 0, 2, 1000000);
    ok(lowered >= 1000 && lowered <= 2000, "a guess too high, two probes held up: %lld",
       (long long)lowered);
    ok(calibrated(0.7, 0, 0, 1) == 1 && network.calls == 2, "a slow network is not asked often");
    ok(calibrated(0.02, 0, 0, 1) == 1 && network.calls <= 6, "nor one that was as slow before");
    ok(calibrated(1e-4, 0, 0, 0) >= 10 && network.calls <= 10, "nor one that is plausible");
}

/* ---- Pairs ---------------------------------------------------------------------------------- */

static void test_pairs(void)
{
    enum { RANKS = 4 };
    double time_s[RANKS] = {2, NAN, 6, 4};
    cm_samples kept[RANKS] = {CM_SAMPLES_EMPTY};
    cm_pairs pairs = {.ranks = RANKS, .time_s = time_s, .kept = kept};
    cm_pairs_spread spread;
    bool enough = cm_pairs_keep(&pairs, 2);
    time_s[0] = 100; /* once slow is not slow */
    enough = enough && cm_pairs_keep(&pairs, 2);
    time_s[0] = 2;
    enough = enough && cm_pairs_keep(&pairs, 2) && cm_pairs_compare(&pairs, &spread);
    ok(enough && spread.slowest == 2 && spread.slowest_s == 3, "the slowest pair by its median");
    ok(enough && spread.fastest == 0 && spread.fastest_s == 1, "the fastest");
    cm_pairs_forget(&pairs);
    ok(cm_pairs_compare(&pairs, &spread) && spread.slowest == -1, "nothing kept: none");
    for (int rank = 0; rank < RANKS; rank++) cm_samples_free(&kept[rank]);

    cm_pair_damage damage = {0};
    cm_pair_damage_add(&damage, &(cm_pair_damage){0});
    cm_pair_damage_add(&damage, &(cm_pair_damage){.wrong_bytes = 2, .first_offset = 7, .rank = 3});
    cm_pair_damage_add(&damage, &(cm_pair_damage){.wrong_bytes = 5, .first_offset = 9, .rank = 4});
    ok(damage.wrong_bytes == 7 && damage.first_offset == 7 && damage.rank == 3,
       "damage adds up, the first is named");
}

int main(void)
{
    test_sizes();
    test_pattern();
    test_fixed_buffers();
    test_cold_buffers();
    test_calibration();
    test_distances();
    test_pairs();
    return tap_done();
}

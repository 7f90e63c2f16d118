/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap.c: rounds in which no rank is in two pairs, and after which all have met once; which
   pairs are measured alone, and which of them is the slowest; the boxes of a large map. */
#include <math.h>
#include <stdlib.h>
#include "../network/linkmap/linkmap.h"
#include "random.h"
#include "tap.h"

enum { MOST_RANKS = 65 };

static void test_ranks(int ranks)
{
    static int met[MOST_RANKS][MOST_RANKS];
    int unequal = 0, selves = 0, out = 0, wrong = 0;
    linkmap_plan plan;
    memset(met, 0, sizeof met);
    if (!linkmap_plan_open(&plan, ranks, 7)) return;
    for (int round = 0; round < linkmap_rounds(ranks); round++)
        for (int rank = 0; rank < ranks; rank++) {
            int peer = linkmap_plan_peer(&plan, round, rank);
            out += peer < 0;
            selves += peer == rank;
            if (peer < 0) continue;
            unequal += peer >= ranks || linkmap_plan_peer(&plan, round, peer) != rank;
            if (peer < ranks) met[rank][peer]++;
        }
    for (int a = 0; a < ranks; a++)
        for (int b = 0; b < ranks; b++) wrong += met[a][b] != (a != b);
    ok(linkmap_rounds(ranks) == ranks - 1 + ranks % 2, "%d ranks: as few rounds as can be", ranks);
    ok(unequal == 0 && selves == 0, "%d ranks: who is met meets", ranks);
    ok(wrong == 0, "%d ranks: all meet once", ranks);
    ok(out == (ranks % 2 ? ranks : 0), "%d ranks: an odd number leaves each out once", ranks);
    linkmap_plan_close(&plan);
}

/* In the first of many rounds, each pair meets about as often as any other over several seeds. */
static void test_random(void)
{
    enum { RANKS = 12, SEEDS = 1100, MEAN = SEEDS / (RANKS - 1) };
    static int met[RANKS][RANKS];
    int fewest = SEEDS, most = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        linkmap_plan plan;
        if (!linkmap_plan_open(&plan, RANKS, (uint64_t)seed)) return;
        for (int rank = 0; rank < RANKS; rank++) met[rank][linkmap_plan_peer(&plan, 0, rank)]++;
        linkmap_plan_close(&plan);
    }
    for (int a = 0; a < RANKS; a++)
        for (int b = a + 1; b < RANKS; b++) {
            if (met[a][b] < fewest) fewest = met[a][b];
            if (met[a][b] > most) most = met[a][b];
        }
    /* 100 with a deviation of 10, which is exceeded five times once in a million. */
    ok(fewest > MEAN / 2 && most < 3 * MEAN / 2, "first rounds are random: %d to %d", fewest, most);
}

/* ---- Boxes of a large map -------------------------------------------------------------------- */

/* 1000 hosts of two ranks; host 700 is slow, and the first of its pairs by far the slowest. */
enum { MANY = 2000, SLOW = 700 };
static double of_pair(int a, int b)
{
    if (a == SLOW && b == SLOW + 1) return 9;
    return a == b ? 1 : a == SLOW || b == SLOW ? 3 : 2;
}

static void test_boxes(void)
{
    static int host[MANY];
    double *time_s = malloc((size_t)MANY * MANY * sizeof *time_s);
    linkmap_map map = {.ranks = MANY, .hosts = MANY / 2, .host = host};
    linkmap_boxes boxes;
    size_t pairs = 0;
    int wrong = 0;
    if (!time_s) return;
    for (int rank = 0; rank < MANY; rank++) host[rank] = rank / 2;
    for (size_t k = 0; k < (size_t)MANY * MANY; k++) time_s[k] = NAN;
    for (int size = 0; size < LINKMAP_SIZES; size++)
        for (int condition = 0; condition < LINKMAP_CONDITIONS; condition++)
            map.time_s[size][condition] = time_s;
    for (int a = 0; a < MANY; a++)
        for (int b = a + 1; b < MANY; b++)
            *linkmap_map_at(&map, LINKMAP_LONG, LINKMAP_TOGETHER, a, b) = of_pair(host[a], host[b]);
    linkmap_boxes_open(&boxes, &map);
    ok(boxes.of_hosts && boxes.n == LINKMAP_BOXES, "many hosts: %d boxes", boxes.n);
    for (int one = 0; one < boxes.n; one++)
        for (int other = one; other < boxes.n; other++) {
            const linkmap_box *box = &boxes.box[LINKMAP_LONG][one * boxes.n + other];
            const int begin[] = {linkmap_box_first(&boxes, one), linkmap_box_first(&boxes, other)};
            const int end[] = {linkmap_box_first(&boxes, one + 1),
                               linkmap_box_first(&boxes, other + 1)};
            const bool has_slow =
                (begin[0] <= SLOW && SLOW < end[0]) || (begin[1] <= SLOW && SLOW < end[1]);
            pairs += box->pairs;
            wrong += box->median_s != 2;
            wrong += box->slowest_s != (has_slow ? one == other ? 9 : 3 : 2);
        }
    ok(wrong == 0, "their medians and slowest pairs: %d are wrong", wrong);
    ok(pairs == (size_t)MANY * (MANY - 1) / 2, "no pair is lost: %zu", pairs);
    ok(linkmap_box_first(&boxes, 0) == 0 && linkmap_box_first(&boxes, boxes.n) == MANY / 2,
       "nor a host");
    linkmap_boxes_close(&boxes);
    free(time_s);
}

/* ---- Ranking of a made-up map --------------------------------------------------------------- */

enum { HOSTS = 8 };
typedef double times(int first, int second);

/* Hosts as a switch and one machine's cores see them: pairs of a round disturb each other by more
   than one pair differs from another. */
static double disturbed(int first, int second) { return 4 + (first * 7 + second * 5) % 11 / 2.; }
/* The link of host 5 is slow; with others under way this cannot be seen. */
static double slow_host(int first, int second) { return first == 5 || second == 5 ? 3 : 1; }
static double all_alike(int first, int second) { return 1 + (first + second) % 3 / 100.; }

typedef struct {
    linkmap_map map;
    double time_s[LINKMAP_SIZES][LINKMAP_CONDITIONS][HOSTS * HOSTS];
    int measured, twice;
} network;

static void made_up(network *n, times *together)
{
    *n = (network){.map.ranks = HOSTS};
    for (int size = 0; size < LINKMAP_SIZES; size++)
        for (int condition = 0; condition < LINKMAP_CONDITIONS; condition++) {
            n->map.time_s[size][condition] = n->time_s[size][condition];
            for (int k = 0; k < HOSTS * HOSTS; k++) n->time_s[size][condition][k] = NAN;
        }
    for (int first = 0; first < HOSTS; first++)
        for (int second = first + 1; second < HOSTS; second++)
            *linkmap_map_at(&n->map, LINKMAP_LONG, LINKMAP_TOGETHER, first, second) =
                together(first, second);
}

/* Measures alone what it is told to, at most so many pairs. */
static void settle(network *n, times *alone, int again, int most)
{
    for (int k = 0; k < most; k++) {
        linkmap_pair next = linkmap_next(&n->map, LINKMAP_LONG, again);
        if (next.first < 0) break;
        double *at = linkmap_map_at(&n->map, LINKMAP_LONG, LINKMAP_ALONE, next.first, next.second);
        n->twice += !isnan(*at);
        *at = alone(next.first, next.second);
        n->measured++;
    }
}

static void test_ranking(void)
{
    enum { AGAIN = 4, ALL = HOSTS * (HOSTS - 1) / 2 };
    static network n;
    made_up(&n, disturbed);
    settle(&n, slow_host, AGAIN, 2 * ALL);
    linkmap_pair slow = linkmap_slowest(&n.map, LINKMAP_LONG, LINKMAP_ALONE);
    linkmap_pair fast = linkmap_fastest(&n.map, LINKMAP_LONG, LINKMAP_ALONE);
    ok(n.twice == 0 && n.measured <= ALL, "no pair is measured alone twice: %d pairs", n.measured);
    ok(slow.first == 5 || slow.second == 5, "the slow host is in the slowest pair: %d %d",
       slow.first, slow.second);
    ok(slow.time_s == 3 && fast.time_s == 1, "slowest and fastest are times taken alone");
    ok(linkmap_next(&n.map, LINKMAP_LONG, AGAIN).first < 0, "the ranking is settled");

    made_up(&n, disturbed);
    settle(&n, all_alike, AGAIN, 2 * ALL);
    slow = linkmap_slowest(&n.map, LINKMAP_LONG, LINKMAP_ALONE);
    fast = linkmap_fastest(&n.map, LINKMAP_LONG, LINKMAP_ALONE);
    ok(slow.time_s / fast.time_s < 1.03, "equal hosts: spread %g", slow.time_s / fast.time_s);

    made_up(&n, slow_host);
    settle(&n, slow_host, AGAIN, 2 * ALL);
    ok(n.measured == 1 + AGAIN, "nothing disturbs: the fastest and the slowest, %d", n.measured);

    made_up(&n, disturbed);
    settle(&n, slow_host, AGAIN, 3);
    slow = linkmap_slowest(&n.map, LINKMAP_LONG, LINKMAP_ALONE);
    ok(linkmap_next(&n.map, LINKMAP_LONG, AGAIN).first >= 0, "ended early: not settled");
    ok(linkmap_count(&n.map, LINKMAP_LONG, LINKMAP_TOGETHER, slow.time_s) == ALL - 3,
       "the others were slower together");

    made_up(&n, disturbed);
    ok(linkmap_next(&n.map, LINKMAP_LONG, 0).first < 0, "--again 0: none alone");
    ok(linkmap_slowest(&n.map, LINKMAP_LONG, LINKMAP_ALONE).first < 0, "so there is no time alone");
    ok(linkmap_next(&n.map, LINKMAP_SMALL, AGAIN).first < 0, "no pair has a time: none alone");
}

/* ---- Is the slowest pair slower than that of pairs that are alike? --------------------------- */

/* Trials of a pair alone: it differs from the others by some percent, and a trial in ten is
   disturbed. All pairs but the slow one are alike; --again 4. */
typedef struct {
    double spread, noise; /* of pairs, of trials: standard deviations */
    int trials;
    double slow; /* how many times slower the pair of ranks 2 and 5 is */
    uint64_t state;
} law;

static void measure_alone(network *n, law *l, linkmap_pair pair)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_summary s;
    double own = l->spread * random_normal(&l->state);
    if (pair.first == 2 && pair.second == 5) own += log(l->slow);
    for (int k = 0; k < l->trials; k++) {
        double x = own + l->noise * random_normal(&l->state);
        if (random_uniform(&l->state) < 0.1) x += 5 * l->noise * fabs(random_normal(&l->state));
        cm_samples_add(&samples, 1e-3 * exp(x));
    }
    if (!cm_summarize(&samples, &s)) exit(99);
    *linkmap_map_at(&n->map, LINKMAP_LONG, LINKMAP_ALONE, pair.first, pair.second) = s.median;
    linkmap_map_alone(&n->map, LINKMAP_LONG, pair.first, pair.second, &s);
    cm_samples_free(&samples);
}

static linkmap_judged judge_table(network *n, law *l, const linkmap_plan *plan, double *limit)
{
    made_up(n, disturbed);
    if (l->slow > 1) *linkmap_map_at(&n->map, LINKMAP_LONG, LINKMAP_TOGETHER, 2, 5) = 12;
    linkmap_refer(&n->map, plan);
    for (;;) {
        linkmap_pair next = linkmap_next(&n->map, LINKMAP_LONG, 4);
        if (next.first < 0) next = linkmap_next_reference(&n->map, LINKMAP_LONG);
        if (next.first < 0) break;
        measure_alone(n, l, next);
    }
    if (isnan(*limit)) *limit = linkmap_limit(&n->map, LINKMAP_LONG);
    return linkmap_judge(&n->map, LINKMAP_LONG, *limit);
}

static void test_judge(void)
{
    enum { TABLES = 1000 };
    static const law laws[] = {{0.02, 0.02, 12, 1, 1}, {0, 0.05, 30, 1, 2}, {0.1, 0.1, 8, 1, 3}};
    static network n;
    linkmap_plan plan;
    double limit = NAN;
    if (!linkmap_plan_open(&plan, HOSTS, 1)) exit(99);
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        law alike = laws[k], slow = laws[k];
        int named = 0, found = 0, right = 0;
        slow.slow = 2;
        for (int table = 0; table < TABLES; table++) {
            named += !judge_table(&n, &alike, &plan, &limit).doubt;
            free(n.map.alone[LINKMAP_LONG]);
        }
        for (int table = 0; table < TABLES / 10; table++) {
            bool told = !judge_table(&n, &slow, &plan, &limit).doubt;
            linkmap_pair slowest = linkmap_slowest(&n.map, LINKMAP_LONG, LINKMAP_ALONE);
            found += told;
            right += told && slowest.first == 2 && slowest.second == 5;
            free(n.map.alone[LINKMAP_LONG]);
        }
        /* The level is 5 % for two sizes. */
        ok(named <= TABLES / 40, "spread %g: no fault, named in %d of %d", alike.spread, named,
           TABLES);
        if (alike.spread < 0.1)
            ok(right == TABLES / 10, "spread %g: a pair at half rate, named in %d of %d",
               alike.spread, right, TABLES / 10);
        ok(found == right, "no other pair is");
    }
    linkmap_plan_close(&plan);
}

static void test_doubt(void)
{
    static network n;
    linkmap_plan plan;
    law l = {0.01, 0.01, 5, 2, 4};
    double limit = NAN;
    if (!linkmap_plan_open(&plan, HOSTS, 1)) exit(99);
    linkmap_judged few = judge_table(&n, &l, &plan, &limit);
    ok(few.doubt && strstr(few.doubt, "too few trials"), "five trials tell no pair apart");
    ok(few.factor > 1 && few.factor < 2, "what would stand out: %g times", few.factor);
    free(n.map.alone[LINKMAP_LONG]);
    made_up(&n, all_alike);
    linkmap_judged none = linkmap_judge(&n.map, LINKMAP_LONG, INFINITY);
    ok(none.doubt && isnan(none.deviations), "nor does none alone");
    l.trials = 12;
    measure_alone(&n, &l, (linkmap_pair){2, 5, NAN});
    none = linkmap_judge(&n.map, LINKMAP_LONG, linkmap_limit(&n.map, LINKMAP_LONG));
    ok(none.doubt && isnan(none.deviations), "nor one alone, without others");
    free(n.map.alone[LINKMAP_LONG]);
    linkmap_plan_close(&plan);
}

int main(void)
{
    test_judge();
    test_doubt();
    test_random();
    test_boxes();
    test_ranking();
    for (int ranks = 2; ranks <= 17; ranks++) test_ranks(ranks);
    test_ranks(MOST_RANKS - 1);
    test_ranks(MOST_RANKS);
    return tap_done();
}

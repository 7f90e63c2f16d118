/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c: cm-nodes on made-up figures: which hosts meet, which the model names, and how often it
   names a host although all are alike. */
#include <math.h>
#include <stdlib.h>
#include "../nodes/nodes.h"
#include "measure/clock.h"
#include "random/random.h"
#include "tap.h"

/* ---- Partners and waves ---------------------------------------------------------------------- */

static void test_partners(int hosts)
{
    int *partner = malloc((size_t)hosts * sizeof *partner), wrong = 0, unequal = 0;
    int *met = calloc((size_t)hosts * (size_t)hosts, sizeof *met);
    const int rounds = hosts - 1 + hosts % 2;
    for (int round = 0; round < 2 * rounds; round++) {
        nodes_partners(hosts, 7, round, partner);
        for (int k = 0; k < hosts; k++) {
            if (partner[k] < 0) continue;
            unequal += partner[k] == k || partner[partner[k]] != k;
            met[k * hosts + partner[k]]++;
        }
        if (round == rounds - 1)
            for (int k = 0; k < hosts * hosts; k++) wrong += met[k] != (k % hosts != k / hosts);
    }
    for (int k = 0; k < hosts * hosts; k++) wrong += met[k] != 2 * (k % hosts != k / hosts);
    ok(unequal == 0, "%d hosts: who is met meets", hosts);
    ok(wrong == 0, "%d hosts: all meet once before any meets twice", hosts);
    free(partner);
    free(met);
}

static void test_waves(void)
{
    enum { PAIRS = 6 };
    int computer[] = {0, 0, 0, 0, 1, 2, 3, 3}, first[] = {0, 1, 4, 6, 0, 2},
        second[] = {2, 3, 5, 7, 4, -1}, wave[PAIRS], clashes = 0;
    const nodes_place place = {.hosts = 8, .computers = 4, .computer = computer};
    int waves = nodes_waves(&place, PAIRS, first, second, wave);
    for (int a = 0; a < PAIRS; a++)
        for (int b = 0; b < a; b++) {
            if (wave[a] != wave[b] || wave[a] < 0) continue;
            const int ends[2][2] = {{computer[first[a]], computer[second[a]]},
                                    {computer[first[b]], computer[second[b]]}};
            for (int k = 0; k < 4; k++) clashes += ends[0][k / 2] == ends[1][k % 2];
        }
    ok(clashes == 0, "a computer is in one pair of a wave");
    ok(wave[PAIRS - 1] == -1 && waves == 3, "as few waves as can be: %d", waves);
    ok(wave[0] == wave[2] && wave[0] == wave[3], "pairs of different computers are in one wave");
}

/* ---- Made-up figures ------------------------------------------------------------------------- */

typedef struct {
    nodes_figures f;
    double *host; /* [host]: logarithm of what is its own; all kinds */
    double *send, *receive, *latency, *compute;
    int slow_first, slow_second; /* a pair; -1: none */
    double slow_link;
    double slower_of_two; /* logarithm of the rate of pairs with an even host */
    bool two_states;
    double noise, spread; /* standard deviations of a sample, and of hosts */
    uint64_t state;
} world;

static double draw(world *w)
{
    double u = ((double)(cm_random_next(&w->state) >> 11) + 0.5) * 0x1p-53;
    double v = (double)(cm_random_next(&w->state) >> 11) * 0x1p-53;
    return sqrt(-2 * log(u)) * cos(2 * acos(-1) * v);
}

/* One sample in ten is disturbed, by far more than the noise; or one in four has a second state. */
static double noise(world *w)
{
    double x = w->noise * draw(w);
    if (w->two_states) return cm_random_next(&w->state) % 4 == 0 ? x - 10 * w->noise : x;
    return cm_random_next(&w->state) % 10 == 0 ? x - 5 * w->noise * fabs(draw(w)) : x;
}

static void make_pair(world *w, int first, int second, nodes_pair *pair)
{
    bool slow = (first == w->slow_first && second == w->slow_second)
                || (first == w->slow_second && second == w->slow_first);
    double link = slow ? w->slow_link : first % 2 && second % 2 ? 0 : w->slower_of_two;
    *pair = (nodes_pair){first,
                         second,
                         1e-5 * exp(-w->latency[first] - w->latency[second] - noise(w)),
                         1e9 * exp(w->send[first] + w->receive[second] + link + noise(w)),
                         1e9 * exp(w->send[second] + w->receive[first] + link + noise(w)),
                         {0, 0}};
}

static void open_world(world *w, int hosts, int rounds, int again, uint64_t seed)
{
    const size_t n = (size_t)hosts, all = (size_t)(rounds + again);
    *w = (world){.f = {.hosts = hosts, .rounds = rounds, .again = again},
                 .slow_first = -1,
                 .slow_second = -1,
                 .noise = 0.05,
                 .spread = 0.01,
                 .state = seed};
    double **all_arrays[] = {&w->send, &w->receive, &w->latency, &w->compute};
    for (size_t k = 0; k < 4; k++) {
        *all_arrays[k] = calloc(n, sizeof(double));
        for (size_t host = 0; host < n; host++) (*all_arrays[k])[host] = w->spread * draw(w);
    }
    for (int kind = 0; kind < NODES_COMPUTE; kind++)
        w->f.compute[kind] = malloc(n * all * sizeof(double));
    w->f.pair = malloc(n * all * sizeof *w->f.pair);
    w->f.candidate = calloc(16, sizeof *w->f.candidate);
    w->f.more = calloc(16 * (size_t)(again + 1), sizeof *w->f.more);
    w->f.offset_s = calloc(n, sizeof(double));
    w->f.error_s = calloc(n, sizeof(double));
    for (size_t host = 0; host < n; host++) {
        w->f.offset_s[host] = 1e-4 * draw(w);
        w->f.error_s[host] = 1e-5;
    }
}

static void close_world(world *w)
{
    for (int kind = 0; kind < NODES_COMPUTE; kind++) free(w->f.compute[kind]);
    free(w->send);
    free(w->receive);
    free(w->latency);
    free(w->compute);
    free(w->f.pair);
    free(w->f.candidate);
    free(w->f.more);
    free(w->f.offset_s);
    free(w->f.error_s);
}

/* As nodes_run.c measures: rounds, candidates, rounds in which these are measured again. */
static void measure(world *w)
{
    nodes_figures *f = &w->f;
    const int hosts = f->hosts, all = f->rounds + f->again, again = f->again;
    int *partner = malloc((size_t)hosts * sizeof *partner);
    for (int round = 0; round < all; round++) {
        double drift = 0.3 * draw(w); /* all hosts of a round share it */
        nodes_partners(hosts, 3, round, partner);
        for (int host = 0; host < hosts; host++) {
            nodes_pair *pair = &f->pair[(size_t)round * (size_t)hosts + (size_t)host];
            *pair = (nodes_pair){.second = -1};
            if (partner[host] > host) make_pair(w, host, partner[host], pair);
            for (int kind = 0; kind < NODES_COMPUTE; kind++)
                f->compute[kind][host * all + round] =
                    kind == NODES_GEMM ? NAN : 1e9 * exp(w->compute[host] + drift + noise(w));
        }
    }
    free(partner);
    f->again = 0; /* the rates' rows are as long as in the end: only the pairs are looked at */
    f->candidates = nodes_candidates(f, 16, f->candidate);
    f->again = again;
    for (int k = 0; k < again * f->candidates; k++) {
        const int *ends = f->candidate[k % f->candidates];
        make_pair(w, ends[0], ends[1], &f->more[k]);
    }
}

typedef struct {
    int n;
    char text[4][512];
} told;

static void keep(const cm_finding *finding, const char *text, void *context)
{
    told *t = context;
    if (t->n < 4) snprintf(t->text[t->n], sizeof t->text[0], "%s: %s", finding->who, text);
    t->n++;
}

static int analyse(world *w, double false_alarms, told *t)
{
    nodes_analysis a;
    static char names[1024][8];
    const char *name[1024];
    for (int host = 0; host < w->f.hosts; host++) {
        snprintf(names[host], sizeof names[host], "n%d", host);
        name[host] = names[host];
    }
    *t = (told){0};
    if (!nodes_analyse(&w->f, false_alarms, &a)) return -1;
    int found = nodes_findings(&a, name, keep, t);
    nodes_analysis_free(&a);
    return found;
}

/* Exactly one finding, with both texts. */
static void ok_one(int found, const told *t, const char *begin, const char *has, const char *name)
{
    bool right =
        found == 1 && strncmp(t->text[0], begin, strlen(begin)) == 0 && strstr(t->text[0], has);
    ok(right, "%s", name);
    for (int k = 0; k < t->n && k < 4 && !right; k++) printf("# %s\n", t->text[k]);
    if (found == 0) printf("# nothing was found\n");
}

typedef enum { SENDS, RECEIVES, COMPUTES, ANSWERS, LINK, CLOCK, FAULTS } fault;
static const struct {
    const char *begin, *has, *name;
} faults[FAULTS] = {
    [SENDS] = {"n5: sends at 0.3", "all its links", "a host that sends slowly"},
    [RECEIVES] = {"n5: receives at 0.3", "card", "a host that receives slowly"},
    [COMPUTES] = {"n5: triad at 0.3", "processor or memory", "a host that computes slowly"},
    [ANSWERS] = {"n5: latency 3", "card", "a host that answers slowly"},
    [LINK] = {"n5-n6: ", "that pair alone", "a slow pair"},
    [CLOCK] = {"n5: its clock is 0.25", "ahead", "a wrong clock"},
};

static void test_fault(int hosts, fault which)
{
    world w;
    told t;
    char name[64];
    open_world(&w, hosts, 12, 6, (uint64_t)(1000 * hosts + which));
    int partner[1024];
    nodes_partners(hosts, 3, 4, partner);
    const double slow = -log(3);
    if (which == SENDS) w.send[5] += slow;
    if (which == RECEIVES) w.receive[5] += slow;
    if (which == COMPUTES) w.compute[5] += slow;
    if (which == ANSWERS) w.latency[5] += slow;
    if (which == CLOCK) w.f.offset_s[5] = 0.25;
    if (which == LINK) {
        w.slow_first = 5;
        w.slow_second = partner[5]; /* a pair that is drawn */
        w.slow_link = slow;
    }
    measure(&w);
    double begin_s = cm_clock_now_s();
    int found = analyse(&w, 0.01, &t);
    printf("# %d hosts: %.3f s\n", hosts, cm_clock_now_s() - begin_s);
    char begin[64];
    snprintf(begin, sizeof begin, "%s", faults[which].begin);
    if (which == LINK) {
        int low = partner[5] < 5 ? partner[5] : 5;
        snprintf(begin, sizeof begin, "n%d-n%d: ", low, 5 + partner[5] - low);
    }
    snprintf(name, sizeof name, "%d hosts: %s", hosts, faults[which].name);
    ok_one(found, &t, begin, faults[which].has, name);
    close_world(&w);
}

/* One host, or half of them, has half of the ranks and of the rate. */
static void test_fewer_ranks(int fewer)
{
    world w;
    told t;
    int ranks[8], right = 0;
    open_world(&w, 8, 12, 6, 17);
    for (int host = 0; host < 8; host++) {
        ranks[host] = host < fewer ? 1 : 2;
        if (host < fewer) w.compute[host] -= log(2);
    }
    w.f.ranks = ranks;
    measure(&w);
    const int found = analyse(&w, 0.01, &t);
    for (int k = 0; k < t.n && k < 4; k++) {
        const bool of_ranks = strstr(t.text[k], ": triad at ") != NULL;
        right += of_ranks
                 == (strstr(t.text[k], fewer == 1 ? ": it has 1 rank, most hosts have 2"
                                                  : ", which have 1 rank and 2 (4 and 4; ")
                     != NULL);
        printf("# %s\n", t.text[k]);
    }
    ok(found > 0 && right == t.n, "%d of 8 hosts with fewer ranks: that is said of the triad",
       fewer);
    close_world(&w);
}

/* Half of the hosts are at half rate. Cards: a pair is as fast as its slower host. */
static void test_groups(int hosts, bool cards)
{
    world w;
    told t;
    char begin[64] = "";
    open_world(&w, hosts, 12, 6, 31);
    for (int host = 0; host < hosts; host += 2) {
        if (!cards) w.compute[host] -= log(2);
        if (host < 8) snprintf(begin + strlen(begin), 8, "%sn%d", host ? ", " : "", host);
    }
    w.slower_of_two = cards ? -log(2) : 0;
    measure(&w);
    int found = analyse(&w, 0.01, &t), right = 0;
    for (int k = 0; k < t.n && k < 4; k++) {
        right += strncmp(t.text[k], begin, strlen(begin)) == 0
                 && strstr(t.text[k], "two groups of hosts")
                 && (strstr(t.text[k], " at 0.5") || strstr(t.text[k], " at 0.49")
                     || strstr(t.text[k], "gets 0.5") || strstr(t.text[k], " at 0.48"));
        printf("# %s\n", t.text[k]);
    }
    /* Triad and fixed work; or sending and receiving. */
    ok(found == 2 && right == 2, "%d hosts, half of them at half rate%s: two groups", hosts,
       cards ? " between hosts" : "");
    close_world(&w);
}

/* Round trips that take longer one way shift the clocks of all hosts but the first, whose offset is
   that to itself. */
static void test_clocks(void)
{
    world w;
    told t;
    open_world(&w, 8, 12, 0, 4);
    for (int host = 1; host < 8; host++) {
        w.f.offset_s[host] = -5e-6 + 1e-8 * draw(&w);
        w.f.error_s[host] = 9e-6;
    }
    w.f.offset_s[0] = w.f.error_s[0] = 0;
    measure(&w);
    ok(analyse(&w, 0.01, &t) == 0, "the first host's clock is not wrong for being compared with");
    close_world(&w);
}

/* Runs on hosts that are alike: at most the stated share of them names a host, within the limits of
   chance (three standard deviations). */
static void test_alike(int hosts, int runs, double stated, bool two_states)
{
    int alarms = 0;
    for (int run = 0; run < runs; run++) {
        world w;
        told t;
        open_world(&w, hosts, 12, 6, (uint64_t)run * 77773 + 5);
        w.two_states = two_states;
        measure(&w);
        alarms += analyse(&w, stated, &t) > 0;
        close_world(&w);
    }
    double most = runs * stated + 3 * sqrt(runs * stated * (1 - stated));
    ok(alarms <= most, "%d hosts that are alike%s: %d alarms in %d runs, stated %g", hosts,
       two_states ? ", in two states" : "", alarms, runs, stated);
}

/* The limit is right: the slowest of n normal values is beyond it with probability alpha. */
static void test_limit(int n, double alpha, int draws)
{
    world w = {.state = 99};
    double x[256], z[256], scale, limit = nodes_limit(n, alpha);
    int beyond = 0;
    for (int k = 0; k < draws; k++) {
        double least = 0;
        for (int i = 0; i < n; i++) x[i] = draw(&w);
        nodes_judge(n, x, 0, z, &scale);
        for (int i = 0; i < n; i++) least = fmin(least, z[i]);
        beyond += least < -limit;
    }
    double expected = alpha * draws, deviation = sqrt(2 * expected); /* the limit is drawn, too */
    ok(fabs(beyond - expected) <= 4 * deviation + 0.35 * expected,
       "limit of %d hosts at %g: %g, %d of %d draws beyond it", n, alpha, limit, beyond, draws);
}

/* One host of eight at half rate: named from the least number of rounds on, and not before. */
static int found_at(int hosts, int rounds, bool slow, nodes_analysis *a)
{
    world w;
    open_world(&w, hosts, rounds, 0, 77);
    w.noise = 1e-4;
    for (int host = 0; host < hosts; host++) /* few hosts need nearly equal ones */
        w.compute[host] /= 100, w.send[host] /= 100, w.receive[host] /= 100, w.latency[host] /= 100;
    if (slow) w.compute[5 % hosts] += log(0.5), w.send[5 % hosts] += log(0.5);
    measure(&w);
    if (!nodes_analyse(&w.f, 0.01, a)) return -1;
    int found = 0;
    for (int host = 0; host < hosts; host++) found += a->slow[NODES_TRIAD][host];
    close_world(&w);
    return found;
}

static void test_least_rounds(int hosts)
{
    nodes_analysis a;
    int tests = NODES_CHECKS; /* no matrix product */
    const int least = nodes_least_rounds(hosts, nodes_share(0.01, tests));
    int found = found_at(hosts, least, true, &a);
    ok(found == 1 && a.slow[NODES_SEND][5 % hosts],
       "%d hosts: half a rate is named after %d rounds", hosts, least);
    nodes_analysis_free(&a);
    found = found_at(hosts, least, false, &a);
    ok(!nodes_is_blind(&a, NODES_TRIAD) && !nodes_is_blind(&a, NODES_SEND)
           && a.bound[NODES_TRIAD] < 1 && a.bound[NODES_CLOCK] > 0,
       "%d hosts: nobody, and it would have been: below %g", hosts, a.bound[NODES_TRIAD]);
    nodes_analysis_free(&a);
    found = found_at(hosts, least - 1, true, &a);
    ok(nodes_is_blind(&a, NODES_TRIAD) || nodes_is_blind(&a, NODES_SEND),
       "%d hosts: one round fewer could not tell", hosts);
    nodes_analysis_free(&a);
}

/* A host just beyond the bound is named, one that is not beyond it is not. */
static void test_bound(void)
{
    nodes_analysis a;
    double bound = 1;
    for (int pass = 0; pass < 3; pass++) {
        world w;
        open_world(&w, 8, 12, 0, 31);
        w.compute[5] = pass == 0 ? 0 : log(bound) + (pass == 1 ? -0.1 : 0.1);
        measure(&w);
        ok(nodes_analyse(&w.f, 0.01, &a), "eight hosts are analysed");
        if (pass == 0) bound = a.bound[NODES_TRIAD];
        else
            ok(a.slow[NODES_TRIAD][5] == (pass == 1), "at %g of the others, with a bound of %g",
               exp(w.compute[5]), a.bound[NODES_TRIAD]);
        nodes_analysis_free(&a);
        close_world(&w);
    }
    world w;
    open_world(&w, 8, 12, 0, 31);
    w.noise = 1;
    measure(&w);
    ok(nodes_analyse(&w.f, 0.01, &a) && nodes_is_blind(&a, NODES_TRIAD),
       "noise as large as the rates: a host below %g would be named, half is not told",
       a.bound[NODES_TRIAD]);
    nodes_analysis_free(&a);
    close_world(&w);
}

static void test_least_again(void)
{
    const double share = nodes_share(0.01, NODES_CHECKS + 1);
    ok(nodes_least_again(8, 12, share) > 1, "a pair that was measured again once is not named");
    ok(nodes_least_again(64, 12, share) <= 4, "among many hosts four times can name one");
    ok(nodes_least_rounds(3, share) == 1, "3 hosts: no number of rounds is refused");
    ok(nodes_least_rounds(8, share) == 7, "8 hosts: 7 rounds");
    ok(nodes_least_rounds(5, share) > 7, "an odd number of hosts has fewer meetings");
}

int main(void)
{
    test_partners(2);
    test_partners(7);
    test_partners(8);
    test_waves();
    test_limit(8, 0.02, 20000);
    test_limit(32, 0.01, 10000);
    test_limit(128, 0.05, 4000);
    ok(isinf(nodes_limit(3, 0.01)), "3 hosts: nobody is named");
    for (int which = 0; which < FAULTS; which++) {
        test_fault(8, (fault)which);
        test_fault(1024, (fault)which);
    }
    test_least_rounds(4);
    test_least_rounds(5);
    test_least_rounds(8);
    test_least_rounds(64);
    test_least_rounds(256);
    test_bound();
    test_least_again();
    test_clocks();
    test_fewer_ranks(1);
    test_fewer_ranks(4);
    test_groups(8, false);
    test_groups(8, true);
    test_groups(64, false);
    test_groups(64, true);
    for (int two_states = 0; two_states < 2; two_states++) {
        test_alike(8, tier_is_big() ? 60 : 24, 0.1, two_states);
        test_alike(64, tier_is_big() ? 60 : 24, 0.1, two_states);
        test_alike(1024, tier_is_big() ? 10 : 4, 0.1, two_states);
    }
    return tap_done();
}

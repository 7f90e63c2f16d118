/* SPDX-License-Identifier: BSD-3-Clause */
/* repeated.c: who is low in several launches: false alarms of whole pages (six kinds of checks of
   hosts with groups, and two of pairs) in several kinds of noise, and faults that are found, over
   fixed seeds. */
#include "tap.h"
#include "measure/repeated.h"
#include "random/random.h"
#include <stdint.h>

enum { HOSTS = 64, MOST = HOSTS * (HOSTS - 1), LAUNCHES = 6, KINDS = 6, LINKS = 2 };
static const double level = 0.01;
static uint64_t state = 11;
static double value[KINDS][LAUNCHES * MOST], middle[KINDS * MOST], bound[KINDS];
static bool low[KINDS * MOST], slower[MOST];

/* ---- Noise ----------------------------------------------------------------------------------- */

typedef enum { NORMAL, TAILS, DISTURBED, STREAK, LASTING, NOISES } noise;
static const char *const names[NOISES] = {"normal", "heavy tails", "disturbed values",
                                          "a disturbed launch", "lasting differences"};

/* Student's t of 3 degrees of freedom, whose variance is 3. */
static double tails(void)
{
    double squares = 0;
    const double x = cm_random_normal(&state);
    for (int k = 0; k < 3; k++) squares += pow(cm_random_normal(&state), 2);
    return x / sqrt(squares / 3);
}

static double sample(noise of)
{
    if (of == TAILS) return 0.05 * tails();
    const double x = 0.05 * cm_random_normal(&state);
    return of == DISTURBED && cm_random_uniform(&state) < 0.05 ? x - 2 * cm_random_uniform(&state)
                                                               : x;
}

/* n values of each launch. struck: the one whose first launch is disturbed. */
static void fill(int kind, size_t n, size_t launches, noise of, size_t struck)
{
    double *const to = value[kind];
    for (size_t k = 0; k < n; k++) {
        const double own = of == LASTING ? 0.02 * cm_random_normal(&state) : 0;
        for (size_t l = 0; l < launches; l++) to[l * n + k] = own + sample(of);
    }
    if (of == STREAK) to[struck] -= 1;
}

/* ---- Pages ----------------------------------------------------------------------------------- */

/* Who is low in any of the kinds. */
static size_t count_low(const cm_repeated *r, size_t kinds)
{
    const double *each[KINDS];
    size_t found = 0;
    for (size_t kind = 0; kind < kinds; kind++) each[kind] = value[kind];
    if (!cm_repeated_low(r, kinds, each, low, middle, bound)) exit(99);
    for (size_t k = 0; k < kinds * r->n; k++) found += low[k];
    return found;
}

static bool two_groups(int kind, size_t n, size_t launches)
{
    double apart;
    if (!cm_repeated_groups(n, launches, value[kind], level / 4 / KINDS, slower, &apart)) exit(99);
    return !isnan(apart);
}

static bool is_alarmed(const cm_repeated *hosts, const cm_repeated *links, noise of)
{
    const size_t struck = (size_t)(cm_random_uniform(&state) * (double)hosts->n);
    for (int kind = 0; kind < KINDS; kind++) fill(kind, hosts->n, hosts->launches, of, struck);
    bool alarm = count_low(hosts, KINDS) > 0;
    for (int kind = 0; kind < KINDS; kind++)
        alarm = two_groups(kind, hosts->n, hosts->launches) || alarm;
    for (int kind = 0; kind < LINKS; kind++) fill(kind, links->n, links->launches, of, struck);
    return count_low(links, LINKS) > 0 || alarm;
}

static cm_repeated open(size_t n, size_t launches, size_t kinds)
{
    cm_repeated r;
    if (!cm_repeated_open(n, launches, kinds, level / 2 / (KINDS + LINKS), &r)) exit(99);
    return r;
}

/* The limits of the same sizes serve all noises, because they take long to draw. */
static void alarms(void)
{
    static const size_t hosts[] = {2, 4, 8, 16, 64};
    int alarmed[NOISES] = {0}, least[NOISES] = {0}, all = 0;
    for (size_t h = 0; h < sizeof hosts / sizeof *hosts; h++)
        for (size_t launches = 1; launches <= LAUNCHES; launches++) {
            const size_t n = hosts[h];
            const cm_repeated of_hosts = open(n, launches, KINDS);
            const cm_repeated of_links = open(n * (n - 1), launches, LINKS);
            const int pages = (tier_is_big() ? 20000 : 600) / (int)(n * n / 8 + 8);
            all += pages;
            for (noise of = NORMAL; of < NOISES; of++) {
                int own = 0;
                for (int page = 0; page < pages; page++)
                    own += is_alarmed(&of_hosts, &of_links, of);
                alarmed[of] += own;
                if (launches < CM_REPEATED_FEWEST || n < 4) least[of] += own;
            }
        }
    for (noise of = NORMAL; of < NOISES; of++) {
        ok(alarmed[of] * 100 <= all + 600, "%s: %d false alarms in %d pages, at most 1 in 100",
           names[of], alarmed[of], all);
        ok(least[of] == 0, "none of two launches or two hosts");
    }
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* How often the first of n is found, and nobody else. */
static double share(const cm_repeated *r, noise of, double ratio)
{
    enum { TRIALS = 100 };
    const size_t n = r->n, launches = r->launches;
    int right = 0;
    for (int t = 0; t < TRIALS; t++) {
        for (int kind = 0; kind < KINDS; kind++) fill(kind, n, launches, of, n - 1);
        for (size_t l = 0; l < launches; l++) value[0][l * n] += log(ratio);
        right += count_low(r, KINDS) == 1 && low[0];
    }
    return right / (double)TRIALS;
}

static void faults(void)
{
    static const double ratios[] = {0.35, 0.5, 0.7, 0.85};
    const cm_repeated three = open(8, 3, KINDS), six = open(8, 6, KINDS);
    for (noise of = NORMAL; of < NOISES; of++) {
        for (size_t k = 0; k < sizeof ratios / sizeof *ratios; k++)
            printf("# %s, 8 hosts, one at %.2f: found in %.2f of 3 launches, %.2f of 6\n",
                   names[of], ratios[k], share(&three, of, ratios[k]), share(&six, of, ratios[k]));
        const double in_three = share(&three, of, 0.35), in_six = share(&six, of, 0.5);
        ok(in_three > 0.85, "%s: at 0.35 of the others: found by 3 launches in %.2f", names[of],
           in_three);
        ok(in_six > 0.9, "at half: by 6 in %.2f", in_six);
    }
}

/* In how many of some pages of three launches there are two groups in any kind, whose hosts always
   differ by sd; half of them have the ratio beside the others. */
static double share_of_groups(size_t n, double sd, double ratio)
{
    enum { PAGES = 1000 };
    int found = 0;
    for (int page = 0; page < PAGES; page++) {
        bool any = false;
        for (int kind = 0; kind < KINDS; kind++) {
            for (size_t k = 0; k < n; k++) {
                const double own = sd * cm_random_normal(&state) + (k % 2 ? log(ratio) : 0);
                for (size_t l = 0; l < 3; l++)
                    value[kind][l * n + k] = own + 0.01 * cm_random_normal(&state);
            }
            any = two_groups(kind, n, 3) || any;
        }
        found += any;
    }
    return found / (double)PAGES;
}

static void groups(void)
{
    static const size_t hosts[] = {8, 16, 64};
    for (size_t h = 0; h < sizeof hosts / sizeof *hosts; h++) {
        const double alarms = share_of_groups(hosts[h], 0.05, 1);
        const double alike = share_of_groups(hosts[h], 0.01, 0.7);
        ok(alarms <= 0.01, "%zu hosts that differ by 5 %%: two groups on %.3f of the pages",
           hosts[h], alarms);
        ok(alike > 0.99, "half of them at 0.7 of the others: on %.3f", alike);
    }
}

int main(void)
{
    alarms();
    groups();
    faults();
    return tap_done();
}

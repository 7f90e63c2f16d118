/* SPDX-License-Identifier: BSD-3-Clause */
/* together.c: made-up results of cm-nodes in several launches: who is named by all of them, who is
   not, and what is said. */
#include <math.h>
#include "tap.h"
#include "random/random.h"
#include "results/differs.h"
#include "results/hosts_named.h"
#include "results/launches.h"
#include <unistd.h>

enum { HOSTS = 8, MOST = 4 };

/* What one launch has: rates of sending, and lines between the rows and the metric. */
typedef struct {
    double send[HOSTS];
    const char *lines;
    bool told;
} made;

static char *path;

static cm_record read_made(const made *launch)
{
    cm_record record;
    char why[512];
    FILE *out = fopen(path, "w");
    if (!out) exit(99);
    fputs("# program: cm-nodes\n# false_alarms: 0.01\n# ranks_per_host:", out);
    for (int k = 1; k <= HOSTS; k++) fprintf(out, " n%d:1", k);
    fputs("\nhost ranks triad_ratio send_ratio\n", out);
    for (int k = 0; k < HOSTS; k++)
        fprintf(out, "%d 1 %.3f %.3f\n", k, 1 + 0.001 * (k * 37 % 8 - 4), launch->send[k]);
    fputs(launch->lines, out);
    fputs("# pairs: 28 of 28 drawn in 13 rounds [value=28 unit=pairs bound=28 quantity=pairs]\n",
          out);
    if (launch->told) fputs("# RESULT: PASS findings 0 1\n", out);
    fputs("# RESULT: PASS link_MB_per_s 100 MB/s\n", out);
    if (fclose(out) != 0) exit(99);
    if (!cm_record_read(path, &record, why, sizeof why)) {
        printf("# %s\n", why);
        exit(99);
    }
    return record;
}

/* Returns true if what is written is the same when it is read again, as `report` demands. */
static bool is_kept(const suite_launches *l, const cm_record *all)
{
    const cm_record_launches from = {l->file, l->record, l->n};
    char why[512] = "", *json = cm_record_json(all, NULL, 12, &from), *differs = NULL;
    if (!json) return true; /* this build has no JSON */
    FILE *out = fopen(path, "w");
    cm_record again;
    if (!out || fputs(json, out) < 0 || fclose(out) != 0) exit(99);
    const bool is_read = cm_record_read(path, &again, why, sizeof why);
    if (is_read) differs = suite_record_differs(&again, all);
    const bool same = is_read && !differs;
    if (!same) printf("# %s\n", differs ? differs : why);
    if (is_read) cm_record_free(&again);
    free(differs);
    free(json);
    return same;
}

static bool kept;

/* Sets kept. */
static cm_record unite(size_t n, const made *launch)
{
    static char *file[MOST] = {"1", "2", "3", "4"};
    cm_record record[MOST], all;
    for (size_t k = 0; k < n; k++) record[k] = read_made(&launch[k]);
    const suite_launches l = {.file = file, .record = record, .n = n, .middle = n / 2};
    suite_combine(&l, "host", &all);
    kept = is_kept(&l, &all);
    for (size_t k = 0; k < n; k++) cm_record_free(&record[k]);
    return all;
}

/* Returns true if a finding's line begins so, and that is what its kind has. */
static bool says(const cm_record *record, const char *what, size_t n, const char *beginning)
{
    const cm_record_finding *f;
    bool found = n == 0;
    size_t k = 0;
    for (; (f = cm_record_finding_of(record, what, k)); k++) {
        char *said = cm_record_finding_said(f);
        const bool own = n > 0 && said && strncmp(said, beginning, strlen(beginning)) == 0;
        found |= own;
        if (!own) printf("# %s\n", said ? said : "");
        free(said);
    }
    return found && k == n;
}

static bool metric_is(const cm_record *record, bool pass, const char *value)
{
    const cm_record_metric *m = cm_record_metric_of(record, "findings");
    return m && m->pass == pass && strcmp(m->value, value) == 0;
}

#define CALM                                     \
    {                                            \
        1.02, 0.98, 1, 1.01, 0.99, 1.03, 0.97, 1 \
    }
#define CALM_TOO                                 \
    {                                            \
        0.99, 1.01, 1.02, 0.97, 1, 0.98, 1.03, 1 \
    }

static void test_low(void)
{
    const made launch[] = {{{1.02, 0.98, 1, 1.01, 0.7, 1.03, 0.97, 1}, "", true},
                           {{0.99, 1.01, 1.02, 0.97, 0.72, 0.98, 1.03, 1}, "", true},
                           {{1, 1.03, 0.98, 1.02, 0.71, 0.99, 1.01, 0.97}, "", true}};
    cm_record all = unite(3, launch);
    ok(says(&all, CM_FINDING_STANDS_OUT, 1,
            "finding: n5: sends at 0.71 of the others, by all launches together (0.7, 0.72, "
            "0.71): its card, its cable or its port (in 3 of 3 launches)"),
       "a host that is low in all launches, though none named it");
    ok(metric_is(&all, false, "1"), "fails");
    ok(kept, "and is the same when it is read again");
    cm_record_free(&all);
    all = unite(2, launch);
    ok(says(&all, CM_FINDING_STANDS_OUT, 0, ""), "two launches do not name it");
    cm_record_free(&all);
}

static void test_few(void)
{
    static const char *const finding =
        "# finding: n3: sends at 0.3 of the others (20 deviations; 14 count): its card [value=0.3 "
        "unit=1 quantity=send]\n";
    const made once[] = {{CALM, "", true},
                         {{0.99, 1.01, 0.3, 0.97, 1, 0.98, 1.03, 1}, finding, true},
                         {CALM_TOO, "", true}};
    const made slow[] = {{{1.02, 0.98, 0.6, 1.01, 0.99, 1.4, 0.5, 1}, "", true},
                         {{0.99, 1.01, 0.3, 0.97, 1, 0.98, 1.03, 1}, finding, true},
                         {{0.99, 1.01, 0.5, 0.5, 1.5, 0.98, 1.03, 1}, "", true}};
    cm_record all = unite(3, once);
    ok(says(&all, CM_FINDING_STANDS_OUT, 0, ""), "a host that one launch named is not named");
    ok(says(&all, CM_FINDING_FEW, 1, "in a few launches: n3: sends at 0.3 of the others"),
       "but said to be so");
    ok(says(&all, CM_FINDING_NONE, 1, "no finding: no host and no pair stands out in the 3"),
       "nobody is");
    ok(kept, "which is the same when it is read again");
    ok(metric_is(&all, true, "0"), "which passes");
    cm_record_free(&all);
    all = unite(3, slow);
    ok(says(&all, CM_FINDING_STANDS_OUT, 1, "finding: n3: "),
       "it is, if the other launches agree, though they are too noisy to name it");
    cm_record_free(&all);
}

/* A line that another program has broken must not end this one. */
static void test_malformed(void)
{
    static const char *const finding =
        "# finding: sends at 0.3 of the others [value=0.3 unit=1 quantity=send]\n"
        "# looked slow: sends at 0.5 [value=0.5 unit=1 bound=0.002 quantity=pair_send]\n"
        "# looked slow: n1-n2: sends at 0.5 [value=0.5 unit=1 bound=0.002 quantity=pair_send]\n";
    const made launch[] = {{CALM, finding, true}, {CALM_TOO, "", true}, {CALM, finding, true}};
    const made few[] = {{CALM, "", true}, {CALM_TOO, finding, true}, {CALM, "", true}};
    cm_record all = unite(3, launch);
    ok(all.n_findings > 0, "findings that name nobody");
    cm_record_free(&all);
    all = unite(3, few);
    ok(says(&all, CM_FINDING_STANDS_OUT, 0, ""), "in one launch");
    cm_record_free(&all);
}

static void test_shown(void)
{
    char who[400] = "n1", *shown;
    for (int k = 2; k <= 40; k++) sprintf(who + strlen(who), ", n%d", k);
    shown = suite_hosts_shown(who);
    ok(strstr(shown, ", n32 and 8 others") && !strstr(shown, "n33"), "of 40 names 32 are shown");
    free(shown);
    shown = suite_hosts_shown("n1, n2");
    ok(strcmp(shown, "n1, n2") == 0, "of two all");
    free(shown);
}

static void test_groups(void)
{
    const made launch[] = {{{1.4, 0.7, 1.41, 0.69, 1.43, 0.7, 1.4, 0.71}, "", true},
                           {{1.41, 0.69, 1.4, 0.7, 1.4, 0.71, 1.39, 0.7}, "", true},
                           {{1.39, 0.7, 1.4, 0.7, 1.42, 0.68, 1.4, 0.7}, "", true}};
    cm_record all = unite(3, launch);
    ok(says(&all, CM_FINDING_STANDS_OUT, 1,
            "finding: n2, n4, n6, n8: sends at 0.5 of the others: two groups of hosts (4 and 4)"),
       "two groups");
    cm_record_free(&all);
}

static void test_pairs(void)
{
#define LOOKED(who, ratio, chance)                                                               \
    "# looked slow: " who ": sends at " ratio " of what the two reach with others [value=" ratio \
    " unit=1 bound=" chance " quantity=pair_send]\n"
    const made launch[] = {
        {CALM, LOOKED("n7-n2", "0.5", "0.002") LOOKED("n1-n3", "0.9", "0.04"), true},
        {CALM_TOO, LOOKED("n7-n2", "0.52", "0.004"), true},
        {CALM, LOOKED("n7-n2", "0.51", "0.001"), true}};
    cm_record all = unite(3, launch);
    ok(says(&all, CM_FINDING_STANDS_OUT, 1,
            "finding: n2-n7: n7 sends to n2 at 0.51 of what the two reach with others, by all "
            "launches together (0.5, 0.52, 0.51): that pair alone (in 3 of 3 launches)"),
       "a pair that looked slow in all launches");
    ok(says(&all, CM_FINDING_LOOKED, 0, ""), "what looked slow is each launch's own");
    cm_record_free(&all);
}

/* ---- Losses ---------------------------------------------------------------------------------- */

enum { SEGMENTS = 2000 }; /* of a pair in a launch */

/* What gets lost, as probabilities. */
typedef struct {
    double everywhere, host, pair; /* n5, n4-n7 */
    bool once;                     /* in the second launch alone */
    bool readable;
    double send; /* n5's rate */
} lossy;

/* From one lost segment to the next one the distance is geometric. */
static int draw_lost(uint64_t *seed, double probability)
{
    int lost = -1;
    double at = -1;
    while (at < SEGMENTS) {
        const double u = ((double)(cm_random_next(seed) >> 11) + 1) * 0x1p-53;
        at += 1 + floor(log(u) / log1p(-fmax(probability, 1e-9)));
        lost++;
    }
    return lost;
}

static cm_record read_lossy(const lossy *loss, bool loses, uint64_t *seed)
{
    int again[HOSTS][HOSTS] = {{0}};
    cm_record record;
    char why[512];
    FILE *out = fopen(path, "w");
    if (!out) exit(99);
    fputs("# program: cm-nodes\n# false_alarms: 0.01\n# ranks_per_host:", out);
    for (int k = 1; k <= HOSTS; k++) fprintf(out, " n%d:1", k);
    fputs("\nhost send_ratio tcp_segments tcp_sent_again\n", out);
    for (int a = 0; a < HOSTS; a++)
        for (int b = a + 1; b < HOSTS; b++) {
            double p = loss->everywhere;
            if (loses && (a == 4 || b == 4)) p += loss->host;
            if (loses && a == 3 && b == 6) p += loss->pair;
            again[a][b] = again[b][a] = draw_lost(seed, p);
        }
    for (int a = 0; a < HOSTS; a++) {
        int sum = 0;
        for (int b = 0; b < HOSTS; b++) sum += again[a][b];
        fprintf(out, "%d %.3f ", a, (a == 4 ? loss->send : 1) + 0.001 * (a * 37 % 8 - 4));
        if (loss->readable) fprintf(out, "%d %d\n", (HOSTS - 1) * SEGMENTS, sum);
        else fputs("nan nan\n", out);
    }
    for (int a = 0; a < HOSTS; a++)
        for (int b = a + 1; loss->readable && b < HOSTS; b++)
            if (again[a][b] > 0)
                fprintf(out,
                        "# sent again: n%d-n%d: %d of %d TCP segments [value=%d unit=segments "
                        "bound=%d quantity=pair_sent_again]\n",
                        a + 1, b + 1, again[a][b], SEGMENTS, again[a][b], SEGMENTS);
    fputs("# RESULT: PASS findings 0 1\n", out);
    if (fclose(out) != 0) exit(99);
    if (!cm_record_read(path, &record, why, sizeof why)) exit(99);
    return record;
}

/* Returns in how many of `pages` the launches name exactly `who` (NULL: nobody), for that quantity
   and with "lost packets" in the words. */
static int count_right(const lossy *loss, const char *who, const char *quantity, int pages)
{
    static char *file[] = {"1", "2", "3"};
    int right = 0;
    uint64_t seed = 20;
    for (int page = 0; page < pages; page++) {
        cm_record record[3], all;
        for (int k = 0; k < 3; k++) record[k] = read_lossy(loss, !loss->once || k == 1, &seed);
        const suite_launches l = {.file = file, .record = record, .n = 3, .middle = 1};
        suite_combine(&l, "host", &all);
        const cm_record_finding *f = cm_record_finding_of(&all, CM_FINDING_STANDS_OUT, 0);
        const bool more = cm_record_finding_of(&all, CM_FINDING_STANDS_OUT, 1);
        right += who ? f && !more && strcmp(f->who, who) == 0 && strcmp(f->quantity, quantity) == 0
                           && strstr(f->words, "lost packets")
                     : !f;
        for (int k = 0; k < 3; k++) cm_record_free(&record[k]);
        cm_record_free(&all);
    }
    return right;
}

static void test_losses(void)
{
    enum { PAGES = 5 };
    static const struct {
        lossy loss;
        const char *who, *quantity, *name;
    } cases[] = {
        {{0.0002, 0.03, 0, false, true, 1}, "n5", "sent_again", "3 % lost at a host"},
        {{0.0002, 0.01, 0, false, true, 1}, "n5", "sent_again", "1 % lost at a host"},
        {{0.0002, 0, 0.03, false, true, 1}, "n4-n7", "pair_sent_again", "3 % lost at a pair"},
        {{0.0002, 0, 0.01, false, true, 1}, "n4-n7", "pair_sent_again", "1 % lost at a pair"},
        {{0.0015, 0, 0.01, false, true, 1}, "n4-n7", "pair_sent_again", "beside spurious ones"},
        {{0.0002, 0.03, 0, false, true, 0.5}, "n5", "send", "lost at a slow host: one finding"},
        {{0.0002, 0.03, 0, true, true, 1}, NULL, NULL, "lost in one launch alone"},
        {{0.0002, 0.001, 0, false, true, 1}, NULL, NULL, "1 in 1000 lost at a host"},
        {{0.01, 0, 0, false, true, 1}, NULL, NULL, "1 % lost everywhere"},
        {{0, 0, 0, false, true, 1}, NULL, NULL, "nothing lost"},
        {{0.01, 0.03, 0, false, false, 1}, NULL, NULL, "not readable"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int right = count_right(&cases[k].loss, cases[k].who, cases[k].quantity, PAGES);
        ok(right == PAGES, "%s: %d of %d pages are right", cases[k].name, right, PAGES);
    }
    const lossy two = {0.0002, 0.03, 0.03, false, true, 1};
    uint64_t seed = 7;
    static char *file[] = {"1", "2", "3"};
    cm_record record[3], all;
    for (int k = 0; k < 3; k++) record[k] = read_lossy(&two, true, &seed);
    const suite_launches l = {.file = file, .record = record, .n = 3, .middle = 1};
    suite_combine(&l, "host", &all);
    ok(says(&all, CM_FINDING_STANDS_OUT, 2, "finding: n4-n7: ")
           && says(&all, CM_FINDING_SENT_AGAIN, 0, ""),
       "a host and a pair of two others");
    for (int k = 0; k < 3; k++) cm_record_free(&record[k]);
    cm_record_free(&all);
}

static void test_blind(void)
{
    static const char *const blind =
        "# could not tell: after 13 rounds ...: sending [bound=0 quantity=send]\n";
    const made launch[] = {{CALM, blind, false}, {CALM_TOO, blind, false}, {CALM, blind, false}};
    cm_record all = unite(3, launch);
    ok(says(&all, CM_FINDING_CANNOT_TELL, 0, "") && metric_is(&all, true, "0"),
       "all launches together tell what none could");
    const cm_record_finding *limit = cm_record_finding_of(&all, CM_FINDING_LIMIT, 0);
    ok(limit && strncmp(limit->words, "a host that had in all launches triad below 0.95", 48) == 0
           && strstr(limit->words, "of the others', rate of sending below"),
       "and say what they would have named");
    cm_record_free(&all);
}

int main(void)
{
    char name[] = "together.XXXXXX";
    const int file = mkstemp(name);
    if (file < 0) return 99;
    path = name;
    test_low();
    test_few();
    test_malformed();
    test_shown();
    test_groups();
    test_pairs();
    test_losses();
    test_blind();
    remove(name);
    return tap_done();
}

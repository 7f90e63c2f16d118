/* SPDX-License-Identifier: BSD-3-Clause */
/* together_pairs.c: the pairs of hosts that looked slow in several launches. Each launch measures
   again a pair that looked slow, and gives the probability that noise alone explains the result.
   Launches are independent, so small probabilities of several launches combine to a very small
   one. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "hosts_named.h"
#include "measure/repeated.h"
#include "together.h"

static bool is_whole(const cm_record_finding *f)
{
    return f->who && f->quantity && f->value > 0 && f->bound >= 0;
}

/* The launch's finding of that pair and direction; NULL if the pair did not look slow in it. */
static const cm_record_finding *looked(const cm_record *record, const cm_record_finding *like)
{
    const cm_record_finding *f;
    for (size_t k = 0; (f = cm_record_finding_of(record, CM_FINDING_LOOKED, k)); k++)
        if (is_whole(f) && strcmp(f->who, like->who) == 0
            && strcmp(f->quantity, like->quantity) == 0)
            return f;
    return NULL;
}

/* How many pairs and directions a launch looks at: latency, and both ways. */
static double looked_at(const cm_record *record)
{
    const cm_record_finding *f = cm_record_finding_of(record, CM_FINDING_COVERED, 0);
    return f && f->value > 0 ? 3 * f->value : INFINITY;
}

static bool is_told(const cm_record *combined, const char *who)
{
    const cm_record_finding *f;
    for (size_t k = 0; (f = cm_record_finding_of(combined, CM_FINDING_STANDS_OUT, k)); k++)
        if (f->who && strcmp(f->who, who) == 0) return true;
    return false;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What the launches say of one pair and direction. */
typedef struct {
    double *ratio, *chance; /* [n], in the order of the launches; those that have it */
    size_t n;
} said;

static said gather(const suite_launches *l, const cm_record_finding *like)
{
    said s = {suite_array(l->n, sizeof(double)), suite_array(l->n, sizeof(double)), 0};
    for (size_t k = 0; k < l->n; k++) {
        const cm_record_finding *f = looked(&l->record[k], like);
        if (!f) continue;
        s.ratio[s.n] = f->value;
        s.chance[s.n++] = f->bound;
    }
    return s;
}

static void tell(const suite_together *t, const cm_record_finding *like, const said *s,
                 const char *who, const char *from, const char *to, cm_record *combined)
{
    const bool latency = strcmp(like->quantity, "pair_latency") == 0;
    char *ratios = suite_together_list(s->n, s->ratio, latency ? 3 : 2);
    qsort(s->ratio, s->n, sizeof *s->ratio, by_value);
    const double ratio = s->ratio[s->n / 2];
    char *slow = latency ? suite_text("latency %.3g times", ratio)
                         : suite_text("%s sends to %s at %.2g of", from, to, ratio);
    char *words = suite_text("%s what the two reach with others, by all launches together (%s): "
                             "that pair alone",
                             slow, ratios);
    const cm_record_finding finding = {.who = (char *)who,
                                       .what = (char *)CM_FINDING_STANDS_OUT,
                                       .quantity = like->quantity,
                                       .value = ratio,
                                       .low = NAN,
                                       .high = NAN,
                                       .bound = NAN,
                                       .unit = like->unit,
                                       .words = words,
                                       .launches = s->n,
                                       .of_launches = t->launches};
    suite_together_add(combined, &finding);
    free(words);
    free(slow);
    free(ratios);
}

/* named: the hosts that findings name for their own rates. */
static void judge(const suite_launches *l, const suite_together *t, const suite_index *named,
                  const cm_record_finding *like, cm_record *combined)
{
    size_t from, to;
    if (!suite_together_ends(t, like->who, &from, &to)) return;
    if (t->losses.host[from] || t->losses.host[to]) return;
    char *who = suite_text("%s-%s", t->name.text[from < to ? from : to],
                           t->name.text[from < to ? to : from]);
    /* cm-nodes shares half of the false alarms among eight kinds; two of these are of pairs, so
       theirs is a quarter of the half. */
    const double alpha = t->false_alarms / 2 / 4 / looked_at(&l->record[l->middle]);
    said s = gather(l, like);
    if (!is_told(combined, who) && !suite_hosts_is_named(named, t->name.text[from])
        && !suite_hosts_is_named(named, t->name.text[to])
        && cm_repeated_chance(s.n, s.chance, t->launches) < alpha)
        tell(t, like, &s, who, t->name.text[from], t->name.text[to], combined);
    free(s.ratio);
    free(s.chance);
    free(who);
}

void suite_together_pairs(const suite_launches *l, const suite_together *t, cm_record *combined)
{
    suite_index named = suite_hosts_named_by(combined, suite_together_is_of_rates);
    for (size_t k = 0; k < l->n; k++) {
        const cm_record_finding *f;
        for (size_t j = 0; (f = cm_record_finding_of(&l->record[k], CM_FINDING_LOOKED, j)); j++)
            if (is_whole(f)) judge(l, t, &named, f, combined);
    }
    suite_index_free(&named);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* together_loss.c: who sends TCP segments again. A loss at a host is in all of its pairs, and so a
   little in each of its partners; a loss of a pair is in two hosts alone. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "measure/order.h"
#include "measure/outliers.h"
#include "measure/repeated.h"
#include "together.h"

static const double fewest = 20, least = 0.002, times = 4;

typedef struct {
    double segments, again;
} count;

/* [launches + 1] each: the last one is the sum over the launches. */
typedef struct {
    size_t from, to;
    count *in;
} link_counts;

typedef struct {
    const suite_together *t;
    size_t known;      /* launches with counts */
    count *host;       /* [host * (launches + 1) + launch] */
    link_counts *link; /* those with segments sent again */
    size_t links;
    suite_losses *losses;
} work;

static double share(count c) { return c.segments > 0 ? c.again / c.segments : NAN; }

static count without(count c, count part)
{
    return (count){c.segments - part.segments, c.again - part.again};
}

static void add(count part, count *to)
{
    to->segments += part.segments;
    to->again += part.again;
}

/* ---- The counts ------------------------------------------------------------------------------ */

static bool count_at(const cm_record *record, size_t row, const char *column, double *number)
{
    return suite_together_number(record, row, column, number) && *number >= 0;
}

static link_counts *find(const work *w, size_t from, size_t to)
{
    for (size_t k = 0; k < w->links; k++)
        if (w->link[k].from == from && w->link[k].to == to) return &w->link[k];
    return NULL;
}

static void take_link(work *w, size_t launch, const cm_record_finding *f)
{
    size_t from, to;
    if (!f->who || !(f->value > 0) || !(f->bound > 0)
        || !suite_together_ends(w->t, f->who, &from, &to))
        return;
    const size_t first = from < to ? from : to, second = from < to ? to : from;
    link_counts *own = find(w, first, second);
    if (!own) {
        w->link = suite_longer(w->link, w->links + 1, sizeof *w->link);
        own = &w->link[w->links++];
        *own = (link_counts){first, second, suite_array(w->t->launches + 1, sizeof *own->in)};
        for (size_t l = 0; l <= w->t->launches; l++) own->in[l] = (count){0};
    }
    own->in[launch] = (count){f->bound, f->value};
    add(own->in[launch], &own->in[w->t->launches]);
}

/* The rows of a record are in the order of its hosts' names. */
static void take(work *w, size_t launch, const cm_record *record)
{
    const size_t all = w->t->launches;
    suite_index names = suite_together_names(record);
    bool any = false;
    for (size_t row = 0; row < names.n; row++) {
        const size_t host = suite_index_find(&w->t->name, names.text[row]);
        count c;
        if (!count_at(record, row, "tcp_segments", &c.segments)
            || !count_at(record, row, "tcp_sent_again", &c.again))
            continue;
        w->host[host * (all + 1) + launch] = c;
        add(c, &w->host[host * (all + 1) + all]);
        any = true;
    }
    suite_index_free(&names);
    const cm_record_finding *f;
    for (size_t k = 0; any && (f = cm_record_finding_of(record, CM_FINDING_SENT_AGAIN, k)); k++)
        take_link(w, launch, f);
    w->known += any;
}

/* ---- Hosts ----------------------------------------------------------------------------------- */

static bool ends_at(const link_counts *link, size_t host)
{
    return link->from == host || link->to == host;
}

/* What a host has in a launch without hosts that lose, and without one more (the same: none). */
static count left(const work *w, size_t launch, size_t host, size_t one)
{
    count c = w->host[host * (w->t->launches + 1) + launch];
    for (size_t k = 0; k < w->links; k++) {
        const link_counts *own = &w->link[k];
        if (!ends_at(own, host)) continue;
        const size_t other = own->from == host ? own->to : own->from;
        if (w->losses->host[other] || other == one) c = without(c, own->in[launch]);
    }
    return c;
}

/* The host's pair with the most segments sent again, of those with hosts that do not lose. */
static count most_of(const work *w, size_t host)
{
    count most = {0};
    for (size_t k = 0; k < w->links; k++) {
        const link_counts *own = &w->link[k];
        if (!ends_at(own, host)) continue;
        const size_t other = own->from == host ? own->to : own->from;
        if (!w->losses->host[other] && own->in[w->t->launches].again > most.again)
            most = own->in[w->t->launches];
    }
    return most;
}

/* The median share, and the largest one, of the hosts that do not lose, without the pairs between
   the two (one host: it and all its pairs). */
static void find_others(const work *w, size_t from, size_t to, double *middle, double *largest)
{
    const suite_together *t = w->t;
    double *room = suite_array(t->hosts + 1, sizeof *room);
    size_t n = 0;
    *largest = 0;
    for (size_t host = 0; host < t->hosts; host++) {
        if (w->losses->host[host] || (from == to && host == from)) continue;
        const size_t one = host == from ? to : host == to || from == to ? from : host;
        const double own = share(left(w, t->launches, host, one));
        if (isnan(own)) continue;
        room[n++] = own;
        *largest = fmax(*largest, own);
    }
    *middle = n > 0 ? cm_order_select(room, n, 0.5) : INFINITY;
    free(room);
}

/* Returns true if enough is sent again of all, and half of the least share in most launches. */
static bool is_much(const work *w, count all, const double *of_launch)
{
    const size_t launches = w->t->launches;
    size_t so = 0;
    for (size_t l = 0; l < launches; l++) so += of_launch[l] >= least / 2;
    return all.again >= fewest && share(all) >= least && so >= launches - launches / 4;
}

static void name(work *w, size_t from, size_t to, double all, double others, double *of_launch)
{
    suite_losses *losses = w->losses;
    losses->loser = suite_longer(losses->loser, losses->n + 1, sizeof *losses->loser);
    losses->loser[losses->n++] = (suite_loser){from, to, of_launch, all, others};
}

static double *host_shares(const work *w, size_t host)
{
    double *of_launch = suite_array(w->t->launches, sizeof *of_launch);
    for (size_t l = 0; l < w->t->launches; l++) of_launch[l] = share(left(w, l, host, host));
    return of_launch;
}

/* Returns true if the host loses by itself, and not by one of its pairs. */
static bool host_loses(const work *w, size_t host, double *all, double *others)
{
    const count own = left(w, w->t->launches, host, host), rest = without(own, most_of(w, host));
    double *of_launch = host_shares(w, host), middle;
    const bool much = is_much(w, own, of_launch);
    free(of_launch);
    *all = share(own);
    if (!much || !(share(rest) > fmax(least, *all / 3))) return false;
    find_others(w, host, host, &middle, others);
    return *all > times * middle;
}

/* The one with the largest share first: its pairs are not the others'. */
static void judge_hosts(work *w)
{
    const suite_together *t = w->t;
    for (size_t named = 0; named < t->hosts / 2; named++) {
        size_t worst = t->hosts;
        double most = 0, of_others = 0, all, others;
        for (size_t host = 0; host < t->hosts; host++)
            if (!w->losses->host[host] && host_loses(w, host, &all, &others) && all > most)
                worst = host, most = all, of_others = others;
        if (worst == t->hosts) return;
        name(w, worst, worst, most, of_others, host_shares(w, worst));
        w->losses->host[worst] = true;
    }
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static void judge_pairs(work *w)
{
    const suite_together *t = w->t;
    for (size_t k = 0; k < w->links; k++) {
        const link_counts *own = &w->link[k];
        const count all = own->in[t->launches];
        double middle, largest;
        if (w->losses->host[own->from] || w->losses->host[own->to]) continue;
        double *of_launch = suite_array(t->launches, sizeof *of_launch);
        for (size_t l = 0; l < t->launches; l++) of_launch[l] = share(own->in[l]);
        find_others(w, own->from, own->to, &middle, &largest);
        const double from = share(left(w, t->launches, own->from, own->to));
        const double to = share(left(w, t->launches, own->to, own->from));
        if (is_much(w, all, of_launch) && share(all) > times * fmax(middle, fmax(from, to)))
            name(w, own->from, own->to, share(all), largest, of_launch);
        else free(of_launch);
    }
}

void suite_losses_judge(const suite_launches *l, const suite_together *t, suite_losses *losses)
{
    const size_t n = t->hosts * (t->launches + 1);
    *losses = (suite_losses){.host = suite_array(t->hosts, sizeof *losses->host)};
    work w = {.t = t, .host = suite_array(n, sizeof *w.host), .losses = losses};
    for (size_t k = 0; k < n; k++) w.host[k] = (count){0};
    for (size_t k = 0; k < t->hosts; k++) losses->host[k] = false;
    for (size_t k = 0; k < l->n; k++) take(&w, k, &l->record[k]);
    if (w.known >= CM_REPEATED_FEWEST) {
        judge_hosts(&w);
        judge_pairs(&w);
    }
    for (size_t k = 0; k < w.links; k++) free(w.link[k].in);
    free(w.link);
    free(w.host);
}

void suite_losses_free(suite_losses *losses)
{
    for (size_t k = 0; k < losses->n; k++) free(losses->loser[k].share);
    free(losses->loser);
    free(losses->host);
    *losses = (suite_losses){0};
}

/* ---- Findings -------------------------------------------------------------------------------- */

/* "n4, n5": it is one of them. */
static bool is_in(const char *list, const char *who)
{
    char *own = suite_copy(list), *rest = own, *one;
    bool is = false;
    while ((one = strsep(&rest, ","))) is = is || strcmp(one + strspn(one, " "), who) == 0;
    free(own);
    return is;
}

/* The finding that names it for a rate of its links; NULL: there is none. */
static cm_record_finding *named_for_rate(cm_record *combined, const char *who)
{
    static const char *const rates[] = {"send", "receive", "latency", "pair_send", "pair_latency"};
    for (size_t k = 0; k < combined->n_findings; k++) {
        cm_record_finding *f = &combined->finding[k];
        bool is_rate = false;
        for (size_t j = 0; f->quantity && j < sizeof rates / sizeof *rates; j++)
            is_rate = is_rate || strcmp(f->quantity, rates[j]) == 0;
        if (is_rate && f->who && strcmp(f->what, CM_FINDING_STANDS_OUT) == 0 && is_in(f->who, who))
            return f;
    }
    return NULL;
}

static char *words_of(const suite_together *t, const suite_loser *loser)
{
    double *percent = suite_array(t->launches, sizeof *percent);
    for (size_t l = 0; l < t->launches; l++)
        percent[l] = isnan(loser->share[l]) ? 0 : 100 * loser->share[l];
    char *shares = suite_together_list(t->launches, percent, 2);
    free(percent);
    char *words = suite_text(
        "%.2g %% of the TCP segments between %s are sent again, by all launches together (%s; "
        "others at most %.2g): lost packets",
        100 * loser->all, loser->from == loser->to ? "it and the others" : "the two", shares,
        100 * loser->others);
    free(shares);
    return words;
}

static void tell(const suite_together *t, const suite_loser *loser, const char *who,
                 cm_record *combined)
{
    const bool pair = loser->from != loser->to;
    cm_record_finding *f = named_for_rate(combined, who);
    char *lost = words_of(t, loser), *words;
    size_t launches = 0;
    for (size_t l = 0; l < t->launches; l++) launches += loser->share[l] >= least / 2;
    if (f) {
        words = strcmp(f->who, who) == 0 ? suite_text("%s; %s", f->words, lost)
                                         : suite_text("%s; %s: %s", f->words, who, lost);
        free(f->words);
        f->words = suite_copy(words);
    } else {
        words = suite_text("%s: %s", lost,
                           pair ? "that pair alone" : "its card, its cable or its port");
        const cm_record_finding finding = {
            .who = (char *)who,
            .what = (char *)CM_FINDING_STANDS_OUT,
            .quantity = (char *)(pair ? "pair_sent_again" : SUITE_TOGETHER_LOSS),
            .value = loser->all,
            .low = NAN,
            .high = NAN,
            .bound = least,
            .unit = (char *)"1",
            .words = words,
            .launches = launches,
            .of_launches = t->launches};
        suite_together_add(combined, &finding);
    }
    free(words);
    free(lost);
}

void suite_losses_tell(const suite_together *t, cm_record *combined)
{
    for (size_t k = 0; k < t->losses.n; k++) {
        const suite_loser *loser = &t->losses.loser[k];
        const char *from = t->name.text[loser->from], *to = t->name.text[loser->to];
        char *who = loser->from == loser->to ? suite_copy(from) : suite_text("%s-%s", from, to);
        tell(t, loser, who, combined);
        free(who);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_analysis.c: which hosts and which pairs are slow. The false alarms are shared evenly by the
   kinds of checks, and within a kind by all hosts or links. */
#include <math.h>
#include <stdlib.h>
#include "nodes_links.h"

static bool open_arrays(int hosts, nodes_analysis *a)
{
    const size_t n = (size_t)hosts;
    a->bound_links = NAN;
    for (int kind = 0; kind < NODES_CHECKS; kind++) {
        a->bound[kind] = NAN;
        a->figure[kind] = malloc(n * sizeof(double));
        a->effect[kind] = malloc(n * sizeof(double));
        a->z[kind] = malloc(n * sizeof(double));
        a->slow[kind] = calloc(n, sizeof(bool));
        a->groups[kind] = (nodes_groups){calloc(n, sizeof(bool)), NAN, NAN};
        if (!a->figure[kind] || !a->effect[kind] || !a->z[kind] || !a->slow[kind]
            || !a->groups[kind].slower)
            return false;
        for (size_t k = 0; k < n; k++)
            a->figure[kind][k] = a->effect[kind][k] = a->z[kind][k] = NAN;
    }
    a->meetings = calloc(n, sizeof *a->meetings);
    a->slow_meetings = calloc(n, sizeof *a->slow_meetings);
    return a->meetings && a->slow_meetings;
}

void nodes_analysis_free(nodes_analysis *a)
{
    for (int kind = 0; kind < NODES_CHECKS; kind++) {
        free(a->figure[kind]);
        free(a->effect[kind]);
        free(a->z[kind]);
        free(a->slow[kind]);
        free(a->groups[kind].slower);
    }
    free(a->meetings);
    free(a->slow_meetings);
    free(a->link);
    free(a->looked);
    *a = (nodes_analysis){0};
}

/* ---- Hosts ----------------------------------------------------------------------------------- */

/* The chance that noise alone gives a host this effect: the median of its visits. */
static double explained(double effect, const nodes_noise *noise, size_t visits)
{
    return nodes_noise_chance(nodes_noise_below(noise, effect), noise->n, visits, (visits + 1) / 2);
}

/* All checks have one limit, unless some hosts lack a figure. */
static void judge(nodes_analysis *a, nodes_check_kind kind, double error, double share,
                  const nodes_noise *noise)
{
    double scale;
    const size_t visits = noise->n / (size_t)a->hosts;
    int known = nodes_judge(a->hosts, a->effect[kind], error, a->z[kind], &scale);
    a->limit[kind] = known == a->hosts ? a->limit_hosts : nodes_limit(known, share);
    for (int host = 0; host < a->hosts; host++)
        a->slow[kind][host] =
            a->z[kind][host] < -a->limit[kind]
            && explained(a->z[kind][host] * scale, noise, visits) < share / a->hosts;
    if (known >= NODES_FEWEST)
        a->bound[kind] =
            exp(fmin(-a->limit[kind] * scale,
                     nodes_noise_bound(noise, visits, (visits + 1) / 2, share / a->hosts)));
}

/* If half of the hosts are slow, no host is far from the median, and none is named. */
static bool find_groups(nodes_analysis *a, nodes_check_kind kind, const double *effect,
                        double error, double share, const nodes_noise *noise, size_t needed_of_4)
{
    for (int host = 0; host < a->hosts; host++)
        if (a->slow[kind][host]) return true;
    return nodes_groups_find(a->hosts, effect, error, a->limit_groups, nodes_share_of_groups(share),
                             noise, needed_of_4, &a->groups[kind]);
}

static bool figure_of(nodes_analysis *a, nodes_check_kind kind, int hosts, int rounds,
                      const double *rate)
{
    double *room = malloc(((size_t)rounds + 1) * sizeof *room);
    if (!room) return false;
    for (int host = 0; host < hosts; host++) {
        size_t n = 0;
        for (int k = 0; k < rounds; k++) {
            double value = rate[(size_t)host * (size_t)rounds + (size_t)k];
            if (!isnan(value)) room[n++] = value;
        }
        a->figure[kind][host] = nodes_median(room, n);
    }
    free(room);
    return true;
}

static bool compute(const nodes_figures *f, nodes_check_kind kind, double share, nodes_analysis *a)
{
    const int rounds = f->rounds + f->again;
    const size_t n = (size_t)f->hosts * (size_t)rounds;
    double *y = malloc((n + 1) * sizeof *y), *left = malloc((n + 1) * sizeof *left), error;
    nodes_noise noise = {0};
    bool done = y && left && figure_of(a, kind, f->hosts, rounds, f->compute[kind]);
    for (size_t k = 0; done && k < n; k++) y[k] = log(f->compute[kind][k]);
    done = done && nodes_fit_hosts(f->hosts, rounds, y, a->effect[kind], left, &error)
           && nodes_noise_open(n, left, &noise);
    if (done) judge(a, kind, error, share, &noise);
    done = done && find_groups(a, kind, a->effect[kind], error, share, &noise, 2);
    nodes_noise_close(&noise);
    free(left);
    free(y);
    return done;
}

/* The clock may be wrong either way. An error is a bound, not a deviation, and each host has its
   own; that of the first, 0, would single it out if round trips are not symmetric. */
static bool clocks(const nodes_figures *f, double share, nodes_analysis *a)
{
    double scale, *room = malloc((size_t)f->hosts * sizeof *room);
    if (!room) return false;
    for (int host = 0; host < f->hosts; host++)
        room[host] = a->figure[NODES_CLOCK][host] = a->effect[NODES_CLOCK][host] =
            f->offset_s[host];
    int known = nodes_judge(f->hosts, a->effect[NODES_CLOCK], 0, a->z[NODES_CLOCK], &scale);
    double middle = nodes_median(room, (size_t)f->hosts);
    for (int host = 0; host < f->hosts; host++) room[host] = f->error_s[host];
    scale = fmax(scale, nodes_median(room, (size_t)f->hosts));
    a->limit[NODES_CLOCK] = nodes_limit(known, share / 2);
    if (known >= NODES_FEWEST) a->bound[NODES_CLOCK] = a->limit[NODES_CLOCK] * scale;
    for (int host = 0; host < f->hosts; host++) {
        double *z = &a->z[NODES_CLOCK][host];
        *z = (f->offset_s[host] - middle) / fmax(scale, f->error_s[host]);
        a->slow[NODES_CLOCK][host] = fabs(*z) > a->limit[NODES_CLOCK];
    }
    free(room);
    return true;
}

/* ---- Between hosts --------------------------------------------------------------------------- */

static void host_effects(const nodes_links *links, nodes_check_kind kind, double share,
                         nodes_analysis *a)
{
    const double *effect = kind == NODES_RECEIVE ? links->fit.receive : links->fit.send;
    for (int host = 0; host < a->hosts; host++) a->effect[kind][host] = effect[host];
    judge(a, kind, links->fit.error, share, &links->noise);
}

/* Puts what the hosts sent, or received, in their order: host k's are value[begin[k]] to
   value[begin[k + 1] - 1]. Returns false if memory is short; begin is the caller's to free. */
static bool sort_by_host(const nodes_links *links, int hosts, bool receive, double *value,
                         size_t **begin)
{
    size_t *next = *begin = calloc((size_t)hosts + 2, sizeof **begin);
    if (!next) return false;
    for (size_t k = 0; k < links->n; k++)
        next[(receive ? links->sample[k].to : links->sample[k].from) + 2]++;
    for (int k = 0; k < hosts; k++) next[k + 2] += next[k + 1];
    /* Now next[k + 1] is where host k begins; filling moves it to where the next one does. */
    for (size_t k = 0; k < links->n; k++) {
        const nodes_sample *s = &links->sample[k];
        value[next[(receive ? s->to : s->from) + 1]++] = s->y;
    }
    return true;
}

/* Sets the upper quartile of each host's samples; NaN if it has none. */
static bool upper_quartiles(const nodes_links *links, int hosts, bool receive, double *room,
                            double *quartile)
{
    size_t *begin;
    if (!sort_by_host(links, hosts, receive, room, &begin)) return false;
    for (int host = 0; host < hosts; host++) {
        double *own = room + begin[host];
        const size_t n = begin[host + 1] - begin[host];
        nodes_sort(own, n);
        quartile[host] = n ? own[n * 3 / 4] : NAN;
    }
    free(begin);
    return true;
}

/* A pair is as fast as its slower host, if cards are slow. A fast host among many slow ones shows
   only what it can do with the few fast ones: therefore its upper quartile counts, not its median.
   Rounds are not taken out, for their medians depend on who met whom. The noise is what the slower
   host of a pair does not explain. */
static bool group_links(const nodes_links *links, bool latency, double share, nodes_analysis *a)
{
    const size_t hosts = (size_t)a->hosts;
    double *room = malloc((links->n + 1) * sizeof *room);
    double *send = malloc(2 * hosts * sizeof *send), *receive = send + hosts;
    nodes_noise noise = {0};
    bool done = room && send && upper_quartiles(links, a->hosts, false, room, send)
                && upper_quartiles(links, a->hosts, true, room, receive);
    if (done) {
        for (size_t k = 0; k < links->n; k++) {
            const nodes_sample *s = &links->sample[k];
            room[k] = s->y - fmin(send[s->from], receive[s->to]);
        }
        done = nodes_noise_open(links->n, room, &noise);
    }
    if (done && latency) done = find_groups(a, NODES_LATENCY, send, NAN, share, &noise, 3);
    if (done && !latency)
        done = find_groups(a, NODES_SEND, send, NAN, share, &noise, 3)
               && find_groups(a, NODES_RECEIVE, receive, NAN, share, &noise, 3);
    nodes_noise_close(&noise);
    free(room);
    free(send);
    return done;
}

/* The median of what the host reached with its partners. */
static bool host_figures(const nodes_links *links, nodes_check_kind kind, nodes_analysis *a)
{
    size_t *begin = NULL;
    double *value = malloc((links->n + 1) * sizeof *value);
    bool done = value && sort_by_host(links, a->hosts, kind == NODES_RECEIVE, value, &begin);
    for (size_t k = 0; done && k < links->n; k++) value[k] = exp(value[k]);
    for (int k = 0; done && k < a->hosts; k++)
        a->figure[kind][k] = nodes_median(value + begin[k], begin[k + 1] - begin[k]);
    free(begin);
    free(value);
    return done;
}

/* A host that sends or receives slowly: with how many of its partners? */
static void count_meetings(const nodes_links *links, nodes_analysis *a)
{
    for (size_t k = 0; k < links->n; k++) {
        const nodes_sample *s = &links->sample[k];
        double send = links->fit.send[s->from], receive = links->fit.receive[s->to];
        if (a->slow[NODES_SEND][s->from]) {
            a->meetings[s->from]++;
            a->slow_meetings[s->from] += s->left + send < send / 2;
        } else if (a->slow[NODES_RECEIVE][s->to]) {
            a->meetings[s->to]++;
            a->slow_meetings[s->to] += s->left + receive < receive / 2;
        }
    }
}

static bool is_slow(const nodes_analysis *a, int host)
{
    for (int kind = 0; kind < NODES_CLOCK; kind++)
        if (a->slow[kind][host]) return true;
    return false;
}

/* Keeps what is no surprise alone, but would be in several launches. */
static void keep_looked(const nodes_link *again, bool latency, nodes_analysis *a)
{
    static const double margin = 0.95, chance = 0.05;
    if (again->chance <= chance && exp(again->left) < margin)
        a->looked[a->n_looked++] =
            (struct nodes_looked){again->from, again->to, exp(again->left), again->chance, latency};
}

/* A pair of a slow host is slow because of that host. Of the directions and kinds in which a pair
   is slow, the clearest is kept. */
static bool judge_links(const nodes_figures *f, const nodes_links *links, double share,
                        nodes_analysis *a)
{
    for (int k = 0; k < f->candidates; k++) {
        const int *ends = f->candidate[k];
        if (is_slow(a, ends[0]) || is_slow(a, ends[1])) continue;
        for (int back = 0; back < (links->kind == NODES_LATENCY ? 1 : 2); back++) {
            nodes_link again;
            if (!nodes_links_again(links, f, k, back, &again)) return false;
            const nodes_link *drawn = nodes_links_of(links, again.from, again.to);
            if (drawn && drawn->z < nodes_cut) keep_looked(&again, links->kind == NODES_LATENCY, a);
            if (!drawn || !(drawn->z < -a->limit_links) || !(again.z < -a->limit_links)
                || again.chance > share / f->candidates)
                continue;
            struct nodes_link *last = a->n_links ? &a->link[a->n_links - 1] : NULL;
            for (int other = 0; other < a->n_links; other++)
                if (a->link[other].first == ends[0] && a->link[other].second == ends[1])
                    last = &a->link[other];
            bool is_there = last && last->first == ends[0] && last->second == ends[1];
            if (is_there && last->z <= again.z) continue;
            if (!is_there) last = &a->link[a->n_links++];
            *last = (struct nodes_link){ends[0], ends[1], exp(again.left), again.z,
                                        links->kind == NODES_LATENCY ? NODES_LATENCY
                                        : back                       ? NODES_RECEIVE
                                                                     : NODES_SEND};
        }
    }
    return true;
}

/* The ratio below which a pair that was drawn as often as most would have been named, both when it
   was drawn and again. */
static double link_bound(const nodes_links *links, const nodes_figures *f, double share,
                         const nodes_analysis *a)
{
    const size_t again = (size_t)f->again;
    if (f->hosts < NODES_FEWEST || links->n_links == 0) return NAN;
    const size_t visits = (size_t)ceil((double)links->n / (double)links->n_links);
    double drawn = -a->limit_links * nodes_links_deviation(links, visits > 0 ? visits : 1);
    /* No pair looked slow: none was measured again, and one below this would have been. */
    if (f->candidates == 0) return exp(drawn);
    if (again < 2) return 0;
    double bound = nodes_noise_bound(&links->noise, again, again - 1, share / f->candidates);
    drawn = fmin(drawn, -a->limit_links * nodes_links_deviation(links, again));
    return exp(fmin(drawn, bound));
}

static bool between(const nodes_figures *f, double share, nodes_analysis *a)
{
    nodes_links latency = {0}, bandwidth = {0};
    bool done =
        nodes_links_open(f, NODES_LATENCY, &latency) && nodes_links_open(f, NODES_SEND, &bandwidth)
        && host_figures(&latency, NODES_LATENCY, a) && host_figures(&bandwidth, NODES_SEND, a)
        && host_figures(&bandwidth, NODES_RECEIVE, a) && nodes_links_find(&latency, f->rounds)
        && nodes_links_find(&bandwidth, f->rounds);
    if (done) {
        host_effects(&latency, NODES_LATENCY, share, a);
        host_effects(&bandwidth, NODES_SEND, share, a);
        host_effects(&bandwidth, NODES_RECEIVE, share, a);
        done = group_links(&latency, true, share, a) && group_links(&bandwidth, false, share, a);
        count_meetings(&bandwidth, a);
        a->limit_links = nodes_limit_links((double)(latency.n_links + bandwidth.n_links), share);
        a->bound_links =
            fmin(link_bound(&latency, f, share, a), link_bound(&bandwidth, f, share, a));
        done = done && judge_links(f, &latency, share, a) && judge_links(f, &bandwidth, share, a);
    }
    nodes_links_close(&latency);
    nodes_links_close(&bandwidth);
    return done;
}

/* ---- All ------------------------------------------------------------------------------------- */

static bool has_any(const nodes_figures *f, int kind)
{
    const size_t n = (size_t)f->hosts * (size_t)(f->rounds + f->again);
    for (size_t k = 0; k < n; k++)
        if (!isnan(f->compute[kind][k])) return true;
    return false;
}

bool nodes_analyse(const nodes_figures *f, double false_alarms, nodes_analysis *a)
{
    bool measured[NODES_COMPUTE];
    *a = (nodes_analysis){.hosts = f->hosts, .ranks = f->ranks, .false_alarms = false_alarms};
    a->link = malloc(((size_t)f->candidates + 1) * sizeof *a->link);
    a->looked = malloc((3 * (size_t)f->candidates + 1) * sizeof *a->looked); /* two directions */
    if (!a->link || !a->looked || !open_arrays(f->hosts, a)) return false;
    a->tests = NODES_CHECKS - NODES_COMPUTE + 1; /* one for the links */
    for (int kind = 0; kind < NODES_COMPUTE; kind++) a->tests += measured[kind] = has_any(f, kind);
    /* Disturbances only slow down, so the slow side of the noise has heavier tails than a normal
       distribution: half of the alarms is left to these. */
    const double share = nodes_share(false_alarms, a->tests);
    a->limit_hosts = nodes_limit(f->hosts, share);
    a->limit_groups = nodes_groups_limit(f->hosts, nodes_share_of_groups(share));
    bool done = clocks(f, share, a) && (f->hosts < 2 || between(f, share, a));
    for (int kind = 0; kind < NODES_COMPUTE; kind++)
        if (measured[kind]) done = done && compute(f, (nodes_check_kind)kind, share, a);
    return done;
}

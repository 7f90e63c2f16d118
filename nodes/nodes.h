/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.h: declarations that the files of cm-nodes share. */
#ifndef NODES_H
#define NODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "machine/machine.h"
#include "memory/stream.h"
#include "run/run.h"
#include "sample/disturbance.h"

typedef struct {
    int64_t rounds;      /* of checks, at most */
    int64_t again;       /* of checks of the pairs that looked slow; 0: none */
    double trial_s;      /* of one trial of a check */
    double time_limit_s; /* of all rounds */
    double minutes;      /* of a burn-in after them; 0: none */
    double false_alarms; /* the chance that a run names somebody although all are alike */
    int64_t triad_bytes; /* of the arrays of a host; 0: STREAM's rule */
    int64_t size_bytes;  /* of a message */
    int64_t seed;
    int bind; /* cm_machine_way */
    cm_result_files files;
} nodes_options;

extern const cm_metric nodes_metrics[];

/* The kinds of values that are compared between hosts. All except the clock are rates; a logarithm
   of a ratio below 0 is slow. */
typedef enum {
    NODES_TRIAD,   /* B/s, all ranks of the host together */
    NODES_GEMM,    /* flop/s, likewise; not measured without a BLAS */
    NODES_QUIET,   /* share of the time that fixed work got: mean of the host's ranks */
    NODES_COMPUTE, /* number of those above */
    NODES_LATENCY = NODES_COMPUTE, /* 1/s: messages of one byte, one after the other */
    NODES_SEND,                    /* B/s */
    NODES_RECEIVE,
    NODES_CLOCK, /* s: offset to the clock of rank 0 */
    NODES_CHECKS
} nodes_check_kind;

/* ---- nodes_check.c: for the check of cm_benchmark -------------------------------------------- */

int nodes_check(const cm_program *program, void *options);
/* Checks the options that depend on the hosts of the job. All ranks call it; rank 0 prints the
   line. */
int nodes_check_rounds(const cm_program *program, const nodes_options *options, int hosts);

/* ---- nodes_run.c: for the run of cm_benchmark ------------------------------------------------ */

int nodes_run(const cm_benchmark *benchmark);
/* For describe of cm_benchmark: what src/machine does not know. */
void nodes_describe(void (*each)(const char *key, const char *value, void *context), void *context);

/* ---- nodes_place.c: hosts, and which of them share a computer -------------------------------- */

/* Hosts are numbered from 0 in the order of the ranks. Hosts of one computer share its cores, so
   they compute and communicate in turns. */
typedef struct {
    int hosts, computers;
    int *first;    /* [host]: its lowest rank */
    int *ranks;    /* [host]: their number */
    int *computer; /* [host], from 0 */
    int *turn;     /* [host]: its place among the hosts of its computer, from 0 */
    int turns;     /* the largest number of hosts of a computer */
    int host;      /* that of this rank */
    bool is_first; /* this rank is the first of its host */
} nodes_place;

/* Ends the job if memory is short, as the functions below do. */
void nodes_place_open(nodes_place *place);
void nodes_place_close(nodes_place *place);

/* ---- nodes_wait.c: waiting that leaves the cores to others ----------------------------------- */

/* Waits for a message from rank source of the world, and receives it, asleep most of the time: a
   rank that spins would take the core from a rank of its computer that measures. */
void nodes_wait(void *data, size_t bytes, int source, int tag);
/* All ranks of the world call it. Returns, when all have called it, the word of rank 0. */
int32_t nodes_meet(int32_t word);
/* Likewise; returns the bits that any rank's word has. */
int32_t nodes_meet_any(int32_t word);

enum { NODES_TAG_MEET = 1, NODES_TAG_CLOCK, NODES_TAG_PAIR, NODES_TAG_DATA };

/* ---- nodes_clock.c --------------------------------------------------------------------------- */

/* All ranks call it. Rank 0 gets offset_s[host] of the time of day to its own, and error_s[host],
   the most by which that may be wrong (half the shortest round trip). */
void nodes_clock(const nodes_place *place, double *offset_s, double *error_s);

/* ---- nodes_compute.c: what a rank measures by itself ----------------------------------------- */

typedef struct {
    cm_stream triad;
    size_t passes;                  /* since the arrays were filled */
    double *a, *b, *c;              /* of the matrix product; NULL: there is no BLAS */
    double quantum_s;               /* the shortest time of a quantum of work so far */
    double triad_error, gemm_error; /* the largest so far, relative */
} nodes_compute;

/* hosts_of_computer: the largest number of hosts that share one. */
void nodes_compute_open(const nodes_options *options, int ranks_of_host, int hosts_of_computer,
                        nodes_compute *compute);
/* Returns true if the three arrays of all ranks of the host together have less than twice the size
   of its last-level caches: the triad is then not memory's. */
bool nodes_triad_in_caches(const nodes_compute *compute, int ranks_of_host);
void nodes_compute_close(nodes_compute *compute);
/* Keeps this rank's core busy for load_s seconds. */
void nodes_compute_load(nodes_compute *compute, double load_s);
/* One trial of each, of trial_s seconds, which all ranks of the host call: rate[NODES_COMPUTE] of
   this rank, NaN for what is not measured. */
void nodes_compute_trial(nodes_compute *compute, cm_group *of_host, double trial_s, double *rate);

/* ---- nodes_rounds.c: who meets whom ---------------------------------------------------------- */

/* Draws the partner of each host in a round, -1 for none, from the seed. Any two hosts meet once
   before any meet twice. */
void nodes_partners(int hosts, uint64_t seed, int64_t round, int *partner);
/* Puts pairs into waves, in each of which a computer is in one pair at most: sets wave[pair], and
   returns the number of waves. Pair k is first[k] and second[k]; second -1: no pair, wave -1. */
int nodes_waves(const nodes_place *place, int pairs, const int *first, const int *second,
                int *wave);

/* ---- nodes_pair.c: two hosts exchange messages ----------------------------------------------- */

/* ---- nodes_disturbed.c: whether others took the cores ---------------------------------------- */

enum {
    NODES_SAMPLES, /* a rank's triad, product and quiet work of a round are one */
    NODES_DISTURBED,
    NODES_CAUSES,
    NODES_COUNTS = NODES_CAUSES + CM_DISTURBED_CAUSES
};
typedef struct {
    cm_sample_watch watch;
    double count[NODES_COUNTS]; /* of this rank */
} nodes_disturbed;

void nodes_disturbed_open(nodes_disturbed *disturbed);
void nodes_disturbed_close(nodes_disturbed *disturbed);
/* Call these two before and after a rank's own computation. */
void nodes_disturbed_begin(nodes_disturbed *disturbed);
void nodes_disturbed_end(nodes_disturbed *disturbed);
/* All ranks call it; rank 0 has the result, the others NULL. Returns on rank 0 whether any sample
   was disturbed. */
cm_disturbed nodes_disturbed_tell(const nodes_disturbed *disturbed, cm_result *result);

/* TCP segments that both hosts of a pair sent while it was measured, and sent again. 0 segments:
   not readable. */
typedef struct {
    double segments, again;
} nodes_segments;

typedef struct {
    int32_t first, second; /* hosts; second < 0: not measured */
    double latency_s;
    double out_B_per_s, in_B_per_s; /* first to second, second to first */
    nodes_segments tcp;
} nodes_pair;

typedef struct {
    size_t bytes;            /* of a message */
    unsigned char *out, *in; /* in: room for NODES_WINDOW messages */
    double wrong_bytes;
} nodes_buffers;
enum { NODES_WINDOW = 4 };

void nodes_buffers_open(size_t bytes, nodes_buffers *buffers);
void nodes_buffers_close(nodes_buffers *buffers);
/* Both ranks of a pair call it; leads is true on one of them, which gets the pair's figures. */
void nodes_pair_trial(nodes_buffers *buffers, int peer, bool leads, double trial_s,
                      nodes_pair *pair);

/* ---- nodes_fit.c: host + host + link --------------------------------------------------------- */

/* y = log rate of a message stream from one host to another in a round:
       y = round + send[from] + receive[to] + link + noise
   by alternating medians (Tukey's median polish). The medians of send and receive are 0. */
typedef struct {
    int32_t from, to, round;
    double y;
    double left; /* set: y without round, send and receive: link + noise */
} nodes_sample;

typedef struct {
    double *send, *receive; /* [host]; NaN: it has no sample */
    double *round;          /* [round] */
    double sigma;           /* of a sample's noise: the scaled median of |left| */
    double error;           /* standard error of send and receive */
} nodes_fit;

/* Returns false if memory is short. */
bool nodes_fit_links(int hosts, int rounds, size_t n, nodes_sample *sample, nodes_fit *fit);
void nodes_fit_free(nodes_fit *fit);
/* The same for what a host measures alone: y[host * rounds + round], NaN: none. effect[host]; left
   as y. */
bool nodes_fit_hosts(int hosts, int rounds, const double *y, double *effect, double *left,
                     double *error);

void nodes_sort(double *value, size_t n);     /* ascending, without NaN */
double nodes_median(double *value, size_t n); /* sorts them; NaN if n is 0 */
/* The standard deviation of a normal distribution over its median absolute deviation. */
static const double nodes_sigma_of_mad = 1.4826;

/* ---- nodes_judge.c: who is slow -------------------------------------------------------------- */

/* Returns the number of scaled median absolute deviations by which the slowest of n hosts that are
   alike is below their median with a probability of only alpha. INFINITY if n is below 4: then no
   host can be told from the others. */
double nodes_limit(int n, double alpha);
/* The same for n links, of which there are enough for a normal distribution's. */
double nodes_limit_links(double n, double alpha);

/* z[host] = (effect - median) / scale. scale: the larger one of the scaled median absolute
   deviation of the effects and of error, their standard error. NaN effects get NaN. Returns the
   number of effects. */
int nodes_judge(int n, const double *effect, double error, double *z, double *scale);

/* Fewer hosts cannot be told apart. */
enum { NODES_FEWEST = 4 };

/* ---- nodes_noise.c: what the noise alone does ------------------------------------------------ */

/* The noise of all samples as it was, whatever its distribution: where processes run, for example,
   it has two values. */
typedef struct {
    double *sorted;
    size_t n;
} nodes_noise;

/* Takes those of n values that are not NaN. Returns false if memory is short. */
bool nodes_noise_open(size_t n, const double *left, nodes_noise *noise);
void nodes_noise_close(nodes_noise *noise);
/* The number of values at or below x. */
size_t nodes_noise_below(const nodes_noise *noise, double x);
/* The probability that at least `needed` of `visits` samples are at or below what `below` of n
   samples of the noise are. */
double nodes_noise_chance(size_t below, size_t n, size_t visits, size_t needed);
/* Returns x such that for all values below it, and no others of the noise, that probability is less
   than alpha; -INFINITY: there is none. */
double nodes_noise_bound(const nodes_noise *noise, size_t visits, size_t needed, double alpha);

/* ---- nodes_groups.c: two kinds of hosts ------------------------------------------------------ */

typedef struct {
    bool *slower;    /* [host]: it is of the slower group; false for all if there is one group */
    double ratio;    /* of the slower group to the faster one; NaN: there is one group */
    double distance; /* in deviations within the groups */
} nodes_groups;

/* Returns the distance of the best split that n equal hosts exceed with probability alpha. INFINITY
   below NODES_FEWEST. */
double nodes_groups_limit(int n, double alpha);
/* effect[n], NaN: none, and error, their standard error (NaN: not known). A host's effect is such
   that needed_of_4 quarters of its samples are at or below it. Returns false if memory is short. */
bool nodes_groups_find(int n, const double *effect, double error, double limit, double alpha,
                       const nodes_noise *noise, size_t needed_of_4, nodes_groups *groups);

/* ---- nodes_analysis.c: from figures to findings ---------------------------------------------- */

/* All that was measured, on rank 0. */
typedef struct {
    int hosts, rounds, again;       /* those that were done */
    double *compute[NODES_COMPUTE]; /* [host * rounds + round]: rates, NaN: none */
    nodes_pair *pair;               /* [round * hosts + host], of rounds + again rounds */
    int drawn;                      /* different pairs in it */
    int candidates;
    int (*candidate)[2]; /* [candidates]: pairs that are measured again in each of `again` rounds */
    nodes_pair *more;    /* [again * candidates] */
    double *offset_s, *error_s;    /* [host] */
    const int *ranks;              /* [host]: their number; NULL: all hosts have as many */
    const struct nodes_burn *burn; /* nodes_burn.h; NULL: there was none */
} nodes_figures;

typedef struct {
    int hosts;
    const int *ranks; /* as in the figures, which they belong to */
    double false_alarms;
    double limit_hosts, limit[NODES_CHECKS], limit_links;
    double bound[NODES_CHECKS];   /* a host below this ratio to the others would have been named;
                                     clock: a host beyond this time in s; NaN: no host was compared
                                     */
    double bound_links;           /* likewise of a pair that was drawn; NaN: none was */
    int tests;                    /* kinds of checks that share the false alarms */
    double *figure[NODES_CHECKS]; /* [host]: median over the rounds; NaN: none */
    double *effect[NODES_CHECKS]; /* [host]: logarithm of its ratio to the others */
    double *z[NODES_CHECKS];
    bool *slow[NODES_CHECKS]; /* of the clock: wrong */
    double limit_groups;
    nodes_groups groups[NODES_CHECKS]; /* not for the clock; of a kind in which no host is named */
    int *meetings, *slow_meetings; /* [host]: with partners; those in which it was nearer to its own
                                      effect than to the others */
    struct nodes_link {
        int first, second;
        double ratio, z;       /* to what its hosts reach with others */
        nodes_check_kind kind; /* latency; send: first to second; receive: second to first */
    } * link;
    int n_links;
    /* [n_looked]: a pair and direction that looked slow when it was drawn, and again when it was
       measured for that. Whether it is named or not: several launches may say it together. */
    struct nodes_looked {
        int from, to;
        double ratio, chance; /* that noise alone does so again */
        bool latency;
    } * looked;
    int n_looked;
} nodes_analysis;

/* Chooses the pairs that looked slowest for their hosts, at most `most`. Returns their number, or
   -1 if memory is short. */
int nodes_candidates(const nodes_figures *figures, int most, int (*candidate)[2]);
/* Returns false if memory is short. */
bool nodes_analyse(const nodes_figures *figures, double false_alarms, nodes_analysis *analysis);
void nodes_analysis_free(nodes_analysis *analysis);

/* ---- nodes_power.c: what a run could see ----------------------------------------------------- */

/* Returns the share of the false alarms that each of `tests` kinds of checks has. */
double nodes_share(double false_alarms, int tests);
/* The part of that which is added for two groups of hosts. */
double nodes_share_of_groups(double share);
/* Returns the least number of rounds r such that r rounds, and any larger number, can name the
   slowest host. 1: there are too few hosts for any number. */
int nodes_least_rounds(int hosts, double share);
/* The same of further rounds, in which a pair is measured again. */
int nodes_least_again(int hosts, int rounds, double share);
/* Returns true if noise is so large that a host at half of the others' rate would not be named. */
bool nodes_is_blind(const nodes_analysis *analysis, nodes_check_kind kind);

/* ---- nodes_findings.c: as data and in words -------------------------------------------------- */

/* The kinds as quantities of findings. Those of pairs are pair_latency and pair_send. */
extern const char *const nodes_names[NODES_CHECKS];

/* Calls each for every host and quantity in which it is slow, for pairs and groups of hosts, and
   for clocks, with words that follow the name: "sends at 0.31 of the others, ...". Returns the
   number of hosts that are slow in anything, pairs, groups and clocks. */
typedef void nodes_each(const cm_finding *finding, const char *words, void *context);
int nodes_findings(const nodes_analysis *analysis, const char *const *name, nodes_each *each,
                   void *context);

/* ---- nodes_again.c: TCP segments sent again -------------------------------------------------- */

/* Of all pairs of the host; NaN: not readable. */
nodes_segments nodes_again_host(const nodes_figures *figures, int host);
/* Adds a finding for each pair with some, at most 64, those with the most first. */
void nodes_again_tell(cm_result *result, const nodes_figures *figures, const char *const *name);

/* ---- nodes_result.c: rank 0 writes ----------------------------------------------------------- */

cm_result *nodes_result_open(const cm_benchmark *benchmark, int32_t seed);
/* The answers of all ranks. */
typedef struct {
    double wrong_bytes, triad_error, gemm_error; /* the last is NaN without a BLAS */
    cm_disturbed disturbed;                      /* samples of the computing checks were */
} nodes_checked;
/* Writes rows, findings and metrics. Returns the exit status. */
int nodes_result_close(cm_result *result, const nodes_options *options, const nodes_place *place,
                       const nodes_figures *figures, const nodes_checked *checked);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* together.h: the hosts and pairs of cm-nodes, judged by all launches together. A single launch
   names only hosts that are far below the others in it. All launches together also name a host that
   is slightly below in every launch, and do not name one that was far below in only one. */
#ifndef SUITE_TOGETHER_H
#define SUITE_TOGETHER_H

#include "common/index.h"
#include "launches.h"
#include "together_loss.h"

#define SUITE_TOGETHER_LOSS "sent_again" /* what a host that loses is named for */

enum { SUITE_TOGETHER_KINDS = 6 }; /* a host's rates: triad, gemm, ..., receive */

/* The hosts' rates in the launches. Numbers are natural logarithms of ratios to the other hosts;
   below 0 is slow, also in latency. */
typedef struct suite_together {
    size_t launches, hosts;
    double false_alarms;
    suite_index name;                    /* of the hosts */
    double *value[SUITE_TOGETHER_KINDS]; /* [launch * hosts + host]; NaN: none */
    double *ranks;                       /* [host]; NaN: they are not known */
    bool *low;                           /* [kind * hosts + host] */
    bool *slower;                        /* likewise: of the slower of two groups */
    double *middle;                      /* likewise: median over the launches */
    double bound[SUITE_TOGETHER_KINDS];  /* a host below it in all launches would be low */
    double apart[SUITE_TOGETHER_KINDS];  /* of the groups; NaN: there is one */
    suite_losses losses;
} suite_together;

/* Returns false, with nothing to free, if the launches cannot be judged together: the records are
   not from cm-nodes, there are fewer than three, their hosts differ, or there are too few hosts. */
bool suite_together_judge(const suite_launches *launches, suite_together *together);
void suite_together_free(suite_together *together);

/* The kind of a host's rate ("send"), or SUITE_TOGETHER_KINDS: it is none. */
size_t suite_together_kind(const char *quantity);
bool suite_together_is_of_rates(const cm_record_finding *finding);
/* Returns true if the median of the launches is nearer to the ratio at which one launch named the
   host than to the others'. */
bool suite_together_agrees(const suite_together *together, size_t kind, const char *who,
                           double ratio);
/* Returns the host's ratios in the launches as text, such as "0.35, 0.99, 1.01"; the caller frees
   it. */
char *suite_together_ratios(const suite_together *together, size_t kind, const char *who);

/* together_tell.c: adds the findings of low hosts. If it is known below which rates a host would
   have been named, adds these bounds and returns true. */
void suite_together_tell(const suite_together *together, cm_record *combined);
bool suite_together_bounds(const suite_together *together, cm_record *combined);

/* together_records.c. The names of a record's hosts in the order of its rows. */
suite_index suite_together_names(const cm_record *record);
/* The cell's number. Returns false if there is no such column, or none in it. */
bool suite_together_number(const cm_record *record, size_t row, const char *column, double *number);
/* "0.35, 0.99, 1.01"; the caller frees. */
char *suite_together_list(size_t n, const double *value, int digits);
/* Adds a copy of the finding and returns it; it moves when another one is added. */
cm_record_finding *suite_together_add(cm_record *combined, const cm_record_finding *finding);
/* "n3-n5": sets the numbers of n3 and n5; names may have hyphens. Returns false if they are not
   hosts. */
bool suite_together_ends(const suite_together *together, const char *who, size_t *from, size_t *to);

/* together_pairs.c: adds the pairs that looked slow in all launches, unless chance explains it or a
   finding of `combined` names one of the pair's hosts. */
void suite_together_pairs(const suite_launches *launches, const suite_together *together,
                          cm_record *combined);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* together_loss.h: the hosts and pairs of cm-nodes whose packets get lost. Over short links TCP
   makes losses good before a rate falls, so what it sends again shows them. Each pair is measured
   alone at its two hosts, so the hosts' counters are the pair's. */
#ifndef SUITE_TOGETHER_LOSS_H
#define SUITE_TOGETHER_LOSS_H

#include <stdbool.h>
#include "launches.h"

struct suite_together;

/* A share is that of TCP segments which were sent again, of those that both ends sent. */
typedef struct {
    size_t from, to; /* hosts, from before to; a host alone has itself twice */
    double *share;   /* [launch]; NaN: nothing was sent again, or it is not readable */
    double all;      /* of all launches */
    double others;   /* the largest one of another host, without this one */
} suite_loser;
typedef struct {
    bool *host; /* [host]: it loses */
    suite_loser *loser;
    size_t n;
} suite_losses;

/* Names at most half of the hosts, and pairs that none of them explains. Who is named has 20
   segments sent again and a share of 0.002 at least, half of that in three quarters of the launches
   at least, and four times the share of the others (a Poisson variable of mean 5 reaches 20 once in
   3 million times). A host is named if its share without its worst pair is large, too. */
void suite_losses_judge(const suite_launches *launches, const struct suite_together *together,
                        suite_losses *losses);
void suite_losses_free(suite_losses *losses);

/* Adds them to the words of the finding that names them for a rate of their links, or as findings
   of their own. */
void suite_losses_tell(const struct suite_together *together, cm_record *combined);

#endif

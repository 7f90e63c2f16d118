/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_links.h: links of one kind of check; for the analysis. */
#ifndef NODES_LINKS_H
#define NODES_LINKS_H

#include "nodes.h"

/* The link from one host to another: the median of what host and round do not explain. */
typedef struct {
    int from, to;
    size_t visits;
    double left, z;
    double chance; /* of the noise alone, where it was measured again */
} nodes_link;

/* A pair whose z is not below this does not look slow. */
static const double nodes_cut = -3;

typedef struct {
    nodes_check_kind kind; /* NODES_LATENCY; NODES_SEND: both directions of the bandwidth */
    nodes_sample *sample;
    size_t n;
    nodes_fit fit;
    nodes_noise noise;
    nodes_link *link; /* sorted by from and to */
    size_t n_links;
    double spread; /* standard deviation of the links themselves */
} nodes_links;

/* Fits the pairs that were drawn. Returns false if memory is short, as the others do; close it in
   any case. */
bool nodes_links_open(const nodes_figures *figures, nodes_check_kind kind, nodes_links *links);
void nodes_links_close(nodes_links *links);
/* Sets link, of those samples that are from the first `rounds` rounds. */
bool nodes_links_find(nodes_links *links, int rounds);
/* Returns the standard deviation of a link's term after this number of visits. */
double nodes_links_deviation(const nodes_links *links, size_t visits);
/* NULL: it was not drawn. */
const nodes_link *nodes_links_of(const nodes_links *links, int from, int to);
/* Sets the result of a candidate's pair that was measured again, in the direction from its first
   host to its second, or back. */
bool nodes_links_again(const nodes_links *links, const nodes_figures *figures, int candidate,
                       bool back, nodes_link *again);

#endif

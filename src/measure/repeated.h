/* SPDX-License-Identifier: BSD-3-Clause */
/* repeated.h: who is low in several launches. A launch alone names only who is so far below the
   others that chance explains it at a level of, say, 1 in 10,000: among 8 values 14 deviations. Who
   is low by 3 deviations in each of three launches is named as surely, because chance picks another
   one in each launch. */
#ifndef CM_REPEATED_H
#define CM_REPEATED_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What n values of each of some launches are judged by. */
typedef struct {
    size_t n, launches;
    double alpha;
    size_t most;          /* launches: all but a quarter */
    double limit_most;    /* scaled deviations; low by more in `most` launches is low */
    double limit_all;     /* the same in all launches; not above limit_most */
    double limit_lasting; /* the medians over the launches must be beyond it, too */
} cm_repeated;

/* Of fewer launches one that was disturbed says too much. */
enum { CM_REPEATED_FEWEST = 3 };

/* Values are logarithms of ratios to the others; who is above this, 0.95, is not called low. */
#define CM_REPEATED_MARGIN 0.05129

/* Sets the limits such that launches with n values that are alike, that is from one normal
   distribution in each launch, call one low with probability alpha at most. Half of alpha is for
   values that are far below in three quarters of the launches, half for those that are below in all
   launches. Below CM_REPEATED_FEWEST launches or CM_OUTLIERS_FEWEST values none is ever low.

   Values that always differ a little are not alike, and the lowest of them is so in all launches.
   So the median over the launches must also stand out from the others' medians, at the level
   CM_REPEATED_LASTING, which the kinds of values share. Returns false if memory is short. */
#define CM_REPEATED_LASTING 0.05
bool cm_repeated_open(size_t n, size_t launches, size_t kinds, double alpha, cm_repeated *repeated);

/* Judges some kinds of values of the same n hosts: value[kind] has launches * n values, launch by
   launch; NaN: none, which is not low in that launch. The noise of all kinds, that is how the
   launches of each host differ from its median launch in scaled deviations, must not explain a low
   value either, however long its tails are; the host's own is not counted. Sets low[kind * n + k],
   and middle[kind * n + k] to the median over the launches that have k (NaN: none has). bound[kind]
   becomes the value below which one that is so in all launches is called low; -INFINITY: there is
   none. Returns false if memory is short. */
bool cm_repeated_low(const cm_repeated *repeated, size_t kinds, const double *const *value,
                     bool *low, double *middle, double *bound);

/* Returns the probability that launches of noise alone are as improbable as these, of which n had
   the probabilities p[k] (sorted by the call), and the others 1: the least of the probabilities of
   three quarters of them, and of all, twice. */
double cm_repeated_chance(size_t n, double *p, size_t launches);

/* Two groups: if half of the values are low, none is far from the median. Sets slower[k] for the
   group that is below all others in every launch, by the ratio 0.9 in the medians over the launches
   at least. Chance gives all launches the same groups with probability
   C(n, size)^(1 - launches); those of all sizes that are as likely or less are added up. They are
   two values each at least. Values that always differ a little have a widest gap, too: that between
   the groups must be CM_REPEATED_GAP times the larger of the scaled median absolute deviations
   within them. *apart becomes the difference of the groups' medians, below 0; NaN:
   there is one group. Returns false if memory is short. */
#define CM_REPEATED_APART 0.10536
#define CM_REPEATED_GAP 5
bool cm_repeated_groups(size_t n, size_t launches, const double *value, double alpha, bool *slower,
                        double *apart);

#ifdef __cplusplus
}
#endif
#endif

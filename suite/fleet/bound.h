/* SPDX-License-Identifier: BSD-3-Clause */
/* bound.h: below which value a new result is worse than a history of results. Values are natural
   logarithms, of what is better low with the sign turned: less is worse. The unit is the kept
   result, not what is within one: runs differ more than the samples of a run do. */
#ifndef SUITE_BOUND_H
#define SUITE_BOUND_H

#include <stddef.h>

enum {
    FLEET_FEWEST = 6, /* kept results without which nobody is judged */
    FLEET_MOST = 200  /* the latest count; a cluster of long ago says little */
};
/* A fall below this is never told, however quiet the history is: 5 %. */
#define FLEET_MARGIN 0.05129

/* The results of one host and quantity. */
typedef struct {
    double *y;
    size_t n, zeros; /* zeros: values that have no logarithm and are not among y */
} fleet_past;

typedef struct {
    double middle; /* the median; NaN: there is no value */
    double fall;   /* who is further below the middle is worse; INFINITY: fewer than FLEET_FEWEST */
    size_t needed; /* if the fall is greater than the loss: how many results of this spread would
                      show it; 0: not even FLEET_MOST */
} fleet_bound;

/* Where a further value of past is worse: the prediction interval of one further value, t s
   sqrt(1 + 1 / n) with Student's t of n - 1 degrees of freedom at the one-sided level alpha and the
   deviation s of the n values (Hahn and Meeker, Statistical Intervals, 1991, section 4.7), and
   FLEET_MARGIN at least. With alpha a rate of false alarms over the number of what is judged at
   once this is the first step of Holm's procedure. Where tails are longer than a normal
   distribution's a value alone is below too often; so who is below is measured again, and is worse
   if it is below again (tests/unit/bound.c). loss: a fall that must be seen. */
fleet_bound fleet_bound_of(const fleet_past *past, double alpha, double loss);

/* The t with P(T > t) = alpha of Student's distribution. */
double fleet_student(double alpha, size_t freedom);

#endif

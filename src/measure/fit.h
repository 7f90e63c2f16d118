/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.h: models of communication and speed-up, fitted by least squares, each parameter with its
   standard error. All functions return false when the data do not determine the parameters (too
   few points, a singular system, values that are not finite) and then leave the result as it
   was. */
#ifndef CM_FIT_H
#define CM_FIT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double value, error;
} cm_estimate; /* error: standard error */

/* How residuals are weighted: alike, or relative to y (what spans decades wants this), with
   weights 1/y^2. residual_deviation, sqrt(sum of squares / degrees of freedom), then is
   relative to y as well; no y may be 0. The weights contain the noise of y, which pulls
   relative fits down by about its square. */
typedef enum { CM_FIT_ABSOLUTE, CM_FIT_RELATIVE } cm_fit_weight;

/* y = intercept + slope x, n >= 3 points. r_squared: 0 when y does not vary. */
typedef struct {
    cm_estimate intercept, slope;
    double residual_deviation, r_squared;
} cm_line;
bool cm_fit_line(size_t n, const double *x, const double *y, cm_fit_weight weight, cm_line *line);

/* t = latency + bytes / bandwidth (Hockney). False also when the time does not grow with the
   size. */
typedef struct {
    cm_estimate latency_s, bandwidth_B_per_s;
    double residual_deviation;
} cm_latency_bandwidth;
bool cm_fit_latency_bandwidth(size_t n, const double *bytes, const double *time_s,
                              cm_fit_weight weight, cm_latency_bandwidth *fit);

/* Two protocols, each a line, with the change between sizes[split-1] and sizes[split] where the
   sum of squares is least; at least 3 points and a growing time on either side, all points of
   one size on the same side. crossover_bytes: where the two lines meet (innocente-1999, section
   5.2.1), NaN when they are parallel. bytes ascending. The errors are those for a known split. */
typedef struct {
    cm_latency_bandwidth eager, rendezvous;
    size_t split;
    cm_estimate crossover_bytes;
} cm_two_protocols;
bool cm_fit_two_protocols(size_t n, const double *bytes, const double *time_s, cm_fit_weight weight,
                          cm_two_protocols *fit);

/* LogGP (Alexandrov et al. 1995) from trains of messages (Hoefler et al. 2007); fit_loggp.c has
   the equations. At bytes[k] >= 1: overhead_s[k], the processor's time for one message;
   train_gap_s[k], the time from message to message in a train without pauses; round_trip_s[k],
   one message there and one of the same size back. All times above 0; n >= 3. The overhead of s
   bytes is o_s + (s - 1) o_per_byte_s. */
typedef struct {
    cm_estimate L_s, o_s, o_per_byte_s, g_s, G_s_per_byte;
} cm_loggp;
bool cm_fit_loggp(size_t n, const double *bytes, const double *overhead_s,
                  const double *train_gap_s, const double *round_trip_s, cm_loggp *fit);

/* BSP: superstep time t = l + g h over h-relations of h words (Valiant 1990). */
typedef struct {
    cm_estimate g_s_per_word, l_s;
    double residual_deviation;
} cm_bsp_parameters;
bool cm_fit_bsp(size_t n, const double *h_words, const double *time_s, cm_fit_weight weight,
                cm_bsp_parameters *fit);

/* Speed-ups over p >= 1 processors; residuals are those of S, unweighted. Parameters are not
   confined to [0, 1]: one below 0 by more than its error says super-linear.

   Amdahl: S(p) = 1 / (f + (1 - f) / p), f the serial fraction. n >= 2, some p above 1. */
typedef struct {
    cm_estimate serial_fraction;
    double residual_deviation;
} cm_amdahl;
bool cm_fit_amdahl(size_t n, const double *p, const double *speed_up, cm_amdahl *fit);

/* Universal scalability law (Gunther): S(p) = p / (1 + sigma (p - 1) + kappa p (p - 1)); sigma
   contention, kappa coherence. n >= 3, two different p above 1. */
typedef struct {
    cm_estimate sigma, kappa;
    double residual_deviation;
} cm_usl;
bool cm_fit_usl(size_t n, const double *p, const double *speed_up, cm_usl *fit);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.h: models of communication and speed-up, fitted by least squares, each parameter with its standard
   error. All functions return false when the data do not determine the parameters (too few points, a
   singular system, values that are not finite) and then leave the result as it was. */
#ifndef CM_FIT_H
#define CM_FIT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct { double value, error; } cm_estimate;   /* error: standard error                     */

/* How residuals are weighted: alike, or relative to y (what spans decades wants this). */
typedef enum { CM_FIT_ABSOLUTE, CM_FIT_RELATIVE } cm_fit_weight;

/* y = intercept + slope x, n >= 3 points. */
typedef struct { cm_estimate intercept, slope; double residual_deviation, r_squared; } cm_line;
bool cm_fit_line(size_t n, const double *x, const double *y, cm_fit_weight weight, cm_line *line);

/* t = latency + bytes / bandwidth (Hockney). */
typedef struct { cm_estimate latency_s, bandwidth_B_per_s; double residual_deviation; } cm_latency_bandwidth;
bool cm_fit_latency_bandwidth(size_t n, const double *bytes, const double *time_s,
                              cm_fit_weight weight, cm_latency_bandwidth *fit);

/* Two protocols, each a line, with the change between sizes[split-1] and sizes[split] where the sum of
   squares is least; at least 3 points a side. crossover_bytes: where the two lines meet (innocente-1999,
   section 5.2.1), NaN when they are parallel. bytes ascending. */
typedef struct {
    cm_latency_bandwidth eager, rendezvous;
    size_t split;
    cm_estimate crossover_bytes;
} cm_two_protocols;
bool cm_fit_two_protocols(size_t n, const double *bytes, const double *time_s, cm_fit_weight weight,
                          cm_two_protocols *fit);

/* LogGP (Alexandrov et al. 1995) from one size's parametrised round-trip trains (Hoefler et al. 2007):
   PRTT(n, d, s) = 2 (L + 2 o + (s-1) G) + (n-1) max(o, d) ... ; see fit_loggp.c for the equations.
   o_s[k], rtt_s[k], gap_s[k] at bytes[k]. */
typedef struct { cm_estimate L_s, o_s, o_per_byte_s, g_s, G_s_per_byte; } cm_loggp;
bool cm_fit_loggp(size_t n, const double *bytes, const double *overhead_s, const double *train_gap_s,
                  const double *round_trip_s, cm_loggp *fit);

/* BSP: superstep time t = l + g h over h-relations of h words (Valiant 1990). */
typedef struct { cm_estimate g_s_per_word, l_s; double residual_deviation; } cm_bsp_parameters;
bool cm_fit_bsp(size_t n, const double *h_words, const double *time_s, cm_fit_weight weight,
                cm_bsp_parameters *fit);

/* Amdahl: speed-up S(p) = 1 / (f + (1 - f) / p); f the serial fraction. */
typedef struct { cm_estimate serial_fraction; double residual_deviation; } cm_amdahl;
bool cm_fit_amdahl(size_t n, const double *p, const double *speed_up, cm_amdahl *fit);

/* Universal scalability law (Gunther): S(p) = p / (1 + sigma (p - 1) + kappa p (p - 1)). */
typedef struct { cm_estimate sigma, kappa; double residual_deviation; } cm_usl;
bool cm_fit_usl(size_t n, const double *p, const double *speed_up, cm_usl *fit);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.h: fits models of communication and of speed-up by least squares. Each parameter has a
   standard error. All functions return true on success. They return false, and leave the result
   unchanged, if the data do not determine the parameters: too few points, a singular system, or
   values that are not finite. Arrays have n elements, one for each point. */
#ifndef CM_FIT_H
#define CM_FIT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    double value, error;
} cm_estimate; /* error is the standard error */

/* Returns the half-width of the 95 % confidence interval of a parameter in standard errors:
   Student's t for the given degrees of freedom (the number of values less the number of
   parameters). NaN for 0. */
double cm_student_95(size_t freedom);

/* How residuals are weighted. CM_FIT_ABSOLUTE gives all residuals the same weight. CM_FIT_RELATIVE
   divides them by y, so that their weights are 1/y^2, which suits data that span decades.
   residual_deviation, which is sqrt(sum of squares / degrees of freedom), is then also relative to
   y, and no y may be 0. Because the weights contain the noise of y, relative fits are too low by
   about the square of that noise. */
typedef enum { CM_FIT_ABSOLUTE, CM_FIT_RELATIVE } cm_fit_weight;

/* Fits the line y = intercept + slope x to n >= 3 points. r_squared is 0 if y does not vary. */
typedef struct {
    cm_estimate intercept, slope;
    double residual_deviation, r_squared;
} cm_line;
bool cm_fit_line(size_t n, const double *x, const double *y, cm_fit_weight weight, cm_line *line);

/* Fits t = latency + bytes / bandwidth (Hockney). Also returns false if the time does not grow with
   the size. */
typedef struct {
    cm_estimate latency_s, bandwidth_B_per_s;
    double residual_deviation;
} cm_latency_bandwidth;
bool cm_fit_latency_bandwidth(size_t n, const double *bytes, const double *time_s,
                              cm_fit_weight weight, cm_latency_bandwidth *fit);

/* A measured row for cm_fit_protocols: the median time of a message and its precision, which is the
   95 % interval of at least 6 samples, or the range of fewer samples. If the precision is unknown,
   low_s and high_s are NaN or n is 0. The fit sets use. */
typedef enum {
    CM_ROW_USED,
    CM_ROW_NO_TIME, /* the time is not above 0, or not finite */
    CM_ROW_OUTLIER  /* no line comes near this row, but all other rows fit without it */
} cm_row_use;
typedef struct {
    double bytes, time_s, low_s, high_s;
    size_t n; /* number of samples */
    cm_row_use use;
} cm_protocol_row;

/* A parameter with its standard error and its 95 % confidence interval. */
typedef struct {
    double value, error, low, high;
} cm_bounded;

/* The line of a protocol, t = latency + bytes / bandwidth (Hockney), fitted to `rows` rows. The
   bandwidth's high is infinite if the interval includes a time that does not grow with the size. */
typedef struct {
    cm_bounded latency_s, bandwidth_B_per_s;
    double first_bytes, last_bytes;
    size_t rows;
} cm_protocol;

/* Fits one line, or two lines if the rows show that the protocol changes. Each row is weighted by
   its noise, which is estimated from its interval and from its scatter about its neighbours. A row
   without an interval takes its noise from its neighbours. A row that is far from every line is
   left out. The change lies between two sizes; each side must have at least 3 rows and a time that
   grows. The change counts if less than 1 % of all measurements of a single protocol would show as
   good a change, at any size and also without any single row (broken_line.c). A row that might
   belong to either line is used for neither. crossover_bytes is the size at which the lines meet
   (innocente-1999, section 5.2.1). It is NaN if its interval is not within the sizes. rows must be
   ascending in bytes. Also returns false if the time does not grow with the size, or if memory is
   short.

   cm_fit_protocol always fits one line. */
typedef struct {
    cm_protocol one;               /* over all sizes */
    bool change;                   /* the members below are set */
    double split_bytes;            /* the first size above the change */
    cm_protocol eager, rendezvous; /* below the change, and from the change on */
    cm_bounded crossover_bytes;
    double chance; /* the probability that a single protocol shows as good a change; at most 1 */
} cm_protocols;
bool cm_fit_protocols(size_t n, cm_protocol_row *rows, cm_protocols *fit);
bool cm_fit_protocol(size_t n, cm_protocol_row *rows, cm_protocol *fit);

/* Returns the line that applies to the longest messages. */
static inline const cm_protocol *cm_protocols_last(const cm_protocols *fit)
{
    return fit->change ? &fit->rendezvous : &fit->one;
}

/* Fits LogGP (Alexandrov et al. 1995) to trains of messages and to round trips (Hoefler et al.
   2007). fit_loggp.c has the equations. There are n >= 3 sizes with bytes[k] >= 1. For each size,
   send_s[k] and receive_s[k] are the processors' overheads of one message, gap_s[k] is the time
   between messages in a train without pauses, and round_trip_s[k] is the time of a message and an
   answer of the same size. All times must be above 0.

   Parameters are not constrained to be positive. L is negative if the overheads overlap the flight.
   */
typedef struct {
    cm_estimate L_s, g_s, G_s_per_byte;
    size_t network; /* number of sizes whose train is limited by the network. 0: processors limit
                       all trains, and g_s is NaN */
} cm_loggp;
bool cm_fit_loggp(size_t n, const double *bytes, const double *send_s, const double *receive_s,
                  const double *gap_s, const double *round_trip_s, cm_loggp *fit);

/* Predict times for a message of this size and these overheads. cm_loggp_gap_s returns the seconds
   between messages of a train, cm_loggp_half_trip_s the seconds of half a round trip. */
double cm_loggp_gap_s(const cm_loggp *fit, double bytes, double send_s, double receive_s);
double cm_loggp_half_trip_s(const cm_loggp *fit, double bytes, double send_s, double receive_s);

/* Returns the number of sizes below a change of protocol. Each side of the change must have at
   least 5 sizes. Returns n if the round trips, less their overheads, show no change by the criteria
   of cm_fit_protocols. The arguments are those of cm_fit_loggp; bytes must be ascending. */
size_t cm_loggp_split(size_t n, const double *bytes, const double *send_s, const double *receive_s,
                      const double *gap_s, const double *round_trip_s);

/* Fits BSP's time of a superstep, t = l + g h, to h-relations of h words (Valiant 1990). */
typedef struct {
    cm_estimate g_s_per_word, l_s;
    double residual_deviation;
} cm_bsp_parameters;
bool cm_fit_bsp(size_t n, const double *h_words, const double *time_s, cm_fit_weight weight,
                cm_bsp_parameters *fit);

/* Two models of speed-up on p >= 1 processors. Both fits minimise the unweighted residuals of S.
   Parameters are not limited to [0, 1]. A parameter that is below 0 by more than its error means a
   super-linear speed-up.

   Amdahl's law: S(p) = 1 / (f + (1 - f) / p), where f is the serial fraction. Needs n >= 2 and at
   least one p above 1. */
typedef struct {
    cm_estimate serial_fraction;
    double residual_deviation;
} cm_amdahl;
bool cm_fit_amdahl(size_t n, const double *p, const double *speed_up, cm_amdahl *fit);

/* Universal scalability law (Gunther): S(p) = p / (1 + sigma (p - 1) + kappa p (p - 1)), where
   sigma is the contention and kappa the coherence. Needs n >= 3 and two different p above 1. */
typedef struct {
    cm_estimate sigma, kappa;
    double residual_deviation;
} cm_usl;
bool cm_fit_usl(size_t n, const double *p, const double *speed_up, cm_usl *fit);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_loggp.c: L, g and G of LogGP from trains of messages and round trips. */
#include "config.h"
#include "measure/protocols.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* LogP (Culler et al., PPoPP 1993) has a latency L, a processor's overhead o for each message at
   either end, and a gap g between messages. LogGP (Alexandrov, Ionescu, Schauser, Scheiman, SPAA
   1995) adds the gap G between the bytes of a message of s bytes:

       half a round trip                            L + o_send + (s - 1) G + o_receive
       time from message to message of a train      max(o_send, o_receive, g + (s - 1) G)

   Both overheads are measured at each size, so they need no model. Hoefler, Lichei and Rehm
   (Low-Overhead LogGP Parameter Assessment for Modern Interconnection Networks, IPDPS 2007) say how
   to measure all of it; PRTT(n, 0, s) is the time from the start of n messages to the end of one
   answer:

       round trip = PRTT(1, 0, s)
       gap        = (PRTT(n, 0, s) - PRTT(1, 0, s)) / (n - 1)

   Two lines in s - 1 have the slope G in common:

       round trip / 2 - o_send - o_receive = L + (s - 1) G     at all sizes
       gap                                 = g + (s - 1) G     where the network limits the train

   The trains that a processor limits say only that the network is not slower. The overheads and
   g + (s - 1) G grow with the size, each by its own rate, so these are the trains of the shortest
   or of the longest messages. Each choice gives a straight-line problem; the best one has the
   smallest sum of squared residuals of the model with the maximum, relative to what was measured
   because sizes span decades.

   Nothing keeps L, g and G above 0. Where the processors carry the message while it is under way,
   half a round trip is shorter than both overheads, and L is negative: no latency, but what the
   prediction needs. */

enum { LEAST = 3 }; /* sizes, for a line with an error */

typedef struct {
    size_t n;
    const double *bytes, *send_s, *receive_s, *gap_s;
    double *following, *half_s, *flight_s; /* [n] */
} data;

static double processor_s(const data *d, size_t k) { return fmax(d->send_s[k], d->receive_s[k]); }

double cm_loggp_gap_s(const cm_loggp *fit, double bytes, double send_s, double receive_s)
{
    double processor = fmax(send_s, receive_s);
    if (fit->network == 0) return processor;
    return fmax(processor, fit->g_s.value + (bytes - 1) * fit->G_s_per_byte.value);
}

double cm_loggp_half_trip_s(const cm_loggp *fit, double bytes, double send_s, double receive_s)
{
    return fit->L_s.value + send_s + receive_s + (bytes - 1) * fit->G_s_per_byte.value;
}

/* Sum of the squared relative residuals of gaps and half round trips. */
static double squares(const data *d, const cm_loggp *fit)
{
    double sum = 0;
    for (size_t k = 0; k < d->n; k++) {
        double b = d->bytes[k], o = d->send_s[k], r = d->receive_s[k];
        double gap = 1 - cm_loggp_gap_s(fit, b, o, r) / d->gap_s[k];
        double half = 1 - cm_loggp_half_trip_s(fit, b, o, r) / d->half_s[k];
        sum += gap * gap + half * half;
    }
    return sum;
}

/* ---- Two lines of one slope ----------------------------------------------------------------- */

static cm_estimate intercept_of(const cm_line_solution *s, double slope, double sxx,
                                double variance)
{
    double y_mean = s->intercept + s->slope * s->x_mean;
    return (cm_estimate){y_mean - slope * s->x_mean,
                         sqrt(variance * (1 / s->weight + s->x_mean * s->x_mean / sxx))};
}

/* Draper and Smith, Applied Regression Analysis, 3rd ed. 1998, chapter 14: lines of one slope. The
   network limits the trains first .. last - 1; of no train if first == last. */
static bool fit_range(const data *d, size_t first, size_t last, cm_loggp *fit)
{
    cm_line_solution flight, gap = {0};
    size_t trains = last - first;
    const double *gap_s = d->gap_s + first;
    if (!cm_least_squares_line(d->n, d->following, d->flight_s, d->half_s, 1, &flight)
        || (trains > 0
            && !cm_least_squares_line(trains, d->following + first, gap_s, gap_s, 1, &gap)))
        return false;
    double sxx = flight.sxx + gap.sxx;
    double slope = (flight.slope * flight.sxx + gap.slope * gap.sxx) / sxx;
    double flights = slope - flight.slope, gaps = slope - gap.slope;
    double sum = flight.sse + flights * flights * flight.sxx + gap.sse + gaps * gaps * gap.sxx;
    double variance = sum / (double)(d->n + trains - (trains > 0 ? 3 : 2));
    *fit = (cm_loggp){.L_s = intercept_of(&flight, slope, sxx, variance),
                      .g_s = {NAN, NAN},
                      .G_s_per_byte = {slope, sqrt(variance / sxx)},
                      .network = trains};
    if (trains > 0) fit->g_s = intercept_of(&gap, slope, sxx, variance);
    return true;
}

/* ---- Which trains the network limits -------------------------------------------------------- */

/* Schwarz's criterion of a fit with this number of parameters, up to a constant. A lower value
   means a better description of the data. Residuals below a millionth count as rounding. */
static double criterion(double sum, size_t values, int parameters)
{
    double n = (double)values, rounding = 1e-12 * n;
    return n * log(fmax(sum, rounding) / n) + parameters * log(n);
}

/* Without g there is one parameter less. */
static void keep_better(const data *d, size_t first, size_t last, double *least, cm_loggp *best)
{
    cm_loggp fit;
    if (!fit_range(d, first, last, &fit)) return;
    double now = criterion(squares(d, &fit), 2 * d->n, last > first ? 3 : 2);
    if (!(now < *least)) return;
    *least = now;
    *best = fit;
}

static bool prepare(data *d, const double *round_trip_s)
{
    if (d->n < LEAST || d->n > SIZE_MAX / (3 * sizeof *d->following)) return false;
    for (size_t k = 0; k < d->n; k++)
        if (!(d->bytes[k] >= 1 && d->send_s[k] > 0 && d->receive_s[k] > 0 && d->gap_s[k] > 0
              && round_trip_s[k] > 0 && isfinite(processor_s(d, k))))
            return false;
    d->following = malloc(3 * d->n * sizeof *d->following);
    if (!d->following) return false;
    d->half_s = d->following + d->n;
    d->flight_s = d->half_s + d->n;
    for (size_t k = 0; k < d->n; k++) {
        d->following[k] = d->bytes[k] - 1;
        d->half_s[k] = round_trip_s[k] / 2;
        d->flight_s[k] = d->half_s[k] - d->send_s[k] - d->receive_s[k];
    }
    return true;
}

bool cm_fit_loggp(size_t n, const double *bytes, const double *send_s, const double *receive_s,
                  const double *gap_s, const double *round_trip_s, cm_loggp *fit)
{
    data d = {.n = n, .bytes = bytes, .send_s = send_s, .receive_s = receive_s, .gap_s = gap_s};
    double least = INFINITY;
    if (!prepare(&d, round_trip_s)) return false;
    keep_better(&d, 0, 0, &least, fit);
    /* Among equally good choices, the one with the most trains comes first and is kept. */
    for (size_t k = 0; k + LEAST <= n; k++) keep_better(&d, k, n, &least, fit);
    for (size_t k = n - 1; k >= LEAST; k--) keep_better(&d, 0, k, &least, fit);
    free(d.following);
    return isfinite(least);
}

/* ---- Where the protocol changes ------------------------------------------------------------- */

/* Sets scale to the noise of half the round trips, which have no intervals here. */
static bool times_of(const data *d, double *scale, double *rounding, double *room)
{
    cm_protocol_row *row = calloc(d->n, sizeof *row);
    const cm_protocol_row **rows = calloc(d->n, sizeof *rows);
    const bool enough = row && rows;
    for (size_t k = 0; enough && k < d->n; k++) {
        row[k] = (cm_protocol_row){.bytes = d->bytes[k], .time_s = d->half_s[k]};
        rows[k] = &row[k];
    }
    if (enough) cm_row_noise(d->n, rows, room, scale);
    for (size_t k = 0; enough && k < d->n; k++) {
        scale[k] *= d->half_s[k];
        rounding[k] = CM_ROW_ROUNDING * d->half_s[k];
    }
    free(rows);
    free(row);
    return enough;
}

size_t cm_loggp_split(size_t n, const double *bytes, const double *send_s, const double *receive_s,
                      const double *gap_s, const double *round_trip_s)
{
    enum { FEWEST = 5, ARRAYS = 6 };
    data d = {.n = n, .bytes = bytes, .send_s = send_s, .receive_s = receive_s, .gap_s = gap_s};
    cm_broken_line found;
    size_t split = n;
    if (!prepare(&d, round_trip_s)) return n;
    double *scale = malloc(ARRAYS * n * sizeof *scale), *rounding = scale + n, *room = rounding + n;
    if (scale && times_of(&d, scale, rounding, room)) {
        const cm_points points = {.n = n,
                                  .fewest = FEWEST,
                                  .x = d.following,
                                  .y = d.flight_s,
                                  .scale = scale,
                                  .rounding = rounding};
        if (cm_broken_line_search(&points, room, &found) && found.chance < CM_BREAK_LEVEL)
            split = found.split;
    }
    free(scale);
    free(d.following);
    return split;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_loggp.c: L, o, g, G from trains of messages. */
#include "config.h"
#include "measure/least_squares.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* LogGP (Alexandrov, Ionescu, Schauser, Scheiman, SPAA 1995): a message of s bytes keeps the
   processor busy for o at either end, travels L, its bytes follow each other G apart, and
   messages follow each other no closer than g + (s - 1) G. Measured as Hoefler, Lichei and Rehm
   do (Low-Overhead LogGP Parameter Assessment for Modern Interconnection Networks, IPDPS 2007):
   PRTT(n, d, s) is the time from the start of sending n messages of s bytes, d apart, to the
   end of receiving one answer of s bytes:

       PRTT(1, 0, s) = 2 (L + 2 o(s) + (s - 1) G)
       PRTT(n, d, s) = PRTT(1, 0, s) + (n - 1) max(o(s) + d, g + (s - 1) G)

   The caller measures at each size, with d above PRTT(1, 0, s) where it says d, and passes

       overhead_s   = (PRTT(n, d, s) - PRTT(1, 0, s)) / (n - 1) - d   = o(s)
       train_gap_s  = (PRTT(n, 0, s) - PRTT(1, 0, s)) / (n - 1)       = g + (s - 1) G
       round_trip_s =  PRTT(1, 0, s)

   Three lines in s - 1, all with residuals relative to what was measured, since sizes span
   decades:

       train_gap             = g + (s - 1) G             gives g and G
       overhead              = o + (s - 1) o_per_byte    grows with s where the processor copies
       round_trip/2 - 2 o(s) = L + (s - 1) G'            gives L

   G' is not forced to be the train's G: a library that pipelines a train does not pipeline one
   round trip, and the difference must not end up in L. Where sending overlaps the flight, L
   comes out small or below 0 (Hoefler et al. then report round_trip/2, which is L + 2 o here). */
bool cm_fit_loggp(size_t n, const double *bytes, const double *overhead_s,
                  const double *train_gap_s, const double *round_trip_s, cm_loggp *fit)
{
    if (n < 3 || n > SIZE_MAX / (3 * sizeof(double))) return false;
    double *following = malloc(3 * n * sizeof *following);
    if (!following) return false;
    double *flight_s = following + n, *half_trip_s = flight_s + n;
    bool good = true;
    for (size_t k = 0; k < n && good; k++) {
        good = bytes[k] >= 1 && overhead_s[k] > 0 && train_gap_s[k] > 0 && round_trip_s[k] > 0;
        following[k] = bytes[k] - 1;
        half_trip_s[k] = round_trip_s[k] / 2;
        flight_s[k] = half_trip_s[k] - 2 * overhead_s[k];
    }
    cm_line gap, overhead;
    cm_line_solution flight;
    const double *scale;
    double unit;
    good = good && cm_fit_line(n, following, train_gap_s, CM_FIT_RELATIVE, &gap)
           && cm_fit_line(n, following, overhead_s, CM_FIT_RELATIVE, &overhead)
           && cm_line_scale(n, half_trip_s, CM_FIT_RELATIVE, &scale, &unit)
           && cm_least_squares_line(n, following, flight_s, scale, unit, &flight);
    if (good)
        *fit = (cm_loggp){.L_s = cm_line_intercept(&flight),
                          .o_s = overhead.intercept,
                          .o_per_byte_s = overhead.slope,
                          .g_s = gap.intercept,
                          .G_s_per_byte = gap.slope};
    free(following);
    return good;
}

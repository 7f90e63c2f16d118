/* SPDX-License-Identifier: BSD-3-Clause */
/* unit.h: units and prefixes as people say them: 47.7 GB/s, 24.2 ns, 146 million keys/s. */
#ifndef SUITE_UNIT_H
#define SUITE_UNIT_H

#include <stddef.h>

enum { SUITE_UNIT = 64, SUITE_NUMBER = 48 };

/* The unit in which numbers about as large as value are easy to read, from 1 to below 1000 where
   there is such a prefix: writes it to words, "" for a plain number, and returns what to divide the
   value by. unit is that of a result ("MB/s", "us", "1/s", "1"). metric names what is counted by a
   unit of 1/s (keys_per_s: "million keys/s"); NULL: not known. A unit that is not known stays as it
   is. */
double suite_unit_easy(double value, const char *unit, const char *metric, char words[SUITE_UNIT]);

/* The unit itself as people write it: "µs" for "us", "" for "1". */
void suite_unit_said(const char *unit, char words[SUITE_UNIT]);

/* A number with three significant digits: "0.974", "1.5e+09"; "-": it is not finite. size must be
   at least SUITE_NUMBER. */
void suite_number(double value, char *text, size_t size);

/* A value and the ends of its interval, with the same decimals: three significant digits of the
   value, up to five, or all before the point, if the interval is so narrow that they mean
   something. An end that is far from the value has three digits of its own. A whole number without
   an interval, or with one of no width, keeps all of its digits. Beyond 1e-3 and 1e6 each number
   has three digits. Ends that are not finite: there is no interval. */
typedef struct {
    char value[SUITE_NUMBER], low[SUITE_NUMBER], high[SUITE_NUMBER];
} suite_digits;
suite_digits suite_digits_of(double value, double low, double high);

/* The same of a value in `unit`, in the unit in which it is easy to read, which is written to words
   (suite_unit_easy). Where an end is a thousand times as large or small, both have their units:
   "481 ns", "10.3 ms". */
suite_digits suite_digits_easy(double value, double low, double high, const char *unit,
                               const char *metric, char words[SUITE_UNIT]);

/* "6 launches", but "1 launch"; many is the word for more than one. The caller frees. */
char *suite_counted(size_t n, const char *many);

/* "45 s", "12 min", "3.5 h"; text has room for SUITE_DURATION bytes. */
enum { SUITE_DURATION = 24 };
const char *suite_duration(double seconds, char text[SUITE_DURATION]);

#endif

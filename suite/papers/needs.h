/* SPDX-License-Identifier: BSD-3-Clause */
/* needs.h: on which place an item of a paper can be answered: conditions on the metadata of the
   results that answer it, separated by blanks, or "-" for none:
       [BENCH:]KEY RELATION VALUE without blanks: hosts>=2 transport=tcp bisection:ranks=8
   The relations are =, >=, <= and ~, which is "contains". A condition with BENCH is on that result
   only (beside/NAME: of the folder of --beside), one without on each that the answer names. Two
   keys are not metadata of that name: Mbit_per_s is the rate of virtual hosts, or the speed that
   all network interfaces have; mtu_bytes is their MTU. */
#ifndef SUITE_NEEDS_H
#define SUITE_NEEDS_H

#include "answer.h"

typedef struct {
    char *bench; /* NULL: every result of the answer */
    char *key, *value;
    char relation[3];
} suite_need;

typedef struct {
    suite_need *need;
    size_t n;
} suite_needs;

/* Returns true, or false with the reason in why. Free with suite_needs_free. */
bool suite_needs_parse(const char *text, suite_needs *needs, char *why, size_t why_size);
void suite_needs_free(suite_needs *needs);

/* Returns the needs that the results do not meet: "hosts >= 2 (here 1), transport = tcp (here
   shm)"; NULL: none. Missing results are not checked. Simulated messages and those of the dummy
   backend meet no need. The caller frees it. */
char *suite_needs_missing(const suite_needs *needs, const suite_answer *answer, const char *owner,
                          const suite_results *results);

/* Returns a result's value for the key of a need; NULL: it has none. The caller frees it. */
char *suite_needs_value(const cm_record *record, const char *key);

/* "hosts >= 2, transport = tcp"; empty for none. The caller frees. */
char *suite_needs_words(const suite_needs *needs);

/* The command whose virtual hosts would meet them: "clustermark run --place virtual:2,100mbit",
   with "(both results)" if one must stand beside another, and behind the variable that sets what
   they need of TCP. NULL: none would, or none are needed. The caller frees. */
char *suite_needs_command(const suite_needs *needs);

#endif

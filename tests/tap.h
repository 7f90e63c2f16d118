/* SPDX-License-Identifier: BSD-3-Clause */
/* tap.h: the Test Anything Protocol for C tests. ok() per assertion, return tap_done() from
   main. */
#ifndef CM_TAP_H
#define CM_TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

/* make bigcheck sets TEST_TIER: what more sizes or numbers of ranks only repeat runs there. */
__attribute__((unused)) static bool tier_is_big(void)
{
    const char *tier = getenv("TEST_TIER");
    return tier && strcmp(tier, "big") == 0;
}

__attribute__((format(printf, 2, 3), unused)) static bool ok(bool passed, const char *name, ...)
{
    va_list list;
    va_start(list, name);
    printf("%s %d - ", passed ? "ok" : "not ok", ++tap_count);
    vprintf(name, list);
    printf("\n");
    va_end(list);
    fflush(stdout);
    tap_failed += !passed;
    return passed;
}

/* |got - want| <= tolerance * |want|; says both on failure. */
__attribute__((unused)) static bool ok_near(double got, double want, double tolerance,
                                            const char *name)
{
    bool passed = ok(fabs(got - want) <= tolerance * fabs(want), "%s", name);
    if (!passed) printf("# got %.17g, want %.17g, tolerance %g\n", got, want, tolerance);
    return passed;
}

__attribute__((unused)) static bool ok_text(const char *got, const char *want, const char *name)
{
    bool passed = ok(got && strcmp(got, want) == 0, "%s", name);
    if (!passed) printf("# got '%s', want '%s'\n", got ? got : "(null)", want);
    return passed;
}

__attribute__((unused)) static void tap_skip(const char *name, const char *why)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_count, name, why);
    fflush(stdout);
}

__attribute__((unused)) static int tap_done(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed ? 1 : 0;
}

#endif

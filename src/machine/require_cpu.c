/* SPDX-License-Identifier: BSD-3-Clause */
/* require_cpu.c: prints one line instead of a SIGILL on a processor that lacks instructions for
   which the library was compiled.
   The compiler flags for those instructions apply to this file, too, and the user's flags come last
   and cannot be overridden. The pragmas below revert them for every function of this file; they
   precede the headers because these contain inline functions. GCC expands -march=native into single
   features, which "arch=x86-64" would not switch off; no-sse3 also switches off everything that is
   built on it, up to AVX-512. Compilers for ARM and POWER do not use such instructions for scalar
   code like this (tests/unit/machine_cpu.sh checks the object file's instructions on x86). */
#if defined(__x86_64__) || defined(__i386__)
#if defined(__clang__)
#pragma clang attribute push(                                                             \
    __attribute__((target("no-sse3,no-bmi,no-bmi2,no-lzcnt,no-movbe,no-popcnt,no-adx"))), \
    apply_to = function)
#else
#pragma GCC target("no-sse3,no-bmi,no-bmi2,no-lzcnt,no-movbe,no-popcnt,no-adx,no-tbm")
#ifdef __APX_F__
#pragma GCC target("no-apxf")
#endif
#endif
#endif

#include <config.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__aarch64__) || defined(__powerpc__)
#include <sys/auxv.h>
#endif
#include "base/exit.h"
#include "machine/machine_internal.h"

/* A line of instruction_sets.h; the meaning of the numbers depends on the processor family. */
typedef struct {
    const char *name;
    unsigned where[5];
} set;
enum { a, b, c, d };
static const set sets[] = {
#define CM_SET(macro, name, ...) {name, {__VA_ARGS__}},
#include "machine/instruction_sets.h"
#undef CM_SET
    {0}};
const size_t cm_machine_instruction_sets = sizeof sets / sizeof sets[0] - 1;

#if defined(__x86_64__) || defined(__i386__)

/* Returns XCR0: the registers that the system saves. Bit 27 of CPUID 1:ECX tells whether it can be
   read. */
static unsigned saved_state(void)
{
    unsigned r[4], low, high;
    if (!__get_cpuid(1, &r[a], &r[b], &r[c], &r[d]) || !(r[c] >> 27 & 1)) return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool has(const set *s)
{
    unsigned leaf = s->where[0], subleaf = s->where[1], state = s->where[4];
    unsigned r[4], bit = s->where[3];
    if (subleaf > 0 && (!__get_cpuid_count(leaf, 0, &r[a], &r[b], &r[c], &r[d]) || r[a] < subleaf))
        return false;
    if (!__get_cpuid_count(leaf, subleaf, &r[a], &r[b], &r[c], &r[d])) return false;
    return (r[s->where[2]] >> bit & 1) && (saved_state() & state) == state;
}

#elif defined(__aarch64__) || defined(__powerpc__)

static bool has(const set *s)
{
    return getauxval(s->where[0] == 1 ? AT_HWCAP : AT_HWCAP2) >> s->where[1] & 1;
}

#else

static bool has(const set *s)
{
    (void)s;
    return true;
}

#endif

const char *cm_machine_instruction_set(size_t index, bool *present)
{
    if (index >= cm_machine_instruction_sets) return NULL;
    *present = has(&sets[index]);
    return sets[index].name;
}

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

static void require(const char *program)
{
    char missing[512] = "", host[256] = "this host", line[1024];
    for (size_t i = 0; i < cm_machine_instruction_sets; i++) {
        if (!cm_machine_built_for[i] || has(&sets[i])) continue;
        append(missing, sizeof missing, " ");
        append(missing, sizeof missing, sets[i].name);
    }
    if (!missing[0]) return;
    gethostname(host, sizeof host - 1);
    int length = snprintf(line, sizeof line,
                          "%s: built for instructions that the processor of %s lacks:%s; configure "
                          "on the oldest kind of node, or with --disable-native\n",
                          program, host, missing);
    while (write(STDERR_FILENO, line, (size_t)length) < 0 && errno == EINTR) continue;
    _exit(CM_EXIT_SYSTEM);
}

/* Runs before main, whose own first instructions may already need such a set (clearing a
   structure), and before the constructors of other libraries, in every program that calls
   cm_machine_require_cpu. */
__attribute__((constructor(101))) static void require_before_main(void)
{
    require(program_invocation_short_name);
}

void cm_machine_require_cpu(const char *program) { require(program); }

#if defined(__clang__) && (defined(__x86_64__) || defined(__i386__))
#pragma clang attribute pop
#endif

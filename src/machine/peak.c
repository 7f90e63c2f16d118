/* SPDX-License-Identifier: BSD-3-Clause */
/* peak.c: the most floating-point operations that a core can do in a second.

   A fused multiply-add (FMA) of vectors of vector_bits has 2 vector_bits / 64 operations on
   doubles; a core begins fma_units of them in a cycle:

       core_peak = core_clock_hz * fma_units * 2 * vector_bits / 64

   The number of units is nowhere in the kernel's files, so it comes from a table of processors. The
   rate of FMAs between registers is measured, too (fma.c): it is the peak of a processor that is
   not in the table, and of one that exceeds what the table makes of it. */
#include <config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "machine/machine_internal.h"

/* ---- Vectors and units ----------------------------------------------------------------------- */

/* Widths are those of the data paths, not of the registers: Zen 4 does an instruction on 512 bits
   in two halves. Sources: AMD, Software Optimization Guides for families 17h (56305, 55723), 19h
   (56665, 57647) and 1Ah (58455), "Floating-Point Unit"; Intel, Optimization Reference Manual
   (248966), chapter 2, and Ark's "number of AVX-512 FMA units". */
typedef struct {
    const char *vendor;
    int family, first_model, last_model;
    const char *in_name; /* of the model; NULL: any */
    int bits, units;
} x86_processor;
static const x86_processor x86[] = {
    {"AuthenticAMD", 0x17, 0x00, 0x2f, NULL, 128, 2},    /* Zen, Zen+ */
    {"AuthenticAMD", 0x17, 0x30, 0xff, NULL, 256, 2},    /* Zen 2 */
    {"HygonGenuine", 0x18, 0x00, 0x03, NULL, 128, 2},    /* Dhyana, a Zen */
    {"AuthenticAMD", 0x19, 0x00, 0xff, NULL, 256, 2},    /* Zen 3, Zen 4 */
    {"AuthenticAMD", 0x1a, 0x00, 0x1f, NULL, 512, 2},    /* Zen 5: servers */
    {"AuthenticAMD", 0x1a, 0x20, 0x2f, NULL, 256, 2},    /* Zen 5: Strix Point */
    {"AuthenticAMD", 0x1a, 0x40, 0x4f, NULL, 512, 2},    /* Zen 5: desktops */
    {"GenuineIntel", 6, 0x3c, 0x3d, NULL, 256, 2},       /* Haswell, Broadwell */
    {"GenuineIntel", 6, 0x3f, 0x3f, NULL, 256, 2},       /* Haswell-EP */
    {"GenuineIntel", 6, 0x45, 0x47, NULL, 256, 2},       /* Haswell, Broadwell */
    {"GenuineIntel", 6, 0x4e, 0x4f, NULL, 256, 2},       /* Skylake, Broadwell-EP */
    {"GenuineIntel", 6, 0x55, 0x55, "Platinum", 512, 2}, /* Skylake to Cooper Lake servers */
    {"GenuineIntel", 6, 0x55, 0x55, "Gold 6", 512, 2},   /* likewise */
    {"GenuineIntel", 6, 0x55, 0x55, "Silver", 512, 1},   /* likewise, ports 0 and 1 as one */
    {"GenuineIntel", 6, 0x55, 0x55, "Bronze", 512, 1},   /* likewise */
    {"GenuineIntel", 6, 0x56, 0x56, NULL, 256, 2},       /* Broadwell-DE */
    {"GenuineIntel", 6, 0x57, 0x57, NULL, 512, 2},       /* Knights Landing */
    {"GenuineIntel", 6, 0x5e, 0x5e, NULL, 256, 2},       /* Skylake */
    {"GenuineIntel", 6, 0x6a, 0x6a, NULL, 512, 2},       /* Ice Lake servers */
    {"GenuineIntel", 6, 0x6c, 0x6c, NULL, 512, 2},       /* Ice Lake-D */
    {"GenuineIntel", 6, 0x8c, 0x8d, NULL, 512, 1},       /* Tiger Lake */
    {"GenuineIntel", 6, 0x8e, 0x8e, NULL, 256, 2},       /* Kaby Lake */
    {"GenuineIntel", 6, 0x8f, 0x8f, NULL, 512, 2},       /* Sapphire Rapids */
    {"GenuineIntel", 6, 0x9e, 0x9e, NULL, 256, 2},       /* Coffee Lake */
    {"GenuineIntel", 6, 0xad, 0xae, NULL, 512, 2},       /* Granite Rapids */
    {"GenuineIntel", 6, 0xcf, 0xcf, NULL, 512, 2},       /* Emerald Rapids */
};

/* Sources: Arm, Software Optimization Guides of these cores (FMLA, "Execution throughput");
   Fujitsu, A64FX Microarchitecture Manual; Marvell, ThunderX2 CN99XX. */
static const struct {
    const char *implementer, *part;
    int bits, units;
} arm[] = {
    {"0x41", "0xd0c", 128, 2}, /* Neoverse N1 */
    {"0x41", "0xd40", 256, 2}, /* Neoverse V1 */
    {"0x41", "0xd49", 128, 2}, /* Neoverse N2 */
    {"0x41", "0xd4f", 128, 4}, /* Neoverse V2 */
    {"0x43", "0x0af", 128, 2}, /* ThunderX2 */
    {"0x46", "0x001", 512, 2}, /* A64FX */
};

static bool cpuinfo(const char *root, const char *key, char *value, size_t size)
{
    return cm_machine_file_field(root, "/proc/cpuinfo", key, value, size) && value[0];
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

static bool of_x86(const char *root, int *bits, int *units)
{
    char vendor[32], family[16], model[16], name[256] = "", flags[8192];
    if (!cpuinfo(root, "vendor_id", vendor, sizeof vendor)
        || !cpuinfo(root, "cpu family", family, sizeof family)
        || !cpuinfo(root, "model", model, sizeof model)
        || !cpuinfo(root, "flags", flags, sizeof flags) || !has_word(flags, "fma"))
        return false;
    cpuinfo(root, "model name", name, sizeof name);
    for (size_t k = 0; k < sizeof x86 / sizeof x86[0]; k++) {
        const x86_processor *p = &x86[k];
        if (strcmp(vendor, p->vendor) != 0 || atoi(family) != p->family
            || atoi(model) < p->first_model || atoi(model) > p->last_model
            || (p->in_name && !strstr(name, p->in_name)))
            continue;
        *bits = p->bits;
        *units = p->units;
        /* A hypervisor may hide them: two units of 256 bits are left, also of the one that is made
           of both. */
        if (*bits == 512 && !has_word(flags, "avx512f")) {
            *bits = 256;
            *units = 2;
        }
        return true;
    }
    return false;
}

static bool of_arm(const char *root, int *bits, int *units)
{
    char implementer[32], part[32];
    if (!cpuinfo(root, "CPU implementer", implementer, sizeof implementer)
        || !cpuinfo(root, "CPU part", part, sizeof part))
        return false;
    for (size_t k = 0; k < sizeof arm / sizeof arm[0]; k++)
        if (strcmp(implementer, arm[k].implementer) == 0 && strcmp(part, arm[k].part) == 0) {
            *bits = arm[k].bits;
            *units = arm[k].units;
            return true;
        }
    return false;
}

/* ---- The clock ------------------------------------------------------------------------------- */

/* Measures additions of two registers, because some processors do additions of constants before
   execution. */
static double seconds_of_additions(long additions)
{
    struct timespec begin, end;
    unsigned long sum = 1, number = 3;
    __asm__ volatile("" : "+r"(number));
    clock_gettime(CLOCK_MONOTONIC, &begin);
#define ADD        \
    sum += number; \
    __asm__ volatile("" : "+r"(sum));
#define ADD_10 ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
    for (long k = 0; k < additions; k += 50) { ADD_10 ADD_10 ADD_10 ADD_10 ADD_10 }
#undef ADD_10
#undef ADD
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

/* Each addition needs the one before it, which takes a cycle. The fastest of some runs of about
   40 us counts: an interrupt, or a core that has not sped up yet, makes others longer. */
static double measured_hz(void)
{
    enum { ADDITIONS = 100000, RUNS = 40 };
    double least_s = 1e300;
    for (int run = 0; run < RUNS; run++) {
        double time_s = seconds_of_additions(ADDITIONS);
        if (time_s < least_s) least_s = time_s;
    }
    return least_s > 0 ? ADDITIONS / least_s : 0;
}

static double clock_hz(const char *root, const char **from)
{
    int64_t kHz;
    *from = "the highest that cpufreq allows";
    if (cm_machine_file_integer(root, &kHz, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")
        && kHz > 0)
        return 1e3 * (double)kHz;
    *from = "measured on one core";
    return root[0] == '\0' ? measured_hz() : 0;
}

/* The peak by the table, or what was reached, if that is more: a peak that a program exceeds is
   none. */
void cm_machine_describe_peak(const char *root, cm_machine_each *each, void *context)
{
    int bits, units, reached_bits;
    const char *from;
    bool known = of_x86(root, &bits, &units) || of_arm(root, &bits, &units);
    double reached = root[0] == '\0' ? cm_machine_fma_flop_per_s(&reached_bits) : 0;
    if (!known && !(reached > 0)) return;
    double hz = clock_hz(root, &from), peak = known ? hz * units * 2 * bits / 64 : 0;
    cm_machine_say(each, context, "vector_bits", "%d", known ? bits : reached_bits);
    if (known) cm_machine_say(each, context, "fma_units", "%d", units);
    if (reached > 0) cm_machine_say(each, context, "fma_flop_per_s", "%.4g", reached);
    if (!(hz > 0)) return;
    cm_machine_say(each, context, "core_clock_hz", "%.4g", hz);
    each("core_clock_from", from, context);
    cm_machine_say(each, context, "core_peak_flop_per_s", "%.4g", peak > reached ? peak : reached);
    each("core_peak_from",
         peak > reached ? "clock, FMA units and vectors of this processor"
                        : "measured on one core: FMAs between registers",
         context);
}

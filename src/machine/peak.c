/* SPDX-License-Identifier: BSD-3-Clause */
/* peak.c: the most floating-point operations that a core can do in a second.

   A fused multiply-add (FMA) of vectors of vector_bits has 2 vector_bits / 64 operations on
   doubles; a core begins fma_units of them in a cycle:

       core_peak = core_clock_hz * fma_units * 2 * vector_bits / 64

   Neither the kernel's files nor CPUID tell the number of units. On this machine it follows from
   the rate of FMAs between registers and the clock under that load (fma.c). A table of processors
   is for the files of other machines, and for a core whose units another thread was using. The
   greater of both counts, and no peak is below a rate that was reached: a peak that a program
   exceeds is none. */
#include <config.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* ---- The peak -------------------------------------------------------------------------------- */

size_t cm_machine_fma_best(const cm_fma_rate *rate, size_t sets)
{
    size_t best = 0;
    for (size_t set = 1; set < sets; set++)
        if (rate[set].flop_per_s[CM_FMA_DOUBLE] > 0.98 * rate[best].flop_per_s[CM_FMA_DOUBLE])
            best = set;
    return best;
}

/* Returns the FMAs that were begun in a cycle. 0: the set has none, or the number is not whole,
   because others used the units or the processor is an emulated one. */
static int measured_units(const cm_fma_rate *rate)
{
    if (!rate->fused || !(rate->clock_hz > 0)) return 0;
    const double vector_flop = 2.0 * rate->bits / 64;
    const double units = rate->flop_per_s[CM_FMA_DOUBLE] / rate->clock_hz / vector_flop;
    return units > 0.5 && fabs(units - round(units)) <= 0.05 * units ? (int)round(units) : 0;
}

/* "avx2 16.0 32.0" */
static void say_sets(const cm_fma_rate *rate, size_t sets, cm_machine_each *each, void *context)
{
    char text[128] = "";
    for (size_t set = 0, used = 0; set < sets && used < sizeof text; set++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.1f %.1f", set ? ", " : "",
                                 rate[set].set,
                                 rate[set].flop_per_s[CM_FMA_DOUBLE] / rate[set].clock_hz,
                                 rate[set].flop_per_s[CM_FMA_SINGLE] / rate[set].clock_hz);
    each("flop_per_cycle", text, context);
}

/* Returns the clock of the kernel's files, for a node that is not this machine. 0: not known. */
static double told_hz(const char *root)
{
    int64_t kHz;
    return cm_machine_file_integer(root, &kHz,
                                   "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")
                   && kHz > 0
               ? 1e3 * (double)kHz
               : 0;
}

void cm_machine_describe_peak_of(const char *root, const cm_fma_rate *rate, size_t sets,
                                 cm_machine_each *each, void *context)
{
    const cm_fma_rate *best = sets > 0 ? &rate[cm_machine_fma_best(rate, sets)] : NULL;
    int bits = 0, units = 0;
    const char *from = "a table of processors";
    if (!of_x86(root, &bits, &units) && !of_arm(root, &bits, &units)) bits = units = 0;
    if (best && measured_units(best) * best->bits >= units * bits && measured_units(best) > 0) {
        bits = best->bits;
        units = measured_units(best);
        from = "measured: FMAs between registers in a cycle";
    }
    if (units == 0 && !best) return;
    cm_machine_say(each, context, "vector_bits", "%d", units > 0 ? bits : best->bits);
    if (units > 0) {
        cm_machine_say(each, context, "fma_units", "%d", units);
        each("fma_units_from", from, context);
    }
    double reached[CM_FMA_PRECISIONS] = {0};
    if (best) {
        memcpy(reached, best->flop_per_s, sizeof reached);
        each("fma_set", best->set, context);
        cm_machine_say(each, context, "fma_flop_per_s", "%.4g", reached[CM_FMA_DOUBLE]);
        cm_machine_say(each, context, "fma_single_flop_per_s", "%.4g", reached[CM_FMA_SINGLE]);
        say_sets(rate, sets, each, context);
    }
    const double hz = best ? best->clock_hz : told_hz(root);
    if (!(hz > 0)) return;
    cm_machine_say(each, context, "core_clock_hz", "%.4g", hz);
    each("core_clock_from",
         best ? "measured on one core under FMAs" : "the highest that cpufreq allows", context);
    const double peak = hz * units * 2 * bits / 64, single = 2 * peak;
    cm_machine_say(each, context, "core_peak_flop_per_s", "%.4g",
                   fmax(peak, reached[CM_FMA_DOUBLE]));
    cm_machine_say(each, context, "core_single_peak_flop_per_s", "%.4g",
                   fmax(single, reached[CM_FMA_SINGLE]));
    each("core_peak_from",
         units > 0 ? "clock, FMA units and vectors of this processor"
                   : "measured on one core: FMAs between registers",
         context);
}

void cm_machine_describe_peak(const char *root, cm_machine_each *each, void *context)
{
    cm_fma_rate rate[CM_FMA_SETS];
    const size_t sets = root[0] == '\0' ? cm_machine_fma(rate) : 0;
    cm_machine_describe_peak_of(root, rate, sets, each, context);
}

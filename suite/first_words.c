/* SPDX-License-Identifier: BSD-3-Clause */
/* first_words.c: numbers as people read them, and what results say of themselves. */
#include "config.h"
#include <math.h>
#include <string.h>
#include "first.h"
#include "memory.h"

char *suite_three_digits(double value)
{
    if (!isfinite(value)) return suite_copy("?");
    if (value == 0) return suite_copy("0");
    int decimals = 2 - (int)floor(log10(fabs(value) * 1.0005));
    double grain = pow(10, decimals);
    if (decimals < 0) return suite_text("%.0f", round(value * grain) / grain);
    return suite_text("%.*f", decimals, value);
}

const char *suite_easy_unit(suite_quantity quantity, double value, double *divisor)
{
    static const struct {
        suite_quantity quantity;
        double from, divisor;
        const char *unit;
    } units[] = {
        {SUITE_MEMORY, 1e6, 1e6, "TB/s"},        {SUITE_MEMORY, 1e3, 1e3, "GB/s"},
        {SUITE_CORE, 1e9, 1e9, "billion QUIPS"}, {SUITE_CORE, 1e6, 1e6, "million QUIPS"},
        {SUITE_ARITHMETIC, 1e3, 1e3, "Tflop/s"}, {SUITE_ARITHMETIC, 1, 1, "Gflop/s"},
        {SUITE_ARITHMETIC, 0, 1e-3, "Mflop/s"},  {SUITE_LATENCY, 1e3, 1e3, "ms"},
        {SUITE_LATENCY, 0.1, 1, "\xc2\xb5s"},    {SUITE_LATENCY, 0, 1e-3, "ns"},
        {SUITE_BANDWIDTH, 1e3, 1e3, "Gbit/s"},
    };
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (units[k].quantity == quantity && value >= units[k].from) {
            *divisor = units[k].divisor;
            return units[k].unit;
        }
    *divisor = 1;
    return suite_quantity_units[quantity];
}

double suite_meta_number(const cm_record *record, const char *key, double otherwise)
{
    const char *text = record ? cm_record_meta(record, key) : NULL;
    double value;
    return text && cm_record_number(text, &value) ? value : otherwise;
}

const cm_record *suite_measured_record(const suite_measured *measured, const char *name)
{
    for (size_t r = 0; r < measured->table->n; r++)
        if (strcmp(measured->table->run[r].name, name) == 0)
            return measured->entry[r].state == SUITE_COMPLETE ? &measured->entry[r].record : NULL;
    return NULL;
}

bool suite_is_simulated(const suite_measured *measured)
{
    return measured->place->name && !measured->place->is_virtual;
}

bool suite_is_dummy(const suite_measured *measured)
{
    const char *comm = NULL;
    for (size_t r = 0; r < measured->table->n && !comm; r++)
        if (measured->entry[r].state == SUITE_COMPLETE)
            comm = cm_record_meta(&measured->entry[r].record, "comm");
    if (!comm) comm = measured->comm;
    return comm && strcmp(comm, "dummy") == 0;
}

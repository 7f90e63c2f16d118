/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_words.c: numbers as people read them, and what results say of themselves. */
#include "config.h"
#include <math.h>
#include <string.h>
#include "tile.h"
#include "common/memory.h"

char *suite_three_digits(double value)
{
    if (!isfinite(value)) return suite_copy("?");
    if (value == 0) return suite_copy("0");
    int decimals = 2 - (int)floor(log10(fabs(value) * 1.0005));
    double grain = pow(10, decimals);
    if (decimals < 0) return suite_text("%.0f", round(value * grain) / grain);
    return suite_text("%.*f", decimals, value);
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
    return suite_place_simulates(measured->place);
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

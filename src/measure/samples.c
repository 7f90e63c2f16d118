/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.c: a growing array of samples in the order taken. */
#include "config.h"
#include "measure/samples.h"
#include <stdint.h>
#include <stdlib.h>

bool cm_samples_reserve(cm_samples *samples, size_t capacity)
{
    if (capacity <= samples->capacity) return true;
    if (capacity > SIZE_MAX / sizeof *samples->value) return false;
    double *value = realloc(samples->value, capacity * sizeof *value);
    if (!value) return false;
    /* First touch now, not inside the time between two samples. */
    for (size_t i = samples->capacity; i < capacity; i++) value[i] = 0;
    samples->value = value;
    samples->capacity = capacity;
    return true;
}

bool cm_samples_add(cm_samples *samples, double value)
{
    if (samples->n == samples->capacity) {
        size_t grown = samples->capacity < 64 ? 64 : samples->capacity + samples->capacity / 2;
        if (!cm_samples_reserve(samples, grown)) return false;
    }
    samples->value[samples->n++] = value;
    return true;
}

void cm_samples_clear(cm_samples *samples)
{
    samples->n = 0;
    samples->examined = 0;
}

void cm_samples_free(cm_samples *samples)
{
    free(samples->value);
    *samples = (cm_samples)CM_SAMPLES_EMPTY;
}

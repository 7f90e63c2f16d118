/* SPDX-License-Identifier: BSD-3-Clause */
/* samples.c: a growing array of samples in the order taken. */
#include "config.h"
#include "measure/samples.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* New ones are 0. */
static bool grow_causes(cm_samples *samples, size_t capacity)
{
    size_t before = samples->cause ? samples->capacity : 0;
    unsigned char *cause = realloc(samples->cause, capacity);
    if (!cause) return false;
    memset(cause + before, 0, capacity - before);
    samples->cause = cause;
    return true;
}

bool cm_samples_reserve(cm_samples *samples, size_t capacity)
{
    if (capacity <= samples->capacity) return true;
    if (capacity > SIZE_MAX / sizeof *samples->value) return false;
    double *value = realloc(samples->value, capacity * sizeof *value);
    if (!value) return false;
    /* First touch now, not inside the time between two samples. */
    for (size_t i = samples->capacity; i < capacity; i++) value[i] = 0;
    samples->value = value;
    if (samples->cause && !grow_causes(samples, capacity)) return false;
    samples->capacity = capacity;
    return true;
}

bool cm_samples_add(cm_samples *samples, double value)
{
    if (samples->n == samples->capacity) {
        size_t grown = samples->capacity < 64 ? 64 : samples->capacity + samples->capacity / 2;
        if (!cm_samples_reserve(samples, grown)) return false;
    }
    if (samples->cause) samples->cause[samples->n] = 0;
    samples->value[samples->n++] = value;
    return true;
}

bool cm_samples_disturb(cm_samples *samples, size_t first, size_t end, unsigned cause)
{
    if (end > samples->n) end = samples->n;
    if (cause == 0 || first >= end) return true;
    if (!samples->cause && !grow_causes(samples, samples->capacity)) return false;
    for (size_t i = first; i < end; i++) {
        samples->disturbed += samples->cause[i] == 0;
        samples->cause[i] |= (unsigned char)cause;
    }
    return true;
}

bool cm_samples_leave_out(const cm_samples *samples)
{
    return !samples->of_all && samples->disturbed > 0
           && samples->n - samples->disturbed >= CM_INTERVAL_LEAST;
}

void cm_samples_clear(cm_samples *samples)
{
    samples->n = samples->disturbed = 0;
    samples->examined = 0;
    samples->narrow = 0;
}

void cm_samples_free(cm_samples *samples)
{
    free(samples->value);
    free(samples->cause);
    *samples = (cm_samples)CM_SAMPLES_EMPTY;
}

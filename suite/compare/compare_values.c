/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_values.c: the values of the launches of one side, sorted, with the launch of each. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "compare.h"
#include "common/memory.h"

compare_values compare_values_new(size_t launches)
{
    return (compare_values){.value = suite_array(launches, sizeof(double)),
                            .launch = suite_array(launches, sizeof(size_t)),
                            .of = launches,
                            .median = NAN};
}

void compare_values_add(compare_values *values, size_t launch, double value)
{
    size_t k = values->n++;
    for (; k > 0 && values->value[k - 1] > value; k--) {
        values->value[k] = values->value[k - 1];
        values->launch[k] = values->launch[k - 1];
    }
    values->value[k] = value;
    values->launch[k] = launch;
    values->median = (values->value[(values->n - 1) / 2] + values->value[values->n / 2]) / 2;
}

void compare_values_free(compare_values *values)
{
    free(values->value);
    free(values->launch);
    *values = (compare_values){.median = NAN};
}

compare_values compare_values_of(const compare_bench *bench, const char *name)
{
    compare_values values = compare_values_new(bench->n);
    double value;
    for (size_t k = 0; k < bench->n; k++) {
        const cm_record_metric *metric = cm_record_metric_of(&bench->launch[k], name);
        if (metric && cm_record_number(metric->value, &value))
            compare_values_add(&values, k, value);
    }
    return values;
}

bool compare_values_have(const compare_values *values, size_t launch)
{
    for (size_t k = 0; k < values->n; k++)
        if (values->launch[k] == launch) return true;
    return false;
}

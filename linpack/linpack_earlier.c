/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_earlier.c: reads the plain program's times from an earlier result. */
#include <math.h>
#include <stdio.h>
#include "result/read.h"
#include "linpack_result.h"

static double cell(const cm_record *record, size_t row, int column)
{
    double value;
    return cm_record_number(cm_record_cell(record, row, (size_t)column), &value) ? value : NAN;
}

/* The last row of this order counts. */
static void find(const cm_record *record, int order, double *serial_s, double *cpu_s)
{
    int order_at = cm_record_column(record, "order");
    int serial_at = cm_record_column(record, "serial_s");
    int cpu_at = cm_record_column(record, "serial_cpu_s");
    if (order_at < 0 || serial_at < 0 || cpu_at < 0) return;
    for (size_t row = 0; row < record->n_rows; row++)
        if (cell(record, row, order_at) == order) {
            *serial_s = cell(record, row, serial_at);
            *cpu_s = cell(record, row, cpu_at);
        }
}

bool linpack_serial_read(const char *path, int order, double *serial_s, double *cpu_s, char *why,
                         size_t why_size)
{
    cm_record record;
    *serial_s = *cpu_s = NAN;
    if (!cm_record_read(path, &record, why, why_size)) return false;
    find(&record, order, serial_s, cpu_s);
    cm_record_free(&record);
    if (*serial_s > 0) return true;
    snprintf(why, why_size,
             "%s: has no time of order %d; expected a result with --serial and that order", path,
             order);
    return false;
}

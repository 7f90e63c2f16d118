/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_earlier.c: the plain program's times in a result of an earlier run. */
#include <stdio.h>
#include <string.h>
#include "linpack_program.h"

void linpack_serial_read(const char *path, int order, double *serial_s, double *cpu_s)
{
    FILE *file = fopen(path, "r");
    char line[4096];
    int order_at = -1, serial_at = -1, cpu_at = -1;
    *serial_s = *cpu_s = NAN;
    while (file && fgets(line, sizeof line, file)) {
        if (*line == '#') continue;
        double value[64] = {0};
        int n = 0;
        bool header = order_at < 0;
        for (char *word = strtok(line, " \t\n"); word && n < 64;
             word = strtok(NULL, " \t\n"), n++) {
            value[n] = strtod(word, NULL);
            if (header && !strcmp(word, "order")) order_at = n;
            if (header && !strcmp(word, "serial_s")) serial_at = n;
            if (header && !strcmp(word, "serial_cpu_s")) cpu_at = n;
        }
        if (header && (order_at < 0 || serial_at < 0 || cpu_at < 0)) break;
        if (!header && value[order_at] == order)
            *serial_s = value[serial_at], *cpu_s = value[cpu_at];
    }
    if (file) fclose(file);
}

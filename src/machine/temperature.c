/* SPDX-License-Identifier: BSD-3-Clause */
/* temperature.c: reads the kernel's thermal zones and hardware monitors. */
#include <config.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "machine/machine_internal.h"
#include "machine/temperature.h"

static void take(const char *root, const char *path, double *hottest_C)
{
    int64_t thousandths;
    if (!cm_machine_file_integer(root, &thousandths, "%s", path)) return;
    const double now_C = 1e-3 * (double)thousandths;
    if (now_C > 0 && now_C <= CM_TEMPERATURE_MOST) *hottest_C = fmax(*hottest_C, now_C);
}

/* "temp1_input" */
static bool is_input(const char *name)
{
    static const char end[] = "_input";
    const size_t length = strlen(name), of_end = sizeof end - 1;
    return strncmp(name, "temp", 4) == 0 && length > of_end
           && strcmp(name + length - of_end, end) == 0;
}

/* The files of one sensor's folder that are temperatures. */
static void look_into(const char *root, const char *folder, double *hottest_C)
{
    char path[CM_MACHINE_PATH];
    if (snprintf(path, sizeof path, "%s%s", root, folder) >= (int)sizeof path) return;
    DIR *sensor = opendir(path);
    if (!sensor) return;
    for (struct dirent *entry; (entry = readdir(sensor)) != NULL;) {
        if (strcmp(entry->d_name, "temp") != 0 && !is_input(entry->d_name)) continue;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path)
            take(root, path, hottest_C);
    }
    closedir(sensor);
}

double cm_machine_temperature_C(const char *root)
{
    static const char *const classes[] = {"/sys/class/thermal", "/sys/class/hwmon"};
    double hottest_C = NAN;
    for (size_t k = 0; k < sizeof classes / sizeof classes[0]; k++) {
        char path[CM_MACHINE_PATH];
        if (snprintf(path, sizeof path, "%s%s", root, classes[k]) >= (int)sizeof path) continue;
        DIR *class = opendir(path);
        if (!class) continue;
        for (struct dirent *entry; (entry = readdir(class)) != NULL;)
            if (entry->d_name[0] != '.'
                && snprintf(path, sizeof path, "%s/%s", classes[k], entry->d_name)
                       < (int)sizeof path)
                look_into(root, path, &hottest_C);
        closedir(class);
    }
    return hottest_C;
}

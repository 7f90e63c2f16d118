/* SPDX-License-Identifier: BSD-3-Clause */
/* launches.c: reads the launches of one run. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "folder.h"
#include "launches.h"
#include "common/memory.h"

char *suite_launch_path(const char *dir, const char *name, size_t k, const char *suffix)
{
    return suite_text("%s/launches/%s.%zu.%s", dir, name, k, suffix);
}

char *suite_launch_record(const char *dir, const char *name, size_t k)
{
    char *path = suite_launch_path(dir, name, k, "txt"), *record = suite_record_path(path);
    free(path);
    return record;
}

/* The launch whose first metric has the least distance in rank from the median. */
static size_t find_middle(const suite_launches *launches)
{
    size_t middle = 0, nearest = launches->n;
    for (size_t k = 0; k < launches->n; k++) {
        double value, other;
        size_t below = 0;
        if (!cm_record_number(launches->record[k].metric[0].value, &value)) continue;
        for (size_t j = 0; j < launches->n; j++)
            if (cm_record_number(launches->record[j].metric[0].value, &other)
                && (other < value || (other == value && j < k)))
                below++;
        size_t wanted = (launches->n - 1) / 2;
        size_t distance = below > wanted ? below - wanted : wanted - below;
        if (distance < nearest) {
            nearest = distance;
            middle = k;
        }
    }
    return middle;
}

bool suite_launches_read(const char *dir, const char *name, size_t n, suite_launches *launches,
                         char *why, size_t why_size)
{
    *launches = (suite_launches){.file = suite_array(n, sizeof *launches->file),
                                 .record = suite_array(n, sizeof *launches->record)};
    for (size_t k = 0; k < n; k++) {
        char *path = suite_launch_record(dir, name, k + 1);
        bool read = cm_record_read(path, &launches->record[k], why, why_size);
        launches->n = k + 1;
        launches->file[k] = suite_copy(path + strlen(dir) + 1);
        if (read && !cm_record_complete(&launches->record[k])) {
            snprintf(why, why_size, "%s has no metric", path);
            read = false;
        }
        free(path);
        if (!read) return false;
    }
    launches->middle = find_middle(launches);
    return true;
}

void suite_launches_free(suite_launches *launches)
{
    for (size_t k = 0; k < launches->n; k++) {
        free(launches->file[k]);
        cm_record_free(&launches->record[k]);
    }
    free(launches->file);
    free(launches->record);
    *launches = (suite_launches){0};
}

bool suite_combined_write(const char *dir, const char *name, const suite_launches *launches,
                          const cm_record *combined)
{
    const cm_record_launches from = {launches->file, launches->record, launches->n};
    char *text = suite_there(cm_record_text(combined));
    char *json = suite_there(cm_record_json(combined, NULL, 12, &from));
    const bool written =
        suite_folder_write(dir, name, "txt", text) && suite_folder_write(dir, name, "json", json);
    free(json);
    free(text);
    return written;
}

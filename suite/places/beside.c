/* SPDX-License-Identifier: BSD-3-Clause */
/* beside.c: reads a second folder of results. */
#include "config.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "beside.h"
#include "comm/comm.h"
#include "common/memory.h"
#include "common/say.h"
#include "results/united.h"

/* The title stands in a quoted word of gnuplot's. */
static char *title_of(const char *dir, const char *place)
{
    const char *slash = strrchr(dir, '/');
    char *title =
        place ? suite_text("simulated %s", place) : suite_copy(slash && slash[1] ? slash + 1 : dir);
    for (char *c = title; *c; c++)
        if (strchr("'\"\\`{}@^_&~\n", *c)) *c = '-';
    return title;
}

static void read_results(suite_beside *beside)
{
    size_t n = beside->table.n;
    beside->entry = suite_array(n, sizeof beside->entry[0]);
    beside->results.result = suite_array(n, sizeof beside->results.result[0]);
    beside->prefixed.result = suite_array(n, sizeof beside->prefixed.result[0]);
    beside->name = suite_array(n, sizeof beside->name[0]);
    for (size_t r = 0; r < n; r++) {
        const char *name = beside->table.run[r].name;
        suite_entry *entry = &beside->entry[r];
        suite_entry_read(beside->dir, &beside->table.run[r], entry);
        if (entry->state != SUITE_COMPLETE) continue;
        beside->results.result[beside->results.n++] = (suite_result){name, &entry->record};
        beside->name[beside->prefixed.n] = suite_text("beside/%s", name);
        beside->prefixed.result[beside->prefixed.n] =
            (suite_result){beside->name[beside->prefixed.n], &entry->record};
        beside->prefixed.n++;
    }
}

int suite_beside_open(const char *command, const suite_home *home, const char *dir,
                      suite_beside *beside)
{
    *beside = (suite_beside){0};
    if (!dir) return 0;
    if (!suite_folder_require(command, dir)) return CM_EXIT_USAGE;
    char *whole = realpath(dir, NULL);
    if (!whole) return suite_fail(CM_EXIT_SYSTEM, "%s: %s: %s", command, dir, strerror(errno));
    if (!suite_table_of_folder(home, whole, &beside->table, &beside->place)) {
        free(whole);
        return CM_EXIT_SYSTEM;
    }
    beside->dir = whole;
    beside->title = title_of(whole, beside->place.name);
    int status = suite_united_check(command, whole, &beside->table, SUITE_UNITED_READ);
    if (!status) read_results(beside);
    return status;
}

void suite_beside_close(suite_beside *beside)
{
    for (size_t r = 0; beside->entry && r < beside->table.n; r++)
        suite_entry_free(&beside->entry[r]);
    for (size_t k = 0; k < beside->prefixed.n; k++) free(beside->name[k]);
    free(beside->name);
    free(beside->entry);
    free(beside->results.result);
    free(beside->prefixed.result);
    free(beside->title);
    free(beside->dir);
    suite_table_free(&beside->table);
    suite_place_free(&beside->place);
    *beside = (suite_beside){0};
}

bool suite_beside_has(const suite_beside *beside, const char *name)
{
    const cm_record *record = suite_results_find(&beside->results, name);
    return record && !cm_record_wrong(record) && !suite_result_oversubscribed(record);
}

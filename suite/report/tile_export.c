/* SPDX-License-Identifier: BSD-3-Clause */
/* tile_export.c: one's own results as references for the reports of other machines. */
#include "config.h"
#include <stdlib.h>
#include "reference.h"
#include "tile.h"
#include "common/memory.h"

static bool is_reference(const suite_tile *tile)
{
    if (!tile->record || !tile->metric->pass || suite_result_oversubscribed(tile->record))
        return false;
    return !tile->kind->network || suite_meta_number(tile->record, "hosts", 1) > 1;
}

/* Replaces the characters that separate fields. */
static char *field(char *text)
{
    for (char *c = text; *c; c++)
        if (*c == '|' || (unsigned char)*c < ' ') *c = ' ';
    return text;
}

/* "2 hosts of 64 cores, AMD EPYC 7742, sockets" */
static char *machine_of(const cm_record *record)
{
    const char *cpu = cm_record_meta(record, "cpu"), *comm = cm_record_meta(record, "comm");
    double hosts = suite_meta_number(record, "hosts", 1);
    char *text = suite_text("%.0f host%s of %.0f cores, %s, %s", hosts, hosts == 1 ? "" : "s",
                            suite_meta_number(record, "cores", 0), cpu ? cpu : "unknown processor",
                            comm ? comm : "unknown backend");
    return field(text);
}

static char *source_of(const cm_record *record, const char *metric)
{
    const char *version = cm_record_meta(record, "version"), *date = cm_record_meta(record, "date");
    const char *program = cm_record_meta(record, "program");
    char *text = suite_text("measured with clustermark %s, %.10s: %s, %s", version ? version : "?",
                            date ? date : "no date", program ? program : "?", metric);
    return field(text);
}

size_t suite_tiles_write(FILE *out, const suite_measured *measured)
{
    size_t n = 0;
    if (suite_is_dummy(measured) || suite_is_simulated(measured)) return 0;
    suite_tile *tile = suite_tiles_make(measured);
    for (size_t k = 0; k < suite_tile_n_kinds; k++) {
        if (!is_reference(&tile[k])) continue;
        suite_reference line = {.kind = tile[k].kind,
                                .value = tile[k].value,
                                .machine = machine_of(tile[k].record),
                                .source = source_of(tile[k].record, tile[k].kind->metric)};
        suite_reference_write(out, &line);
        free(line.machine);
        free(line.source);
        n++;
    }
    suite_tiles_free(tile);
    return n;
}

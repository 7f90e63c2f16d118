/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_hosts.c: what is kept of the machine and of each host. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "kept_hosts.h"
#include "results/hosts_alike.h"
#include "results/hosts_named.h"

/* What a machine is made of that may change over months. */
static const char *const machine_keys[] = {
    "revision",     "cpu",          "kernel",  "microcode",      "bios",
    "firmware",     "mpi",          "comm",    "comm_version",   "interface",
    "blas",         "blas_version", "cc",      "cc_version",     "cflags",
    "fc",           "fc_version",   "fcflags", "virtualization", "container",
    "clock_source", "huge_pages",   "smt",     "memory_bytes",   "cores",
    "threads"};
enum { MACHINE_KEYS = sizeof machine_keys / sizeof *machine_keys };

/* The columns of cm-nodes' rows that are one host's own. */
static const struct {
    const char *metric, *unit, *better;
} quantities[] = {{"triad_MB_per_s", "MB/s", "high"},
                  {"gemm_Mflop_per_s", "Mflop/s", "high"},
                  {"quiet", "1", "high"},
                  {"latency_us", "us", "low"},
                  {"send_MB_per_s", "MB/s", "high"},
                  {"receive_MB_per_s", "MB/s", "high"}};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

/* A quarter of disturbed samples does not move a median of rounds far; more may. */
static bool is_disturbed(const cm_record *record)
{
    const cm_record_finding *f = cm_record_finding_of(record, CM_FINDING_DISTURBED, 0);
    return f && 4 * f->value > f->bound;
}

/* What all hosts of a record are made of. */
typedef struct {
    const cm_record *record;
    const suite_launches *launches;
    suite_index *rows; /* [number_of(...)] the hosts of each launch, of the record if there is none;
                          NULL: it is not cm-nodes', whose rows are hosts */
    suite_index named; /* as standing out */
} hosts;

static size_t number_of(const suite_launches *launches) { return launches->n ? launches->n : 1; }

static const cm_record *launch_of(const hosts *all, size_t k)
{
    return all->launches->n ? &all->launches->record[k] : all->record;
}

/* The cells of that column in the rows of the host. */
static json_t *cells_of(const hosts *all, const char *host, const char *column)
{
    json_t *values = json_array();
    for (size_t k = 0; k < number_of(all->launches); k++) {
        const cm_record *record = launch_of(all, k);
        const int of = cm_record_column(record, column);
        const size_t row = suite_index_find(&all->rows[k], host);
        double value;
        if (of >= 0 && row < all->rows[k].n && row < record->n_rows
            && cm_record_number(cm_record_cell(record, row, (size_t)of), &value))
            json_array_append_new(values, json_real(value));
    }
    return values;
}

static json_t *machine_of_host(const cm_record_host *host)
{
    json_t *machine = json_object();
    for (size_t d = 0; d < host->n_differs; d++)
        for (size_t k = 0; k < MACHINE_KEYS; k++)
            if (strcmp(host->differs[d].key, machine_keys[k]) == 0)
                json_object_set_new(machine, machine_keys[k], json_string(host->differs[d].value));
    return machine;
}

static json_t *host_of(const hosts *all, size_t h)
{
    const cm_record *record = all->record;
    const cm_record_host *host = &record->host[h];
    json_t *kept = json_array();
    const bool stands_out = suite_hosts_is_named(&all->named, host->name);
    for (size_t q = 0; all->rows && q < QUANTITIES; q++) {
        json_t *values = cells_of(all, host->name, quantities[q].metric);
        if (json_array_size(values) > 0)
            json_array_append_new(kept,
                                  json_pack("{s:s, s:s, s:s, s:O}", "metric", quantities[q].metric,
                                            "unit", quantities[q].unit, "better",
                                            quantities[q].better, "values", values));
        json_decref(values);
    }
    return suite_there(json_pack("{s:s, s:I, s:b, s:b, s:o, s:o}", "host", host->name, "ranks",
                                 (json_int_t)host->ranks, "disturbed", is_disturbed(record),
                                 "stands_out", stands_out, "machine", machine_of_host(host),
                                 "quantities", kept));
}

void suite_kept_add_hosts(json_t *to, const cm_record *record, const suite_launches *launches)
{
    const char *program = cm_record_meta(record, "program");
    const size_t n = number_of(launches);
    hosts all = {.record = record, .launches = launches, .named = suite_hosts_named(record)};
    if (program && strcmp(program, "cm-nodes") == 0) {
        all.rows = suite_array(n, sizeof *all.rows);
        for (size_t k = 0; k < n; k++) all.rows[k] = suite_hosts_index(launch_of(&all, k));
    }
    for (size_t h = 0; h < record->n_hosts; h++) json_array_append_new(to, host_of(&all, h));
    for (size_t k = 0; all.rows && k < n; k++) suite_index_free(&all.rows[k]);
    free(all.rows);
    suite_index_free(&all.named);
}

void suite_kept_add_machine(json_t *machine, const cm_record *record)
{
    for (size_t k = 0; k < MACHINE_KEYS; k++) {
        const char *value = cm_record_meta(record, machine_keys[k]);
        if (value && *value && !json_object_get(machine, machine_keys[k]))
            json_object_set_new(machine, machine_keys[k], json_string(value));
    }
}

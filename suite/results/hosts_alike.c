/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts_alike.c: describes each host by the metadata, which are those of the first host, and by
   what differs from them; then sorts the hosts by their descriptions. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "hosts_alike.h"
#include "common/memory.h"

/* ---- One host -------------------------------------------------------------------------------- */

static const char *value_of(const cm_record *record, size_t host, const char *key)
{
    const cm_record_host *one = &record->host[host];
    for (size_t k = 0; k < one->n_differs; k++)
        if (strcmp(one->differs[k].key, key) == 0)
            return strcmp(one->differs[k].value, "nan") == 0 ? "" : one->differs[k].value;
    const char *value = cm_record_meta(record, key);
    return value ? value : "";
}

/* The interface of the first host that leads to others: "eth0"; "" if there is none. */
static char *nic_of(const cm_record *record)
{
    for (size_t m = 0; m < record->n_meta; m++) {
        const char *value = record->meta[m].value;
        if (strcmp(record->meta[m].key, "nic") == 0 && strncmp(value, "lo ", 3) != 0)
            return suite_text("%.*s", (int)strcspn(value, " "), value);
    }
    return suite_copy("");
}

/* FIELD of the lines "nic: NAME FIELD=VALUE ...", which the host may have another value of. */
static char *nic_field(const cm_record *record, size_t host, const char *nic, const char *field)
{
    char *key = suite_text("nic %s %s", nic, field), *sought = suite_text(" %s=", field);
    char *value = suite_copy(value_of(record, host, key));
    const size_t length = strlen(nic);
    for (size_t m = 0; m < record->n_meta && !*value; m++) {
        const char *line = record->meta[m].value, *at = strstr(line, sought);
        if (strcmp(record->meta[m].key, "nic") != 0 || strncmp(line, nic, length) != 0
            || line[length] != ' ' || !at)
            continue;
        free(value);
        at += strlen(sought);
        value = suite_text("%.*s", (int)strcspn(at, " "), at);
    }
    free(key);
    free(sought);
    return value;
}

static char *nic_text(const cm_record *record, size_t host, const char *nic)
{
    char *key = suite_text("nic %s", nic);
    const cm_record_host *one = &record->host[host];
    bool up = *nic;
    for (size_t k = 0; k < one->n_differs && up; k++)
        up = strcmp(one->differs[k].key, key) != 0 || strcmp(one->differs[k].value, "nan") != 0;
    char *driver = nic_field(record, host, nic, "driver");
    char *speed = nic_field(record, host, nic, "speed_Mbit_per_s");
    char *text = !*nic ? suite_copy("")
                 : !up ? suite_text("%s is not up", nic)
                       : suite_text("%s%s%s%s%s%s", nic, *driver ? " (" : "", driver,
                                    *driver ? ")" : "", *speed ? ", Mbit/s: " : "", speed);
    free(key);
    free(driver);
    free(speed);
    return text;
}

static char *gigabytes(const char *bytes)
{
    double value;
    return cm_record_number(bytes, &value) ? suite_text("%.3g GB", value / 1e9) : suite_copy(bytes);
}

/* Has the key a column of its own, or is it no property of a host? */
static bool has_column(const char *key, const char *nic)
{
    static const char *const keys[] = {"cores",  "cpu",      "memory_bytes", "memory_limit_bytes",
                                       "kernel", "governor", "tsc_hz"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (strcmp(key, keys[k]) == 0) return true;
    const char *end = strrchr(key, '_');
    if (strncmp(key, "numa", 4) == 0 && end && strcmp(end, "_bytes") == 0) return true;
    const size_t length = strlen(nic);
    if (length == 0 || strncmp(key, "nic ", 4) != 0 || strncmp(key + 4, nic, length) != 0)
        return false;
    const char *field = key + 4 + length;
    return !*field || strcmp(field, " driver") == 0 || strcmp(field, " mtu_bytes") == 0
           || strcmp(field, " speed_Mbit_per_s") == 0;
}

static char *further(const cm_record_host *host, const char *nic)
{
    char *text = suite_copy("");
    for (size_t k = 0; k < host->n_differs; k++) {
        const char *key = host->differs[k].key, *value = host->differs[k].value;
        if (has_column(key, nic)) continue;
        bool none = strcmp(value, "nan") == 0;
        char *longer =
            suite_text("%s%s%s %s", text, *text ? "; " : "", none ? "no" : key, none ? key : value);
        free(text);
        text = longer;
    }
    return text;
}

/* ---- Groups ---------------------------------------------------------------------------------- */

/* cm-nodes has a row for each host. */
static bool is_slow(const cm_record *record, size_t host)
{
    int column = cm_record_column(record, "slow");
    return column >= 0 && record->n_rows == record->n_hosts
           && strcmp(cm_record_cell(record, host, (size_t)column), "yes") == 0;
}

static suite_alike describe(const cm_record *record, size_t host, const char *nic)
{
    suite_alike one = {.host = suite_array(1, sizeof one.host[0]), .n = 1};
    one.host[0] = host;
    one.slow = is_slow(record, host);
    one.cell[SUITE_HOST_CORES] = suite_copy(value_of(record, host, "cores"));
    one.cell[SUITE_HOST_CPU] = suite_copy(value_of(record, host, "cpu"));
    one.cell[SUITE_HOST_MEMORY] = gigabytes(value_of(record, host, "memory_bytes"));
    one.cell[SUITE_HOST_KERNEL] = suite_copy(value_of(record, host, "kernel"));
    one.cell[SUITE_HOST_GOVERNOR] = suite_copy(value_of(record, host, "governor"));
    one.cell[SUITE_HOST_NIC] = nic_text(record, host, nic);
    one.cell[SUITE_HOST_MTU] = nic_field(record, host, nic, "mtu_bytes");
    one.cell[SUITE_HOST_ELSE] = further(&record->host[host], nic);
    return one;
}

static int by_cells(const suite_alike *x, const suite_alike *y)
{
    int order = 0;
    for (size_t c = 0; c < SUITE_HOST_CELLS && order == 0; c++)
        order = strcmp(x->cell[c], y->cell[c]);
    return order;
}

/* Sorts equal hosts next to each other; a slow host is equal to no other. */
static int by_description(const void *a, const void *b)
{
    const suite_alike *x = a, *y = b;
    int order = by_cells(x, y);
    if (order == 0) order = x->slow - y->slow;
    return order ? order : (x->host[0] > y->host[0]) - (x->host[0] < y->host[0]);
}

static int by_oddness(const void *a, const void *b)
{
    const suite_alike *x = a, *y = b;
    if (x->odd != y->odd) return y->odd - x->odd;
    if (x->n != y->n) return x->n > y->n ? 1 : -1;
    return (x->host[0] > y->host[0]) - (x->host[0] < y->host[0]);
}

static void free_group(suite_alike *group)
{
    for (size_t c = 0; c < SUITE_HOST_CELLS; c++) free(group->cell[c]);
    free(group->host);
}

static void join(suite_hosts *hosts, suite_alike *one, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        suite_alike *last = hosts->n > 0 ? &hosts->group[hosts->n - 1] : NULL;
        if (!last || last->slow || one[k].slow || by_cells(last, &one[k]) != 0) {
            hosts->group[hosts->n++] = one[k];
            continue;
        }
        last->host = suite_longer(last->host, last->n + 1, sizeof last->host[0]);
        last->host[last->n++] = one[k].host[0];
        free_group(&one[k]);
    }
}

/* Returns the value of a cell that more than half of the hosts have, by Boyer's and Moore's vote:
   hosts with different values are removed in pairs, so that only such a value can remain. */
static const char *usual_of(const suite_hosts *hosts, size_t cell, size_t n)
{
    const char *value = NULL;
    size_t votes = 0, alike = 0;
    for (size_t g = 0; g < hosts->n; g++) {
        const suite_alike *group = &hosts->group[g];
        bool same = value && strcmp(group->cell[cell], value) == 0;
        if (same) votes += group->n;
        else if (group->n <= votes) votes -= group->n;
        else {
            votes = group->n - votes;
            value = group->cell[cell];
        }
    }
    for (size_t g = 0; g < hosts->n; g++)
        if (strcmp(hosts->group[g].cell[cell], value) == 0) alike += hosts->group[g].n;
    return 2 * alike > n ? value : NULL;
}

static void find_odd(suite_hosts *hosts, size_t n)
{
    for (size_t c = 0; c < SUITE_HOST_CELLS; c++) hosts->usual[c] = usual_of(hosts, c, n);
    for (size_t g = 0; g < hosts->n; g++) {
        suite_alike *group = &hosts->group[g];
        group->odd = group->slow;
        for (size_t c = 0; c < SUITE_HOST_CELLS; c++)
            if (hosts->usual[c] && strcmp(group->cell[c], hosts->usual[c]) != 0) group->odd = true;
    }
}

suite_hosts suite_hosts_alike(const cm_record *record)
{
    const size_t n = record->n_hosts;
    suite_hosts hosts = {.group = suite_array(n + 1, sizeof hosts.group[0])};
    suite_alike *one = suite_array(n + 1, sizeof one[0]);
    char *nic = nic_of(record);
    for (size_t host = 0; host < n; host++) one[host] = describe(record, host, nic);
    qsort(one, n, sizeof one[0], by_description);
    join(&hosts, one, n);
    find_odd(&hosts, n);
    qsort(hosts.group, hosts.n, sizeof hosts.group[0], by_oddness);
    free(nic);
    free(one);
    return hosts;
}

void suite_hosts_free(suite_hosts *hosts)
{
    for (size_t g = 0; g < hosts->n; g++) free_group(&hosts->group[g]);
    free(hosts->group);
    *hosts = (suite_hosts){0};
}

suite_index suite_hosts_index(const cm_record *record)
{
    suite_index index = {0};
    for (size_t h = 0; h < record->n_hosts; h++) {
        if (suite_index_add(&index, record->host[h].name) == h) continue;
        char *second = suite_text("%s\n%zu", record->host[h].name, h);
        suite_index_add(&index, second);
        free(second);
    }
    return index;
}

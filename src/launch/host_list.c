/* SPDX-License-Identifier: BSD-3-Clause */
/* host_list.c: a list of hosts, and the ranks on each of them. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/exit.h"
#include "launch/host_list_internal.h"

/* Batch systems use a host's short name or its full one, as it suits them. */
static bool same_host(const char *name, const char *other)
{
    size_t bytes = strlen(name), more = strlen(other);
    if (bytes > more) return same_host(other, name);
    return strncmp(name, other, bytes) == 0 && (bytes == more || other[bytes] == '.');
}

static bool is_localhost(const char *name) { return strcmp(name, "localhost") == 0; }

static bool is_this_host(const char *name)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    return is_localhost(name) || (*own && same_host(own, name));
}

/* Two names of this host are one host unless their domains differ: node1.a and node1.b. */
static bool is_at(const host_list *list, int i, const char *name, bool local)
{
    const char *there = list->host[i].name;
    if (strcmp(there, name) == 0) return true;
    return local && list->host[i].local
           && (is_localhost(there) || is_localhost(name) || same_host(there, name));
}

/* A short name cannot say which of several hosts is this one: the launcher reaches all of them. */
static bool is_one_of_several(host_list *list)
{
    bool several = false;
    for (int i = 0; i < list->n; i++) {
        several |= list->host[i].local;
        list->host[i].local = false;
    }
    return several;
}

/* Returns the host's place in the list, or list->n. The file of a batch system names a host once
   for each slot, one after the other. */
static int find(const host_list *list, const char *name, bool local)
{
    int i = 0;
    if (list->n > 0 && is_at(list, list->n - 1, name, local)) return list->n - 1;
    while (i < list->n && !is_at(list, i, name, local)) i++;
    return i;
}

static bool grow(host_list *list)
{
    if (list->n < list->capacity) return true;
    int capacity = list->capacity ? 2 * list->capacity : 16;
    host *longer = realloc(list->host, (size_t)capacity * sizeof *longer);
    if (!longer) return false;
    list->host = longer;
    list->capacity = capacity;
    return true;
}

bool host_list_add(host_list *list, const char *name, size_t bytes, int slots)
{
    char *copy = strndup(name, bytes);
    if (!copy || !grow(list)) {
        free(copy);
        return false;
    }
    bool local = is_this_host(copy);
    int i = find(list, copy, local);
    if (i < list->n) {
        free(copy);
        /* Beyond the maximum the list is refused anyway; adding further could overflow. */
        if (list->host[i].slots <= HOST_LIST_SLOTS_MOST) list->host[i].slots += slots;
    } else {
        if (local && is_one_of_several(list)) local = false;
        list->host[list->n++] = (host){.name = copy, .slots = slots, .local = local, .stride = 1};
    }
    return true;
}

int host_list_check(const host_list *list, const char *expected, char *why, size_t why_bytes)
{
    if (list->n == 0) {
        snprintf(why, why_bytes, "names no host; %s", expected);
        return CM_EXIT_USAGE;
    }
    long long sum = 0;
    for (int i = 0; i < list->n; i++) sum += list->host[i].slots;
    if (sum <= HOST_LIST_SLOTS_MOST) return 0;
    snprintf(why, why_bytes, "has %lld slots; expected at most %d", sum, HOST_LIST_SLOTS_MOST);
    return CM_EXIT_USAGE;
}

int host_list_slots(const host_list *list)
{
    int sum = 0;
    for (int i = 0; i < list->n; i++) sum += list->host[i].slots;
    return sum;
}

void host_list_set_slots(host_list *list, int slots)
{
    for (int i = 0; i < list->n; i++) list->host[i].slots = slots;
    list->counted = true;
}

bool host_list_place(host_list *list, int ranks)
{
    int rank = 0;
    bool fits = ranks <= host_list_slots(list);
    if (!fits && list->counted) return false;
    for (int i = 0; i < list->n; i++) {
        host *host = &list->host[i];
        if (fits) {
            int left = ranks - rank;
            host->first = rank;
            host->stride = 1;
            host->count = host->slots < left ? host->slots : left;
            rank += host->count;
        } else {
            host->first = i;
            host->stride = list->n;
            host->count = (ranks - i + list->n - 1) / list->n;
        }
    }
    return true;
}

int host_list_used(const host_list *list)
{
    int n = 0;
    for (int i = 0; i < list->n; i++) n += list->host[i].count > 0;
    return n;
}

char *host_list_text(const host_list *list)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return NULL;
    for (int i = 0; i < list->n; i++) {
        bool colons = strchr(list->host[i].name, ':') != NULL;
        fprintf(out, "%s%s%s%s", i ? "," : "", colons ? "[" : "", list->host[i].name,
                colons ? "]" : "");
        if (list->counted || list->host[i].slots != 1) fprintf(out, ":%d", list->host[i].slots);
    }
    bool failed = ferror(out);
    if (fclose(out) == 0 && !failed) return text;
    free(text);
    return NULL;
}

void host_list_free(host_list *list)
{
    for (int i = 0; i < list->n; i++) free(list->host[i].name);
    free(list->host);
    *list = (host_list){0};
}

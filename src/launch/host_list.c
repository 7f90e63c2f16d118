/* SPDX-License-Identifier: BSD-3-Clause */
/* host_list.c: reads lists of hosts and places ranks on them. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"
#include "launch/host_list.h"

static const char *const expected = "expected HOST or HOST:SLOTS with SLOTS from 1 to 65536";

static bool is_this_host(const char *name)
{
    char own[256] = "";
    gethostname(own, sizeof own - 1);
    return strcmp(name, "localhost") == 0 || strcmp(name, own) == 0;
}

/* Returns true if a launcher can take the name only for a host, and not for an option, say. */
static bool name_valid(const char *name, size_t bytes)
{
    if (bytes == 0 || bytes > 255 || name[0] == '-') return false;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)name[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!word && !strchr("._-@:%", c)) return false;
    }
    return true;
}

static bool slots_valid(const char *text, size_t bytes, int *slots)
{
    *slots = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        *slots = 10 * *slots + (text[i] - '0');
        if (*slots > HOST_LIST_SLOTS_MOST) return false;
    }
    return *slots > 0;
}

static bool add(host_list *list, const char *name, size_t bytes, int slots)
{
    char *copy = strndup(name, bytes);
    host *longer = realloc(list->host, ((size_t)list->n + 1) * sizeof *longer);
    if (longer) list->host = longer;
    if (!copy || !longer) {
        free(copy);
        return false;
    }
    bool local = is_this_host(copy);
    for (int i = 0; i < list->n; i++)
        if (strcmp(list->host[i].name, copy) == 0 || (local && list->host[i].local)) {
            free(copy);
            /* Beyond the maximum the list is refused anyway; adding further could overflow. */
            if (list->host[i].slots <= HOST_LIST_SLOTS_MOST) list->host[i].slots += slots;
            return true;
        }
    list->host[list->n++] = (host){.name = copy, .slots = slots, .local = local, .stride = 1};
    return true;
}

static int out_of_memory(char *why, size_t why_bytes)
{
    snprintf(why, why_bytes, "out of memory");
    return CM_EXIT_SYSTEM;
}

static int check_sum(const host_list *list, char *why, size_t why_bytes)
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

/* Parses one entry of --hosts. */
static int parse_entry(const char *entry, size_t bytes, host_list *list, char *why,
                       size_t why_bytes)
{
    const char *name = entry, *after;
    size_t name_bytes;
    int slots = 1;
    if (bytes > 0 && entry[0] == '[') { /* brackets, because an IPv6 address contains colons */
        const char *close = memchr(entry, ']', bytes);
        name = entry + 1;
        name_bytes = close ? (size_t)(close - name) : 0;
        after = close ? close + 1 : entry + bytes;
    } else {
        after = memchr(entry, ':', bytes);
        if (!after) after = entry + bytes;
        name_bytes = (size_t)(after - entry);
    }
    size_t rest = bytes - (size_t)(after - entry);
    if (!name_valid(name, name_bytes))
        snprintf(why, why_bytes, "'%.*s' has no valid host name; %s", (int)bytes, entry, expected);
    else if (rest > 0 && (after[0] != ':' || !slots_valid(after + 1, rest - 1, &slots)))
        snprintf(why, why_bytes, "'%.*s' has no valid number of slots; %s", (int)bytes, entry,
                 expected);
    else {
        list->counted |= rest > 0;
        return add(list, name, name_bytes, slots) ? 0 : out_of_memory(why, why_bytes);
    }
    return CM_EXIT_USAGE;
}

int host_list_parse(const char *text, host_list *list, char *why, size_t why_bytes)
{
    *list = (host_list){0};
    for (;;) {
        size_t bytes = strcspn(text, ",");
        int status = parse_entry(text, bytes, list, why, why_bytes);
        if (status) return status;
        if (!text[bytes]) return check_sum(list, why, why_bytes);
        text += bytes + 1;
    }
}

/* Parses one line of a file. */
static int parse_line(char *line, int number, host_list *list, char *why, size_t why_bytes)
{
    static const char *const blanks = " \t\r\n";
    int slots = 1;
    line[strcspn(line, "#")] = '\0';
    char *rest, *name = strtok_r(line, blanks, &rest);
    if (!name) return 0;
    char *count = strtok_r(NULL, blanks, &rest), *more = strtok_r(NULL, blanks, &rest);
    if (!name_valid(name, strlen(name)))
        snprintf(why, why_bytes, "line %d: '%s' is not a valid host name; expected HOST [SLOTS]",
                 number, name);
    else if (count && !slots_valid(count, strlen(count), &slots))
        snprintf(why, why_bytes, "line %d: '%s' is not a number of slots; expected 1 to %d", number,
                 count, HOST_LIST_SLOTS_MOST);
    else if (more)
        snprintf(why, why_bytes, "line %d: unexpected '%s' after the slots; expected HOST [SLOTS]",
                 number, more);
    else {
        list->counted |= count != NULL;
        return add(list, name, strlen(name), slots) ? 0 : out_of_memory(why, why_bytes);
    }
    return CM_EXIT_USAGE;
}

int host_list_read(const char *file, host_list *list, char *why, size_t why_bytes)
{
    char *line = NULL;
    size_t capacity = 0;
    int status = 0;
    *list = (host_list){0};
    FILE *in = fopen(file, "re");
    if (!in) {
        snprintf(why, why_bytes, "cannot be read: %s", strerror(errno));
        return CM_EXIT_USAGE;
    }
    for (int number = 1; !status && getline(&line, &capacity, in) >= 0; number++)
        status = parse_line(line, number, list, why, why_bytes);
    if (!status && ferror(in)) {
        snprintf(why, why_bytes, "cannot be read: %s", strerror(errno));
        status = CM_EXIT_USAGE;
    }
    free(line);
    fclose(in);
    return status ? status : check_sum(list, why, why_bytes);
}

int host_list_slots(const host_list *list)
{
    int sum = 0;
    for (int i = 0; i < list->n; i++) sum += list->host[i].slots;
    return sum;
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

void host_list_free(host_list *list)
{
    for (int i = 0; i < list->n; i++) free(list->host[i].name);
    free(list->host);
    *list = (host_list){0};
}

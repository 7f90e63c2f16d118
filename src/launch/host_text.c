/* SPDX-License-Identifier: BSD-3-Clause */
/* host_text.c: parses lists of hosts, in options and in files. */
#include "config.h"
#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "launch/host_list_internal.h"
#include "launch/host_range.h"

static const char *const expected = "expected HOST or HOST:SLOTS with SLOTS from 1 to 65536";
static const char *const expected_line =
    "expected lines HOST, HOST SLOTS, HOST:SLOTS or HOST slots=SLOTS with SLOTS from 1 to 65536";

typedef struct {
    host_list *list;
    const char *expected;
    char *why;
    size_t why_bytes;
    int line;  /* in a file; 0: not a file */
    int slots; /* of the hosts that are being added */
} parsing;

__attribute__((format(printf, 2, 3))) static int wrong(const parsing *p, const char *format, ...)
{
    va_list list;
    int used = p->line ? snprintf(p->why, p->why_bytes, "line %d: ", p->line) : 0;
    va_start(list, format);
    vsnprintf(p->why + used, p->why_bytes - (size_t)used, format, list);
    va_end(list);
    return CM_EXIT_USAGE;
}

static int out_of_memory(char *why, size_t why_bytes)
{
    snprintf(why, why_bytes, "out of memory");
    return CM_EXIT_SYSTEM;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* Returns true if a launcher can take the name only for a host, and not for an option, say. */
static bool name_valid(const char *name, size_t bytes)
{
    if (bytes == 0 || bytes > HOST_NAME_MOST || name[0] == '-') return false;
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)name[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!word && (!c || !strchr("._-@:%", c))) return false;
    }
    return true;
}

/* An IPv6 address contains colons, and perhaps a zone after '%'. */
static bool is_address(const char *text, size_t bytes)
{
    char address[INET6_ADDRSTRLEN];
    struct in6_addr unused;
    const char *zone = memchr(text, '%', bytes);
    if (zone) bytes = (size_t)(zone - text);
    if (bytes >= sizeof address) return false;
    memcpy(address, text, bytes);
    address[bytes] = '\0';
    return inet_pton(AF_INET6, address, &unused) == 1;
}

bool host_list_slots_valid(const char *text, size_t bytes, int *slots)
{
    *slots = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] < '0' || text[i] > '9') return false;
        *slots = 10 * *slots + (text[i] - '0');
        if (*slots > HOST_LIST_SLOTS_MOST) return false;
    }
    return *slots > 0;
}

/* ---- One entry ------------------------------------------------------------------------------- */

static int add_name(void *context, const char *name, size_t bytes)
{
    parsing *p = context;
    if (!name_valid(name, bytes)) return -1;
    if (p->list->n >= HOST_NAMES_MOST)
        return wrong(p, "names more hosts than the %d that a job may have", HOST_NAMES_MOST);
    return host_list_add(p->list, name, bytes, p->slots) ? 0 : out_of_memory(p->why, p->why_bytes);
}

/* Adds the hosts that a name with its ranges stands for. */
static int add_names(parsing *p, const char *name, size_t bytes, const char *entry, size_t whole)
{
    const char *reason = "has no valid host name";
    int shown = whole < 200 ? (int)whole : 200;
    int status = host_range_expand(name, bytes, add_name, p, &reason);
    if (status >= 0) return status;
    return wrong(p, "'%.*s' %s; %s", shown, entry, reason, p->expected);
}

/* Returns the end of the name in an entry NAME or NAME:SLOTS. */
static const char *name_end(const char *entry, size_t bytes)
{
    const char *colon = memrchr(entry, ':', bytes);
    return !colon || is_address(entry, bytes) ? entry + bytes : colon;
}

/* Parses HOST or HOST:SLOTS; an IPv6 address with slots stands in brackets. Returns in *counted
   whether there are slots. */
static int parse_entry(parsing *p, const char *entry, size_t bytes, bool *counted)
{
    const char *close = bytes > 0 && entry[0] == '[' ? memchr(entry, ']', bytes) : NULL;
    const bool bracketed = close && is_address(entry + 1, (size_t)(close - entry - 1));
    const char *after = bracketed ? close + 1 : name_end(entry, bytes);
    size_t rest = bytes - (size_t)(after - entry);
    int shown = bytes < 200 ? (int)bytes : 200;
    p->slots = 1;
    *counted = rest > 0;
    if (after == entry)
        return wrong(p, "'%.*s' has no valid host name; %s", shown, entry, p->expected);
    if (rest > 0 && (after[0] != ':' || !host_list_slots_valid(after + 1, rest - 1, &p->slots)))
        return wrong(p, "'%.*s' has no valid number of slots; %s", shown, entry, p->expected);
    p->list->counted |= *counted;
    if (bracketed) return add_names(p, entry + 1, (size_t)(close - entry - 1), entry, bytes);
    return add_names(p, entry, (size_t)(after - entry), entry, bytes);
}

/* ---- --hosts --------------------------------------------------------------------------------- */

/* Returns the bytes up to the next comma outside of brackets. */
static size_t entry_bytes(const char *text)
{
    size_t n = 0;
    for (bool inside = false; text[n] && (inside || text[n] != ','); n++)
        inside = text[n] == '[' || (inside && text[n] != ']');
    return n;
}

int host_list_parse(const char *text, host_list *list, char *why, size_t why_bytes)
{
    parsing p = {.list = list, .expected = expected, .why = why, .why_bytes = why_bytes};
    *list = (host_list){0};
    for (;;) {
        bool counted;
        size_t bytes = entry_bytes(text);
        int status = parse_entry(&p, text, bytes, &counted);
        if (status) return status;
        if (!text[bytes]) return host_list_check(list, expected, why, why_bytes);
        text += bytes + 1;
    }
}

/* ---- --hostfile ------------------------------------------------------------------------------ */

/* Finds the slots in the second word of a line. */
static bool line_slots(const char *word, int *slots)
{
    if (strncmp(word, "slots=", 6) == 0) word += 6;
    return host_list_slots_valid(word, strlen(word), slots);
}

/* Parses one line of a file. The slots come with the host or after it. */
static int parse_line(parsing *p, char *line)
{
    static const char *const blanks = " \t\r\n";
    bool counted;
    int slots;
    line[strcspn(line, "#")] = '\0';
    char *rest, *name = strtok_r(line, blanks, &rest);
    if (!name) return 0;
    char *count = strtok_r(NULL, blanks, &rest), *more = strtok_r(NULL, blanks, &rest);
    if (more) return wrong(p, "unexpected '%.80s' after the slots; %s", more, p->expected);
    if (!count) return parse_entry(p, name, strlen(name), &counted);
    if (!line_slots(count, &slots))
        return wrong(p, "'%.80s' is not a number of slots; %s", count, p->expected);
    if (name_end(name, strlen(name))[0])
        return wrong(p, "'%.80s' and '%.80s': expected only one of them to give the slots", name,
                     count);
    p->list->counted = true;
    p->slots = slots;
    return add_names(p, name, strlen(name), name, strlen(name));
}

int host_list_read(const char *file, host_list *list, char *why, size_t why_bytes)
{
    parsing p = {.list = list, .expected = expected_line, .why = why, .why_bytes = why_bytes};
    char *line = NULL;
    size_t capacity = 0;
    int status = 0;
    *list = (host_list){0};
    FILE *in = fopen(file, "re");
    if (!in) {
        snprintf(why, why_bytes, "cannot be read: %s", strerror(errno));
        return CM_EXIT_USAGE;
    }
    while (!status && getline(&line, &capacity, in) >= 0) {
        p.line++;
        status = parse_line(&p, line);
    }
    if (!status && ferror(in)) {
        snprintf(why, why_bytes, "cannot be read: %s", strerror(errno));
        status = CM_EXIT_USAGE;
    }
    free(line);
    fclose(in);
    return status ? status : host_list_check(list, expected_line, why, why_bytes);
}

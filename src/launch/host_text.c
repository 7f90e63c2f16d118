/* SPDX-License-Identifier: BSD-3-Clause */
/* host_text.c: parses lists of hosts, in options and in files. */
#include "config.h"
#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/exit.h"
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
    int line;     /* in a file; 0: not a file */
    bool ignored; /* a word was, which has been told */
    int slots;    /* of the hosts that are being added */
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

static const char *const blanks = " \t\r\n";

/* Removes the blanks around '=': "slots = 4" is "slots=4". */
static void close_up(char *line)
{
    char *to = line;
    for (const char *from = line; *from;) {
        const size_t gap = strspn(from, blanks);
        if (gap > 0 && (from[gap] == '=' || (to > line && to[-1] == '='))) from += gap;
        else *to++ = *from++;
    }
    *to = '\0';
}

/* Words of other launchers' files. max_slots (Open MPI) says how far a host may be oversubscribed;
   the others are told to be ignored: binding (Hydra), and what LAM knows of a node. */
typedef enum { WORD_SLOTS, WORD_MOST, WORD_IGNORED, WORD_OTHER } word_kind;
static word_kind kind_of(const char *word)
{
    static const struct {
        const char *begin;
        word_kind kind;
    } known[] = {{"slots=", WORD_SLOTS},     {"max_slots=", WORD_MOST}, {"max-slots=", WORD_MOST},
                 {"binding=", WORD_IGNORED}, {"cpu=", WORD_IGNORED},    {"user=", WORD_IGNORED}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strncmp(word, known[k].begin, strlen(known[k].begin)) == 0) return known[k].kind;
    return word[strspn(word, "0123456789")] == '\0' ? WORD_SLOTS : WORD_OTHER;
}

/* The words behind the host. *count: the one that has the slots, NULL: none does. */
static int parse_words(parsing *p, const char *file, char **rest, char **count)
{
    int most;
    *count = NULL;
    for (char *word; (word = strtok_r(NULL, blanks, rest)) != NULL;) {
        const char *value = strchr(word, '=') ? strchr(word, '=') + 1 : word;
        switch (kind_of(word)) {
        case WORD_SLOTS:
            if (*count)
                return wrong(p, "unexpected '%.80s' after the slots; %s", word, p->expected);
            *count = word;
            break;
        case WORD_MOST:
            if (!host_list_slots_valid(value, strlen(value), &most))
                return wrong(p, "'%.80s' is not a number of slots; %s", word, p->expected);
            break;
        case WORD_IGNORED:
            if (!p->ignored)
                fprintf(stderr, "%s: line %d: '%.80s' is ignored, here and in other lines\n", file,
                        p->line, word);
            p->ignored = true;
            break;
        default:
            if (*count)
                return wrong(p, "unexpected '%.80s' after the slots; %s", word, p->expected);
            return wrong(p, "'%.80s' is not a number of slots; %s", word, p->expected);
        }
    }
    return 0;
}

/* Parses one line of a file. The slots come with the host or after it. */
static int parse_line(parsing *p, const char *file, char *line)
{
    bool counted;
    int slots;
    line[strcspn(line, "#")] = '\0';
    close_up(line);
    char *rest, *count, *name = strtok_r(line, blanks, &rest);
    if (!name) return 0;
    int status = parse_words(p, file, &rest, &count);
    if (status) return status;
    if (!count) return parse_entry(p, name, strlen(name), &counted);
    const char *number = strchr(count, '=') ? strchr(count, '=') + 1 : count;
    if (!host_list_slots_valid(number, strlen(number), &slots))
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
    for (ssize_t bytes; !status && (bytes = getline(&line, &capacity, in)) >= 0;) {
        static const char mark[] = "\xef\xbb\xbf"; /* the byte order mark of some editors */
        const bool marked = p.line++ == 0 && strncmp(line, mark, strlen(mark)) == 0;
        /* Behind a zero byte, as a torn copy of a file has them, hosts would be lost. */
        if (memchr(line, 0, (size_t)bytes)) status = wrong(&p, "has zero bytes; %s", p.expected);
        else status = parse_line(&p, file, line + (marked ? strlen(mark) : 0));
    }
    if (!status && ferror(in)) {
        snprintf(why, why_bytes, "cannot be read: %s", strerror(errno));
        status = CM_EXIT_USAGE;
    }
    free(line);
    fclose(in);
    return status ? status : host_list_check(list, expected_line, why, why_bytes);
}

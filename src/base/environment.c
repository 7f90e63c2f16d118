/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.c: the CM_ environment variables: one table that describes them, and their parsing
   and checks. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit.h"
#include "base/environment.h"
#include "base/launch_rank.h"
#include "base/spelling.h"

#define PREFIX "CM_"
enum { PREFIX_LENGTH = sizeof PREFIX - 1 };

typedef enum {
    KIND_BYTES,
    KIND_AHEAD,
    KIND_COUNT,
    KIND_FLAG,
    KIND_REAL,
    KIND_TEXT,
    KIND_PORTS,
    KIND_SET,
    KIND_COPY
} variable_kind;

typedef struct {
    const char *name;
    variable_kind kind;
    size_t offset;       /* of the member of cm_environment */
    const char *initial; /* the default as a user would write it; NULL: none */
    double low, high;    /* inclusive; not used for flags and texts */
    const char *meaning;
} variable;

#define AT(member) offsetof(cm_environment, member)
static const variable variables[] = {
    {"CM_EAGER_BYTES", KIND_BYTES, AT(eager_bytes), "262144", 0, 1 << 30,
     "longest message that is sent without waiting for its receive"},
    {"CM_AHEAD_BYTES", KIND_AHEAD, AT(ahead), "auto", 0, 1 << 28,
     "bytes of a longer message sent before the receiver answers; 0: none (plain rendezvous); "
     "auto: 262144, or what a connection has in flight"},
    {"CM_SEND_CHUNK_BYTES", KIND_BYTES, AT(piece_bytes), "98304", 1, 1 << 30,
     "largest number of bytes given to the kernel in one send"},
    {"CM_UNEXPECTED_BYTES", KIND_BYTES, AT(pool_bytes), "64Mi", 0, 0x1p40,
     "bytes of unexpected messages that a rank can keep, shared by its peers"},
    {"CM_SOCKET_BUFFER_BYTES", KIND_BYTES, AT(buffer_bytes), "0", 0, 1 << 30,
     "send and receive buffer size of each connection; 0: the kernel chooses"},
    {"CM_NODELAY", KIND_FLAG, AT(nodelay), "1", 0, 1,
     "1: set TCP_NODELAY; 0: leave Nagle's algorithm on"},
    {"CM_DELAY_NS", KIND_COUNT, AT(delay_ns), "0", 0, 1e9,
     "nanoseconds each message is held up at its sender, except in an MPI's own collectives"},
    {"CM_SPIN_US", KIND_REAL, AT(spin_us), "-1", -1, 1e9,
     "microseconds of spinning before sleeping; -1: spin only if there are enough cores"},
    {"CM_TIMEOUT_S", KIND_REAL, AT(timeout_s), "5", 0.1, 86400,
     "seconds within which a failure ends all ranks"},
    {"CM_TRANSPORT", KIND_TEXT, AT(transport), "auto", 0, 0,
     "auto: shared memory inside a host, TCP between hosts; or only one of them: shm, tcp"},
    {"CM_COPY", KIND_COPY, AT(copy), "auto", 0, 0,
     "long messages inside a host: ring: copied twice, through shared memory; halves: each side "
     "copies half, by the kernel; auto: whichever a pair of ranks finds quicker"},
    {"CM_INTERFACE", KIND_TEXT, AT(interface), NULL, 0, 0,
     "interfaces, addresses or networks (10.77.0.0/16) to use, separated by commas; unset: chosen "
     "automatically"},
    {"CM_PORTS", KIND_PORTS, AT(ports), "any", 1, 65535,
     "TCP ports to listen at, LOW-HIGH, for hosts with a firewall; any: the kernel chooses"},
    {"CM_RAILS", KIND_TEXT, AT(rails), NULL, 0, 0,
     "interfaces to use together, separated by commas, or a number of connections over one"},
    {"CM_STRIPE_THRESHOLD", KIND_BYTES, AT(rail_bytes), "16384", 4096, 1 << 30,
     "longest message that is sent over one rail"},
    {"CM_TUNING", KIND_TEXT, AT(tuning), NULL, 0, 0,
     "table by which collective algorithms are chosen, as cm-collective --write-tuning writes it; "
     "unset: the built-in one of the backend"},
    {"CM_ISA", KIND_SET, AT(set), "auto", 0, 0,
     "instruction set of the kernels: baseline, native, v3 (AVX2), v4 (AVX-512); auto: the best of "
     "the processor"},
    {"CM_BSP_TRACE", KIND_TEXT, AT(bsp_trace), NULL, 0, 0, "file for the trace of BSP supersteps"},
    {"CM_BSP_DIRECT_MOST", KIND_COUNT, AT(bsp_direct_most), "0", 0, 1e9,
     "processes up to which bsp_sync sends a message to each; beyond, it takes log2(p) rounds; 0: "
     "3 on one host, 16 on several"},
    {"CM_BSP_CHECK", KIND_FLAG, AT(bsp_check), "0", 0, 1,
     "1: end a BSP program if writes in one superstep overlap"},
    {"CM_DUMMY", KIND_TEXT, AT(dummy), NULL, 0, 0,
     "settings of the dummy backend, key=value separated by commas"},
    {"CM_SIM_ITEM_NS", KIND_REAL, AT(item_ns), "0", 0, 1e15,
     "simulator only: nanoseconds that an item of a program's own work takes"},
    {"CM_PLACE", KIND_TEXT, AT(place), NULL, 0, 0,
     "set by clustermark run --place: the simulated cluster"},
    {"CM_VIRTUAL", KIND_TEXT, AT(virtual_cluster), NULL, 0, 0,
     "set by virtual-cluster run: rate, delay and MTU between the virtual hosts"},
    {"CM_REFERENCES", KIND_TEXT, AT(references), NULL, 0, 0,
     "results of other computers and bounds of these, for clustermark report; unset: "
     "~/.config/clustermark/references.tab, if there is one"},
    {"CM_LAUNCHER", KIND_TEXT, AT(launcher), NULL, 0, 0, "set by cmrun for its ranks: cmrun"},
    {"CM_LOCAL_RANKS", KIND_COUNT, AT(local_ranks), "0", 0, 65536,
     "set by cmrun for its ranks: number of ranks on this host; 0: unknown"},
    {"CM_KEEP_GOING", KIND_FLAG, AT(keep_going), "0", 0, 1,
     "set by cmrun for its ranks: 1: the job goes on when a rank dies"},
};
enum { VARIABLES = sizeof variables / sizeof variables[0] };

/* Names that variables had, which are taken, too. */
static const struct {
    const char *name, *old;
} renamed[] = {
    {"CM_SEND_CHUNK_BYTES", "CM_PIECE_BYTES"},
    {"CM_UNEXPECTED_BYTES", "CM_POOL_BYTES"},
    {"CM_SOCKET_BUFFER_BYTES", "CM_BUFFER_BYTES"},
    {"CM_STRIPE_THRESHOLD", "CM_RAIL_BYTES"},
    {"CM_ISA", "CM_SET"},
    {"CM_SIM_ITEM_NS", "CM_ITEM_NS"},
};

/* NULL: it had no other. */
static const char *old_of(const variable *v)
{
    for (size_t k = 0; k < sizeof renamed / sizeof renamed[0]; k++)
        if (strcmp(renamed[k].name, v->name) == 0) return renamed[k].old;
    return NULL;
}

/* Parses digits with an optional suffix k M G (10^3) or Ki Mi Gi (2^10). A double is exact up to
   2^53, far above every bound of the table. */
static bool parse_bytes(const char *text, double *value)
{
    static const struct {
        const char *suffix;
        double factor;
    } units[] = {
        {"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30},
    };
    size_t digits = strspn(text, "0123456789");
    if (digits == 0) return false;
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (strcmp(text + digits, units[k].suffix) == 0) {
            *value = strtod(text, NULL) * units[k].factor;
            return true;
        }
    return false;
}

static bool parse_count(const char *text, double *value)
{
    *value = strtod(text, NULL);
    return *text && !text[strspn(text, "0123456789")];
}

/* LOW-HIGH within the bounds of v, LOW <= HIGH, or "any". */
static bool parse_ports(const variable *v, const char *text, cm_ports *ports)
{
    double low, high;
    char first[8];
    const size_t length = strcspn(text, "-");
    *ports = (cm_ports){0, 0};
    if (strcmp(text, "any") == 0) return true;
    if (!text[length] || length >= sizeof first) return false;
    memcpy(first, text, length);
    first[length] = 0;
    if (!parse_count(first, &low) || !parse_count(text + length + 1, &high)) return false;
    if (low < v->low || high > v->high || low > high) return false;
    *ports = (cm_ports){(int)low, (int)high};
    return true;
}

static bool parse_real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == 0 && isfinite(*value);
}

/* Returns the values of a kind that has a list of them, NULL at its end; otherwise NULL. */
static const char *const *choices_of(const variable *v)
{
    static const char *const sets[] = {"auto", "baseline", "native", "v3", "v4", NULL};
    /* As the values of cm_copy_way. */
    static const char *const copies[] = {"ring", "halves", "auto", NULL};
    return v->kind == KIND_SET ? sets : v->kind == KIND_COPY ? copies : NULL;
}

/* Returns the choice that the text names, or NULL. */
static const char *parse_choice(const variable *v, const char *text)
{
    for (const char *const *choice = choices_of(v); *choice; choice++)
        if (strcmp(text, *choice) == 0) return *choice;
    return NULL;
}

static int choice_number(const variable *v, const char *text)
{
    int n = 0;
    while (strcmp(choices_of(v)[n], text) != 0) n++;
    return n;
}

/* NULL: it is not set; an empty variable counts as that. */
static const char *value_of(const char *name)
{
    const char *text = name ? getenv(name) : NULL;
    return text && *text ? text : NULL;
}

/* An empty range of ports is no range, and must not open all of them. */
static const char *raw_of(const variable *v)
{
    const char *text = v->kind == KIND_PORTS ? getenv(v->name) : value_of(v->name);
    if (!text) text = value_of(old_of(v));
    return text ? text : v->initial;
}

/* Parses text into *environment, which stays unchanged if the text is not a valid value of v. */
static bool set(const variable *v, const char *text, cm_environment *environment)
{
    void *to = (char *)environment + v->offset;
    double number = 0;
    switch (v->kind) {
    case KIND_TEXT:
        *(const char **)to = text;
        return true;
    case KIND_COPY:
        if (!parse_choice(v, text)) return false;
        *(cm_copy_way *)to = (cm_copy_way)choice_number(v, text);
        return true;
    case KIND_SET:
        if (!parse_choice(v, text)) return false;
        *(const char **)to = parse_choice(v, text);
        return true;
    case KIND_PORTS:
        return parse_ports(v, text, to);
    case KIND_AHEAD:
        if (strcmp(text, "auto") == 0) {
            *(cm_ahead *)to = (cm_ahead){.bytes = CM_AHEAD_LEAST, .grows = true};
            return true;
        }
        /* fall through */
    case KIND_BYTES:
        if (!parse_bytes(text, &number)) return false;
        break;
    case KIND_COUNT:
        if (!parse_count(text, &number)) return false;
        break;
    case KIND_FLAG:
        if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0) return false;
        *(bool *)to = text[0] == '1';
        return true;
    case KIND_REAL:
        if (!parse_real(text, &number)) return false;
        break;
    }
    if (!(number >= v->low && number <= v->high)) return false;
    if (v->kind == KIND_BYTES) *(size_t *)to = (size_t)number;
    else if (v->kind == KIND_AHEAD) *(cm_ahead *)to = (cm_ahead){.bytes = (size_t)number};
    else if (v->kind == KIND_COUNT) *(int *)to = (int)number;
    else *(double *)to = number;
    return true;
}

/* Lines are written as a whole: several ranks may say the same at the same time. */

/* "auto, tcp or shm" */
static void list_choices(const variable *v, char *text, size_t size)
{
    size_t length = 0;
    for (const char *const *choice = choices_of(v); *choice && length < size; choice++) {
        const char *before = length == 0 ? "" : choice[1] ? ", " : " or ";
        length += (size_t)snprintf(text + length, size - length, "%s%s", before, *choice);
    }
}

static void complain(const variable *v, const char *text)
{
    char what[256];
    const size_t size = sizeof what;
    if (v->kind == KIND_FLAG) snprintf(what, size, "0 or 1");
    else if (choices_of(v)) list_choices(v, what, size);
    else if (v->kind == KIND_BYTES || v->kind == KIND_AHEAD)
        snprintf(what, size, "%s%.0f to %.0f bytes (suffixes k M G Ki Mi Gi)",
                 v->kind == KIND_AHEAD ? "auto, or " : "", v->low, v->high);
    else if (v->kind == KIND_PORTS)
        snprintf(what, size, "LOW-HIGH, ports from %.0f to %.0f with LOW <= HIGH, or any", v->low,
                 v->high);
    else if (v->kind == KIND_COUNT)
        snprintf(what, size, "a whole number from %.0f to %.0f", v->low, v->high);
    else snprintf(what, size, "a number from %g to %g", v->low, v->high);
    fprintf(stderr, "clustermark: %s=%s: expected %s\n", v->name, text, what);
}

static bool is_called(const char *known, const char *name, size_t length)
{
    return known && strncmp(known, name, length) == 0 && !known[length];
}

bool cm_environment_known(const char *name, size_t length)
{
    for (int k = 0; k < VARIABLES; k++)
        if (is_called(variables[k].name, name, length)
            || is_called(old_of(&variables[k]), name, length))
            return true;
    return false;
}

const char *cm_environment_renamed(const char *name, size_t length)
{
    for (int k = 0; k < VARIABLES; k++)
        if (is_called(old_of(&variables[k]), name, length)) return variables[k].name;
    return NULL;
}

/* Gives a variable that is set by its old name the new one, and says so; the processes that this
   one starts need not say it again. Returns false, and says why, if both are set differently. */
static bool rename_old(const variable *v)
{
    const char *name = old_of(v), *old = value_of(name), *new = value_of(v->name);
    if (!old) return true;
    const bool same = !new || strcmp(old, new) == 0, first = cm_launch_rank() == 0;
    if (first && !same)
        fprintf(stderr,
                "clustermark: %s=%s and %s=%s are one variable, whose old name is %s; expected one "
                "of them\n",
                name, old, v->name, new, name);
    else if (first)
        fprintf(stderr, "clustermark: %s is called %s now; this release takes both\n", name,
                v->name);
    if (same && setenv(v->name, old, 1) == 0) unsetenv(name);
    return same;
}

/* Returns the first variable that is set and has our prefix but is not in the table; NULL if
   none. */
static const char *find_unknown(void)
{
    for (char **each = environ; each && *each; each++) {
        const char *equals = strchr(*each, '=');
        if (strncmp(*each, PREFIX, PREFIX_LENGTH) == 0 && equals && equals[1]
            && !cm_environment_known(*each, (size_t)(equals - *each)))
            return *each;
    }
    return NULL;
}

/* Returns the known name that is most similar to this one; NULL if none is similar. The prefix is
   ignored because all names have it. */
static const char *nearest(const char *name, size_t length)
{
    const char *found = NULL;
    length -= PREFIX_LENGTH;
    size_t least = cm_spelling_tolerance(length) + 1;
    for (int k = 0; k < VARIABLES; k++) {
        const char *known = variables[k].name + PREFIX_LENGTH;
        size_t apart = cm_spelling_distance(name + PREFIX_LENGTH, length, known, strlen(known));
        if (apart < least) {
            least = apart;
            found = variables[k].name;
        }
    }
    return found;
}

static void complain_of_unknown(const char *name)
{
    const int length = (int)strcspn(name, "=");
    const char *meant = nearest(name, (size_t)length);
    if (meant)
        fprintf(stderr, "clustermark: unknown environment variable %.*s; did you mean %s?\n",
                length, name, meant);
    else
        fprintf(stderr,
                "clustermark: unknown environment variable %.*s; `clustermark env` lists the valid "
                "ones\n",
                length, name);
}

int cm_environment_read(cm_environment *environment)
{
    const char *unknown = find_unknown();
    if (unknown) {
        if (cm_launch_rank() == 0) complain_of_unknown(unknown);
        return CM_EXIT_USAGE;
    }
    for (int k = 0; k < VARIABLES; k++) {
        const variable *v = &variables[k];
        if (!rename_old(v)) return CM_EXIT_USAGE;
        const char *text = raw_of(v);
        if (!set(v, text, environment)) {
            if (cm_launch_rank() == 0) complain(v, text);
            return CM_EXIT_USAGE;
        }
    }
    return 0;
}

void cm_environment_each(void (*each)(const char *name, const char *initial, const char *meaning,
                                      void *context),
                         void *context)
{
    for (int k = 0; k < VARIABLES; k++)
        each(variables[k].name, variables[k].initial, variables[k].meaning, context);
}

static void print_value(const variable *v, const cm_environment *environment)
{
    const void *from = (const char *)environment + v->offset;
    const char *text;
    char range[24] = "any";
    switch (v->kind) {
    case KIND_BYTES:
        printf(" %-10zu", *(const size_t *)from);
        break;
    case KIND_AHEAD:
        if (((const cm_ahead *)from)->grows) printf(" %-10s", "auto");
        else printf(" %-10zu", ((const cm_ahead *)from)->bytes);
        break;
    case KIND_COUNT:
        printf(" %-10d", *(const int *)from);
        break;
    case KIND_FLAG:
        printf(" %-10d", *(const bool *)from);
        break;
    case KIND_REAL:
        printf(" %-10g", *(const double *)from);
        break;
    case KIND_PORTS:
        if (((const cm_ports *)from)->low)
            snprintf(range, sizeof range, "%d-%d", ((const cm_ports *)from)->low,
                     ((const cm_ports *)from)->high);
        printf(" %-10s", range);
        break;
    case KIND_COPY:
        printf(" %-10s", choices_of(v)[*(const cm_copy_way *)from]);
        break;
    case KIND_TEXT:
    case KIND_SET:
        text = *(const char *const *)from;
        printf(" %-10s", text ? text : "-");
        break;
    }
}

void cm_environment_print(void)
{
    printf("%-22s %-10s %-10s %s\n", "variable", "value", "default", "meaning");
    for (int k = 0; k < VARIABLES; k++) {
        const variable *v = &variables[k];
        cm_environment environment;
        memset(&environment, 0, sizeof environment);
        printf("%-22s", v->name);
        if (set(v, raw_of(v), &environment)) print_value(v, &environment);
        else printf(" %-10s", "(invalid)");
        printf(" %-10s %s\n", v->initial ? v->initial : "-", v->meaning);
    }
}

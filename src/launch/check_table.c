/* SPDX-License-Identifier: BSD-3-Clause */
/* check_table.c: the table of cmrun --check, and what is wrong. */
#include "config.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "launch/check_internal.h"

enum { COLUMNS = 80, PAIRS_MOST = 40 };

/* Above this, files of different hosts have misleading times. */
static const double clocks_apart_s = 1;

/* ---- The table ------------------------------------------------------------------------------- */

static const char *limit_text(long long value, bool bytes, char *text, size_t size)
{
    static const char units[] = " kMGT";
    int unit = 0;
    if (value == -2) return "?";
    if (value < 0) return "none";
    for (; bytes && value >= 10240 && units[unit + 1]; unit++) value /= 1024;
    snprintf(text, size, unit ? "%lld%c" : "%lld", value, units[unit]);
    return text;
}

static const char *clock_text(const check_remote *host, char *text, size_t size)
{
    if (!host->clock_told) return "?";
    if (fabs(host->clock_s) <= host->clock_error_s + 0.1) return "same";
    snprintf(text, size, fabs(host->clock_s) < 1e5 ? "%+.1f" : "%+.1e", host->clock_s);
    return text;
}

/* The interfaces over which a host reaches the others, each once. */
static const char *networks_of(const check *check, const check_remote *host, char *text,
                               size_t size)
{
    text[0] = 0;
    for (int k = 0; k < check->n; k++) {
        bool is_new = host->used[k];
        for (int other = 0; other < k && is_new; other++)
            is_new = !host->used[other] || strcmp(host->used[other], host->used[k]) != 0;
        const size_t used = strlen(text);
        if (is_new) snprintf(text + used, size - used, "%s%s", used ? "," : "", host->used[k]);
    }
    return *text ? text : "-";
}

static const char *version_of(const check_remote *host, char *text, size_t size)
{
    snprintf(text, size, "%.*s", (int)strcspn(host->version, " "), host->version);
    return text;
}

static void print_table(const check *check)
{
    char text[6][64];
    int width = 4;
    for (int k = 0; k < check->n; k++) {
        const int length = (int)strlen(check->host[k].name);
        if (length > width) width = length < 20 ? length : 20;
    }
    printf("%-*s %-8s %8s %7s %9s %7s %8s %s\n", width, "host", "version", "files", "locked",
           "processes", "backlog", "clock_s", "network");
    for (int k = 0; k < check->n; k++) {
        const check_remote *host = &check->host[k];
        printf("%-*s ", width, host->name);
        if (strlen(host->name) > (size_t)width) printf("\n%-*s ", width, "");
        if (host->phase == CHECK_LOST) {
            puts("not looked at");
            continue;
        }
        printf("%-8s %8s %7s %9s %7s %8s %s\n", version_of(host, text[0], 64),
               limit_text(host->files, false, text[1], 64),
               limit_text(host->locked, true, text[2], 64),
               limit_text(host->processes, false, text[3], 64),
               limit_text(host->backlog, false, text[4], 64), clock_text(host, text[5], 64),
               networks_of(check, host, (char[256]){0}, 256));
    }
}

/* ---- What is wrong --------------------------------------------------------------------------- */

typedef struct {
    int fails, notes;
} found;

/* Prints a line, broken before column 80, and counts it. */
__attribute__((format(printf, 3, 4))) static void say(found *found, bool fails, const char *format,
                                                      ...)
{
    char *text;
    va_list list;
    va_start(list, format);
    const int bytes = vasprintf(&text, format, list);
    va_end(list);
    if (bytes < 0) return;
    int column = printf("%s", fails ? "FAIL" : "note");
    for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n")) {
        const int length = (int)strlen(word);
        if (column + 1 + length > COLUMNS) column = printf("\n    ") - 1;
        column += printf(" %s", word);
    }
    putchar('\n');
    if (fails) found->fails++;
    else found->notes++;
    free(text);
}

static void say_lines(found *found, bool fails, const check_remote *host, const char *lines)
{
    for (const char *at = lines; at && *at;) {
        const int length = (int)strcspn(at, "\n");
        say(found, fails, "%s: %.*s", host->name, length, at);
        at += length + (at[length] == '\n');
    }
}

/* The first host that was looked at: the others are compared with it. */
static const check_remote *first_of(const check *check)
{
    for (int k = 0; k < check->n; k++)
        if (check->host[k].phase != CHECK_LOST) return &check->host[k];
    return NULL;
}

static bool is_below(long long limit, long long needed) { return limit >= 0 && limit < needed; }

static void say_limits(const check *check, const check_remote *host, found *found)
{
    /* As a rank counts its files; see limits.c of the engine. */
    const long long ranks = check->plan->ranks, files = 2 * (ranks - 1) + 32;
    if (is_below(host->files, files))
        say(found, true,
            "%s: a rank may open %lld files (ulimit -Hn), but each of %lld ranks may need %lld",
            host->name, host->files, ranks, files);
    if (is_below(host->processes, host->ranks + 2))
        say(found, true, "%s: a user may have %lld processes (ulimit -u), but %d ranks start there",
            host->name, host->processes, host->ranks);
    if (check->plan->ports && check->plan->ports < host->ranks)
        say(found, true, "%s: CM_PORTS has %d ports, but each of %d ranks there needs one",
            host->name, check->plan->ports, host->ranks);
    if (is_below(host->backlog, ranks - 1))
        say(found, false,
            "%s: net.core.somaxconn is %lld: if %lld ranks connect to one at once, some wait for "
            "seconds",
            host->name, host->backlog, ranks - 1);
}

static void say_host(const check *check, const check_remote *host, found *found)
{
    const check_remote *first = first_of(check);
    if (host->phase == CHECK_LOST) {
        say(found, true, "%s %s", host->name, host->lost ? host->lost : "was lost");
        return;
    }
    if (strcmp(host->version, first->version) != 0)
        say(found, true, "%s: it has version %s, but %s has %s", host->name,
            *host->version ? host->version : "unknown", first->name, first->version);
    say_lines(found, true, host, host->wrong);
    say_limits(check, host, found);
    if (host->locked != first->locked)
        say(found, false, "%s: locked memory (ulimit -l) has another limit than on %s", host->name,
            first->name);
    if (host->clock_told && fabs(host->clock_s) > clocks_apart_s + host->clock_error_s)
        say(found, false, "%s: its clock is %.1f s %s this host's", host->name, fabs(host->clock_s),
            host->clock_s > 0 ? "ahead of" : "behind");
}

/* Names that a host does not know, in one line each host. */
static void say_names(const check_remote *host, found *found)
{
    enum { SHOWN = 8 };
    char *names = host->unresolved ? strdup(host->unresolved) : NULL;
    int n = 1;
    if (!names) return;
    for (char *at = names; (at = strchr(at, '\n')); n++) *at++ = n < SHOWN ? ' ' : '\0';
    if (n > SHOWN)
        say(found, false, "%s: %d names of hosts do not resolve there: %s ...", host->name, n,
            names);
    else say(found, false, "%s: these names of hosts do not resolve there: %s", host->name, names);
    free(names);
}

static void say_pairs(const check *check, found *found)
{
    int more = 0, said = 0, fail = 0;
    for (int k = 0; k < check->n; k++) {
        const check_remote *host = &check->host[k];
        for (int i = 0; i < host->faults; i++) {
            const check_fault *fault = &host->fault[i];
            const bool fails = !host->used[fault->to];
            const char *name = check->host[fault->to].name;
            fail += fails;
            if (said++ >= PAIRS_MOST) {
                more++;
                found->fails += fails;
            } else
                say(found, fails, "%s to %s%s: %s", host->name, name,
                    fails ? "" : " (another network carries)", fault->text);
        }
    }
    if (more) printf("     %d more pairs are not shown\n", more);
    if (fail && !check->plan->ports)
        puts("     The kernel chose these ports. If a firewall lets some through, set CM_PORTS.");
}

/* How many pairs of two hosts that were looked at connect in both directions. */
static void say_sum(const check *check, const found *found)
{
    int pairs = 0, connected = 0;
    for (int a = 0; a < check->n; a++)
        for (int b = a + 1; b < check->n; b++) {
            pairs++;
            connected += check->host[a].used[b] && check->host[b].used[a];
        }
    printf("%d of %d pairs of hosts connect both ways; %d fault%s, %d note%s\n", connected, pairs,
           found->fails, found->fails == 1 ? "" : "s", found->notes, found->notes == 1 ? "" : "s");
}

bool check_print(const check *check)
{
    found found = {0, 0};
    print_table(check);
    putchar('\n');
    for (int k = 0; k < check->n; k++) say_host(check, &check->host[k], &found);
    say_pairs(check, &found);
    for (int k = 0; k < check->n; k++)
        if (check->host[k].phase != CHECK_LOST) say_names(&check->host[k], &found);
    say_sum(check, &found);
    return found.fails > 0;
}

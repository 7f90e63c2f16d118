/* SPDX-License-Identifier: BSD-3-Clause */
/* check.c: cmrun --check: tells the helpers on the hosts what to look at, and gathers what they
   say; see check_internal.h. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "base/exit.h"
#include "launch/check_internal.h"
#include "launch/loop.h"

/* ---- Saying ---------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static void say(check_remote *host, const char *format, ...)
{
    char *line, *more;
    va_list list;
    va_start(list, format);
    const int bytes = vasprintf(&line, format, list);
    va_end(list);
    if (bytes < 0) return;
    if ((more = realloc(host->to, host->to_bytes + (size_t)bytes))) {
        memcpy(more + host->to_bytes, line, (size_t)bytes);
        host->to = more;
        host->to_bytes += (size_t)bytes;
    }
    free(line);
}

static void say_what_to_look_at(const check *check, check_remote *host)
{
    char *folder = getcwd(NULL, 0);
    for (const char *const *each = check->plan->variables; *each; each++)
        if (!strchr(*each, '\n')) say(host, "variable %s\n", *each);
    if (folder) say(host, "folder %s\n", folder);
    say(host, "program %s\nhost %d %d\n", check->plan->program, host->number, check->n);
    for (int k = 0; k < check->n; k++) say(host, "name %d %s\n", k, check->host[k].name);
    say(host, "look\n");
    free(folder);
}

static double realtime_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Hearing --------------------------------------------------------------------------------- */

static void add_line(char **lines, const char *line)
{
    char *all;
    if (asprintf(&all, "%s%s%s", *lines ? *lines : "", *lines ? "\n" : "", line) < 0) return;
    free(*lines);
    *lines = all;
}

/* "NUMBER INTERFACE" */
static void note_used(const check *check, check_remote *host, const char *text)
{
    int to, at = 0;
    if (sscanf(text, "%d %n", &to, &at) == 1 && at && to >= 0 && to < check->n && !host->used[to])
        host->used[to] = strdup(text + at);
}

/* "NUMBER ADDRESS PORT WORDS" */
static void note_fault(const check *check, check_remote *host, const char *text)
{
    char address[64], *all;
    int to, port, at = 0;
    if (sscanf(text, "%d %63s %d %n", &to, address, &port, &at) != 3 || !at || to < 0
        || to >= check->n)
        return;
    check_fault *last = host->faults ? &host->fault[host->faults - 1] : NULL;
    const bool same = last && last->to == to;
    const int bytes = port ? asprintf(&all, "%s%s%s port %d: %s", same ? last->text : "",
                                      same ? "; " : "", address, port, text + at)
                           : asprintf(&all, "%s", text + at);
    if (bytes < 0) return;
    if (same) {
        free(last->text);
        last->text = all;
        return;
    }
    check_fault *more = realloc(host->fault, (size_t)(host->faults + 1) * sizeof *more);
    if (!more) {
        free(all);
        return;
    }
    host->fault = more;
    host->fault[host->faults++] = (check_fault){to, all};
}

static void note_clock(check_remote *host, const char *text)
{
    const double now_s = realtime_s(), half_s = (now_s - host->clock_asked_s) / 2;
    host->clock_s = strtod(text, NULL) - (host->clock_asked_s + half_s);
    host->clock_error_s = half_s;
    host->clock_told = true;
}

/* What a shell's start-up files print among the lines is passed over. */
static void hear(const check *check, check_remote *host, char *line)
{
    static const char *const limits[] = {"files", "locked", "processes", "backlog"};
    long long *const values[] = {&host->files, &host->locked, &host->processes, &host->backlog};
    char *rest = line + strcspn(line, " ");
    if (*rest) *rest++ = 0;
    for (int i = 0; i < 4; i++)
        if (strcmp(line, limits[i]) == 0) *values[i] = strtoll(rest, NULL, 10);
    if (strcmp(line, "version") == 0) snprintf(host->version, sizeof host->version, "%s", rest);
    else if (strcmp(line, "unresolved") == 0) add_line(&host->unresolved, rest);
    else if (strcmp(line, "wrong") == 0) add_line(&host->wrong, rest);
    else if (strcmp(line, "used") == 0) note_used(check, host, rest);
    else if (strcmp(line, "fault") == 0) note_fault(check, host, rest);
    else if (strcmp(line, "card") == 0 && !host->card) host->card = strdup(rest);
    else if (strcmp(line, "done") == 0) host->phase = CHECK_IS_DONE;
    else if (strcmp(line, "ready") == 0) {
        host->clock_asked_s = realtime_s();
        say(host, "clock\n");
    } else if (strcmp(line, "clock") == 0) {
        note_clock(host, rest);
        host->phase = CHECK_IS_READY;
    }
}

static const char *last_words(check_remote *host)
{
    while (host->words_bytes > 0 && strchr(" \t\r\n", host->words[host->words_bytes - 1]))
        host->words_bytes--;
    host->words[host->words_bytes] = 0;
    const char *line = strrchr(host->words, '\n');
    return line ? line + 1 : host->words;
}

static void hear_words(check_remote *host)
{
    if (host->words_bytes > sizeof host->words / 2) {
        memmove(host->words, host->words + host->words_bytes / 2,
                host->words_bytes - host->words_bytes / 2);
        host->words_bytes -= host->words_bytes / 2;
    }
    const ssize_t got = read(host->err, host->words + host->words_bytes,
                             sizeof host->words - 1 - host->words_bytes);
    if (got > 0) host->words_bytes += (size_t)got;
    else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        close(host->err);
        host->err = -1;
    }
}

/* Its last words may come a moment after its end. */
static void has_ended(check_remote *host)
{
    struct pollfd words = {.fd = host->err, .events = POLLIN};
    while (host->err >= 0 && poll(&words, 1, 500) > 0) {
        hear_words(host);
        words.fd = host->err;
    }
    const char *why = last_words(host);
    check_lose(host, "%s%s", host->phase == CHECK_LOOKS ? "cannot be reached" : "is lost",
               *why ? "" : ": its launcher ended without a word");
    if (!*why) return;
    char *all;
    if (asprintf(&all, "%s: %s", host->lost ? host->lost : "", why) < 0) return;
    free(host->lost);
    host->lost = all;
}

static void read_lines(const check *check, check_remote *host)
{
    const ssize_t got =
        read(host->out, host->line + host->line_bytes, sizeof host->line - 1 - host->line_bytes);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
        has_ended(host);
        return;
    }
    host->line_bytes += (size_t)got;
    host->line[host->line_bytes] = 0;
    for (char *end; (end = memchr(host->line, '\n', host->line_bytes));) {
        const size_t bytes = (size_t)(end + 1 - host->line);
        *end = 0;
        hear(check, host, host->line);
        memmove(host->line, host->line + bytes, host->line_bytes - bytes);
        host->line_bytes -= bytes;
    }
    if (host->line_bytes == sizeof host->line - 1) host->line_bytes = 0; /* none of ours */
}

static void write_lines(check_remote *host)
{
    const ssize_t n = write(host->in, host->to, host->to_bytes);
    if (n < 0 && errno != EAGAIN && errno != EINTR) host->to_bytes = 0; /* its end says why */
    if (n <= 0) return;
    memmove(host->to, host->to + n, host->to_bytes - (size_t)n);
    host->to_bytes -= (size_t)n;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static int count(const check *check, check_phase phase)
{
    int n = 0;
    for (int k = 0; k < check->n; k++) n += check->host[k].phase == phase;
    return n;
}

/* Waits until a host says something, or for a moment. */
static void wait_for_any(check *check, struct pollfd *file)
{
    int n = 0;
    for (int k = 0; k < check->n; k++) {
        const check_remote *host = &check->host[k];
        const bool open = host->phase != CHECK_WAITS && host->phase != CHECK_LOST;
        file[n++] = (struct pollfd){.fd = open ? host->out : -1, .events = POLLIN};
        file[n++] = (struct pollfd){.fd = open ? host->err : -1, .events = POLLIN};
        file[n++] =
            (struct pollfd){.fd = open && host->to_bytes ? host->in : -1, .events = POLLOUT};
    }
    if (poll(file, (nfds_t)n, 100) <= 0) return;
    for (int k = 0; k < check->n; k++) {
        check_remote *host = &check->host[k];
        if (file[3 * k + 1].revents && file[3 * k + 1].fd >= 0) hear_words(host);
        if (file[3 * k + 2].revents && file[3 * k + 2].fd >= 0) write_lines(host);
        if (file[3 * k].revents && file[3 * k].fd >= 0) read_lines(check, host);
    }
}

static void lose_silent(check *check, check_phase phase, double limit_s)
{
    limit_s = fmin(limit_s, check->plan->timeout_s);
    for (int k = 0; k < check->n; k++) {
        check_remote *host = &check->host[k];
        if (host->phase != phase || loop_now_s() - host->since_s < limit_s) continue;
        const char *why = last_words(host);
        check_lose(host, "is silent: no answer within %g s%s%s", limit_s, *why ? ": " : "", why);
    }
}

static void look(check *check, struct pollfd *file)
{
    int begun = 0;
    do {
        for (; begun < check->n && count(check, CHECK_LOOKS) < check->plan->fan_out; begun++) {
            check_remote *host = &check->host[begun];
            if (!check_start(check, host)) continue;
            host->phase = CHECK_LOOKS;
            say_what_to_look_at(check, host);
        }
        wait_for_any(check, file);
        lose_silent(check, CHECK_LOOKS, check->plan->start_limit_s);
    } while (begun < check->n || count(check, CHECK_LOOKS) > 0);
}

/* The hosts connect at the same time. Each of them takes CHECK_SILENCE_S for every 32 hosts that do
   not answer (check_pairs.c). */
static void connect_all(check *check, struct pollfd *file)
{
    const double limit_s = 30 + CHECK_SILENCE_S * (1 + check->n / 32);
    for (int k = 0; k < check->n; k++) {
        check_remote *host = &check->host[k];
        if (host->phase != CHECK_IS_READY) continue;
        for (int other = 0; other < check->n; other++)
            if (check->host[other].phase != CHECK_LOST && check->host[other].card)
                say(host, "card %d %s\n", other, check->host[other].card);
        say(host, "connect\n");
    }
    for (int k = 0; k < check->n; k++) {
        if (check->host[k].phase != CHECK_IS_READY) continue;
        check->host[k].phase = CHECK_CONNECTS;
        check->host[k].since_s = loop_now_s();
    }
    while (count(check, CHECK_CONNECTS) > 0) {
        wait_for_any(check, file);
        lose_silent(check, CHECK_CONNECTS, limit_s);
    }
}

static bool provide(check *check, const check_plan *plan, const files_limit *files)
{
    const host_list *list = plan->hosts;
    *check = (struct check){.plan = plan, .files = files, .n = list->n};
    if (!(check->host = calloc((size_t)list->n, sizeof *check->host))) return false;
    for (int k = 0; k < list->n; k++) {
        check->host[k] = (check_remote){.name = list->host[k].name,
                                        .number = k,
                                        .ranks = list->host[k].count,
                                        .in = -1,
                                        .out = -1,
                                        .err = -1,
                                        .files = -2,
                                        .locked = -2,
                                        .processes = -2,
                                        .backlog = -2};
        if (!(check->host[k].used = calloc((size_t)list->n, sizeof *check->host[k].used)))
            return false;
    }
    return true;
}

static void forget(check *check)
{
    for (int k = 0; check->host && k < check->n; k++) {
        check_remote *host = &check->host[k];
        check_end(host);
        for (int i = 0; i < host->faults; i++) free(host->fault[i].text);
        for (int i = 0; host->used && i < check->n; i++) free(host->used[i]);
        char *const texts[] = {host->to, host->lost, host->card, host->unresolved, host->wrong};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) free(texts[i]);
        free(host->used);
        free(host->fault);
    }
    free(check->host);
}

int check_run(const check_plan *plan)
{
    enum { FILES = 3, OTHERS = 32 };
    check check;
    files_limit files;
    int status = files_provide(plan->hosts->n, "hosts", FILES, OTHERS, &files);
    if (status) return status;
    status = CM_EXIT_SYSTEM;
    struct pollfd *file = calloc(FILES * (size_t)plan->hosts->n, sizeof *file);
    signal(SIGPIPE, SIG_IGN);
    if (!file || !provide(&check, plan, &files)) {
        fprintf(stderr, "cmrun: --check: out of memory for %d hosts\n", plan->hosts->n);
    } else {
        look(&check, file);
        connect_all(&check, file);
        status = check_print(&check) ? CM_EXIT_WRONG : CM_EXIT_PASS;
        if (count(&check, CHECK_LOST) == check.n) {
            fprintf(stderr, "cmrun: --check: none of the hosts could be looked at\n");
            status = CM_EXIT_SYSTEM;
        }
        if (fflush(stdout) != 0) status = CM_EXIT_SYSTEM;
    }
    if (file) forget(&check);
    free(file);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c: asks programs what their metrics mean. */
#include "config.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "common/memory.h"
#include "metrics.h"

extern char **environ;

enum { LIMIT_MS = 5000, LIMIT_BYTES = 1 << 20 };

static long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000L + now.tv_nsec / 1000000;
}

/* Starts it in a process group of its own, its standard output being this file. It begins with no
   signal blocked, whatever this process does with its own. */
static bool start(const char *path, int output, pid_t *pid)
{
    char *const arguments[] = {(char *)path, "--print-metrics", NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, ignored;
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    if (posix_spawn_file_actions_init(&files) != 0) return false;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return false;
    }
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK
                                              | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ignored);
    bool started =
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0
        && posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO) == 0
        && posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0
        && posix_spawn(pid, path, &files, &attributes, arguments, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return started;
}

/* Reads to the end; returns false if that does not come in time, or is too far. */
static bool read_all(int input, long deadline_ms, char **text)
{
    size_t n = 0;
    for (;;) {
        struct pollfd ready = {.fd = input, .events = POLLIN};
        long left_ms = deadline_ms - now_ms();
        if (left_ms <= 0 || n >= LIMIT_BYTES) return false;
        int events = poll(&ready, 1, (int)left_ms);
        if (events < 0 && errno != EINTR) return false;
        if (events <= 0) continue;
        *text = suite_longer(*text, n + 4096 + 1, 1);
        ssize_t got = read(input, *text + n, 4096);
        if (got < 0 && errno != EINTR) return false;
        if (got > 0) n += (size_t)got;
        (*text)[n] = '\0';
        if (got == 0) return true;
    }
}

/* Waits for its end, and brings it about when time is over. Returns true if it ended with 0. */
static bool ended_well(pid_t pid, bool in_time, long deadline_ms)
{
    int status = 0;
    pid_t ended = 0;
    while (in_time && ended != pid && now_ms() < deadline_ms) {
        ended = waitpid(pid, &status, WNOHANG);
        if (ended < 0 && errno != EINTR) return false;
        if (ended != pid) poll(NULL, 0, 2);
    }
    if (ended != pid) {
        kill(-pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
        return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Returns what the program prints, or NULL if it could not be run. */
static char *ask(const char *path)
{
    int ends[2];
    pid_t pid;
    char *text = NULL;
    long deadline_ms = now_ms() + LIMIT_MS;
    if (access(path, X_OK) != 0 || pipe2(ends, O_CLOEXEC) < 0) return NULL;
    bool started = start(path, ends[1], &pid);
    close(ends[1]);
    bool whole = started && read_all(ends[0], deadline_ms, &text);
    close(ends[0]);
    if (started && ended_well(pid, whole, deadline_ms)) return text;
    free(text);
    return NULL;
}

/* Lines "name, unit, better, meaning, label", with tabs between them, or "name, labels, of"; an
   earlier version wrote no label and none of the latter. */
static void read_lines(suite_metrics_program *program, char *text)
{
    for (char *line; (line = strsep(&text, "\n"));) {
        char *name = strsep(&line, "\t");
        const char *unit = strsep(&line, "\t"); /* RESULT lines have it */
        const char *better = strsep(&line, "\t");
        const char *meaning = strsep(&line, "\t");
        if (better && !meaning && strcmp(unit, "labels") == 0) {
            program->of = suite_longer(program->of, program->n_of + 1, sizeof program->of[0]);
            program->of[program->n_of++] = (suite_metric_of){suite_copy(name), suite_copy(better)};
        }
        if (!meaning) continue;
        program->metric = suite_longer(program->metric, program->n + 1, sizeof program->metric[0]);
        program->metric[program->n++] =
            (suite_metric){suite_copy(name), suite_copy(better), suite_copy(meaning),
                           suite_copy(line ? line : "")};
    }
}

static const suite_metrics_program *asked(suite_metrics *metrics, const char *path)
{
    for (size_t k = 0; k < metrics->n; k++)
        if (strcmp(metrics->program[k].path, path) == 0) return &metrics->program[k];
    metrics->program = suite_longer(metrics->program, metrics->n + 1, sizeof metrics->program[0]);
    suite_metrics_program *program = &metrics->program[metrics->n++];
    *program = (suite_metrics_program){.path = suite_copy(path)};
    char *text = ask(path);
    if (text) read_lines(program, text);
    free(text);
    return program;
}

/* The first entry that matches; NULL: the program does not say. */
static const suite_metric *find(suite_metrics *metrics, const char *path, const char *metric)
{
    const suite_metrics_program *program = asked(metrics, path);
    for (size_t k = 0; k < program->n; k++)
        if (fnmatch(program->metric[k].name, metric, 0) == 0) return &program->metric[k];
    return NULL;
}

const char *suite_metrics_meaning(suite_metrics *metrics, const char *path, const char *metric)
{
    const suite_metric *found = find(metrics, path, metric);
    return found ? found->meaning : "";
}

const char *suite_metrics_better(suite_metrics *metrics, const char *path, const char *metric)
{
    const suite_metric *found = find(metrics, path, metric);
    return found ? found->better : "";
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* What the next * of the pattern stands for in the name; goes on behind both. Empty if there is no
   further *. The caller frees. */
static char *next_star(const char **pattern, const char **name)
{
    const char *star = strchr(*pattern, '*');
    if (!star) return suite_copy("");
    *name += star - *pattern;
    *pattern = star + 1;
    size_t next = strcspn(*pattern, "*");
    char *behind = suite_text("%.*s", (int)next, *pattern);
    const char *end = (*pattern)[next] ? strstr(*name, behind) : *name + strlen(*name) - next;
    char *text = suite_text("%.*s", (int)(end - *name), *name);
    *name = end;
    free(behind);
    return text;
}

static void write_star(FILE *out, const char **pattern, const char **name)
{
    char *text = next_star(pattern, name);
    for (const char *c = text; *c; c++) fputc(*c == '_' ? ' ' : *c, out);
    free(text);
}

char *suite_metrics_label(suite_metrics *metrics, const char *path, const char *metric)
{
    const suite_metric *found = find(metrics, path, metric);
    if (!found || !*found->label) return suite_copy(metric);
    const char *pattern = found->name, *name = metric;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return suite_copy(metric);
    for (const char *c = found->label; *c; c++)
        if (*c == '*') write_star(out, &pattern, &name);
        else fputc(*c, out);
    if (fclose(out) != 0) return suite_copy(metric);
    /* Symbols of a model, as g and G, stay what they are. */
    if (*found->label == '*') text[0] = (char)toupper((unsigned char)text[0]);
    return text;
}

/* A label's value without low lines at its ends; the caller frees. */
static char *value_of(const char *told, const char **pattern, const char **name)
{
    if (strcmp(told, "*") != 0) return suite_copy(told);
    char *star = next_star(pattern, name);
    const char *from = star + strspn(star, "_");
    size_t length = strlen(from);
    while (length > 0 && from[length - 1] == '_') length--;
    char *value = suite_text("%.*s", (int)length, from);
    free(star);
    return value;
}

suite_labels suite_metrics_labels(suite_metrics *metrics, const char *path, const char *metric)
{
    const suite_metrics_program *program = asked(metrics, path);
    suite_labels all = {0};
    for (size_t k = 0; k < program->n_of; k++) {
        const char *pattern = program->of[k].name, *name = metric;
        if (fnmatch(pattern, metric, 0) != 0) continue;
        char *copy = suite_copy(program->of[k].of), *rest = copy;
        all.quantity = suite_copy(strsep(&rest, " "));
        for (char *word; (word = strsep(&rest, " "));) {
            const char *key = strsep(&word, "=");
            if (!word) continue;
            char *value = value_of(word, &pattern, &name);
            all.label = suite_longer(all.label, all.n + 1, sizeof *all.label);
            all.label[all.n++] = (suite_label){suite_copy(key), value};
        }
        free(copy);
        break;
    }
    return all;
}

void suite_labels_free(suite_labels *labels)
{
    for (size_t k = 0; k < labels->n; k++) {
        free(labels->label[k].key);
        free(labels->label[k].value);
    }
    free(labels->label);
    free(labels->quantity);
    *labels = (suite_labels){0};
}

void suite_metrics_free(suite_metrics *metrics)
{
    for (size_t p = 0; p < metrics->n; p++) {
        suite_metrics_program *program = &metrics->program[p];
        for (size_t k = 0; k < program->n; k++) {
            free(program->metric[k].name);
            free(program->metric[k].better);
            free(program->metric[k].meaning);
            free(program->metric[k].label);
        }
        for (size_t k = 0; k < program->n_of; k++) {
            free(program->of[k].name);
            free(program->of[k].of);
        }
        free(program->of);
        free(program->metric);
        free(program->path);
    }
    free(metrics->program);
    *metrics = (suite_metrics){0};
}

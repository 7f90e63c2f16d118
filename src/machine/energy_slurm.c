/* SPDX-License-Identifier: BSD-3-Clause */
/* energy_slurm.c: what Slurm says of the energy of this node, by scontrol. */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "machine/energy_slurm.h"
#include "measure/clock.h"

extern char **environ;

static const double answer_s = 5; /* a controller that is busy answers later than that */
enum { TEXT_BYTES = 1 << 16 };    /* some sites' configuration has more than 16 KiB */

/* Signals of this process are not for scontrol. */
static bool start(char *const argv[], int out, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none;
    sigemptyset(&none);
    if (posix_spawn_file_actions_init(&files) != 0) return false;
    if (posix_spawnattr_init(&how) != 0) {
        posix_spawn_file_actions_destroy(&files);
        return false;
    }
    bool started =
        posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0) == 0
        && posix_spawn_file_actions_adddup2(&files, out, 1) == 0
        && posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0) == 0
        && posix_spawnattr_setsigmask(&how, &none) == 0 && posix_spawnattr_setpgroup(&how, 0) == 0
        && posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP) == 0
        && posix_spawnp(pid, argv[0], &files, &how, argv, environ) == 0;
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    return started;
}

/* Reads until the end; returns false if that does not come in time. */
static bool collect(int in, char text[TEXT_BYTES])
{
    const double until_s = cm_clock_now_s() + answer_s;
    size_t used = 0;
    for (;;) {
        double left_s = until_s - cm_clock_now_s();
        struct pollfd file = {.fd = in, .events = POLLIN};
        if (left_s <= 0) return false;
        if (poll(&file, 1, (int)(1000 * left_s) + 1) <= 0) continue;
        ssize_t got = read(in, text + used, TEXT_BYTES - 1 - used);
        if (got <= 0) break;
        used += (size_t)got;
        if (used == TEXT_BYTES - 1) return false;
    }
    text[used] = '\0';
    return true;
}

static bool ask(char *const argv[], char text[TEXT_BYTES])
{
    int ends[2], status = -1;
    pid_t pid;
    text[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) < 0) return false;
    bool started = start(argv, ends[1], &pid);
    close(ends[1]);
    bool answered = started && collect(ends[0], text);
    close(ends[0]);
    if (!started) return false;
    if (!answered) kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return answered && status == 0;
}

/* Copies the value of NAME=VALUE, which ends at a blank. */
static bool find(const char *text, const char *name, char *value, size_t bytes)
{
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        if ((at > text && !strchr(" \n", at[-1])) || at[length] != '=') continue;
        size_t n = strcspn(at + length + 1, " \n");
        if (n >= bytes) return false;
        memcpy(value, at + length + 1, n);
        value[n] = '\0';
        return true;
    }
    return false;
}

static bool is_allocated(void)
{
    const char *node = getenv("SLURMD_NODENAME");
    return getenv("SLURM_JOB_ID") && node && *node;
}

static bool ask_node(char text[TEXT_BYTES])
{
    char *const argv[] = {(char[]){"scontrol"}, (char[]){"show"}, (char[]){"node"},
                          getenv("SLURMD_NODENAME"), NULL};
    return is_allocated() && ask(argv, text);
}

static bool read_number(const char *text, const char *field, int64_t *value)
{
    char number[32], *end;
    if (!find(text, field, number, sizeof number)) return false;
    *value = strtoll(number, &end, 10);
    return end != number && !*end && *value > 0;
}

bool cm_machine_slurm_counter(const char *field, int64_t *value)
{
    char text[TEXT_BYTES];
    return ask_node(text) && read_number(text, field, value);
}

const char *cm_machine_slurm_find(const char *const *fields, char *said, size_t bytes)
{
    char text[TEXT_BYTES], watts[32];
    int64_t value;
    if (!is_allocated()) return NULL;
    if (!ask_node(text)) {
        snprintf(said, bytes, "Slurm: scontrol show node does not answer");
        return NULL;
    }
    for (; *fields; fields++)
        if (read_number(text, *fields, &value)) return *fields;
    if (find(text, "CurrentWatts", watts, sizeof watts))
        snprintf(said, bytes, "Slurm: CurrentWatts=%s", watts);
    else snprintf(said, bytes, "Slurm: no CurrentWatts");
    return NULL;
}

double cm_machine_slurm_interval_s(void)
{
    /* "AcctGatherNodeFreq      = 30 sec" */
    char text[TEXT_BYTES];
    char *const argv[] = {(char[]){"scontrol"}, (char[]){"show"}, (char[]){"config"}, NULL};
    static const char name[] = "\nAcctGatherNodeFreq";
    double interval_s = 0;
    if (!ask(argv, text)) return -1;
    const char *line = strstr(text, name);
    return line && sscanf(line + sizeof name - 1, " = %lf", &interval_s) == 1 ? interval_s : 0;
}

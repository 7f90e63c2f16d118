/* SPDX-License-Identifier: BSD-3-Clause */
/* open.c: starts a browser. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "memory.h"
#include "open.h"
#include "say.h"
#include "words.h"

extern char **environ;

enum { MOMENT_MS = 2000, STEP_MS = 20 };

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

/* The first program of $BROWSER, a list that colons separate, that can be run: a command, in which
   %s stands for the page. Without the variable: xdg-open. */
static bool find_browser(const char *path, suite_words *command)
{
    char *list = suite_copy(is_set("BROWSER") ? getenv("BROWSER") : "xdg-open"), *rest = list;
    for (char *one; command->n == 0 && (one = strsep(&rest, ":"));) {
        suite_words words = {0};
        bool whole = suite_words_split(&words, one);
        if (whole && words.n > 0 && suite_can_be_found(words.word[0])) {
            bool named = false;
            for (size_t k = 0; k < words.n; k++) {
                char *word = suite_replace(words.word[k], "%s", path);
                named |= strcmp(word, words.word[k]) != 0;
                suite_words_add(command, word);
                free(word);
            }
            if (!named) suite_words_add(command, path);
        }
        suite_words_free(&words);
    }
    free(list);
    return command->n > 0;
}

/* Starts the command in a session of its own, with default signals, and without this terminal. */
static int start(char *const *command, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawn_file_actions_init(&files);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK
                                                  | POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        for (int fd = 0; fd <= 2 && !error; fd++)
            error = posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
        if (!error) error = posix_spawnp(pid, command[0], &files, &attributes, command, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* False if it ended within a moment, and not well. */
static bool goes_well(pid_t pid)
{
    for (int waited_ms = 0; waited_ms < MOMENT_MS; waited_ms += STEP_MS) {
        int status;
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (ended < 0 && errno != EINTR) return true;
        poll(NULL, 0, STEP_MS);
    }
    return true;
}

void suite_open_page(const char *command, const char *path)
{
    suite_words browser = {0};
    pid_t pid;
    bool display = is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    bool far = is_set("SSH_CONNECTION") || is_set("SSH_CLIENT") || is_set("SSH_TTY");
    if (!display && (far || !is_set("BROWSER")))
        suite_say("%s: --open: there is no display%s; the page is %s", command,
                  far ? " over this ssh" : "", path);
    else if (!find_browser(path, &browser))
        suite_say("%s: --open: %s cannot be run; the page is %s", command,
                  is_set("BROWSER") ? "what BROWSER names" : "xdg-open", path);
    else {
        int error = start(browser.word, &pid);
        if (error) suite_say("%s: --open: %s: %s", command, browser.word[0], strerror(error));
        else if (!goes_well(pid))
            suite_say("%s: --open: %s failed; the page is %s", command, browser.word[0], path);
    }
    suite_words_free(&browser);
}

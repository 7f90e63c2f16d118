/* SPDX-License-Identifier: BSD-3-Clause */
/* sign.c: signatures by ssh-keygen (PROTOCOL.sshsig, namespace "clustermark") and by gpg. They run
   in the foreground, so that they can ask for a passphrase. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "comm/comm.h"
#include "common/memory.h"
#include "common/say.h"
#include "common/words.h"
#include "results/folder.h"
#include "seal.h"

extern char **environ;

/* Starts a program that does not ignore the signals of defaults. in: its standard input; NULL:
   ours. out: both its standard output and its standard error. Returns 0 or an errno. */
static int start(const char *path, const char *const *argv, const char *in, int out,
                 const sigset_t *defaults, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        posix_spawnattr_setsigdefault(&attributes, defaults);
        if (in) error = posix_spawn_file_actions_addopen(&actions, 0, in, O_RDONLY, 0);
        if (!error) error = posix_spawn_file_actions_adddup2(&actions, out, 1);
        if (!error) error = posix_spawn_file_actions_adddup2(&actions, out, 2);
        if (!error)
            error = posix_spawn(pid, path, &actions, &attributes, (char *const *)argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

enum { KEYS = 2 };
static const int keys[KEYS] = {SIGINT, SIGQUIT}; /* Ctrl-C, Ctrl-\ */

/* Runs a program to its end. As with system(3), this process ignores the keys meanwhile: it must
   outlive the program to remove unfinished files. Returns 0 and *status, or an errno. */
static int run_ignoring(const char *path, const char *const *argv, const char *in, int out,
                        int *status)
{
    void (*before[KEYS])(int);
    sigset_t defaults;
    pid_t pid;
    sigemptyset(&defaults);
    for (int k = 0; k < KEYS; k++) {
        before[k] = signal(keys[k], SIG_IGN);
        if (before[k] != SIG_IGN) sigaddset(&defaults, keys[k]);
    }
    int error = start(path, argv, in, out, &defaults, &pid);
    if (!error && waitpid(pid, status, 0) < 0) error = errno;
    for (int k = 0; k < KEYS; k++) signal(keys[k], before[k]);
    return error;
}

/* Returns a program's exit status, 128 if it crashed, or -(128 + signal) if a key ended it. */
static int status_of(int status)
{
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    for (int k = 0; k < KEYS; k++)
        if (WTERMSIG(status) == keys[k]) return -(128 + keys[k]);
    return 128;
}

/* Runs a program. in: its standard input, NULL: ours. said: where what it prints goes, NULL: to our
   standard error. Returns its exit status, or the negated exit status of this command:
   CM_EXIT_SYSTEM after one line, 128 and the signal if the program was interrupted. */
static int run(const char *command, const char *const *argv, const char *in, char **said)
{
    char *path = suite_find_program(argv[0]);
    if (!path) {
        suite_say("%s: %s is not there", command, argv[0]);
        return -CM_EXIT_SYSTEM;
    }
    char *output = suite_folder_temporary("clustermark-XXXXXX");
    int file = mkstemp(output), ended = 0;
    if (file < 0) {
        suite_say("%s: cannot make a file %s: %s", command, output, strerror(errno));
        free(output);
        free(path);
        return -CM_EXIT_SYSTEM;
    }
    const int error = run_ignoring(path, argv, in, said ? file : 2, &ended);
    const int status = error ? -CM_EXIT_SYSTEM : status_of(ended);
    if (error) suite_say("%s: cannot run %s: %s", command, path, strerror(error));
    if (said && status >= 0) *said = suite_there(suite_file_text(output));
    close(file);
    unlink(output);
    free(output);
    free(path);
    return status;
}

int suite_sign(const char *sums, const suite_seal_options *options)
{
    int status = 0;
    if (options->ssh_key) {
        const char *const ssh[] = {"ssh-keygen",     "-q", "-Y",          "sign", "-f",
                                   options->ssh_key, "-n", "clustermark", sums,   NULL};
        status = run("seal", ssh, NULL, NULL);
        if (status)
            return suite_fail(status < 0 ? -status : CM_EXIT_USAGE,
                              "seal: --sign %s: ssh-keygen could not sign with it; nothing is "
                              "sealed",
                              options->ssh_key);
    }
    if (options->gpg_key) {
        const char *gpg[12] = {"gpg", "--quiet", "--armor", "--detach-sign"};
        int n = 4;
        if (*options->gpg_key) {
            gpg[n++] = "--local-user";
            gpg[n++] = options->gpg_key;
        }
        gpg[n] = sums;
        status = run("seal", gpg, NULL, NULL);
        if (status)
            return suite_fail(status < 0 ? -status : CM_EXIT_USAGE,
                              "seal: --gpg%s%s: gpg could not sign with %s; nothing is sealed",
                              *options->gpg_key ? "-key " : "", options->gpg_key,
                              *options->gpg_key ? "it" : "its default key");
    }
    return CM_EXIT_PASS;
}

/* What a program said, on lines of ours. */
static void show(char *said)
{
    for (char *rest = said, *line; (line = strsep(&rest, "\n"));)
        if (*line) printf("%s\n", line);
    free(said);
}

static int check_ssh(const char *sums, const char *signature, const char *signers)
{
    char *said;
    if (!signers) {
        const char *const look[] = {"ssh-keygen",  "-Y", "check-novalidate", "-n",
                                    "clustermark", "-s", signature,          NULL};
        int status = run("verify", look, sums, &said);
        if (status < 0) return -status;
        show(said);
        if (status == 0) printf("whose key this is was not looked up: --signers FILE\n");
        return status ? CM_EXIT_WRONG : CM_EXIT_PASS;
    }
    const char *const find[] = {"ssh-keygen", "-Y", "find-principals", "-s",
                                signature,    "-f", signers,           NULL};
    int status = run("verify", find, NULL, &said);
    if (status < 0) return -status;
    if (status) {
        show(said); /* a damaged signature is told there */
        printf("%s: signed by nobody that %s names\n", signature, signers);
        return CM_EXIT_WRONG;
    }
    said[strcspn(said, "\n")] = '\0';
    char *name = said;
    const char *const check[] = {"ssh-keygen", "-Y", "verify",      "-f", signers,   "-I",
                                 name,         "-n", "clustermark", "-s", signature, NULL};
    status = run("verify", check, sums, &said);
    free(name);
    if (status < 0) return -status;
    show(said);
    return status ? CM_EXIT_WRONG : CM_EXIT_PASS;
}

int suite_sign_check(const char *sums, const char *signers, bool *there)
{
    char *ssh = suite_text("%s.sig", sums), *gpg = suite_text("%s.asc", sums), *said;
    int status = CM_EXIT_PASS;
    bool has_ssh = access(ssh, F_OK) == 0, has_gpg = access(gpg, F_OK) == 0;
    if (has_ssh) status = check_ssh(sums, ssh, signers);
    if (has_gpg && !status) {
        const char *const check[] = {"gpg", "--verify", gpg, sums, NULL};
        int answer = run("verify", check, NULL, &said);
        if (answer < 0) status = -answer;
        else if (answer) status = CM_EXIT_WRONG;
        if (answer >= 0) show(said);
    }
    /* Who is asked for is known of ssh's keys alone. */
    *there = has_ssh || (has_gpg && !signers);
    free(ssh);
    free(gpg);
    return status;
}

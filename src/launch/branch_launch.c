/* SPDX-License-Identifier: BSD-3-Clause */
/* branch_launch.c: starts the proxy that carries a branch. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "base/exit.h"
#include "launch/launcher.h"
#include "launch/tree_internal.h"

/* srun executes the words themselves; ssh and its like hand them to a shell. And srun passes only
   whole lines on, unless told otherwise. */
static bool is_srun(const char *launcher)
{
    size_t first = strcspn(launcher, " \t");
    return first >= 4 && strncmp(launcher + first - 4, "srun", 4) == 0
           && (first == 4 || launcher[first - 5] == '/');
}

/* Writes text so that a shell reads it as one word, and ends it with a NUL. */
static void put_word(FILE *out, const char *text, bool shell)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./:,@%";
    const bool quotes = shell && (!*text || text[strspn(text, plain)]);
    if (quotes) putc('\'', out);
    for (; *text; text++)
        if (quotes && *text == '\'') fputs("'\\''", out);
        else putc(*text, out);
    if (quotes) putc('\'', out);
    putc('\0', out);
}

/* Writes the words of a text. Returns their number. */
static size_t put_words(FILE *out, const char *text)
{
    static const char blanks[] = " \t";
    size_t n = 0;
    for (text += strspn(text, blanks); *text; n++) {
        size_t bytes = strcspn(text, blanks);
        fwrite(text, 1, bytes, out);
        putc('\0', out);
        text += bytes;
        text += strspn(text, blanks);
    }
    return n;
}

/* Writes the words of the launcher, HOST, and the command that runs this same program there, each
   with its NUL. The command begins with a program, not with a word of the shell, because a launcher
   need not start a shell. Returns their number. */
static size_t write_words(FILE *out, const char *launcher, const char *name, int step_hosts,
                          const char *self, const char *option)
{
    const char *libraries = getenv("LD_LIBRARY_PATH");
    launcher += strspn(launcher, " \t");
    const bool srun = is_srun(launcher), shell = !srun;
    size_t n = 0, first = strcspn(launcher, " \t");
    if (step_hosts) {
        n += put_words(out, launcher);
        n += (size_t)(fprintf(out, "-N%d", step_hosts) > 0);
        putc('\0', out);
        n += (size_t)(fprintf(out, "-n%d", step_hosts) > 0);
        putc('\0', out);
        put_word(out, "-w", false);
        n++;
    } else if (srun) {
        fwrite(launcher, 1, first, out);
        putc('\0', out);
        put_word(out, "--unbuffered", false);
        n = 2 + put_words(out, launcher + first);
    } else n = put_words(out, launcher);
    put_word(out, name, false);
    if (libraries && *libraries) {
        put_word(out, "env", false);
        fputs("LD_LIBRARY_PATH=", out);
        put_word(out, libraries, shell);
        n += 2;
    }
    put_word(out, self, shell);
    put_word(out, option, false);
    return n + 3;
}

char **launcher_words(const char *launcher, const char *name, int step_hosts, const char *self,
                      const char *option, char **text)
{
    size_t bytes, n = 0;
    FILE *out = open_memstream(text, &bytes);
    if (!out) return NULL;
    n = write_words(out, launcher, name, step_hosts, self, option);
    bool failed = ferror(out);
    if (fclose(out) != 0 || failed) return NULL;
    char **word = calloc(n + 1, sizeof *word), *next = *text;
    for (size_t i = 0; word && i < n; i++) {
        word[i] = next;
        next += strlen(next) + 1;
    }
    return word;
}

/* A proxy is one task, and its ranks need all the processors that the job has on the host. These
   variables would leave it those of one task; from 23.11 on srun reads again the second and third,
   which sbatch and salloc set for --cpus-per-task. */
static void forget_task_size(void)
{
    static const char *const variables[] = {"SRUN_CPUS_PER_TASK", "SLURM_CPUS_PER_TASK",
                                            "SLURM_TRES_PER_TASK", "SLURM_EXACT"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) unsetenv(variables[i]);
}

static _Noreturn void become(char *const *word, const char *path, const int theirs[3],
                             const files_limit *files, pid_t parent)
{
    sigset_t mask;
    /* Signals from the keyboard reach the launcher as well. It must survive them until cmrun has
       passed them on. */
    static const int keyboard[] = {SIGINT, SIGQUIT, SIGTSTP};
    sigemptyset(&mask);
    for (size_t i = 0; i < sizeof keyboard / sizeof keyboard[0]; i++) sigaddset(&mask, keyboard[i]);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(CM_EXIT_SYSTEM);
    for (int i = 0; i < 3; i++)
        if (dup2(theirs[i], i) < 0) _exit(CM_EXIT_SYSTEM);
    files_restore(files);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (!path && is_srun(word[0])) forget_task_size();
    if (path) execv(path, word);
    else execvp(word[0], word);
    fprintf(stderr, "cannot run '%s': %s\n", path ? path : word[0], strerror(errno));
    _exit(127);
}

static void close_ends(int ends[3][2])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if (ends[i][k] >= 0) close(ends[i][k]);
}

/* ends holds pipes for stdin, stdout and stderr; [0] is the end to read from. Returns false on
   failure; see errno. A step has no channel here: *step_in becomes its stdin, and its stdout and
   stderr are one. */
static bool start(branch *branch, char *const *word, const char *path, int ends[3][2], int *step_in)
{
    for (int i = 0; i < 3; i++)
        if (pipe2(ends[i], O_CLOEXEC) < 0) return false;
    const int theirs[3] = {ends[0][0], ends[step_in ? 2 : 1][1], ends[2][1]};
    pid_t parent = getpid();
    fflush(NULL);
    branch->launched_s = loop_now_s();
    branch->pid = fork();
    if (branch->pid == 0) become(word, path, theirs, &branch->tree->files, parent);
    if (branch->pid < 0) {
        branch->pid = 0;
        return false;
    }
    int in = ends[1][0], out = ends[0][1], words = ends[2][0];
    close(ends[0][0]);
    close(ends[1][1]);
    close(ends[2][1]);
    for (int i = 0; i < 3; i++) ends[i][0] = ends[i][1] = -1;
    fcntl(words, F_SETFL, O_NONBLOCK);
    branch->words_watch.fd = words;
    bool heard = loop_watch(branch->tree->epoll, &branch->words_watch, EPOLLIN);
    if (step_in) {
        close(in);
        *step_in = out;
        return heard;
    }
    return heard & channel_open(&branch->channel, branch->tree->epoll, in, out);
}

int branch_launch(branch *branch)
{
    char self[PATH_MAX] = "";
    int ends[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    bool local = branch->local, started = false;
    char *own[] = {self, "--proxy", NULL};
    if (readlink("/proc/self/exe", self, sizeof self - 1) > 0) {
        char *text = NULL, **word = NULL;
        if (!local)
            word = launcher_words(branch->tree->plan.launcher, branch_name(branch), 0, self,
                                  "--proxy", &text);
        if (local) started = start(branch, own, self, ends, NULL);
        else if (word) started = start(branch, word, NULL, ends, NULL);
        free(word);
        free(text);
    }
    if (started) return 0;
    fprintf(stderr, "cmrun: host '%s': cannot start its launcher: %s\n", branch_name(branch),
            strerror(errno));
    close_ends(ends);
    return CM_EXIT_SYSTEM;
}

bool branch_launch_step(branch *launcher, const char *names, int hosts, int *in)
{
    char self[PATH_MAX] = "", *text = NULL, **word = NULL;
    int ends[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    if (readlink("/proc/self/exe", self, sizeof self - 1) > 0)
        word = launcher_words(launcher->tree->plan.launcher, names, hosts, self, "--proxy-of-step",
                              &text);
    bool started = word && start(launcher, word, NULL, ends, in);
    if (!started) close_ends(ends);
    free(word);
    free(text);
    return started;
}

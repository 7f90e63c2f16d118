/* SPDX-License-Identifier: BSD-3-Clause */
/* virtual_place.c: hosts of this machine for `clustermark run --place virtual:HOSTS,...`. */
#include "config.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "comm/comm.h"
#include "launch/signals.h"
#include "common/memory.h"
#include "common/say.h"
#include "virtual_place.h"

static const char scheme[] = "virtual:";
static const char form[] = "virtual:HOSTS[,RATE][,rate=RATE][,delay=TIME][,mtu=BYTES]";

bool suite_virtual_is(const char *place)
{
    return place && strncmp(place, "virtual", strlen("virtual")) == 0;
}

/* ---- Its text -------------------------------------------------------------------------------- */

static bool read_whole(const char *text, long least, long most, long *value)
{
    char *end;
    *value = strtol(text, &end, 10);
    return end != text && !*end && *value >= least && *value <= most;
}

static int read_part(const char *command, const char *place, char *part, virtual_settings *settings)
{
    long bytes;
    char *value = strchr(part, '=');
    if (value) *value++ = '\0';
    if (!value) settings->rate = part;
    else if (strcmp(part, "rate") == 0) settings->rate = value;
    else if (strcmp(part, "delay") == 0) settings->delay = value;
    else if (strcmp(part, "mtu") != 0)
        return suite_fail(CM_EXIT_USAGE, "%s: --place %s: unknown setting '%s'; expected %s",
                          command, place, part, form);
    else if (!read_whole(value, VIRTUAL_MTU_LEAST, VIRTUAL_MTU_MOST, &bytes))
        return suite_fail(CM_EXIT_USAGE, "%s: --place %s: mtu=%s: expected %d to %d bytes", command,
                          place, value, VIRTUAL_MTU_LEAST, VIRTUAL_MTU_MOST);
    else settings->mtu_bytes = bytes;
    return 0;
}

static int read_text(const char *command, const char *place, suite_virtual *hosts)
{
    const size_t length = strlen(scheme);
    char *name = suite_text("clustermark: %s: --place %s", command, place), *rest, *part;
    const cm_program program = {.name = name};
    long n;
    int status = 0;
    hosts->text = suite_copy(strncmp(place, scheme, length) == 0 ? place + length : "");
    rest = hosts->text;
    part = strsep(&rest, ",");
    if (!read_whole(part, 2, VIRTUAL_HOSTS, &n))
        status = suite_fail(CM_EXIT_USAGE, "%s: --place %s: '%s': expected 2 to %d hosts, as in %s",
                            command, place, part, VIRTUAL_HOSTS, form);
    else hosts->settings.hosts = (int)n;
    while (!status && (part = strsep(&rest, ",")))
        status = read_part(command, place, part, &hosts->settings);
    if (!status) status = virtual_settings_read(&program, &hosts->settings);
    free(name);
    return status;
}

/* ---- Whether it is possible ------------------------------------------------------------------ */

static int check(const suite_home *home, const char *command, const char *place,
                 suite_virtual *hosts)
{
    suite_words properties = {0};
    suite_words_split(&properties, CM_PROPERTIES);
    /* A native backend without rails has only shared memory. */
    const bool reaches =
        suite_words_have(&properties, "rails")
        || (suite_words_have(&properties, "processes") && !suite_words_have(&properties, "pmi"));
    suite_words_free(&properties);
    if (!reaches)
        return suite_fail(CM_EXIT_USAGE,
                          "%s: --place %s: the %s backend reaches no other hosts; the mpi, "
                          "sockets and hybrid backends do",
                          command, place, CM_COMM);
    if (geteuid() != 0)
        return suite_fail(CM_EXIT_SYSTEM, "%s: --place %s: network namespaces need root", command,
                          place);
    hosts->program = suite_home_program(home, "clusters/virtual", "virtual-cluster");
    if (access(hosts->program, X_OK) == 0) return 0;
    return suite_fail(CM_EXIT_SYSTEM, "%s: --place %s: the program %s is not there", command, place,
                      hosts->program);
}

static void name_hosts(suite_virtual *hosts)
{
    const char *name = getenv("VIRTUAL_CLUSTER_NAME");
    if (!name || !*name) setenv("VIRTUAL_CLUSTER_NAME", name = "virtual", 1);
    suite_words words = {0};
    for (int k = 1; k <= hosts->settings.hosts; k++) {
        char *host = suite_text("%s%d", name, k);
        suite_words_add(&words, host);
        free(host);
    }
    hosts->first = suite_copy(words.word[0]);
    char *blanks = suite_words_join(&words);
    hosts->hosts = suite_replace(blanks, " ", ",");
    free(blanks);
    suite_words_free(&words);
}

int suite_virtual_read(const suite_home *home, const char *command, const char *place,
                       suite_virtual *hosts)
{
    int status = read_text(command, place, hosts);
    if (!status) status = check(home, command, place, hosts);
    if (!status) name_hosts(hosts);
    return status;
}

void suite_virtual_free(suite_virtual *hosts)
{
    free(hosts->text);
    free(hosts->program);
    free(hosts->first);
    free(hosts->hosts);
    *hosts = (suite_virtual){0};
}

/* ---- Up and down ----------------------------------------------------------------------------- */

/* Signals wait until suite_children_open takes them: a cluster that is half made would stay. */
static void block(sigset_t *before)
{
    sigset_t these;
    sigemptyset(&these);
    sigaddset(&these, SIGINT);
    sigaddset(&these, SIGTERM);
    if (!signals_ignored(SIGHUP)) sigaddset(&these, SIGHUP); /* nohup's is never taken */
    sigprocmask(SIG_BLOCK, &these, before);
}

/* Runs virtual-cluster, whose line on stderr, if any, explains its status. */
static int call(const suite_words *words)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        sigset_t none;
        sigemptyset(&none);
        setpgid(0, 0); /* a terminal's SIGINT is for clustermark, which removes the hosts */
        sigprocmask(SIG_SETMASK, &none, NULL);
        execv(words->word[0], words->word);
        suite_say("%s: %s", words->word[0], strerror(errno));
        _exit(CM_EXIT_SYSTEM);
    }
    if (pid < 0) return suite_fail(CM_EXIT_SYSTEM, "fork: %s", strerror(errno));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(status) ? WEXITSTATUS(status) : CM_EXIT_SYSTEM;
}

static void add_option(suite_words *words, const char *name, const char *value)
{
    if (!value) return;
    suite_words_add(words, name);
    suite_words_add(words, value);
}

int suite_virtual_up(suite_virtual *hosts)
{
    const virtual_settings *settings = &hosts->settings;
    char *n = suite_text("%d", settings->hosts);
    char *owner = suite_text("%d", (int)getpid());
    char *mtu = settings->mtu_bytes ? suite_text("%d", (int)settings->mtu_bytes) : NULL;
    suite_words words = {0};
    suite_words_add(&words, hosts->program);
    suite_words_add(&words, "up");
    suite_words_add(&words, n);
    add_option(&words, "--rate", settings->rate);
    add_option(&words, "--delay", settings->delay);
    add_option(&words, "--mtu", mtu);
    add_option(&words, "--owner", owner);
    block(&hosts->before);
    int status = call(&words);
    hosts->up = status == 0;
    suite_words_free(&words);
    free(owner);
    free(mtu);
    free(n);
    return status;
}

void suite_virtual_down(suite_virtual *hosts)
{
    suite_words words = {0};
    sigset_t before;
    if (!hosts->up) return;
    suite_words_add(&words, hosts->program);
    suite_words_add(&words, "down");
    block(&before);
    call(&words);
    sigprocmask(SIG_SETMASK, &before, NULL);
    suite_words_free(&words);
    hosts->up = false;
}

/* ---- Commands -------------------------------------------------------------------------------- */

void suite_virtual_launcher(const suite_virtual *hosts, suite_launcher *launcher)
{
    if (launcher->problem) return;
    suite_launcher_set_rsh(launcher, hosts->program);
    if (!launcher->problem) return;
    free(launcher->problem);
    launcher->problem = suite_copy("virtual hosts need cmrun, or MPICH's mpiexec");
}

void suite_virtual_wrap(const suite_virtual *hosts, suite_words *command)
{
    suite_words words = {0};
    suite_words_add(&words, hosts->program);
    suite_words_add(&words, "run");
    suite_words_add(&words, hosts->first);
    for (size_t k = 0; k < command->n; k++) suite_words_add(&words, command->word[k]);
    suite_words_free(command);
    *command = words;
}

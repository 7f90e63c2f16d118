/* SPDX-License-Identifier: BSD-3-Clause */
/* run_check.c: what `clustermark run` checks before anything is started or written. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "comm/comm.h"
#include "base/environment.h"
#include "machine/interface.h"
#include "machine/machine.h"
#include "common/memory.h"
#include "run.h"
#include "common/say.h"
#include "results/united.h"

/* With six launches or more, there is an interval with 95 % confidence. */
static const int launches_of_profile[SUITE_PROFILES] = {3, 6, 10};

int suite_run_launches_of(int profile) { return launches_of_profile[profile]; }

static int check_only(suite_session *s)
{
    suite_words names = {0};
    int status = 0;
    if (s->options.only) suite_words_list(&s->only, s->options.only);
    if (s->options.only && !s->only.n)
        return suite_fail(CM_EXIT_USAGE, "%s: --only '%s': expected names of runs, with commas",
                          suite_run_word(s), s->options.only);
    for (size_t r = 0; r < s->table.n; r++) suite_words_add(&names, s->table.run[r].name);
    for (size_t k = 0; k < s->only.n && !status; k++)
        if (!suite_words_have(&names, s->only.word[k])) {
            char *all = suite_words_join(&names);
            status = suite_fail(CM_EXIT_USAGE, "%s: --only %s: no such run; there are: %s",
                                suite_run_word(s), s->only.word[k], all);
            free(all);
        }
    suite_words_free(&names);
    return status;
}

bool suite_run_simulates(const suite_session *s)
{
    return s->options.place && !suite_virtual_is(s->options.place);
}

/* Checks the options that a place decides by itself. */
static int check_place(const suite_session *s)
{
    const suite_run_options *o = &s->options;
    const char *other = o->hosts      ? "--hosts"
                        : o->hostfile ? "--hostfile"
                        : o->launcher ? "--launcher"
                        : o->rsh      ? "--rsh"
                        : o->rails    ? "--rails"
                                      : NULL;
    if (o->ranks) other = "--ranks";
    if (!other || !o->place) return 0;
    return suite_fail(CM_EXIT_USAGE, "%s: --place %s with %s: the place has hosts of its own",
                      suite_run_word(s), o->place, other);
}

/* Returns what would have been right instead of this --launcher. */
static char *expected_launcher(const char *given)
{
    if (suite_launchers_named(given)) return suite_copy("one that is in PATH");
    if (strstr(given, "%n")) return suite_copy("a command that starts %n ranks");
    char *names = suite_launchers_names();
    char *text = suite_text("a command that starts %%n ranks, or one of %s; a command that is "
                            "called like ssh is given by --rsh",
                            names);
    free(names);
    return text;
}

static int check_rsh(const suite_session *s)
{
    const char *rsh = s->options.rsh;
    suite_words words = {0};
    const bool ends = !rsh || suite_words_split(&words, rsh), is_empty = rsh && !words.n;
    suite_words_free(&words);
    if (!ends)
        return suite_fail(CM_EXIT_USAGE,
                          "%s: --rsh '%s': a quotation does not end; expected a "
                          "command such as ssh",
                          suite_run_word(s), rsh);
    return is_empty ? suite_fail(CM_EXIT_USAGE,
                                 "%s: --rsh '%s': it is empty; expected a command such as ssh",
                                 suite_run_word(s), rsh)
                    : 0;
}

/* Checks whether --launcher can be started at all, with these hosts and --rsh. */
static int check_launcher(const suite_session *s)
{
    const suite_run_options *o = &s->options;
    suite_launcher launcher;
    int status = check_rsh(s);
    if (status || !o->launcher) return status;
    suite_launcher_find(s->home, o->launcher, NULL, &launcher);
    if (launcher.problem) {
        char *expected = expected_launcher(o->launcher);
        status = suite_fail(CM_EXIT_USAGE, "%s: --launcher '%s': %s; expected %s",
                            suite_run_word(s), o->launcher, launcher.problem, expected);
        free(expected);
    } else if (launcher.row && launcher.row->unnamed && (o->hosts || o->hostfile))
        status = suite_fail(CM_EXIT_USAGE,
                            "%s: --launcher %s with %s: it takes the hosts of its job and no names",
                            suite_run_word(s), o->launcher, o->hosts ? "--hosts" : "--hostfile");
    if (!status && o->rsh) {
        suite_launcher_set_rsh(&launcher, o->rsh);
        if (launcher.problem)
            status = suite_fail(CM_EXIT_USAGE, "%s: --rsh '%s' with --launcher '%s': %s",
                                suite_run_word(s), o->rsh, o->launcher, launcher.problem);
    }
    suite_launcher_free(&launcher);
    return status;
}

/* Held until the session ends, so that no two runs measure into one folder at a time; what a run
   starts does not have it. A file system without locks counts as locked. */
static bool lock(suite_session *s, const char *launches)
{
    s->lock = open(launches, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return s->lock < 0 || flock(s->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

static int check_folder(suite_session *s, const char *dir)
{
    struct stat status;
    if (suite_folder_has_several(suite_run_word(s), dir)) return CM_EXIT_USAGE;
    if (s->options.until == 0 && access(dir, F_OK) < 0) {
        s->dir = suite_copy(dir);
        return 0;
    }
    if (!suite_folders_make(dir) || !(s->dir = realpath(dir, NULL)) || stat(s->dir, &status) < 0)
        return suite_fail(CM_EXIT_USAGE, "%s: cannot make the folder %s: %s", suite_run_word(s),
                          dir, strerror(errno));
    char *launches = suite_text("%s/launches", s->dir);
    /* A folder of another run, which may have been killed, and not one with somebody's files. */
    const bool writes = s->options.until > 0;
    bool is_of_run = writes && mkdir(launches, 0777) < 0 && errno == EEXIST;
    bool alone = lock(s, launches);
    free(launches);
    if (!S_ISDIR(status.st_mode) || access(s->dir, W_OK | X_OK) < 0)
        return suite_fail(CM_EXIT_USAGE, "%s: %s is not a folder that can be written to",
                          suite_run_word(s), dir);
    if (!alone)
        return suite_fail(CM_EXIT_USAGE,
                          "%s: %s: another run is using it; wait for its end, or use another DIR",
                          suite_run_word(s), dir);
    if (is_of_run) suite_folder_clean(s->dir, &s->table);
    return 0;
}

/* Ranks of a run with all of them: one for each slot of the hosts or each core, at least two. */
static int ranks_of_hosts(const suite_session *s)
{
    if (s->options.ranks) return (int)s->options.ranks;
    int n = s->slots ? s->slots : cm_machine_job_cores();
    return n < 2 ? 2 : n;
}

/* The runs of the place, or of all benchmarks. */
static int read_table(suite_session *s)
{
    int status;
    if (!suite_run_simulates(s)) return suite_table_read(s->home, &s->table) ? 0 : CM_EXIT_SYSTEM;
    if ((status = suite_place_read(s->home, s->options.place, &s->place))) return status;
    return suite_place_table(s->home, &s->place, &s->table) ? 0 : CM_EXIT_SYSTEM;
}

/* Checks what the benchmark that stripes messages would refuse only after others have been
   measured: a number or a list that CM_RAILS does not take and, on this host alone, an interface
   that does not exist. */
static int check_rails(const suite_session *s)
{
    enum { MOST = 8 }; /* as the backends */
    const char *rails = s->options.rails;
    suite_words properties = {0}, names = {0};
    int status = 0;
    if (!rails || !*rails) return 0;
    suite_words_split(&properties, CM_PROPERTIES);
    if (!suite_words_have(&properties, "rails"))
        status =
            suite_fail(CM_EXIT_USAGE,
                       "%s: --rails %s: the %s backend does not spread messages over rails; the "
                       "sockets and hybrid backends do",
                       suite_run_word(s), rails, CM_COMM);
    suite_words_free(&properties);
    if (status) return status;
    bool number = strspn(rails, "0123456789") == strlen(rails);
    unsigned long n = number ? strtoul(rails, NULL, 10) : 0;
    if (!number) suite_words_list(&names, rails);
    bool here = !number && !s->options.hosts && !s->options.hostfile;
    if (number ? n < 1 || n > MOST : names.n < 1 || names.n > MOST)
        status = suite_fail(CM_EXIT_USAGE,
                            "%s: --rails %s: expected a number from 1 to %d, or up to %d names of "
                            "interfaces with commas",
                            suite_run_word(s), rails, MOST, MOST);
    for (size_t k = 0; here && k < names.n && !status; k++) {
        cm_machine_interface interface;
        char why[512];
        if (cm_machine_interface_choose(names.word[k], AF_UNSPEC, &interface, why, sizeof why))
            status = suite_fail(CM_EXIT_USAGE, "%s: --rails %s: %s: %s", suite_run_word(s), rails,
                                names.word[k], why);
    }
    suite_words_free(&names);
    return status;
}

int suite_run_check(suite_session *s, const char *dir)
{
    cm_environment environment;
    int status = check_rails(s);
    if (!status) status = check_place(s);
    if (!status && suite_virtual_is(s->options.place))
        status = suite_virtual_read(s->home, suite_run_word(s), s->options.place, &s->virtuals);
    if (!status && s->virtuals.hosts) s->options.hosts = s->virtuals.hosts;
    if (status || (status = read_table(s)) || (status = check_only(s))
        || (status = check_launcher(s)) || (status = cm_environment_read(&environment))
        || (status = suite_run_hosts(s)))
        return status;
    s->all_ranks = suite_run_simulates(s) ? (int)s->place.hosts.n : ranks_of_hosts(s);
    s->launches = s->options.launches      ? (int)s->options.launches
                  : suite_run_simulates(s) ? 1 /* a simulation comes out the same every time */
                                           : launches_of_profile[s->options.profile];
    if ((status = check_folder(s, dir)) || s->options.fresh) return status;
    return suite_united_check(suite_run_word(s), s->dir, &s->table, SUITE_UNITED_REMAKE);
}

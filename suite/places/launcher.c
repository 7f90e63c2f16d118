/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.c: finds the launcher that belongs to the backend. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"
#include "results/folder.h"
#include "launcher.h"
#include "common/memory.h"

/* ---- Whose launcher it is -------------------------------------------------------------------- */

/* MPIs whose launchers cannot start each other's programs. Under the wrong one each rank is a job
   of its own. */
typedef enum { FAMILY_UNKNOWN, FAMILY_MPICH, FAMILY_OPEN, FAMILIES } family;

static const struct {
    const char *name;
    const char *version[4];  /* what --version says */
    const char *launcher[5]; /* where one may be, also if mpiexec is another MPI's */
} families[FAMILIES] = {
    [FAMILY_UNKNOWN] = {"an unknown MPI", {NULL}, {NULL}},
    [FAMILY_MPICH] = {"MPICH",
                      {"HYDRA", "Intel(R) MPI", "MPICH"},
                      {"mpiexec.mpich", "mpiexec.hydra", "/usr/lib64/mpich/bin/mpiexec",
                       "mpiexec"}},
    [FAMILY_OPEN] = {"Open MPI",
                     {"Open MPI", "OpenRTE", "PRRTE"},
                     {"mpiexec.openmpi", "mpirun.openmpi", "/usr/lib64/openmpi/bin/mpiexec",
                      "mpirun"}},
};

static family linked_family(void)
{
    for (family f = FAMILY_MPICH; f < FAMILIES; f++)
        if (strcmp(CM_MPI_NAME, families[f].name) == 0) return f;
    return FAMILY_UNKNOWN;
}

/* By what `LAUNCHER --version` prints. */
static family family_of(suite_children *children, const char *launcher)
{
    char *output = suite_folder_temporary("clustermark.XXXXXX");
    const char *const argv[] = {launcher, "--version", NULL};
    int status, file = mkstemp(output);
    family found = FAMILY_UNKNOWN;
    if (file < 0) {
        free(output);
        return found;
    }
    close(file);
    suite_child child = {
        .argv = (char *const *)argv, .output = output, .errors = "/dev/null", .limit_s = 10};
    if (suite_child_run(children, &child, &status) == SUITE_CHILD_EXITED) {
        char *said = suite_file_text(output);
        for (family f = FAMILY_MPICH; said && f < FAMILIES && !found; f++)
            for (const char *const *word = families[f].version; *word && !found; word++)
                if (strstr(said, *word)) found = f;
        free(said);
    }
    unlink(output);
    free(output);
    return found;
}

/* The command's first word is not the linked MPI's launcher: takes another that is. */
static void find_other(suite_launcher *launcher, suite_children *children, family linked,
                       family found)
{
    char **first = &launcher->command.word[0];
    for (const char *const *name = families[linked].launcher; *name; name++) {
        if (strcmp(*name, *first) == 0 || !suite_can_be_found(*name)
            || family_of(children, *name) != linked)
            continue;
        launcher->remark = found
                               ? suite_text("%s belongs to %s; programs start by %s", *first,
                                            families[found].name, *name)
                               : suite_text("%s is not there; programs start by %s", *first, *name);
        free(*first);
        *first = suite_copy(*name);
        return;
    }
    launcher->problem =
        found ? suite_text("%s belongs to %s, but the programs are linked with %s: put its mpiexec "
                           "first in PATH or name it by --launcher 'COMMAND -n %%n'",
                           *first, families[found].name, families[linked].name)
              : suite_text("the launcher %s is not there", *first);
}

static void find_mpi(suite_launcher *launcher, suite_children *children)
{
    family linked = linked_family(), found = FAMILY_UNKNOWN;
    launcher->kind = SUITE_LAUNCH_MPI;
    suite_words_split(&launcher->command, *CM_MPI_LAUNCHER ? CM_MPI_LAUNCHER : "mpiexec");
    const char *first = launcher->command.word[0];
    bool there = suite_can_be_found(first);
    if (there && children) found = family_of(children, first);
    if (linked && children && (!there || (found && found != linked)))
        find_other(launcher, children, linked, there ? found : FAMILY_UNKNOWN);
    else if (!there) launcher->problem = suite_text("the launcher %s is not there", first);
    launcher->hydra = linked ? linked == FAMILY_MPICH : found == FAMILY_MPICH;
}

/* ---- Any launcher ---------------------------------------------------------------------------- */

static bool has_property(const char *property)
{
    suite_words properties = {0};
    suite_words_split(&properties, CM_PROPERTIES);
    bool has = suite_words_have(&properties, property);
    suite_words_free(&properties);
    return has;
}

void suite_launcher_find(const suite_home *home, const char *given, suite_children *children,
                         suite_launcher *launcher)
{
    *launcher = (suite_launcher){0};
    if (given) {
        launcher->kind = SUITE_LAUNCH_GIVEN;
        if (!suite_words_split(&launcher->command, given))
            launcher->problem = suite_copy("a quotation does not end");
    } else if (has_property("pmi")) {
        char *cmrun = suite_home_program(home, "src", "cmrun");
        launcher->kind = SUITE_LAUNCH_CMRUN;
        suite_words_add(&launcher->command, cmrun);
        free(cmrun);
    } else if (has_property("processes")) find_mpi(launcher, children);
    else launcher->kind = SUITE_LAUNCH_DUMMY;
    if (launcher->problem || launcher->kind == SUITE_LAUNCH_DUMMY
        || launcher->kind == SUITE_LAUNCH_MPI)
        return;
    if (!launcher->command.n) launcher->problem = suite_copy("it is empty");
    else if (!suite_can_be_found(launcher->command.word[0]))
        launcher->problem = suite_text("the launcher %s is not there", launcher->command.word[0]);
}

void suite_launcher_free(suite_launcher *launcher)
{
    suite_words_free(&launcher->command);
    free(launcher->problem);
    free(launcher->remark);
    *launcher = (suite_launcher){0};
}

/* Open MPI counts one slot for each time that a host is named without a number. */
static void add_mpi_hosts(const suite_launcher *launcher, const char *hosts, int per_host,
                          suite_words *words)
{
    char *number = suite_text("%d", per_host > 0 ? per_host : 1);
    char *behind = suite_text(":%s,", number), *list = suite_replace(hosts, ",", behind);
    char *all = per_host > 0 ? suite_text("%s:%s", list, number) : suite_copy(hosts);
    suite_words_add(words, launcher->hydra ? "-hosts" : "--host");
    suite_words_add(words, launcher->hydra ? hosts : all);
    if (launcher->hydra) {
        suite_words_add(words, "-ppn");
        suite_words_add(words, number);
    } else if (per_host == 0) suite_words_split(words, "--map-by node");
    free(all);
    free(list);
    free(behind);
    free(number);
}

static void add_cmrun_hosts(const char *hosts, int per_host, suite_words *words)
{
    suite_words_add(words, "--hosts");
    suite_words_add(words, hosts);
    if (per_host == 0) return;
    char *number = suite_text("%d", per_host);
    suite_words_add(words, "--per-host");
    suite_words_add(words, number);
    free(number);
}

void suite_launcher_words(const suite_launcher *launcher, int ranks, const char *hosts,
                          int per_host, suite_words *words)
{
    char *number = suite_text("%d", ranks);
    for (size_t k = 0; k < launcher->command.n; k++) {
        char *word = launcher->kind == SUITE_LAUNCH_GIVEN
                         ? suite_replace(launcher->command.word[k], "%n", number)
                         : suite_copy(launcher->command.word[k]);
        suite_words_add(words, word);
        free(word);
    }
    if (launcher->kind == SUITE_LAUNCH_MPI && hosts)
        add_mpi_hosts(launcher, hosts, per_host, words);
    if (launcher->kind == SUITE_LAUNCH_CMRUN && hosts) add_cmrun_hosts(hosts, per_host, words);
    if (launcher->kind == SUITE_LAUNCH_MPI || launcher->kind == SUITE_LAUNCH_CMRUN) {
        suite_words_add(words, "-n");
        suite_words_add(words, number);
    }
    if (launcher->kind == SUITE_LAUNCH_DUMMY) {
        char *setting = getenv("CM_DUMMY") ? suite_text("CM_DUMMY=%s", getenv("CM_DUMMY"))
                                           : suite_text("CM_DUMMY=ranks=%d", ranks);
        suite_words_add(words, "env");
        suite_words_add(words, setting);
        free(setting);
    }
    free(number);
}

char *suite_launcher_text(const suite_launcher *launcher)
{
    suite_words words = {0};
    for (size_t k = 0; k < launcher->command.n; k++)
        suite_words_add(&words, k == 0 && launcher->kind == SUITE_LAUNCH_CMRUN
                                    ? "cmrun"
                                    : launcher->command.word[k]);
    if (launcher->kind == SUITE_LAUNCH_DUMMY) suite_words_split(&words, "env CM_DUMMY=ranks=%n");
    else if (launcher->kind != SUITE_LAUNCH_GIVEN) suite_words_split(&words, "-n %n");
    char *text = suite_words_join(&words);
    suite_words_free(&words);
    return text;
}

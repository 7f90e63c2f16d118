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

/* ---- Asking ---------------------------------------------------------------------------------- */

/* What `PROGRAM OPTION` prints, on both streams; NULL: it does not run. The caller frees. */
static char *said_by(suite_children *children, const char *program, const char *option)
{
    char *output = suite_folder_temporary("clustermark.XXXXXX");
    const char *const argv[] = {"sh", "-c", "exec \"$0\" \"$1\" 2>&1", program, option, NULL};
    int status, file = mkstemp(output);
    char *said = NULL;
    if (file >= 0) {
        close(file);
        suite_child child = {
            .argv = (char *const *)argv, .output = output, .errors = "/dev/null", .limit_s = 10};
        if (suite_child_run(children, &child, &status) == SUITE_CHILD_EXITED)
            said = suite_file_text(output);
        unlink(output);
    }
    free(output);
    return said;
}

static const suite_launcher_row *row_of(suite_children *children, const char *program)
{
    const suite_launcher_row *row = suite_launchers_of_program(program);
    if (row || !children) return row;
    char *said = said_by(children, program, "--version");
    if (said) row = suite_launchers_of_version(program, said);
    free(said);
    return row;
}

/* ---- Slurm's --mpi --------------------------------------------------------------------------- */

static suite_mpi linked_mpi(void)
{
    for (suite_mpi mpi = SUITE_MPI_MPICH; mpi < SUITE_MPIS; mpi++)
        if (strcmp(CM_MPI_NAME, suite_launchers_mpi_name(mpi)) == 0) return mpi;
    return SUITE_MPI_UNKNOWN;
}

/* Chooses --mpi among those that srun lists. The ranks of a native backend speak PMI-2 by
   themselves and PMIx by a library; MPICH speaks PMI-2, and Open MPI PMIx. Cray's MPICH speaks its
   own, but any srun may list that: the module of Cray's says what the programs are linked with. */
static void choose_mpi(suite_launcher *launcher, suite_children *children, bool native)
{
    static const char *const of_native[] = {"pmi2", "pmix", NULL};
    static const char *const of_cray[] = {"cray_shasta", "pmi2", "pmix", NULL};
    static const char *const of_mpich[] = {"pmi2", "pmix", NULL};
    static const char *const of_open[] = {"pmix", "pmi2", NULL};
    const suite_mpi mpi = linked_mpi();
    const char *const *wanted = native                         ? of_native
                                : mpi == SUITE_MPI_OPEN        ? of_open
                                : getenv("CRAY_MPICH_VERSION") ? of_cray
                                                               : of_mpich;
    for (size_t k = 1; k < launcher->command.n; k++)
        if (strncmp(launcher->command.word[k], "--mpi", 5) == 0) return;
    if (getenv("SLURM_MPI_TYPE") || (!native && mpi == SUITE_MPI_UNKNOWN)) return;
    char *said = said_by(children, launcher->command.word[0], "--mpi=list");
    suite_words listed = {0};
    if (said) suite_words_split(&listed, said);
    while (*wanted && !suite_words_have(&listed, *wanted)) wanted++;
    if (*wanted) launcher->mpi = suite_text("--mpi=%s", *wanted);
    else if (native)
        launcher->problem = suite_text("%s --mpi=list names neither pmi2 nor pmix, by which the "
                                       "ranks find each other",
                                       launcher->command.word[0]);
    suite_words_free(&listed);
    free(said);
}

/* ---- The MPI's own --------------------------------------------------------------------------- */

static void take(suite_launcher *launcher, const suite_launcher_row *row, const char *program)
{
    free(launcher->command.word[0]);
    launcher->command.word[0] = suite_copy(program);
    launcher->row = row;
}

/* The program of a row that is there and really is that launcher; NULL: none. */
static const char *program_of(const suite_launcher_row *row, suite_children *children)
{
    for (const char *const *name = row->program; *name; name++)
        if (suite_can_be_found(*name) && row_of(children, *name) == row) return *name;
    return NULL;
}

/* The command's first word is not the linked MPI's launcher: takes another that is, or the one by
   which this site starts jobs. */
static void find_other(suite_launcher *launcher, suite_children *children, suite_mpi linked,
                       const suite_launcher_row *found)
{
    const suite_launcher_row *row = NULL;
    const char *program = NULL;
    char *first = suite_copy(launcher->command.word[0]);
    for (int site = 0; site < 2 && !program; site++)
        while (!program && (row = suite_launchers_next(row))) {
            const bool is_wanted = site ? suite_launchers_is_site(row) : row->mpi == linked;
            if (is_wanted && (!site || row->mpi == SUITE_MPI_UNKNOWN))
                program = program_of(row, children);
        }
    const char *owner = found ? suite_launchers_mpi_name(found->mpi) : NULL;
    if (program) {
        take(launcher, row, program);
        launcher->remark =
            found ? suite_text("%s belongs to %s; programs start by %s", first, owner, program)
                  : suite_text("%s is not there; programs start by %s", first, program);
    } else
        launcher->problem =
            found ? suite_text("%s belongs to %s, but the programs are linked with %s: put its "
                               "mpiexec first in PATH or name it by --launcher 'COMMAND -n %%n'",
                               first, owner, suite_launchers_mpi_name(linked))
                  : suite_text("the launcher %s is not there", first);
    free(first);
}

static void find_mpi(suite_launcher *launcher, suite_children *children)
{
    const suite_mpi linked = linked_mpi();
    launcher->kind = SUITE_LAUNCH_KNOWN;
    suite_words_split(&launcher->command, *CM_MPI_LAUNCHER ? CM_MPI_LAUNCHER : "mpiexec");
    const char *first = launcher->command.word[0];
    const bool there = suite_can_be_found(first);
    if (there) launcher->row = row_of(children, first);
    const bool foreign = launcher->row && launcher->row->mpi && launcher->row->mpi != linked;
    if (linked && children && (!there || foreign))
        find_other(launcher, children, linked, there ? launcher->row : NULL);
    else if (!there) launcher->problem = suite_text("the launcher %s is not there", first);
    if (!launcher->row)
        launcher->row = suite_launchers_named(linked == SUITE_MPI_MPICH ? "hydra" : "openmpi");
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

static void find_cmrun(const suite_home *home, suite_launcher *launcher)
{
    char *cmrun = suite_home_program(home, "src", "cmrun");
    launcher->kind = SUITE_LAUNCH_KNOWN;
    launcher->row = suite_launchers_named("cmrun");
    suite_words_add(&launcher->command, cmrun);
    free(cmrun);
}

/* One of the table's that --launcher names. Without children the first program that may be it. */
static void find_named(const suite_home *home, const suite_launcher_row *row,
                       suite_children *children, suite_launcher *launcher)
{
    const char *const *name = row->program;
    launcher->kind = SUITE_LAUNCH_KNOWN;
    launcher->row = row;
    if (strcmp(row->name, "cmrun") == 0) {
        find_cmrun(home, launcher);
        if (!has_property("pmi"))
            launcher->problem = suite_text("the %s backend does not start by it", CM_COMM);
        return;
    }
    while (*name && !suite_can_be_found(*name)) name++;
    const char *program = *name && children ? program_of(row, children) : *name;
    suite_words configured = {0};
    suite_words_split(&configured, CM_MPI_LAUNCHER);
    /* The one that configure found, with the options by which it starts ranks. */
    if (program && configured.n && strcmp(configured.word[0], program) == 0)
        suite_words_split(&launcher->command, CM_MPI_LAUNCHER);
    else suite_words_add(&launcher->command, program ? program : row->program[0]);
    suite_words_free(&configured);
    if (*name && !program)
        launcher->problem = suite_text("%s is there, but by what its --version says it is not %s",
                                       *name, row->name);
}

/* Without %n each of these starts one process on the host that is its first word. */
static bool is_remote_shell(const suite_words *command)
{
    const char *first = command->word[0], *slash = strrchr(first, '/');
    const char *name = slash ? slash + 1 : first;
    return strcmp(name, "ssh") == 0 || strcmp(name, "rsh") == 0;
}

/* A command of the user's. */
static void find_given(const char *given, suite_launcher *launcher)
{
    launcher->kind = SUITE_LAUNCH_GIVEN;
    if (!suite_words_split(&launcher->command, given))
        launcher->problem = suite_copy("a quotation does not end");
    else if (!launcher->command.n) launcher->problem = suite_copy("it is empty");
    else if (!strstr(given, "%n") && is_remote_shell(&launcher->command))
        launcher->problem = suite_copy("it starts one process on a host");
}

void suite_launcher_find(const suite_home *home, const char *given, suite_children *children,
                         suite_launcher *launcher)
{
    *launcher = (suite_launcher){0};
    const suite_launcher_row *named = given ? suite_launchers_named(given) : NULL;
    const bool native = has_property("pmi");
    if (named) find_named(home, named, children, launcher);
    else if (given) find_given(given, launcher);
    else if (native) find_cmrun(home, launcher);
    else if (has_property("processes")) find_mpi(launcher, children);
    else launcher->kind = SUITE_LAUNCH_DUMMY;
    if (launcher->problem || launcher->kind == SUITE_LAUNCH_DUMMY) return;
    const char *first = launcher->command.word[0];
    if (!suite_can_be_found(first))
        launcher->problem = suite_text("the launcher %s is not there", first);
    else if (children && launcher->row == suite_launchers_named("srun"))
        choose_mpi(launcher, children, native);
}

void suite_launcher_set_rsh(suite_launcher *launcher, const char *rsh)
{
    if (launcher->problem) return;
    if (launcher->kind == SUITE_LAUNCH_KNOWN && launcher->row->rsh) launcher->rsh = suite_copy(rsh);
    else
        launcher->problem = suite_text(
            "%s does not reach hosts by a command such as %s",
            launcher->command.n ? launcher->command.word[0] : "the " CM_COMM " backend", rsh);
}

void suite_launcher_free(suite_launcher *launcher)
{
    suite_words_free(&launcher->command);
    free(launcher->mpi);
    free(launcher->rsh);
    free(launcher->problem);
    free(launcher->remark);
    *launcher = (suite_launcher){0};
}

bool suite_launcher_has_shapes(const char *given)
{
    return !given || suite_launchers_named(given) || (strstr(given, "%h") && strstr(given, "%p"));
}

bool suite_launcher_has_lists(const suite_launcher *launcher)
{
    return launcher->kind == SUITE_LAUNCH_KNOWN && launcher->row->listed;
}

/* ---- Commands -------------------------------------------------------------------------------- */

/* The command and how it reaches other hosts. Hydra takes the program for that and its arguments
   apart. */
static void add_command(const suite_launcher *launcher, suite_words *words)
{
    suite_words rsh = {0}, shape = {0};
    const suite_launcher_row *row = launcher->row;
    const bool apart = launcher->rsh && row->mpi == SUITE_MPI_MPICH;
    if (launcher->rsh) suite_words_split(&rsh, launcher->rsh);
    const bool has_arguments = apart && rsh.n > 1;
    if (row->setting || has_arguments) suite_words_add(words, "env");
    if (row->setting) suite_words_add(words, row->setting);
    if (has_arguments) {
        const char *after = launcher->rsh + strspn(launcher->rsh, " \t");
        after += strcspn(after, " \t");
        char *setting = suite_text("HYDRA_LAUNCHER_EXTRA_ARGS=%s", after + strspn(after, " \t"));
        suite_words_add(words, setting);
        free(setting);
    }
    for (size_t k = 0; k < launcher->command.n; k++)
        suite_words_add(words, launcher->command.word[k]);
    if (launcher->rsh) suite_words_split(&shape, row->rsh);
    char *found = apart ? suite_find_program(rsh.word[0]) : NULL;
    for (size_t k = 0; k < shape.n; k++) {
        const bool command = strcmp(shape.word[k], "%r") == 0;
        const char *by = !apart ? launcher->rsh : found ? found : rsh.word[0];
        suite_words_add(words, command ? by : shape.word[k]);
    }
    free(found);
    suite_words_free(&shape);
    suite_words_free(&rsh);
}

void suite_launcher_words(const suite_launcher *launcher, int ranks, const char *hosts,
                          int per_host, suite_words *words)
{
    if (launcher->kind == SUITE_LAUNCH_KNOWN) {
        add_command(launcher, words);
        suite_launchers_write(launcher->row, ranks, hosts, per_host, launcher->mpi, words);
    } else if (launcher->kind == SUITE_LAUNCH_GIVEN) {
        for (size_t k = 0; k < launcher->command.n; k++) {
            char *word = suite_launchers_fill(launcher->command.word[k], ranks, hosts, per_host);
            suite_words_add(words, word);
            free(word);
        }
    } else {
        char *setting = getenv("CM_DUMMY") ? suite_text("CM_DUMMY=%s", getenv("CM_DUMMY"))
                                           : suite_text("CM_DUMMY=ranks=%d", ranks);
        suite_words_add(words, "env");
        suite_words_add(words, setting);
        free(setting);
    }
}

char *suite_launcher_text(const suite_launcher *launcher)
{
    suite_words words = {0}, shape = {0};
    const bool cmrun = launcher->row == suite_launchers_named("cmrun");
    for (size_t k = 0; k < launcher->command.n; k++)
        suite_words_add(&words, k == 0 && cmrun ? "cmrun" : launcher->command.word[k]);
    if (launcher->kind == SUITE_LAUNCH_DUMMY) suite_words_split(&words, "env CM_DUMMY=ranks=%n");
    else if (launcher->kind == SUITE_LAUNCH_KNOWN) suite_words_split(&shape, launcher->row->here);
    for (size_t k = 0; k < shape.n; k++) {
        if (strcmp(shape.word[k], "%m") != 0) suite_words_add(&words, shape.word[k]);
        else if (launcher->mpi) suite_words_add(&words, launcher->mpi);
    }
    char *text = suite_words_join(&words);
    suite_words_free(&shape);
    suite_words_free(&words);
    return text;
}

char *suite_launcher_all_there(const suite_home *home, suite_children *children)
{
    char *names = suite_copy("");
    for (const suite_launcher_row *row = NULL; (row = suite_launchers_next(row));) {
        suite_launcher launcher = {0};
        suite_launcher_find(home, row->name, children, &launcher);
        if (!launcher.problem) {
            char *longer = suite_text("%s%s%s", names, *names ? ", " : "", row->name);
            free(names);
            names = longer;
        }
        suite_launcher_free(&launcher);
    }
    return names;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* run_told.c: DIR/run.txt says how the results of a folder came about. All of them belong to one
   way of running: a run in another way is refused. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include "comm/comm.h"
#include "common/memory.h"
#include "run.h"
#include "common/say.h"
#include "common/unit.h"

typedef struct {
    const char *key;   /* in run.txt */
    const char *value; /* now */
    const char *what;  /* "a run of profile" */
    bool counts;       /* the value is a number of what the key says */
} circumstance;

enum { CIRCUMSTANCES = 7 };

/* Returns the first circumstance in which the folder differs, and what it has; or NULL. */
static const circumstance *find_difference(const char *dir, const circumstance *now, char **before)
{
    for (const circumstance *c = now; c < now + CIRCUMSTANCES; c++) {
        if (!c->value) continue;
        *before = suite_folder_metadata(dir, c->key);
        if (*before && strcmp(*before, c->value) != 0) return c;
        free(*before);
    }
    *before = NULL;
    return NULL;
}

/* Returns true if the text begins with a line "# KEY: VALUE", as every result does. */
static bool is_result(const char *text)
{
    if (strncmp(text, "# ", 2) != 0) return false;
    const size_t length = strspn(text + 2, "abcdefghijklmnopqrstuvwxyz_0123456789");
    return length && strncmp(text + 2 + length, ": ", 2) == 0;
}

/* Files of the user's that have the names of this run's: they are neither written over nor, with
   --fresh, removed. */
static int check_owned(const suite_session *s)
{
    char *version = suite_folder_metadata(s->dir, "version"),
         *path = suite_folder_path(s->dir, "run", "txt"), *text = suite_file_text(path);
    bool owned = !text || !*text || version;
    for (size_t r = 0; owned && r < s->table.n; r++) {
        free(text);
        free(path);
        path = suite_folder_path(s->dir, s->table.run[r].name, "txt");
        text = suite_file_text(path);
        owned = !text || !*text || is_result(text);
    }
    const int status =
        owned ? 0
              : suite_fail(CM_EXIT_USAGE,
                           "%s: %s is not a file of clustermark's and would be overwritten; move "
                           "it away, or use another DIR",
                           s->options.alone ? "nodes" : "run", path);
    free(version);
    free(path);
    free(text);
    return status;
}

/* The seed of the folder's run, or a new one. */
static uint64_t choose_seed(const char *before)
{
    uint64_t seed = before ? strtoull(before, NULL, 10) : 0;
    if (!seed && getrandom(&seed, sizeof seed, 0) != sizeof seed) seed = (uint64_t)time(NULL);
    return seed >> 32 ? seed >> 32 : seed; /* short enough to be typed */
}

bool suite_run_goes_on(const suite_session *s)
{
    bool any = false;
    if (s->options.fresh) return false;
    for (size_t r = 0; !any && r < s->table.n; r++)
        for (size_t k = 0; !any && k <= (size_t)s->launches; k++) {
            const char *name = s->table.run[r].name;
            char *path = k ? suite_launch_path(s->dir, name, k, "json")
                           : suite_folder_path(s->dir, name, "json");
            any = access(path, F_OK) == 0;
            free(path);
        }
    return any;
}

/* When the folder's run began: now, unless it has results, of which this call may add none. The
   caller frees. */
static char *choose_date(const suite_session *s)
{
    char *before = s->goes_on ? suite_folder_metadata(s->dir, "date") : NULL, date[32];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    return before ? before : suite_copy(date);
}

/* Returns true if the results are those of this computer. Without a list of hosts a job starts from
   it; a localhost, and virtual hosts of the same names, are on every computer. */
static bool is_here(const suite_session *s)
{
    return !suite_run_simulates(s) && (!s->hosts || s->here || s->virtuals.hosts);
}

static int refuse_value(const suite_session *s, const circumstance *c, const char *before)
{
    if (s->options.alone)
        return suite_fail(CM_EXIT_USAGE, "nodes: %s holds %s %s, not %s; use another DIR", s->dir,
                          c->what, before, c->value);
    if (s->options.fresh)
        return suite_fail(CM_EXIT_USAGE,
                          "%s: --fresh --only: %s holds %s %s, not %s; --fresh without --only "
                          "replaces all of it",
                          suite_run_word(s), s->dir, c->what, before, c->value);
    return suite_fail(CM_EXIT_USAGE,
                      "%s: %s holds %s %s, not %s; use that, another DIR, or --fresh",
                      suite_run_word(s), s->dir, c->what, before, c->value);
}

static int refuse(const suite_session *s, const circumstance *c, const char *before)
{
    char *has = c->counts ? suite_counted(strtoul(before, NULL, 10), c->key) : suite_copy(before);
    int status = refuse_value(s, c, has);
    free(has);
    return status;
}

int suite_run_agree(suite_session *s)
{
    if (check_owned(s)) return CM_EXIT_USAGE;
    char *date = choose_date(s), *ranks = suite_text("%d", s->all_ranks), *before;
    char *launches = suite_text("%d", s->launches), *seed = suite_folder_metadata(s->dir, "seed");
    char *launcher = suite_launcher_text(&s->launcher);
    const char *place = s->options.place;
    char name[256] = "", *host = NULL;
    if (is_here(s) && gethostname(name, sizeof name - 1) == 0 && *name) host = name;
    const circumstance told[CIRCUMSTANCES] = {
        {"version", PACKAGE_VERSION, "a run of version", false},
        /* The simulator's programs are over its MPI, whatever this clustermark is over. */
        {"comm", suite_run_simulates(s) ? "mpi" : CM_COMM, "a run over the backend", false},
        {"profile", suite_run_simulates(s) ? "simulation" : suite_profile_names[s->options.profile],
         "a run of profile", false},
        {"hosts",
         place      ? place
         : s->hosts ? s->hosts
                    : "this host",
         "a run on", false},
        {"ranks", ranks, "a run with", true},
        {"launches", launches, "a run with", true},
        {"host", host, "a run on the host", false}};
    int status = 0;
    const circumstance *other = find_difference(s->dir, told, &before);
    if (other && (!s->options.fresh || s->only.n)) status = refuse(s, other, before);
    else if (s->options.until > 0) {
        for (size_t r = 0; other && r < s->table.n; r++) suite_run_forget(s, &s->table.run[r]);
        s->seed = choose_seed(s->options.fresh ? NULL : seed);
        char *text = suite_text("version: %s\nprofile: %s\ncomm: %s\nhosts: %s\nranks: %s\n"
                                "launches: %s\nseed: %llu\nlauncher: %s\ndate: %s\n%s%s%s%s%s%s",
                                told[0].value, told[2].value, told[1].value, told[3].value, ranks,
                                launches, (unsigned long long)s->seed, launcher, date,
                                place ? "place: " : "", place ? place : "", place ? "\n" : "",
                                host ? "host: " : "", host ? host : "", host ? "\n" : "");
        /* run.txt last: with another seed the run has begun anew. */
        if ((!s->goes_on && !suite_run_write_answer(s))
            || !suite_folder_write(s->dir, "run", "txt", text))
            status = CM_EXIT_SYSTEM;
        free(text);
    }
    free(before);
    free(launcher);
    free(seed);
    free(launches);
    free(ranks);
    free(date);
    return status;
}

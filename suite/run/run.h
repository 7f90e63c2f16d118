/* SPDX-License-Identifier: BSD-3-Clause */
/* run.h: `clustermark run`: what its files share. */
#ifndef SUITE_RUN_H
#define SUITE_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include "common/child.h"
#include "results/folder.h"
#include "common/home.h"
#include "places/launcher.h"
#include "results/launches.h"
#include "places/place.h"
#include "screen.h"
#include "common/table.h"
#include "places/virtual_place.h"
#include "common/words.h"

typedef struct {
    int profile;
    const char *hosts, *hostfile, *launcher, *rsh, *rails, *only, *place;
    int64_t ranks;       /* 0: not given */
    int64_t launches;    /* 0: not given */
    int64_t until;       /* the last launch to be run now; 0: only check, and write nothing */
    double time_limit_s; /* of one run; 0: not given */
    double minutes;      /* of cm-nodes' burn-in; 0: none */
    bool fresh;
    bool alone; /* `clustermark nodes`: DIR is for that run alone */
} suite_run_options;

typedef struct {
    suite_run_options options;
    const suite_home *home;
    suite_place place;      /* of --place: a simulated cluster */
    suite_home tree;        /* its programs */
    suite_virtual virtuals; /* of --place: virtual hosts */
    suite_table table;
    suite_words only;         /* names of --only; none: all */
    char *dir;                /* absolute */
    int lock;                 /* of DIR/launches, as long as the session; -1: none */
    char *hosts;              /* where programs run, as launchers take it; NULL: on this host */
    bool here;                /* of the list: it has this host alone */
    int slots;                /* ranks that the list of hosts has room for; 0: there is no list */
    char *names;              /* the hosts without their slots; NULL: no list */
    char *first_host;         /* of them */
    int n_hosts;              /* of the list; 0: there is none */
    bool counted;             /* the list says how many ranks its hosts may have */
    bool uneven;              /* they have different numbers of slots */
    int all_ranks;            /* of a run on the whole, or of all if there are no shapes */
    int node_ranks;           /* of a run on each core of a host */
    int cores;                /* of all hosts; 0: not known */
    double host_memory_bytes; /* of each host */
    char *answer_text;        /* of the hosts, which say what they have; NULL: not asked */
    char *answer_json;        /* the same */
    int launches;             /* of each run */
    bool goes_on;             /* DIR has results that are kept */
    uint64_t seed;            /* of the order of the runs in each round */
    suite_children children;
    suite_launcher launcher;
    suite_screen screen;
    int failed, skipped;
    int missed;         /* requested but skipped */
    char *first_missed; /* the first of them, and why: "netpipe: ..."; NULL: none */
} suite_session;

/* The command that a line on stderr begins with. */
static inline const char *suite_run_word(const suite_session *s)
{
    return s->options.alone ? "nodes" : "run";
}

/* run_session.c: runs the benchmarks of the table; results go to dir. Returns the exit status. */
int suite_run_benchmarks(const suite_home *home, const suite_run_options *options, const char *dir);

/* run_backends.c: the same over the backends of the list, words NAME or NAME=BUILD; results of
   several go to DIR/NAME. Returns the exit status. */
int suite_run_backends(const suite_home *home, const suite_run_options *options, const char *list,
                       const char *dir);

/* run_check.c: how often each benchmark is launched in a profile. */
int suite_run_launches_of(int profile);
/* The same file: checks what goes beyond one option's range, makes DIR, sets table, only, dir and
   all_ranks. Returns 0, or prints one line and returns the exit status. */
int suite_run_check(suite_session *session, const char *dir);

/* run_hosts.c: sets hosts and slots. Returns 0, or prints one line and returns the exit status. */
int suite_run_hosts(suite_session *session);

/* Returns true if --place names a simulated cluster. */
bool suite_run_simulates(const suite_session *session);

/* run_shapes.c. If there are several hosts: asks them for their cores and memory, sets all_ranks
   and node_ranks. Returns 0; or prints one line and returns the exit status, also if they do not
   answer: launches with another number of ranks would later be joined with theirs. Then: the number
   of ranks of a run; the words that start them; and whether it would be the same as one with
   another shape of the same benchmark. */
int suite_run_shapes(suite_session *session);
int suite_run_ranks(const suite_session *session, const suite_run *run);
void suite_run_launcher(const suite_session *session, const suite_run *run, suite_words *command);
bool suite_run_is_same(const suite_session *session, const suite_run *run);
/* Writes what the hosts answered to DIR/launches/hosts.1. Returns true, also if they were not
   asked; or prints one line and returns false. */
bool suite_run_write_answer(const suite_session *session);

/* run_sizes.c: the run's options in the profile, with its size for its ranks. The caller frees. */
char *suite_run_options_of(const suite_session *session, const suite_run *run);

/* run_place.c: builds the programs of --place and sets home and launcher accordingly. Returns 0, or
   prints one line and returns the exit status. */
int suite_run_place(suite_session *session);

/* run_told.c: compares DIR/run.txt with this run and writes it anew; without results to keep, also
   what the hosts answered. A run.txt or NAME.txt that clustermark did not write is refused. Returns
   0, or prints one line and returns the exit status. */
int suite_run_agree(suite_session *session);
/* The same file: returns true if DIR has results that the run keeps. */
bool suite_run_goes_on(const suite_session *session);

/* ---- run_one.c ---- */

/* Returns true if the run is to be launched, and readies DIR for it. Otherwise says why not: its
   result is complete, or it is skipped. */
bool suite_run_prepare(suite_session *session, const suite_run *run);
/* Writes the result of the run's launches, which are complete. */
void suite_run_finish(suite_session *session, const suite_run *run);
/* Removes all that DIR has of the run. */
void suite_run_forget(const suite_session *session, const suite_run *run);

/* ---- run_launch.c ---- */

typedef enum {
    SUITE_LAUNCH_COMPLETE,
    SUITE_LAUNCH_FAILED, /* NAME.failed says why */
    SUITE_LAUNCH_INTERRUPTED
} suite_launch_end;
suite_launch_end suite_run_launch(suite_session *session, const suite_run *run, size_t launch);
/* Returns true if DIR has the whole JSON of every launch, or of none. */
bool suite_launches_agree(const suite_session *session, const suite_run *run);
/* Returns true if DIR has the whole result of this launch, which is shown. A text that is missing
   is written from its JSON. */
bool suite_launch_is_there(suite_session *session, const suite_run *run, size_t launch);

/* ---- Both ---- */

/* Returns true if --only names the run or nothing. */
bool suite_run_is_asked(const suite_session *session, const suite_run *run);

#endif

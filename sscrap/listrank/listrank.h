/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank.h: declarations that the files of cm-listrank share. */
#ifndef LISTRANK_H
#define LISTRANK_H

#include "../common/sscrap.h"

enum { LISTRANK_AUTO, LISTRANK_COPIES, LISTRANK_RUNS, LISTRANK_RULERS, LISTRANK_TOKENS };
enum { LISTRANK_METHODS = LISTRANK_TOKENS + 1 };

/* The processes of all rows and their computers. All zero if they are unknown. */
typedef struct {
    int processes, here; /* all; most on one computer */
    bool one_host;
    double free_bytes; /* of the computer that has least; 0: not known */
    int64_t tried;     /* nodes of the list that all processes have tried methods on; 0: none */
    double tried_s[LISTRANK_METHODS]; /* seconds of the slowest; 0: not tried */
} listrank_place;

typedef struct {
    sscrap_job job;
    listrank_place place;
    double permuted; /* probability that a node leaves its place */
    double local;    /* share of links that stay within their process; below 0: see permuted */
    int distance;    /* LISTRANK_UNIT, LISTRANK_RANDOM */
    int method;      /* LISTRANK_AUTO, _COPIES, ... */
} listrank_options;
enum { LISTRANK_UNIT, LISTRANK_RANDOM };

/* A node: the number of its successor among all nodes, and the distance to it. The last node has
   the end as its successor. */
typedef struct {
    int64_t next, distance;
} listrank_node;
#define LISTRANK_END INT64_C(-1)
enum { LISTRANK_JITTER = 64 }; /* mean of random distances */
/* The most nodes of a list: LISTRANK_JITTER times this fits into 63 bits. */
#define LISTRANK_MOST 0x1p56
/* The first node is the number that is missing among the successors 0 to n-1, where LISTRANK_END is
   instead. Returns it from their sum; sums are modulo 2^64. */
static inline int64_t listrank_begin(int64_t n, uint64_t successors)
{
    uint64_t even = (uint64_t)(n % 2 ? n - 1 : n), odd = (uint64_t)(n % 2 ? n : n - 1);
    return (int64_t)(even / 2 * odd - 1 - successors);
}

/* ---- listrank_list.c: lists with a known answer ---- */
typedef struct {
    int64_t n;
    uint64_t seed, moved_below; /* a node is permuted if its hash is below moved_below */
    int bits;                   /* that numbers below n need */
    int distance;
    int p;                /* listrank_local.c: processes, */
    int64_t each, rounds; /* nodes of each, stretches of each; rounds is 0 for other lists */
} listrank_list;
listrank_list listrank_list_of(int64_t n, double permuted, int distance, uint64_t seed);
listrank_node listrank_list_node(const listrank_list *list, int64_t node);
/* Returns the distance of a node to the last one. */
int64_t listrank_list_rank(const listrank_list *list, int64_t node);

/* ---- listrank_local.c: lists of which a share of the links stays within its process ---- */
/* Makes a list of listrank_list_of one for p processes. local: the share, 0 to 1. */
void listrank_local_open(listrank_list *list, double local, int p);
int64_t listrank_local_node(const listrank_list *list, int64_t place);
int64_t listrank_local_place(const listrank_list *list, int64_t node);
/* Returns the most by which the share of n nodes may be wrong: the crossing links are a multiple of
   p and at least p, the last node has none, and n may be no multiple of p. */
double listrank_local_error(int64_t n, int p);

/* ---- listrank_shuffle.c: permutations ---- */
/* Permutes the numbers of `bits` bits, 2 to 64. */
uint64_t listrank_scramble(uint64_t x, int bits, uint64_t seed);
uint64_t listrank_unscramble(uint64_t x, int bits, uint64_t seed);
int listrank_bits(int64_t n); /* that numbers below n need; at least 2 */
/* Permutes the numbers below n. */
int64_t listrank_shuffle(int64_t x, int64_t n, uint64_t seed);
int64_t listrank_unshuffle(int64_t x, int64_t n, uint64_t seed);

/* ---- listrank_walk.c: a process advances many walks in turn ---- */

/* A node during the work; at first it is as in the input. When a walk has visited it, next is
   LISTRANK_TAKEN with the walk's origin, and distance is that from the walk's ruler. A ruler is
   marked with its own walk from the beginning, so a walk that meets a taken node has met a
   ruler. */
#define LISTRANK_TAKEN INT64_MIN
/* An origin: the process and the number of the ruler there. 2^42 nodes of a process would take
   70 TB, and 20 bits are left for the process: as many as --place allows. */
enum { LISTRANK_RULER_BITS = 42 };
static inline int64_t listrank_origin(int pid, int64_t ruler)
{
    return (int64_t)pid << LISTRANK_RULER_BITS | ruler;
}
static inline int listrank_pid(int64_t origin) { return (int)(origin >> LISTRANK_RULER_BITS); }
static inline int64_t listrank_ruler(int64_t origin)
{
    return origin & ((INT64_C(1) << LISTRANK_RULER_BITS) - 1);
}

/* A walk that has reached node `at` but not yet looked at it. distance is from its ruler to
   `at`. */
typedef struct {
    int64_t at, origin, distance;
} listrank_walker;
/* A walk that has ended: the ruler after its own, or LISTRANK_END, and the distance to it. */
typedef struct {
    int64_t ruler, next, distance;
} listrank_answer;

/* Data for another process, in memory that grows. */
typedef struct {
    void *data;
    size_t used, room;
} listrank_buffer; /* bytes */
void *listrank_buffer_more(listrank_buffer *buffer, size_t bytes);
void listrank_buffer_free(listrank_buffer *buffer);

typedef struct {
    int p, pid;
    const int64_t *first; /* [p + 1] number of each process's first node */
    listrank_node *work;  /* own nodes */
    listrank_node *ruler; /* own: first where their walks begin, then where they ended */
    int64_t rulers;
    listrank_buffer *leave, *answer; /* [p] walks and answers for others */
} listrank_walks;
/* Returns the process that has this item; first[p + 1] as in listrank_walks. */
static inline int listrank_owner(const int64_t *first, int p, int64_t item)
{
    int pid = 0;
    if (p <= 16) {
        for (int k = 1; k < p; k++) pid += item >= first[k];
        return pid;
    }
    for (int n = p; n > 1;) {
        int half = n / 2;
        if (item >= first[pid + half]) pid += half, n -= half;
        else n = half;
    }
    return pid;
}
/* Walks from own rulers from..to-1. */
void listrank_walk_rulers(listrank_walks *w, int64_t from, int64_t to);
/* Continues n walks that arrived. */
void listrank_walk(listrank_walks *w, const listrank_walker *walker, int64_t n);

/* Ends the job if the input is no list. The process that calls it tells. */
static inline void listrank_require_list(bool is_list)
{
    if (!is_list) cm_abort(CM_EXIT_WRONG, "list ranking: the nodes are not one list with one end");
}

/* All processes call it in the same superstep with the same answer: the first tells, and the others
   wait for the end of the job. */
static inline void listrank_require_list_of_all(bool is_list)
{
    if (bsp_pid() == 0) listrank_require_list(is_list);
    while (!is_list) bsp_sync();
}

/* Without a branch, which would be mispredicted every other time. */
static inline int64_t listrank_choose(bool first, int64_t a, int64_t b)
{
    return b ^ ((a ^ b) & -(int64_t)first);
}

/* Returns the number of rulers if all nodes are on this process. */
enum { LISTRANK_MOST_RULERS = 1 << 14 }; /* a power of two */
int64_t listrank_rulers(int64_t n);
/* Computes the distance of each ruler to the end from the links that the walks have made. Returns
   false if they are not one list with one end. */
bool listrank_rank_rulers(listrank_node *ruler, int64_t rulers);

/* Under a simulator, lets the time pass that visits of this many nodes take. */
void listrank_cost(int64_t nodes);

/* Ranks n nodes that are all on this process; the distances to the end replace them in work.
   Returns false if the nodes are not one list with one end. */
bool listrank_alone(listrank_node *work, int64_t n);

/* ---- listrank_rulers.c: all processes together, with the least work ---- */
enum { LISTRANK_EIGHTH = 8, LISTRANK_WALK_STEPS = 12 };
/* Returns the number of nodes that process 0 ranks while the others wait. */
static inline int64_t listrank_few(int64_t n, int p) { return n / p / 2 > 1000 ? n / p / 2 : 1000; }
/* Returns the number of parts in which the nodes ask their rulers. */
static inline int listrank_chunks(int64_t n, int p) { return n / p < 1 << 16 ? 1 : 8; }
/* work[first[pid + 1] - first[pid]]: as listrank_alone. */
void listrank_by_rulers(listrank_node *work, const int64_t *first);
double listrank_by_rulers_bytes(int64_t n, int p);
/* leaves: the probability that a link leaves its process. */
sscrap_model listrank_rulers_model(double leaves, int64_t n, int p);

/* ---- listrank_tokens.c: all processes together, with few supersteps and words ---- */
enum {
    LISTRANK_STRETCH = 5, /* one run in this number is a ruler from the beginning */
    LISTRANK_STEPS = 8,   /* of tokens */
    LISTRANK_FEW = 1000   /* items that every process can rank while the others do the same */
};
/* Returns true if numbers and ranks may have four bytes each. */
static inline bool listrank_fits(int64_t n, uint64_t distances)
{
    return n < INT64_C(1) << 30 && distances >> 32 == 0;
}
/* Returns the length of a list of rulers that every process ranks alone, for a list of n nodes. */
static inline int64_t listrank_all_few(int64_t n, int p)
{
    return 3 * (n / p) > LISTRANK_FEW ? 3 * (n / p) : LISTRANK_FEW;
}
/* Returns the length of a list that needs no rulers. */
static inline int64_t listrank_short(int64_t all_few)
{
    return all_few / 6 > LISTRANK_FEW ? all_few / 6 : LISTRANK_FEW;
}
typedef struct listrank_memory listrank_memory; /* of a process, for any number of runs */
listrank_memory *listrank_memory_open(int p);
void listrank_memory_close(listrank_memory *memory); /* memory may be NULL */
/* work[first[pid + 1] - first[pid]]: as listrank_alone. */
void listrank_by_tokens(listrank_memory *memory, listrank_node *work, const int64_t *first);
double listrank_by_tokens_bytes(int64_t n, int p, bool is_short);

/* ---- listrank_pair.c: two processes ---- */
typedef struct listrank_pair listrank_pair; /* memory of a process with `own` nodes */
listrank_pair *listrank_pair_open(int64_t own);
void listrank_pair_close(listrank_pair *pair); /* pair may be NULL */
double listrank_pair_bytes(int64_t own);
void listrank_pair_rank(listrank_pair *pair, listrank_node *work, const int64_t *first);

/* ---- listrank_copy.c: a few processes on one host ---- */
enum { LISTRANK_MOST_COPIES = 8 }; /* most processes that have a copy of the whole list each */
/* For n nodes, `own` of which are this process's. Open pushes registrations, which the next sync
   makes; close pops them. */
typedef struct listrank_copy listrank_copy;
listrank_copy *listrank_copy_open(int64_t n, int64_t own, int p);
void listrank_copy_close(listrank_copy *copy); /* copy may be NULL */
double listrank_copy_bytes(int64_t n, int64_t own, int p);
/* work[first[pid + 1] - first[pid]]: as listrank_alone. The job ends unless listrank_fits. */
void listrank_copy_rank(listrank_copy *copy, listrank_node *work, const int64_t *first);

/* ---- listrank_method.c ---- */
/* Returns true if numbers and ranks of a list with these options have four bytes. */
bool listrank_is_short(const listrank_options *options, int64_t n);
/* Returns the method for n nodes on p processes: the one that the options name if it can be used,
   otherwise the fastest of those that fit into the memory of options->place; if none does, the one
   that takes least. */
int listrank_method_of(const listrank_options *options, int64_t n, int p, bool one_host);
const char *listrank_method_name(int method); /* not of LISTRANK_AUTO */
/* Returns true if the method ranks n nodes on p processes and fits into the memory. */
bool listrank_method_usable(const listrank_options *options, int method, int64_t n, int p);
/* Returns the bytes that a method takes on each of p processes, with the list itself. */
double listrank_method_bytes(const listrank_options *options, int method, int64_t n, int p);
/* Writes the method of all processes and the most nodes, and why it is that one. */
void listrank_method_tell(const listrank_options *options, char *text, size_t room);

/* ---- listrank_trial.c ---- */
/* On several hosts, times the methods that auto could take, on a shorter list. All processes of the
   group call it, outside of an SPMD part, with the same options; place gets the same times. */
void listrank_try(cm_group *all, listrank_options *options);

/* ---- listrank_model.c ---- */
/* method: not LISTRANK_AUTO. */
sscrap_model listrank_model(const listrank_options *options, int method, int64_t n, int p);

/* ---- listrank_run.c ---- */
extern const sscrap_problem listrank_problem;
extern const listrank_options listrank_defaults;

extern const cm_metric listrank_metrics[]; /* of the RESULT lines */

#endif

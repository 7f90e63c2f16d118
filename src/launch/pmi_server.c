/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_server.c: the launcher's side of PMI-1: a table of commands. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/exit.h"
#include "comm/pmi/pmi_line.h"
#include "launch/key_table.h"
#include "launch/pmi_server.h"

/* A rank needs one key. The limit keeps a faulty rank from using up the launcher's memory. */
enum { KEYS_PER_RANK = 1024 };

/* What a rank in the barrier waits for: its end alone, the values of all, these with the answer to
   init, or the answer to finalize. */
typedef enum { WAITS_END, WAITS_VALUES, WAITS_JOINED, WAITS_LEFT, WAITS_KINDS } waits_for;

typedef struct {
    pmi_state state;
    int life; /* how often it joined; a rank that is a shell script may run several programs */
    int keys;
    bool in_barrier, gone, excused;
    waits_for waits_for;
    char *value; /* what it gave to the gather; NULL if nothing */
} member;

struct pmi_server {
    int size, in_barrier, gone;
    int waiting[WAITS_KINDS]; /* ranks in the barrier, by what they wait for */
    int excused, missing;     /* excused ranks; those of them that are not in the barrier */
    const pmi_server_events *events;
    void *context;
    char space[CM_PMI_NAME_BYTES];
    member *member;
    key_table keys;
    key_entry *newest; /* of the keys that the proxies do not know yet */
};

/* ---- The key-value space --------------------------------------------------------------------- */

/* Returns NULL, or the reason as one word, which goes into msg=. */
static const char *put(pmi_server *server, int rank, const char *key, const char *value)
{
    member *member = &server->member[rank];
    key_entry *e = key_table_find(&server->keys, key);
    if (e && (e->rank != rank || e->life == member->life)) return "duplicate_key";
    if (!e && member->keys >= KEYS_PER_RANK) return "too_many_keys";
    bool is_new = !e, is_told = !e || e->told;
    if (!(e = key_table_put(&server->keys, key, value))) return "out_of_memory";
    member->keys += is_new;
    e->rank = rank;
    e->life = member->life;
    if (!is_told) return NULL;
    e->told = false;
    e->older = server->newest;
    server->newest = e;
    return NULL;
}

/* Tells the proxies the keys that are new since the last barrier, in few texts. */
static void tell_keys(pmi_server *server)
{
    enum { TEXT_BYTES = 16384 };
    char text[TEXT_BYTES];
    const size_t begin = (size_t)snprintf(text, sizeof text, "kvsname=%s", server->space);
    size_t used = begin;
    if (!server->events->keys) return;
    for (key_entry *e = server->newest; e; e = e->older) {
        if (used + strlen(e->key) + strlen(e->value) + 3 > sizeof text) {
            server->events->keys(server->context, text, used);
            used = begin;
        }
        used += (size_t)snprintf(text + used, sizeof text - used, " %s=%s", e->key, e->value);
        e->told = true;
    }
    if (used > begin) server->events->keys(server->context, text, used);
    server->newest = NULL;
}

/* ---- Answers --------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void answer(pmi_server *server, int rank,
                                                         const char *format, ...)
{
    char line[CM_PMI_LINE_BYTES];
    va_list list;
    va_start(list, format);
    int bytes = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    server->events->answer(server->context, rank, line, (size_t)bytes);
}

__attribute__((format(printf, 3, 4))) static void broken(pmi_server *server, int rank,
                                                         const char *format, ...)
{
    char why[256];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    for (char *c = why; *c; c++)
        if (*c < ' ' || *c > '~') *c = '?';
    server->member[rank].state = PMI_BROKEN;
    server->events->broken(server->context, rank, why);
}

/* ---- Commands -------------------------------------------------------------------------------- */

#define WELCOME "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 launcher=cmrun gather=1"

static void give_value(pmi_server *server, int rank, const char *line, waits_for what);

static void join(pmi_server *server, int rank, const char *line)
{
    member *member = &server->member[rank];
    int version, subversion;
    if (member->state == PMI_JOINED) {
        broken(server, rank, "joined the job twice (PMI init)");
        return;
    }
    if (!cm_pmi_line_number(line, "pmi_version", &version)
        || !cm_pmi_line_number(line, "pmi_subversion", &subversion)) {
        broken(server, rank, "sent a malformed PMI line: '%.80s'", line);
        return;
    }
    if (version != 1) {
        answer(server, rank, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=-1\n");
        return;
    }
    member->state = PMI_JOINED;
    member->life++;
    if (strstr(line, " value=")) give_value(server, rank, line, WAITS_JOINED);
    else answer(server, rank, WELCOME "\n");
}

static void get_maxes(pmi_server *server, int rank, const char *line)
{
    (void)line;
    answer(server, rank, "cmd=maxes kvsname_max=%d keylen_max=%d vallen_max=%d\n",
           CM_PMI_NAME_BYTES, CM_PMI_KEY_BYTES, CM_PMI_VALUE_BYTES);
}

static void get_my_kvsname(pmi_server *server, int rank, const char *line)
{
    (void)line;
    answer(server, rank, "cmd=my_kvsname kvsname=%s\n", server->space);
}

static void get_appnum(pmi_server *server, int rank, const char *line)
{
    (void)line;
    answer(server, rank, "cmd=appnum appnum=0\n");
}

static void get_universe_size(pmi_server *server, int rank, const char *line)
{
    (void)line;
    answer(server, rank, "cmd=universe_size size=%d\n", server->size);
}

static bool is_our_space(const pmi_server *server, const char *line)
{
    char space[CM_PMI_NAME_BYTES];
    return cm_pmi_line_field(line, "kvsname", space, sizeof space)
           && strcmp(space, server->space) == 0;
}

static void put_key(pmi_server *server, int rank, const char *line)
{
    char key[CM_PMI_KEY_BYTES], value[CM_PMI_VALUE_BYTES];
    const char *why;
    if (!is_our_space(server, line)) why = "unknown_kvsname";
    else if (!cm_pmi_line_field(line, "key", key, sizeof key) || !cm_pmi_key_valid(key))
        why = "no_key_or_too_long";
    else if (!cm_pmi_line_field(line, "value", value, sizeof value)) why = "no_value_or_too_long";
    else why = put(server, rank, key, value);
    answer(server, rank, "cmd=put_result rc=%d msg=%s\n", why ? -1 : 0, why ? why : "success");
}

static void get_key(pmi_server *server, int rank, const char *line)
{
    char key[CM_PMI_KEY_BYTES];
    if (!is_our_space(server, line))
        answer(server, rank, "cmd=get_result rc=-1 msg=unknown_kvsname value=unknown\n");
    else if (!cm_pmi_line_field(line, "key", key, sizeof key) || !cm_pmi_key_valid(key))
        answer(server, rank, "cmd=get_result rc=-1 msg=no_key_or_too_long value=unknown\n");
    else {
        const key_entry *e = key_table_find(&server->keys, key);
        if (e) answer(server, rank, "cmd=get_result rc=0 msg=success value=%s\n", e->value);
        else answer(server, rank, "cmd=get_result rc=-1 msg=key_%s_not_found value=unknown\n", key);
    }
}

/* Sends a line to the ranks in the barrier that wait for this. */
static void answer_barrier(pmi_server *server, waits_for what, const char *line, size_t bytes)
{
    if (server->waiting[what] == server->size && !server->excused) {
        server->events->answer_all(server->context, line, bytes);
        return;
    }
    for (int i = 0; i < server->size; i++) {
        const member *member = &server->member[i];
        if (member->in_barrier && member->waits_for == what && !member->excused)
            server->events->answer(server->context, i, line, bytes);
    }
}

/* Sends the values of all ranks, in as few lines as they fit in. */
static void answer_values(pmi_server *server, waits_for what)
{
    char line[CM_PMI_LINE_BYTES], text[CM_PMI_SHORT_BYTES];
    const char *before = "", *begin = what == WAITS_JOINED ? WELCOME : "cmd=gather_out";
    size_t used = 0;
    for (int i = 0; i < server->size; i++) {
        const char *value = server->member[i].value ? server->member[i].value : "";
        cm_pmi_shorten(before, value, text);
        if (used + sizeof " v=" + strlen(text) >= sizeof line) {
            strcpy(line + used, "\n");
            answer_barrier(server, what, line, used + 1);
            used = 0;
            begin = "cmd=gather_out";
        }
        if (!used) used = (size_t)snprintf(line, sizeof line, "%s first=%d", begin, i);
        used += (size_t)snprintf(line + used, sizeof line - used, " v=%s", text);
        before = value;
    }
    strcpy(line + used, "\n");
    answer_barrier(server, what, line, used + 1);
}

static void complete_barrier(pmi_server *server)
{
    static const char out[] = "cmd=barrier_out\n", left[] = "cmd=finalize_ack\n";
    if (!server->in_barrier || server->in_barrier + server->missing < server->size) return;
    tell_keys(server);
    if (server->waiting[WAITS_JOINED]) answer_values(server, WAITS_JOINED);
    if (server->waiting[WAITS_VALUES]) answer_values(server, WAITS_VALUES);
    if (server->waiting[WAITS_END]) answer_barrier(server, WAITS_END, out, sizeof out - 1);
    if (server->waiting[WAITS_LEFT]) answer_barrier(server, WAITS_LEFT, left, sizeof left - 1);
    server->in_barrier = 0;
    memset(server->waiting, 0, sizeof server->waiting);
    server->missing = server->excused;
    for (int i = 0; i < server->size; i++) {
        member *member = &server->member[i];
        if (member->in_barrier && member->waits_for == WAITS_LEFT && member->state == PMI_JOINED)
            member->state = PMI_LEFT;
        member->in_barrier = false;
        free(member->value);
        member->value = NULL;
    }
}

static void wait_in_barrier(pmi_server *server, int rank, waits_for what)
{
    server->member[rank].in_barrier = true;
    server->member[rank].waits_for = what;
    server->waiting[what]++;
    server->in_barrier++;
    complete_barrier(server);
}

static void barrier_in(pmi_server *server, int rank, const char *line)
{
    int finalize;
    bool last = cm_pmi_line_number(line, "finalize", &finalize) && finalize == 1;
    wait_in_barrier(server, rank, last ? WAITS_LEFT : WAITS_END);
}

/* Adds the value of a rank that has just joined, or sends gather_in. */
static void give_value(pmi_server *server, int rank, const char *line, waits_for what)
{
    char value[CM_PMI_VALUE_BYTES];
    if (!cm_pmi_line_field(line, "value", value, sizeof value))
        broken(server, rank, "sent a malformed PMI line: '%.80s'", line);
    else if (!(server->member[rank].value = strdup(value)))
        broken(server, rank, "sent a value for which cmrun has no memory");
    else wait_in_barrier(server, rank, what);
}

static void gather_in(pmi_server *server, int rank, const char *line)
{
    give_value(server, rank, line, WAITS_VALUES);
}

static void finalize(pmi_server *server, int rank, const char *line)
{
    (void)line;
    server->member[rank].state = PMI_LEFT;
    answer(server, rank, "cmd=finalize_ack\n");
}

static void abort_job(pmi_server *server, int rank, const char *line)
{
    int status, blames;
    char value[CM_PMI_LINE_BYTES], text[CM_PMI_LINE_BYTES];
    if (!cm_pmi_line_number(line, "blames", &blames)) blames = -1;
    if (!cm_pmi_line_number(line, "exitcode", &status)) status = CM_EXIT_SYSTEM;
    if ((status &= 0xff) == 0) status = CM_EXIT_SYSTEM; /* an abort is always a failure */
    bool told = cm_pmi_line_field(line, "message", value, sizeof value);
    if (told) {
        cm_pmi_decode(value, text, sizeof text);
        /* One line, without terminal controls; UTF-8 is kept. */
        for (unsigned char *c = (unsigned char *)text; *c; c++)
            if (*c < ' ' || *c == 127) *c = ' ';
    }
    server->events->abort(server->context, rank, status, blames, told ? text : NULL);
}

static const struct {
    const char *name;
    void (*run)(pmi_server *server, int rank, const char *line);
    bool outside; /* allowed for a rank that has not joined */
} commands[] = {
    {"init", join, true},
    {"get_maxes", get_maxes, false},
    {"get_my_kvsname", get_my_kvsname, false},
    {"get_appnum", get_appnum, false},
    {"get_universe_size", get_universe_size, false},
    {"put", put_key, false},
    {"get", get_key, false},
    {"barrier_in", barrier_in, false},
    {"gather_in", gather_in, false},
    {"finalize", finalize, false},
    {"abort", abort_job, true},
};

void pmi_server_line(pmi_server *server, int rank, const char *line)
{
    const member *member = &server->member[rank];
    char command[CM_PMI_NAME_BYTES];
    if (member->state == PMI_BROKEN || member->excused) return;
    if (!cm_pmi_line_valid(line) || !cm_pmi_line_field(line, "cmd", command, sizeof command)) {
        broken(server, rank, "sent a malformed PMI line: '%.80s'", line);
        return;
    }
    size_t i = 0, n = sizeof commands / sizeof commands[0];
    while (i < n && strcmp(commands[i].name, command) != 0) i++;
    if (i == n) broken(server, rank, "sent an unknown PMI command: '%.80s'", line);
    else if (member->state != PMI_JOINED && !commands[i].outside)
        broken(server, rank, "sent the PMI command '%s' outside of init and finalize", command);
    else if (member->in_barrier && commands[i].run != abort_job)
        broken(server, rank, "sent the PMI command '%s' from within a barrier", command);
    else commands[i].run(server, rank, line);
}

/* ---- Life ------------------------------------------------------------------------------------ */

pmi_server *pmi_server_new(int size, const pmi_server_events *events, void *context)
{
    pmi_server *server = calloc(1, sizeof *server);
    if (!server) return NULL;
    *server = (pmi_server){.size = size, .events = events, .context = context};
    snprintf(server->space, sizeof server->space, "cmrun_%ld", (long)getpid());
    server->member = calloc((size_t)size, sizeof *server->member);
    if (server->member) return server;
    pmi_server_free(server);
    return NULL;
}

void pmi_server_free(pmi_server *server)
{
    if (!server) return;
    for (int i = 0; server->member && i < server->size; i++) free(server->member[i].value);
    key_table_free(&server->keys);
    free(server->member);
    free(server);
}

pmi_state pmi_server_state(const pmi_server *server, int rank)
{
    return server->member[rank].state;
}

void pmi_server_gone(pmi_server *server, int rank)
{
    server->gone += !server->member[rank].gone;
    server->member[rank].gone = true;
}

void pmi_server_excuse(pmi_server *server, int rank)
{
    member *member = &server->member[rank];
    if (member->excused) return;
    member->excused = true;
    server->excused++;
    server->missing += !member->in_barrier;
    complete_barrier(server);
}

bool pmi_server_stuck(const pmi_server *server, int *rank, int *waiting)
{
    if (!server->in_barrier || !server->gone) return false;
    for (int i = 0; i < server->size; i++)
        if (server->member[i].gone && !server->member[i].in_barrier && !server->member[i].excused) {
            *rank = i;
            *waiting = server->in_barrier;
            return true;
        }
    return false;
}

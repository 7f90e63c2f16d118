/* SPDX-License-Identifier: BSD-3-Clause */
/* check_internal.h: what cmrun and its helpers on the hosts say to each other, and their states.

   Both say lines. cmrun begins: variable NAME=VALUE, folder PATH, program NAME, host NUMBER HOSTS,
   name NUMBER NAME for all hosts, look. The host says version, files, locked, processes,
   backlog, unresolved NAME, wrong WORDS, card CARD, each with its value, and ready. Then cmrun says
   clock, and is told clock SECONDS; then card NUMBER CARD for all hosts that have one, and connect.
   The host says used NUMBER INTERFACE and fault NUMBER ADDRESS PORT WORDS, and done. It lets others
   connect until its stdin ends. */
#ifndef CM_LAUNCH_CHECK_INTERNAL_H
#define CM_LAUNCH_CHECK_INTERNAL_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#include "launch/check.h"
#include "launch/files.h"
#include "machine/interface.h"

enum {
    CHECK_ADDRESSES = 8, /* of a host */
    CHECK_PORTS = 2,     /* of an address: the first and the last of CM_PORTS */
    CHECK_TOKEN = 32,    /* hexadecimal digits by which a host knows another one */
    CHECK_CARD = 1024,
    CHECK_SILENCE_S = 5 /* or CM_TIMEOUT_S, if that is shorter */
};

/* ---- On a host ------------------------------------------------------------------------------- */

/* Where a host listens: "TOKEN NAME BITS ADDRESS PORT PORT;NAME ..." */
typedef struct {
    char token[CHECK_TOKEN + 1];
    int n, ports;
    struct {
        cm_machine_interface interface;
        int port[CHECK_PORTS];
    } at[CHECK_ADDRESSES];
} check_card;

typedef struct {
    int number, n; /* of this host, and of all */
    check_card own;
    int listener[CHECK_ADDRESSES * CHECK_PORTS], listeners;
    check_card **card; /* of all hosts; NULL: it has none */
    double silence_s;
} check_here;

/* Lets in who has connected, and tells them the token. */
void check_let_in(const check_here *here);

/* Connects to every other host, and prints used and fault. */
void check_connect_all(const check_here *here);

/* ---- cmrun ----------------------------------------------------------------------------------- */

typedef enum {
    CHECK_WAITS,
    CHECK_LOOKS,
    CHECK_IS_READY,
    CHECK_CONNECTS,
    CHECK_IS_DONE,
    CHECK_LOST
} check_phase;

typedef struct {
    int to;
    char *text; /* "10.77.0.2 port 7001: Permission denied; ..." */
} check_fault;

typedef struct {
    const char *name;
    int number, ranks;
    check_phase phase;
    pid_t pid;
    int in, out, err; /* what it reads, says and complains of; -1: closed */
    char *to;         /* what it has not read yet */
    size_t to_bytes;
    char line[8192], words[2048];
    size_t line_bytes, words_bytes;
    double since_s, clock_asked_s;
    char *lost; /* why it was not looked at */
    /* What it told. Limits of -1 are none, of -2 not told. */
    char version[128];
    long long files, locked, processes, backlog;
    double clock_s, clock_error_s; /* ahead of cmrun's, and how wrong that may be */
    bool clock_told;
    char *card, *unresolved, *wrong; /* wrong: separated by newlines */
    char **used;                     /* for each other host the interface; NULL: none */
    check_fault *fault;
    int faults;
} check_remote;

typedef struct check {
    const check_plan *plan;
    const files_limit *files;
    check_remote *host;
    int n;
} check;

/* Starts the helper on a host. False: host->lost says why. */
bool check_start(const check *check, check_remote *host);
void check_end(check_remote *host);
__attribute__((format(printf, 2, 3))) void check_lose(check_remote *host, const char *format, ...);

/* Prints everything; returns true if a job would fail. */
bool check_print(const check *check);

#endif

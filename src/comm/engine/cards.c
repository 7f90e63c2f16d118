/* SPDX-License-Identifier: BSD-3-Clause */
/* cards.c: publishes this rank's card and reads those of the others. */
#include "config.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/engine/cards.h"
#include "comm/engine/engine.h"
#include "comm/engine/transport.h"
#include "comm/pmi/pmi_line.h"
#include "comm/tuning.h"
#include "machine/machine.h"

static int start_error(const char *text)
{
    fprintf(stderr, "clustermark: rank %d on %s: %s\n", engine.rank, engine.host, text);
    return CM_EXIT_SYSTEM;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void hex(const unsigned char *bytes, size_t n, char *text)
{
    for (size_t i = 0; i < n; i++) sprintf(text + 2 * i, "%02x", bytes[i]);
}

static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads exactly 2 n digits. Every rank reads the cards of all, so this is no sscanf. */
static bool unhex(const char *text, unsigned char *bytes, size_t n)
{
    if (strlen(text) != 2 * n) return false;
    for (size_t i = 0; i < n; i++) {
        const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        bytes[i] = (unsigned char)(16 * high + low);
    }
    return true;
}

/* Ends a field at the next '|'. Returns the field after it, or NULL if there is none. */
static char *next_field(char *field)
{
    char *end = field ? strchr(field, '|') : NULL;
    if (end) *end++ = 0;
    return end;
}

/* All of the text must be digits. */
static bool read_number(const char *text, int base, uint64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoull(text, &end, base);
    return isxdigit((unsigned char)*text) && !*end && errno == 0;
}

/* Reads host|addresses|nonce|window|computer|which|processors|tuning|process. */
static bool read_card(char *card, cm_peer *peer)
{
    char *address = next_field(card), *nonce = next_field(address), *window = next_field(nonce);
    char *computer = next_field(window), *which = next_field(computer);
    char *processors = next_field(which), *tuning = next_field(processors);
    char *process = next_field(tuning);
    uint64_t credit, number, set, count, tables;
    if (!process || !*card || !read_number(window, 10, &credit)
        || !read_number(computer, 16, &number) || !read_number(which, 16, &set)
        || !read_number(processors, 10, &count) || count < 1 || count > INT_MAX
        || !read_number(tuning, 16, &tables) || !cm_liveness_read(process, peer))
        return false;
    peer->host = strdup(card);
    peer->card = strdup(address);
    peer->credit = credit;
    peer->computer = number;
    peer->which = set;
    peer->processors = (int)count;
    peer->tuning = tables;
    return peer->host && peer->card && unhex(nonce, peer->nonce, CM_NONCE_BYTES);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

/* Returns the number of ranks on this host according to the launcher, 0 if unknown. */
static int launched_here(void)
{
    if (engine.environment.local_ranks) return engine.environment.local_ranks;
    const char *text = getenv("MPI_LOCALNRANKS");
    return text ? atoi(text) : 0;
}

/* What must be the same on all ranks. */
static void check_same(int rank)
{
    const cm_peer *peer = &engine.peer[rank], *zero = &engine.peer[0];
    /* Ranks that choose different algorithms would wait for each other. */
    if (peer->tuning != zero->tuning)
        cm_abort(CM_EXIT_USAGE,
                 "CM_TUNING: rank %d on %s has another table of collective algorithms than rank 0 "
                 "on %s, or none, or only one of them has CM_COPY=ring; expected the same on all "
                 "hosts, and one build",
                 rank, peer->host, zero->host);
    const int theirs = cm_transport_rails(peer->card), first = cm_transport_rails(zero->card);
    if (theirs != first)
        cm_abort(CM_EXIT_USAGE,
                 "CM_RAILS: rank %d on %s has %d rails, but rank 0 on %s has %d; expected the "
                 "same number on all ranks",
                 rank, peer->host, theirs, zero->host, first);
}

/* Different hosts may have the same name. */
static int check_proofs(void)
{
    const int here = launched_here();
    const bool several = engine.local_ranks != engine.size || (here && here != engine.size);
    if (!several || cm_auth_strong()) return 0;
    if (engine.rank == 0)
        fprintf(stderr,
                "clustermark: ranks on several hosts need a build with libcrypto to prove their "
                "identity to each other; this build has none\n");
    return CM_EXIT_USAGE;
}

/* ---- The cards ------------------------------------------------------------------------------- */

static bool is_alike(const cm_peer *one, const cm_peer *other)
{
    return one->computer == other->computer && one->which == other->which;
}

/* Returns true if ranks of this host may take turns on processors: on those that this rank may run
   on, or, if all ranks are here, on those of rank 0. All ranks of one host get the same answer to
   the latter. */
static bool may_take_turns(void)
{
    const int here = engine.local_ranks;
    return engine.peer[engine.rank].processors < here
           || (here == engine.size && engine.peer[0].processors < here);
}

/* Counts a rank whose card was read, as those of rank 0 and of this rank were before. */
static void count_rank(int rank)
{
    const cm_peer *peer = &engine.peer[rank], *own = &engine.peer[engine.rank];
    engine.ranks_here += peer->computer == own->computer;
    engine.ranks_alike += is_alike(peer, own);
    engine.ranks_as_zero += is_alike(peer, &engine.peer[0]);
}

enum { SECRET_DIGITS = 2 * CM_SECRET_BYTES };

static int malformed_secret(void)
{
    return start_error("the job's secret, received through the launcher, is malformed");
}

static const char *const malformed_card =
    "a rank's card, received through the launcher, is malformed";

static int ask_for_card(int rank)
{
    char key[32], card[CM_PMI_VALUE_BYTES];
    snprintf(key, sizeof key, "card-%d", rank);
    int status = cm_pmi_get(engine.pmi, rank, key, card, sizeof card);
    if (status) return status;
    return read_card(card, &engine.peer[rank]) ? 0 : start_error(malformed_card);
}

/* By default this is the time for which cmrun waits for a host, because a thousand hosts take
   longer to start than a rank takes to fail. */
double cm_cards_start_limit_s(void)
{
    enum { START_S = 30 };
    double timeout_s = engine.environment.timeout_s;
    return getenv("CM_TIMEOUT_S") || timeout_s > START_S ? timeout_s : START_S;
}

/* Reads the cards of the ranks from first to last, and counts those that are on this host. */
static int ask_for_cards(int first, int last, int *on_host)
{
    *on_host = 0;
    for (int rank = first < 0 ? 0 : first; rank <= last && rank < engine.size; rank++) {
        const int status = engine.peer[rank].host ? 0 : ask_for_card(rank);
        if (status) return status;
        check_same(rank);
        *on_host += strcmp(engine.peer[rank].host, engine.host) == 0;
        count_rank(rank);
    }
    return 0;
}

/* Through the key-value space of PMI-1. Rank 0's card comes first because check_same compares
   with it. If the launcher says how many ranks are here, and all can be reached, other cards are
   read when they are needed. Ranks that may take turns on processors read some before: those of
   this host if the launcher fills one host after the other, which are all if there is one host. The
   number of ranks here stays the launcher's, so that all ranks have the same. */
static int exchange_by_key(const char *card, const char *own_secret)
{
    char key[32], secret[SECRET_DIGITS + 1];
    int status;
    snprintf(key, sizeof key, "card-%d", engine.rank);
    if ((status = cm_pmi_put(engine.pmi, key, card))) return status;
    if (engine.rank == 0 && (status = cm_pmi_put(engine.pmi, "secret", own_secret))) return status;
    if ((status = cm_pmi_barrier_within(engine.pmi, cm_cards_start_limit_s()))) return status;
    if ((status = cm_pmi_get(engine.pmi, 0, "secret", secret, sizeof secret))) return status;
    if (!unhex(secret, engine.secret, CM_SECRET_BYTES)) return malformed_secret();
    if ((status = ask_for_card(0)) || (engine.rank && (status = ask_for_card(engine.rank))))
        return status;
    check_same(engine.rank);
    int on_host;
    engine.local_ranks = launched_here();
    if (!engine.local_ranks || cm_transport_meets()) {
        status = ask_for_cards(0, engine.size - 1, &on_host);
        if (!engine.local_ranks) engine.local_ranks = on_host;
        return status;
    }
    const int near = engine.local_ranks - 1;
    if (may_take_turns()) status = ask_for_cards(engine.rank - near, engine.rank + near, &on_host);
    engine.ranks_here = engine.local_ranks;
    return status;
}

typedef struct {
    bool card, secret; /* one of them is malformed */
} wrong;

static void take_card(void *context, int rank, const char *value)
{
    wrong *wrong = context;
    char card[CM_PMI_VALUE_BYTES];
    strcpy(card, value);
    if (rank == 0) {
        char *secret = strrchr(card, '|');
        if (!secret || !unhex(secret + 1, engine.secret, CM_SECRET_BYTES)) wrong->secret = true;
        if (secret) *secret = 0;
    }
    if (!read_card(card, &engine.peer[rank])) wrong->card = true;
}

/* All cards in one answer. Rank 0 appends the secret to its own. */
static int exchange_at_once(const char *card, const char *own_secret)
{
    char value[CM_PMI_VALUE_BYTES + SECRET_DIGITS + 1];
    wrong wrong = {false, false};
    const bool zero = engine.rank == 0;
    snprintf(value, sizeof value, "%s%s%s", card, zero ? "|" : "", zero ? own_secret : "");
    int status = cm_pmi_gather(engine.pmi, value, take_card, &wrong);
    if (status) return status;
    if (wrong.secret) return malformed_secret();
    if (wrong.card) return start_error(malformed_card);
    engine.local_ranks = 0;
    for (int rank = 0; rank < engine.size; rank++) {
        check_same(rank);
        engine.local_ranks += strcmp(engine.peer[rank].host, engine.host) == 0;
        count_rank(rank);
    }
    return 0;
}

int cm_cards_exchange(void)
{
    char card[1024], address[640], nonce[2 * CM_NONCE_BYTES + 1], process[64];
    char secret[SECRET_DIGITS + 1] = "";
    int rails;
    cm_transport_open(launched_here() == engine.size, address, sizeof address, &rails);
    cm_rail_open(rails);
    if (!cm_auth_random(engine.nonce, CM_NONCE_BYTES)
        || (engine.rank == 0 && !cm_auth_random(engine.secret, CM_SECRET_BYTES)))
        return start_error("the system provides no random numbers");
    hex(engine.nonce, CM_NONCE_BYTES, nonce);
    if (engine.rank == 0) hex(engine.secret, CM_SECRET_BYTES, secret);
    cm_liveness_write(process, sizeof process);
    uint64_t which;
    const int processors = cm_machine_processors(&which);
    snprintf(card, sizeof card, "%s|%s|%s|%zu|%" PRIx64 "|%" PRIx64 "|%d|%" PRIx64 "|%s",
             engine.host, address, nonce, engine.window, engine.computer, which, processors,
             cm_tuning_checksum(), process);
    int status =
        cm_pmi_gathers(engine.pmi) ? exchange_at_once(card, secret) : exchange_by_key(card, secret);
    if (!status && cm_transport_meets()) cm_transport_meet();
    return status ? status : check_proofs();
}

void cm_cards_need(int rank)
{
    if (engine.peer[rank].host || engine.finalizing) return;
    if (ask_for_card(rank)) _exit(CM_EXIT_SYSTEM); /* it has said why */
    check_same(rank);
}

void cm_cards_free(void)
{
    for (int rank = 0; rank < engine.size; rank++) {
        free(engine.peer[rank].host);
        free(engine.peer[rank].card);
    }
}

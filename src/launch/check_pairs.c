/* SPDX-License-Identifier: BSD-3-Clause */
/* check_pairs.c: connects a host to all others, at each of their addresses. */
#include "config.h"
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "launch/check_internal.h"
#include "launch/loop.h"

enum { AT_ONCE = 32, TRIES = CHECK_ADDRESSES * CHECK_PORTS }; /* hosts at a time; per host */

typedef enum { NOT_TRIED, BEGUN, LET_IN, FAILED } outcome;

/* A connection to one port of a host. */
typedef struct {
    int fd;
    outcome outcome;
    char got[CHECK_TOKEN];
    size_t bytes;
    char why[96];
} attempt;

void check_let_in(const check_here *here)
{
    for (int i = 0; i < here->listeners; i++)
        for (int fd; (fd = accept(here->listener[i], NULL, NULL)) >= 0; close(fd))
            if (send(fd, here->own.token, CHECK_TOKEN, MSG_NOSIGNAL) < 0) { /* it has gone */
            }
}

static void fail(attempt *attempt, const char *why)
{
    attempt->outcome = FAILED;
    snprintf(attempt->why, sizeof attempt->why, "%s", why);
    if (attempt->fd >= 0) close(attempt->fd);
    attempt->fd = -1;
}

static void begin(attempt *attempt, const cm_machine_interface *to, int port)
{
    struct sockaddr_storage address = to->address;
    if (address.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)&address)->sin6_port = htons((in_port_t)port);
    else ((struct sockaddr_in *)&address)->sin_port = htons((in_port_t)port);
    memset(attempt, 0, sizeof *attempt);
    attempt->outcome = BEGUN;
    attempt->fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (attempt->fd < 0
        || (connect(attempt->fd, (struct sockaddr *)&address, to->length) != 0
            && errno != EINPROGRESS))
        fail(attempt, strerror(errno));
}

/* Something has come, or the connection has failed. */
static void hear(attempt *attempt, const char *token)
{
    const ssize_t got =
        recv(attempt->fd, attempt->got + attempt->bytes, CHECK_TOKEN - attempt->bytes, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got < 0) {
        fail(attempt, strerror(errno));
        return;
    }
    attempt->bytes += (size_t)got;
    if (got > 0 && attempt->bytes < CHECK_TOKEN) return;
    if (attempt->bytes < CHECK_TOKEN || memcmp(attempt->got, token, CHECK_TOKEN) != 0) {
        fail(attempt, "another program answers");
        return;
    }
    fail(attempt, "");
    attempt->outcome = LET_IN;
}

/* ---- Which network --------------------------------------------------------------------------- */

static bool is_mine(const check_card *own, const cm_machine_interface *interface)
{
    for (int i = 0; i < own->n; i++)
        if (cm_machine_interface_same(&own->at[i].interface.address, &interface->address))
            return true;
    return false;
}

static bool shares(const check_here *here, int host, const cm_machine_interface *network)
{
    const check_card *card = here->card[host];
    for (int i = 0; card && i < card->n; i++)
        if (cm_machine_interface_reaches(network, &card->at[i].interface.address)
            && !is_mine(&here->own, &card->at[i].interface))
            return true;
    return !card; /* it is not asked */
}

/* The first of this host's networks that all hosts share, -1: none; as ranks choose it. */
static int common_network(const check_here *here)
{
    for (int i = 0; i < here->own.n; i++) {
        bool all = true;
        for (int host = 0; host < here->n && all; host++)
            all = host == here->number || shares(here, host, &here->own.at[i].interface);
        if (all) return i;
    }
    return -1;
}

/* Of this host's networks the one that the address is in: smaller is better; own.n: none. */
static int network_of(const check_here *here, const cm_machine_interface *to, int common)
{
    if (common >= 0 && cm_machine_interface_reaches(&here->own.at[common].interface, &to->address))
        return -1;
    for (int i = 0; i < here->own.n; i++)
        if (cm_machine_interface_reaches(&here->own.at[i].interface, &to->address)) return i;
    return here->own.n;
}

/* ---- All hosts ------------------------------------------------------------------------------- */

/* An address that this host has, too, such as that of a container engine's bridge, is tried only if
   there is no other: then the hosts may be one. */
static void begin_host(const check_here *here, int host, attempt *attempts)
{
    const check_card *card = here->card[host];
    bool others = false;
    memset(attempts, 0, TRIES * sizeof *attempts);
    for (int t = 0; t < TRIES; t++) attempts[t].fd = -1;
    if (!card || host == here->number) return;
    for (int i = 0; i < card->n; i++) others |= !is_mine(&here->own, &card->at[i].interface);
    for (int i = 0; i < card->n; i++)
        for (int k = 0; k < card->ports; k++)
            if ((!others || !is_mine(&here->own, &card->at[i].interface))
                && (k == 0 || card->at[i].port[k] != card->at[i].port[0]))
                begin(&attempts[i * CHECK_PORTS + k], &card->at[i].interface, card->at[i].port[k]);
}

static void tell(const check_here *here, int host, const attempt *attempts, int common)
{
    const check_card *card = here->card[host];
    int used = -1, best = 0;
    for (int i = 0; card && i < card->n; i++) {
        bool let_in = attempts[i * CHECK_PORTS].outcome == LET_IN;
        for (int k = 0; k < card->ports; k++) {
            const attempt *attempt = &attempts[i * CHECK_PORTS + k];
            if (attempt->outcome != FAILED) continue;
            let_in = false;
            printf("fault %d %s %d %s\n", host, card->at[i].interface.text, card->at[i].port[k],
                   attempt->why);
        }
        const int rank = network_of(here, &card->at[i].interface, common);
        if (!let_in || (used >= 0 && rank >= best)) continue;
        used = i;
        best = rank;
    }
    if (used >= 0)
        printf("used %d %s\n", host,
               best == here->own.n ? "routed"
                                   : here->own.at[best < 0 ? common : best].interface.name);
}

/* Waits until each attempt has an outcome. */
static void finish(const check_here *here, int first, attempt *attempts, int n)
{
    const double begun_s = loop_now_s();
    struct pollfd file[AT_ONCE * TRIES + TRIES];
    for (;;) {
        const int left_ms = (int)(1000 * (here->silence_s - (loop_now_s() - begun_s)));
        int open = 0;
        for (int t = 0; t < n; t++) open += attempts[t].outcome == BEGUN;
        if (!open) return;
        for (int t = 0; t < n; t++) {
            file[t] = (struct pollfd){.fd = attempts[t].outcome == BEGUN ? attempts[t].fd : -1,
                                      .events = POLLIN};
            if (left_ms <= 0 && attempts[t].outcome == BEGUN) fail(&attempts[t], "no answer");
        }
        if (left_ms <= 0) return;
        for (int i = 0; i < here->listeners; i++)
            file[n + i] = (struct pollfd){.fd = here->listener[i], .events = POLLIN};
        if (poll(file, (nfds_t)(n + here->listeners), left_ms) <= 0) continue;
        check_let_in(here);
        for (int t = 0; t < n; t++)
            if (file[t].fd >= 0 && file[t].revents)
                hear(&attempts[t], here->card[first + t / TRIES]->token);
    }
}

void check_connect_all(const check_here *here)
{
    static attempt attempts[AT_ONCE * TRIES];
    const int common = common_network(here);
    if (here->own.n == 0) return;
    for (int first = 0; first < here->n; first += AT_ONCE) {
        const int hosts = here->n - first < AT_ONCE ? here->n - first : AT_ONCE;
        for (int k = 0; k < hosts; k++) begin_host(here, first + k, &attempts[k * TRIES]);
        finish(here, first, attempts, hosts * TRIES);
        for (int k = 0; k < hosts; k++) tell(here, first + k, &attempts[k * TRIES], common);
    }
}

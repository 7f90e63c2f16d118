/* SPDX-License-Identifier: BSD-3-Clause */
/* step.c: who connects to cmrun while srun starts its proxies: handshakes that are right, nearly
   right or anything, in pieces, from more connections than there are places. An input: how many
   hosts, then deeds.

   Wrong: a branch without a whole and right handshake of its own host, or two with one; a right one
   that is not let in; a proof of cmrun's that is none; lost memory or files. */
#include "fuzz.h"
#include "launch/step.h"
#include "launch/tree_internal.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>

enum { HOSTS = 3, CLIENTS = 80, PLACES = 64, NAME = CM_NONCE_BYTES + CM_PROOF_BYTES };

typedef struct {
    int fd;                                        /* -1: closed */
    unsigned char handshake[STEP_HANDSHAKE_BYTES]; /* as composed */
    unsigned char said[STEP_HANDSHAKE_BYTES];      /* as it was sent, with anything else */
    size_t composed, n_said;
    int number; /* of the connection */
    bool is_in;
} client;

static struct {
    fuzz_input input;
    int epoll, n, clients, from_step;
    tree *tree;
    client client[CLIENTS];
    unsigned char secret[CM_SECRET_BYTES], nonce[CM_NONCE_BYTES];
    int port;
    bool in[HOSTS];
} play_of;

static char *const names[HOSTS] = {"host0", "host1", "host2"};

/* ---- In place of branch_launch.c and src/machine --------------------------------------------- */

bool branch_launch_step(branch *launcher, const char *list, int hosts, int *in)
{
    int ends[2];
    (void)launcher;
    FUZZ_CHECK(hosts == play_of.n && strncmp(list, "host0", 5) == 0);
    if (pipe2(ends, O_CLOEXEC) < 0) abort();
    play_of.from_step = ends[0];
    *in = ends[1];
    return true;
}

int branch_launch(branch *branch)
{
    (void)branch;
    FUZZ_CHECK(!"a step has no other launcher");
    return 0;
}

/* ---- The proxies' side ----------------------------------------------------------------------- */

static void unhex(const char *text, unsigned char *bytes, int n)
{
    for (int i = 0; i < n; i++) {
        unsigned byte;
        FUZZ_CHECK(sscanf(text + 2 * i, "%2x", &byte) == 1);
        bytes[i] = (unsigned char)byte;
    }
}

/* What cmrun tells them by srun. */
static void read_meeting(void)
{
    char text[STEP_TEXT_BYTES];
    ssize_t got = read(play_of.from_step, text, sizeof text - 1);
    FUZZ_CHECK(got > 2 * (CM_SECRET_BYTES + CM_NONCE_BYTES) + 3 && text[got - 1] == '\n');
    text[got] = '\0';
    unhex(text, play_of.secret, CM_SECRET_BYTES);
    unhex(text + 2 * CM_SECRET_BYTES + 1, play_of.nonce, CM_NONCE_BYTES);
    play_of.port = atoi(text + 2 * (CM_SECRET_BYTES + CM_NONCE_BYTES) + 2);
    FUZZ_CHECK(play_of.port > 0);
}

/* A handshake of a host, with one byte that may be wrong. */
static void compose(client *c)
{
    unsigned how = fuzz_byte(&play_of.input), at = fuzz_short(&play_of.input);
    cm_auth_claim claim = step_claim(CM_ROLE_CONNECTS, c->handshake, play_of.nonce);
    memset(c->handshake, (int)(how >> 2), CM_NONCE_BYTES);
    snprintf((char *)c->handshake + NAME, STEP_NAME_BYTES, "host%d", (int)(how % (HOSTS + 1)));
    FUZZ_CHECK(cm_auth_prove(play_of.secret, &claim, c->handshake + CM_NONCE_BYTES));
    c->handshake[at % STEP_HANDSHAKE_BYTES] ^= fuzz_byte(&play_of.input);
}

static void call(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)play_of.port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct linger reset = {.l_onoff = 1};
    if (play_of.clients == CLIENTS) return;
    client *c = &play_of.client[play_of.clients];
    *c =
        (client){.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), .number = play_of.clients++};
    compose(c);
    setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    FUZZ_CHECK(connect(c->fd, (struct sockaddr *)&to, sizeof to) == 0);
}

static void say(client *c, const void *bytes, size_t n)
{
    size_t room = sizeof c->said - c->n_said;
    if (c->fd < 0 || n == 0 || send(c->fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) return;
    memcpy(c->said + c->n_said, bytes, n < room ? n : room);
    c->n_said += n < room ? n : room;
}

static void send_handshake(client *c)
{
    size_t left = sizeof c->handshake - c->composed, n = 1 + 3u * fuzz_byte(&play_of.input);
    if (n > left) n = left;
    say(c, c->handshake + c->composed, n);
    c->composed += n;
}

static void say_anything(client *c)
{
    size_t n = fuzz_byte(&play_of.input);
    const char *bytes = fuzz_bytes(&play_of.input, &n);
    say(c, bytes, n);
}

static void hang_up(client *c)
{
    if (c->fd >= 0) close(c->fd);
    c->fd = -1;
}

static void act(void)
{
    unsigned deed = fuzz_byte(&play_of.input);
    client *c = play_of.clients ? &play_of.client[(deed >> 3) % (unsigned)play_of.clients] : NULL;
    switch (c ? deed % 8 : 0) {
    case 0:
        call();
        break;
    case 1:
        for (unsigned k = 0; k < deed >> 3; k++) call();
        break;
    case 2:
        hang_up(c);
        break;
    case 3:
        say_anything(c);
        break;
    default:
        send_handshake(c);
    }
}

/* ---- What must hold -------------------------------------------------------------------------- */

/* The host whose handshake it has sent; -1: none. */
static int greets(const client *c)
{
    cm_auth_claim claim = step_claim(CM_ROLE_CONNECTS, c->said, play_of.nonce);
    const char *name = (const char *)c->said + NAME;
    if (c->n_said < sizeof c->said || !memchr(name, 0, STEP_NAME_BYTES)
        || !cm_auth_verify(play_of.secret, &claim, c->said + CM_NONCE_BYTES))
        return -1;
    for (int i = 0; i < play_of.n; i++)
        if (strcmp(name, names[i]) == 0) return i;
    return -1;
}

/* A host may be lost before its client has heard that it was let in. */
static bool has_greeted(int host)
{
    bool any = play_of.in[host];
    for (int i = 0; !any && i < play_of.clients; i++) any = greets(&play_of.client[i]) == host;
    return any;
}

static void on_came(void *context, int host, const frame *frame)
{
    (void)context, (void)frame;
    FUZZ_CHECK(host >= 0 && host < play_of.n && has_greeted(host));
}

static void on_lost(void *context, int host, int status, const char *text)
{
    (void)context, (void)status;
    FUZZ_CHECK(host >= 0 && host < play_of.n && has_greeted(host) && *text);
}

/* Everybody who is let in has cmrun's proof. */
static void hear(client *c)
{
    unsigned char proof[CM_PROOF_BYTES];
    if (c->fd < 0 || c->is_in
        || recv(c->fd, proof, sizeof proof, MSG_DONTWAIT) != (ssize_t)sizeof proof)
        return;
    cm_auth_claim claim = step_claim(CM_ROLE_ACCEPTS, c->said, play_of.nonce);
    int host = greets(c);
    FUZZ_CHECK(host >= 0 && cm_auth_verify(play_of.secret, &claim, proof));
    FUZZ_CHECK(!play_of.in[host]);
    play_of.in[host] = c->is_in = true;
}

static void check(void)
{
    bool right[HOSTS] = {false};
    for (int i = 0; i < play_of.clients; i++) hear(&play_of.client[i]);
    for (int k = 0; k < play_of.clients; k++) {
        const client *c = &play_of.client[k];
        int host = greets(c);
        if (host < 0) continue;
        right[host] = true;
        /* A later one may have taken the place of one that was not done. */
        FUZZ_CHECK(c->fd < 0 || !play_of.tree->branch[host].awaited
                   || play_of.clients - c->number > PLACES);
    }
    for (int i = 0; i < play_of.n; i++) FUZZ_CHECK(play_of.tree->branch[i].awaited || right[i]);
}

static void play(void *context)
{
    static const tree_events events = {.came = on_came, .lost = on_lost};
    const tree_plan plan = {.names = names,
                            .n = play_of.n,
                            .fan_out = TREE_FAN_OUT_MOST,
                            .launcher = "srun",
                            .step = true,
                            .timeout_s = 60,
                            .start_timeout_s = 60};
    play_of.epoll = epoll_create1(EPOLL_CLOEXEC);
    play_of.tree = tree_new(&plan, &events, context, play_of.epoll);
    FUZZ_CHECK(play_of.tree && tree_launch(play_of.tree) == 0);
    read_meeting();
    while (play_of.input.left) {
        act();
        /* A connection, its bytes, and what they cause. */
        for (int k = 0; k < 40; k++) loop_once(play_of.epoll, 0);
        check();
    }
    tree_leftovers(play_of.tree, SIGKILL);
    tree_free(play_of.tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    uint64_t before = fuzz_files();
    memset(&play_of, 0, sizeof play_of);
    play_of.input = (fuzz_input){data, bytes};
    play_of.n = 1 + fuzz_byte(&play_of.input) % HOSTS;
    FUZZ_CHECK(fuzz_run(play, NULL) == -1);
    for (int i = 0; i < play_of.clients; i++) hang_up(&play_of.client[i]);
    close(play_of.from_step);
    close(play_of.epoll);
    FUZZ_CHECK(fuzz_memory_blocks() == 0);
    FUZZ_CHECK(fuzz_files_close(before) == 0);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* step_launch.c: starts the proxies of all branches by one srun, and lets those in that prove
   themselves. */
#include "config.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <math.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/exit.h"
#include "base/environment.h"
#include "launch/step.h"
#include "launch/tree_internal.h"

/* A connection that has not proved itself yet. */
typedef struct {
    struct step *step;
    watch watch;
    size_t got;
    unsigned char handshake[STEP_HANDSHAKE_BYTES];
} stranger;

struct step {
    tree *tree;
    branch launcher; /* srun: its process, its stderr */
    int to_launcher; /* its stdin */
    watch door;
    unsigned char secret[CM_SECRET_BYTES], nonce[CM_NONCE_BYTES];
    stranger *stranger;
    int strangers, next; /* how many may be there; the one whose place is taken next */
};

/* ---- Proxies that come ----------------------------------------------------------------------- */

static branch *awaited(const step *step, const char *name)
{
    for (int i = 0; i < step->tree->n; i++) {
        branch *branch = &step->tree->branch[i];
        if (branch->awaited && strcmp(branch_name(branch), name) == 0) return branch;
    }
    return NULL;
}

/* Returns the branch whose proxy this is, after cmrun's own proof; NULL if it is none of them. */
static branch *accept_handshake(const stranger *stranger)
{
    const step *step = stranger->step;
    const unsigned char *nonce = stranger->handshake, *proof = nonce + CM_NONCE_BYTES;
    const char *name = (const char *)proof + CM_PROOF_BYTES;
    unsigned char own[CM_PROOF_BYTES];
    cm_auth_claim claim = step_claim(CM_ROLE_CONNECTS, nonce, step->nonce);
    if (!cm_auth_verify(step->secret, &claim, proof) || !memchr(name, 0, STEP_NAME_BYTES))
        return NULL;
    branch *branch = awaited(step, name);
    claim = step_claim(CM_ROLE_ACCEPTS, nonce, step->nonce);
    if (!branch || !cm_auth_prove(step->secret, &claim, own)
        || send(stranger->watch.fd, own, sizeof own, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof own)
        return NULL;
    return branch;
}

static void let_in(branch *branch, int fd)
{
    step *step = branch->tree->step;
    int yes = 1, out = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    branch->awaited = false;
    step->launcher.phase = BRANCH_THERE;
    branch_pass_words(&step->launcher);
    if (out < 0 || !channel_open(&branch->channel, branch->tree->epoll, fd, out)) {
        if (out < 0) close(fd);
        branch_fail(branch, CM_EXIT_SYSTEM, "cannot be reached: %s", strerror(errno));
    }
}

static void stranger_ready(watch *watch, uint32_t events)
{
    stranger *stranger = watch->owner;
    const int epoll = stranger->step->tree->epoll;
    (void)events;
    ssize_t got = recv(watch->fd, stranger->handshake + stranger->got,
                       sizeof stranger->handshake - stranger->got, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got > 0 && (stranger->got += (size_t)got) < sizeof stranger->handshake) return;
    branch *branch = got > 0 ? accept_handshake(stranger) : NULL;
    if (!branch) {
        loop_close(epoll, watch);
        return;
    }
    int fd = watch->fd;
    loop_watch(epoll, watch, 0);
    watch->fd = -1;
    let_in(branch, fd);
}

static void door_ready(watch *watch, uint32_t events)
{
    step *step = watch->owner;
    (void)events;
    int fd = accept4(watch->fd, NULL, NULL, SOCK_CLOEXEC);
    if (fd < 0) return;
    /* Who does not prove himself soon loses his place to those that come later. */
    stranger *stranger = &step->stranger[step->next++ % step->strangers];
    loop_close(step->tree->epoll, &stranger->watch);
    stranger->got = 0;
    stranger->watch = (struct watch){.fd = fd, .ready = stranger_ready, .owner = stranger};
    if (!loop_watch(step->tree->epoll, &stranger->watch, EPOLLIN))
        loop_close(step->tree->epoll, &stranger->watch);
}

/* ---- Starting -------------------------------------------------------------------------------- */

/* Returns a descriptor that listens on all addresses of this host, at this port or, with 0, at any;
   -1 on failure, see errno. */
static int listen_at(int family, int port)
{
    const struct sockaddr_in6 any = {.sin6_family = AF_INET6, .sin6_port = htons((in_port_t)port)};
    const struct sockaddr_in any4 = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port)};
    const bool six = family == AF_INET6;
    int no = 0, yes = 1, fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return -1;
    if (six) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    if (port) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, six ? (const struct sockaddr *)&any : (const struct sockaddr *)&any4,
             six ? sizeof any : sizeof any4)
            == 0
        && listen(fd, SOMAXCONN) == 0)
        return fd;
    const int cause = errno;
    close(fd);
    errno = cause;
    return -1;
}

/* Listens at a port of CM_PORTS, of which the ranks take the lowest ones first. Returns the port, 0
   on failure; see errno. */
static int open_door(step *step)
{
    cm_environment environment = {0};
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    int fd = -1;
    cm_environment_read(&environment);
    const cm_ports ports = environment.ports;
    for (int port = ports.high; port >= ports.low && fd < 0; port--) {
        fd = listen_at(AF_INET6, port);
        if (fd < 0 && errno != EADDRINUSE) fd = listen_at(AF_INET, port);
    }
    step->door = (watch){.fd = fd, .ready = door_ready, .owner = step};
    if (fd < 0 || !loop_watch(step->tree->epoll, &step->door, EPOLLIN)
        || getsockname(fd, (struct sockaddr *)&own, &length) < 0)
        return 0;
    return ntohs(own.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&own)->sin6_port
                                           : ((struct sockaddr_in *)&own)->sin_port);
}

static bool is_link_local(const struct sockaddr *address)
{
    return address->sa_family == AF_INET6
           && IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

/* Writes the addresses of this host, those of the loopback interface last. */
static void write_addresses(FILE *out)
{
    struct ifaddrs *all = NULL;
    char text[NI_MAXHOST];
    int n = 0;
    if (getifaddrs(&all) < 0) return;
    for (int loopback = 0; loopback < 2; loopback++)
        for (struct ifaddrs *each = all; each && n < STEP_ADDRESSES; each = each->ifa_next) {
            const struct sockaddr *address = each->ifa_addr;
            if (!address || !(each->ifa_flags & IFF_UP) || is_link_local(address)
                || !!(each->ifa_flags & IFF_LOOPBACK) != loopback)
                continue;
            socklen_t bytes = address->sa_family == AF_INET    ? sizeof(struct sockaddr_in)
                              : address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                               : 0;
            if (!bytes || getnameinfo(address, bytes, text, sizeof text, NULL, 0, NI_NUMERICHOST))
                continue;
            fprintf(out, " %s", text);
            n++;
        }
    freeifaddrs(all);
}

static void write_hex(FILE *out, const unsigned char *bytes, int n)
{
    for (int i = 0; i < n; i++) fprintf(out, "%02x", bytes[i]);
}

/* Tells the proxies where to connect. */
static bool tell(step *step, int port)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) return false;
    write_hex(out, step->secret, CM_SECRET_BYTES);
    putc(' ', out);
    write_hex(out, step->nonce, CM_NONCE_BYTES);
    fprintf(out, " %d", port);
    write_addresses(out);
    putc('\n', out);
    bool told = fclose(out) == 0 && bytes < STEP_TEXT_BYTES
                && (write(step->to_launcher, text, bytes) == (ssize_t)bytes
                    || errno == EPIPE); /* srun has ended; why is on its stderr */
    if (text) explicit_bzero(text, bytes);
    free(text);
    return told;
}

/* The names of the branches that srun starts, separated by commas. */
static char *host_names(const tree *tree, int *n)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    *n = 0;
    if (!out) return NULL;
    for (int i = 0; i < tree->n; i++)
        if (!tree->branch[i].local)
            fprintf(out, "%s%s", (*n)++ ? "," : "", branch_name(&tree->branch[i]));
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static bool prepare(step *step)
{
    step->strangers = step->tree->n + 64;
    step->stranger = calloc((size_t)step->strangers, sizeof *step->stranger);
    if (!step->stranger) return false;
    for (int i = 0; i < step->strangers; i++)
        step->stranger[i] = (stranger){.step = step, .watch = {.fd = -1}};
    return cm_auth_random(step->secret, CM_SECRET_BYTES)
           && cm_auth_random(step->nonce, CM_NONCE_BYTES);
}

int step_launch(tree *tree)
{
    int hosts, port = 0;
    char *names = host_names(tree, &hosts);
    step *step = names && hosts ? calloc(1, sizeof *step) : NULL;
    if (names && !hosts) {
        free(names);
        return 0;
    }
    if ((tree->step = step)) {
        *step = (struct step){.tree = tree, .to_launcher = -1, .door.fd = -1};
        step->launcher = (branch){.tree = tree, .kill_s = INFINITY};
        step->launcher.words_watch =
            (watch){.fd = -1, .ready = branch_words_ready, .owner = &step->launcher};
    }
    bool started = step && prepare(step) && (port = open_door(step)) > 0
                   && branch_launch_step(&step->launcher, names, hosts, &step->to_launcher)
                   && tell(step, port);
    free(names);
    if (!started) {
        fprintf(stderr, "cmrun: cannot start srun for %d hosts: %s\n", tree->n, strerror(errno));
        return CM_EXIT_SYSTEM;
    }
    for (int i = 0; i < tree->n; i++) {
        branch *branch = &tree->branch[i];
        if (branch->local) continue;
        branch->awaited = true;
        branch->launched_s = step->launcher.launched_s;
    }
    return 0;
}

/* ---- Ends ------------------------------------------------------------------------------------ */

void step_reap(step *step)
{
    char how[64];
    if (step->launcher.pid == 0) return;
    branch_reap(&step->launcher);
    if (step->launcher.pid > 0) return;
    branch_how_ended(&step->launcher, how, sizeof how);
    /* The first one carries its last words; more lines would say the same. */
    const char *words = branch_last_words(&step->launcher);
    for (int i = 0; i < step->tree->n; i++) {
        branch *branch = &step->tree->branch[i];
        if (branch->awaited)
            branch_fail(branch, CM_EXIT_SYSTEM, "cannot be reached: the launcher '%s' %s%s%s",
                        step->tree->plan.launcher, how, *words ? ": " : "", words);
    }
}

bool step_left(step *step, int signal)
{
    const tree *tree = step->tree;
    bool connected = false;
    for (int i = 0; i < tree->n; i++) connected |= tree->branch[i].channel.open;
    if (signal && !connected && step->launcher.pid > 0) kill(step->launcher.pid, signal);
    return step->launcher.pid > 0;
}

void step_free(step *step)
{
    if (!step) return;
    const int epoll = step->tree->epoll;
    if (step->to_launcher >= 0) close(step->to_launcher);
    branch_free(&step->launcher);
    loop_close(epoll, &step->door);
    for (int i = 0; step->stranger && i < step->strangers; i++)
        loop_close(epoll, &step->stranger[i].watch);
    free(step->stranger);
    explicit_bzero(step, sizeof *step);
    free(step);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* step_join.c: a proxy of a step connects to cmrun. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include "launch/loop.h"
#include "launch/step.h"

static const double connect_s = 20, answer_s = 5;

typedef struct {
    unsigned char secret[CM_SECRET_BYTES], nonce[CM_NONCE_BYTES];
    char *port, *address[STEP_ADDRESSES];
    int n;
} meeting;

cm_auth_claim step_claim(cm_auth_role role, const unsigned char *proxy_nonce,
                         const unsigned char *nonce)
{
    bool proxy = role == CM_ROLE_CONNECTS;
    return (cm_auth_claim){.role = role,
                           .prover = proxy,
                           .verifier = !proxy,
                           .prover_nonce = proxy ? proxy_nonce : nonce,
                           .verifier_nonce = proxy ? nonce : proxy_nonce};
}

static bool unhex(const char *text, unsigned char *bytes, int n)
{
    if (!text || strlen(text) != 2 * (size_t)n) return false;
    for (int i = 0; i < n; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) return false;
        bytes[i] = (unsigned char)byte;
    }
    return true;
}

/* Reads the line on standard input. text holds its words. */
static bool read_meeting(meeting *meeting, char text[STEP_TEXT_BYTES])
{
    size_t used = 0;
    while (used + 1 < STEP_TEXT_BYTES) {
        ssize_t got = read(0, text + used, STEP_TEXT_BYTES - 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        used += (size_t)got;
        if (memchr(text, '\n', used)) break;
    }
    text[used] = '\0';
    text[strcspn(text, "\n")] = '\0';
    char *rest = text;
    if (!unhex(strsep(&rest, " "), meeting->secret, CM_SECRET_BYTES)
        || !unhex(strsep(&rest, " "), meeting->nonce, CM_NONCE_BYTES))
        return false;
    meeting->port = strsep(&rest, " ");
    for (meeting->n = 0; rest && meeting->n < STEP_ADDRESSES;)
        meeting->address[meeting->n++] = strsep(&rest, " ");
    return meeting->n > 0;
}

/* Begins to connect. Returns -1 if that cannot be. */
static int begin(const char *address, const char *port)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *info;
    if (getaddrinfo(address, port, &hints, &info) != 0) return -1;
    int fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, info->ai_addr, info->ai_addrlen) < 0 && errno != EINPROGRESS) {
        close(fd);
        fd = -1;
    }
    freeaddrinfo(info);
    return fd;
}

static bool receive_all(int fd, unsigned char *bytes, size_t n)
{
    for (size_t used = 0; used < n;) {
        ssize_t got = recv(fd, bytes + used, n - used, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        used += (size_t)got;
    }
    return true;
}

/* Both sides prove themselves. */
static bool greet(const meeting *meeting, int fd)
{
    unsigned char handshake[STEP_HANDSHAKE_BYTES] = {0}, proof[CM_PROOF_BYTES];
    char *name = (char *)handshake + CM_NONCE_BYTES + CM_PROOF_BYTES;
    const char *node = getenv("SLURMD_NODENAME");
    const struct timeval limit = {.tv_sec = (time_t)answer_s};
    int error = 0, yes = 1;
    socklen_t length = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) < 0 || error) return false;
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (node) snprintf(name, STEP_NAME_BYTES, "%s", node);
    else gethostname(name, STEP_NAME_BYTES - 1);
    cm_auth_claim claim = step_claim(CM_ROLE_CONNECTS, handshake, meeting->nonce);
    if (!cm_auth_random(handshake, CM_NONCE_BYTES)
        || !cm_auth_prove(meeting->secret, &claim, handshake + CM_NONCE_BYTES)
        || send(fd, handshake, sizeof handshake, MSG_NOSIGNAL) != sizeof handshake
        || !receive_all(fd, proof, sizeof proof))
        return false;
    claim = step_claim(CM_ROLE_ACCEPTS, handshake, meeting->nonce);
    return cm_auth_verify(meeting->secret, &claim, proof);
}

/* Tries all addresses at once; the first one that is cmrun's counts. */
static int meet(const meeting *meeting)
{
    struct pollfd files[STEP_ADDRESSES];
    const double until_s = loop_now_s() + connect_s;
    int found = -1, open = 0;
    for (int i = 0; i < meeting->n; i++) {
        files[i] =
            (struct pollfd){.fd = begin(meeting->address[i], meeting->port), .events = POLLOUT};
        open += files[i].fd >= 0;
    }
    while (found < 0 && open > 0 && loop_now_s() < until_s) {
        if (poll(files, (nfds_t)meeting->n, 500) <= 0) continue;
        for (int i = 0; i < meeting->n && found < 0; i++) {
            if (files[i].fd < 0 || !files[i].revents) continue;
            if (greet(meeting, files[i].fd)) found = files[i].fd;
            else {
                close(files[i].fd);
                open--;
            }
            files[i].fd = -1;
        }
    }
    for (int i = 0; i < meeting->n; i++)
        if (files[i].fd >= 0) close(files[i].fd);
    return found;
}

int step_join(void)
{
    char text[STEP_TEXT_BYTES], host[256] = "";
    meeting meeting;
    gethostname(host, sizeof host - 1);
    if (!read_meeting(&meeting, text)) {
        fprintf(stderr, "cmrun: --proxy-of-step is only for cmrun itself, in a job of Slurm\n");
        return -1;
    }
    int fd = meet(&meeting);
    if (fd >= 0) return fd;
    fprintf(stderr, "cmrun: the proxy on %s cannot connect to cmrun, at port %s of", host,
            meeting.port);
    for (int i = 0; i < meeting.n; i++) fprintf(stderr, "%s %s", i ? "," : "", meeting.address[i]);
    fprintf(stderr, " (a firewall?)\n");
    return -1;
}

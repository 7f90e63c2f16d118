/* SPDX-License-Identifier: BSD-3-Clause */
/* plain_tcp.c: the lower bound for the sockets backend. Two processes, one loopback connection,
   TCP_NODELAY, sends of at most 131072 bytes, receives that poll. Usage: plain_tcp BYTES... */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include "pingpong.h"

enum { PIECE_BYTES = 131072 };

static void tcp_send(void *place, char *data, size_t bytes)
{
    while (bytes) {
        ssize_t sent =
            send(*(int *)place, data, bytes < PIECE_BYTES ? bytes : PIECE_BYTES, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN) exit(3);
        if (sent > 0) data += sent, bytes -= (size_t)sent;
    }
}

static void tcp_recv(void *place, char *data, size_t bytes)
{
    while (bytes) {
        ssize_t got = recv(*(int *)place, data, bytes, 0);
        if (got == 0 || (got < 0 && errno != EAGAIN)) exit(3);
        if (got > 0) data += got, bytes -= (size_t)got;
    }
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int on = 1, connection, listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address)
        || listen(listener, 1) || getsockname(listener, (struct sockaddr *)&address, &length)) {
        perror("plain_tcp");
        return 3;
    }
    pid_t child = fork();
    if (child < 0) return 3;
    if (child == 0) {
        connection = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(connection, (struct sockaddr *)&address, sizeof address)) return 3;
    } else {
        connection = accept(listener, NULL, NULL);
    }
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(connection, F_SETFL, O_NONBLOCK);
    int rank = child == 0;
    bench_pin(rank);
    int status = bench_pingpong(rank, tcp_send, tcp_recv, &connection, argc, argv);
    if (child) waitpid(child, NULL, 0);
    return status;
}

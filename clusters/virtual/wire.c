/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.c: carries frames between the hosts as full-duplex cables and a cut-through switch do: a
   frame of n bytes occupies its sender's cable for n / rate, then the receiver's, unless that is
   free at the same time; it arrives a delay later. The kernel's token buckets let a short message
   pass at once, because they have tokens left for it; netem is in few kernels.

   A frame is read only when the sender's cable is free, so that what waits waits in the sender's
   kernel, which slows TCP down as a real interface does. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>
#include "virtual.h"

enum {
    FRAME_BYTES = 65536 + 64, /* the longest MTU and headers */
    QUEUE = 4096,             /* frames on their way to one host; more are lost */
    EXTRA_BYTES = 24,         /* Ethernet's preamble, check sequence and gap of each frame */
    TAKE = 64                 /* frames that are read from one host before the others' turn */
};

typedef struct {
    double due_s;
    size_t bytes;
    unsigned char *frame;
} parcel;

typedef struct {
    int tap;
    bool sends;        /* its cable may still be busy, or more frames may wait */
    double sent_s;     /* when the cable to the switch is free */
    double received_s; /* when the cable from the switch is free */
    parcel *parcel;    /* a ring */
    size_t first, waiting;
} port;

typedef struct {
    const virtual_settings *settings;
    port *ports;
    struct pollfd *polled;
    int n;
    unsigned char frame[FRAME_BYTES];
} wire;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void virtual_wire_address(int host, int network, unsigned char address[6])
{
    const unsigned char own[6] = {2, 0, 0, (unsigned char)network, 0, (unsigned char)(host + 1)};
    memcpy(address, own, 6);
}

/* ---- Frames ---------------------------------------------------------------------------------- */

static double lasts_s(const wire *wire, size_t bytes)
{
    const double rate = wire->settings->rate_bit_per_s;
    return rate > 0 ? 8 * (double)(bytes + EXTRA_BYTES) / rate : 0;
}

static void put(wire *wire, port *to, double sent_s, size_t bytes)
{
    if (to->waiting == QUEUE) return;
    unsigned char *copy = malloc(bytes);
    if (!copy) return;
    memcpy(copy, wire->frame, bytes);
    to->received_s = fmax(sent_s, to->received_s + lasts_s(wire, bytes));
    to->parcel[(to->first + to->waiting++) % QUEUE] =
        (parcel){to->received_s + wire->settings->delay_s, bytes, copy};
}

/* To the host of its address, or to all others of the network. */
static void forward(wire *wire, int from, size_t bytes)
{
    const int hosts = wire->settings->hosts, network = from / hosts;
    const double sent_s = wire->ports[from].sent_s;
    const int host = wire->frame[5] - 1;
    unsigned char address[6];
    if (host >= 0 && host < hosts) {
        virtual_wire_address(host, network, address);
        if (memcmp(address, wire->frame, 6) == 0) {
            put(wire, &wire->ports[network * hosts + host], sent_s, bytes);
            return;
        }
    }
    if (!(wire->frame[0] & 1)) return;
    for (int k = network * hosts; k < (network + 1) * hosts; k++)
        if (k != from) put(wire, &wire->ports[k], sent_s, bytes);
}

/* Takes what the host sends while its cable is free. A frame that was there before the cable was
   free follows the one before without a gap, although we come a little later. */
static void take(wire *wire, int from, double now)
{
    port *port = &wire->ports[from];
    for (int k = 0; k < TAKE && port->sent_s <= now; k++) {
        ssize_t bytes = read(port->tap, wire->frame, sizeof wire->frame);
        if (bytes < 0 && errno == EINTR) continue;
        if (bytes < 14) {
            port->sends = false;
            return;
        }
        const double begin_s = port->sends ? port->sent_s : now;
        port->sends = lasts_s(wire, 1) > 0;
        port->sent_s = begin_s + lasts_s(wire, (size_t)bytes);
        forward(wire, from, (size_t)bytes);
    }
}

/* Hands over what has arrived. A host that takes no more loses it, as behind a real interface. */
static void deliver(port *port, double now)
{
    for (; port->waiting && port->parcel[port->first].due_s <= now; port->waiting--) {
        parcel *next = &port->parcel[port->first];
        ssize_t written = write(port->tap, next->frame, next->bytes);
        (void)written;
        free(next->frame);
        port->first = (port->first + 1) % QUEUE;
    }
}

/* ---- The process ----------------------------------------------------------------------------- */

static void wait_until(wire *wire, double until_s)
{
    for (int k = 0; k < wire->n; k++)
        wire->polled[k] =
            (struct pollfd){wire->ports[k].sends ? -1 : wire->ports[k].tap, POLLIN, 0};
    double wait_s = fmin(fmax(until_s - now_s(), 0), 1);
    struct timespec limit = {.tv_sec = (time_t)wait_s,
                             .tv_nsec = (long)(1e9 * (wait_s - floor(wait_s)))};
    if (ppoll(wire->polled, (nfds_t)wire->n, &limit, NULL) < 0)
        for (int k = 0; k < wire->n; k++) wire->polled[k].revents = 0;
}

__attribute__((noreturn)) static void carry(wire *wire)
{
    for (;;) {
        double until_s = INFINITY;
        for (int k = 0; k < wire->n; k++) {
            const port *port = &wire->ports[k];
            if (port->sends) until_s = fmin(until_s, port->sent_s);
            if (port->waiting) until_s = fmin(until_s, port->parcel[port->first].due_s);
        }
        wait_until(wire, until_s);
        const double now = now_s();
        for (int k = 0; k < wire->n; k++)
            if (wire->ports[k].sends || wire->polled[k].revents & POLLIN) take(wire, k, now);
        for (int k = 0; k < wire->n; k++) deliver(&wire->ports[k], now);
    }
}

static bool open_wire(wire *wire, const virtual_settings *settings, const int *taps)
{
    wire->settings = settings;
    wire->n = settings->hosts * settings->networks;
    wire->ports = calloc((size_t)wire->n, sizeof *wire->ports);
    wire->polled = calloc((size_t)wire->n, sizeof *wire->polled);
    if (!wire->ports || !wire->polled) return false;
    for (int k = 0; k < wire->n; k++) {
        wire->ports[k].tap = taps[k];
        wire->ports[k].parcel = calloc(QUEUE, sizeof(parcel));
        if (!wire->ports[k].parcel) return false;
    }
    return true;
}

/* It must be on time, although ranks spin on all cores. */
static void hurry(void)
{
    const struct sched_param first = {.sched_priority = 1};
    sched_setscheduler(0, SCHED_FIFO, &first);
    prctl(PR_SET_TIMERSLACK, 1UL);
}

/* Holds its lock as long as it lives; the file has its process id. */
static int open_lock(const char *name, int flags)
{
    char path[VIRTUAL_TEXT];
    virtual_path(name, "wire", path);
    return open(path, flags | O_RDWR | O_CLOEXEC, 0644);
}

bool virtual_wire_start(const char *name, const virtual_settings *settings, int *taps)
{
    wire *wire = calloc(1, sizeof *wire);
    int lock = open_lock(name, O_CREAT), null = open("/dev/null", O_RDWR);
    if (!wire || lock < 0 || null < 0 || flock(lock, LOCK_EX | LOCK_NB) < 0
        || ftruncate(lock, 0) < 0 || !open_wire(wire, settings, taps)) {
        virtual_fail("the wire cannot be started: %s", strerror(errno));
        return false;
    }
    /* A SIGTERM that comes before the child has its own ways must not go to a handler of up. */
    sigset_t terminate, before;
    sigemptyset(&terminate);
    sigaddset(&terminate, SIGTERM);
    sigprocmask(SIG_BLOCK, &terminate, &before);
    pid_t pid = fork();
    if (pid < 0) virtual_fail("the wire cannot be started: %s", strerror(errno));
    if (pid == 0) {
        setsid();
        signal(SIGTERM, SIG_DFL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        signal(SIGINT, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        for (int fd = 0; fd < 3; fd++) dup2(null, fd);
        if (chdir("/") < 0) _exit(1);
        hurry();
        carry(wire);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    /* Before anybody may look for it; virtual_wire_stop ends a process by its number alone. */
    if (pid > 0 && dprintf(lock, "%d\n", (int)pid) < 0) {
        virtual_fail("the wire cannot be started: %s", strerror(errno));
        kill(pid, SIGKILL);
        pid = -1;
    }
    close(lock);
    close(null);
    return pid > 0;
}

/* The lock says whether it lives, so that no other process of its number is ended. */
void virtual_wire_stop(const char *name)
{
    char path[VIRTUAL_TEXT], text[32] = "";
    int lock = open_lock(name, 0);
    if (lock < 0) return;
    if (flock(lock, LOCK_EX | LOCK_NB) < 0) {
        ssize_t got = read(lock, text, sizeof text - 1);
        const int pid = got > 0 ? atoi(text) : 0;
        if (pid > 1 && kill(pid, SIGTERM) == 0)
            while (flock(lock, LOCK_EX) < 0 && errno == EINTR) continue;
    }
    close(lock);
    virtual_path(name, "wire", path);
    unlink(path);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* shim.c: the calls that move bytes over sockets, with faults on demand; see
   faults/shim.h. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include "shim.h"
#include "random/random.h"

/* Only one in four transfers of more than LONG bytes is cut; otherwise megabytes would take
   minutes. */
/* A byte that wakes a rank does not belong to a message (src/comm/engine/shm/shm.c). */
enum { WAKE_BYTES = 1 };

enum { PARTS = 8, FAILS_ONE_IN = 16, LONGEST_CUT = 7, LONG = 256, LONG_ONE_IN = 4 };

static struct {
    bool armed;
    faults_stream stream;
    size_t left; /* bytes until the signal */
    int signal;
} fault;

static struct {
    bool on;
    uint64_t state;
    unsigned long cuts, failures;
} cut;

static volatile unsigned long alarms;

/* How long descriptors are refused, and until when; 0: not yet known. */
static double untaken_s, taken_from_s;

/* ---- libc's own ------------------------------------------------------------------------------ */

/* ISO C has no conversion from a data pointer to a function; POSIX has this one. */
#define REAL(name)                 \
    static __typeof__(&name) real; \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name)

static ssize_t real_sendmsg(int fd, const struct msghdr *message, int flags)
{
    REAL(sendmsg);
    return real(fd, message, flags);
}

static ssize_t real_recvmsg(int fd, struct msghdr *message, int flags)
{
    REAL(recvmsg);
    return real(fd, message, flags);
}

static ssize_t real_writev(int fd, const struct iovec *parts, int n)
{
    REAL(writev);
    return real(fd, parts, n);
}

static ssize_t real_readv(int fd, const struct iovec *parts, int n)
{
    REAL(readv);
    return real(fd, parts, n);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

void faults_after(faults_stream stream, size_t bytes, int signal)
{
    fault.armed = true;
    fault.stream = stream;
    fault.left = bytes;
    fault.signal = signal;
}

static void strike(void)
{
    fault.armed = false;
    raise(fault.signal);
}

static unsigned long draw(void) { return (unsigned long)cm_random_next(&cut.state); }

static bool has_flag(int fd, int flag) { return fcntl(fd, F_GETFL) & flag; }

/* Ranks of one host connect to each other by names with this prefix (src/comm/engine/shm/shm.c). */
static bool is_of_ranks(const struct sockaddr_un *address)
{
    static const char begin[] = "\0clustermark-";
    return memcmp(address->sun_path, begin, sizeof begin - 1) == 0;
}

bool faults_is_lane(int fd)
{
    struct sockaddr_un address = {.sun_family = AF_UNSPEC};
    socklen_t length = sizeof address;
    if (getpeername(fd, (struct sockaddr *)&address, &length) != 0) return false;
    if (address.sun_family != AF_UNIX || is_of_ranks(&address)) return true;
    memset(&address, 0, sizeof address);
    length = sizeof address;
    return getsockname(fd, (struct sockaddr *)&address, &length) == 0 && is_of_ranks(&address);
}

/* AF_UNIX for a stream to the launcher, another number for one to a rank, else -1. */
static int domain_of(int fd)
{
    int domain, type;
    socklen_t length = sizeof domain;
    if (faults_is_lane(fd)) return AF_INET;
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0) return -1;
    length = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0 || type != SOCK_STREAM) return -1;
    return domain;
}

/* Returns how many of `bytes` this transfer may move; 0: it fails with errno. *counts: the armed
   fault applies to this stream. */
static size_t allowed(int fd, bool writes, int flags, size_t bytes, bool *counts)
{
    int saved = errno;
    *counts = false;
    if ((!fault.armed && !cut.on) || flags & MSG_PEEK || bytes == 0) return bytes;
    if (bytes == WAKE_BYTES && flags & MSG_DONTWAIT) return bytes;
    int domain = domain_of(fd);
    errno = saved;
    if (domain < 0) return bytes;
    bool local = domain == AF_UNIX;
    if (fault.armed && local == (fault.stream == FAULTS_SAID)
        && writes == (fault.stream != FAULTS_READ)) {
        if (fault.left == 0) {
            strike();
        } else {
            *counts = true;
            if (bytes > fault.left) bytes = fault.left;
        }
    }
    if (!cut.on) return bytes;
    if (draw() % FAILS_ONE_IN == 0) {
        bool may_block = !(flags & MSG_DONTWAIT) && !has_flag(fd, O_NONBLOCK);
        cut.failures++;
        errno = may_block || draw() % 2 ? EINTR : EAGAIN;
        return 0;
    }
    size_t most = 1 + draw() % (bytes > LONG && draw() % LONG_ONE_IN == 0 ? bytes : LONGEST_CUT);
    cut.cuts += bytes > most;
    return bytes > most ? most : bytes;
}

static ssize_t moved(bool counts, ssize_t bytes)
{
    if (counts && bytes > 0 && (fault.left -= (size_t)bytes) == 0) {
        int saved = errno;
        strike();
        errno = saved;
    }
    return bytes;
}

/* The first `bytes` of parts, in shorter[PARTS]; how many parts that are. */
static size_t shorten(const struct iovec *parts, size_t n, size_t bytes, struct iovec *shorter)
{
    size_t k = 0;
    for (; k < n && k < PARTS && bytes; k++) {
        shorter[k] = parts[k];
        if (shorter[k].iov_len > bytes) shorter[k].iov_len = bytes;
        bytes -= shorter[k].iov_len;
    }
    return k;
}

static size_t length_of(const struct iovec *parts, size_t n)
{
    size_t bytes = 0;
    for (size_t k = 0; k < n; k++) bytes += parts[k].iov_len;
    return bytes;
}

static bool refuses_descriptors(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double now_s = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (taken_from_s == 0) taken_from_s = now_s + untaken_s;
    return now_s < taken_from_s;
}

/* ---- In place of libc's ---------------------------------------------------------------------- */

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    bool counts;
    if (untaken_s > 0 && message->msg_controllen && refuses_descriptors()) {
        errno = ETOOMANYREFS;
        return -1;
    }
    size_t all = length_of(message->msg_iov, message->msg_iovlen);
    size_t bytes = allowed(fd, true, flags, all, &counts);
    if (bytes == all) return moved(counts, real_sendmsg(fd, message, flags));
    if (!bytes) return -1;
    struct iovec parts[PARTS];
    struct msghdr shorter = *message;
    shorter.msg_iov = parts;
    shorter.msg_iovlen = shorten(message->msg_iov, message->msg_iovlen, bytes, parts);
    return moved(counts, real_sendmsg(fd, &shorter, flags));
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    bool counts;
    size_t all = length_of(message->msg_iov, message->msg_iovlen);
    size_t bytes = allowed(fd, false, flags, all, &counts);
    if (bytes == all) return moved(counts, real_recvmsg(fd, message, flags));
    if (!bytes) return -1;
    struct iovec parts[PARTS];
    struct msghdr shorter = *message;
    shorter.msg_iov = parts;
    shorter.msg_iovlen = shorten(message->msg_iov, message->msg_iovlen, bytes, parts);
    const ssize_t got = real_recvmsg(fd, &shorter, flags);
    message->msg_controllen = shorter.msg_controllen;
    message->msg_flags = shorter.msg_flags;
    return moved(counts, got);
}

ssize_t send(int fd, const void *data, size_t bytes, int flags)
{
    struct iovec part = {(void *)data, bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    return sendmsg(fd, &message, flags);
}

ssize_t recv(int fd, void *data, size_t bytes, int flags)
{
    struct iovec part = {data, bytes};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    return recvmsg(fd, &message, flags);
}

ssize_t writev(int fd, const struct iovec *parts, int n)
{
    bool counts;
    size_t all = length_of(parts, (size_t)n), bytes = allowed(fd, true, 0, all, &counts);
    struct iovec shorter[PARTS];
    if (bytes == all) return moved(counts, real_writev(fd, parts, n));
    if (!bytes) return -1;
    n = (int)shorten(parts, (size_t)n, bytes, shorter);
    return moved(counts, real_writev(fd, shorter, n));
}

ssize_t readv(int fd, const struct iovec *parts, int n)
{
    bool counts;
    size_t all = length_of(parts, (size_t)n), bytes = allowed(fd, false, 0, all, &counts);
    struct iovec shorter[PARTS];
    if (bytes == all) return moved(counts, real_readv(fd, parts, n));
    if (!bytes) return -1;
    n = (int)shorten(parts, (size_t)n, bytes, shorter);
    return moved(counts, real_readv(fd, shorter, n));
}

ssize_t write(int fd, const void *data, size_t bytes)
{
    struct iovec part = {(void *)data, bytes};
    return writev(fd, &part, 1);
}

ssize_t read(int fd, void *data, size_t bytes)
{
    struct iovec part = {data, bytes};
    return readv(fd, &part, 1);
}

/* ---- Through memory -------------------------------------------------------------------------- */

/* The linker replaces the calls of src/comm/engine/shm/ring.c by these (faults/local.mk). */
typedef ssize_t ring_call(void *ring, const struct iovec *parts, int n, bool *wake);
ring_call __real_cm_ring_write, __real_cm_ring_read, __wrap_cm_ring_write, __wrap_cm_ring_read;
#pragma weak __real_cm_ring_write
#pragma weak __real_cm_ring_read

static ssize_t through_ring(ring_call *real, bool writes, void *ring, const struct iovec *parts,
                            int n, bool *wake)
{
    const size_t all = length_of(parts, (size_t)n);
    size_t bytes = all;
    const bool counts = fault.armed && fault.stream == (writes ? FAULTS_WRITTEN : FAULTS_READ);
    if (counts && fault.left == 0) strike();
    else if (counts && bytes > fault.left) bytes = fault.left;
    if (cut.on) {
        if (draw() % FAILS_ONE_IN == 0) return 0;
        const size_t most =
            1 + draw() % (bytes > LONG && draw() % LONG_ONE_IN == 0 ? bytes : LONGEST_CUT);
        if (bytes > most) bytes = most;
        cut.cuts++;
    }
    struct iovec shorter[PARTS];
    n = (int)shorten(parts, (size_t)n, bytes, shorter);
    return moved(counts, real(ring, shorter, n, wake));
}

ssize_t __wrap_cm_ring_write(void *ring, const struct iovec *parts, int n, bool *wake)
{
    return through_ring(__real_cm_ring_write, true, ring, parts, n, wake);
}

ssize_t __wrap_cm_ring_read(void *ring, const struct iovec *parts, int n, bool *wake)
{
    return through_ring(__real_cm_ring_read, false, ring, parts, n, wake);
}

typedef bool copy_call(pid_t process, uint64_t there, char *here, size_t bytes, bool out);
copy_call __real_cm_copy_bytes, __wrap_cm_copy_bytes;
#pragma weak __real_cm_copy_bytes

bool __wrap_cm_copy_bytes(pid_t process, uint64_t there, char *here, size_t bytes, bool out)
{
    if (!fault.armed || fault.stream != FAULTS_COPIED)
        return __real_cm_copy_bytes(process, there, here, bytes, out);
    const size_t some = bytes < fault.left ? bytes : fault.left;
    if (!__real_cm_copy_bytes(process, there, here, some, out)) return false;
    fault.left -= some;
    if (!fault.left) strike();
    return some == bytes
           || __real_cm_copy_bytes(process, there + some, here + some, bytes - some, out);
}

/* ---- Preloaded ------------------------------------------------------------------------------- */

static void count_alarm(int signal)
{
    (void)signal;
    alarms++;
}

__attribute__((constructor)) static void begin(void)
{
    const char *seed = getenv("FAULTS_CUT"), *timer = getenv("FAULTS_TIMER_US");
    const char *refused_ms = getenv("FAULTS_UNTAKEN_MS");
    const char *rank = getenv("PMI_RANK");
    if (refused_ms) untaken_s = 1e-3 * atoi(refused_ms);
    if (seed) {
        cut.on = true;
        cut.state = strtoull(seed, NULL, 10) + (rank ? strtoull(rank, NULL, 10) << 32 : 0);
    }
    if (timer) {
        struct sigaction action = {.sa_handler = count_alarm};
        struct itimerval every = {{0, atoi(timer)}, {0, atoi(timer)}};
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &every, NULL);
    }
}

__attribute__((destructor)) static void end(void)
{
    const char *name = getenv("FAULTS_REPORT");
    FILE *report = name ? fopen(name, "a") : NULL;
    if (!report) return;
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    cut.on = false;
    fprintf(report, "cuts %lu failures %lu alarms %lu\n", cut.cuts, cut.failures, alarms);
    fclose(report);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* shm.c: lanes through memory that two ranks of a host share. Every rank listens on a socket of the
   UNIX domain (door.h), whose name is on its card. A connection is made on first use, with the
   handshakes and proofs of any other lane (handshake.c); with its handshake the connecting rank
   sends the descriptor of a segment (segment.h). All data after the handshakes move through the
   segment's rings. The connection stays: its end tells of the peer's end, and a byte on it wakes a
   peer that sleeps.

   Neither the name nor the segment can be left behind: both end with the processes. */
#include "config.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include "comm/computer.h"
#include "comm/engine/limits.h"
#include "comm/engine/shm/door.h"
#include "comm/engine/shm/exchange.h"
#include "comm/engine/shm/segment.h"
#include "comm/engine/pending.h"
#include "comm/engine/transport_table.h"

/* All segments of a host's ranks take at most this much, if each rank calls each other one. */
static const size_t HOST_BYTES = (size_t)1 << 30;

enum { NAME_RANDOM_BYTES = 12, NAME_BYTES = 2 * NAME_RANDOM_BYTES + 1, KERNEL_BYTES = 80 };

static struct {
    cm_door door;
    cm_watch watch; /* of the door */
    char kernel[KERNEL_BYTES];
    int untaken; /* lanes whose handshake the kernel has not taken; no event tells when it will */
    int patience_ms;
} shm = {.door = {.listener = -1, .file = -1}};

/* The further members of a lane. */
typedef struct {
    int fd;           /* the connection */
    const char *name; /* of the socket that it goes to: on the peer's card */
    int pass;      /* the segment's descriptor: to be sent, or received and not yet mapped; or -1 */
    bool cut;      /* its descriptor did not fit into the limit on open files */
    bool maker;    /* this rank connected */
    bool untaken;  /* counts in shm.untaken */
    bool ended;    /* the connection has: what is in the ring is all there will be */
    pid_t process; /* the peer's, by the kernel's word; 0: none that can be seen */
    double seen_s; /* when that process was last known to live */
    size_t said;   /* bytes of this rank's handshake that are written */
    size_t heard;  /* bytes of the peer's handshake that are read */
    cm_mapping segment;
    cm_ring_writer out;
    cm_ring_reader in;
    cm_exchange *exchange; /* regions of both ranks; NULL: none yet */
} cm_shm_link;

CM_TRANSPORT_DECLARE(shm)

static cm_shm_link *link_of(const cm_lane *lane) { return lane->own.state; }

/* ---- Opening --------------------------------------------------------------------------------- */

/* Ranks with the same text can connect to each other: the same boot of a kernel, the same network
   namespace, which abstract sockets belong to, and the same way to each other's doors. */
static void name_kernel(char *text, size_t capacity)
{
    char boot[40] = "";
    struct stat namespace = {0};
    if (!cm_computer_boot(boot, sizeof boot)) strcpy(boot, "?");
    if (stat("/proc/self/ns/net", &namespace) != 0) namespace.st_ino = 0;
    snprintf(text, capacity, "%s:%ju:%u:%d", boot, (uintmax_t) namespace.st_ino,
             (unsigned)geteuid(), cm_door_sees_all());
}

static bool accept_all(cm_watch *watch);

static void open_shm(bool one_host, char *card, size_t capacity, int *rails)
{
    unsigned char random[NAME_RANDOM_BYTES];
    char name[NAME_BYTES] = "";
    (void)one_host;
    name_kernel(shm.kernel, sizeof shm.kernel);
    if (!cm_auth_random(random, sizeof random))
        cm_engine_fail(-1, "the system provides no random numbers");
    for (size_t i = 0; i < sizeof random; i++) sprintf(name + 2 * i, "%02x", random[i]);
    const int cause = cm_door_open(name, &shm.door);
    if (cause)
        cm_engine_fail(-1, "cannot listen for ranks of this host: %s%s", strerror(cause),
                       cm_limits_advice(cause, 0));
    shm.watch = (cm_watch){.ready = accept_all, .last = true};
    cm_events_add(shm.door.listener, &shm.watch);
    const int n = snprintf(card, capacity, "%s:%s", shm.kernel, shm.door.name);
    if (n < 0 || (size_t)n >= capacity) cm_engine_fail(-1, "no room for an address of %d bytes", n);
    *rails = 1;
}

static void shut(void) { cm_door_shut(&shm.door); }

static bool reaches(const char *address)
{
    const size_t n = strlen(shm.kernel);
    return strncmp(address, shm.kernel, n) == 0 && address[n] == ':';
}

/* ---- Lanes ----------------------------------------------------------------------------------- */

/* Rings become smaller if there are many ranks on the host. */
static size_t ring_bytes(void)
{
    const size_t n = (size_t)engine.local_ranks, rings = n * (n - 1);
    size_t bytes = CM_RING_MOST;
    while (bytes > CM_RING_LEAST && bytes * rings > HOST_BYTES) bytes /= 2;
    return bytes;
}

/* Reads what woke this rank, and regions of the peer, and notices the end of the connection.
   Returns true if there may be more to hear. */
static bool hear(cm_lane *lane)
{
    cm_shm_link *link = link_of(lane);
    const char *wrong;
    const ssize_t got = cm_exchange_hear(&link->exchange, link->fd, &wrong);
    if (wrong) cm_engine_fail(lane->peer, "the memory that it wants to share %s", wrong);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) link->ended = true;
    return got > 0;
}

static bool ready(cm_watch *watch)
{
    cm_lane *lane = (cm_lane *)watch;
    if (lane->proven) hear(lane);
    return cm_receive_lane(lane);
}

static cm_lane *lane_new(int fd, int peer)
{
    cm_lane *lane = cm_lane_add(&cm_shm, peer);
    cm_shm_link *link = cm_engine_allocate(sizeof *link, "a connection");
    *link = (cm_shm_link){.fd = fd, .pass = -1, .maker = peer >= 0};
    lane->own.state = link;
    lane->watch.ready = ready;
    return lane;
}

static bool of_this_user(int fd, pid_t *process)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return false;
    *process = peer.pid;
    return peer.uid == geteuid();
}

static cm_lane *stranger(int fd)
{
    pid_t process;
    if (!of_this_user(fd, &process)) {
        close(fd);
        return NULL;
    }
    cm_lane *lane = lane_new(fd, -1);
    link_of(lane)->process = process;
    cm_events_add(fd, &lane->watch);
    return lane;
}

static bool accept_all(cm_watch *watch)
{
    (void)watch;
    return cm_pending_accept(shm.door.listener, stranger);
}

static void count_taken(cm_shm_link *link)
{
    shm.untaken -= link->untaken;
    link->untaken = false;
}

/* Returns true once the lane is connected. Until then nothing moves: the queue of a peer that
   computes may be full. A peer that has ended has no socket. */
static bool connected(cm_lane *lane)
{
    cm_shm_link *link = link_of(lane);
    struct sockaddr_un address;
    if (__builtin_expect(!lane->connecting, 1)) return true;
    const socklen_t length = cm_door_address(link->name, &address);
    int cause = connect(link->fd, (struct sockaddr *)&address, length) == 0 ? 0 : errno;
    if (cause == ENOENT || cause == ESRCH) cause = ECONNREFUSED; /* the process has ended */
    if (cause == EAGAIN || cause == EINTR) return false;
    lane->connecting = false;
    if (cause || !of_this_user(link->fd, &link->process)) {
        link->ended = true;
        count_taken(link);
        if (!engine.finalizing)
            cm_failure_lose(lane->peer, "cannot connect to its socket on this host: %s",
                            cause ? strerror(cause) : "another user has it");
        return true;
    }
    cm_events_add(link->fd, &lane->watch);
    return true;
}

static void forget_descriptor(cm_shm_link *link)
{
    if (link->pass >= 0) close(link->pass);
    link->pass = -1;
}

static void close_lane(cm_lane *lane)
{
    cm_shm_link *link = link_of(lane);
    count_taken(link);
    close(link->fd);
    forget_descriptor(link);
    cm_segment_release(&link->segment);
    cm_exchange_free(link->exchange);
    free(link);
    cm_lane_remove(lane);
}

static cm_lane *connect_lane(int peer, int rail, const char *address)
{
    (void)rail;
    const int fd = cm_pending_socket(AF_UNIX);
    if (fd < 0)
        cm_engine_fail(peer, "cannot create a socket: %s%s", strerror(errno),
                       cm_limits_advice(errno, 0));
    cm_lane *lane = lane_new(fd, peer);
    cm_shm_link *link = link_of(lane);
    link->name = address + strlen(shm.kernel) + 1; /* reaches has seen the rest */
    lane->connecting = link->untaken = true;
    shm.untaken++;
    if (connected(lane) && link->ended) {
        close_lane(lane);
        return NULL;
    }
    link->pass = cm_segment_make(ring_bytes(), &link->segment);
    if (link->pass < 0)
        cm_engine_fail(peer, "cannot make %zu bytes of memory to share: %s%s", 2 * ring_bytes(),
                       strerror(errno), cm_limits_advice(errno, 0));
    cm_segment_rings(&link->segment, true, &link->out, &link->in);
    return lane;
}

/* Maps the segment that came with the handshake of a peer that has proved itself. Returns false if
   there is nothing to map yet. */
static bool attached(cm_lane *lane)
{
    cm_shm_link *link = link_of(lane);
    if (link->segment.memory) return true;
    if (!lane->proven) return false;
    if (link->cut)
        cm_engine_fail(lane->peer, "cannot accept the memory that it shares: %s%s",
                       strerror(EMFILE), cm_limits_advice(EMFILE, 0));
    const char *wrong = link->pass < 0 ? "did not come with its handshake"
                                       : cm_segment_take(link->pass, &link->segment);
    if (wrong) cm_engine_fail(lane->peer, "the memory that it wants to share %s", wrong);
    forget_descriptor(link);
    cm_segment_rings(&link->segment, false, &link->out, &link->in);
    return true;
}

/* ---- The handshake
   ---------------------------------------------------------------------------- */

typedef union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
} cm_shm_control;

static bool nothing_now(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

/* The first byte takes the segment's descriptor with it. All processes of a user other than root
   may together have only as many descriptors under way as one process may have open; the kernel
   takes more once ranks have received some. */
static ssize_t send_handshake(cm_shm_link *link, const struct iovec *part)
{
    struct iovec some = *part;
    struct msghdr message = {.msg_iov = &some, .msg_iovlen = 1};
    cm_shm_control control = {.bytes = {0}};
    const size_t left = sizeof(cm_wire_handshake) - link->said;
    if (some.iov_len > left) some.iov_len = left;
    if (link->maker && link->pass >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        *CMSG_FIRSTHDR(&message) = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&message)), &link->pass, sizeof(int));
    }
    ssize_t written = sendmsg(link->fd, &message, MSG_NOSIGNAL);
    if (written < 0 && !link->maker && (errno == EPIPE || errno == ECONNRESET)) {
        /* The peer has ended, but what it had sent is in the ring. */
        link->ended = true;
        written = (ssize_t)some.iov_len;
    }
    if (written < 0) return nothing_now() || errno == ETOOMANYREFS ? 0 : -1;
    link->said += (size_t)written;
    count_taken(link);
    if (link->maker) forget_descriptor(link);
    return written;
}

/* Keeps the descriptor that came with a message, if there is none yet. */
static void keep_descriptor(cm_shm_link *link, struct msghdr *message)
{
    struct cmsghdr *header = CMSG_FIRSTHDR(message);
    int fd;
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return;
    memcpy(&fd, CMSG_DATA(header), sizeof fd);
    if (link->pass >= 0 || link->maker) close(fd);
    else link->pass = fd;
}

/* Reads no more than the handshake: what follows is for hear(). */
static ssize_t receive_handshake(cm_shm_link *link, const struct iovec *part)
{
    struct iovec some = *part;
    cm_shm_control control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &some,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = CMSG_LEN(sizeof(int))}; /* a second has no room */
    const size_t left = sizeof(cm_wire_handshake) - link->heard;
    if (left == 0) return 0;
    if (some.iov_len > left) some.iov_len = left;
    const ssize_t got = recvmsg(link->fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0) return nothing_now() ? 0 : -1;
    keep_descriptor(link, &message);
    /* With one descriptor expected and room for it, only the limit on open files cuts it off. */
    if (message.msg_flags & MSG_CTRUNC) link->cut = link->pass < 0;
    link->heard += (size_t)got;
    errno = 0;
    return got ? got : -1;
}

/* ---- Moving bytes ---------------------------------------------------------------------------- */

static _Noreturn void nonsense(const cm_lane *lane, const char *what)
{
    cm_engine_fail(lane->peer, "wrote %s into the memory that it shares with this rank", what);
}

/* The peer has much to read if there is no room for a further byte. */
static void wake_peer(cm_shm_link *link)
{
    const char wake = CM_EXCHANGE_WAKE;
    send(link->fd, &wake, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static ssize_t write_lane(cm_lane *lane, const struct iovec *parts, int n)
{
    cm_shm_link *link = link_of(lane);
    bool wake = false;
    if (__builtin_expect(link->said < sizeof(cm_wire_handshake), 0))
        return connected(lane) ? send_handshake(link, &parts[0]) : 0;
    if (__builtin_expect(link->ended, 0)) {
        errno = EPIPE;
        return -1;
    }
    if (!attached(lane)) return 0;
    const ssize_t written = cm_ring_write(&link->out, parts, n, &wake);
    if (written < 0) nonsense(lane, "an impossible position");
    if (wake) wake_peer(link);
    return written;
}

static ssize_t read_lane(cm_lane *lane, const struct iovec *parts, int n)
{
    cm_shm_link *link = link_of(lane);
    bool wake = false;
    if (__builtin_expect(!lane->proven, 0))
        return connected(lane) ? receive_handshake(link, &parts[0]) : 0;
    if (!attached(lane)) return 0;
    const ssize_t got = cm_ring_read(&link->in, parts, n, &wake);
    if (got < 0) nonsense(lane, "an impossible length");
    if (wake) wake_peer(link);
    if (got || !link->ended) return got;
    errno = 0;
    return -1;
}

static uint8_t pad_units(const char *data, size_t bytes)
{
    (void)data, (void)bytes;
    return 0;
}

/* Memory needs no more than any other long message gets. */
static size_t in_flight(const cm_lane *lane)
{
    (void)lane;
    return 0;
}

/* A host cannot be silent to itself; liveness.c sees stopped processes. */
static bool unanswered(const cm_lane *lane, double seconds)
{
    (void)lane, (void)seconds;
    return false;
}

/* Connects if anything is waiting to be written. */
static bool pursue(cm_lane *lane, bool silent)
{
    (void)lane, (void)silent;
    return false;
}

/* ---- Looking and sleeping -------------------------------------------------------------------- */

static bool look(void)
{
    bool moved = false;
    for (cm_lane *lane = engine.lanes, *next; lane; lane = next) {
        next = lane->next;
        if (lane->by != &cm_shm || !lane->proven) continue;
        if (attached(lane) && cm_ring_ready(&link_of(lane)->in)) moved |= cm_receive_lane(lane);
    }
    return moved;
}

/* sleeps looks at the lanes where room is wanted. */
static void want_room(cm_lane *lane, bool want) { (void)lane, (void)want; }

static bool sleeps(bool sleeps)
{
    bool work = false;
    for (cm_lane *lane = engine.lanes; lane; lane = lane->next) {
        cm_shm_link *link = link_of(lane);
        /* A ring has room before its peer can know of it. */
        if (lane->by != &cm_shm || lane->peer < 0 || link->untaken || !attached(lane)) continue;
        if (!sleeps) {
            cm_ring_reader_awake(&link->in);
            cm_ring_writer_awake(&link->out);
            continue;
        }
        work |= cm_ring_reader_sleeps(&link->in) || link->ended;
        if (lane->wants_room) work |= cm_ring_writer_sleeps(&link->out);
    }
    return work;
}

/* No event tells that a peer's queue has room again, or that peers have taken descriptors. */
static int patience_ms(void)
{
    enum { MOST_MS = 64 };
    if (!shm.untaken) shm.patience_ms = 0;
    else if (shm.patience_ms < MOST_MS) shm.patience_ms = 2 * shm.patience_ms + 1;
    return shm.untaken ? shm.patience_ms : INT_MAX;
}

/* ---- The program's memory -------------------------------------------------------------------- */

/* A region arrives before the first header that names it, so it is known when that header is read.
   */
static void hear_until(cm_lane *lane, uint32_t number)
{
    const cm_shm_link *link = link_of(lane);
    while ((!link->exchange || link->exchange->next_kept <= number) && hear(lane)) {}
}

static bool give_region(cm_lane *lane, const cm_region *region, uint32_t *number)
{
    cm_shm_link *link = link_of(lane);
    if (link->said < sizeof(cm_wire_handshake) || link->ended) return false;
    if (!link->exchange) link->exchange = cm_exchange_new();
    return cm_exchange_give(link->exchange, link->fd, region, number);
}

static bool revoke_region(cm_lane *lane, const cm_region *region, uint32_t *number)
{
    cm_shm_link *link = link_of(lane);
    return link->exchange && cm_exchange_revoke(link->exchange, region, number);
}

static const cm_mapping *region_of(cm_lane *lane, uint32_t number)
{
    hear_until(lane, number);
    return cm_exchange_find(link_of(lane)->exchange, number);
}

static void forget_region(cm_lane *lane, uint32_t number)
{
    hear_until(lane, number);
    cm_exchange_forget(link_of(lane)->exchange, number);
}

static _Atomic uint64_t *word_of(cm_lane *lane, bool mine, unsigned n)
{
    const cm_shm_link *link = link_of(lane);
    (void)attached(lane);
    return cm_segment_word(&link->segment, mine == link->maker, n);
}

/* A process that has ended has no connection, and later another process may have its number. The
   kernel needs longer than this to come round to it. */
static pid_t process_of(cm_lane *lane)
{
    static const double SAME_S = 0.01;
    cm_shm_link *link = link_of(lane);
    const double now_s = cm_engine_now();
    if (now_s - link->seen_s > SAME_S) {
        struct pollfd end = {.fd = link->fd, .events = POLLRDHUP};
        if (link->ended || poll(&end, 1, 0) != 0) return 0;
        link->seen_s = now_s;
    }
    return link->process;
}

static int make(size_t bytes, cm_mapping *mapping)
{
    return cm_segment_create("clustermark-memory", bytes, mapping);
}

static const cm_sharing sharing = {
    .make = make,
    .give = give_region,
    .revoke = revoke_region,
    .region = region_of,
    .forget = forget_region,
    .word = word_of,
    .process = process_of,
};

/* ---- Description ----------------------------------------------------------------------------- */

static void describe(cm_describe_each *each, void *context)
{
    const size_t n = (size_t)engine.local_ranks;
    char text[32];
    snprintf(text, sizeof text, "%zu", ring_bytes());
    each("shm_ring_bytes", text, context);
    snprintf(text, sizeof text, "%zu", n * (n - 1) * ring_bytes());
    each("shm_host_bytes_most", text, context);
}

const cm_transport cm_shm = {
    .name = "shm",
    .has = 1u << CM_HAS_SHARED,
    .in_memory = true,
    .open = open_shm,
    .shut = shut,
    .reaches = reaches,
    .beyond = "does not share this host's memory; expected all ranks on one host",
    .connect = connect_lane,
    .write = write_lane,
    .read = read_lane,
    .close = close_lane,
    .want_room = want_room,
    .pad_units = pad_units,
    .in_flight = in_flight,
    .unanswered = unanswered,
    .pursue = pursue,
    .look = look,
    .sleeps = sleeps,
    .patience_ms = patience_ms,
    .sharing = &sharing,
    .describe = describe,
};

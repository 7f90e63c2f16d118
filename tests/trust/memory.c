/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c: connections to a rank's local socket, and the data that a peer with the job's secret
   may put into shared memory. Wrong memory, and nonsense in a ring, end the job in one line that
   names the peer; none of it is trusted. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include "comm/engine/auth.h"
#include "comm/engine/shm/exchange.h"
#include "comm/engine/shm/segment.h"
#include "comm/engine/transport_table.h"
#include "comm/engine/wire.h"
#include "job.h"
#include "tap.h"

enum { TIMEOUT_S = 2, LATE_S = 20, SEGMENT_BYTES = 4096 + 2 * CM_RING_LEAST };

/* The file of the socket on which a process listens: it is removed, but still among its
   descriptors. */
static bool file_of_door(int pid, struct sockaddr_un *address)
{
    char link[128];
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    for (int fd = 0; fd < 256; fd++) {
        snprintf(address->sun_path, sizeof address->sun_path, "/proc/%d/fd/%d", pid, fd);
        ssize_t n = readlink(address->sun_path, link, sizeof link - 1);
        link[n < 0 ? 0 : n] = 0;
        if (strstr(link, "/.clustermark-")) return true;
    }
    return false;
}

/* The name of the abstract socket on which a process listens. */
static bool name_of_door(int pid, struct sockaddr_un *address, socklen_t *length)
{
    char path[64], line[512], name[128];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/net/unix", pid);
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, sizeof line, file)) {
        unsigned long inode, flags;
        if (sscanf(line, "%*s %*s %*s %lx %*s %*s %lu @%127s", &flags, &inode, name) != 3
            || !(flags & 0x10000) || strncmp(name, "clustermark-", 12) != 0
            || !doors_has_socket(pid, inode))
            continue;
        found = true;
        *address = (struct sockaddr_un){.sun_family = AF_UNIX};
        *length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1
                              + (size_t)snprintf(address->sun_path + 1,
                                                 sizeof address->sun_path - 1, "%s", name));
    }
    if (file) fclose(file);
    return found;
}

static bool door_of(int pid, struct sockaddr_un *address, socklen_t *length)
{
    *length = sizeof *address;
    return file_of_door(pid, address) || name_of_door(pid, address, length);
}

static int knock(const trust_job *job)
{
    struct sockaddr_un address;
    socklen_t length;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (door_of(job->board->rank[0].pid, &address, &length)
        && connect(fd, (struct sockaddr *)&address, length) == 0) {
        fcntl(fd, F_SETFL, O_NONBLOCK);
        return fd;
    }
    close(fd);
    return -1;
}

/* A handshake of rank 1 for rank 0, with a descriptor unless memory is -1. */
static void greet(const trust_job *job, int fd, int memory, unsigned spoil)
{
    cm_wire_handshake handshake = {.version = CM_WIRE_VERSION, .rank = 1, .size = 2};
    cm_auth_claim claim = {CM_ROLE_CONNECTS, 1, 0, handshake.nonce, job->board->rank[0].nonce, 0};
    memcpy(handshake.magic, CM_WIRE_MAGIC, sizeof handshake.magic);
    cm_auth_random(handshake.nonce, CM_NONCE_BYTES);
    cm_auth_prove(job->board->rank[0].secret, &claim, handshake.proof);
    handshake.proof[0] ^= (unsigned char)spoil;
    struct iovec part = {&handshake, sizeof handshake};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (memory >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        memcpy(CMSG_DATA(&control.header), &memory, sizeof memory);
    }
    sendmsg(fd, &message, MSG_NOSIGNAL);
}

/* Rank 1, played here, offers this memory: the job ends with the reason. */
static void ends(int memory, const char *why, const char *name)
{
    trust_job job;
    char said[1000];
    if (!ok(trust_job_start(&job, 2, "apart", 0, NULL), "a job of 2 starts")) return;
    int fd = knock(&job);
    greet(&job, fd, memory, 0);
    int status = trust_job_wait(&job, said, sizeof said);
    ok(fd >= 0 && status == 3 && strstr(said, ": rank 1 on ") && strstr(said, why), "%s", name);
    if (status != 3 || !strstr(said, why)) printf("# status %d, said: %s\n", status, said);
    close(fd);
    if (memory >= 0) close(memory);
}

static int file_of(size_t bytes, int seals)
{
    int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0 || fcntl(fd, F_ADD_SEALS, seals) != 0) exit(99);
    return fd;
}

/* The first word of the ring on which the peer writes. */
static int with_word(uint32_t word)
{
    cm_mapping segment;
    int fd = cm_segment_make(CM_RING_LEAST, &segment);
    if (fd < 0) exit(99);
    memcpy((char *)segment.memory + 4096, &word, sizeof word);
    cm_segment_release(&segment);
    return fd;
}

/* Another user tries to fill the queue of a rank that is not polling. Exit status 0: the user
   cannot even access its socket; 1: the user connects; 2: anything else. */
static _Noreturn void be_another_user(const struct sockaddr_un *address, socklen_t length)
{
    enum { NOBODY = 65534, KNOCKS = 10000 };
    if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0) _exit(2);
    for (int i = 0; i < KNOCKS; i++) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (fd < 0) _exit(2);
        if (connect(fd, (const struct sockaddr *)address, length) == 0) _exit(1);
        if (errno != EACCES && errno != ENOENT) _exit(2);
        close(fd);
    }
    _exit(0);
}

static void test_another_user(void)
{
    trust_job job;
    struct sockaddr_un address;
    int status = -1;
    if (geteuid() != 0) {
        tap_skip("another user", "only root can be another one");
        return;
    }
    if (!ok(trust_job_start(&job, 3, "go", 0, NULL), "a job of 3 starts")) return;
    int pid = job.board->rank[0].pid;
    if (!file_of_door(pid, &address)) {
        trust_job_ends_well(&job);
        tap_skip("another user", "the ranks' sockets have abstract names here");
        return;
    }
    socklen_t length;
    struct sockaddr_un abstract;
    ok(!name_of_door(pid, &abstract, &length), "the door has no name that others can read");
    pid_t other = fork();
    if (other == 0) be_another_user(&address, sizeof address);
    ok(waitpid(other, &status, 0) == other && WIFEXITED(status) && WEXITSTATUS(status) == 0,
       "another user does not get at the door");
    ok(trust_job_goes_on(&job, 3) && trust_job_ends_well(&job), "the job goes on and ends well");
}

/* ---- Memory of cm_allocate ------------------------------------------------------------------- */

enum { PAGES = 5, DATA_BYTES = 4096 * (PAGES - 1) };

/* Passes a descriptor over the connection, after the handshake. */
static void pass(int fd, int area)
{
    char kind = CM_EXCHANGE_REGION;
    struct iovec part = {&kind, 1};
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    memcpy(CMSG_DATA(&control.header), &area, sizeof area);
    sendmsg(fd, &message, MSG_NOSIGNAL);
}

/* Reads what the rank writes, which is headers alone, until it says that the kernel refused a copy
   for its address. */
static bool tells_refusal(cm_ring_reader *in)
{
    const double end_s = trust_now() + LATE_S;
    cm_wire_header header;
    size_t have = 0;
    while (trust_now() < end_s) {
        const struct iovec part = {(char *)&header + have, sizeof header - have};
        bool wake = false;
        const ssize_t n = cm_ring_read(in, &part, 1, &wake);
        if (n > 0) have += (size_t)n;
        else usleep(1000);
        if (have < sizeof header) continue;
        have = 0;
        if (header.kind == CM_WIRE_MAY_COPY && header.bytes == 0 && header.context == EFAULT)
            return true;
    }
    return false;
}

/* Rank 1, played here, shares this area and sends these headers, and the job ends. mode: as
   trust/rank has it. why: NULL: a copy is refused and the job goes on until rank 1 leaves. */
static void misplaces_in(const char *mode, int area, int n, const cm_wire_header *headers,
                         const char *why, const char *name)
{
    trust_job job;
    char said[1000];
    cm_mapping segment;
    cm_ring_writer out;
    cm_ring_reader in;
    bool wake = false;
    if (!ok(trust_job_start(&job, 2, mode, 0, NULL), "a job of 2 starts")) return;
    int fd = knock(&job), memory = cm_segment_make(CM_RING_LEAST, &segment);
    if (memory < 0) exit(99);
    cm_segment_rings(&segment, true, &out, &in);
    atomic_store(cm_segment_word(&segment, true, 0), (uint64_t)1 << 32);
    greet(&job, fd, memory, 0);
    if (area >= 0) pass(fd, area);
    for (int i = 0; i < n; i++) {
        const struct iovec part = {(void *)&headers[i], sizeof headers[i]};
        cm_ring_write(&out, &part, 1, &wake);
    }
    send(fd, "", 1, MSG_NOSIGNAL);
    const bool told = why || tells_refusal(&in);
    if (!why) close(fd);
    int status = trust_job_wait(&job, said, sizeof said);
    if (!ok(fd >= 0 && told && status == 3 && strstr(said, ": rank 1 on ")
                && strstr(said, why ? why : ""),
            "%s", name))
        printf("# status %d, refusal %s, said: %s\n", status, told ? "told" : "not told", said);
    if (why) close(fd);
    close(memory);
    cm_segment_release(&segment);
}

static void misplaces(int area, int n, const cm_wire_header *headers, const char *why,
                      const char *name)
{
    misplaces_in("apart", area, n, headers, why, name);
}

/* A place in the first area, and an announcement of `bytes` bytes there. */
static void places(int area, uint64_t offset, unsigned word, uint64_t bytes, const char *why,
                   const char *name)
{
    const cm_wire_header headers[] = {
        {.kind = CM_WIRE_PLACE, .ahead_units = (uint16_t)word, .offset = offset, .bytes = 1},
        {.kind = CM_WIRE_READY_TO_SEND, .source = 1, .tag = 1, .bytes = bytes, .handle = 1}};
    misplaces(area, 2, headers, why, name);
    close(area);
}

static void test_places(void)
{
    enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };
    const char *beyond = "a place beyond the memory that it shares", *kind = "an invalid header";
    const size_t bytes = 4096 * PAGES;
    places(file_of(bytes, 0), 0, 0, 16384, "is not sealed", "an area that can be made smaller");
    places(file_of(4096, SEALS), 0, 0, 16384, "has another size", "an area without room");
    places(file_of(bytes, SEALS), 1, 0, DATA_BYTES, beyond, "a message that ends behind its area");
    places(file_of(bytes, SEALS), UINT64_MAX - 8, 0, 16384, beyond, "an offset that wraps round");
    places(file_of(bytes, SEALS), 0, 0, PTRDIFF_MAX, beyond, "a message larger than the area");
    places(file_of(bytes, SEALS), 0, CM_REGION_WORDS, 16384, beyond,
           "a word of claims beyond them");
    const cm_wire_header alone[] = {{.kind = CM_WIRE_PLACE},
                                    {.kind = CM_WIRE_EAGER, .source = 1, .tag = 1}};
    misplaces(-1, 2, alone, kind, "a place for what has none");
    const cm_wire_header taken = {.kind = CM_WIRE_TAKEN, .handle = (uint64_t)1 << 32 | 1};
    misplaces(-1, 1, &taken, kind, "a message taken that was never sent");
    const cm_wire_header written = {
        .kind = CM_WIRE_WRITTEN, .bytes = 8, .handle = (uint64_t)1 << 32 | 1};
    misplaces(-1, 1, &written, kind, "bytes written that nobody receives");
}

/* ---- Memory of a process --------------------------------------------------------------------- */

static uint64_t probe = 0x1234;

/* Rank 1, played here, has this word at the address that it gives, and announces a message of
   TRUST_LONG bytes at another address. */
static void copies(uint64_t word_at, uint64_t word, uint64_t at, unsigned claims, const char *why,
                   const char *name)
{
    const cm_wire_header headers[] = {{.kind = CM_WIRE_ASK_COPY, .offset = word_at, .handle = word},
                                      {.kind = CM_WIRE_MAY_COPY, .bytes = 1},
                                      {.kind = CM_WIRE_PLACE,
                                       .context = CM_PLACE_PROCESS,
                                       .ahead_units = (uint16_t)claims,
                                       .offset = at,
                                       .bytes = 1},
                                      {.kind = CM_WIRE_READY_TO_SEND,
                                       .source = 1,
                                       .tag = TRUST_TAG,
                                       .bytes = TRUST_LONG,
                                       .handle = 1}};
    misplaces_in("takes", -1, 4, headers, why, name);
}

static void test_process(void)
{
    const char *never = "a place that cannot be", *kind = "an invalid header";
    const uint64_t word_at = (uintptr_t)&probe, here = (uintptr_t)&probe & ~(uint64_t)4095;
    char byte = 1, copy;
    const struct iovec from = {&byte, 1}, to = {&copy, 1};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != 1) {
        tap_skip("memory of a process", "this system's kernel does not copy between processes");
        return;
    }
    copies(word_at, probe, 4096, 0, NULL, "an address without memory is refused");
    copies(word_at, probe, UINT64_MAX / 2, 0, NULL, "one of the kernel, too");
    copies(word_at, probe, UINT64_MAX - 8, 0, never, "one that wraps round");
    copies(word_at, probe, here, CM_LANE_WORDS, never, "a word of claims beyond the lane's");
    copies(4096, probe, here, 0, never, "who cannot be read is not copied from");
    copies(word_at, probe + 1, here, 0, never, "nor who has another word than he says");
    const cm_wire_header place[] = {{.kind = CM_WIRE_PLACE, .context = CM_PLACE_PROCESS},
                                    {.kind = CM_WIRE_READY_TO_SEND,
                                     .source = 1,
                                     .tag = TRUST_TAG,
                                     .bytes = TRUST_LONG,
                                     .handle = 1}};
    misplaces(-1, 2, place, never, "nor who has never asked");
    const cm_wire_header may = {.kind = CM_WIRE_MAY_COPY, .bytes = 1};
    misplaces(-1, 1, &may, kind, "an answer to no question");
    const cm_wire_header choose = {.kind = CM_WIRE_CHOOSE_COPY, .bytes = 0};
    misplaces(-1, 1, &choose, kind, "a choice of what is not allowed");
}

int main(void)
{
    enum { SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL };
    char timeout[16];
    trust_job job;
    size_t heard = 0;
    snprintf(timeout, sizeof timeout, "%d", TIMEOUT_S);
    setenv("CM_TIMEOUT_S", timeout, 1);
    signal(SIGPIPE, SIG_IGN);

    if (!ok(trust_job_start(&job, 2, "apart", 0, NULL), "a job of 2 starts")) return tap_done();
    int fd = knock(&job);
    ok(fd >= 0, "rank 0 has a door for this host");
    ok(send(fd, "GET / HTTP/1.0\r\n\r\n", 18, MSG_NOSIGNAL) == 18
           && !trust_sent_away(1, &fd, LATE_S, &heard) && !heard,
       "garbage is sent away unanswered");
    fd = knock(&job);
    greet(&job, fd, with_word(0), 1);
    ok(!trust_sent_away(1, &fd, LATE_S, &heard) && !heard, "so is a wrong proof, with memory");
    fd = knock(&job);
    ok(!trust_sent_away(1, &fd, TIMEOUT_S + LATE_S, &heard) && !heard, "and who says nothing");
    ok(trust_job_ends_well(&job), "the job ends well, without a word");

    ends(-1, "did not come with its handshake", "no memory");
    ends(file_of(SEGMENT_BYTES, 0), "is not sealed", "memory that can be made smaller");
    ends(open("/dev/zero", O_RDWR | O_CLOEXEC), "is not sealed", "what is no memory");
    ends(file_of(SEGMENT_BYTES + 4096, SEALS), "has another size", "memory of a wrong size");
    ends(with_word(0xffffffff), "an impossible length", "a record beyond the ring");
    ends(with_word(16385), "an impossible length", "a record that is too long");
    test_places();
    test_process();
    test_another_user();
    return tap_done();
}

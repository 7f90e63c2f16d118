/* SPDX-License-Identifier: BSD-3-Clause */
/* strangers.c: a process that connects to the ranks of a job without belonging to it is
   disconnected and learns nothing. It costs the job only a bounded number of descriptors and bytes,
   for a bounded time. */
#include "config.h"
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include "comm/engine/auth.h"
#include "doors.h"
#include "tap.h"
#include "job.h"

/* The time-out of the jobs, and the slack for a loaded machine. */
enum { TIMEOUT_S = 2, LATE_S = 20, CROWD = 500 };

/* What transport_tcp.c allows: strangers beside one connection of each rank; a lane's memory. */
enum { STRANGERS = 64, LANE_KIB = 20, SLACK_KIB = 4096 };

/* A rank opens one file for a moment now and then (liveness.c). */
enum { MOMENTARY = 1 };

static void say(int fd, const void *bytes, size_t n)
{
    for (size_t sent = 0; sent < n;) {
        ssize_t now = send(fd, (const char *)bytes + sent, n - sent, MSG_NOSIGNAL);
        if (now < 0 && errno != EAGAIN && errno != EINTR) return;
        if (now < 0) usleep(1000);
        else sent += (size_t)now;
    }
}

/* A stranger that sends this to a rank is disconnected at once, without an answer; the job goes
   on. */
static void turned_away(trust_job *job, int rank, const void *bytes, size_t n, const char *name)
{
    size_t heard = 0;
    int fd = trust_knock(job, rank);
    bool knocked = fd >= 0;
    say(fd, bytes, n);
    int left = trust_sent_away(1, &fd, LATE_S, &heard);
    ok(knocked && !left && !heard && trust_job_goes_on(job, 2), "%s: sent away, job goes on", name);
    if (left || heard) printf("# %d left, %zu bytes heard\n", left, heard);
}

static void listening(const trust_job *job, const char *address)
{
    bool right = true;
    for (int i = 0; i < job->size; i++) {
        if (job->door[i].count == 1 && !strcmp(job->door[i].address, address)) continue;
        right = false;
        printf("# rank %d listens on %d sockets, one of them %s\n", i, job->door[i].count,
               job->door[i].address);
    }
    ok(right, "every rank listens on %s alone", address);
}

static void garbage(trust_job *job)
{
    static const size_t lengths[] = {1, 71, 72, 73, 1000000};
    unsigned char *bytes = malloc(1000000);
    if (!bytes) exit(99);
    for (size_t i = 0; i < 1000000; i++) bytes[i] = (unsigned char)(i * i >> 3 ^ i ^ 0x55);
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        char name[64];
        snprintf(name, sizeof name, "%zu bytes of garbage", lengths[k]);
        turned_away(job, (int)k % job->size, bytes, lengths[k], name);
    }
    free(bytes);
}

/* A handshake that `as` could have sent to `to`. */
static cm_wire_handshake handshake_of(const trust_job *job, cm_auth_role role, int as, int to)
{
    cm_wire_handshake handshake = {
        .version = CM_WIRE_VERSION, .rank = (uint32_t)as, .size = (uint32_t)job->size};
    cm_auth_claim claim = {role, as, to, handshake.nonce, job->board->rank[to].nonce, 0};
    memcpy(handshake.magic, CM_WIRE_MAGIC, sizeof handshake.magic);
    cm_auth_random(handshake.nonce, CM_NONCE_BYTES);
    cm_auth_prove(job->board->rank[to].secret, &claim, handshake.proof);
    return handshake;
}

/* Rank 0 has accepted no connection of this job, so each of these is refused for its own fault
   only. */
static void almost_right(trust_job *job)
{
    cm_wire_handshake g;
    const unsigned size = (unsigned)job->size;
#define FAULT(change, name)                            \
    do {                                               \
        g = handshake_of(job, CM_ROLE_CONNECTS, 1, 0); \
        change;                                        \
        turned_away(job, 0, &g, sizeof g, name);       \
    } while (0)
    FAULT(g.proof[31] ^= 1, "wrong proof, last byte");
    FAULT(g.proof[0] ^= 128, "wrong proof, first byte");
    FAULT(memset(g.proof, 0, sizeof g.proof), "no proof");
    FAULT(g.size = size + 1, "wrong size");
    FAULT(g.rank = size, "rank beyond the last");
    FAULT(g.rank = 0xffffffffu, "rank 2^32 - 1");
    FAULT(g = handshake_of(job, CM_ROLE_CONNECTS, 0, 0), "the rank's own number");
    FAULT(g.version = CM_WIRE_VERSION + 1, "wrong version");
    FAULT(g.magic[7] = '\r', "wrong magic");
    if (!cm_auth_strong()) {
        tap_skip("proofs for others", "without libcrypto the proof is the job's secret");
        return;
    }
    FAULT(g.rank = 2, "another rank's number");
    FAULT(g.nonce[3] ^= 1, "another nonce");
    FAULT(g = handshake_of(job, CM_ROLE_ACCEPTS, 1, 0), "proof of the one who accepts");
    FAULT(g = handshake_of(job, CM_ROLE_CONNECTS, 1, 2), "proof for another rank");
}

static void copied(trust_job *job)
{
    /* Rank 0 connected to 1, then to 2; rank 1 answered it first. */
    const cm_wire_handshake to_1 = job->board->rank[0].handshake[0];
    const cm_wire_handshake answer_of_1 = job->board->rank[1].handshake[0];
    ok(job->board->rank[0].handshakes == 2 && to_1.rank == 0 && answer_of_1.rank == 1,
       "handshakes overheard");
    turned_away(job, 1, &to_1, sizeof to_1, "the same handshake again");
    turned_away(job, 0, &answer_of_1, sizeof answer_of_1, "an answer to the one who got it");
    turned_away(job, 1, &answer_of_1, sizeof answer_of_1, "an answer to the one who gave it");
    if (!cm_auth_strong()) {
        tap_skip("a handshake at another rank", "without libcrypto the proof is the job's secret");
        return;
    }
    turned_away(job, 2, &to_1, sizeof to_1, "a handshake at another rank");
}

/* Connections with an incomplete handshake last until the time-out. One of them goes on sending a
   little. */
static void slow(trust_job *job)
{
    enum { SILENT, SHORT, SLOW, N = 3 };
    static const char *const names[] = {"silent", "one byte short of a handshake",
                                        "a byte now and then"};
    size_t heard = 0;
    int fds[N];
    cm_wire_handshake right = handshake_of(job, CM_ROLE_CONNECTS, 1, 0);
    for (int i = 0; i < N; i++) fds[i] = trust_knock(job, 0);
    bool knocked = fds[SILENT] >= 0 && fds[SHORT] >= 0 && fds[SLOW] >= 0;
    say(fds[SHORT], &right, sizeof right - 1);
    double start_s = trust_now(), gone_s[N] = {0};
    for (size_t sent = 0; trust_now() < start_s + TIMEOUT_S + LATE_S; usleep(50000)) {
        trust_sent_away(N, fds, 0, &heard);
        for (int i = 0; i < N; i++)
            if (fds[i] < 0 && !gone_s[i]) gone_s[i] = trust_now() - start_s;
        if (fds[SILENT] < 0 && fds[SHORT] < 0 && fds[SLOW] < 0) break;
        if (fds[SLOW] >= 0 && sent < sizeof right - 1) say(fds[SLOW], (char *)&right + sent++, 1);
    }
    for (int i = 0; i < N; i++) {
        printf("# %s: gone after %.2f s of %d s\n", names[i], gone_s[i], TIMEOUT_S);
        ok(knocked && gone_s[i] > 0 && !heard, "%s: sent away by the time-out, unanswered",
           names[i]);
        if (fds[i] >= 0) close(fds[i]);
    }
    ok(trust_job_goes_on(job, 2), "the job goes on");
}

static void reset(trust_job *job)
{
    const struct linger hard = {.l_onoff = 1};
    for (int i = 0; i < 100; i++) {
        int fd = trust_knock(job, i % job->size);
        if (i % 2) say(fd, CM_WIRE_MAGIC, 8);
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
        close(fd);
    }
    ok(trust_job_goes_on(job, 5), "100 who connect and reset: the job goes on");
}

static int crowd_fds[CROWD];

static int crowd_comes(const trust_job *job, int rank)
{
    return trust_crowd(job, rank, CROWD, crowd_fds);
}

static void crowd_leaves(void)
{
    for (int i = 0; i < CROWD; i++)
        if (crowd_fds[i] >= 0) close(crowd_fds[i]);
}

/* Without the momentary ones. */
static int lasting_descriptors(int pid)
{
    int least = doors_descriptors(pid);
    for (int i = 0; i < 20; i++) {
        usleep(2000);
        int now = doors_descriptors(pid);
        if (now < least) least = now;
    }
    return least;
}

static void crowd(trust_job *job)
{
    enum { RANK = 1 };
    int pid = job->board->rank[RANK].pid, files = lasting_descriptors(pid), most_files = 0;
    long kib = doors_resident_kib(pid), most_kib = 0;
    size_t heard = 0;
    int came = crowd_comes(job, RANK), left;
    double start_s = trust_now();
    do {
        left = trust_sent_away(CROWD, crowd_fds, 0.02, &heard);
        int now = doors_descriptors(pid);
        long now_kib = doors_resident_kib(pid);
        if (now > most_files) most_files = now;
        if (now_kib > most_kib) most_kib = now_kib;
    } while (left && trust_now() < start_s + TIMEOUT_S + LATE_S);
    printf("# %d at once: %d descriptors, at most %d; %ld KiB, at most %ld; gone after %.2f s\n",
           came, files, most_files, kib, most_kib, trust_now() - start_s);
    ok(came == CROWD && !left && !heard, "%d at once: all are sent away by the time-out", CROWD);
    ok(most_files > files + MOMENTARY && most_files <= files + MOMENTARY + STRANGERS + job->size,
       "descriptors are bounded");
    ok(most_kib > 0 && most_kib <= kib + LANE_KIB * (STRANGERS + job->size) + SLACK_KIB,
       "memory is bounded");
    ok(lasting_descriptors(pid) == files, "and none is left");
    came = crowd_comes(job, 0);
    crowd_leaves();
    ok(came == CROWD && trust_job_goes_on(job, 5), "%d who come and go: the job goes on", CROWD);
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

static void disturbed(void)
{
    trust_job job;
    bool goes = trust_job_start(&job, 3, "go", 0, NULL) && trust_job_goes_on(&job, 3);
    if (!ok(goes, "a job of 3 starts")) return;
    listening(&job, "127.0.0.1");
    garbage(&job);
    almost_right(&job);
    copied(&job);
    slow(&job);
    reset(&job);
    crowd(&job);
    ok(trust_job_ends_well(&job), "it ends well, without a word");
}

/* The counterpart of the tests above: the right handshake is accepted, once. later_s: whole seconds
   between the connection and the handshake. */
static void welcome(int later_s)
{
    trust_job job;
    char said[1000];
    cm_wire_handshake answer;
    size_t got = 0, heard = 0;
    bool there = trust_job_start(&job, 2, "apart", 0, NULL);
    if (!ok(there, "a job whose ranks have no connections starts")) return;
    cm_wire_handshake g = handshake_of(&job, CM_ROLE_CONNECTS, 1, 0);
    int fd = trust_knock(&job, 0);
    sleep((unsigned)later_s);
    say(fd, &g, sizeof g);
    const double end_s = trust_now() + LATE_S;
    for (; got < sizeof answer && trust_now() < end_s; usleep(1000)) {
        ssize_t now = recv(fd, (char *)&answer + got, sizeof answer - got, 0);
        if (now > 0) got += (size_t)now;
    }
    cm_auth_claim claim = {CM_ROLE_ACCEPTS, 0, 1, job.board->rank[0].nonce, g.nonce, 0};
    ok(got == sizeof answer && answer.rank == 0
           && cm_auth_verify(job.board->rank[0].secret, &claim, answer.proof),
       "who has the secret is answered with a proof, after %d s", later_s);
    g = handshake_of(&job, CM_ROLE_CONNECTS, 1, 0);
    int again = trust_knock(&job, 0);
    say(again, &g, sizeof g);
    ok(trust_sent_away(1, &again, LATE_S, &heard) == 0 && !heard,
       "a second of the same rank is sent away");
    close(fd);
    int status = trust_job_wait(&job, said, sizeof said);
    ok(status == 3 && strstr(said, ": rank 1 on "),
       "the loss of a connection that was let in ends the job");
    if (status != 3) printf("# status %d, said: %s\n", status, said);
}

/* Peers that connect while rank 0 is outside the layer are accepted, although strangers connect
   after them. */
static void first_come(int size, int files, bool crowded)
{
    trust_job job;
    if (!ok(trust_job_start(&job, size, "first", files, NULL), "a job of %d starts", size)) return;
    const double end_s = trust_now() + LATE_S;
    for (int i = 1; i < size; i++)
        while (!job.board->rank[i].rounds && trust_now() < end_s) usleep(1000);
    int came = crowded ? crowd_comes(&job, 0) : CROWD;
    job.board->release = 1;
    ok(came == CROWD && trust_job_goes_on(&job, 3), "%d ranks%s connect to one%s: all are let in",
       size - 1, crowded ? " and then a crowd" : "", files ? " that has few descriptors" : "");
    if (crowded) crowd_leaves();
    ok(trust_job_ends_well(&job), "it ends well, without a word");
}

/* The first interface beside loopback that is up and has an IPv4 address. */
static bool find_interface(char name[64], char address[64])
{
    struct ifaddrs *all;
    bool found = false;
    if (getifaddrs(&all) != 0) return false;
    for (const struct ifaddrs *entry = all; entry && !found; entry = entry->ifa_next) {
        const struct sockaddr_in *own = (const struct sockaddr_in *)entry->ifa_addr;
        if (!own || own->sin_family != AF_INET || entry->ifa_flags & IFF_LOOPBACK) continue;
        if (!(entry->ifa_flags & IFF_UP)) continue;
        snprintf(name, 64, "%s", entry->ifa_name);
        found = inet_ntop(AF_INET, &own->sin_addr, address, 64) != NULL;
    }
    freeifaddrs(all);
    return found;
}

static void interface(void)
{
    char address[64], name[64];
    if (!find_interface(name, address)) {
        tap_skip("CM_INTERFACE", "there is loopback only");
        return;
    }
    trust_job job;
    bool goes = trust_job_start(&job, 2, "go", 0, name) && trust_job_goes_on(&job, 3);
    if (!ok(goes, "CM_INTERFACE=%s", name)) return;
    listening(&job, address);
    turned_away(&job, 0, "GET / HTTP/1.0\r\n\r\n", 18, "a request of another protocol");
    ok(trust_job_ends_well(&job), "it ends well, without a word");
}

int main(void)
{
    char timeout[16];
    snprintf(timeout, sizeof timeout, "%d", TIMEOUT_S);
    setenv("CM_TIMEOUT_S", timeout, 1);
    unsetenv("CM_INTERFACE");
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 2 * CROWD) {
        files.rlim_cur = files.rlim_max < 2 * CROWD ? files.rlim_max : 2 * CROWD;
        setrlimit(RLIMIT_NOFILE, &files);
        if (files.rlim_cur < 2 * CROWD) {
            printf("1..0 # SKIP %d descriptors are needed (ulimit -n)\n", 2 * CROWD);
            return 77;
        }
    }
    disturbed();
    welcome(0);
    first_come(3, 0, true);
    first_come(3, 48, true);
    first_come(STRANGERS + 16, 0, false);
    interface();
    /* A rank that got no core for longer than the default time-out, 5 s. */
    unsetenv("CM_TIMEOUT_S");
    welcome(7);
    return tap_done();
}

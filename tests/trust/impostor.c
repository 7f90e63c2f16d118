/* SPDX-License-Identifier: BSD-3-Clause */
/* impostor.c: a rank connects to a process that is not the rank it expects. This program plays the
   launcher (PMI-1) of a job of two, whose rank 0 is its child; the board that hands out rank 1's
   card; and the process that listens at the address on that card. */
#include "config.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "comm/comm.h"
#include "comm/engine/wire.h"
#include "comm/pmi/pmi_line.h"
#include "comm/tuning.h"
#include "tap.h"

enum { TIMEOUT_S = 1, LATE_S = 20, TAG = 5, VALUE = 4711 };

typedef enum {
    GARBAGE,
    TRUNCATED,
    FLOOD,
    NO_PROOF,
    FOREIGN,
    ECHO,
    SIZE,
    CLOSE,
    RESET,
    SILENT,
    ABSENT,
    RIGHT
} manner;

/* What happened in one job. */
static struct {
    int pmi, said, listener, guest; /* our ends; -1: none */
    pid_t victim;
    cm_pmi_reader reader;
    char card_0[CM_PMI_VALUE_BYTES], card_1[CM_PMI_VALUE_BYTES], secret[CM_PMI_VALUE_BYTES];
    char text[4096];          /* the rank's stderr */
    size_t text_bytes, heard; /* heard: bytes the guest sent */
    char handshake[sizeof(cm_wire_handshake)];
    bool answered;
    double start_s;
    int status;
} job;

static unsigned char nonce_1[CM_NONCE_BYTES]; /* on rank 1's card, so known to all */
static char host[256];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- The rank -------------------------------------------------------------------------------- */

static _Noreturn void be_rank_0(int pmi, int local_ranks)
{
    char number[16];
    snprintf(number, sizeof number, "%d", pmi);
    setenv("PMI_FD", number, 1);
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", "2", 1);
    snprintf(number, sizeof number, "%d", local_ranks);
    setenv("CM_LOCAL_RANKS", number, 1);
    int status = cm_init(NULL, NULL);
    if (status) exit(status);
    int32_t value = 0;
    cm_send(cm_world(), &value, sizeof value, 1, TAG);
    cm_recv(cm_world(), &value, sizeof value, 1, TAG, NULL);
    cm_finalize();
    exit(value == VALUE ? 0 : 1);
}

/* ---- The launcher ---------------------------------------------------------------------------- */

static void answer(const char *line) { cm_pmi_line_send(job.pmi, line, strlen(line)); }

static void give(const char *value)
{
    char line[CM_PMI_LINE_BYTES];
    snprintf(line, sizeof line, "cmd=get_result rc=0 msg=success value=%s\n", value);
    answer(line);
}

static void serve(const char *line)
{
    char command[CM_PMI_NAME_BYTES] = "", key[CM_PMI_KEY_BYTES] = "";
    char value[CM_PMI_VALUE_BYTES] = "";
    cm_pmi_line_field(line, "cmd", command, sizeof command);
    cm_pmi_line_field(line, "key", key, sizeof key);
    cm_pmi_line_field(line, "value", value, sizeof value);
    if (!strcmp(command, "init")) {
        answer("cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n");
    } else if (!strcmp(command, "get_my_kvsname")) {
        answer("cmd=my_kvsname kvsname=k\n");
    } else if (!strcmp(command, "put")) {
        strcpy(!strcmp(key, "secret") ? job.secret : job.card_0, value);
        answer("cmd=put_result rc=0 msg=success\n");
    } else if (!strcmp(command, "barrier_in")) {
        answer("cmd=barrier_out\n");
    } else if (!strcmp(command, "get")) {
        give(!strcmp(key, "secret")   ? job.secret
             : !strcmp(key, "card-0") ? job.card_0
                                      : job.card_1);
    } else if (!strcmp(command, "finalize")) {
        answer("cmd=finalize_ack\n");
    }
}

static void listen_to_rank(void)
{
    char *line;
    cm_pmi_read read;
    while ((read = cm_pmi_reader_next(&job.reader, job.pmi, false, &line)) == CM_PMI_READ_LINE)
        serve(line);
    if (read == CM_PMI_READ_MORE) return;
    close(job.pmi);
    job.pmi = -1;
}

/* ---- The impostor ---------------------------------------------------------------------------- */

static void tell(const void *bytes, size_t n)
{
    for (size_t sent = 0; sent < n;) {
        ssize_t part = send(job.guest, (const char *)bytes + sent, n - sent, MSG_NOSIGNAL);
        if (part <= 0) return;
        sent += (size_t)part;
    }
}

static void part_from_guest(bool hard)
{
    const struct linger linger = {.l_onoff = hard};
    setsockopt(job.guest, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    close(job.guest);
    job.guest = -1;
}

static void unhex(const char *text, unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned value = 0;
        sscanf(text + 2 * i, "%2x", &value);
        bytes[i] = (unsigned char)value;
    }
}

/* The handshake of rank 1, with a proof that is right only on request. */
static cm_wire_handshake greeting_1(bool proven)
{
    cm_wire_handshake theirs, mine = {.version = CM_WIRE_VERSION, .rank = 1, .size = 2};
    unsigned char secret[CM_SECRET_BYTES];
    memcpy(&theirs, job.handshake, sizeof theirs);
    memcpy(mine.magic, CM_WIRE_MAGIC, sizeof mine.magic);
    memcpy(mine.nonce, nonce_1, sizeof mine.nonce);
    unhex(job.secret, secret, sizeof secret);
    cm_auth_claim claim = {CM_ROLE_ACCEPTS, 1, 0, nonce_1, theirs.nonce, 0};
    cm_auth_prove(secret, &claim, mine.proof);
    if (!proven) mine.proof[CM_PROOF_BYTES / 4] ^= 1;
    return mine;
}

static void act(manner how)
{
    cm_wire_handshake g = greeting_1(how == RIGHT || how == FOREIGN || how == SIZE);
    int32_t value = VALUE;
    cm_wire_header message = {
        .kind = CM_WIRE_EAGER, .source = 1, .tag = TAG, .bytes = sizeof value};
    job.answered = true;
    switch (how) {
    case SILENT:
    case ABSENT:
        return;
    case CLOSE:
        part_from_guest(false);
        return;
    case RESET:
        part_from_guest(true);
        return;
    case TRUNCATED:
        tell("SSH-2.0-impostor\r\n", 18);
        return;
    case FLOOD:
        for (int i = 0; i < 4000; i++) tell("much garbage", 12);
        return;
    case ECHO:
        tell(job.handshake, sizeof job.handshake);
        return;
    case GARBAGE:
        memset(&g, 'x', sizeof g);
        break;
    case FOREIGN:
        g.rank = 0;
        break;
    case SIZE:
        g.size = 3;
        break;
    case NO_PROOF:
    case RIGHT:
        break;
    }
    tell(&g, sizeof g);
    if (how != RIGHT) return;
    tell(&message, sizeof message);
    tell(&value, sizeof value);
}

static void listen_to_guest(manner how)
{
    char bytes[4096];
    ssize_t got = recv(job.guest, bytes, sizeof bytes, 0);
    if (got <= 0) {
        part_from_guest(false);
        return;
    }
    for (ssize_t i = 0; i < got && job.heard < sizeof job.handshake; i++)
        job.handshake[job.heard++] = bytes[i];
    if (job.heard == sizeof job.handshake && !job.answered) act(how);
}

/* ---- A job ----------------------------------------------------------------------------------- */

static int listen_somewhere(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) != 0 || listen(fd, 4) != 0
        || getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        perror("trust/impostor: cannot listen");
        exit(99);
    }
    *port = ntohs(address.sin_port);
    return fd;
}

static void start(const char *card, const char *name, int local_ranks, manner how)
{
    int pmi[2], said[2], port;
    memset(&job, 0, sizeof job);
    job.guest = -1;
    job.start_s = now();
    job.listener = listen_somewhere(&port);
    if (how == ABSENT) {
        close(job.listener);
        job.listener = -1;
    }
    if (card) {
        strcpy(job.card_1, card);
    } else {
        int n = snprintf(job.card_1, sizeof job.card_1, "%s|tcp:127.0.0.1;%d|", name, port);
        for (int i = 0; i < CM_NONCE_BYTES; i++)
            n += snprintf(job.card_1 + n, sizeof job.card_1 - (size_t)n, "%02x", nonce_1[i]);
        snprintf(job.card_1 + n, sizeof job.card_1 - (size_t)n, "|100000|0|0|1|%llx|0.0",
                 (unsigned long long)cm_tuning_checksum());
    }
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pmi) != 0 || pipe(said) != 0) exit(99);
    fflush(stdout);
    job.victim = fork();
    if (job.victim < 0) exit(99);
    if (job.victim == 0) {
        if (job.listener >= 0) close(job.listener);
        close(pmi[0]);
        close(said[0]);
        dup2(said[1], 2);
        be_rank_0(pmi[1], local_ranks);
    }
    close(pmi[1]);
    close(said[1]);
    job.pmi = pmi[0];
    job.said = said[0];
}

/* Plays launcher and impostor until the rank has ended (true) or the time is over. */
static bool play(manner how, double seconds)
{
    for (const double end_s = now() + seconds; now() < end_s;) {
        struct pollfd at[] = {{.fd = job.pmi, .events = POLLIN},
                              {.fd = job.said, .events = POLLIN},
                              {.fd = job.listener, .events = POLLIN},
                              {.fd = job.guest, .events = POLLIN}};
        poll(at, 4, 50);
        if (at[0].revents) listen_to_rank();
        if (at[1].revents) {
            size_t room = sizeof job.text - 1 - job.text_bytes;
            ssize_t got = read(job.said, job.text + job.text_bytes, room);
            if (got <= 0) return waitpid(job.victim, &job.status, 0) == job.victim;
            job.text_bytes += (size_t)got;
        }
        if (at[2].revents && job.guest < 0) job.guest = accept(job.listener, NULL, NULL);
        if (at[3].revents) listen_to_guest(how);
    }
    return false;
}

static void finish(void)
{
    const int fds[] = {job.pmi, job.said, job.listener, job.guest};
    for (int i = 0; i < 4; i++)
        if (fds[i] >= 0) close(fds[i]);
}

/* The rank has ended with this status and printed one line with its own rank and host, and this
   text. */
static void ended(bool in_time, int status, const char *about, const char *cause, const char *name)
{
    char start[300];
    snprintf(start, sizeof start, "clustermark: rank 0 on %s: ", host);
    char *line_end = strchr(job.text, '\n');
    int got = in_time && WIFEXITED(job.status) ? WEXITSTATUS(job.status) : -1;
    if (!in_time) {
        kill(job.victim, SIGKILL);
        waitpid(job.victim, NULL, 0);
    }
    bool one_line = line_end && !line_end[1];
    bool right = cause ? one_line && strstr(job.text, cause) && strstr(job.text, about)
                             && (status != 3 || strncmp(job.text, start, strlen(start)) == 0)
                       : !*job.text;
    ok(got == status && right, "%s: status %d, %s", name, status, cause ? "one line" : "no word");
    printf("# after %.2f s: %s%s", now() - job.start_s, job.text, *job.text ? "" : "\n");
    if (got != status) printf("# status %d\n", got);
    finish();
}

static void impostor(manner how, const char *cause, const char *name)
{
    char about[300];
    snprintf(about, sizeof about, ": rank 1 on %s: ", host);
    start(NULL, host, 2, how);
    ended(play(how, TIMEOUT_S + LATE_S), 3, about, cause, name);
}

/* The other side might be a rank that computes: nothing ends until it does something. */
static void silent(void)
{
    char about[300];
    snprintf(about, sizeof about, ": rank 1 on %s: ", host);
    start(NULL, host, 2, SILENT);
    bool over = play(SILENT, 3 * TIMEOUT_S);
    ok(!over && job.heard == sizeof job.handshake,
       "who says nothing is waited for, as who computes");
    if (!over && job.guest >= 0) part_from_guest(false);
    ended(over || play(SILENT, TIMEOUT_S + LATE_S), 3, about,
          "ended before it answered the handshake", "until he hangs up");
    start(NULL, host, 2, SILENT);
    over = play(SILENT, 2 * TIMEOUT_S);
    if (!over && job.pmi >= 0) {
        close(job.pmi);
        job.pmi = -1;
    }
    ended(over || play(SILENT, TIMEOUT_S + LATE_S), 3, "", "lost the launcher",
          "or until the launcher ends the job");
}

static void bad_card(const char *card, const char *about, const char *name)
{
    start(card, NULL, 2, RIGHT);
    ended(play(RIGHT, TIMEOUT_S + LATE_S), 3, about, "is malformed", name);
}

/* Ranks on several hosts prove themselves by HMAC or not at all. */
static void several_hosts(const char *name, int local_ranks, const char *what)
{
    bool strong = cm_auth_strong();
    start(NULL, name, local_ranks, RIGHT);
    ended(play(RIGHT, TIMEOUT_S + LATE_S), strong ? 0 : 2, "",
          strong ? NULL : "need a build with libcrypto", what);
}

int main(void)
{
    char timeout[16], card[600];
    const unsigned long long tables = cm_tuning_checksum();
    snprintf(timeout, sizeof timeout, "%d", TIMEOUT_S);
    setenv("CM_TIMEOUT_S", timeout, 1);
    gethostname(host, sizeof host - 1);
    signal(SIGPIPE, SIG_IGN);
    cm_auth_random(nonce_1, sizeof nonce_1);

    start(NULL, host, 2, RIGHT);
    ended(play(RIGHT, TIMEOUT_S + LATE_S), 0, "", NULL,
          "the right answer, from one with the secret");
    impostor(NO_PROOF, "could not prove its identity", "a proof with one wrong bit");
    impostor(GARBAGE, "does not belong to this job", "garbage");
    impostor(TRUNCATED, "does not belong to this job", "a little garbage, then silence");
    impostor(FLOOD, "does not belong to this job", "much garbage");
    impostor(ECHO, "does not belong to this job", "the rank's own handshake");
    impostor(FOREIGN, "does not belong to this job", "the rank's own number");
    impostor(SIZE, "does not belong to this job", "another number of ranks");
    impostor(CLOSE, "connection lost", "the end of the connection");
    impostor(RESET, "connection lost", "a reset");
    impostor(ABSENT, "cannot connect to 127.0.0.1", "nobody");
    silent();
    snprintf(card, sizeof card, "%s|tcp:127.0.0.1|%032d|1000|0|0|1|%llx|0.0", host, 0, tables);
    bad_card(card, ": rank 1 on ", "a card without a port");
    snprintf(card, sizeof card, "%s|tcp:nowhere;1|%032d|1000|0|0|1|%llx|0.0", host, 0, tables);
    bad_card(card, ": rank 1 on ", "a card with a name for an address");
    snprintf(card, sizeof card, "%s|tcp:127.0.0.1;1|%031d|1000|0|0|1|%llx|0.0", host, 0, tables);
    bad_card(card, "", "a card with a short nonce");
    several_hosts("elsewhere", 1, "another host");
    several_hosts(host, 1, "another host of the same name");
    return tap_done();
}

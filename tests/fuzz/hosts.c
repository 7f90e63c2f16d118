/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c: what proxies on other hosts send to cmrun, through its channels and host_set to the
   PMI server, the output and the search for the cause of a failure, as job.c connects them. An
   input: how many hosts and ranks, then deeds: frames, right or nearly so, plain bytes, ends of
   lines, what cmrun does meanwhile.

   Wrong: a host speaks for a rank of another one, a rank ends twice, programs are started after
   a host has failed, cmrun sends what is no frame of its own, memory or files are lost. */
#include "fuzz.h"
#include "launch/cause.h"
#include "launch/host_set_internal.h"
#include "launch/tree_internal.h"
#include "launch/output.h"
#include "launch/pmi_server.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>

enum { HOSTS = 3, RANKS = 6 };

typedef struct {
    fuzz_input input;
    int epoll, nowhere;
    char names[HOSTS][8];
    host host[HOSTS];
    host_list list;
    int line[HOSTS];               /* the proxy's end; -1: closed */
    frame_reader heard[HOSTS];     /* of cmrun */
    bool deaf;                     /* the proxies do not read for now */
    int launched, speaks;          /* proxy whose bytes are being read */
    int first[HOSTS], last[HOSTS]; /* hosts that speak through it */
    int to[HOSTS];                 /* host that cmrun's next frame is for */
    host_set *set;
    pmi_server *pmi;
    cause *cause;
    output *out[RANK_STREAMS];
    int ended[RANKS], failures;
    bool started; /* programs were */
} job;

static job play_of;

/* ---- Events, as job.c has them --------------------------------------------------------------- */

static void check_rank(const job *job, int rank)
{
    FUZZ_CHECK(rank >= 0 && rank < host_list_slots(&job->list) && job->started);
    const host *first = &job->host[job->first[job->speaks]];
    const host *last = &job->host[job->last[job->speaks]];
    FUZZ_CHECK(rank >= first->first && rank < last->first + last->count);
}

static void on_line(void *context, int rank, const char *line)
{
    job *job = context;
    check_rank(job, rank);
    pmi_server_line(job->pmi, rank, line);
}

static void on_broken(void *context, int rank, const char *why)
{
    job *job = context;
    FUZZ_CHECK(rank >= 0 && *why);
    host_set_signal(job->set, SIGTERM);
}

static void on_line_end(void *context, int rank)
{
    job *job = context;
    check_rank(job, rank);
    cause_lines_ended(job->cause, rank);
}

static void on_output(void *context, int rank, int stream, const char *data, size_t bytes)
{
    job *job = context;
    check_rank(job, rank);
    FUZZ_CHECK(bytes > 0 && bytes <= FRAME_DATA_BYTES);
    output_data(job->out[stream], rank, data, bytes);
}

static void on_output_end(void *context, int rank, int stream)
{
    job *job = context;
    check_rank(job, rank);
    output_end(job->out[stream], rank);
}

static void on_ended(void *context, int rank, pid_t pid, int status)
{
    job *job = context;
    (void)pid;
    check_rank(job, rank);
    FUZZ_CHECK(job->ended[rank]++ == 0);
    pmi_server_gone(job->pmi, rank);
    cause_ended(job->cause, rank, status, pmi_server_state(job->pmi, rank) == PMI_JOINED, 0);
}

static void on_stopped(void *context, int rank, int signal)
{
    check_rank(context, rank);
    FUZZ_CHECK(signal >= 0 && signal <= 64);
}

static void on_not_started(void *context, int rank, const char *doing, const char *why)
{
    (void)doing;
    on_broken(context, rank, why);
}

static void on_failed(void *context, int status, const char *text)
{
    job *job = context;
    FUZZ_CHECK(status > 0 && status < 256 && *text);
    for (; *text; text++) FUZZ_CHECK((unsigned char)*text >= ' ' && *text != 127);
    if (job->failures++ == 0) host_set_signal(job->set, SIGTERM);
}

static void on_answer(void *context, int rank, const char *line, size_t bytes)
{
    job *job = context;
    host_set_answer(job->set, rank, line, bytes);
}

static void on_answer_all(void *context, const char *line, size_t bytes)
{
    job *job = context;
    host_set_answer_all(job->set, line, bytes);
}

static void on_hosts_lost(void *context, const host *const *hosts, int n, int status,
                          const char *text)
{
    FUZZ_CHECK(n > 0 && n <= HOSTS);
    for (int i = 0; i < n; i++) FUZZ_CHECK(hosts[i]->count > 0);
    on_failed(context, status, text);
}

static void on_abort(void *context, int rank, int status, int blames, const char *text)
{
    (void)blames;
    job *job = context;
    (void)status, (void)text;
    cause_abort(job->cause, rank, 0);
}

static void on_output_broken(void *context, int fd, int error)
{
    (void)context, (void)fd, (void)error;
    FUZZ_CHECK(!"writing to /dev/null fails");
}

/* ---- The proxies' end ------------------------------------------------------------------------ */

/* In place of src/machine. */
int cm_machine_cores(void) { return 2; }
int cm_machine_sockets(void) { return 1; }

/* In place of branch_launch.c's. */
bool branch_launch_step(branch *launcher, const char *names, int hosts, int *in)
{
    (void)launcher, (void)names, (void)hosts, (void)in;
    return false;
}

int branch_launch(branch *branch)
{
    job *job = &play_of;
    int ends[2], i = job->launched++, least = 1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) abort();
    /* A pipe that is soon full. */
    setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &least, sizeof least);
    job->line[i] = ends[1];
    job->first[i] = job->to[i] = branch->number;
    job->last[i] = branch->number + branch->below;
    branch->pid = 0;
    branch->status = 0x100;
    branch->launched_s = loop_now_s();
    FUZZ_CHECK(channel_open(&branch->channel, job->epoll, ends[0], dup(ends[0])));
    return 0;
}

/* cmrun's words must be frames that it may send. */
static void hear(job *job, int i)
{
    while (job->line[i] >= 0 && !job->deaf) {
        size_t room;
        char *to = frame_room(&job->heard[i], &room);
        ssize_t got = recv(job->line[i], to, room, MSG_DONTWAIT);
        if (got <= 0) return;
        frame_came(&job->heard[i], (size_t)got);
        for (;;) {
            frame frame;
            const char *why;
            frame_read said = frame_next(&job->heard[i], &frame, &why);
            FUZZ_CHECK(said == FRAME_WHOLE || said == FRAME_MORE);
            if (said == FRAME_MORE) break;
            FUZZ_CHECK(frame.kind <= FRAME_CLEAR
                       || (frame.kind >= FRAME_BEAT && frame.kind <= FRAME_GROW));
            int number = job->to[i];
            job->to[i] = frame.kind == FRAME_HOST ? frame.rank : job->first[i];
            FUZZ_CHECK(job->to[i] >= job->first[i] && job->to[i] <= job->last[i]);
            if (frame.kind != FRAME_START) continue;
            FUZZ_CHECK(frame_number(&frame, FRAME_FIRST) == job->host[number].first
                       && frame_number(&frame, FRAME_COUNT) == job->host[number].count);
        }
    }
}

static void hear_all(job *job)
{
    for (int i = 0; i < job->launched; i++) hear(job, i);
}

/* One host's bytes, which cmrun reads before another host's arrive. */
static void say(job *job, int i, const void *bytes, size_t n)
{
    const char *from = bytes;
    while (n > 0 && job->line[i] >= 0) {
        ssize_t sent = send(job->line[i], from, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent <= 0) return;
        from += sent;
        n -= (size_t)sent;
        job->speaks = i;
        loop_once(job->epoll, 0);
    }
}

static void say_frame(job *job, int i)
{
    static char text[FRAME_TEXT_BYTES];
    unsigned char head[FRAME_HEAD_BYTES];
    frame frame = {.kind = fuzz_byte(&job->input) % (FRAME_KINDS + 1)};
    frame.flag = fuzz_byte(&job->input);
    frame.rank = fuzz_byte(&job->input);
    if (frame.rank >= 0xfe) frame.rank = -frame.rank;
    unsigned length = fuzz_byte(&job->input);
    size_t n = length > 250 ? 0 : length;
    const char *data = fuzz_bytes(&job->input, &n);
    if (length == 255) {
        data = PACKAGE_VERSION;
        n = strlen(data);
    } else if (length > 250) { /* many of one byte */
        n = (size_t)1 << (2 * (length - 242));
        if (n > sizeof text) n = sizeof text;
        memset(text, 'a' + (int)(length - 250), n);
        data = text;
    }
    frame.bytes = n;
    frame_head(&frame, head);
    say(job, i, head, sizeof head);
    say(job, i, data, n);
}

static void act(job *job)
{
    unsigned deed = fuzz_byte(&job->input);
    int i = (int)(deed >> 4) % job->launched;
    size_t n;
    const char *bytes;
    switch (deed % 16) {
    case 8:
        n = fuzz_byte(&job->input);
        bytes = fuzz_bytes(&job->input, &n);
        say(job, i, bytes, n);
        break;
    case 9:
        if (job->line[i] >= 0) shutdown(job->line[i], SHUT_WR);
        job->speaks = i;
        break;
    case 10:
        host_set_hold_output(job->set, (int)(deed >> 4 & 1), deed >> 5 & 1);
        break;
    case 11:
        host_set_signal(job->set, 1 + fuzz_byte(&job->input) % 31);
        break;
    case 12:
        host_set_clock(job->set);
        break;
    case 13:
        host_set_leftovers(job->set, deed & 16 ? SIGKILL : deed & 32 ? SIGTERM : 0);
        break;
    case 14:
        host_set_reap(job->set);
        break;
    case 15:
        job->deaf = !job->deaf;
        break;
    default:
        say_frame(job, i);
    }
}

/* ---- A job ----------------------------------------------------------------------------------- */

static void place(job *job)
{
    unsigned how = fuzz_byte(&job->input);
    job->list = (host_list){.host = job->host, .n = 1 + (int)how % HOSTS};
    for (int i = 0, rank = 0; i < job->list.n; i++) {
        int count = 1 + (int)(how >> (2 + i) & 1);
        snprintf(job->names[i], sizeof job->names[i], "host%d", i);
        job->host[i] = (host){.name = job->names[i],
                              .slots = count,
                              .local = how & 128,
                              .first = rank,
                              .stride = 1,
                              .count = count};
        rank += count;
    }
}

static void begin(job *job)
{
    static const rank_set_events ranks = {.line = on_line,
                                          .line_broken = on_broken,
                                          .line_end = on_line_end,
                                          .output = on_output,
                                          .output_end = on_output_end,
                                          .ended = on_ended,
                                          .stopped = on_stopped,
                                          .not_started = on_not_started};
    static const host_set_events events = {
        .ranks = &ranks, .failed = on_failed, .lost = on_hosts_lost};
    static const pmi_server_events pmi = {
        .answer = on_answer, .answer_all = on_answer_all, .abort = on_abort, .broken = on_broken};
    static char *argv[] = {"program", "argument", NULL};
    static const char *const variables[] = {"CM_NODELAY=0", NULL};
    place(job);
    unsigned how = fuzz_byte(&job->input);
    int size = host_list_slots(&job->list);
    job->epoll = epoll_create1(EPOLL_CLOEXEC);
    job->nowhere = memfd_create("output", MFD_CLOEXEC);
    job->cause = cause_new(size);
    job->pmi = pmi_server_new(size, &pmi, job);
    for (int stream = 0; stream < RANK_STREAMS; stream++)
        job->out[stream] =
            output_new(job->epoll, job->nowhere, size, how & 1, on_output_broken, job);
    const host_set_plan plan = {.hosts = &job->list,
                                .launcher = "ssh -x",
                                .argv = argv,
                                .variables = variables,
                                .size = size,
                                .fan_out = how & 4 ? TREE_FAN_OUT_LEAST : TREE_FAN_OUT,
                                .timeout_s = how & 2 ? 1e-6 : 60};
    FUZZ_CHECK(host_set_start(&plan, &events, job, job->epoll, &job->set) == 0);
}

static void play(void *context)
{
    job *job = context;
    int rank, waiting;
    begin(job);
    while (job->input.left) {
        bool failed = job->failures > 0;
        act(job);
        FUZZ_CHECK(!failed || job->set->started == job->started);
        loop_once(job->epoll, 0);
        hear_all(job);
        int alive = 0;
        for (int i = 0; i < host_list_slots(&job->list); i++) alive += !job->set->ended[i];
        FUZZ_CHECK(alive == host_set_alive(job->set));
        job->started = job->set->started;
        cause_find(job->cause, job->pmi, 0, &rank, &waiting);
    }
    host_set_leftovers(job->set, SIGKILL);
    hear_all(job);
    host_set_free(job->set);
    for (int stream = 0; stream < RANK_STREAMS; stream++) output_free(job->out[stream]);
    pmi_server_free(job->pmi);
    cause_free(job->cause);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static bool set_up;
    if (!set_up) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 0); /* cmrun's stdin, for rank 0 */
        close(null);
        signal(SIGPIPE, SIG_IGN);
        set_up = true;
    }
    uint64_t before = fuzz_files();
    play_of = (job){.input = {data, bytes}, .line = {-1, -1, -1}};
    FUZZ_CHECK(fuzz_run(play, &play_of) == -1);
    for (int i = 0; i < play_of.launched; i++) {
        close(play_of.line[i]);
        frame_reader_free(&play_of.heard[i]);
    }
    close(play_of.epoll);
    close(play_of.nowhere);
    FUZZ_CHECK(fuzz_memory_blocks() == 0);
    FUZZ_CHECK(fuzz_files_close(before) == 0);
    return 0;
}

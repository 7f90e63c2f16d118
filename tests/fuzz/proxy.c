/* SPDX-License-Identifier: BSD-3-Clause */
/* proxy.c: what cmrun sends to a proxy, until it ends; with ranks that are not there (what
   starts and runs them is replaced here), and with hosts below it that say a few words and are
   gone. An input: what these do, the length of pieces, the bytes.

   Wrong: a call for a rank that is not the proxy's, a start that makes no sense, words to cmrun
   that are none of a proxy's, lost memory or files. */
#include "fuzz.h"
#include "launch/frame.h"
#include "launch/proxy.h"
#include "launch/rank_set.h"
#include "launch/signals.h"
#include "launch/spawn.h"
#include "launch/tree_internal.h"
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>

struct rank_set {
    rank_set_plan plan;
    const rank_set_events *events;
    void *context;
    int input;
    bool hold[RANK_STREAMS];
};

static struct {
    unsigned how;
    int signal_file;
    rank_set set;
    bool alive;
    int below[64], n_below; /* the far ends of the branches */
} fake;

static void check_rank(const rank_set *set, int rank)
{
    FUZZ_CHECK(set == &fake.set && fake.alive && rank >= set->plan.first
               && (rank - set->plan.first) % set->plan.stride == 0
               && (rank - set->plan.first) / set->plan.stride < set->plan.count);
}

/* In place of src/machine. */
int cm_machine_cores(void) { return 2; }
int cm_machine_sockets(void) { return 1; }

/* ---- In place of spawn.c, signals.c and rank_set.c ------------------------------------------- */

bool spawn_arrange_files(void) { return true; }
int signals_next(const signals *signals)
{
    (void)signals;
    return 0;
}

bool signals_start(signals *signals)
{
    signals->fd = fake.signal_file;
    signal(SIGPIPE, SIG_IGN);
    return true;
}

int spawn_find(const char *name, char **path)
{
    if (!*name) return 2;
    *path = fuzz_strdup(name);
    return 0;
}

int rank_set_start(const rank_set_plan *plan, const rank_set_events *events, void *context,
                   int epoll, const sigset_t *restore_signals, rank_set **set)
{
    (void)epoll, (void)restore_signals;
    FUZZ_CHECK(!fake.alive && plan->first >= 0 && plan->stride > 0 && plan->count > 0
               && plan->size <= 65536
               && plan->first + (int64_t)plan->stride * (plan->count - 1) < plan->size);
    FUZZ_CHECK(plan->path && plan->argv[0] && plan->capture);
    if (fake.how & 1) return 3;
    fake.set = (rank_set){*plan, events, context, -1, {false}};
    if (plan->input >= 0 && fake.how & 2) {
        fake.set.input = fcntl(plan->input, F_DUPFD_CLOEXEC, 3);
        fcntl(fake.set.input, F_SETFL, O_NONBLOCK);
    }
    fake.alive = true;
    *set = &fake.set;
    events->line(context, plan->first, "cmd=init pmi_version=1 pmi_subversion=1");
    if (fake.how & 4) events->not_started(context, plan->first, "start this", "it is not there");
    return 0;
}

pid_t rank_set_pid(const rank_set *set, int rank)
{
    check_rank(set, rank);
    return 100000 + rank;
}

/* An answer makes the rank say something. */
void rank_set_answer(rank_set *set, int rank, const char *line, size_t bytes)
{
    char piece[256];
    check_rank(set, rank);
    FUZZ_CHECK(strlen(line) == bytes);
    snprintf(piece, sizeof piece, "%s", line);
    set->events->line(set->context, rank, piece);
    for (int stream = 0; stream < RANK_STREAMS; stream++)
        if (!set->hold[stream]) set->events->output(set->context, rank, stream, line, bytes);
    if (set->input >= 0 && read(set->input, piece, 1) == 0) {
        close(set->input);
        set->input = -1;
    }
}

void rank_set_answer_all(rank_set *set, const char *line, size_t bytes)
{
    for (int i = 0; i < set->plan.count; i++)
        rank_set_answer(set, set->plan.first + i * set->plan.stride, line, bytes);
}

void rank_set_kill(rank_set *set, int rank) { check_rank(set, rank); }

void rank_set_signal(rank_set *set, int signal)
{
    int rank = set->plan.first;
    check_rank(set, rank);
    FUZZ_CHECK(signal >= 0 && signal <= 64);
    set->events->line_end(set->context, rank);
    set->events->output_end(set->context, rank, RANK_STDOUT);
    set->events->ended(set->context, rank, 100000 + rank, signal);
}

void rank_set_hold_output(rank_set *set, int stream, bool hold)
{
    FUZZ_CHECK(fake.alive && stream >= 0 && stream < RANK_STREAMS);
    set->hold[stream] = hold;
}

int rank_set_alive(const rank_set *set)
{
    check_rank(set, set->plan.first);
    return 0;
}
void rank_set_reap(rank_set *set) { (void)set; }
void rank_set_drain(rank_set *set) { check_rank(set, set->plan.first); }
bool rank_set_leftovers(rank_set *set, int signal)
{
    (void)signal;
    return !fake.alive || !set;
}

void rank_set_free(rank_set *set)
{
    check_rank(set, set->plan.first);
    if (set->input >= 0) close(set->input);
    fake.alive = false;
}

/* ---- In place of branch_launch.c ------------------------------------------------------------- */

static void say(int file, frame_kind kind, int rank, const char *data)
{
    unsigned char head[FRAME_HEAD_BYTES];
    const frame frame = {.kind = kind, .rank = rank, .data = data, .bytes = strlen(data)};
    frame_head(&frame, head);
    if (send(file, head, sizeof head, 0) < 0 || send(file, data, frame.bytes, 0) < 0) abort();
}

bool branch_launch_step(branch *launcher, const char *names, int hosts, int *in)
{
    (void)launcher, (void)names, (void)hosts, (void)in;
    return false;
}

int branch_launch(branch *branch)
{
    int ends[2];
    if (fake.n_below == sizeof fake.below / sizeof fake.below[0]) return 3;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) abort();
    int far = fake.below[fake.n_below++] = ends[1];
    say(far, FRAME_HELLO, 0, fake.how & 8 ? "0" : PACKAGE_VERSION);
    say(far, FRAME_READY, 0, "a");
    say(far, FRAME_HOST, branch->number + (fake.how & 16 ? branch->below : 1 + branch->below), "");
    say(far, FRAME_OUTPUT, branch->number, "text");
    if (fake.how & 32) say(far, FRAME_BYE, 0, "");
    shutdown(far, SHUT_WR);
    branch->pid = 0;
    branch->launched_s = loop_now_s();
    FUZZ_CHECK(channel_open(&branch->channel, branch->tree->epoll, ends[0], dup(ends[0])));
    return 0;
}

/* ---- cmrun's end ----------------------------------------------------------------------------- */

static void check_words(int file)
{
    frame_reader reader = {0};
    frame_kind last = FRAME_NONE;
    size_t room;
    lseek(file, 0, SEEK_SET);
    for (;;) {
        char *to = frame_room(&reader, &room);
        ssize_t got = read(file, to, room);
        if (got <= 0) break;
        frame_came(&reader, (size_t)got);
        for (;;) {
            frame frame;
            const char *why;
            frame_read said = frame_next(&reader, &frame, &why);
            FUZZ_CHECK(said == FRAME_WHOLE || said == FRAME_MORE);
            if (said == FRAME_MORE) break;
            FUZZ_CHECK((frame.kind >= FRAME_HELLO && frame.kind <= FRAME_HOST)
                       || frame.kind == FRAME_LOST);
            FUZZ_CHECK((frame.kind == FRAME_HELLO) == (last == FRAME_NONE));
            last = frame.kind;
        }
    }
    FUZZ_CHECK(reader.start == reader.end && last != FRAME_NONE);
    frame_reader_free(&reader);
}

static void play(void *context)
{
    (void)context;
    FUZZ_CHECK(proxy_run(false) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    fuzz_input input = {data, bytes};
    int ends[2], words;
    uint64_t before = fuzz_files();
    memset(&fake, 0, sizeof fake);
    fake.how = fuzz_byte(&input);
    size_t piece = 1 + fuzz_byte(&input) * 64u;
    fake.signal_file = eventfd(0, EFD_CLOEXEC);
    words = memfd_create("words", MFD_CLOEXEC);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0 || words < 0) abort();
    while (input.left) { /* every write is one read there */
        size_t n = piece;
        const char *some = fuzz_bytes(&input, &n);
        if (send(ends[1], some, n, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) break;
    }
    shutdown(ends[1], SHUT_WR);
    int in = fcntl(0, F_DUPFD_CLOEXEC, 3), out = fcntl(1, F_DUPFD_CLOEXEC, 3);
    dup2(ends[0], 0);
    dup2(words, 1);
    int status = fuzz_run(play, NULL);
    dup2(in, 0);
    dup2(out, 1);
    close(in);
    close(out);
    FUZZ_CHECK(status == -1 && !fake.alive && fuzz_memory_blocks() == 0);
    check_words(words);
    close(ends[0]);
    close(ends[1]);
    close(words);
    close(fake.signal_file);
    for (int i = 0; i < fake.n_below; i++) close(fake.below[i]);
    FUZZ_CHECK(fuzz_files_close(before) <= 1); /* the loop's, which goes with the process */
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* client.c: a rank that behaves well or badly, as its first argument says; for
   launch_*.sh. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include "comm/comm.h"
#include "comm/pmi/pmi_client.h"
#include "comm/pmi/pmi_line.h"

static cm_pmi *pmi;
static int rank, size = 1, fd = -1;

/* Joins; every mode that uses the client begins with it. */
static void join(void)
{
    int status = cm_pmi_open(&pmi);
    if (status) exit(status);
    if (!pmi) return;
    rank = cm_pmi_rank(pmi);
    size = cm_pmi_size(pmi);
    fd = cm_pmi_fd(pmi);
}

static void must(int status)
{
    if (status) exit(status);
}

static int leave(void) { return cm_pmi_finalize(pmi); }

/* ---- Well behaved ---------------------------------------------------------------------------- */

static void card_of(int of, char *key, char *value)
{
    sprintf(key, "card-%d", of);
    memset(value, 'a' + of % 26, 300);
    sprintf(value + 300, "=%d", of);
}

static int cards(char **argument)
{
    char key[CM_PMI_KEY_BYTES], value[CM_PMI_VALUE_BYTES], want[CM_PMI_VALUE_BYTES];
    bool done = !pmi;
    (void)argument;
    if (pmi) {
        card_of(rank, key, value);
        must(cm_pmi_put(pmi, key, value));
        must(cm_pmi_barrier(pmi));
        for (int i = 0; i < size; i++) {
            card_of(i, key, want);
            must(cm_pmi_get(pmi, i, key, value, sizeof value));
            if (strcmp(value, want) != 0) {
                printf("wrong card %d at %d\n", i, rank);
                return 1;
            }
        }
        must(cm_pmi_barrier_start(pmi));
    }
    while (!done) {
        struct pollfd answer = {.fd = fd, .events = POLLIN};
        if (poll(&answer, 1, 60000) == 0) {
            printf("no end of the barrier at %d\n", rank);
            return 1;
        }
        must(cm_pmi_barrier_done(pmi, &done));
    }
    if (rank == 0) printf("%d ranks\n", size);
    return leave();
}

typedef struct {
    int next;
    bool wrong;
} gathered;

static void check_card(void *context, int of, const char *value)
{
    gathered *seen = context;
    char key[CM_PMI_KEY_BYTES], want[CM_PMI_VALUE_BYTES];
    card_of(of, key, want);
    if (of == seen->next++ && strcmp(value, want) == 0) return;
    if (!seen->wrong) printf("wrong card %d at %d: '%.40s'\n", of, rank, value);
    seen->wrong = true;
}

/* As cards, but all cards come in the answer to one question; twice. */
static int gather(char **argument)
{
    char key[CM_PMI_KEY_BYTES], value[CM_PMI_VALUE_BYTES];
    (void)argument;
    if (!pmi || !cm_pmi_gathers(pmi)) {
        puts("no gather");
        return leave();
    }
    for (int turn = 0; turn < 2; turn++) {
        gathered seen = {0};
        card_of(rank, key, value);
        must(cm_pmi_gather(pmi, value, check_card, &seen));
        if (seen.wrong || seen.next != size) return 1;
    }
    must(cm_pmi_barrier(pmi));
    if (rank == 0) printf("%d ranks\n", size);
    return leave();
}

static int files(char **argument)
{
    char text[256] = "";
    (void)argument;
    for (int i = 0; i < 1024; i++)
        if (fcntl(i, F_GETFD) >= 0 && strlen(text) < sizeof text - 8)
            sprintf(text + strlen(text), "%s%d", *text ? " " : "", i);
    puts(text);
    return leave();
}

static const char *said_path;

static void note(const char *path, const char *text)
{
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (file < 0 || write(file, text, strlen(text)) < 0) _exit(1);
    close(file);
}

static const struct {
    int number;
    const char *name;
} heard[] = {{SIGTERM, "TERM\n"}, {SIGINT, "INT\n"},   {SIGHUP, "HUP\n"},
             {SIGQUIT, "QUIT\n"}, {SIGUSR1, "USR1\n"}, {SIGUSR2, "USR2\n"}};

static void hear(int number)
{
    for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++)
        if (heard[i].number == number) note(said_path, heard[i].name);
}

static _Noreturn int signals(char **argument)
{
    char text[32];
    said_path = argument[1];
    for (size_t i = 0; i < sizeof heard / sizeof heard[0]; i++) {
        struct sigaction action = {.sa_handler = hear};
        sigaction(heard[i].number, &action, NULL);
    }
    snprintf(text, sizeof text, "%ld\n", (long)getpid());
    note(argument[0], text);
    for (;;) pause();
}

/* ---- Ends before its time -------------------------------------------------------------------- */

static int abort_job(char **argument)
{
    must(cm_pmi_barrier(pmi));
    if (strcmp(argument[0], "all") == 0 || atoi(argument[0]) == rank) {
        cm_pmi_abort(pmi, atoi(argument[1]), -1, argument[2]);
        _exit(atoi(argument[1]));
    }
    return cm_pmi_barrier(pmi);
}

static void say(const char *text)
{
    if (!cm_pmi_line_send(fd, text, strlen(text))) _exit(1);
}

static int abort_plain(char **argument)
{
    if (atoi(argument[0]) == rank) {
        char line[64];
        snprintf(line, sizeof line, "cmd=abort exitcode=%s\n", argument[1]);
        say(line);
        pause();
    }
    return cm_pmi_barrier(pmi);
}

static int vanish(char **argument)
{
    must(cm_pmi_barrier(pmi));
    if (atoi(argument[0]) == rank) _exit(0);
    return cm_pmi_barrier(pmi);
}

static int early(char **argument)
{
    if (atoi(argument[0]) == rank) return leave();
    must(cm_pmi_barrier(pmi));
    return leave();
}

static int close_socket(char **argument)
{
    if (atoi(argument[0]) == rank) {
        close(fd);
        pause();
    }
    return cm_pmi_barrier(pmi);
}

static int late(char **argument)
{
    const char *me = getenv("PMI_RANK");
    if (me && strcmp(me, argument[0]) == 0) return 0;
    join();
    must(cm_pmi_barrier(pmi));
    return leave();
}

/* Rank argument[0] ends by way of argument[1] at the time argument[2]: before it joins, before the
   first barrier of all, or after it. The others meet in two barriers, read the cards of the ranks
   that exist, and leave. */
static int dies(char **argument)
{
    static const char *const times[] = {"start", "joined", "later", NULL};
    const char *me = getenv("PMI_RANK"), *how = argument[1];
    char key[CM_PMI_KEY_BYTES], value[CM_PMI_VALUE_BYTES];
    int cards = 0;
    for (int i = 0; times[i]; i++) {
        if (i == 1) join();
        if (i == 2) {
            card_of(rank, key, value);
            must(cm_pmi_put(pmi, key, value));
            must(cm_pmi_barrier(pmi));
        }
        if (!me || strcmp(me, argument[0]) != 0 || strcmp(times[i], argument[2]) != 0) continue;
        if (strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
        else if (strcmp(how, "stop") == 0) kill(getpid(), SIGSTOP);
        else if (strcmp(how, "sleep") == 0) sleep(50);
        else if (strcmp(how, "garbage") == 0) {
            fd = atoi(getenv("PMI_FD"));
            if (!cm_pmi_line_send(fd, "\377\376\001\200\n", 5)) return 1;
            sleep(50);
        } else if (strcmp(how, "close") == 0) {
            close(atoi(getenv("PMI_FD")));
            sleep(50);
        } else if (strcmp(how, "leave") == 0) return leave();
        else if (strcmp(how, "abort") == 0) {
            cm_pmi_abort(pmi, 5, -1, "no way on");
            pause();
        } else _exit(atoi(how));
    }
    must(cm_pmi_barrier(pmi));
    say("cmd=get_my_kvsname\n");
    char *line, space[CM_PMI_NAME_BYTES];
    cm_pmi_reader answers = {0};
    for (int i = -1; i < size; i++) {
        if (cm_pmi_reader_next(&answers, fd, true, &line) != CM_PMI_READ_LINE) return 1;
        if (i < 0) cm_pmi_line_field(line, "kvsname", space, sizeof space);
        else cards += strstr(line, " rc=0 ") != NULL;
        char question[256];
        if (i + 1 == size) break;
        card_of(i + 1, key, value);
        snprintf(question, sizeof question, "cmd=get kvsname=%s key=%s\n", space, key);
        say(question);
    }
    printf("%d of %d cards\n", cards, size);
    return leave();
}

/* Rank 0 has a connection to rank 1 and gives up as soon as that connection ends, as the message
   engine does. kill: rank 1 kills itself; abort: it closes the connection, and asks for the end
   once rank 0 has. */
static int peer_death(char **argument)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char name[64], byte;
    bool aborts = strcmp(argument[0], "abort") == 0;
    snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "cm-launch-test-%ld",
             (long)getppid());
    socklen_t length =
        (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(address.sun_path + 1));
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    if (rank == 1 && (bind(s, (struct sockaddr *)&address, length) < 0 || listen(s, 1) < 0))
        return 1;
    must(cm_pmi_barrier(pmi));
    if (rank == 1) {
        int peer = accept(s, NULL, NULL);
        if (peer < 0) return 1;
        if (!aborts) kill(getpid(), SIGKILL);
        shutdown(peer, SHUT_WR);
        while (read(peer, &byte, 1) > 0) {}
        cm_pmi_abort(pmi, 5, -1, "the cause");
        _exit(5);
    }
    if (connect(s, (struct sockaddr *)&address, length) < 0) return 1;
    while (read(s, &byte, 1) > 0) {}
    snprintf(name, sizeof name, "rank %d lost rank 1", rank);
    cm_pmi_abort(pmi, 3, 1, name);
    _exit(3);
}

/* The launcher ends in the middle of a barrier. This program plays both. */
static int lost(char **argument)
{
    int ends[2];
    char number[16], *line;
    cm_pmi_reader reader = {0};
    (void)argument;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return 1;
    snprintf(number, sizeof number, "%d", ends[0]);
    setenv("PMI_FD", number, 1);
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", "2", 1);
    if (fork() == 0) {
        static const char *const answers[] = {
            "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"};
        close(ends[0]);
        for (int i = 0; i < 2; i++) {
            if (cm_pmi_reader_next(&reader, ends[1], true, &line) != CM_PMI_READ_LINE) _exit(1);
            if (i < 1) cm_pmi_line_send(ends[1], answers[i], strlen(answers[i]));
        }
        _exit(0);
    }
    close(ends[1]);
    join();
    return cm_pmi_barrier(pmi);
}

/* ---- The protocol, by hand ------------------------------------------------------------------- */

static cm_pmi_reader reader;
static int wrong;

static const char *hear_line(void)
{
    char *line;
    if (cm_pmi_reader_next(&reader, fd, true, &line) != CM_PMI_READ_LINE) {
        printf("rank %d: no line comes\n", rank);
        exit(1);
    }
    return line;
}

static void expect(const char *question, const char *want)
{
    say(question);
    const char *line = hear_line();
    if (strcmp(line, want) == 0) return;
    printf("rank %d: '%.60s' is answered by '%.200s', not '%.200s'\n", rank, question, line, want);
    wrong = 1;
}

/* Without the client; fd, rank and size from the environment. */
static void raw_join(void)
{
    fd = atoi(getenv("PMI_FD"));
    rank = atoi(getenv("PMI_RANK"));
    size = atoi(getenv("PMI_SIZE"));
    expect("cmd=init pmi_version=1 pmi_subversion=1\n",
           "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0 launcher=cmrun gather=1");
}

static char space[64];

static void learn_space(void)
{
    say("cmd=get_my_kvsname\n");
    const char *line = hear_line();
    if (!cm_pmi_line_field(line, "kvsname", space, sizeof space)) {
        printf("no kvsname in '%s'\n", line);
        exit(1);
    }
}

static void expect_put(const char *key, const char *value, const char *want)
{
    char line[CM_PMI_LINE_BYTES];
    snprintf(line, sizeof line, "cmd=put kvsname=%s key=%s value=%s\n", space, key, value);
    expect(line, want);
}

static void expect_get(const char *key, const char *want)
{
    char line[CM_PMI_LINE_BYTES];
    snprintf(line, sizeof line, "cmd=get kvsname=%s key=%s\n", space, key);
    expect(line, want);
}

static int protocol(char **argument)
{
    char text[64];
    (void)argument;
    raw_join();
    learn_space();
    expect("cmd=get_maxes\n", "cmd=maxes kvsname_max=64 keylen_max=64 vallen_max=1024");
    expect("cmd=get_appnum\n", "cmd=appnum appnum=0");
    snprintf(text, sizeof text, "cmd=universe_size size=%d", size);
    expect("cmd=get_universe_size\n", text);
    snprintf(text, sizeof text, "key%d", rank);
    expect_put(text, "a=b,c;d", "cmd=put_result rc=0 msg=success");
    expect("cmd=barrier_in\n", "cmd=barrier_out");
    expect_get("key0", "cmd=get_result rc=0 msg=success value=a=b,c;d");
    expect_get("key1", "cmd=get_result rc=0 msg=success value=a=b,c;d");
    expect_get("no", "cmd=get_result rc=-1 msg=key_no_not_found value=unknown");
    expect("cmd=put kvsname=other key=a value=b\n", "cmd=put_result rc=-1 msg=unknown_kvsname");
    snprintf(text, sizeof text, "cmd=gather_in value=card%d\n", rank);
    expect(text, "cmd=gather_out first=0 v=0:card0 v=4:1");
    /* A barrier of which some want values and some do not. */
    expect(rank ? "cmd=barrier_in\n" : "cmd=gather_in value=a:b\n",
           rank ? "cmd=barrier_out" : "cmd=gather_out first=0 v=0:a:b v=0:");
    expect("cmd=finalize\n", "cmd=finalize_ack");
    return wrong;
}

static int bounds(char **argument)
{
    char key[80], value[1100], text[1200];
    static const char good[] = "cmd=put_result rc=0 msg=success";
    (void)argument;
    raw_join();
    learn_space();
    memset(key, 'k', sizeof key);
    memset(value, 'v', sizeof value);
    sprintf(key + 60, "%03d", rank); /* 63 bytes, the longest key */
    value[1023] = '\0';              /* the longest value */
    expect_put(key, value, good);
    snprintf(text, sizeof text, "cmd=get_result rc=0 msg=success value=%s", value);
    expect_get(key, text);
    expect_put(key, "again", "cmd=put_result rc=-1 msg=duplicate_key");
    strcat(key, "x");
    expect_put(key, "v", "cmd=put_result rc=-1 msg=no_key_or_too_long");
    expect_get(key, "cmd=get_result rc=-1 msg=no_key_or_too_long value=unknown");
    value[1023] = 'v';
    value[1024] = '\0';
    expect_put("toolong", value, "cmd=put_result rc=-1 msg=no_value_or_too_long");
    expect_get("toolong", "cmd=get_result rc=-1 msg=key_toolong_not_found value=unknown");
    for (int i = 1; i < 1024; i++) {
        snprintf(key, sizeof key, "%d-of-%d", i, rank);
        expect_put(key, "v", good);
    }
    expect_put("onemore", "v", "cmd=put_result rc=-1 msg=too_many_keys");
    snprintf(key, sizeof key, "%d-of-%d", 511, rank);
    expect_get(key, "cmd=get_result rc=0 msg=success value=v");
    expect("cmd=finalize\n", "cmd=finalize_ack");
    return wrong;
}

static int pieces(char **argument)
{
    (void)argument;
    raw_join();
    for (const char *c = "cmd=get_app"; *c; c++) {
        char one[2] = {*c, 0};
        say(one);
        usleep(1000);
    }
    expect("num\ncmd=get_maxes\ncmd=get_appnum\ncmd=get_max", "cmd=appnum appnum=0");
    expect("es\n", "cmd=maxes kvsname_max=64 keylen_max=64 vallen_max=1024");
    expect("", "cmd=appnum appnum=0");
    expect("", "cmd=maxes kvsname_max=64 keylen_max=64 vallen_max=1024");
    expect("cmd=finalize\n", "cmd=finalize_ack");
    return wrong;
}

/* Sends requests until no more fit into the socket, and only then reads. */
static int flood(char **argument)
{
    char value[1001], line[256], want[1100];
    (void)argument;
    raw_join();
    learn_space();
    memset(value, 'v', 1000);
    value[1000] = '\0';
    if (rank == 0) expect_put("k", value, "cmd=put_result rc=0 msg=success");
    snprintf(line, sizeof line, "cmd=get kvsname=%s key=k\n", space);
    snprintf(want, sizeof want, "cmd=get_result rc=0 msg=success value=%s", value);
    size_t asked = 0, begun = 0, length = strlen(line);
    for (int full = 0; rank == 0 && full < 20;) {
        ssize_t sent = send(fd, line + begun, length - begun, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0) {
            full++;
            usleep(20000);
            continue;
        }
        begun += (size_t)sent;
        if (begun == length) {
            asked++;
            begun = 0;
        }
    }
    for (size_t i = 0; i < asked; i++)
        if (strcmp(hear_line(), want) != 0) {
            puts("a wrong answer");
            return 1;
        }
    if (begun) expect(line + begun, want);
    if (rank == 0) puts(asked > 100 ? "flood answered" : "too little flood");
    expect("cmd=finalize\n", "cmd=finalize_ack");
    return wrong;
}

static int malformed(char **argument)
{
    static const struct {
        const char *kind, *line;
        size_t bytes;
    } lines[] = {{"empty", "\n", 1},
                 {"nocmd", "kvsname=x key=y\n", 16},
                 {"unknown", "cmd=launch_missiles\n", 20},
                 {"control", "cmd=put\tkey=a\n", 14},
                 {"nul", "cmd=get_maxes\0 x=y\n", 19},
                 {"binary", "\377\376\001\200cmd=get_maxes\n", 18},
                 {"twice", "cmd=init pmi_version=1 pmi_subversion=1\n", 40},
                 {"barrier", "cmd=barrier_in\ncmd=get_maxes\n", 29},
                 {"words", "cmd=put kvsname key\n", 20},
                 {"novalue", "cmd=gather_in\n", 14},
                 {"cut", "cmd=pu", 6}};
    const char *kind = argument[0];
    if (strcmp(kind, "version") == 0) {
        fd = atoi(getenv("PMI_FD"));
        expect("cmd=init pmi_version=2 pmi_subversion=0\n",
               "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=-1");
        return wrong;
    }
    raw_join();
    if (rank != 1) {
        if (strcmp(kind, "barrier") == 0) pause(); /* or it might complete */
        say("cmd=barrier_in\n");
        hear_line();
        return 0;
    }
    if (strcmp(kind, "notjoined") == 0) {
        expect("cmd=finalize\n", "cmd=finalize_ack");
        say("cmd=get_maxes\n");
    }
    for (int i = 0; strcmp(kind, "long") == 0 && i < 1000; i++)
        if (send(fd, "0123456789", 10, MSG_NOSIGNAL) < 0) break;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (strcmp(kind, lines[i].kind) == 0
            && !cm_pmi_line_send(fd, lines[i].line, lines[i].bytes))
            return 1;
    if (strcmp(kind, "cut") == 0) _exit(0);
    for (;;) pause();
}

/* The layer itself: joins, sums the ranks' numbers, leaves; rank 0 says "BACKEND RANKS SUM". */
static void find_comm(const char *key, const char *value, void *context)
{
    if (strcmp(key, "comm") == 0) snprintf(context, 32, "%s", value);
}

static int layer(char **argument)
{
    char name[32] = "?";
    int64_t number, sum;
    (void)argument;
    int status = cm_init(NULL, NULL);
    if (status) return status;
    number = cm_rank(cm_world());
    cm_describe(find_comm, name);
    if (strcmp(name, "dummy") == 0) sum = 0; /* its echo peers take part in no collective */
    else cm_allreduce(cm_world(), &number, &sum, 1, CM_INT64, CM_SUM, CM_AUTO);
    if (number == 0) printf("%s %d %d\n", name, cm_size(cm_world()), (int)sum);
    cm_finalize();
    return 0;
}

/* Rank 1 computes for longer than the time after which a dead rank is noticed. */
static int layer_late(char **argument)
{
    char byte = 0;
    (void)argument;
    int status = cm_init(NULL, NULL);
    if (status) return status;
    const int me = cm_rank(cm_world());
    if (me == 1) usleep((useconds_t)(2.5e6 * atof(getenv("CM_TIMEOUT_S"))));
    if (me == 1) cm_send(cm_world(), &byte, 1, 0, 0);
    if (me == 0) cm_recv(cm_world(), &byte, 1, 1, 0, NULL);
    cm_finalize();
    return 0;
}

/* Rank 1 dies in a job of the layer, in which no rank has a connection. The others wait for it: in
   a receive from it, in one from any rank, in a chain of receives, or at the end. */
static int layer_dies(char **argument)
{
    char byte;
    int status = cm_init(NULL, NULL);
    if (status) return status;
    cm_group *world = cm_world();
    const int me = cm_rank(world), next = (me + 1) % cm_size(world);
    if (me == 1) kill(getpid(), SIGKILL);
    if (strcmp(argument[0], "receive") == 0) cm_recv(world, &byte, 1, 1, 0, NULL);
    else if (strcmp(argument[0], "any") == 0) cm_recv(world, &byte, 1, CM_ANY, 0, NULL);
    else if (strcmp(argument[0], "chain") == 0) cm_recv(world, &byte, 1, next, 0, NULL);
    cm_finalize();
    return 0;
}

static int check(char **argument)
{
    (void)argument;
    return cm_launch_check();
}

static const struct {
    const char *name;
    int (*run)(char **argument);
    int arguments;
    bool joins;
} modes[] = {{"cards", cards, 0, true},
             {"gather", gather, 0, true},
             {"files", files, 0, true},
             {"signals", signals, 2, false},
             {"abort", abort_job, 3, true},
             {"abort-plain", abort_plain, 2, true},
             {"vanish", vanish, 1, true},
             {"early", early, 1, true},
             {"close", close_socket, 1, true},
             {"late", late, 1, false},
             {"peer-death", peer_death, 1, true},
             {"lost", lost, 0, false},
             {"dies", dies, 3, false},
             {"protocol", protocol, 0, false},
             {"bounds", bounds, 0, false},
             {"pieces", pieces, 0, false},
             {"flood", flood, 0, false},
             {"malformed", malformed, 1, false},
             {"check", check, 0, false},
             {"layer", layer, 0, false},
             {"layer-late", layer_late, 0, false},
             {"layer-dies", layer_dies, 1, false}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof modes[0]; i++)
        if (strcmp(argv[1], modes[i].name) == 0 && argc == 2 + modes[i].arguments) {
            if (modes[i].joins) join();
            return modes[i].run(argv + 2);
        }
    fprintf(stderr, "launch/client: no such mode\n");
    return 2;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* dummy_fit.c: measuring and fitting return the costs that were set for the dummy backend; its
   peers answer as src/comm/dummy/dummy.h says; CM_DELAY_NS adds exactly its value. */
#include <stdlib.h>
#include <unistd.h>

#include "comm/comm.h"
#include "measure/fit.h"
#include "measure/samples.h"
#include "tap.h"

enum { TAG = 5, LARGEST = 1 << 20 };

static unsigned char out[LARGEST], in[LARGEST];

static void begin(const char *settings)
{
    setenv("CM_DUMMY", settings, 1);
    if (cm_init(NULL, NULL)) {
        printf("Bail out! CM_DUMMY=%s is refused\n", settings);
        exit(1);
    }
}

/* ---- Measuring ------------------------------------------------------------------------------- */

/* Half the time of a round trip with rank 1. */
static double ping_pong_s(size_t bytes)
{
    double begin_s = cm_time();
    cm_send(cm_world(), out, bytes, 1, TAG);
    cm_recv(cm_world(), in, bytes, 1, TAG, NULL);
    return (cm_time() - begin_s) / 2;
}

/* Medians of n half round trips of each size. */
static void measure(size_t sizes, const double *bytes, size_t n, cm_protocol_row *row)
{
    for (size_t i = 0; i < sizes; i++) {
        cm_samples samples = CM_SAMPLES_EMPTY;
        cm_summary summary;
        for (size_t k = 0; k < n; k++)
            if (!cm_samples_add(&samples, ping_pong_s((size_t)bytes[i]))) exit(3);
        if (!cm_summarize(&samples, &summary)) exit(3);
        row[i] = (cm_protocol_row){bytes[i],     summary.median,  summary.low,
                                   summary.high, summary.counted, CM_ROW_USED};
        cm_samples_free(&samples);
    }
}

static void test_one_protocol(const char *settings, size_t n, const char *what)
{
    enum { SIZES = 17 };
    double bytes[SIZES];
    cm_protocol_row row[SIZES];
    cm_protocols fit = {0};
    for (int i = 0; i < SIZES; i++) bytes[i] = 1 << i;
    begin(settings);
    measure(SIZES, bytes, n, row);
    printf("# %s: CM_DUMMY=%s\n", what, settings);
    ok(cm_fit_protocols(SIZES, row, &fit) && !fit.change, "%s: there is a line", what);
    ok_near(fit.one.latency_s.value, 50e-6, 0.01, "latency is 50 us within 1 %");
    ok_near(fit.one.bandwidth_B_per_s.value, 100e6, 0.01, "bandwidth is 100 MB/s within 1 %");
    cm_finalize();
}

static void test_two_protocols(const char *settings, size_t n, const char *what)
{
    /* 50 us + n / 100 and 150 us + n / 400 meet at n = 100 / (1/100 - 1/400) = 13333 bytes. */
    enum { SIZES = 40 };
    double bytes[SIZES];
    cm_protocol_row row[SIZES];
    cm_protocols fit = {0};
    for (int i = 0; i < SIZES; i++) bytes[i] = 1000.0 * (i + 1);
    begin(settings);
    measure(SIZES, bytes, n, row);
    printf("# %s: CM_DUMMY=%s\n", what, settings);
    ok(cm_fit_protocols(SIZES, row, &fit) && fit.change, "%s: there are two lines", what);
    ok(fit.split_bytes == 17000, "the protocol changes between 16000 and 17000 bytes: %g",
       fit.split_bytes);
    ok_near(fit.eager.latency_s.value, 50e-6, 0.01, "eager latency");
    ok_near(fit.eager.bandwidth_B_per_s.value, 100e6, 0.01, "eager bandwidth");
    ok_near(fit.rendezvous.latency_s.value, 150e-6, 0.01, "rendezvous latency");
    ok_near(fit.rendezvous.bandwidth_B_per_s.value, 400e6, 0.01, "rendezvous bandwidth");
    ok_near(fit.crossover_bytes.value, 40000 / 3.0, 0.02, "the lines cross at 13333 bytes");
    cm_finalize();
}

/* ---- Patterns -------------------------------------------------------------------------------- */

static void fill(size_t bytes, int seed)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (unsigned char)(i * 7 + (i >> 8) + (size_t)seed * 31);
}

static void test_patterns(void)
{
    enum { N = 200 };
    const size_t bytes = 10000;
    cm_status status;
    begin("ranks=4,latency_us=50,bandwidth_MB_per_s=100,eager_bytes=65536");
    cm_group *world = cm_world();

    fill(bytes, 1);
    memset(in, 0, bytes);
    cm_send(world, out, bytes, 2, TAG);
    cm_recv(world, in, LARGEST, 2, CM_ANY, &status);
    ok(status.source == 2 && status.tag == TAG && status.bytes == bytes && !memcmp(in, out, bytes),
       "ping-pong: same data, tag and length");

    double begin_s = cm_time();
    for (int k = 0; k < N; k++) cm_send(world, out, bytes, 1, TAG);
    cm_recv(world, in, 4, 1, TAG, &status);
    double time_s = cm_time() - begin_s;
    ok(status.bytes == 4, "ping: the final answer has the length asked for");
    ok_near(time_s, N * 100e-6 + 100e-6, 0.01, "ping: messages follow each other at the bandwidth");

    int control = 0;
    cm_send(world, out, 12, 1, TAG);
    cm_recv(world, &control, sizeof control, 1, TAG + 1, &status);
    ok(status.tag == TAG + 1 && status.bytes == sizeof control, "an answer with a tag of its own");

    begin_s = cm_time();
    for (int k = 0; k < N; k++) cm_sendrecv(world, out, bytes, 3, TAG, in, bytes, 3, TAG, &status);
    ok_near((cm_time() - begin_s) / N, 150e-6, 0.01, "exchange: both directions at once");
    begin_s = cm_time();
    memset(in, 0, bytes);
    cm_sendrecv(world, out, bytes, 1, TAG, in, bytes, 3, TAG, &status);
    ok(status.source == 3 && status.bytes == bytes && !memcmp(in, out, bytes), "a ring of four");
    ok_near(cm_time() - begin_s, 150e-6, 0.01, "a ring takes the time of one message");

    cm_request *sends[N], *receives[N];
    static int numbers[N], got[N];
    for (int k = 0; k < N; k++) receives[k] = cm_irecv(world, &got[k], sizeof(int), 1, TAG);
    for (int k = 0; k < N; k++) {
        numbers[k] = k * k;
        sends[k] = cm_isend(world, &numbers[k], sizeof(int), 1, TAG);
    }
    cm_waitall(N, sends, NULL);
    cm_waitall(N, receives, NULL);
    ok(!memcmp(numbers, got, sizeof got), "a window of %d comes back in order", (int)N);

    int seen[4] = {0}, right = 0;
    for (int k = 3; k >= 1; k--) cm_send(world, &k, sizeof k, k, 10 + k);
    for (int k = 1; k <= 3; k++) {
        int value = 0;
        cm_recv(world, &value, sizeof value, CM_ANY, CM_ANY, &status);
        right += value == status.source && status.tag == 10 + status.source;
        if (status.source > 0 && status.source < 4) seen[status.source]++;
    }
    ok(right == 3 && seen[1] == 1 && seen[2] == 1 && seen[3] == 1,
       "any source: each peer answers once");

    cm_send(world, out, 777, 2, TAG);
    ok(!cm_iprobe(world, 2, TAG, NULL), "an answer is not there before it can be");
    cm_probe(world, CM_ANY, CM_ANY, &status);
    ok(status.source == 2 && status.tag == TAG && status.bytes == 777,
       "a probe says what will come");
    cm_recv(world, in, status.bytes, status.source, status.tag, &status);
    ok(status.bytes == 777 && !memcmp(in, out, 777), "and the receive brings it");

    cm_request *polled = cm_irecv(world, in, bytes, 3, TAG);
    ok(!cm_test(&polled, NULL), "a posted receive is not complete before the message is sent");
    cm_send(world, out, bytes, 3, TAG);
    int polls = 0;
    while (!cm_test(&polled, &status)) polls++;
    ok(polls > 1000 && status.bytes == bytes, "polling moves the virtual clock: %d polls", polls);
    cm_finalize();
}

static void test_corruption(void)
{
    enum { N = 1000 };
    const size_t bytes = 5000;
    begin("ranks=2,corrupt=0.2,seed=3");
    int damaged = 0, bits = 0;
    for (int k = 0; k < N; k++) {
        fill(bytes, k);
        cm_send(cm_world(), out, bytes, 1, TAG);
        cm_recv(cm_world(), in, bytes, 1, TAG, NULL);
        int wrong = 0;
        for (size_t i = 0; i < bytes; i++) wrong += __builtin_popcount(in[i] ^ out[i]);
        damaged += wrong > 0;
        bits += wrong;
    }
    /* Binomial: 200 +- 12.6; five deviations. */
    ok(damaged > 137 && damaged < 263, "a fifth of the messages is damaged: %d of %d", damaged,
       (int)N);
    ok(bits == damaged, "by one bit each: %d", bits);
    cm_finalize();

    begin("ranks=2");
    fill(bytes, 1);
    int clean = 0;
    for (int k = 0; k < N; k++) {
        memset(in, 0, bytes);
        cm_send(cm_world(), out, bytes, 1, TAG);
        cm_recv(cm_world(), in, bytes, 1, TAG, NULL);
        clean += !memcmp(in, out, bytes);
    }
    ok(clean == N, "without corruption all arrive as they were sent");
    cm_finalize();
}

static void test_loss(void)
{
    enum { N = 2000 };
    begin("ranks=2,loss=0.05,retransmit_us=200000,seed=9");
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_summary summary;
    int late = 0;
    for (int k = 0; k < N; k++) {
        double time_s = ping_pong_s(100);
        late += time_s > 0.05;
        if (!cm_samples_add(&samples, time_s)) exit(3);
    }
    if (!cm_summarize(&samples, &summary)) exit(3);
    /* Each way may be lost: 1 - 0.95^2 = 0.0975 of 2000 are 195 +- 13.3. */
    ok(late > 128 && late < 262, "lost messages come late: %d of %d", late, (int)N);
    ok_near(summary.median, 51e-6, 0.01, "the median does not see them");
    ok(summary.p99 > 0.09, "the 99th percentile does: %g s", summary.p99);
    cm_samples_free(&samples);
    cm_finalize();
}

/* ---- Clock, groups, collectives, settings ---------------------------------------------------- */

static double noisy_run_s(const char *settings)
{
    begin(settings);
    double sum_s = 0;
    for (int k = 0; k < 100; k++) sum_s += ping_pong_s(1000);
    cm_finalize();
    return sum_s;
}

static void test_clock(void)
{
    begin("ranks=2,call_us=0.5");
    double first_s = cm_time(), second_s = cm_time();
    ok_near(second_s - first_s, 0.5e-6, 1e-6, "a call takes call_us");
    ok_near(cm_time_resolution(), 0.5e-6, 1e-6, "which is the clock's resolution");
    cm_finalize();
    double a_s = noisy_run_s("ranks=2,jitter=0.1,seed=4"),
           b_s = noisy_run_s("ranks=2,jitter=0.1,seed=4"),
           c_s = noisy_run_s("ranks=2,jitter=0.1,seed=5");
    ok(a_s == b_s, "equal seeds give equal times");
    ok(a_s != c_s, "other seeds others");
}

static void test_collectives(void)
{
    begin("ranks=4,latency_us=50,bandwidth_MB_per_s=100,eager_bytes=65536");
    cm_group *world = cm_world();
    double mine = 2.5, all = 0;
    int decision = 17, gathered[4] = {0};

    double begin_s = cm_time();
    cm_barrier(world, CM_AUTO);
    ok_near(cm_time() - begin_s, 100e-6, 0.01, "a barrier of four takes two latencies");
    cm_bcast(world, &decision, sizeof decision, 0, CM_AUTO);
    ok(decision == 17, "a broadcast from rank 0 leaves its data");
    cm_allreduce(world, &mine, &all, 1, CM_DOUBLE, CM_SUM, CM_AUTO);
    ok(all == 10, "a sum is four times rank 0's value: %g", all);
    cm_allreduce(world, &mine, &all, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    ok(all == 2.5, "a maximum is rank 0's value: %g", all);
    cm_request *request = cm_iallreduce(world, &mine, &all, 1, CM_DOUBLE, CM_PROD, CM_AUTO);
    ok(!cm_test(&request, NULL), "a collective takes its time");
    cm_wait(&request, NULL);
    ok(all == 2.5 * 2.5 * 2.5 * 2.5, "and then has its result: %g", all);
    cm_gather(world, &decision, sizeof decision, gathered, 0, CM_AUTO);
    ok(gathered[0] == 17 && gathered[3] == 17, "gathered blocks are rank 0's");

    cm_group *group = cm_split(world, 3, 0);
    ok(group && cm_size(group) == 4 && cm_rank(group) == 0, "a split has all ranks");
    ok(cm_split(world, -1, 0) == NULL, "but for a negative color");
    cm_group_free(group);
    group = cm_split_host(world);
    ok(group && cm_size(group) == 1 && cm_rank(group) == 0, "a split by hosts has rank 0 alone");
    cm_group_free(group);
    const size_t counts[4] = {1, 1, 1, 1};
    const double four[4] = {2.5, 1, 1, 1};
    cm_reduce_scatter(world, four, &all, counts, CM_DOUBLE, CM_SUM, CM_AUTO);
    ok(all == 10, "a reduce_scatter leaves four times rank 0's block: %g", all);
    ok(strcmp(cm_host(world, 1), cm_host(world, 2)) && strcmp(cm_host(world, 0), cm_host(world, 1)),
       "every rank has a host of its own");

    /* Over messages: they end, and cost what messages cost. */
    cm_algorithm algorithms[2] = {CM_LINEAR, CM_BINOMIAL};
    for (int i = 0; i < 2; i++) {
        begin_s = cm_time();
        cm_barrier(world, algorithms[i]);
        cm_bcast(world, &decision, sizeof decision, 0, algorithms[i]);
        cm_allreduce(world, &mine, &all, 1, CM_DOUBLE, CM_SUM, algorithms[i]);
        double time_s = cm_time() - begin_s;
        ok(time_s > 100e-6 && time_s < 1e-3, "barrier, bcast, allreduce by %s: %g s",
           cm_algorithm_name(algorithms[i]), time_s);
        ok(decision == 17, "the broadcast left its data");
    }
    cm_finalize();
}

static void test_settings(void)
{
    static const char *const bad[] = {"ranks",
                                      "ranks=",
                                      "ranks=0",
                                      "ranks=1.5",
                                      "ranks=2,",
                                      ",ranks=2",
                                      "rank=2",
                                      "ranks=2 ",
                                      "ranks= 2",
                                      "ranks=2,ranks=2",
                                      "latency_us=-1",
                                      "latency_us=nan",
                                      "latency_us=1e",
                                      "latency_us=50us",
                                      "bandwidth_MB_per_s=0",
                                      "jitter=1",
                                      "loss=1",
                                      "corrupt=1.01",
                                      "eager_bytes=1e99",
                                      "seed=-1",
                                      "ranks=2;seed=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("CM_DUMMY", bad[i], 1);
        /* The line goes to a file, where it is counted. */
        fflush(stderr);
        FILE *file = tmpfile();
        int was = dup(STDERR_FILENO);
        if (!file || was < 0 || dup2(fileno(file), STDERR_FILENO) < 0) exit(3);
        int status = cm_init(NULL, NULL);
        fflush(stderr);
        dup2(was, STDERR_FILENO);
        close(was);
        rewind(file);
        int lines = 0, names = 0;
        char line[1000];
        while (fgets(line, sizeof line, file)) lines++, names += strstr(line, "CM_DUMMY") != NULL;
        fclose(file);
        ok(status == CM_EXIT_USAGE && lines == 1 && names == 1,
           "CM_DUMMY='%s' is refused in one line", bad[i]);
    }
    begin("");
    ok(cm_size(cm_world()) == 1, "without settings there is one rank");
    cm_finalize();
}

/* ---- CM_DELAY_NS ----------------------------------------------------------------------------- */

enum { TIMES = 10, DELAY_RANKS = 4 };

static void turns(void)
{
    for (int k = 0; k < TIMES; k++) ping_pong_s(100);
}

static void window(void)
{
    cm_request *sends[TIMES];
    for (int k = 0; k < TIMES; k++) sends[k] = cm_isend(cm_world(), NULL, 0, 2, TAG);
    cm_waitall(TIMES, sends, NULL);
    for (int k = 0; k < TIMES; k++) cm_recv(cm_world(), NULL, 0, 2, TAG, NULL);
}

static void exchanges(void)
{
    for (int k = 0; k < TIMES; k++)
        cm_sendrecv(cm_world(), out, 100, 1, TAG, in, 100, 3, TAG, NULL);
}

static void to_itself(void)
{
    for (int k = 0; k < TIMES; k++) {
        cm_send(cm_world(), out, 100, 0, TAG);
        cm_recv(cm_world(), in, 100, 0, TAG, NULL);
    }
}

static void unasked(void)
{
    for (int k = 0; k < TIMES; k++) cm_recv(cm_world(), in, 100, 1, TAG, NULL);
}

static void linear_bcast(void) { cm_bcast(cm_world(), out, 100, 0, CM_LINEAR); }
static void linear_gather(void) { cm_gather(cm_world(), out, 100, in, 0, CM_LINEAR); }
static void own_barrier(void) { cm_barrier(cm_world(), CM_NATIVE); }

static void find_delay(const char *key, const char *value, void *text)
{
    if (strcmp(key, "delay_ns") == 0) strcpy(text, value);
}

/* Returns the pattern's time with this delay; described: the backend's description of the delay. */
static double with_delay_s(const char *delay_ns, void (*pattern)(void), char *described)
{
    setenv("CM_DELAY_NS", delay_ns, 1);
    begin("ranks=4,latency_us=50,bandwidth_MB_per_s=100,eager_bytes=65536");
    strcpy(described, "nothing");
    cm_describe(find_delay, described);
    double begin_s = cm_time();
    pattern();
    double time_s = cm_time() - begin_s;
    cm_finalize();
    unsetenv("CM_DELAY_NS");
    return time_s;
}

static void test_delay(void)
{
    static const struct {
        const char *name;
        void (*pattern)(void);
        int delays; /* one after the other */
        int hidden; /* calls of call_us each whose time passes within a peer's delays */
    } patterns[] = {
        {"turns: each way", turns, 2 * TIMES, 0},
        {"a window: all sends, then all answers", window, 2 * TIMES, 2 * (TIMES - 1)},
        {"exchanges: both ways at once", exchanges, TIMES, 0},
        {"messages to itself", to_itself, TIMES, 0},
        {"messages that peers send unasked", unasked, TIMES, 0},
        {"a broadcast of messages: the root's sends", linear_bcast, DELAY_RANKS - 1, 0},
        {"a gather of messages: each peer's one", linear_gather, 1, 0},
        {"the backend's own collective: none", own_barrier, 0, 0},
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        char without[32], with[32];
        double before_s = with_delay_s("0", patterns[i].pattern, without);
        double after_s = with_delay_s("12345", patterns[i].pattern, with);
        double added_s = after_s - before_s;
        double want_s = patterns[i].delays * 12345e-9 - patterns[i].hidden * 0.01e-6;
        /* The times are below 0.01 s: their rounding is below 1e-17 s a step. */
        ok(added_s > want_s - 1e-15 && added_s < want_s + 1e-15,
           "CM_DELAY_NS, %s: %.9g s of %.9g s", patterns[i].name, added_s, want_s);
        if (i == 0)
            ok(!strcmp(without, "nothing") && !strcmp(with, "12345"),
               "the backend says so: delay_ns is '%s'", with);
    }
}

int main(void)
{
    unsetenv("CM_EAGER_BYTES");
#define ONE "ranks=2,latency_us=50,bandwidth_MB_per_s=100,eager_bytes=65536"
    test_one_protocol(ONE, 11, "exact");
    test_one_protocol(ONE ",jitter=0.05", 400, "with jitter");
#define TWO                                                           \
    "ranks=2,latency_us=50,bandwidth_MB_per_s=100,eager_bytes=16384," \
    "rendezvous_latency_us=150,rendezvous_bandwidth_MB_per_s=400"
    test_two_protocols(TWO, 5, "two protocols");
    test_two_protocols(TWO ",jitter=0.05", 400, "two protocols with jitter");
    test_patterns();
    test_corruption();
    test_loss();
    test_clock();
    test_collectives();
    test_settings();
    test_delay();
    return tap_done();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* delay.c: CM_DELAY_NS: every message is delayed at its sender, and arrives unchanged. Lower bounds
   of times only; what the dummy backend adds is exact (unit/dummy_fit). */
#include "contract.h"

#define DELAY_NS "200000"
static const double DELAY_S = 200e-6;
enum { TAG = 5, N = 10, BYTES = 300, LONG_BYTES = 300000 };

static char out[LONG_BYTES], in[LONG_BYTES];

static void find_delay(const char *key, const char *value, void *found)
{
    if (!strcmp(key, "delay_ns")) *(bool *)found = !strcmp(value, DELAY_NS);
}

/* Checks that since begin_s messages were delayed one after the other. */
static void expect_delays(int messages, double begin_s)
{
    double time_s = cm_time() - begin_s;
    /* Both are sums of readings of a clock in double precision. */
    EXPECT(time_s >= messages * DELAY_S - 1e-9, "%g s for %d messages", time_s, messages);
}

static void expect_data(const cm_status *status, size_t bytes, unsigned seed)
{
    EXPECT(status->bytes == bytes && wrong_at(in, bytes, seed) == bytes, "%zu bytes of %zu",
           status->bytes, bytes);
}

/* Each turn is two messages; the second one begins when the first has arrived. */
static void test_turns(size_t bytes)
{
    cm_status status;
    point("turns of %zu bytes", bytes);
    meet();
    double begin_s = cm_time();
    for (unsigned k = 0; k < N; k++) {
        if (rank == 0) {
            fill(out, bytes, k);
            cm_send(world, out, bytes, 1, TAG);
            cm_recv(world, in, sizeof in, 1, TAG, &status);
            expect_data(&status, bytes, k + 1);
        } else if (rank == 1) {
            cm_recv(world, in, sizeof in, 0, TAG, &status);
            expect_data(&status, bytes, k);
            fill(out, bytes, k + 1);
            cm_send(world, out, bytes, 0, TAG);
        }
    }
    if (rank == 0) expect_delays(2 * N, begin_s);
}

/* The delay is over when cm_isend returns. */
static void test_window(bool coalesce)
{
    cm_request *sends[N];
    cm_status status;
    point("cm_isend%s", coalesce ? " with cm_coalesce" : "");
    meet();
    cm_coalesce(coalesce);
    for (unsigned k = 0; k < N; k++) fill(out + k * BYTES, BYTES, (unsigned)rank + k);
    double begin_s = cm_time();
    for (int k = 0; k < N; k++)
        sends[k] = cm_isend(world, out + k * BYTES, BYTES, right_of(rank), TAG);
    expect_delays(N, begin_s);
    for (unsigned k = 0; k < N; k++) {
        cm_recv(world, in, sizeof in, left_of(rank), TAG, &status);
        expect_data(&status, BYTES, (unsigned)left_of(rank) + k);
    }
    cm_waitall(N, sends, NULL);
    cm_coalesce(false);
}

static void test_exchange(void)
{
    cm_status status;
    point("cm_sendrecv");
    meet();
    double begin_s = cm_time();
    for (unsigned k = 0; k < N; k++) {
        fill(out, BYTES, (unsigned)rank + k);
        cm_sendrecv(world, out, BYTES, right_of(rank), TAG, in, sizeof in, left_of(rank), TAG,
                    &status);
        expect_data(&status, BYTES, (unsigned)left_of(rank) + k);
    }
    expect_delays(N, begin_s);
}

static void test_self(void)
{
    cm_status status;
    point("a message to oneself");
    double begin_s = cm_time();
    for (unsigned k = 0; k < N; k++) {
        fill(out, BYTES, k);
        cm_send(world, out, BYTES, rank, TAG);
        cm_recv(world, in, sizeof in, rank, TAG, &status);
        expect_data(&status, BYTES, k);
    }
    expect_delays(N, begin_s);
}

static void test_collectives(void)
{
    point("a collective operation of messages, blocking");
    meet();
    fill(in, BYTES, rank == 0 ? 7 : 8);
    double begin_s = cm_time();
    cm_bcast(world, in, BYTES, 0, CM_LINEAR);
    if (rank == 0) expect_delays(size - 1, begin_s);
    EXPECT(wrong_at(in, BYTES, 7) == BYTES);

    point("and not blocking");
    meet();
    fill(in, BYTES, rank == 0 ? 9 : 8);
    begin_s = cm_time();
    cm_request *request = cm_ibcast(world, in, BYTES, 0, CM_LINEAR);
    cm_wait(&request, NULL);
    if (rank == 0) expect_delays(size - 1, begin_s);
    EXPECT(wrong_at(in, BYTES, 9) == BYTES);
}

int main(int argc, char **argv)
{
    setenv("CM_DELAY_NS", DELAY_NS, 1);
    contract_start(&argc, &argv);
    bool told = false;
    point("cm_describe says delay_ns");
    cm_describe(find_delay, &told);
    EXPECT(told);
    if (size > 1) {
        test_turns(BYTES);
        test_turns(LONG_BYTES);
    }
    test_window(false);
    test_window(true);
    test_exchange();
    test_self();
    if (size > 1) test_collectives();
    return contract_done();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* stream_span.c: the time of a pass of cm-stream, of made-up times of its ranks. */
#include "../stream/stream.h"
#include "tap.h"

enum { RANKS = 5 };

static bool is(double got_s, double expected_s)
{
    const bool same = got_s > expected_s - 1e-9 && got_s < expected_s + 1e-9;
    if (!same) printf("# %.9f s instead of %.9f s\n", got_s, expected_s);
    return same;
}

int main(void)
{
    static const int one_host[RANKS] = {0}, two_hosts[RANKS] = {0, 0, 1, 1, 1};
    const stream_lap alone = {7000, 0.003};
    ok(is(stream_span_s(&alone, one_host, 1, 0), 0.003), "one rank: its time");

    const stream_lap at_once[RANKS] = {
        {100, 0.010}, {100.0002, 0.009}, {100.0009, 0.010}, {100.0001, 0.008}, {100.0003, 0.0095}};
    ok(is(stream_span_s(at_once, one_host, RANKS, 0), 0.010),
       "all at once: that of the slowest, without what a barrier takes to let all go");

    /* Two at a time on two cores, each 1 ms: 3 ms, and no rate of five ranks in 1 ms. */
    const stream_lap in_turns[RANKS] = {
        {50, 0.001}, {50, 0.001}, {50.001, 0.001}, {50.001, 0.001}, {50.002, 0.001}};
    ok(is(stream_span_s(in_turns, one_host, RANKS, 0), 0.003), "in turns: from first to last");
    const stream_lap backwards[RANKS] = {
        {50.002, 0.001}, {50.001, 0.001}, {50.001, 0.001}, {50, 0.001}, {50, 0.001}};
    ok(is(stream_span_s(backwards, one_host, RANKS, 0), 0.003), "in whatever order");

    const stream_lap inside[RANKS] = {
        {50, 0.020}, {50.001, 0.001}, {50.018, 0.001}, {50.002, 0.001}, {50.003, 0.001}};
    ok(is(stream_span_s(inside, one_host, RANKS, 0), 0.020), "within the time of the slowest");

    /* Clocks of two hosts have nothing to do with each other. */
    const stream_lap apart[RANKS] = {
        {50, 0.004}, {50.0001, 0.005}, {9000, 0.001}, {9000.002, 0.001}, {9000.001, 0.001}};
    ok(is(stream_span_s(apart, two_hosts, RANKS, 0), 0.005), "the first of two hosts");
    ok(is(stream_span_s(apart, two_hosts, RANKS, 1), 0.003), "the second");
    return tap_done();
}

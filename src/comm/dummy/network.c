/* SPDX-License-Identifier: BSD-3-Clause */
/* network.c: the dummy's clock, random numbers and links; dummy.h has the model. */
#include "dummy.h"
#include "random/random.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
    double free_s, arrived_s; /* next start, last arrival */
    double left_s;            /* from a peer, with CM_DELAY_NS: when its last message left */
} channel;

static struct {
    double virtual_s, begin_s;
    uint64_t random;
    channel *link[2];
    double nic_free_s[2];
} net;

static double real_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool cm_dummy_network_open(const cm_dummy_settings *settings)
{
    size_t ranks = (size_t)settings->ranks;
    net.virtual_s = 0;
    net.begin_s = real_s();
    net.random = (uint64_t)settings->seed;
    net.nic_free_s[CM_DUMMY_OUT] = net.nic_free_s[CM_DUMMY_IN] = 0;
    net.link[CM_DUMMY_OUT] = calloc(ranks, sizeof(channel));
    net.link[CM_DUMMY_IN] = calloc(ranks, sizeof(channel));
    return net.link[CM_DUMMY_OUT] && net.link[CM_DUMMY_IN];
}

void cm_dummy_network_close(void)
{
    free(net.link[CM_DUMMY_OUT]);
    free(net.link[CM_DUMMY_IN]);
    net.link[CM_DUMMY_OUT] = net.link[CM_DUMMY_IN] = NULL;
}

double cm_dummy_now_s(void)
{
    return net.virtual_s + (cm_dummy->compute ? real_s() - net.begin_s : 0);
}

void cm_dummy_advance_to(double time_s)
{
    double wait_s = time_s - cm_dummy_now_s();
    if (wait_s > 0) net.virtual_s += wait_s;
}

void cm_dummy_tick(void)
{
    if (!cm_dummy->compute) net.virtual_s += 1e-6 * cm_dummy->call_us;
}

void cm_dummy_delay(void) { net.virtual_s += cm_dummy->delay_s; }

double cm_dummy_peer_leaves_s(int peer, double start_s)
{
    channel *link = &net.link[CM_DUMMY_IN][peer];
    if (!cm_dummy->delay_s) return start_s;
    link->left_s = fmax(start_s, link->left_s) + cm_dummy->delay_s;
    return link->left_s;
}

uint64_t cm_dummy_random(void) { return cm_random_next(&net.random); }

static double uniform(void) { return (double)(cm_dummy_random() >> 11) * 0x1p-53; }

bool cm_dummy_chance(double probability) { return probability > 0 && uniform() < probability; }

static bool eager(size_t bytes) { return (double)bytes <= cm_dummy->eager_bytes; }

double cm_dummy_latency_s(size_t bytes)
{
    return 1e-6 * (eager(bytes) ? cm_dummy->latency_us : cm_dummy->rendezvous_latency_us);
}

double cm_dummy_transfer_s(size_t bytes)
{
    return 1e-6 * (double)bytes
           / (eager(bytes) ? cm_dummy->bandwidth_MB_per_s
                           : cm_dummy->rendezvous_bandwidth_MB_per_s);
}

cm_dummy_journey cm_dummy_travel(cm_dummy_direction direction, int peer, size_t bytes,
                                 double start_s)
{
    channel *link = &net.link[direction][peer];
    double *nic_free_s = &net.nic_free_s[direction];
    double factor = cm_dummy->jitter ? 1 + cm_dummy->jitter * (2 * uniform() - 1) : 1;
    double latency_s = factor * cm_dummy_latency_s(bytes);
    double transfer_s = factor * cm_dummy_transfer_s(bytes);
    double wire_s = fmin(latency_s, 1e-6 * factor * cm_dummy->latency_us);

    double begin_s = fmax(start_s, fmax(link->free_s, *nic_free_s));
    double data_s = begin_s + latency_s - wire_s; /* after the handshake, if there is one */
    double backlog_s = 1e-6 * cm_dummy->buffer_bytes / cm_dummy->bandwidth_MB_per_s;
    link->free_s = data_s + transfer_s;
    *nic_free_s = data_s + 1e-6 * (double)bytes / cm_dummy->nic_MB_per_s;

    double arrived_s = begin_s + latency_s + transfer_s;
    while (cm_dummy_chance(cm_dummy->loss)) arrived_s += 1e-6 * cm_dummy->retransmit_us;
    link->arrived_s = fmax(link->arrived_s, arrived_s);
    return (cm_dummy_journey){.sent_s = eager(bytes) ? fmax(start_s, link->free_s - backlog_s)
                                                     : link->free_s,
                              .arrived_s = link->arrived_s};
}

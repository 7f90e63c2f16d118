/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_rounds.c: the end of a superstep in log2(p) rounds, in which a process sends its records only
   to the processes that have some coming.

   In round k a process sends to the process 2^k after it (D. Hensgen, R. Finkel, U. Manber: Two
   algorithms for barrier synchronization. International Journal of Parallel Programming 17 (1988)
   1-17). After the rounds it knows, directly or not, that all others are in this superstep. A
   receiver must also know how many messages to wait for. So the rounds add up, for each process,
   the number of its senders: coming[d] is the part of that number known here for the process at
   distance d, and in round k the counts of all distances with bit k move on by 2^k (like the blocks
   in J. Bruck et al.: Efficient algorithms for all-to-all communications in multiport
   message-passing systems. IEEE Transactions on Parallel and Distributed Systems 8 (1997)
   1143-1156; but counts for one process are added, so all rounds together move p - 1 of them).
   Distance 0 is this process. */
#include "bsp/bsp_internal.h"

static bsp_header *header_of(const bsp_stream *stream)
{
    return (bsp_header *)(void *)stream->buffer.data;
}

static bool has_something(const bsp_stream *out)
{
    return out->buffer.used > sizeof(bsp_header) || out->announced;
}

/* Returns how many counts a round moves, and stores them in `moved` if that is not NULL. */
static int counts_of(int step, const uint32_t *coming, uint32_t *moved)
{
    int n = 0;
    for (int d = step; d < cm_bsp.p; d += 2 * step) moved[n++] = coming[d];
    return n;
}

static bool all_zero(const uint32_t *counts, int n)
{
    for (int k = 0; k < n; k++)
        if (counts[k]) return false;
    return true;
}

/* Counts that are all 0 are not sent. */
static void round_of(int step, const bsp_said *mine, uint32_t *coming)
{
    const int p = cm_bsp.p, tag = bsp_tag_of(BSP_TAG_ROUND);
    const int to = (cm_bsp.pid + step) % p, from = (cm_bsp.pid + p - step) % p;
    bsp_round *out = cm_bsp.round, *in = (bsp_round *)(void *)((char *)out + bsp_round_bytes(p));
    cm_status status;
    out->said = *mine;
    const int n = counts_of(step, coming, out->coming);
    const bool brief = all_zero(out->coming, n);
    const size_t bytes = sizeof out->said + (brief ? 0 : (size_t)n * sizeof *coming);
    cm_request *receive = cm_irecv(cm_bsp.group, in, bsp_round_bytes(p), from, tag);
    cm_request *send = cm_isend(cm_bsp.group, out, bytes, to, tag);
    cm_bsp_now_wait(receive, &status);
    cm_wait(&send, NULL);
    cm_bsp_check_agreement(from, mine, &in->said);
    if (status.bytes == sizeof in->said) return;
    for (int d = step, k = 0; d < p; d += 2 * step) coming[d - step] += in->coming[k++];
}

/* The sender is not known in advance, so the buffer that received the message is swapped with the
   sender's. */
static void receive_first(bsp_stream *in)
{
    bsp_buffer *spare = &cm_bsp.spare, taken;
    cm_status status;
    cm_bsp_grow(spare, BSP_FIRST_BYTES);
    cm_recv(cm_bsp.group, spare->data, BSP_FIRST_BYTES, CM_ANY, bsp_tag_of(BSP_TAG_HEADER),
            &status);
    taken = in[status.source].buffer;
    in[status.source].buffer = *spare;
    *spare = taken;
    spare->used = 0;
}

void cm_bsp_rounds(const bsp_said *mine, bsp_stream *in)
{
    const int p = cm_bsp.p, pid = cm_bsp.pid, tag = bsp_tag_of(BSP_TAG_HEADER);
    uint32_t *coming = cm_bsp.coming;
    for (int d = 1; d < p; d++) {
        const int peer = (pid + d) % p;
        const bsp_stream *out = &cm_bsp.out[peer];
        coming[d] = has_something(out);
        *header_of(&in[peer]) = (bsp_header){0};
        if (!coming[d]) continue;
        const size_t first =
            out->buffer.used < BSP_FIRST_BYTES ? out->buffer.used : BSP_FIRST_BYTES;
        cm_bsp_requests_add(&cm_bsp.sends,
                            cm_isend(cm_bsp.group, out->buffer.data, first, peer, tag));
    }
    coming[0] = 0;
    for (int step = 1; step < p; step *= 2) round_of(step, mine, coming);
    for (uint32_t k = 0; k < coming[0]; k++) receive_first(in);
}

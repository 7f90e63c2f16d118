/* SPDX-License-Identifier: BSD-3-Clause */
/* receive.c: turns a lane's bytes into messages. Headers and short payloads pass through the lane's
   stage. The rest of a longer payload is read directly into its destination: the receive's buffer
   or, if no receive is posted, memory of its own. */
#include "config.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "comm/engine/companion.h"
#include "comm/engine/credit.h"
#include "comm/engine/share.h"
#include "comm/engine/transport.h"

/* A payload of more than COPY_BYTES is read alone, and so is the header after it, with its probable
   padding. The next message is probably as long; its payload then need not be copied. */
enum { COPY_BYTES = 16384, HEADER_ALONE_BYTES = 128 };
static const size_t READ_LIMIT = (size_t)1 << 30; /* largest length of one read */
enum { READS_A_LOOK = 8 }; /* most reads of one lane between looks at the others */

static void set_status(cm_request *receive, int source, int tag, size_t bytes)
{
    if (bytes > receive->bytes)
        cm_engine_fail(
            -1, "a receive of at most %zu bytes got a message of %zu bytes (source %d, tag %d)",
            receive->bytes, bytes, source, tag);
    receive->status = (cm_status){source, tag, bytes, .failed = -1};
}

/* Answers a sender that waits with the rest of a message for this receive. coming is true while the
   bytes sent ahead are still being read. */
static void clear_to_send(cm_request *receive, int peer, uint64_t sender_handle, size_t ahead,
                          bool striped, bool coming)
{
    receive->peer = peer;
    receive->ahead = ahead;
    receive->here = 0;
    if (striped) cm_rail_expect(receive, coming);
    else cm_share_ask(receive);
    receive->handle = cm_handle_take(receive);
    cm_wire_header header = {
        .kind = CM_WIRE_CLEAR_TO_SEND, .bytes = receive->handle, .handle = sender_handle};
    /* Uses the last rail: on rail 0 the answer would wait behind data that this rank itself sends
       ahead, while the other rails of both ranks are idle. */
    cm_send_header(peer, striped ? engine.rails - 1 : 0, &header);
}

void cm_receive_ask(cm_request *receive, int peer, uint64_t sender_handle)
{
    clear_to_send(receive, peer, sender_handle, 0, false, false);
}

void cm_receive_take(cm_request *receive, cm_message *message)
{
    receive->matched = true;
    set_status(receive, message->source, message->tag, message->bytes);
    if (message->send) {
        if (message->bytes) memmove(receive->data, message->send->data, message->bytes);
        message->send->complete = receive->complete = true;
        free(message);
        return;
    }
    cm_lane *lane = message->lane;
    size_t arrived = message->ahead - (lane ? lane->missing : 0);
    if (arrived) memcpy(receive->data, message->data, arrived);
    if (lane) { /* the rest of the payload is read directly into the receive's buffer */
        lane->target = receive->data + arrived;
        lane->message = NULL;
        lane->request = receive;
    }
    /* Of what was not sent ahead neither way has begun. */
    if (message->handle && !message->ahead) cm_copy_begin(receive, message->peer);
    const bool taken = message->place.lane
                       && cm_share_take(receive, message->peer, message->handle, &message->place);
    if (message->handle && !taken)
        clear_to_send(receive, message->peer, message->handle, message->ahead, message->striped,
                      lane);
    else if (!lane && !taken) receive->complete = true;
    if (message->data && message->peer != engine.rank)
        cm_credit_return(message->peer, message->ahead);
    free(message->data);
    free(message);
}

void cm_receive_start(cm_request *receive)
{
    cm_message *message =
        cm_match_take(receive->context, receive->source, receive->tag, receive->peer);
    if (message) {
        receive->order = ++engine.posted;
        cm_receive_take(receive, message);
    } else {
        cm_match_post(receive);
        if (__builtin_expect(engine.goes_on, 0)) cm_failure_check(receive);
    }
}

static void payload_complete(cm_lane *lane)
{
    cm_request *receive = lane->request;
    if (__builtin_expect(receive && receive->written == CM_WRITTEN_PARTLY, 0)) {
        cm_share_arrived(receive);
    } else if (receive && (lane->last || (receive->striped && cm_rail_arrived(receive)))) {
        receive->complete = true;
        if (__builtin_expect(receive->began_s > 0, 0)) cm_copy_end(receive, CM_COPY_RING);
    }
    if (lane->message) lane->message->lane = NULL;
    lane->request = NULL;
    lane->message = NULL;
}

/* Directs the next payload on this lane to target. last is true if it completes its message. */
static void expect_payload(cm_lane *lane, char *target, size_t bytes, bool last)
{
    size_t staged = lane->end - lane->begin < bytes ? lane->end - lane->begin : bytes;
    if (staged) memcpy(target, lane->stage + lane->begin, staged);
    lane->begin += staged;
    lane->target = target + staged;
    lane->missing = bytes - staged;
    lane->last_bytes = bytes;
    lane->last = last;
    if (!lane->missing) payload_complete(lane);
}

static _Noreturn void nonsense(const cm_lane *lane, const cm_wire_header *header)
{
    cm_engine_fail(lane->peer, "sent an invalid header (kind %u, source %d, tag %d, %llu bytes)",
                   header->kind, header->source, header->tag, (unsigned long long)header->bytes);
}

/* Handles EAGER and READY_...: gives the message to its posted receive, or keeps it. */
static void take_announcement(cm_lane *lane, const cm_wire_header *header)
{
    bool eager = header->kind == CM_WIRE_EAGER;
    size_t ahead = eager ? header->bytes : (size_t)header->ahead_units * CM_AHEAD_UNIT;
    bool payload = eager || ahead > 0, striped = header->kind == CM_WIRE_READY_STRIPED;
    const cm_place place = lane->place;
    lane->place.lane = NULL;
    if (striped && !cm_rail_possible(header->bytes, ahead)) nonsense(lane, header);
    if (ahead > header->bytes || (!eager && !header->handle)) nonsense(lane, header);
    if (place.lane && (payload || striped)) nonsense(lane, header);
    cm_share_examine(&place, header->bytes);
    if (!payload && !place.lane) cm_credit_ask(lane->peer, header->bytes);
    cm_request *receive = cm_match_posted(header->context, header->source, header->tag, lane->peer);
    if (receive) {
        set_status(receive, header->source, header->tag, header->bytes);
        cm_copy_begin(receive, lane->peer);
        if (place.lane && cm_share_take(receive, lane->peer, header->handle, &place)) return;
        if (!eager) clear_to_send(receive, lane->peer, header->handle, ahead, striped, payload);
        if (payload) {
            cm_credit_use(lane->peer, ahead, false);
            lane->request = receive;
            expect_payload(lane, receive->data, ahead, eager);
        }
        return;
    }
    if (payload) cm_credit_use(lane->peer, ahead, true);
    cm_message *message = cm_engine_allocate(sizeof *message, "an unexpected message");
    *message = (cm_message){.context = header->context,
                            .source = header->source,
                            .tag = header->tag,
                            .peer = lane->peer,
                            .bytes = header->bytes,
                            .ahead = ahead,
                            .handle = eager ? 0 : header->handle,
                            .striped = striped,
                            .place = place};
    cm_match_keep(message);
    if (payload) {
        message->data = cm_engine_allocate(ahead, "an unexpected message");
        message->lane = lane;
        lane->message = message;
        expect_payload(lane, message->data, ahead, eager);
    }
}

/* Handles CLEAR_TO_SEND, DATA, STRIPE, TAKEN and WRITTEN: finds the request by its handle. */
static void take_answer(cm_lane *lane, const cm_wire_header *header)
{
    cm_request *request = cm_handle_find(header->handle);
    if (!request || request->peer != lane->peer || (lane->rail && !request->striped))
        nonsense(lane, header);
    if (header->kind == CM_WIRE_CLEAR_TO_SEND && request->kind == CM_REQUEST_RENDEZVOUS) {
        const cm_place place = lane->place;
        lane->place.lane = NULL;
        if (!cm_share_answer(request, header->bytes, &place)) nonsense(lane, header);
    } else if (header->kind == CM_WIRE_TAKEN || header->kind == CM_WIRE_WRITTEN) {
        const bool right = header->kind == CM_WIRE_TAKEN ? cm_share_taken(request, header)
                                                         : cm_share_written(request, header);
        if (!right) nonsense(lane, header);
    } else if (header->kind == CM_WIRE_STRIPE && request->kind == CM_REQUEST_RECEIVE
               && (cm_rail_take(request, lane->rail, header) || cm_share_expect(request, header))) {
        lane->request = request;
        expect_payload(lane, request->data + header->offset, header->bytes, false);
    } else if (header->kind == CM_WIRE_DATA && request->kind == CM_REQUEST_RECEIVE
               && !request->striped && request->written != CM_WRITTEN_PARTLY
               && header->bytes == request->status.bytes - request->ahead) {
        cm_handle_give(request->handle);
        request->handle = 0;
        request->written = CM_WRITTEN_NOT;
        lane->request = request;
        expect_payload(lane, request->data + request->ahead, header->bytes, true);
    } else {
        nonsense(lane, header);
    }
}

static cm_place place_of(cm_lane *lane, const cm_wire_header *header)
{
    return (cm_place){.lane = lane,
                      .number = header->context,
                      .tag = (uint32_t)header->bytes,
                      .word = header->ahead_units,
                      .offset = header->offset};
}

static void take_header(cm_lane *lane, const cm_wire_header *header)
{
    /* A rank that has made a connection must write only on that one. On two connections the end of
       a message could overtake its beginning, which would then be read into a buffer that the
       program owns again. */
    if (lane != engine.peer[lane->peer].rail[lane->rail].rx)
        cm_engine_fail(lane->peer, "sends on two connections");
    if (lane->place.lane && header->kind != CM_WIRE_READY_TO_SEND
        && header->kind != CM_WIRE_CLEAR_TO_SEND)
        nonsense(lane, header);
    if (lane->rail && header->kind != CM_WIRE_STRIPE && header->kind != CM_WIRE_CLEAR_TO_SEND)
        nonsense(lane, header);
    if (header->kind == CM_WIRE_CREDIT) {
        size_t *credit = &engine.peer[lane->peer].credit;
        if (header->bytes > SIZE_MAX / 2 - *credit) nonsense(lane, header);
        *credit += header->bytes;
        return;
    }
    if (header->kind == CM_WIRE_RECALL) {
        cm_credit_give_up(lane->peer, header->bytes);
        return;
    }
    if (header->kind == CM_WIRE_RELEASE) {
        if (!cm_credit_take_back(lane->peer, header->bytes)) nonsense(lane, header);
        return;
    }
    if (header->kind == CM_WIRE_GOODBYE) {
        engine.peer[lane->peer].left = true;
        return;
    }
    if (header->kind == CM_WIRE_PLACE || header->kind == CM_WIRE_FORGET) {
        if (!cm_lane_shares(lane) || header->bytes > UINT32_MAX) nonsense(lane, header);
        if (header->kind == CM_WIRE_FORGET) cm_share_forget(lane, header->context);
        else lane->place = place_of(lane, header);
        return;
    }
    if (header->kind >= CM_WIRE_ASK_COPY && header->kind <= CM_WIRE_CHOOSE_COPY) {
        if (!cm_copy_hear(lane, header)) nonsense(lane, header);
        return;
    }
    if (header->kind == CM_WIRE_CLEAR_TO_SEND || header->kind == CM_WIRE_DATA
        || header->kind == CM_WIRE_STRIPE || header->kind == CM_WIRE_TAKEN
        || header->kind == CM_WIRE_WRITTEN) {
        take_answer(lane, header);
        return;
    }
    bool known = header->kind == CM_WIRE_EAGER || header->kind == CM_WIRE_READY_TO_SEND
                 || header->kind == CM_WIRE_READY_STRIPED;
    if (!known || header->source < 0 || header->source >= engine.size || header->tag < 0
        || header->tag >= CM_TAG_LIMIT || header->bytes > PTRDIFF_MAX)
        nonsense(lane, header);
    take_announcement(lane, header);
}

static bool take_staged(cm_lane *lane);

/* The peer continues on the connection that this rank made, which may have been read in advance. */
static void move_on(cm_lane *lane, const cm_wire_header *header)
{
    cm_rail *rail = &engine.peer[lane->peer].rail[lane->rail];
    cm_lane *other = rail->tx;
    if (lane != rail->rx || !other || !other->held) nonsense(lane, header);
    rail->rx = other;
    other->held = false;
    rail->moved = true;
    cm_lane_close(lane);
    if (other->end) take_staged(other);
}

/* Takes complete headers and the available payload out of the stage. Returns false if the lane was
   closed. */
static bool take_staged(cm_lane *lane)
{
    while (!lane->missing) {
        size_t staged = lane->end - lane->begin;
        if (!lane->proven) {
            cm_wire_handshake handshake;
            bool whole = staged >= sizeof handshake, welcome;
            if (whole) {
                memcpy(&handshake, lane->stage + lane->begin, sizeof handshake);
                lane->begin += sizeof handshake;
                welcome = cm_handshake_take(lane, &handshake);
            } else {
                welcome = cm_handshake_begins(lane, lane->stage + lane->begin, staged);
            }
            if (!welcome) {
                cm_lane_close(lane);
                return false;
            }
            if (!whole) break;
            continue;
        }
        cm_wire_header header;
        if (staged < sizeof header || lane->held) break;
        memcpy(&header, lane->stage + lane->begin, sizeof header);
        size_t frame_bytes = sizeof header + (size_t)header.pad_units * CM_PAD_UNIT;
        if (frame_bytes > CM_FRAME_BYTES) nonsense(lane, &header);
        if (staged < frame_bytes) break;
        lane->begin += frame_bytes;
        if (__builtin_expect(header.kind == CM_WIRE_MOVED, 0)) {
            move_on(lane, &header);
            return false;
        }
        take_header(lane, &header);
    }
    if (lane->begin == lane->end) {
        lane->begin = lane->end = 0;
    } else if (lane->begin) {
        memmove(lane->stage, lane->stage + lane->begin, lane->end - lane->begin);
        lane->end -= lane->begin;
        lane->begin = 0;
    }
    return true;
}

/* Reads from memory take no system call, so a header is read alone there, and payload never passes
   through the stage. After a full stage the other lanes have their turn, however much is left on
   this one: a peer that sends without end would else keep this rank here. */
bool cm_receive_lane(cm_lane *lane)
{
    bool moved = false;
    const bool in_memory = cm_lane_in_memory(lane);
    for (int reads = 0; reads < READS_A_LOOK; reads++) {
        struct iovec parts[2];
        int n = 0;
        size_t wanted = 0;
        if (__builtin_expect(lane->held, 0) && lane->proven) return moved;
        if (in_memory && !lane->missing && lane->proven) {
            wanted = (lane->end < sizeof(cm_wire_header) ? sizeof(cm_wire_header) : CM_FRAME_BYTES)
                     - lane->end;
            parts[n++] = (struct iovec){lane->stage + lane->end, wanted};
        } else if (!lane->missing && lane->last_bytes > COPY_BYTES
                   && lane->end < HEADER_ALONE_BYTES) {
            wanted = HEADER_ALONE_BYTES - lane->end;
            parts[n++] = (struct iovec){lane->stage + lane->end, wanted};
        } else if (lane->missing) {
            wanted = lane->missing < READ_LIMIT ? lane->missing : READ_LIMIT;
            parts[n++] = (struct iovec){lane->target, wanted};
        }
        const bool alone = lane->missing && (in_memory || lane->last_bytes > COPY_BYTES);
        if (!n || (lane->missing && !alone)) {
            parts[n++] = (struct iovec){lane->stage + lane->end, CM_STAGE_BYTES - lane->end};
            wanted += CM_STAGE_BYTES - lane->end;
        }
        ssize_t got = cm_lane_read(lane, parts, n);
        if (got == 0) return moved;
        if (got < 0) {
            /* A peer that left a connection without an answer has not read it. */
            const bool left = lane->retired && lane->proven;
            if (engine.finalizing || lane->peer < 0 || left) {
                if (lane->peer >= 0 && !lane->retired) cm_companion_ended(lane->peer);
                cm_lane_close(lane);
                return moved;
            }
            const char *cause = errno          ? strerror(errno)
                                : lane->proven ? "it ended before this rank was done"
                                               : "it ended before it answered the handshake";
            bool lost = cm_failure_lose(lane->peer, "connection lost%s: %s",
                                        cm_rail_name(lane->rail), cause);
            return lost || moved;
        }
        moved = true;
        bool full = (size_t)got == wanted;
        if (lane->missing) {
            size_t placed = (size_t)got < lane->missing ? (size_t)got : lane->missing;
            lane->target += placed;
            lane->missing -= placed;
            got -= (ssize_t)placed;
            if (!lane->missing) payload_complete(lane);
        }
        /* The program that waited for this message may post the next receive before the next header
           is read. */
        if (alone && !lane->missing) return true;
        lane->end += (size_t)got;
        if (!lane->missing && lane->end && !take_staged(lane)) return moved;
        if (!full || !lane->missing) return moved;
    }
    return moved;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* wire_transport.c: the fuzzer's end of the engine's lanes; see wire_transport.h. */
#include "wire_transport.h"
#include <errno.h>
#include "comm/engine/copy.h"

wire fuzz_wire;

static _Alignas(4096) char own_memory[CM_REGION_FRONT_BYTES + PLACES * PLACE_BYTES];
static _Alignas(4096) char their_memory[CM_REGION_FRONT_BYTES + PLACE_BYTES];
cm_region fuzz_region = {.mapping = {own_memory, sizeof own_memory}};
cm_mapping fuzz_theirs = {their_memory, sizeof their_memory};

static const cm_transport *fuzz_transport(void);

void wire_reset(void)
{
    for (int i = 0; i < fuzz_wire.n; i++) free(fuzz_wire.line[i].said);
    memset(&fuzz_wire, 0, sizeof fuzz_wire);
    fuzz_region.busy = fuzz_region.tag = 0;
}

static line *line_of(const cm_lane *lane)
{
    const int number = lane->own.number;
    FUZZ_CHECK(number >= 0 && number < fuzz_wire.n && fuzz_wire.line[number].lane == lane);
    return &fuzz_wire.line[number];
}

static line *new_line(int peer)
{
    if (fuzz_wire.n == LINES) return NULL;
    line *line = &fuzz_wire.line[fuzz_wire.n];
    line->lane = cm_lane_add(fuzz_transport(), peer);
    line->lane->own.number = fuzz_wire.n++;
    line->room = fuzz_wire.room;
    return line;
}

line *wire_stranger(void) { return new_line(-1); }

void wire_say(line *line, const void *bytes, size_t n)
{
    if (line->ended || line->n + n > SAID_MOST) return;
    if (line->n + n > line->capacity) {
        line->capacity = 2 * (line->n + n);
        line->said = realloc(line->said, line->capacity);
        if (!line->said) abort();
    }
    if (n) memcpy(line->said + line->n, bytes, n);
    line->n += n;
}

/* ---- What the engine writes ------------------------------------------------------------------ */

static void heard_header(const line *line, const cm_wire_header *header)
{
    wire *w = &fuzz_wire;
    size_t ahead = (size_t)header->ahead_units * CM_AHEAD_UNIT;
    switch (header->kind) {
    case CM_WIRE_EAGER:
    case CM_WIRE_READY_TO_SEND:
    case CM_WIRE_READY_STRIPED:
        FUZZ_CHECK(line->lane->rail == 0);
        FUZZ_CHECK(header->source == engine.rank && header->tag >= 0 && header->tag < CM_TAG_LIMIT);
        FUZZ_CHECK(ahead <= header->bytes);
        if (header->kind == CM_WIRE_EAGER) break;
        FUZZ_CHECK(header->handle != 0);
        FUZZ_CHECK(header->kind == CM_WIRE_READY_TO_SEND || cm_rail_possible(header->bytes, ahead));
        w->sends[w->n_sends++ % HANDLES] =
            (rendezvous){header->handle, header->bytes - ahead, line->lane->peer};
        break;
    case CM_WIRE_CLEAR_TO_SEND: {
        rendezvous *r = &w->receives[w->n_receives++ % HANDLES];
        *r = (rendezvous){header->bytes, 0, line->lane->peer};
        for (unsigned i = 0; i < w->n_announced && i < HANDLES; i++)
            if (w->announced[i].handle == header->handle) {
                r->rest = w->announced[i].rest;
                r->bytes = w->announced[i].bytes;
            }
        break;
    }
    case CM_WIRE_PLACE:
        FUZZ_CHECK(cm_lane_in_memory(line->lane));
        if (header->context == CM_PLACE_PROCESS) {
            FUZZ_CHECK(cm_copy_allowed(line->lane->peer) && header->ahead_units < CM_LANE_WORDS);
            break;
        }
        FUZZ_CHECK(header->context == 0);
        FUZZ_CHECK(header->offset < cm_region_bytes(&fuzz_region.mapping));
        FUZZ_CHECK(header->ahead_units < CM_REGION_WORDS);
        break;
    case CM_WIRE_TAKEN:
    case CM_WIRE_WRITTEN:
    case CM_WIRE_ASK_COPY:
    case CM_WIRE_MAY_COPY:
        FUZZ_CHECK(cm_lane_in_memory(line->lane));
        break;
    case CM_WIRE_TRY_COPY:
    case CM_WIRE_CHOOSE_COPY:
        FUZZ_CHECK(cm_copy_allowed(line->lane->peer) && header->bytes < CM_COPY_CLASSES);
        break;
    case CM_WIRE_DATA:
    case CM_WIRE_CREDIT:
    case CM_WIRE_GOODBYE:
    case CM_WIRE_RECALL:
    case CM_WIRE_RELEASE:
        FUZZ_CHECK(line->lane->rail == 0);
        break;
    case CM_WIRE_MOVED:
        FUZZ_CHECK(engine.rank > line->lane->peer);
        break;
    case CM_WIRE_STRIPE:
        FUZZ_CHECK((engine.rails > 1 || cm_lane_in_memory(line->lane)) && header->bytes > 0);
        break;
    default:
        FUZZ_CHECK(!"the engine writes a header of unknown kind");
    }
}

static void heard(line *line, const char *bytes, size_t n)
{
    while (n > 0) {
        if (line->payload) {
            size_t some = n < line->payload ? n : line->payload;
            line->payload -= some;
            bytes += some;
            n -= some;
            continue;
        }
        size_t whole = line->greeted ? sizeof(cm_wire_header) : sizeof(cm_wire_handshake);
        size_t some = n < whole - line->head_bytes ? n : whole - line->head_bytes;
        memcpy(line->head + line->head_bytes, bytes, some);
        line->head_bytes += some;
        bytes += some;
        n -= some;
        if (line->head_bytes < whole) return;
        line->head_bytes = 0;
        if (!line->greeted) {
            memcpy(&line->handshake, line->head, sizeof line->handshake);
            FUZZ_CHECK(memcmp(line->handshake.magic, CM_WIRE_MAGIC, 8) == 0);
            line->greeted = true;
            continue;
        }
        cm_wire_header header;
        memcpy(&header, line->head, sizeof header);
        heard_header(line, &header);
        size_t padding = (size_t)header.pad_units * CM_PAD_UNIT;
        FUZZ_CHECK(sizeof header + padding <= CM_FRAME_BYTES);
        line->payload = header.kind == CM_WIRE_EAGER || header.kind == CM_WIRE_DATA
                                || header.kind == CM_WIRE_STRIPE
                            ? header.bytes
                        : header.kind == CM_WIRE_PLACE || header.kind == CM_WIRE_CHOOSE_COPY
                            ? 0
                            : (size_t)header.ahead_units * CM_AHEAD_UNIT;
        line->payload += padding;
    }
}

static ssize_t fuzz_write(cm_lane *lane, const struct iovec *parts, int n)
{
    line *line = line_of(lane);
    size_t written = 0;
    if (line->ended && line->taken == line->n) {
        errno = EPIPE;
        return -1;
    }
    for (int i = 0; i < n && line->room; i++) {
        size_t some = parts[i].iov_len < line->room ? parts[i].iov_len : line->room;
        heard(line, parts[i].iov_base, some);
        line->room -= some;
        written += some;
    }
    return (ssize_t)written;
}

/* ---- What the engine reads ------------------------------------------------------------------- */

static ssize_t fuzz_read(cm_lane *lane, const struct iovec *parts, int n)
{
    line *line = line_of(lane);
    size_t most = fuzz_wire.piece ? fuzz_wire.piece : SIZE_MAX, got = 0;
    for (int i = 0; i < n; i++) {
        size_t some = line->n - line->taken;
        FUZZ_CHECK(parts[i].iov_len > 0);
        if (some > parts[i].iov_len) some = parts[i].iov_len;
        if (some > most - got) some = most - got;
        if (some) memcpy(parts[i].iov_base, line->said + line->taken, some);
        for (size_t k = 0; k < some && line->read_bytes + k < sizeof line->first; k++)
            line->first[line->read_bytes + k] = (unsigned char)line->said[line->taken + k];
        line->taken += some;
        line->read_bytes += some;
        got += some;
    }
    if (got || !line->ended) return (ssize_t)got;
    errno = 0;
    return -1;
}

static bool readable(const line *line)
{
    if (line->lane && line->lane->held && line->lane->proven) return false;
    return line->lane && (line->taken < line->n || line->ended);
}

void wire_deliver(void)
{
    /* A line that has ended is closed, or ends the job, or its peer counts as lost from now on. */
    for (int i = 0; i < fuzz_wire.n; i++)
        while (readable(&fuzz_wire.line[i]) && cm_receive_lane(fuzz_wire.line[i].lane)) continue;
}

bool cm_events_poll(int timeout_ms)
{
    bool moved = false, room = false;
    for (int i = 0; i < fuzz_wire.n; i++) {
        line *line = &fuzz_wire.line[i];
        if (readable(line)) moved |= cm_receive_lane(line->lane);
        if (timeout_ms < 0 && line->lane && line->lane->wants_room && !line->room) {
            line->room = SIZE_MAX;
            room = true;
        }
    }
    if (timeout_ms < 0 && !moved && !room) fuzz_exit(CM_EXIT_SYSTEM); /* it waits for ever */
    return moved;
}

/* ---- The rest -------------------------------------------------------------------------------- */

void cm_transport_open(bool one_host, char *card, size_t capacity, int *rails)
{
    FUZZ_CHECK(one_host || true);
    snprintf(card, capacity, "fuzz:127.0.0.1;1");
    *rails = 1;
}

int cm_transport_check(void) { return 0; }

void cm_transport_close(void)
{
    while (engine.lanes) cm_lane_close(engine.lanes);
}

const char *cm_transport_interface(int rail) { return (void)rail, "fuzz0"; }

cm_lane *cm_transport_connect(int peer, int rail)
{
    FUZZ_CHECK(rail >= 0 && rail < engine.rails);
    line *line = new_line(peer);
    if (!line) fuzz_exit(CM_EXIT_SYSTEM);
    return line->lane;
}

static void fuzz_close(cm_lane *lane)
{
    line_of(lane)->lane = NULL;
    cm_lane_remove(lane);
}

static void fuzz_want_room(cm_lane *lane, bool want) { (void)lane, (void)want; }
static uint8_t fuzz_pad_units(const char *data, size_t bytes)
{
    return bytes > 4096 ? (uint8_t)(3 + (uintptr_t)data / 64 % 2 * 4) : 0;
}
static size_t fuzz_in_flight(const cm_lane *lane) { return (void)lane, 300000; }
static bool fuzz_unanswered(const cm_lane *lane, double seconds)
{
    return (void)lane, (void)seconds, false;
}

/* ---- Shared memory --------------------------------------------------------------------------- */

void *cm_region_open(size_t bytes) { return (void)bytes, NULL; }
cm_region *cm_region_at(const void *memory) { return (void)memory, NULL; }
void cm_region_close(cm_region *region) { FUZZ_CHECK(!region); }

cm_region *cm_region_of(const void *data, size_t bytes)
{
    const size_t most = cm_region_bytes(&fuzz_region.mapping);
    const uintptr_t offset = (uintptr_t)data - (uintptr_t)cm_region_data(&fuzz_region.mapping);
    return offset < most && bytes <= most - offset ? &fuzz_region : NULL;
}

static bool fuzz_give(cm_lane *lane, const cm_region *region, uint32_t *number)
{
    FUZZ_CHECK(region == &fuzz_region && lane->proven);
    *number = 0;
    return line_of(lane)->room > 0;
}

static bool fuzz_revoke(cm_lane *lane, const cm_region *region, uint32_t *number)
{
    return (void)lane, (void)region, (void)number, false;
}

static const cm_mapping *fuzz_their_region(cm_lane *lane, uint32_t number)
{
    (void)lane;
    return number || fuzz_wire.forgotten ? NULL : &fuzz_theirs;
}

static void fuzz_forget(cm_lane *lane, uint32_t number)
{
    (void)lane;
    if (!number) fuzz_wire.forgotten = true;
}

_Alignas(8) char fuzz_process[PROCESS_BYTES];
_Atomic uint64_t fuzz_words_of_lanes[2][CM_LANE_WORDS];

ssize_t fuzz_process_copy(const struct iovec *own, const struct iovec *peers, bool out)
{
    const uintptr_t at = (uintptr_t)peers->iov_base - (uintptr_t)fuzz_process;
    FUZZ_CHECK(own->iov_len == peers->iov_len);
    if (at >= PROCESS_BYTES) {
        errno = EFAULT;
        return -1;
    }
    /* The kernel may copy a part only. */
    size_t bytes = PROCESS_BYTES - at < own->iov_len ? PROCESS_BYTES - at : own->iov_len;
    if (bytes > 50000) bytes = 50000;
    if (out) memcpy(fuzz_process + at, own->iov_base, bytes);
    else memcpy(own->iov_base, fuzz_process + at, bytes);
    return (ssize_t)bytes;
}

static _Atomic uint64_t *fuzz_word(cm_lane *lane, bool mine, unsigned n)
{
    FUZZ_CHECK(lane->proven && n < CM_LANE_WORDS);
    return &fuzz_words_of_lanes[mine][n];
}

static pid_t fuzz_peers_process(cm_lane *lane) { return line_of(lane)->ended ? 0 : 2; }

static bool fuzz_pursue(cm_lane *lane, bool silent) { return (void)lane, (void)silent, false; }

#define FUZZ_CALLS                                                                           \
    .name = "fuzz", .write = fuzz_write, .read = fuzz_read, .close = fuzz_close,             \
    .want_room = fuzz_want_room, .pad_units = fuzz_pad_units, .unanswered = fuzz_unanswered, \
    .in_flight = fuzz_in_flight, .pursue = fuzz_pursue

static const cm_transport by_socket = {FUZZ_CALLS};
static const cm_sharing sharing = {.give = fuzz_give,
                                   .revoke = fuzz_revoke,
                                   .region = fuzz_their_region,
                                   .forget = fuzz_forget,
                                   .word = fuzz_word,
                                   .process = fuzz_peers_process};
static const cm_transport by_memory = {FUZZ_CALLS, .in_memory = true, .sharing = &sharing};

static const cm_transport *fuzz_transport(void)
{
    return fuzz_wire.in_memory ? &by_memory : &by_socket;
}

int cm_transport_rails(const char *card)
{
    int n = 1;
    for (; *card; card++) n += *card == ',';
    return n;
}

bool cm_transport_meets(void) { return false; }
void cm_transport_meet(void) {}
bool cm_transport_look(void) { return cm_events_poll(0); }
bool cm_transport_has(cm_property property) { return (void)property, true; }

void cm_transport_describe(void (*each)(const char *key, const char *value, void *context),
                           void *context)
{
    each("transport", "fuzz", context);
}

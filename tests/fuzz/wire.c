/* SPDX-License-Identifier: BSD-3-Clause */
/* wire.c: what comes over the engine's connections, from strangers and from peers, in pieces,
   while receives and sends are under way. An input is a few bytes of setting and then a list of
   deeds, a byte each with their arguments behind: most make right handshakes and headers and
   spoil them a little, one sends plain bytes.

   Wrong: a stranger without a proof is believed; more unasked payload of a peer is kept than it
   has credit for; what the engine itself writes makes no sense; memory is lost, or used when it
   is gone. Refusing an input by ending the job is right. */
#include "wire_transport.h"
#include "comm/engine/copy.h"
#include "comm/engine/credit.h"

enum { REQUESTS = PLACES, BYTES_MOST = PLACE_BYTES };

static const size_t sizes[] = {0,     1,     8,     31,    32,    33,    100,   1000,
                               4095,  4096,  4097,  8192,  16384, 16416, 16448, 16449,
                               40000, 65535, 65536, 65537, 70000, 100000};

/* Receives' buffers hold OLD everywhere before, payload of peers is NEW. */
enum { OLD = 0xAA, NEW = 0x55 };

typedef struct {
    fuzz_input input;
    cm_request *request[REQUESTS];
    char *buffer[REQUESTS];
    bool plain;  /* plain bytes were sent: they may be anything */
    char *moved; /* memory of a block that is moved directly, also if the job ends meanwhile */
} scene;

/* Lengths that the code has limits near, or any. */
static size_t take_size(scene *s)
{
    unsigned which = fuzz_byte(&s->input);
    if (which < sizeof sizes / sizeof *sizes) return sizes[which];
    return which & 1 ? fuzz_short(&s->input) : which;
}

static int take_rank(scene *s) { return fuzz_byte(&s->input) % engine.size; }

static int take_tag(scene *s)
{
    unsigned tag = fuzz_byte(&s->input);
    return tag < 4 ? (int)tag : tag == 4 ? CM_TAG_LIMIT - 1 : 0;
}

static line *take_line(scene *s)
{
    line *line = &fuzz_wire.line[fuzz_byte(&s->input) % LINES];
    return line->lane ? line : NULL;
}

/* ---- What peers do --------------------------------------------------------------------------- */

/* A handshake with its proof, and what spoils it: 0 nothing. */
static void send_handshake(scene *s)
{
    line *line = take_line(s);
    int rank = take_rank(s);
    unsigned spoil = fuzz_byte(&s->input), which = fuzz_byte(&s->input);
    if (!line) return;
    bool answers = line->lane->peer >= 0;
    int rail = answers ? line->lane->rail : (int)(which >> 6) % engine.rails;
    cm_wire_handshake handshake = {.version = CM_WIRE_VERSION,
                                   .rank = (uint32_t)rank,
                                   .size = (uint32_t)engine.size,
                                   .rail = (uint32_t)rail};
    memcpy(handshake.magic, CM_WIRE_MAGIC, sizeof handshake.magic);
    memset(handshake.nonce, rank, sizeof handshake.nonce);
    cm_auth_claim claim = {answers ? CM_ROLE_ACCEPTS : CM_ROLE_CONNECTS,
                           rank,
                           engine.rank,
                           answers ? engine.peer[rank].nonce : handshake.nonce,
                           answers ? line->lane->nonce : engine.nonce,
                           rail};
    cm_auth_prove(engine.secret, &claim, handshake.proof);
    line->claims = rank;
    ((unsigned char *)&handshake)[which % sizeof handshake] ^= (unsigned char)spoil;
    wire_say(line, &handshake, sizeof handshake);
}

/* A header, then so many bytes of payload as it should have, or a few more or less. */
static void say_header(scene *s)
{
    static char payload[BYTES_MOST];
    line *line = take_line(s);
    unsigned what = fuzz_byte(&s->input);
    cm_wire_header header = {.kind = what & 7 ? what & 7 : CM_WIRE_STRIPE, .context = what >> 6};
    if ((what & 48) == 48) header.kind = what & 1 ? CM_WIRE_RECALL : CM_WIRE_RELEASE;
    header.tag = take_tag(s);
    header.source = fuzz_byte(&s->input);
    header.bytes = take_size(s);
    unsigned which = fuzz_byte(&s->input);
    size_t follow = header.bytes;
    if (header.kind == CM_WIRE_GOODBYE && (what & 16)) header.kind = CM_WIRE_MOVED;
    wire *w = &fuzz_wire;
    if (!line) return;
    if (!payload[0]) memset(payload, NEW, sizeof payload);
    if (!(what & 8)) header.source = line->claims;
    switch (header.kind) {
    case CM_WIRE_READY_TO_SEND:
    case CM_WIRE_READY_STRIPED:
        header.ahead_units = which & 7;
        header.handle = which == 255 ? 0 : w->n_announced + 1;
        follow = (size_t)header.ahead_units * CM_AHEAD_UNIT;
        if (follow <= header.bytes) {
            unsigned at = w->n_announced++ % HANDLES;
            w->announced[at].handle = header.handle;
            w->announced[at].rest = header.bytes - follow;
            w->announced[at].bytes = header.bytes;
        }
        break;
    case CM_WIRE_CLEAR_TO_SEND:
        header.handle = which == 255 ? header.bytes << 32 | 1 : w->sends[which % HANDLES].handle;
        header.bytes = which;
        follow = 0;
        break;
    case CM_WIRE_DATA:
        header.handle = which == 255 ? header.bytes << 32 | 1 : w->receives[which % HANDLES].handle;
        if (what & 16) header.bytes = w->receives[which % HANDLES].rest;
        follow = header.bytes;
        break;
    case CM_WIRE_STRIPE: {
        const rendezvous *r = &w->receives[which % HANDLES];
        if ((what & 16) && r->bytes) { /* as it should be on this rail */
            cm_stripe stripe = cm_rail_stripe(r->bytes, r->bytes - r->rest, line->lane->rail);
            header.offset = stripe.offset;
            header.bytes = stripe.bytes;
        }
        header.handle = which == 255 ? header.bytes << 32 | 1 : r->handle;
        follow = header.bytes;
        break;
    }
    case CM_WIRE_CREDIT:
        if (what & 16) header.bytes = UINT64_MAX >> which % 64;
        follow = 0;
    }
    if (what & 32) { /* one field is anything */
        size_t at = fuzz_byte(&s->input) % sizeof header;
        ((unsigned char *)&header)[at] = fuzz_byte(&s->input);
    }
    wire_say(line, &header, sizeof header);
    wire_say(line, payload, follow < sizeof payload ? follow : sizeof payload);
}

/* What concerns shared memory, and what spoils it. Peers say the truth about their memory, which
   holds NEW; what they say to have written into the engine's may be anything. */
static void say_shared(scene *s)
{
    line *line = take_line(s);
    unsigned what = fuzz_byte(&s->input), which = fuzz_byte(&s->input);
    cm_wire_header place = {.kind = CM_WIRE_PLACE, .ahead_units = which % 64, .bytes = 1};
    cm_wire_header header = {.kind = CM_WIRE_READY_TO_SEND, .tag = take_tag(s)};
    wire *w = &fuzz_wire;
    header.bytes = take_size(s);
    place.offset = fuzz_short(&s->input);
    if (!line) return;
    header.source = line->claims;
    header.handle = w->n_announced + 1;
    switch (what % 6) {
    case 0:
    case 1:
        w->announced[w->n_announced++ % HANDLES].handle = header.handle;
        break;
    case 2:
        header = (cm_wire_header){.kind = CM_WIRE_CLEAR_TO_SEND,
                                  .bytes = which,
                                  .handle = w->sends[which % HANDLES].handle};
        break;
    case 3:
        header =
            (cm_wire_header){.kind = CM_WIRE_TAKEN, .handle = w->sends[which % HANDLES].handle};
        if (which & 128) { /* except these bytes */
            header.offset = place.offset;
            header.bytes = which & 127;
        }
        break;
    case 4:
        s->plain = true;
        header = (cm_wire_header){.kind = CM_WIRE_WRITTEN,
                                  .bytes = header.bytes,
                                  .handle = w->receives[which % HANDLES].handle};
        break;
    case 5:
        header = (cm_wire_header){.kind = CM_WIRE_FORGET, .context = which & 1};
        break;
    }
    for (unsigned k = 0; k < CM_REGION_WORDS; k++) /* all can be claimed */
        atomic_store(cm_region_word(&fuzz_theirs, k), (uint64_t)1 << 32);
    memset(cm_region_data(&fuzz_theirs), NEW, cm_region_bytes(&fuzz_theirs));
    if (what & 64) {
        size_t at = fuzz_byte(&s->input) % sizeof place;
        ((unsigned char *)(what & 128 ? &place : &header))[at] = fuzz_byte(&s->input);
    }
    if (what % 6 < 3) wire_say(line, &place, sizeof place);
    wire_say(line, &header, sizeof header);
}

/* A part that the peer could not copy. */
static void say_part(line *line, unsigned which, size_t offset, size_t bytes)
{
    static char payload[BYTES_MOST];
    const cm_wire_header header = {.kind = CM_WIRE_STRIPE,
                                   .offset = offset,
                                   .bytes = bytes,
                                   .handle = fuzz_wire.receives[which % HANDLES].handle};
    memset(payload, NEW, sizeof payload);
    wire_say(line, &header, sizeof header);
    wire_say(line, payload, bytes < sizeof payload ? bytes : sizeof payload);
}

/* What concerns the kernel's copies: asking, trying, choosing, places in a peer's process, and
   parts that are not copied. */
static void say_copy(scene *s)
{
    line *line = take_line(s);
    const unsigned what = fuzz_byte(&s->input), which = fuzz_byte(&s->input);
    wire *w = &fuzz_wire;
    cm_wire_header place = {.kind = CM_WIRE_PLACE,
                            .ahead_units = which % CM_LANE_WORDS,
                            .context = CM_PLACE_PROCESS,
                            .bytes = 1};
    cm_wire_header header = {.kind = CM_WIRE_READY_TO_SEND, .tag = take_tag(s)};
    place.offset = (uintptr_t)fuzz_process + fuzz_short(&s->input);
    header.bytes = take_size(s);
    if (!line) return;
    header.source = line->claims;
    header.handle = w->n_announced + 1;
    memset(fuzz_process, NEW, sizeof fuzz_process);
    if ((what & 192) == 128) {
        say_part(line, which, place.offset - (uintptr_t)fuzz_process, header.bytes);
        return;
    }
    switch (what % 7) {
    case 0:
    case 1:
        w->announced[w->n_announced++ % HANDLES].handle = header.handle;
        break;
    case 2:
        header = (cm_wire_header){.kind = CM_WIRE_CLEAR_TO_SEND,
                                  .bytes = which,
                                  .handle = w->sends[which % HANDLES].handle};
        break;
    case 3:
        header = (cm_wire_header){
            .kind = CM_WIRE_ASK_COPY, .offset = (uintptr_t)fuzz_process, .handle = FUZZ_WORD};
        break;
    case 4:
        header = (cm_wire_header){.kind = CM_WIRE_MAY_COPY, .bytes = which < 254};
        break;
    case 5:
        header = (cm_wire_header){.kind = CM_WIRE_TRY_COPY, .bytes = which % CM_COPY_CLASSES};
        break;
    case 6:
        header = (cm_wire_header){.kind = CM_WIRE_CHOOSE_COPY,
                                  .ahead_units = which & 1,
                                  .bytes = which % CM_COPY_CLASSES};
        break;
    }
    if (!(what & 32)) /* all can be claimed */
        for (unsigned k = 0; k < CM_LANE_WORDS; k++)
            atomic_store(&fuzz_words_of_lanes[false][k], (uint64_t)1 << 32);
    if (what & 64) {
        size_t at = fuzz_byte(&s->input) % sizeof place;
        ((unsigned char *)(what & 128 ? &place : &header))[at] = fuzz_byte(&s->input);
    }
    if (what % 7 < 3) wire_say(line, &place, sizeof place);
    wire_say(line, &header, sizeof header);
}

/* A block of a collective operation, at a place that the peer may have made up. What is moved, if
   anything is, stays within both memories. */
static void move_directly(scene *s)
{
    const int rank = take_rank(s);
    const unsigned what = fuzz_byte(&s->input), which = fuzz_byte(&s->input);
    const size_t bytes = take_size(s), offset = which & 16 ? take_size(s) : 0;
    cm_backend_place place;
    if (rank == engine.rank) return;
    char *const data = s->moved = malloc(bytes ? bytes : 1);
    if (!data) abort();
    cm_backend_offer(engine.world, rank, data, bytes, which & 1, &place);
    if (place.memory) FUZZ_CHECK(cm_copy_allowed(rank));
    switch (what % 4) {
    case 0: /* as it was offered to it */
        break;
    case 1:
        place = (cm_backend_place){UINT64_MAX, (uintptr_t)fuzz_process + fuzz_short(&s->input)};
        break;
    case 2:
        place = (cm_backend_place){what >> 2 & 3, fuzz_short(&s->input)};
        break;
    case 3:
        place = (cm_backend_place){UINT64_MAX - (what >> 2 & 1), UINT64_MAX - which};
        break;
    }
    memset(data, NEW, bytes);
    memset(fuzz_process, NEW, sizeof fuzz_process);
    memset(cm_region_data(&fuzz_theirs), NEW, cm_region_bytes(&fuzz_theirs));
    const bool moved = cm_backend_move(engine.world, rank, &place, offset, data, bytes, which & 2);
    if (moved && bytes) FUZZ_CHECK(data[0] == NEW && data[bytes - 1] == NEW);
    free(data);
    s->moved = NULL;
}

static void say_bytes(scene *s)
{
    line *line = take_line(s);
    size_t n = fuzz_byte(&s->input);
    const char *bytes = fuzz_bytes(&s->input, &n);
    s->plain = true;
    if (line) wire_say(line, bytes, n);
}

static void end_line(scene *s)
{
    line *line = take_line(s);
    if (line) line->ended = true;
}

static void fill_line(scene *s)
{
    line *line = take_line(s);
    size_t room = take_size(s);
    if (line) line->room = room;
}

/* ---- What the program does ------------------------------------------------------------------- */

static int free_place(const scene *s)
{
    for (int i = 0; i < REQUESTS; i++)
        if (!s->request[i]) return i;
    return -1;
}

/* A receive that completes has all it says it has. */
static void check_received(const scene *s, const char *data, size_t bytes)
{
    static const unsigned char old[] = {OLD, OLD, OLD, OLD, OLD, OLD, OLD, OLD};
    if (s->plain || bytes < sizeof old) return;
    FUZZ_CHECK(memcmp(data, old, sizeof old) != 0);
    FUZZ_CHECK(memcmp(data + bytes - sizeof old, old, sizeof old) != 0);
}

static void release(scene *s, int i)
{
    if (!cm_region_of(s->buffer[i], 1)) free(s->buffer[i]);
    s->buffer[i] = NULL;
}

static void settle(scene *s, int i, bool receive, const cm_status *status)
{
    if (s->request[i]) return;
    if (receive) check_received(s, s->buffer[i], status->bytes);
    release(s, i);
}

static void start(scene *s, bool send)
{
    int i = free_place(s), rank = fuzz_byte(&s->input), tag = take_tag(s);
    size_t bytes = take_size(s);
    if (i < 0) return;
    if (rank & 32) s->buffer[i] = cm_region_data(&fuzz_region.mapping) + (size_t)i * PLACE_BYTES;
    else if (!(s->buffer[i] = malloc(bytes ? bytes : 1))) abort();
    memset(s->buffer[i], send ? NEW : OLD, bytes);
    if (send) s->request[i] = cm_isend(engine.world, s->buffer[i], bytes, rank % engine.size, tag);
    else
        s->request[i] = cm_irecv(engine.world, s->buffer[i], bytes,
                                 rank & 8 ? CM_ANY : rank % engine.size, rank & 16 ? CM_ANY : tag);
}

static void look(scene *s, unsigned how)
{
    int i = fuzz_byte(&s->input) % REQUESTS;
    cm_status status = {0};
    if (!s->request[i]) return;
    bool receive = s->request[i]->kind == CM_REQUEST_RECEIVE;
    if (how == 0) cm_test(&s->request[i], &status);
    else if (how == 1) cm_wait(&s->request[i], &status);
    else if (receive) cm_cancel(&s->request[i]);
    settle(s, i, receive, &status);
}

static void probe(scene *s)
{
    int rank = fuzz_byte(&s->input), tag = take_tag(s);
    cm_status status;
    cm_iprobe(engine.world, rank & 8 ? CM_ANY : rank % engine.size, rank & 16 ? CM_ANY : tag,
              &status);
}

static void act(scene *s)
{
    unsigned deed = fuzz_byte(&s->input);
    if (deed >= 252) { /* what is older keeps its numbers */
        say_shared(s);
        return;
    }
    if (deed >= 248) {
        say_copy(s);
        return;
    }
    if (deed >= 246) {
        move_directly(s);
        return;
    }
    switch (deed % 14) {
    case 0:
        say_bytes(s);
        break;
    case 1:
        send_handshake(s);
        break;
    case 2:
    case 3:
        say_header(s);
        break;
    case 4:
        wire_stranger();
        break;
    case 5:
        end_line(s);
        break;
    case 6:
        fill_line(s);
        break;
    case 7:
        fuzz_wire.piece = take_size(s);
        break;
    case 8:
        start(s, false);
        break;
    case 9:
        start(s, true);
        break;
    case 10:
        look(s, 0);
        break;
    case 11:
        look(s, fuzz_byte(&s->input) & 1 ? 1 : 2);
        break;
    case 12:
        probe(s);
        break;
    case 13:
        cm_progress();
        break;
    }
}

/* ---- What must hold -------------------------------------------------------------------------- */

static void check_lines(void)
{
    for (int i = 0; i < fuzz_wire.n; i++) {
        line *line = &fuzz_wire.line[i];
        cm_wire_handshake handshake;
        if (!line->lane || !line->lane->proven || line->checked) continue;
        line->checked = true;
        memcpy(&handshake, line->first, sizeof handshake);
        int rank = line->lane->peer;
        int rail = line->lane->rail;
        FUZZ_CHECK(rail >= 0 && rail < engine.rails
                   && (handshake.rail & ~(uint32_t)CM_WIRE_CROSSED) == (uint32_t)rail);
        bool answers = line->greeted && !engine.peer[rank].rail[rail].accepted;
        FUZZ_CHECK(rank >= 0 && rank < engine.size && rank != engine.rank);
        FUZZ_CHECK(line->read_bytes >= sizeof handshake && handshake.rank == (uint32_t)rank);
        cm_auth_claim connects = {CM_ROLE_CONNECTS, rank,         engine.rank,
                                  handshake.nonce,  engine.nonce, rail};
        cm_auth_claim accepts = {CM_ROLE_ACCEPTS,   rank,
                                 engine.rank,       engine.peer[rank].nonce,
                                 line->lane->nonce, (int)handshake.rail};
        FUZZ_CHECK(cm_auth_verify(engine.secret, &accepts, handshake.proof)
                   || (!answers && cm_auth_verify(engine.secret, &connects, handshake.proof)));
    }
}

static void check_memory(void)
{
    size_t kept = 0, pool = engine.pool_free;
    for (int rank = 0; rank < engine.size; rank++) {
        size_t of_peer = 0;
        for (const cm_message *m = engine.peer[rank].message_first; m; m = m->peer_next) {
            FUZZ_CHECK(m->peer == rank && m->ahead <= m->bytes);
            if (m->data) of_peer += m->ahead + CM_ENVELOPE_BYTES;
            if (m->data && rank != engine.rank) kept += m->ahead + CM_ENVELOPE_BYTES;
        }
        const cm_peer *peer = &engine.peer[rank];
        FUZZ_CHECK(rank == engine.rank || of_peer == peer->held);
        pool += peer->granted + peer->held + peer->owed;
    }
    FUZZ_CHECK(pool == engine.environment.pool_bytes && engine.kept_most <= pool);
    FUZZ_CHECK(kept == engine.kept_bytes);
}

static void check_striped(const scene *s)
{
    int striped = 0;
    for (int i = 0; i < REQUESTS; i++) {
        const cm_request *request = s->request[i];
        if (!request || request->kind != CM_REQUEST_RECEIVE || !request->striped) continue;
        FUZZ_CHECK(!request->complete && request->parts > 0
                   && !request->stripes == !request->handle);
        striped++;
    }
    FUZZ_CHECK(striped == engine.striped);
}

/* ---- A job of one process -------------------------------------------------------------------- */

static void begin(scene *s)
{
    static const size_t eager[] = {0, 64, 5000, 262144}, pool[] = {0, 1000, 30000, 150000, 600000};
    unsigned a = fuzz_byte(&s->input), b = fuzz_byte(&s->input);
    engine.size = 2 + (int)(a & 3);
    engine.rank = (int)(a >> 2 & 7) % engine.size;
    engine.environment = (cm_environment){.eager_bytes = eager[a >> 5 & 3],
                                          .ahead = {sizes[b & 15], a & 128},
                                          .piece_bytes = b & 16 ? 100 : 32768,
                                          .pool_bytes = pool[(b >> 5) % 5],
                                          .timeout_s = 1e-3,
                                          .copy = b & 4 ? CM_COPY_AUTO : CM_COPY_HALVES,
                                          .rail_bytes = 4096};
    cm_rail_open(a & 128 ? 3 : 1);
    engine.local_ranks = engine.size;
    engine.next_context = 2;
    strcpy(engine.host, "here");
    memset(engine.secret, 's', sizeof engine.secret);
    memset(engine.nonce, 'n', sizeof engine.nonce);
    engine.peer = fuzz_calloc((size_t)engine.size, sizeof *engine.peer);
    engine.unsent = fuzz_calloc((size_t)engine.size, sizeof *engine.unsent);
    engine.failed = fuzz_calloc((size_t)engine.size, sizeof *engine.failed);
    int *world = fuzz_calloc((size_t)engine.size, sizeof *world);
    for (int rank = 0; rank < engine.size; rank++) {
        cm_peer *peer = &engine.peer[rank];
        world[rank] = rank;
        peer->host = fuzz_strdup("there");
        peer->card = fuzz_strdup("fuzz:127.0.0.1;1,127.0.0.1;2,127.0.0.1;3");
        peer->credit = cm_credit_at_start();
        memset(peer->nonce, 'a' + rank, sizeof peer->nonce);
        peer->in_memory = b >> 5 == 7;
    }
    cm_credit_open();
    fuzz_wire.in_memory = engine.any_in_memory = engine.all_in_memory = b >> 5 >= 5;
    engine.world = cm_engine_group_new(0, engine.rank, engine.size, world);
    engine.open = true;
    fuzz_wire.room = SIZE_MAX;
}

/* What a program that stops here can still do in good order: then nothing may be left. */
static bool finish(scene *s)
{
    for (int i = 0; i < REQUESTS; i++) {
        cm_request *request = s->request[i];
        if (!request) continue;
        if (request->complete) cm_wait(&s->request[i], NULL);
        else if (request->kind == CM_REQUEST_RECEIVE && !request->matched)
            cm_cancel(&s->request[i]);
        else return false;
    }
    for (int i = 0; i < engine.n_unsent; i++)
        for (int rail = 0; rail < engine.rails; rail++)
            if (engine.peer[engine.unsent[i]].rail[rail].first) return false;
    FUZZ_CHECK(fuzz_region.busy == 0);
    cm_transport_close();
    cm_finalize();
    return true;
}

static void play(void *context)
{
    scene *s = context;
    begin(s);
    while (s->input.left) {
        act(s);
        check_lines();
        check_memory();
        check_striped(s);
    }
    wire_deliver();
    check_lines();
    check_memory();
    check_striped(s);
    if (finish(s)) FUZZ_CHECK(fuzz_memory_blocks() == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static scene scene; /* static: buffers must be known after a jump */
    scene.input = (fuzz_input){data, bytes};
    fuzz_run(play, &scene);
    fuzz_memory_forget();
    for (int i = 0; i < REQUESTS; i++) release(&scene, i);
    free(scene.moved);
    memset(&scene, 0, sizeof scene);
    memset(&engine, 0, sizeof engine);
    wire_reset();
    return 0;
}

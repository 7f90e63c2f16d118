/* SPDX-License-Identifier: BSD-3-Clause */
/* ring.c: a ring in shared memory (src/comm/engine/shm) whose other side does as it likes. First
   two honest sides, with any lengths; then a peer that writes anything into the ring's memory,
   where both the reader and the writer of this process go on.

   Wrong: honest sides lose or change a byte, or get stuck; anything outside the ring is touched.
   Refusing what the peer wrote is right. */
#include "fuzz.h"
#include "comm/engine/shm/ring.h"

enum { SIZE = CM_RING_LEAST, MOST = 6000, GUARD = 4096 };

static struct {
    cm_ring_control control;
    char before[GUARD];
    _Alignas(CM_RING_LINE) char lines[SIZE];
    char after[GUARD];
} shared;

static char content(uint64_t i) { return (char)(i * 2654435761u >> 13); }

/* Lengths near those where records change, or any. */
static size_t take_length(fuzz_input *input)
{
    static const size_t near[] = {0, 1, 32, 55, 56, 57, 120, 2047, 2048, 2049, 4032, 4096, 4097};
    const unsigned which = fuzz_byte(input);
    if (which < sizeof near / sizeof *near) return near[which];
    return fuzz_short(input) % MOST;
}

static void honest(fuzz_input *input, cm_ring_writer *writer, cm_ring_reader *reader)
{
    static char out[2 * MOST], in[2 * MOST];
    uint64_t written = 0, got = 0;
    for (unsigned deeds = fuzz_byte(input); deeds && input->left; deeds--) {
        const size_t first = take_length(input), second = take_length(input);
        bool wake = false;
        if (fuzz_byte(input) & 1) {
            for (size_t i = 0; i < first + second; i++) out[i] = content(written + i);
            struct iovec parts[2] = {{out, first}, {out + first, second}};
            const ssize_t n = cm_ring_write(writer, parts, 2, &wake);
            FUZZ_CHECK(n >= 0 && (size_t)n <= first + second);
            FUZZ_CHECK(n > 0 || first + second == 0 || written > got);
            written += (size_t)n;
        } else {
            struct iovec parts[2] = {{in, first}, {in + first, second}};
            const ssize_t n = cm_ring_read(reader, parts, 2, &wake);
            FUZZ_CHECK(n >= 0 && (size_t)n <= written - got);
            FUZZ_CHECK((size_t)n == first + second || got + (size_t)n == written);
            for (ssize_t i = 0; i < n; i++) FUZZ_CHECK(in[i] == content(got + (uint64_t)i));
            got += (size_t)n;
        }
        FUZZ_CHECK(cm_ring_ready(reader) == (written > got));
    }
}

static void spoiled(fuzz_input *input, cm_ring_writer *writer, cm_ring_reader *reader)
{
    static char data[2 * MOST];
    bool reads = true, writes = true;
    while (input->left) {
        const unsigned deed = fuzz_byte(input);
        const size_t length = take_length(input);
        struct iovec part = {data, length};
        bool wake = false;
        if (deed % 4 == 0) {
            size_t n = deed & 4 ? 4 : 1 + deed / 8;
            const size_t at = (size_t)fuzz_short(input) * (deed & 4 ? CM_RING_LINE : 1) % SIZE;
            const char *bytes = fuzz_bytes(input, &n);
            if (n > SIZE - at) n = SIZE - at;
            if (n) memcpy(shared.lines + at, bytes, n);
        } else if (deed % 4 == 1) {
            size_t n = sizeof shared.control.freed;
            const char *bytes = fuzz_bytes(input, &n);
            memcpy(&shared.control.freed, bytes, n);
        } else if (deed % 4 == 2 && writes) {
            const ssize_t n = cm_ring_write(writer, &part, 1, &wake);
            FUZZ_CHECK(n <= (ssize_t)length);
            writes = n >= 0;
        } else if (deed % 4 == 3 && reads) {
            const ssize_t n = cm_ring_read(reader, &part, 1, &wake);
            FUZZ_CHECK(n <= (ssize_t)length);
            reads = n >= 0;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    fuzz_input input = {data, bytes};
    cm_ring_writer writer;
    cm_ring_reader reader;
    memset(&shared, 0, sizeof shared);
    cm_ring_writer_open(&writer, &shared.control, shared.lines, SIZE);
    cm_ring_reader_open(&reader, &shared.control, shared.lines, SIZE);
    honest(&input, &writer, &reader);
    spoiled(&input, &writer, &reader);
    for (size_t i = 0; i < GUARD; i++) FUZZ_CHECK(!shared.before[i] && !shared.after[i]);
    return 0;
}

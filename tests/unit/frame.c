/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c: the parser of frames between cmrun and its proxies: right frames, in pieces of any
   length, come out as they went in; wrong ones are refused, and nothing is read beyond the end. */
#include "config.h"
#include "tap.h"
#include "launch/frame.h"
#include <stdlib.h>

/* Feeds bytes in pieces, and returns the result of the last frame_next. Counts the frames and
   leaves the last one in *last (its data belong to the reader). */
static frame_read feed(frame_reader *reader, const char *bytes, size_t n, size_t piece, int *count,
                       frame *last, const char **why)
{
    frame_read said = FRAME_MORE;
    while (n > 0) {
        size_t room, some = n < piece ? n : piece;
        char *to = frame_room(reader, &room);
        if (!to || room == 0) return FRAME_NO_MEMORY;
        if (some > room) some = room;
        memcpy(to, bytes, some);
        frame_came(reader, some);
        bytes += some;
        n -= some;
        frame next;
        while ((said = frame_next(reader, &next, why)) == FRAME_WHOLE) {
            ++*count;
            *last = next;
        }
        if (said != FRAME_MORE) return said;
    }
    return said;
}

static size_t write_frame(char *to, frame_kind kind, int flag, int rank, const char *data,
                          size_t bytes)
{
    const frame frame = {.kind = kind, .flag = flag, .rank = rank, .bytes = bytes};
    frame_head(&frame, (unsigned char *)to);
    memcpy(to + FRAME_HEAD_BYTES, data, bytes);
    return FRAME_HEAD_BYTES + bytes;
}

static void test_pieces(void)
{
    static char stream[300000], text[FRAME_TEXT_BYTES];
    size_t n = 0;
    memset(text, 'x', sizeof text);
    n += write_frame(stream + n, FRAME_HELLO, 0, 0, "1.0", 3);
    n += write_frame(stream + n, FRAME_ARGUMENT, 0, 0, text, sizeof text);
    n += write_frame(stream + n, FRAME_OUTPUT, 1, 7, "a\0b", 3);
    n += write_frame(stream + n, FRAME_BEAT, 0, 0, "", 0);
    n += write_frame(stream + n, FRAME_LINE, 0, 2147483647, "cmd=get", 7);
    static const size_t pieces[] = {1, 2, 11, 12, 13, 4096, 300000};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        frame_reader reader = {0};
        frame last = {0};
        const char *why = NULL;
        int count = 0;
        frame_read said = feed(&reader, stream, n, pieces[i], &count, &last, &why);
        ok(said == FRAME_MORE && count == 5 && last.kind == FRAME_LINE && last.rank == 2147483647
               && last.bytes == 7 && strcmp(last.data, "cmd=get") == 0,
           "pieces of %zu bytes", pieces[i]);
        frame_reader_free(&reader);
    }
}

static bool refused(const char *bytes, size_t n, const char *word)
{
    frame_reader reader = {0};
    frame last;
    const char *why = "";
    int count = 0;
    frame_read said = feed(&reader, bytes, n, 1, &count, &last, &why);
    frame_reader_free(&reader);
    if (said == FRAME_WRONG && strstr(why, word) && count == 0) return true;
    printf("# said %d (%s), %d frames\n", said, why, count);
    return false;
}

static void test_wrong(void)
{
    char bytes[64];
    size_t n;
    ok(refused("Last login: today\n", 18, "no frame"), "a handshake is refused");
    ok(refused("x", 1, "no frame"), "at its first byte");
    n = write_frame(bytes, FRAME_KINDS, 0, 0, "", 0);
    ok(refused(bytes, n, "kind"), "an unknown kind");
    n = write_frame(bytes, FRAME_NONE, 0, 0, "", 0);
    ok(refused(bytes, n, "kind"), "kind 0");
    n = write_frame(bytes, FRAME_OUTPUT, 2, 0, "a", 1);
    ok(refused(bytes, n, "flag"), "a third stream");
    n = write_frame(bytes, FRAME_SIGNAL, 65, 0, "", 0);
    ok(refused(bytes, n, "flag"), "signal 65");
    n = write_frame(bytes, FRAME_LINE_END, 0, -1, "", 0);
    ok(refused(bytes, n, "rank"), "a negative rank");
    n = write_frame(bytes, FRAME_ENDED, 0, 0, "1234567", 7);
    ok(refused(bytes, n, "length"), "numbers too short");
    n = write_frame(bytes, FRAME_BEAT, 0, 0, "a", 1);
    ok(refused(bytes, n, "length"), "payload where none belongs");
    n = write_frame(bytes, FRAME_LINE, 0, 0, "a\0b", 3);
    ok(refused(bytes, n, "NUL"), "a text with a NUL");
    n = write_frame(bytes, FRAME_ARGUMENT, 0, 0, "", 0);
    memset(bytes + 8, 0xff, 4);
    ok(refused(bytes, n, "length"), "a length of 4 GiB, before anything is allocated");
    for (int kind = 1; kind < FRAME_KINDS; kind++) {
        n = write_frame(bytes, (frame_kind)kind, 0, 0, "", 0);
        bytes[9] = 4; /* 256 KiB */
        if (!refused(bytes, n, "length")) {
            ok(false, "kind %d is bounded", kind);
            return;
        }
    }
    ok(true, "every kind is bounded");
}

static void test_numbers(void)
{
    static const int32_t values[] = {0, 1, -1, 65536, INT32_MAX, INT32_MIN};
    char data[4 * 6];
    frame frame = {.data = data, .bytes = sizeof data};
    bool same = true;
    for (size_t i = 0; i < 6; i++) frame_put_number(data, i, values[i]);
    for (size_t i = 0; i < 6; i++) same = same && frame_number(&frame, i) == values[i];
    ok(same, "numbers come back");
}

/* Right frames with one byte changed: whatever comes out lies within what went in. */
static void test_noise(void)
{
    unsigned seed = 1;
    bool bounded = true;
    for (int round = 0; round < 20000; round++) {
        char bytes[256];
        size_t n = write_frame(bytes, (frame_kind)(round % FRAME_KINDS), 0, round, "some text", 9);
        n += write_frame(bytes + n, FRAME_LINE, 0, 3, "cmd=x", 5);
        seed = seed * 1664525u + 1013904223u;
        bytes[(seed >> 8) % n] = (char)(seed >> 24);
        frame_reader reader = {0};
        frame last = {0};
        const char *why;
        int count = 0;
        feed(&reader, bytes, n, 1 + (seed >> 4) % 40, &count, &last, &why);
        /* If the length of the first frame is too small, one or all frames may be lost, but never
           more come out. */
        bounded = bounded && count <= 2 && (count == 0 || last.bytes + FRAME_HEAD_BYTES <= n);
        frame_reader_free(&reader);
    }
    ok(bounded, "changed bytes give nothing beyond bounds");
}

int main(void)
{
    test_pieces();
    test_wrong();
    test_numbers();
    test_noise();
    return tap_done();
}

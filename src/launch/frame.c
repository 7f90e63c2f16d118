/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c: extracts frames from a stream of untrusted bytes. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "comm/pmi/pmi_line.h"
#include "launch/frame.h"

static const unsigned char magic[2] = {'C', 0xC1};

/* The bounds of each kind of frame. */
static const struct {
    uint32_t least, most;
    bool known, text;
    int flags;
} kinds[FRAME_KINDS] = {
    [FRAME_FOLDER] = {1, FRAME_TEXT_BYTES, true, true, 0},
    [FRAME_VARIABLE] = {2, FRAME_TEXT_BYTES, true, true, 0},
    [FRAME_ARGUMENT] = {0, FRAME_TEXT_BYTES, true, true, 0},
    [FRAME_PREPARE] = {4 * FRAME_PREPARE_NUMBERS, 4 * FRAME_PREPARE_NUMBERS, true, false, 0},
    [FRAME_START] = {4 * FRAME_NUMBERS, 4 * FRAME_NUMBERS, true, false, 0},
    [FRAME_ANSWER] = {1, CM_PMI_LINE_BYTES, true, true, 1},
    [FRAME_SIGNAL] = {0, 0, true, false, 64},
    [FRAME_KILL] = {0, 0, true, false, 0},
    [FRAME_HOLD] = {0, 0, true, false, 3},
    [FRAME_INPUT] = {0, FRAME_DATA_BYTES, true, false, 0},
    [FRAME_CLEAR] = {0, 0, true, false, 1},
    [FRAME_HELLO] = {1, 64, true, true, 0},
    [FRAME_READY] = {1, 16, true, true, 0},
    [FRAME_REFUSED] = {1, 4096, true, true, 255},
    [FRAME_STARTED] = {0, 0, true, false, 0},
    [FRAME_PROCESS] = {4, 4, true, false, 0},
    [FRAME_LINE] = {0, CM_PMI_LINE_BYTES, true, true, 0},
    [FRAME_LINE_BROKEN] = {1, 256, true, true, 0},
    [FRAME_LINE_END] = {0, 0, true, false, 0},
    [FRAME_OUTPUT] = {1, FRAME_DATA_BYTES, true, false, 1},
    [FRAME_OUTPUT_END] = {0, 0, true, false, 1},
    [FRAME_ENDED] = {8, 8, true, false, 0},
    [FRAME_STOPPED] = {0, 0, true, false, 64},
    [FRAME_NOT_STARTED] = {1, 4096, true, true, 0},
    [FRAME_INPUT_TAKEN] = {0, 0, true, false, 1},
    [FRAME_BYE] = {0, 0, true, false, 0},
    [FRAME_BEAT] = {0, 0, true, false, 0},
    [FRAME_HOST] = {0, 0, true, false, 0},
    [FRAME_BELOW] = {1, 1024, true, true, 0},
    [FRAME_LAUNCHER] = {1, FRAME_TEXT_BYTES, true, true, 0},
    [FRAME_GROW] = {4 * FRAME_GROW_NUMBERS, 4 * FRAME_GROW_NUMBERS, true, false, 0},
    [FRAME_KEYS] = {1, FRAME_DATA_BYTES, true, true, 0},
    [FRAME_LOST] = {1, 4096, true, true, 255},
};

static void put(unsigned char *to, uint32_t number)
{
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(number >> (24 - 8 * i));
}

static uint32_t get(const unsigned char *from)
{
    return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 | (uint32_t)from[2] << 8 | from[3];
}

void frame_head(const frame *frame, unsigned char head[FRAME_HEAD_BYTES])
{
    memcpy(head, magic, 2);
    head[2] = (unsigned char)frame->kind;
    head[3] = (unsigned char)frame->flag;
    put(head + 4, (uint32_t)frame->rank);
    put(head + 8, (uint32_t)frame->bytes);
}

void frame_put_number(char *data, size_t index, int32_t number)
{
    put((unsigned char *)data + 4 * index, (uint32_t)number);
}

int32_t frame_number(const frame *frame, size_t index)
{
    return (int32_t)get((const unsigned char *)frame->data + 4 * index);
}

/* Returns NULL, or what is wrong with the head. */
static const char *check(const unsigned char *head, frame *frame)
{
    if (memcmp(head, magic, 2) != 0) return "bytes that are no frame";
    uint32_t kind = head[2], rank = get(head + 4), bytes = get(head + 8);
    if (kind >= FRAME_KINDS || !kinds[kind].known) return "a frame of unknown kind";
    if (head[3] > kinds[kind].flags) return "a frame with an impossible flag";
    if (rank > INT32_MAX) return "a frame with an impossible rank";
    if (bytes < kinds[kind].least || bytes > kinds[kind].most)
        return "a frame of impossible length";
    frame->kind = (frame_kind)kind;
    frame->flag = head[3];
    frame->rank = (int)rank;
    frame->bytes = bytes;
    return NULL;
}

/* Makes room for the given number of bytes from start on, and a NUL after them. */
static bool reserve(frame_reader *reader, size_t bytes)
{
    if (reader->start > 0) {
        memmove(reader->bytes, reader->bytes + reader->start, reader->end - reader->start);
        reader->end -= reader->start;
        reader->start = 0;
    }
    if (bytes + 1 <= reader->capacity) return true;
    char *longer = realloc(reader->bytes, bytes + 1);
    if (!longer) return false;
    reader->bytes = longer;
    reader->capacity = bytes + 1;
    return true;
}

frame_read frame_next(frame_reader *reader, frame *frame, const char **why)
{
    size_t have = reader->end - reader->start;
    unsigned char head[FRAME_HEAD_BYTES];
    if (have < 1) return FRAME_MORE;
    memcpy(head, reader->bytes + reader->start, have < sizeof head ? have : sizeof head);
    /* Bytes that do not begin a frame (say, a handshake of the remote shell) may be shorter than a
       head. */
    if (head[0] != magic[0] || (have > 1 && head[1] != magic[1])) {
        *why = "bytes that are no frame";
        return FRAME_WRONG;
    }
    if (have < sizeof head) return FRAME_MORE;
    if ((*why = check(head, frame))) return FRAME_WRONG;
    size_t whole = sizeof head + frame->bytes;
    if (have < whole) return reserve(reader, whole) ? FRAME_MORE : FRAME_NO_MEMORY;
    /* Moves the data down by one byte, over the head, so that the NUL does not overwrite the next
       frame. */
    char *data = reader->bytes + reader->start + sizeof head - 1;
    memmove(data, data + 1, frame->bytes);
    data[frame->bytes] = '\0';
    frame->data = data;
    if (kinds[frame->kind].text && memchr(data, 0, frame->bytes)) {
        *why = "a text with a NUL inside";
        return FRAME_WRONG;
    }
    reader->start += whole;
    return FRAME_WHOLE;
}

bool frame_find(frame_reader *reader, frame_kind kind, size_t *dropped)
{
    const unsigned char begin[4] = {magic[0], magic[1], (unsigned char)kind, 0};
    size_t have = reader->end - reader->start;
    if (have < sizeof begin) return false;
    const char *start = reader->bytes + reader->start;
    const char *found = memmem(start, have, begin, sizeof begin);
    size_t drop = found ? (size_t)(found - start) : have - (sizeof begin - 1);
    reader->start += drop;
    *dropped += drop;
    return found != NULL;
}

char *frame_room(frame_reader *reader, size_t *bytes)
{
    enum { AT_ONCE = 65536 };
    size_t have = reader->end - reader->start;
    if (reader->capacity < AT_ONCE + 1 || reader->end + 1 >= reader->capacity)
        if (!reserve(reader, have < AT_ONCE / 2 ? AT_ONCE : 2 * have)) return NULL;
    *bytes = reader->capacity - 1 - reader->end;
    return reader->bytes + reader->end;
}

void frame_came(frame_reader *reader, size_t bytes) { reader->end += bytes; }

void frame_reader_free(frame_reader *reader)
{
    free(reader->bytes);
    *reader = (frame_reader){0};
}

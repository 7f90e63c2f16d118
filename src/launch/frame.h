/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.h: the messages between cmrun and its proxies on other hosts, as bytes: a head of 12 bytes
   (2 of magic, kind, flag, rank, length; numbers with the high byte first), then as many bytes of
   payload. Every kind has its own bounds, which are checked before anything is believed. */
#ifndef CM_LAUNCH_FRAME_H
#define CM_LAUNCH_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_HEAD_BYTES = 12,
    FRAME_TEXT_BYTES = 131072, /* longest argument or variable that Linux's exec takes */
    FRAME_DATA_BYTES = 16384   /* of output or input in one frame */
};

typedef enum {
    FRAME_NONE,
    /* from cmrun */
    FRAME_FOLDER,   /* text: to work in */
    FRAME_VARIABLE, /* text: NAME=VALUE */
    FRAME_ARGUMENT, /* text: the program, then its arguments */
    FRAME_PREPARE,  /* all of these were sent: can it be run? number: milliseconds
                                       of silence after which the other side is lost */
    FRAME_START,    /* frame_numbers FRAME_FIRST .. */
    FRAME_ANSWER,   /* rank, text: PMI line with its newline */
    FRAME_SIGNAL,   /* flag: for all ranks */
    FRAME_KILL,     /* rank: it and what it started */
    FRAME_HOLD,     /* flag: stream times 2, plus 1 to hold its output */
    FRAME_INPUT,    /* bytes for rank 0's stdin; none: its end */
    FRAME_CLEAR,    /* end what ranks left behind, then yourself; flag 1: at once */
    /* from the proxy */
    FRAME_HELLO,       /* text: version */
    FRAME_READY,       /* to PREPARE: yes */
    FRAME_REFUSED,     /* flag: exit status; text: why */
    FRAME_STARTED,     /* to START; then one FRAME_PROCESS a rank, unless it ended */
    FRAME_PROCESS,     /* rank; number: process id */
    FRAME_LINE,        /* rank, text: PMI line without newline */
    FRAME_LINE_BROKEN, /* rank, text: why */
    FRAME_LINE_END,    /* rank */
    FRAME_OUTPUT,      /* rank, flag: stream; bytes */
    FRAME_OUTPUT_END,  /* rank, flag: stream */
    FRAME_ENDED,       /* rank; numbers: process id, status as from waitpid */
    FRAME_STOPPED,     /* rank, flag: by this signal; 0: goes on */
    FRAME_NOT_STARTED, /* rank, text: "DOING: WHY" */
    FRAME_INPUT_TAKEN, /* more may be sent; flag 1: nobody reads any more */
    FRAME_BYE,         /* to CLEAR: nothing is left */
    /* from both */
    FRAME_BEAT, /* I am there */
    FRAME_KINDS
} frame_kind;

/* The payload of FRAME_START, as 32-bit numbers. */
enum {
    FRAME_FIRST,
    FRAME_STRIDE,
    FRAME_COUNT,
    FRAME_SIZE,
    FRAME_BIND,
    FRAME_WITH_INPUT,
    FRAME_NUMBERS
};

typedef struct {
    frame_kind kind;
    int flag;         /* 0 .. 255 */
    int rank;         /* 0 .. 2^31 - 1 */
    const char *data; /* a NUL follows; texts have none inside */
    size_t bytes;
} frame;

/* Bytes that have come in. Starts as zeros. */
typedef struct {
    char *bytes;
    size_t start, end, capacity;
} frame_reader;

typedef enum { FRAME_WHOLE, FRAME_MORE, FRAME_WRONG, FRAME_NO_MEMORY } frame_read;

/* The next frame, valid until the reader is used again. FRAME_WRONG: *why says what is; there is no
   way on from it. */
frame_read frame_next(frame_reader *reader, frame *frame, const char **why);

/* Room for the next bytes, *bytes of it, at least 1; NULL: out of memory. frame_came says how many
   were put there. */
char *frame_room(frame_reader *reader, size_t *bytes);
void frame_came(frame_reader *reader, size_t bytes);
void frame_reader_free(frame_reader *reader);

/* The head of a frame. */
void frame_head(const frame *frame, unsigned char head[FRAME_HEAD_BYTES]);

/* Payloads of numbers. */
void frame_put_number(char *data, size_t index, int32_t number);
int32_t frame_number(const frame *frame, size_t index);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.h: the messages between cmrun and its proxies on other hosts. A frame is a head of 12 bytes
   (magic of 2 bytes, kind, flag, rank, length; numbers in big-endian order) and a payload of the
   given length. Each kind has its own bounds, which are checked before the frame is used. */
#ifndef CM_LAUNCH_FRAME_H
#define CM_LAUNCH_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_HEAD_BYTES = 12,
    FRAME_TEXT_BYTES = 131072, /* longest argument or variable that Linux's exec takes */
    FRAME_DATA_BYTES = 16384   /* output or input bytes in one frame */
};

typedef enum {
    FRAME_NONE,
    /* from cmrun */
    FRAME_FOLDER,   /* text: the working folder */
    FRAME_VARIABLE, /* text: NAME=VALUE */
    FRAME_ARGUMENT, /* text: the program, then its arguments */
    FRAME_PREPARE,  /* all of the above was sent: can the program run? frame_prepare_numbers
                       FRAME_TIMEOUT_MS .. */
    FRAME_START,    /* frame_numbers FRAME_FIRST .. */
    FRAME_ANSWER,   /* rank, text: PMI line with its newline; flag 1: for all ranks there */
    FRAME_SIGNAL,   /* flag: signal for all ranks */
    FRAME_KILL,     /* rank: kill it and the processes it started */
    FRAME_HOLD,     /* flag: stream times 2, plus 1 to hold its output */
    FRAME_INPUT,    /* bytes for rank 0's stdin; empty at its end */
    FRAME_CLEAR,    /* end the processes that ranks left behind, then exit; flag 1: at once */
    /* from the proxy */
    FRAME_HELLO,       /* text: version */
    FRAME_READY,       /* answers PREPARE: the program can run; text: the computer, in hex */
    FRAME_REFUSED,     /* flag: exit status; text: why */
    FRAME_STARTED,     /* answers START; one FRAME_PROCESS follows for each rank that has not
                          ended */
    FRAME_PROCESS,     /* rank; number: process id */
    FRAME_LINE,        /* rank, text: PMI line without newline */
    FRAME_LINE_BROKEN, /* rank, text: why */
    FRAME_LINE_END,    /* rank */
    FRAME_OUTPUT,      /* rank, flag: stream; bytes */
    FRAME_OUTPUT_END,  /* rank, flag: stream */
    FRAME_ENDED,       /* rank; numbers: process id, status as from waitpid */
    FRAME_STOPPED,     /* rank, flag: signal that stopped it; 0: it runs again */
    FRAME_NOT_STARTED, /* rank, text: "ACTION: REASON" */
    FRAME_INPUT_TAKEN, /* the next input may be sent; flag 1: rank 0 no longer reads */
    FRAME_BYE,         /* answers CLEAR: no process is left */
    /* from both */
    FRAME_BEAT, /* sign of life */
    FRAME_HOST, /* rank: number of the host that the next frame goes to or comes from, if that is
                   not the proxy itself (tree.h) */
    /* from whoever started the proxy; the first three if it is to start others */
    FRAME_BELOW,    /* text: name of the next host below the proxy */
    FRAME_LAUNCHER, /* text: the launcher */
    FRAME_GROW,     /* all of the above was sent. frame_grow_numbers FRAME_NUMBER .. */
    FRAME_KEYS,     /* text: keys that are new (proxy_keys.h) */
    /* from a proxy about another that it has started */
    FRAME_LOST, /* flag: exit status; text: why */
    FRAME_KINDS
} frame_kind;

/* The payload of FRAME_PREPARE, as 32-bit numbers. */
enum {
    FRAME_TIMEOUT_MS, /* after this silence the other side counts as lost */
    FRAME_PER_HOST,   /* per_host_kind: what the slots of each host count */
    FRAME_SLOTS,      /* how many of these cmrun's host has */
    FRAME_PREPARE_NUMBERS
};

/* The payload of FRAME_START, as 32-bit numbers. */
enum {
    FRAME_FIRST,
    FRAME_STRIDE,
    FRAME_COUNT,
    FRAME_SIZE,
    FRAME_CORE, /* the core of the first rank there; -1: they are not bound */
    FRAME_WITH_INPUT,
    FRAME_NUMBERS
};

/* The payload of FRAME_GROW, as 32-bit numbers. */
enum {
    FRAME_NUMBER,           /* of the first host below */
    FRAME_FAN_OUT,          /* start so many proxies at most */
    FRAME_GROW_TIMEOUT_MS,  /* FRAME_TIMEOUT_MS of the hosts below */
    FRAME_START_TIMEOUT_MS, /* INT32_MAX: no limit */
    FRAME_GROW_NUMBERS
};

typedef struct {
    frame_kind kind;
    int flag;         /* 0 .. 255 */
    int rank;         /* 0 .. 2^31 - 1 */
    const char *data; /* followed by a NUL; texts contain none */
    size_t bytes;
} frame;

/* Bytes received so far. Initialize with zeros. */
typedef struct {
    char *bytes;
    size_t start, end, capacity;
} frame_reader;

typedef enum { FRAME_WHOLE, FRAME_MORE, FRAME_WRONG, FRAME_NO_MEMORY } frame_read;

/* Returns the next frame, valid until the reader is used again. After FRAME_WRONG, *why gives the
   reason and the stream cannot be read further. */
frame_read frame_next(frame_reader *reader, frame *frame, const char **why);

/* Drops bytes up to the first frame of this kind with flag 0, and adds their number to *dropped.
   Returns false if its first four bytes have not arrived yet. */
bool frame_find(frame_reader *reader, frame_kind kind, size_t *dropped);

/* Returns room for the next bytes, at least 1, and its size in *bytes; NULL if out of memory.
   frame_came then tells how many bytes were written there. */
char *frame_room(frame_reader *reader, size_t *bytes);
void frame_came(frame_reader *reader, size_t bytes);
void frame_reader_free(frame_reader *reader);

/* Writes the head of a frame. */
void frame_head(const frame *frame, unsigned char head[FRAME_HEAD_BYTES]);

/* Write and read numbers in a payload. */
void frame_put_number(char *data, size_t index, int32_t number);
int32_t frame_number(const frame *frame, size_t index);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_line.h: the lines of PMI-1 as launcher and rank both read them: "cmd=NAME key=value ...\n",
   bounded and checked (Balaji et al., "PMI: A scalable parallel process-management interface",
   EuroMPI 2010). */
#ifndef CM_PMI_LINE_H
#define CM_PMI_LINE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bounds with the closing NUL, the same as Hydra's except that a line may be longer than its
   1024. */
enum {
    CM_PMI_NAME_BYTES = 64,
    CM_PMI_KEY_BYTES = 64,
    CM_PMI_VALUE_BYTES = 1024,
    CM_PMI_LINE_BYTES = 4096
};

/* What has been read from one peer and not yet been taken. Starts as zeros. */
typedef struct {
    size_t start, end;
    char bytes[CM_PMI_LINE_BYTES];
} cm_pmi_reader;

typedef enum {
    CM_PMI_READ_LINE,     /* *line is a whole line, without its newline, until the next call */
    CM_PMI_READ_MORE,     /* nothing to read now */
    CM_PMI_READ_END,      /* the peer is gone */
    CM_PMI_READ_TOO_LONG, /* CM_PMI_LINE_BYTES without a newline */
    CM_PMI_READ_ERROR     /* see errno */
} cm_pmi_read;

/* The next line from the socket fd; waits for it only when wait is true. EINTR is handled. */
cm_pmi_read cm_pmi_reader_next(cm_pmi_reader *reader, int fd, bool wait, char **line);

/* A line as PMI-1 has it: begins with "cmd=", printable ASCII, words NAME=VALUE parted by
   spaces. */
bool cm_pmi_line_valid(const char *line);

/* Copies the value of the first word NAME=... ; false when there is none or it does not fit. */
bool cm_pmi_line_field(const char *line, const char *name, char *value, size_t capacity);

/* As above for a whole decimal number within int. */
bool cm_pmi_line_number(const char *line, const char *name, int *number);

/* Can text be a key or a value: 1 .. capacity-1 printable bytes without a space (keys: nor '=')? */
bool cm_pmi_key_valid(const char *text);
bool cm_pmi_value_valid(const char *text);

/* Any text as a value: bytes other than letters, digits and -._/: become %XX. Truncates at
   capacity. */
void cm_pmi_encode(const char *text, char *value, size_t capacity);
void cm_pmi_decode(const char *value, char *text, size_t capacity);

/* Sends a whole line without raising SIGPIPE; false: see errno. Waits while the socket is full. */
bool cm_pmi_line_send(int fd, const char *line, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif

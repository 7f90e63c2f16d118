/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_line.h: the lines of PMI-1 as both launcher and rank read them: "cmd=NAME key=value ...\n",
   bounded and checked (Balaji et al., "PMI: A scalable parallel process-management interface",
   EuroMPI 2010). */
#ifndef CM_PMI_LINE_H
#define CM_PMI_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

#ifdef __cplusplus
extern "C" {
#endif

/* Bounds, including the final NUL. They equal Hydra's, except that a line may be longer than its
   1024. */
enum {
    CM_PMI_NAME_BYTES = 64,
    CM_PMI_KEY_BYTES = 64,
    CM_PMI_VALUE_BYTES = 1024,
    CM_PMI_LINE_BYTES = 4096
};

/* Bytes that were read from one peer and not yet taken. Initialize with zeros. */
typedef struct {
    size_t start, end;
    char bytes[CM_PMI_LINE_BYTES];
} cm_pmi_reader;

typedef enum {
    CM_PMI_READ_LINE,     /* *line is a whole line without its newline, valid until the next call */
    CM_PMI_READ_MORE,     /* no whole line at the moment */
    CM_PMI_READ_END,      /* the peer is gone */
    CM_PMI_READ_TOO_LONG, /* CM_PMI_LINE_BYTES without a newline */
    CM_PMI_READ_ERROR     /* see errno */
} cm_pmi_read;

/* Reads the next line from the socket fd. Waits for it only if wait is true. Handles EINTR. */
cm_pmi_read cm_pmi_reader_next(cm_pmi_reader *reader, int fd, bool wait, char **line);

/* Returns true for a line of PMI-1: it begins with "cmd=" and consists of printable ASCII words
   NAME=VALUE separated by spaces. */
bool cm_pmi_line_valid(const char *line);

/* Copies the value of the first word NAME=... Returns false if there is none or if it does not
   fit. */
bool cm_pmi_line_field(const char *line, const char *name, char *value, size_t capacity);

/* The same for a whole decimal number in the range of int. */
bool cm_pmi_line_number(const char *line, const char *name, int *number);

/* Return true if text can be a key or a value: 1 to capacity-1 printable bytes without a space (in
   keys, also without '='). */
bool cm_pmi_key_valid(const char *text);
bool cm_pmi_value_valid(const char *text);

/* Encodes any text as a value: bytes other than letters, digits and -._/: become %XX. Truncates at
   capacity. */
void cm_pmi_encode(const char *text, char *value, size_t capacity);
void cm_pmi_decode(const char *value, char *text, size_t capacity);

/* In a list of values, each stands as "N:REST": the first N bytes of the value before it, then
   REST. shorten writes this text for value, at most CM_PMI_SHORT_BYTES with the NUL. lengthen turns
   *value, the value before, into the next one. It returns false if the text is none of these, or if
   the value has CM_PMI_VALUE_BYTES or more. */
enum { CM_PMI_SHORT_BYTES = CM_PMI_VALUE_BYTES + 8 };
void cm_pmi_shorten(const char *before, const char *value, char *text);
bool cm_pmi_lengthen(const char *text, size_t bytes, char value[CM_PMI_VALUE_BYTES]);

/* Sends a whole line without raising SIGPIPE. Waits while the socket is full. Returns false on
   failure; see errno. */
bool cm_pmi_line_send(int fd, const char *line, size_t bytes);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop
#endif

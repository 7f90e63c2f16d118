/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi2_message.c: reads the messages of PMI-2. */
#include "config.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include "comm/pmi/pmi2_message.h"

/* Returns the length in the head: digits with blanks around them. 0: it is none. */
static size_t length_of(const char head[CM_PMI2_HEAD_BYTES])
{
    size_t length = 0;
    int i = 0, digits = 0;
    while (i < CM_PMI2_HEAD_BYTES && head[i] == ' ') i++;
    for (; i < CM_PMI2_HEAD_BYTES && head[i] >= '0' && head[i] <= '9'; i++, digits++)
        length = 10 * length + (size_t)(head[i] - '0');
    while (i < CM_PMI2_HEAD_BYTES && (head[i] == ' ' || head[i] == '\0')) i++;
    return digits && i == CM_PMI2_HEAD_BYTES ? length : 0;
}

/* Takes the first message, if it is whole. */
static cm_pmi_read take(cm_pmi2_reader *reader, char **message)
{
    const size_t have = reader->end - reader->start;
    if (have < CM_PMI2_HEAD_BYTES) return CM_PMI_READ_MORE;
    size_t length = length_of(reader->bytes + reader->start);
    if (length == 0 || length >= CM_PMI2_MESSAGE_BYTES) return CM_PMI_READ_TOO_LONG;
    if (have < CM_PMI2_HEAD_BYTES + length) return CM_PMI_READ_MORE;
    /* Moved by one byte, over the head, so that the NUL does not overwrite the next message. */
    char *text = reader->bytes + reader->start + CM_PMI2_HEAD_BYTES - 1;
    memmove(text, text + 1, length);
    /* Such bytes would hide the rest, or break the lines that report it. */
    for (size_t i = 0; i < length; i++)
        if (text[i] < ' ' || text[i] > '~') text[i] = '?';
    text[length] = '\0';
    reader->start += CM_PMI2_HEAD_BYTES + length;
    *message = text;
    return CM_PMI_READ_LINE;
}

cm_pmi_read cm_pmi2_reader_next(cm_pmi2_reader *reader, int fd, bool wait, char **message)
{
    for (;;) {
        cm_pmi_read state = take(reader, message);
        if (state != CM_PMI_READ_MORE) return state;
        memmove(reader->bytes, reader->bytes + reader->start, reader->end - reader->start);
        reader->end -= reader->start;
        reader->start = 0;
        ssize_t got = recv(fd, reader->bytes + reader->end, sizeof reader->bytes - reader->end,
                           wait ? 0 : MSG_DONTWAIT);
        if (got > 0) reader->end += (size_t)got;
        else if (got == 0 || errno == ECONNRESET) return CM_PMI_READ_END;
        else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!wait) return CM_PMI_READ_MORE;
            struct pollfd readable = {.fd = fd, .events = POLLIN};
            poll(&readable, 1, -1);
        } else if (errno != EINTR) return CM_PMI_READ_ERROR;
    }
}

/* Returns the end of a field's text: a semicolon that is no pair, or the NUL. */
static const char *end_of(const char *text)
{
    while (*text && (*text != ';' || text[1] == ';')) text += *text == ';' ? 2 : 1;
    return text;
}

bool cm_pmi2_field(const char *message, const char *name, char *value, size_t capacity)
{
    const size_t length = strlen(name);
    for (const char *field = message; *field;) {
        const char *end = end_of(field);
        if (strncmp(field, name, length) == 0 && field[length] == '=') {
            size_t used = 0;
            for (const char *c = field + length + 1; c < end; c += *c == ';' ? 2 : 1) {
                if (used + 1 >= capacity) return false;
                value[used++] = *c;
            }
            value[used] = '\0';
            return true;
        }
        field = *end ? end + 1 : end;
    }
    return false;
}

bool cm_pmi2_success(const char *message)
{
    char code[16];
    return cm_pmi2_field(message, "rc", code, sizeof code) && strcmp(code, "0") == 0;
}

bool cm_pmi2_responds(const char *message, const char *command)
{
    char name[CM_PMI_NAME_BYTES];
    const size_t length = strlen(command);
    return cm_pmi2_field(message, "cmd", name, sizeof name) && strncmp(name, command, length) == 0
           && strcmp(name + length, "-response") == 0;
}

bool cm_pmi2_text_valid(const char *text)
{
    for (; *text; text++)
        if (*text <= ' ' || *text > '~' || *text == ';') return false;
    return true;
}

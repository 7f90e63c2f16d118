/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_line.c: reads, checks and writes the lines of PMI-1. */
#include "config.h"
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "comm/pmi/pmi_line.h"

static bool printable(char c) { return c > ' ' && c < 127; }

cm_pmi_read cm_pmi_reader_next(cm_pmi_reader *reader, int fd, bool wait, char **line)
{
    for (;;) {
        char *start = reader->bytes + reader->start;
        char *newline = memchr(start, '\n', reader->end - reader->start);
        if (newline) {
            *newline = '\0';
            /* A NUL inside would hide the rest of the line from string functions. Replacing it
               makes the line fail its check. */
            for (char *c = start; c < newline; c++)
                if (*c == '\0') *c = '\1';
            reader->start = (size_t)(newline + 1 - reader->bytes);
            *line = start;
            return CM_PMI_READ_LINE;
        }
        if (reader->start > 0) {
            memmove(reader->bytes, start, reader->end - reader->start);
            reader->end -= reader->start;
            reader->start = 0;
        }
        if (reader->end == sizeof reader->bytes) return CM_PMI_READ_TOO_LONG;
        ssize_t got = recv(fd, reader->bytes + reader->end, sizeof reader->bytes - reader->end,
                           wait ? 0 : MSG_DONTWAIT);
        if (got > 0) reader->end += (size_t)got;
        else if (got == 0 || errno == ECONNRESET) return CM_PMI_READ_END;
        else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!wait) return CM_PMI_READ_MORE;
            struct pollfd readable = {.fd = fd, .events = POLLIN}; /* another program set
                                                                      O_NONBLOCK */
            poll(&readable, 1, -1);
        } else if (errno != EINTR) return CM_PMI_READ_ERROR;
    }
}

bool cm_pmi_line_valid(const char *line)
{
    if (strncmp(line, "cmd=", 4) != 0 || !printable(line[4])) return false;
    for (const char *word = line; *word;) {
        if (*word == ' ') {
            word++;
            continue;
        }
        const char *c = word;
        while (printable(*c) && *c != '=') c++;
        if (c == word || *c != '=') return false;
        while (printable(*c)) c++;
        if (*c && *c != ' ') return false;
        word = c;
    }
    return true;
}

bool cm_pmi_line_field(const char *line, const char *name, char *value, size_t capacity)
{
    size_t length = strlen(name);
    for (const char *word = line; *word;) {
        size_t bytes = strcspn(word, " ");
        if (bytes > length && strncmp(word, name, length) == 0 && word[length] == '=') {
            bytes -= length + 1;
            if (bytes >= capacity) return false;
            memcpy(value, word + length + 1, bytes);
            value[bytes] = '\0';
            return true;
        }
        word += bytes;
        word += strspn(word, " ");
    }
    return false;
}

bool cm_pmi_line_number(const char *line, const char *name, int *number)
{
    char text[16], *end;
    if (!cm_pmi_line_field(line, name, text, sizeof text)) return false;
    if (text[0] != '-' && (text[0] < '0' || text[0] > '9')) return false;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || end == text || *end || value < INT_MIN || value > INT_MAX) return false;
    *number = (int)value;
    return true;
}

static bool word_valid(const char *text, size_t capacity, char refused)
{
    size_t i = 0;
    for (; text[i]; i++)
        if (i + 1 >= capacity || !printable(text[i]) || text[i] == refused) return false;
    return i > 0;
}

bool cm_pmi_key_valid(const char *text) { return word_valid(text, CM_PMI_KEY_BYTES, '='); }
bool cm_pmi_value_valid(const char *text) { return word_valid(text, CM_PMI_VALUE_BYTES, ' '); }

static bool plain(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
           || (c && strchr("-._/:", c));
}

void cm_pmi_encode(const char *text, char *value, size_t capacity)
{
    size_t used = 0;
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        size_t need = plain(c) ? 1 : 3;
        if (used + need >= capacity) break;
        if (need == 1) value[used] = (char)c;
        else snprintf(value + used, 4, "%%%02X", c);
        used += need;
    }
    value[used] = '\0';
}

static int hexadecimal(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

void cm_pmi_decode(const char *value, char *text, size_t capacity)
{
    size_t used = 0;
    while (*value && used + 1 < capacity) {
        int high = -1, low = -1;
        if (*value == '%' && (high = hexadecimal(value[1])) >= 0) low = hexadecimal(value[2]);
        if (low >= 0 && (high || low)) {
            text[used++] = (char)(high * 16 + low);
            value += 3;
        } else text[used++] = *value++;
    }
    text[used] = '\0';
}

void cm_pmi_shorten(const char *before, const char *value, char *text)
{
    size_t same = 0;
    while (value[same] && value[same] == before[same]) same++;
    snprintf(text, CM_PMI_SHORT_BYTES, "%zu:%s", same, value + same);
}

bool cm_pmi_lengthen(const char *text, size_t bytes, char value[CM_PMI_VALUE_BYTES])
{
    size_t same = 0, i = 0;
    for (; i < bytes && i < 4 && text[i] >= '0' && text[i] <= '9'; i++)
        same = 10 * same + (size_t)(text[i] - '0');
    if (i == 0 || i == bytes || text[i++] != ':') return false;
    if (same + (bytes - i) >= CM_PMI_VALUE_BYTES || strnlen(value, same) < same) return false;
    memcpy(value + same, text + i, bytes - i);
    value[same + bytes - i] = '\0';
    return true;
}

bool cm_pmi_line_send(int fd, const char *line, size_t bytes)
{
    while (bytes > 0) {
        ssize_t sent = send(fd, line, bytes, MSG_NOSIGNAL);
        if (sent >= 0) {
            line += sent;
            bytes -= (size_t)sent;
            continue;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd writable = {.fd = fd, .events = POLLOUT};
            poll(&writable, 1, -1);
        } else if (errno != EINTR) return false;
    }
    return true;
}

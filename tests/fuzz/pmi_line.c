/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_line.c: the reader of PMI's lines and what takes them apart, against plain words on what
   must come out. An input: what is read. */
#include "fuzz.h"
#include "comm/pmi/pmi_line.h"
#include <sys/socket.h>

static void check_text(const char *text)
{
    char value[CM_PMI_VALUE_BYTES], back[CM_PMI_VALUE_BYTES];
    cm_pmi_encode(text, value, sizeof value);
    FUZZ_CHECK(!*text || cm_pmi_value_valid(value));
    FUZZ_CHECK(strlen(value) < sizeof value);
    cm_pmi_decode(value, back, sizeof back);
    FUZZ_CHECK(strncmp(text, back, strlen(back)) == 0);
    FUZZ_CHECK(3 * strlen(text) >= sizeof value || strcmp(text, back) == 0);
    cm_pmi_decode(text, back, 8);
    FUZZ_CHECK(strlen(back) < 8);
}

static void check_line(const char *line)
{
    static const char *const names[] = {"cmd", "key", "value", "rc"};
    bool valid = cm_pmi_line_valid(line);
    for (const char *c = line; valid && *c; c++) FUZZ_CHECK(*c >= ' ' && *c < 127);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char small[8] = "", word[CM_PMI_KEY_BYTES + 8], large[CM_PMI_LINE_BYTES];
        int number;
        if (!cm_pmi_line_field(line, names[i], large, sizeof large)) {
            FUZZ_CHECK(!cm_pmi_line_field(line, names[i], small, sizeof small));
            continue;
        }
        FUZZ_CHECK(!strchr(large, ' '));
        snprintf(word, sizeof word, "%s=%.60s", names[i], large);
        FUZZ_CHECK(strstr(line, word));
        bool fits = strlen(large) < sizeof small;
        FUZZ_CHECK(cm_pmi_line_field(line, names[i], small, sizeof small) == fits);
        if (cm_pmi_line_number(line, names[i], &number)) FUZZ_CHECK(number == atol(large));
        if (valid && cm_pmi_key_valid(large)) FUZZ_CHECK(cm_pmi_value_valid(large));
    }
    check_text(line);
}

/* Lines come out as they went in, whatever the pieces. */
static void read_lines(int fd, const char *bytes, size_t n)
{
    static cm_pmi_reader reader;
    char *line;
    reader.start = reader.end = 0;
    for (;;) {
        switch (cm_pmi_reader_next(&reader, fd, false, &line)) {
        case CM_PMI_READ_LINE: {
            const char *newline = memchr(bytes, '\n', n);
            FUZZ_CHECK(newline && strlen(line) == (size_t)(newline - bytes));
            for (size_t i = 0; line[i]; i++) FUZZ_CHECK(line[i] == (bytes[i] ? bytes[i] : '\1'));
            n -= (size_t)(newline + 1 - bytes);
            bytes = newline + 1;
            check_line(line);
            break;
        }
        case CM_PMI_READ_END:
            FUZZ_CHECK(!memchr(bytes, '\n', n));
            return;
        case CM_PMI_READ_TOO_LONG:
            FUZZ_CHECK(n >= CM_PMI_LINE_BYTES && !memchr(bytes, '\n', CM_PMI_LINE_BYTES));
            return;
        default:
            FUZZ_CHECK(!"all was there to read");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    fuzz_input input = {data, bytes};
    int ends[2];
    if (bytes > 16384 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return 0;
    const char *text = (const char *)input.bytes;
    size_t sent = 0;
    /* The whole input fits into the socket; the size of the reader's buffer limits its reads. */
    while (sent < bytes) {
        ssize_t n = send(ends[1], text + sent, bytes - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        FUZZ_CHECK(n > 0);
        sent += (size_t)n;
    }
    shutdown(ends[1], SHUT_WR);
    read_lines(ends[0], text, bytes);
    close(ends[0]);
    close(ends[1]);
    return 0;
}

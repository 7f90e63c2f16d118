/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi2_message.c: the reader of PMI-2's messages and what takes them apart. An input: the length of
   pieces, what is read. */
#include "fuzz.h"
#include "comm/pmi/pmi2_message.h"
#include <sys/socket.h>

static void check_message(const char *message)
{
    static const char *const names[] = {"cmd", "rc", "found", "value"};
    FUZZ_CHECK(*message && strlen(message) < CM_PMI2_MESSAGE_BYTES);
    for (const char *c = message; *c; c++) FUZZ_CHECK(*c >= ' ' && *c <= '~');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char small[8] = "", large[CM_PMI2_MESSAGE_BYTES], word[24];
        bool there = cm_pmi2_field(message, names[i], large, sizeof large);
        bool fits = there && strlen(large) < sizeof small;
        FUZZ_CHECK(cm_pmi2_field(message, names[i], small, sizeof small) == fits);
        snprintf(word, sizeof word, "%s=", names[i]);
        FUZZ_CHECK(!there || strstr(message, word));
        FUZZ_CHECK(!fits || strcmp(small, large) == 0);
        if (there && !strchr(large, ';')) {
            snprintf(word, sizeof word, "%s=%.12s", names[i], large);
            FUZZ_CHECK(strstr(message, word));
        }
    }
    FUZZ_CHECK(!cm_pmi2_success(message) || strstr(message, "rc=0"));
    FUZZ_CHECK(!cm_pmi2_responds(message, "get") || strstr(message, "cmd=get-response"));
    FUZZ_CHECK(!cm_pmi2_text_valid(message) || !strchr(message, ';'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static cm_pmi2_reader reader;
    fuzz_input input = {data, bytes};
    int ends[2];
    char *message;
    size_t piece = 1 + fuzz_byte(&input) * 8u, in = 0, out = 0;
    reader = (cm_pmi2_reader){0};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) abort();
    cm_pmi_read state = CM_PMI_READ_MORE;
    while (state == CM_PMI_READ_MORE || state == CM_PMI_READ_LINE) {
        if (state == CM_PMI_READ_MORE) {
            if (!input.left) shutdown(ends[1], SHUT_WR);
            size_t n = piece;
            const char *some = fuzz_bytes(&input, &n);
            if (n && send(ends[1], some, n, MSG_DONTWAIT | MSG_NOSIGNAL) < 0) break;
            in += n;
        }
        state = cm_pmi2_reader_next(&reader, ends[0], false, &message);
        if (state != CM_PMI_READ_LINE) continue;
        check_message(message);
        out += CM_PMI2_HEAD_BYTES + strlen(message);
        FUZZ_CHECK(out <= in);
    }
    close(ends[0]);
    close(ends[1]);
    return 0;
}

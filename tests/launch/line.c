/* SPDX-License-Identifier: BSD-3-Clause */
/* line.c: the lines of PMI-1 (pmi_line.h): what is accepted, found, encoded, and how they
   are read. */
#include "config.h"
#include <sys/socket.h>
#include <unistd.h>
#include "comm/pmi/pmi_line.h"
#include "tap.h"

static void test_valid(void)
{
    static const char *const good[] = {"cmd=init",
                                       "cmd=put kvsname=k key=a value=b",
                                       "cmd=get_result rc=0 msg=ok value=a=b=c",
                                       "cmd=barrier_out ",
                                       "cmd=a  b=c",
                                       "cmd=get_result value="};
    static const char *const bad[] = {
        "",         " ",          "cmd",     "cmd=",  "cmd= a=b",     "a=b",    "cmd=a b",
        "cmd=a =b", "cmd=a\tb=c", "cmd=a\1", "CMD=a", "cmd=\303\244", " cmd=a", "mcmd=spawn"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        ok(cm_pmi_line_valid(good[i]), "'%s' is a line", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ok(!cm_pmi_line_valid(bad[i]), "bad line %d is refused", (int)i);
}

static void test_fields(void)
{
    static const char line[] =
        "cmd=get_result rc=-1 keys=no key=yes value=a=b key=again empty= n=12x big=99999999999";
    char value[16];
    int number = 5;
    ok(cm_pmi_line_field(line, "key", value, sizeof value), "a field is found");
    ok_text(value, "yes", "whole names count, and the first of two");
    ok(cm_pmi_line_field(line, "value", value, sizeof value), "a value with =");
    ok_text(value, "a=b", "is kept whole");
    ok(cm_pmi_line_field(line, "empty", value, sizeof value) && !*value,
       "an empty value is a value");
    ok(!cm_pmi_line_field(line, "ke", value, sizeof value), "a prefix of a name is not a name");
    ok(!cm_pmi_line_field(line, "a", value, sizeof value), "nor is a part of a value");
    ok(cm_pmi_line_field(line, "cmd", value, 11), "a value that just fits");
    ok(!cm_pmi_line_field(line, "cmd", value, 10), "one that does not");
    ok(cm_pmi_line_number(line, "rc", &number) && number == -1, "a number");
    ok(!cm_pmi_line_number(line, "n", &number), "12x is none");
    ok(!cm_pmi_line_number(line, "big", &number), "nor what does not fit in an int");
    ok(!cm_pmi_line_number(line, "empty", &number), "nor nothing");
    ok(number == -1, "and the result stays as it was");
}

static void test_keys(void)
{
    char text[CM_PMI_VALUE_BYTES + 1];
    memset(text, 'x', sizeof text);
    text[CM_PMI_KEY_BYTES - 1] = '\0';
    ok(cm_pmi_key_valid(text), "the longest key");
    text[CM_PMI_KEY_BYTES - 1] = 'x';
    text[CM_PMI_KEY_BYTES] = '\0';
    ok(!cm_pmi_key_valid(text), "a longer one");
    text[CM_PMI_KEY_BYTES] = 'x';
    text[CM_PMI_VALUE_BYTES - 1] = '\0';
    ok(cm_pmi_value_valid(text), "the longest value");
    text[CM_PMI_VALUE_BYTES - 1] = 'x';
    text[CM_PMI_VALUE_BYTES] = '\0';
    ok(!cm_pmi_value_valid(text), "a longer one");
    ok(!cm_pmi_key_valid("") && !cm_pmi_value_valid(""), "empty ones");
    ok(!cm_pmi_key_valid("a=b") && cm_pmi_value_valid("a=b"), "= belongs in values only");
    ok(!cm_pmi_key_valid("a b") && !cm_pmi_value_valid("a b"), "a space in neither");
    ok(!cm_pmi_value_valid("a\nb"), "nor a newline");
}

static void test_encoding(void)
{
    static const char text[] = "rank 3 on h\303\266st: 100 % = \"all\"\ttabs\n";
    char value[256], back[256];
    cm_pmi_encode(text, value, sizeof value);
    ok(cm_pmi_value_valid(value), "an encoded text is a value");
    cm_pmi_decode(value, back, sizeof back);
    ok_text(back, text, "and comes back as it was");
    cm_pmi_encode("ab cd", value, 6);
    ok_text(value, "ab%20", "encoding stops at the capacity");
    cm_pmi_encode("ab cd", value, 5);
    ok_text(value, "ab", "and never within a byte");
    cm_pmi_decode("a%2", back, sizeof back);
    ok_text(back, "a%2", "what is no code stays");
    cm_pmi_decode("a%00b%zz", back, sizeof back);
    ok_text(back, "a%00b%zz", "a NUL is none");
    cm_pmi_decode("abcdef", back, 4);
    ok_text(back, "abc", "decoding stops at the capacity");
}

static void test_reading(void)
{
    static cm_pmi_reader reader;
    static char many[CM_PMI_LINE_BYTES];
    int ends[2];
    char *line;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) {
        ok(false, "a socket pair");
        return;
    }
    ok(cm_pmi_reader_next(&reader, ends[0], false, &line) == CM_PMI_READ_MORE, "nothing to read");
    cm_pmi_line_send(ends[1], "one\ntwo\nthr", 11);
    ok(cm_pmi_reader_next(&reader, ends[0], true, &line) == CM_PMI_READ_LINE, "a line");
    ok_text(line, "one", "the first of two and a half");
    ok(cm_pmi_reader_next(&reader, ends[0], false, &line) == CM_PMI_READ_LINE, "a line");
    ok_text(line, "two", "the second");
    ok(cm_pmi_reader_next(&reader, ends[0], false, &line) == CM_PMI_READ_MORE, "half a line");
    memset(many, 'x', sizeof many);
    many[0] = 'e';
    many[1] = 'e';
    many[sizeof many - 4] = '\n';
    cm_pmi_line_send(ends[1], many, sizeof many - 3);
    ok(cm_pmi_reader_next(&reader, ends[0], true, &line) == CM_PMI_READ_LINE
           && strlen(line) == sizeof many - 1 && strncmp(line, "threexxx", 8) == 0,
       "the longest line");
    cm_pmi_line_send(ends[1], "a\0b\n", 4);
    ok(cm_pmi_reader_next(&reader, ends[0], true, &line) == CM_PMI_READ_LINE && strlen(line) == 3
           && !cm_pmi_line_valid(line),
       "a NUL does not hide what follows it");
    memset(many, 'x', sizeof many);
    cm_pmi_line_send(ends[1], many, sizeof many);
    ok(cm_pmi_reader_next(&reader, ends[0], true, &line) == CM_PMI_READ_TOO_LONG,
       "too long a line");
    close(ends[1]);
    memset(&reader, 0, sizeof reader);
    ok(cm_pmi_reader_next(&reader, ends[0], true, &line) == CM_PMI_READ_END, "the end");
    close(ends[0]);
    memset(&reader, 0, sizeof reader);
    ok(cm_pmi_reader_next(&reader, ends[0], true, &line) == CM_PMI_READ_ERROR, "a closed file");
}

int main(void)
{
    test_valid();
    test_fields();
    test_keys();
    test_encoding();
    test_reading();
    return tap_done();
}

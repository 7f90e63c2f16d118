/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c: lists of hosts, right and wrong, and which rank goes where. */
#include "config.h"
#include "tap.h"
#include "launch/host_list.h"
#include <stdlib.h>
#include <unistd.h>

/* "NAME:first/stride/count ..." of a list with ranks placed, or why not. */
static const char *placed(const char *text, int ranks)
{
    static char out[1024];
    host_list list;
    size_t used = 0;
    if (host_list_parse(text, &list, out, sizeof out) == 0) {
        if (!host_list_place(&list, ranks)) strcpy(out, "too many");
        else
            for (int i = 0; i < list.n; i++)
                used += (size_t)snprintf(out + used, sizeof out - used, "%s%s:%d/%d/%d",
                                         i ? " " : "", list.host[i].name, list.host[i].first,
                                         list.host[i].stride, list.host[i].count);
    }
    host_list_free(&list);
    return out;
}

static void refuse(const char *text, const char *word)
{
    char why[512] = "";
    host_list list;
    int status = host_list_parse(text, &list, why, sizeof why);
    ok(status == 2 && strstr(why, word), "'%.40s' is refused: %.80s", text, why);
    host_list_free(&list);
}

static int read_text(const char *text, host_list *list, char *why, size_t bytes)
{
    const char *name = "unit_hosts.tmp";
    FILE *file = fopen(name, "w");
    if (!file) return -1;
    fputs(text, file);
    fclose(file);
    int status = host_list_read(name, list, why, bytes);
    unlink(name);
    return status;
}

int main(void)
{
    ok_text(placed("a:2,b:2", 4), "a:0/1/2 b:2/1/2", "slots are filled in order");
    ok_text(placed("a:2,b:2", 3), "a:0/1/2 b:2/1/1", "fewer ranks than slots");
    ok_text(placed("a:2,b:2", 1), "a:0/1/1 b:1/1/0", "a host without ranks");
    ok_text(placed("a:2,b:2", 5), "too many", "more ranks than slots are refused");
    ok_text(placed("a:2,b", 4), "too many", "also when only one number is given");
    ok_text(placed("a,b", 5), "a:0/2/3 b:1/2/2", "without numbers they go round");
    ok_text(placed("a,b,c", 4), "a:0/3/2 b:1/3/1 c:2/3/1", "three hosts");
    ok_text(placed("a:2,b,a:3", 6), "a:0/1/5 b:5/1/1", "a host named twice has the sum");
    ok_text(placed("[fe80::1]:2,user@b.c", 3), "fe80::1:0/1/2 user@b.c:2/1/1", "IPv6, user");
    refuse("", "host name");
    refuse("a,,b", "host name");
    refuse("a,", "host name");
    refuse(":2", "host name");
    refuse("a b", "host name");
    refuse("-oProxyCommand=x", "host name");
    refuse("a;b", "host name");
    refuse("a:0", "SLOTS from 1");
    refuse("a:-1", "SLOTS from 1");
    refuse("a:x", "SLOTS from 1");
    refuse("a:", "SLOTS from 1");
    refuse("a:2x", "SLOTS from 1");
    refuse("a:65537", "SLOTS from 1");
    refuse("a:99999999999999999999", "SLOTS from 1");
    refuse("[fe80::1:2", "host name");
    refuse("a:65536,b", "65537 slots");

    host_list list;
    char why[512] = "";
    ok(host_list_parse("a:2,b:2,c:2", &list, why, sizeof why) == 0 && host_list_used(&list) == 0
           && host_list_place(&list, 3) && host_list_used(&list) == 2,
       "hosts with ranks are counted");
    host_list_free(&list);
    ok(read_text("# all\nnode1 2 # two\n\n  node2\r\nnode1 1\n", &list, why, sizeof why) == 0
           && list.n == 2 && list.host[0].slots == 3 && list.host[1].slots == 1 && list.counted,
       "a file %s", why);
    host_list_free(&list);
    ok(read_text("a\nb 0\n", &list, why, sizeof why) == 2 && strstr(why, "line 2: '0'"),
       "slots 0 in a file: %s", why);
    host_list_free(&list);
    ok(read_text("a 1 2\n", &list, why, sizeof why) == 2 && strstr(why, "line 1: unexpected '2'"),
       "a third word: %s", why);
    host_list_free(&list);
    ok(read_text("# none\n", &list, why, sizeof why) == 2 && strstr(why, "no host"),
       "an empty file: %s", why);
    host_list_free(&list);
    static char many[40000 * 8 + 1];
    for (size_t i = 0; i < 40000; i++) memcpy(many + 8 * i, "a 65536\n", 8);
    ok(read_text(many, &list, why, sizeof why) == 2 && strstr(why, "at most 65536"),
       "slots of one host that do not fit an int: %s", why);
    host_list_free(&list);
    ok(host_list_read("/no/such/file", &list, why, sizeof why) == 2, "no file: %s", why);
    host_list_free(&list);
    return tap_done();
}

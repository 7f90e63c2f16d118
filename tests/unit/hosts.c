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

static void refuse_file(const char *text, const char *word)
{
    char why[512] = "";
    host_list list;
    int status = read_text(text, &list, why, sizeof why);
    ok(status == 2 && strstr(why, word), "a file is refused: %s", why);
    host_list_free(&list);
}

/* The list as text, or why there is none. */
static const char *text_of(int status, host_list *list, const char *why)
{
    static char out[1024];
    char *text = status ? NULL : host_list_text(list);
    snprintf(out, sizeof out, "%s", text ? text : why);
    free(text);
    host_list_free(list);
    return out;
}

static const char *of_file(const char *text)
{
    char why[512] = "";
    host_list list;
    int status = read_text(text, &list, why, sizeof why);
    return text_of(status, &list, why);
}

static void files(void)
{
    ok_text(of_file("a\nb slots=2\nc:3\nd 4\n"), "a:1,b:2,c:3,d:4", "slots in all forms");
    ok_text(of_file("  # all\r\n\n\tn[08-10,2]x\t# four\nm\n"), "n08x,n09x,n10x,n2x,m",
            "ranges, comments, blank lines");
    ok_text(of_file("n[1-2] slots=2"), "n1:2,n2:2", "slots of a range, no last newline");
    ok_text(of_file("fe80::1\n[fe80::2]:2\nfe80::3 slots=3\n"),
            "[fe80::1]:1,[fe80::2]:2,[fe80::3]:3", "IPv6");
    ok_text(of_file("a\nb\na\nb\n"), "a:2,b:2", "a host for each slot");
    refuse_file("a\nb slots=0\n", "line 2: 'slots=0' is not a number of slots; expected lines");
    ok_text(of_file("a slots=2 max_slots=4\nb slots = 3\nc slots= 4 max-slots =8\nd max_slots=2\n"),
            "a:2,b:3,c:4,d:1", "Open MPI's max_slots, and blanks around '='");
    ok_text(of_file("a:2 binding=user:4,5\nb cpu=2\nc 3 user=me\n"), "a:2,b:1,c:3",
            "words of Hydra and LAM");
    ok_text(of_file("\xef\xbb\xbf"
                    "a slots=2\n"),
            "a:2", "a byte order mark");
    refuse_file("a\n\xef\xbb\xbf"
                "b\n",
                "line 2: '");
    refuse_file("a slots=2 max_slots=x\n", "line 1: 'max_slots=x' is not a number of slots");
    refuse_file("a slots=2 slots=3\n", "line 1: unexpected 'slots=3' after the slots");
    refuse_file("a slots=2 weight=3\n", "line 1: unexpected 'weight=3' after the slots");
    refuse_file("a:2 3\n", "line 1: 'a:2' and '3': expected only one of them");
    refuse_file("a\n\nb:x\n", "line 3: 'b:x' has no valid number of slots");
    refuse_file("n[3-1]\n", "line 1: 'n[3-1]' has a range that ends before it begins");
    refuse_file("n[1-\n", "line 1: 'n[1-' has no ']'");
    refuse_file("n[1,]\n", "line 1: 'n[1,]' has no valid range");
    refuse_file("a,b\n", "line 1: 'a,b' has no valid host name; expected lines");
    refuse_file("", "names no host; expected lines HOST");
}

/* This host is recognized by its names; the same name in another domain is another host. */
static void names_of_this_host(void)
{
    char own[200] = "", text[2048], want[1024], why[512] = "";
    host_list list;
    gethostname(own, sizeof own - 1);
    own[strcspn(own, ".")] = '\0';
    ok_text(of_file("mpi-worker.1.foo.net\nmpi-worker.2.foo.net\n"),
            "mpi-worker.1.foo.net,mpi-worker.2.foo.net", "names whose first part is equal");
    ok_text(of_file("node1.a slots=2\nnode1.b slots=2\nnode1.a slots=2\n"), "node1.a:4,node1.b:2",
            "two hosts");
    snprintf(text, sizeof text, "%s.a\n%s.b\n%s.a\n", own, own, own);
    snprintf(want, sizeof want, "%s.a:2,%s.b", own, own);
    ok_text(of_file(text), want, "also if this host could be both");
    ok(read_text(text, &list, why, sizeof why) == 0 && !list.host[0].local && !list.host[1].local,
       "which the launcher decides");
    host_list_free(&list);
    snprintf(text, sizeof text, "localhost\n%s\n%s.a\n", own, own);
    ok(read_text(text, &list, why, sizeof why) == 0 && list.n == 1 && list.host[0].local
           && list.host[0].slots == 3,
       "its short and its full name are one host");
    host_list_free(&list);
}

int main(void)
{
    ok_text(placed("n[1-2]:2,m", 5), "n1:0/1/2 n2:2/1/2 m:4/1/1", "ranges");
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
    refuse("[fe80::1:2", "no ']' after");
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
    files();
    names_of_this_host();
    return tap_done();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* first.c: the first screen of the report: its sentence, the tiles' values, bounds and lights, and
   the references of other machines, on results made up for it. */
#include "config.h"
#include "tap.h"
#include <stdlib.h>
#include <unistd.h>
#include "report/reference.h"
#include "report/tile.h"
#include "common/memory.h"
#include "common/unit.h"

/* ---- Results --------------------------------------------------------------------------------- */

enum { STREAM, HINT, NODES, NETPIPE, HEAT, NOISE, RUNS };
static char *const names[RUNS] = {"stream", "hint", "nodes", "netpipe", "heat", "noise"};

#define HOSTS(n) \
    "# hosts: " #n "\n# comm: sockets\n# transport: tcp\n# cpu: A Processor\n# cores: 2\n"
#define NIC(Mbit) "# nic: eth0 driver=d mtu_bytes=9000 speed_Mbit_per_s=" #Mbit " offloads=rx\n"
#define ROW " x\n 1\n"

static const char *const one_host[RUNS] = {
    [STREAM] =
        HOSTS(1) "# ranks: 2\n# memory_channels: 2\n# memory_peak_bytes_per_s: 5.12e+10\n" ROW
                 "# RESULT: PASS triad_MB_per_s 40000 MB/s low=39000 high=41000 "
                 "interval=range over=launches n=3 disturbed=no\n",
    [NODES] = HOSTS(1) "# ranks: 2\n# vector_bits: 256\n# fma_units: 2\n# core_clock_hz: 2.5e9\n"
                       "# core_peak_flop_per_s: 4e10\n" ROW
                       "# RESULT: PASS gemm_Mflop_per_s 30000 Mflop/s\n",
    [NETPIPE] = HOSTS(1) NIC(10000) "# ranks: 2\n" ROW "# RESULT: PASS latency_us 0.25 us\n"
                                    "# RESULT: PASS peak_Mbit_per_s 166186 Mbit/s\n",
    [HEAT] = HOSTS(1) "# ranks: 2\n" ROW "# RESULT: PASS speed_up 1.72593 1\n"
                      "# RESULT: PASS gain_over_plain 2.546 1\n",
};

#define FINDING "# finding: n17: triad at 0.7 of the others (9 deviations; 4 count): its memory\n"
static const char *const cluster[RUNS] = {
    [STREAM] = HOSTS(4) "# ranks: 8\n" ROW "# RESULT: PASS triad_MB_per_s 40000 MB/s\n",
    [HINT] = HOSTS(1) "# ranks: 1\n" ROW "# RESULT: PASS peak_quips_double 1.6e8 QUIPS\n",
    [NODES] = HOSTS(4) "# ranks: 8\n" ROW FINDING "# RESULT: FAIL findings 1 1\n"
                       "# RESULT: PASS gemm_Mflop_per_s 30000 Mflop/s\n",
    [NETPIPE] = HOSTS(2)
        NIC(10000) "# ranks: 2\n" ROW "# RESULT: PASS latency_us 25.1 us\n"
                   "# RESULT: PASS peak_Mbit_per_s 6100 Mbit/s low=6000 high=6200 interval=95% "
                   "over=launches n=6 disturbed=no\n"
                   "# RESULT: PASS bandwidth_Mbit_per_s 6340 Mbit/s\n",
    [HEAT] = HOSTS(4) "# ranks: 8\n" ROW "# RESULT: FAIL speed_up 3 1\n",
};

static const suite_home no_home = {0};
static suite_run runs[RUNS];
static suite_entry entries[RUNS];
static suite_table table = {runs, RUNS};
static suite_place place;
static suite_measured measured = {.table = &table, .entry = entries, .place = &place};
static suite_tile *tile;
static const suite_tile_kind *kind_of(const char *key)
{
    size_t k = 0;
    while (strcmp(suite_tile_kinds[k].key, key) != 0) k++;
    return &suite_tile_kinds[k];
}
static const suite_tile *of(const char *key) { return &tile[kind_of(key) - suite_tile_kinds]; }

static char *file_of(const char *text)
{
    char *path = suite_copy("first.XXXXXX");
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text)) {
        puts("Bail out! cannot write a file");
        exit(99);
    }
    close(fd);
    return path;
}

static void set(int run, const char *text)
{
    char why[256];
    suite_entry *entry = &entries[run];
    free(entry->text);
    cm_record_free(&entry->record);
    *entry = (suite_entry){.state = SUITE_SKIPPED, .text = suite_copy("not run")};
    runs[run] = (suite_run){.name = names[run], .base = names[run], .program = names[run]};
    if (!text) return;
    char *path = file_of(text);
    entry->state = SUITE_COMPLETE;
    if (!cm_record_read(path, &entry->record, why, sizeof why)) printf("Bail out! %s\n", why);
    unlink(path);
    free(path);
}

static void make(const char *const *texts)
{
    for (int k = 0; k < RUNS; k++) set(k, texts[k]);
    suite_tiles_free(tile);
    tile = suite_tiles_make(&measured);
}

/* Again, with another result of one run. */
static void make_with(int run, const char *text)
{
    set(run, text);
    suite_tiles_free(tile);
    tile = suite_tiles_make(&measured);
}

static void sentence_is(const char *want, const char *name)
{
    char *sentence = suite_first_sentence(&measured, tile);
    ok_text(sentence, want, name);
    free(sentence);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static void test_words(void)
{
    static const struct {
        double value;
        const char *text;
    } numbers[] = {{60.4713, "60.5"},  {0.134272, "0.134"}, {2780, "2780"},
                   {442010, "442000"}, {9.996, "10.0"},     {99.96, "100"},
                   {1, "1.00"},        {0.0018, "0.00180"}, {0, "0"}};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
        char *text = suite_three_digits(numbers[k].value);
        ok_text(text, numbers[k].text, "three digits");
        free(text);
    }
}

static void test_units(void)
{
    static const struct {
        double value;
        const char *unit, *metric, *text;
    } values[] = {
        {47700, "MB/s", "triad_MB_per_s", "47.7 GB/s"},
        {2.421e-8, "s", "g_s_per_word", "24.2 ns"},
        {1.459e8, "1/s", "keys_per_s", "146 million keys/s"},
        {2.5e9, "1/s", "classic_keys_per_s", "2.50 billion keys/s"},
        {812, "1/s", "messages_per_s", "812 messages/s"},
        {812, "1/s", NULL, "812 1/s"},
        {3e6, "1/s", NULL, "3.00 million/s"},
        {1.6e8, "QUIPS", "peak_quips_double", "160 million QUIPS"},
        {0.25, "us", "latency_us", "250 ns"},
        {1, "us", NULL, "1.00 \xc2\xb5s"},
        {1e-3, "s", NULL, "1.00 ms"},
        {1230001, "us", NULL, "1.23 s"},
        {250000, "ns", NULL, "250 \xc2\xb5s"},
        {4e-10, "s", NULL, "0.400 ns"},
        {7200, "s", NULL, "7200 s"},
        {0.08, "ns/B", "G_ns_per_byte", "0.0800 ns/B"},
        {94, "Mbit/s", NULL, "94.0 Mbit/s"},
        {166186, "Mbit/s", NULL, "166 Gbit/s"},
        {0.5, "MB/s", NULL, "500 kB/s"},
        {4e6, "MB/s", NULL, "4.00 TB/s"},
        {0.03, "Gflop/s", NULL, "30.0 Mflop/s"},
        {32768, "B", NULL, "32.8 kB"},
        {3.2, "GLUP/s", NULL, "3.20 GLUP/s"},
        {-0.5, "us", NULL, "-500 ns"},
        {0, "us", NULL, "0 \xc2\xb5s"},
        {88.2, "%", NULL, "88.2 %"},
        {1.7, "1", NULL, "1.70 "},
        {1230001, "1", NULL, "1.23 million"},
        {5, "kittens/s", NULL, "5.00 kittens/s"},
    };
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        char words[SUITE_UNIT];
        double divisor = suite_unit_easy(values[k].value, values[k].unit, values[k].metric, words);
        char *number = suite_three_digits(values[k].value / divisor);
        char *text = suite_text("%s %s", number, words);
        ok_text(text, values[k].text, values[k].unit);
        free(text);
        free(number);
    }
    static const struct {
        size_t n;
        const char *many, *text;
    } counts[] = {{1, "launches", "1 launch"}, {2, "launches", "2 launches"},
                  {1, "samples", "1 sample"},  {1, "rank", "1 rank"},
                  {0, "trials", "0 trials"},   {1, "times", "1 time"}};
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        char *text = suite_counted(counts[k].n, counts[k].many);
        ok_text(text, counts[k].text, "a count");
        free(text);
    }
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

static void test_digits(void)
{
    static const struct {
        double value, low, high;
        const char *text;
    } rows[] = {
        {0.167234, 0.164, 0.1754, "0.167, 0.164 to 0.175"},
        {34.5678, 34.561, 34.574, "34.57, 34.56 to 34.57"},
        {47.71, 47.70999, 47.71001, "47.710, 47.710 to 47.710"}, /* five are the most */
        {12345.6, 11000, 14000, "12300, 11000 to 14000"},
        {9.996, 9.5, 10.4, "10.0, 9.5 to 10.4"},
        {0.167, 0.0021, 35.31, "0.167, 0.00210 to 35.3"}, /* ends that are far away */
        {2, 1.9, 2.1, "2.00, 1.90 to 2.10"},
        {-21.5, -30, -20, "-21.5, -30.0 to -20.0"},
        {0, -1, 1, "0, -1.00 to 1.00"},
        {1.5e9, 1.4e9, 1.6e9, "1.50e9, 1.40e9 to 1.60e9"},
        {4096, NAN, NAN, "4096, - to -"}, /* a count */
        {4096.5, NAN, NAN, "4100, - to -"},
        {65536, 65536, 65536, "65536, 65536 to 65536"},
        {123456.789, 123456.1, 123457.9, "123457, 123456 to 123458"},
        {0.16723, 0.16723, 0.16723, "0.167, 0.167 to 0.167"},
        {NAN, NAN, NAN, "-, - to -"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        suite_digits digits = suite_digits_of(rows[k].value, rows[k].low, rows[k].high);
        char *text = suite_text("%s, %s to %s", digits.value, digits.low, digits.high);
        ok_text(text, rows[k].text, rows[k].text);
        free(text);
    }
}

static void test_one_host(void)
{
    make(one_host);
    ok(of("memory")->value == 40000 && of("memory")->low == 39000 && of("memory")->high == 41000,
       "memory and its interval");
    ok_near(of("memory")->bound, 51200, 1e-9, "two channels of DDR4-3200");
    ok(of("memory")->light == SUITE_LIGHT_GOOD, "78 %% of it are good");
    ok_near(of("arithmetic")->value, 30, 1e-9, "30,000 Mflop/s are 30 Gflop/s");
    ok_near(of("arithmetic")->bound, 80, 1e-9, "of two cores with 40 each");
    ok(of("arithmetic")->light == SUITE_LIGHT_SLOW, "which is slow");
    ok_near(of("scaling")->value, 86.2965, 1e-9, "a speed-up over the ranks, in %");
    ok(of("scaling")->light == SUITE_LIGHT_GOOD, "which is good");
    ok_text(of("scaling")->what,
            "Parallel efficiency of heat diffusion on 2 ranks: 1.73 times as fast as one rank, "
            "whose kernel is 2.55 times as fast as plain loops",
            "the speed-up and the kernel's gain are two numbers");
    ok(!isfinite(of("bandwidth")->bound) && of("bandwidth")->light == SUITE_LIGHT_NONE,
       "inside a host no link bounds a rate");
    ok_text(of("bandwidth")->what,
            "Highest throughput of all message sizes between two cores of this host; no bandwidth "
            "could be fitted",
            "the highest row is named as such");
    ok(!of("core")->record && of("core")->light == SUITE_LIGHT_NONE, "what was not run");
    ok_text(of("core")->missing, "not run", "says so");
    sentence_is("One host, 2 cores (A Processor), TCP: no network was measured; memory at 78 % of "
                "its channels' speed; arithmetic at 38 % of its cores' peak.",
                "one host in a sentence");
}

static void test_cluster(void)
{
    make(cluster);
    ok_near(of("bandwidth")->bound, 10000, 1e-9, "10 Gbit/s Ethernet");
    ok(of("bandwidth")->light == SUITE_LIGHT_LOOK, "61 %% of it need a look");
    ok(of("bandwidth")->value == 6100, "the value is that of the highest row");
    ok_text(of("bandwidth")->what,
            "Highest throughput of all message sizes between two hosts; bandwidth fitted to the "
            "longest messages: 6.34 Gbit/s",
            "which the fitted slope stands beside");
    ok(of("memory")->light == SUITE_LIGHT_SLOW, "a host that cm-nodes names is slow");
    ok(strstr(of("memory")->why, "n17"), "and is named");
    ok(of("latency")->light == SUITE_LIGHT_GOOD, "where nobody stands out all is good");
    ok(of("scaling")->light == SUITE_LIGHT_SLOW, "a wrong answer is not");
    ok_text(of("scaling")->what,
            "Parallel efficiency of heat diffusion on 8 ranks: 3.00 times as fast as one rank",
            "without a gain it is not said");
    sentence_is("Wrong answers: heat. Four hosts, 4 x 2 cores (A Processor), TCP over 10 Gbit/s "
                "Ethernet: network at 61 % of its link's speed; host n17's memory is 30 % slower "
                "than the others'.",
                "a cluster in a sentence");

    make_with(
        NETPIPE,
        HOSTS(2)
            NIC(10000) "# ranks: 2\n" ROW
                       "# RESULT: PASS peak_Mbit_per_s 7400 Mbit/s low=7300 high=7500 interval=95% "
                       "over=launches n=6 disturbed=no\n");
    ok(of("bandwidth")->light == SUITE_LIGHT_NONE, "an interval that spans 3/4 is none");
    make_with(NETPIPE, HOSTS(2) NIC(10000) "# ranks: 2\n# oversubscribed: yes\n" ROW
                                           "# RESULT: PASS peak_Mbit_per_s 100 Mbit/s\n");
    ok(of("bandwidth")->light == SUITE_LIGHT_NONE, "too many ranks are no measure");
    make_with(NETPIPE, HOSTS(2) NIC(10000) "# ranks: 2\n" ROW
                                           "# RESULT: PASS peak_Mbit_per_s 16000 Mbit/s\n");
    ok(of("bandwidth")->light == SUITE_LIGHT_NONE, "more than a bound allows: it is none");
    make_with(NETPIPE,
              "# comm: mpi\n# hosts: 2\n# comm_version: Open MPI v4.1.4, package: x\n"
              "# infiniband: mlx5_0/1 rate=100 Gb/sec (4X EDR) link=InfiniBand\n" NIC(
                  1000) "# ranks: 2\n" ROW "# RESULT: PASS peak_Mbit_per_s 80000 Mbit/s\n");
    ok_near(of("bandwidth")->bound, 1e5, 1e-9, "an MPI has the InfiniBand port");
    make_with(NETPIPE,
              "# comm: sockets\n# hosts: 2\n# interface: eth1\n# transport: tcp\n" NIC(
                  1000) "# nic: eth1 mtu_bytes=9000 speed_Mbit_per_s=25000\n# ranks: 2\n" ROW
                        "# RESULT: PASS peak_Mbit_per_s 20000 Mbit/s\n");
    ok_near(of("bandwidth")->bound, 25000, 1e-9, "sockets have their interface");
}

/* A cluster of whose hosts cm-nodes says this. */
static void make_odd(const char *finding)
{
    char *text = suite_text("%s# finding: %s\n# RESULT: FAIL findings 1 1\n"
                            "# RESULT: PASS gemm_Mflop_per_s 30000 Mflop/s\n",
                            HOSTS(4) "# ranks: 8\n" ROW, finding);
    make(cluster);
    make_with(NODES, text);
    free(text);
}

static void sentence_ends(const char *want, const char *name)
{
    char *sentence = suite_first_sentence(&measured, tile), *end = strrchr(sentence, ';');
    ok_text(end ? end + 2 : sentence, want, name);
    free(sentence);
}

/* Lost packets are a share, and a burn-in compares a host with itself. */
static void test_odd(void)
{
    make_odd("n3: lost packets (in 3 of 3 launches) "
             "[value=0.051 unit=1 bound=0.002 quantity=sent_again]");
    ok(of("bandwidth")->light == SUITE_LIGHT_SLOW, "lost packets are slow");
    ok_text(of("bandwidth")->why,
            "n3 loses packets: 5.1 % of its TCP segments are sent again (cm-nodes, in 3 of 3 "
            "launches); 61 % of 10 Gbit/s Ethernet",
            "and are called so");
    sentence_ends("5.1 % of n3's TCP segments are sent again: lost packets (in 3 of 3 launches).",
                  "so does the sentence");
    make_odd("n3-n4: lost packets [value=0.032 unit=1 bound=0.002 quantity=pair_sent_again]");
    ok(of("bandwidth")->light == SUITE_LIGHT_SLOW, "those of a pair");
    sentence_ends("3.2 % of n3-n4's TCP segments are sent again: lost packets.", "with its share");
    make_odd("n3: got slower [value=0.7 unit=1 bound=0.9 quantity=triad_over_time]");
    ok(of("memory")->light == SUITE_LIGHT_SLOW, "a burn-in judges its tile");
    ok_text(of("memory")->why, "n3 got worse in the burn-in: 70 % of what it was before (cm-nodes)",
            "beside the host itself");
    sentence_ends("host n3's memory fell to 70 % of what it was before, in the burn-in.",
                  "and not the others");
    make_odd("n3: got slower [value=0.5 unit=1 bound=0.9 quantity=latency_over_time]");
    ok_text(of("latency")->why,
            "n3 got worse in the burn-in: 200 % of what it was before (cm-nodes)",
            "a rate of half is twice the latency");
    sentence_ends("host n3's latency rose to 2 times what it was before, in the burn-in.",
                  "in the sentence, too");
    make_odd("n3: its clock is off [value=0.2 unit=s bound=0.01 quantity=clock]");
    sentence_ends("host n3's clock is not like the others'.", "a clock judges no tile");
}

/* A network of which the interval and the disturbance are said. */
static void judge(const char *metric, suite_light light, const char *name)
{
    char *text = suite_text("%s# RESULT: PASS peak_Mbit_per_s %s\n",
                            HOSTS(2) NIC(10000) "# ranks: 2\n" ROW, metric);
    make_with(NETPIPE, text);
    ok(of("bandwidth")->light == light, "%s: %s", name, of("bandwidth")->why);
    free(text);
}

#define OVER " interval=95% over=launches n=6 disturbed="

static void test_noise(void)
{
    static const char *const nothing[RUNS] = {0};
    make(nothing);
    /* No interval may make a light better than its worse end, nor worse than its better one. */
    judge("9000 Mbit/s low=7600 high=9500" OVER "no", SUITE_LIGHT_GOOD, "all of it reaches 3/4");
    judge("9000 Mbit/s low=7400 high=9500" OVER "no", SUITE_LIGHT_NONE, "it spans 3/4");
    judge("7400 Mbit/s low=5100 high=7450" OVER "no", SUITE_LIGHT_LOOK, "between the limits");
    judge("6000 Mbit/s low=4900 high=7000" OVER "no", SUITE_LIGHT_NONE, "it spans 1/2");
    judge("6780 Mbit/s low=4170 high=17300" OVER "no", SUITE_LIGHT_NONE, "it spans both");
    judge("3000 Mbit/s low=500 high=4900" OVER "no", SUITE_LIGHT_SLOW, "none of it reaches 1/2");
    judge("8000 Mbit/s", SUITE_LIGHT_GOOD, "one value");

    /* One disturbed value among others. */
    make(cluster);
    set(NODES, HOSTS(4) "# ranks: 8\n" ROW "# RESULT: PASS gemm_Mflop_per_s 30000 Mflop/s\n");
    judge("9000 Mbit/s low=8000 high=9500" OVER "no\n# RESULT: PASS a 1 1 disturbed=no",
          SUITE_LIGHT_GOOD, "undisturbed");
    judge("9000 Mbit/s low=8000 high=9500" OVER "yes\n# RESULT: PASS a 1 1 disturbed=no",
          SUITE_LIGHT_NONE, "disturbed");
    ok_text(of("bandwidth")->why, "Disturbed: measure again", "and says what to do");

    /* A busy machine, by most of its metrics. */
    judge("9000 Mbit/s low=8000 high=9500" OVER "yes\n# RESULT: PASS a 1 1 disturbed=yes",
          SUITE_LIGHT_NONE, "most are disturbed");
    ok(of("latency")->light == SUITE_LIGHT_NONE && of("memory")->light == SUITE_LIGHT_NONE,
       "no other speed is judged");
    ok(of("scaling")->light == SUITE_LIGHT_SLOW, "a wrong answer stays one");
    char *sentence = suite_first_sentence(&measured, tile);
    ok(strncmp(sentence,
               "Wrong answers: heat. The machine was busy (2 of 2 metrics were disturbed): measure "
               "again. Four",
               90)
           == 0,
       "it is said before the machine: %s", sentence);
    free(sentence);

    /* By cm-noise. */
    make(cluster);
    make_with(NOISE, HOSTS(1) "# ranks: 2\n" ROW "# RESULT: PASS lost_percent 0.3 %\n");
    ok(of("bandwidth")->light == SUITE_LIGHT_LOOK, "0.3 %% are lost on quiet machines, too");
    make_with(NOISE, HOSTS(1) "# ranks: 2\n" ROW "# RESULT: PASS lost_percent 88.2 %\n");
    for (size_t k = 0; k < suite_tile_n_kinds; k++)
        ok(&tile[k] == of("scaling") || tile[k].light == SUITE_LIGHT_NONE, "88 %% lost: no light");
    sentence_is("Wrong answers: heat. The machine was busy (cm-noise: a core lost 88 % of its "
                "time): measure again. "
                "Four hosts, 4 x 2 cores (A Processor), TCP over 10 Gbit/s Ethernet: network at "
                "61 % of its link's speed; host n17's memory is 30 % slower than the others'.",
                "a busy cluster in a sentence");
}

static void test_no_machine(void)
{
    place.name = (char[]){"fat-tree"};
    make(cluster);
    ok(of("bandwidth")->record && !isfinite(of("bandwidth")->bound)
           && of("bandwidth")->light == SUITE_LIGHT_NONE,
       "simulated: the card of this machine is no bound");
    sentence_is(
        "Wrong answers: heat. Four simulated hosts of the place fat-tree: all numbers are a "
        "model's, none was measured.",
        "a simulated place in a sentence");
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    ok(suite_tiles_write(out, &measured) == 0, "no machine's reference");
    fclose(out);
    free(text);
    place.is_virtual = true;
    make_with(NETPIPE, "# comm: sockets\n# hosts: 4\n# transport: tcp\n# virtual_rate: 100mbit\n"
                       "# ranks: 2\n" NIC(10000) ROW "# RESULT: PASS peak_Mbit_per_s 94 Mbit/s\n");
    ok_near(of("bandwidth")->bound, 100, 1e-9, "virtual hosts have the rate that they were given");
    place = (suite_place){0};
    make_with(STREAM, "# comm: dummy\n# hosts: 1\n# ranks: 2\n" ROW
                      "# RESULT: PASS triad_MB_per_s 1 MB/s\n");
    sentence_is(
        "Wrong answers: heat. The dummy backend: its numbers come from a virtual clock and say "
        "nothing about this machine.",
        "the dummy in a sentence");
    static const char *const nothing[RUNS] = {0};
    make(nothing);
    sentence_is("No benchmark ran to its end: nothing was measured.", "nothing in a sentence");
}

/* ---- References ------------------------------------------------------------------------------ */

static const char *package;
char *suite_home_file(const suite_home *home, const char *name)
{
    (void)home, (void)name;
    return suite_copy(package);
}

static void test_references(void)
{
    char *all =
        file_of("\xef\xbb\xbf# a comment\r\n \r\n  # more\nlatency | 104 | us | ICTP | a paper\n"
                "latency|1.2|us|Azure|a page\nmemory | 300 | MB/s | a PC | a paper\n"
                "latency | 5 | us | ParaPC | a paper\n");
    char *own = file_of("latency | 90 | us | ours | measured\n");
    suite_references references;
    package = all;
    unsetenv("HOME");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("CM_REFERENCES");
    ok(suite_references_read(&no_home, true, &references) && references.n == 4, "four references");
    const suite_reference *r = suite_references_nearest(&references, of("latency")->kind, 10, true);
    ok(r && r->value == 5, "the nearest latency that is better is shorter");
    r = suite_references_nearest(&references, of("latency")->kind, 10, false);
    ok(r && r->value == 104, "the nearest that is worse is longer");
    ok(!suite_references_nearest(&references, of("memory")->kind, 200, false), "none is worse");
    suite_references_free(&references);
    setenv("CM_REFERENCES", own, 1);
    ok(suite_references_read(&no_home, false, &references) && references.n == 4,
       "a page without names has none of the user's");
    suite_references_free(&references);
    ok(suite_references_read(&no_home, true, &references) && references.n == 5, "and the user's");
    r = suite_references_nearest(&references, of("latency")->kind, 103, true);
    ok(r && r->value == 90 && r->own, "which come first");
    r = suite_references_nearest(&references, of("latency")->kind, 50, false);
    ok(r && r->own, "even if another is as near");
    suite_references_free(&references);

    /* What is written can be read. */
    FILE *out = fopen(own, "w");
    make(cluster);
    ok(suite_tiles_write(out, &measured) == 5, "five quantities: the wrong answer is none");
    fclose(out);
    ok(suite_references_read(&no_home, true, &references) && references.n == 9, "that can be read");
    ok(references.reference[7].value == 25.1, "with their values");
    ok_text(references.reference[8].machine, "2 hosts of 2 cores, A Processor, sockets",
            "and their machine");
    suite_references_free(&references);
    unlink(own);
    ok(!suite_references_read(&no_home, true, &references),
       "a file that CM_REFERENCES names must be there");
    suite_references_free(&references);
    unlink(all);
    free(all);
    free(own);
}

/* ---- What a light is from -------------------------------------------------------------------- */

static void bound_is(const char *key, const char *want)
{
    char *words = suite_tile_bound_words(of(key));
    ok_text(words ? words : "none", want, key);
    free(words);
}

static void line_is(const char *key, const char *want)
{
    char *line = suite_tile_bound_line(of(key), &measured);
    ok_text(line ? line : "none", want, key);
    free(line);
}

static void test_bound_words(void)
{
    make(one_host);
    bound_is("memory",
             "Bound: 51.2 GB/s (channels by the kernel, modules by the firmware). Good from 38.4, "
             "slow below 25.6 GB/s");
    ok_text(of("memory")->why, "78 % of 2 memory channels", "what it is a share of");
    bound_is("arithmetic",
             "Bound: 80.0 Gflop/s (units by a table of processors, clock by cpufreq). Good from "
             "60.0, slow below 40.0 Gflop/s");
    bound_is("scaling",
             "Bound: 100 % (one rank of the same run). Good from 75.0, slow below 50.0 %");
    bound_is("latency", "none");
    line_is("memory", "none");  /* it has one */
    line_is("latency", "none"); /* inside one host */
    line_is("core", "none");    /* not measured */
    make_with(NODES,
              HOSTS(1) "# ranks: 2\n# vector_bits: 256\n# fma_units: 2\n"
                       "# fma_units_from: measured: FMAs\n# core_clock_hz: 2.5e9\n"
                       "# core_clock_from: measured on one core\n# core_peak_flop_per_s: 4e10\n" ROW
                       "# RESULT: PASS gemm_Mflop_per_s 30000 Mflop/s\n");
    ok_text(of("arithmetic")->bound_from, "units measured, clock measured", "who says so");

    make(cluster);
    bound_is("bandwidth",
             "Bound: 10.0 Gbit/s (its driver's speed). Good from 7.50, slow below 5.00 Gbit/s");
    line_is("core", "core bound | VALUE | QUIPS | A Processor | SOURCE");
    line_is("latency", "latency bound | VALUE | us | A Processor | SOURCE");
    ok_text(of("memory")->why, "n17 is not like the others: 70 % of theirs (cm-nodes)",
            "a host that stands out, and by how much");
    ok_text(of("latency")->why,
            "None of 4 hosts stands out in this (cm-nodes); one that did would be slow",
            "what would make it slow, where a host stands out in something else");
    make_with(NODES, HOSTS(4) "# ranks: 8\n" ROW "# RESULT: PASS findings 0 1\n");
    ok_text(of("latency")->why, "None of 4 hosts stands out (cm-nodes); one that did would be slow",
            "and where none does");
    make_with(NETPIPE, HOSTS(2) NIC(10000) "# ranks: 2\n" ROW
                                           "# RESULT: PASS peak_Mbit_per_s 16000 Mbit/s\n");
    line_is("bandwidth", "bandwidth bound | VALUE | Mbit/s | A Processor | SOURCE");
}

/* A latency whose least is given as 10 us. */
static void judge_latency(const char *metric, suite_light light, const char *name)
{
    char *text = suite_text("%s# RESULT: PASS latency_us %s\n",
                            HOSTS(2) NIC(10000) "# ranks: 2\n" ROW, metric);
    make_with(NETPIPE, text);
    ok(of("latency")->light == light, "%s: %s", name, of("latency")->why);
    free(text);
}

static void test_given_latency(void)
{
    static const char *const nothing[RUNS] = {0};
    make(nothing);
    judge_latency("13 us low=12 high=13.3" OVER "no", SUITE_LIGHT_GOOD, "all of it reaches 3/4");
    judge_latency("13 us low=12 high=13.4" OVER "no", SUITE_LIGHT_NONE, "it spans 3/4");
    judge_latency("16 us low=14 high=20" OVER "no", SUITE_LIGHT_LOOK, "between the limits");
    judge_latency("22 us low=20.1 high=40" OVER "no", SUITE_LIGHT_SLOW, "none of it reaches 1/2");
    judge_latency("9 us", SUITE_LIGHT_NONE, "less than the least: it is none");
    judge_latency("12.5 us", SUITE_LIGHT_GOOD, "one value");
    ok_text(of("latency")->why, "the bound in references.tab is 80 % of it", "in words");
    bound_is("latency",
             "Bound: 10.0 \xc2\xb5s (its data sheet). Good up to 13.3, slow above 20.0 \xc2\xb5s");
}

static void test_given_bounds(void)
{
    char *all = file_of("memory | 300 | MB/s | a PC | a paper\n"
                        "memory bound | 60000 | MB/s | any | the package\n"
                        "scaling bound | 90 | % | any | the package\n");
    char *own = file_of("latency bound | 10 | us | any | its data sheet\n"
                        "memory bound | 90000 | MB/s | Another | ours\n"
                        "memory bound | 80000 | MB/s | any | a guess\n"
                        "memory bound | 75000 | MB/s | Proc | a guess\n"
                        "memory bound | 70000 | MB/s | A Proc | its data sheet\n"
                        "bandwidth bound | 20000 | Mbit/s | any | the switch's data sheet\n");
    suite_references references;
    package = all;
    setenv("CM_REFERENCES", own, 1);
    ok(suite_references_read(&no_home, true, &references) && references.n == 9,
       "results and bounds");
    const suite_tile_kind *memory = kind_of("memory");
    ok(!suite_references_nearest(&references, memory, 1000, true), "a bound is nobody's result");
    const suite_reference *r = suite_references_bound(&references, memory, NULL);
    ok(r && r->value == 80000, "without a processor's name any counts alone");
    ok(!suite_references_bound(&references, kind_of("core"), "A Processor"),
       "of a quantity that has none");
    measured.references = &references;
    make(one_host);
    ok(of("memory")->bound == 70000 && of("memory")->light == SUITE_LIGHT_LOOK,
       "the user's, for this processor, before the hardware's");
    ok_text(of("memory")->why, "57 % of the bound in references.tab", "the light names it");
    bound_is("memory", "Bound: 70.0 GB/s (its data sheet). Good from 52.5, slow below 35.0 GB/s");
    ok(!isfinite(of("bandwidth")->bound), "a network's is none inside a host");
    sentence_is("One host, 2 cores (A Processor), TCP: no network was measured; memory at 57 % of "
                "the bound in references.tab; arithmetic at 38 % of its cores' peak.",
                "and in the sentence");
    make(cluster);
    ok_near(of("bandwidth")->bound, 20000, 1e-9, "between hosts it counts");
    test_given_latency();

    /* A line that a tile asks for is one that counts. */
    place.name = (char[]){"fat-tree"};
    make(cluster);
    ok(!isfinite(of("bandwidth")->bound), "a model has no bound of this machine");
    place = (suite_place){0};
    measured.references = NULL;
    make(cluster);
    char *line = suite_tile_bound_line(of("core"), &measured);
    char *filled = suite_replace(line, "VALUE", "2e8"), *text = suite_text("%s\n", filled);
    suite_references_free(&references);
    unlink(own);
    free(own);
    own = file_of(text);
    setenv("CM_REFERENCES", own, 1);
    ok(suite_references_read(&no_home, true, &references) && references.n == 4, "the line is read");
    measured.references = &references;
    make(cluster);
    ok(of("core")->light == SUITE_LIGHT_GOOD, "and judges: %s", of("core")->why);
    measured.references = NULL;
    suite_references_free(&references);
    free(line);
    free(filled);
    free(text);
    unlink(own);
    unlink(all);
    free(own);
    free(all);
}

/* ---- The package's table --------------------------------------------------------------------- */

/* Every line is what its machine was told to do, once, and says where. */
static void test_table(void)
{
    const char *folder = getenv("srcdir");
    char *path = suite_text("%s/../suite/references.tab", folder ? folder : ".");
    suite_references references;
    package = path;
    unsetenv("CM_REFERENCES");
    ok(suite_references_read(&no_home, true, &references), "the package's table is read");
    size_t machines = 0, wrong = 0;
    for (size_t k = 0; k < references.n; k++) {
        const suite_reference *r = &references.reference[k], *of_value;
        bool first = true;
        for (size_t j = 0; j < k; j++) {
            const suite_reference *before = &references.reference[j];
            if (strcmp(r->machine, before->machine) != 0) continue;
            first = false;
            if (r->kind != before->kind || r->bound != before->bound) continue;
            printf("# twice: %s | %s\n", r->kind->key, r->machine);
            wrong++;
        }
        machines += first;
        of_value = suite_references_nearest(&references, r->kind, r->value, true);
        if (of_value && of_value->value == r->value && strlen(r->source) >= 10) continue;
        printf("# %s | %g | %s: %s\n", r->kind->key, r->value, r->machine, r->source);
        wrong++;
    }
    ok(wrong == 0, "each line has a value of its machine and a source");
    ok(machines >= 60, "of %zu machines", machines);
    suite_references_free(&references);
    free(path);
}

static void test_wrong_references(void)
{
    static const char *const wrong[] = {
        "speed | 1 | us | a | b\n",         "latency | x | us | a | b\n",
        "latency | -1 | us | a | b\n",      "latency | 1 | ms | a | b\n",
        "latency | 1 | us | a\n",           "latency | 1 | us | | b\n",
        "latency | 1 | us | a |\n",         "latency | 1 | us | a | b | c\n",
        "latency bound | 0 | us | a | b\n", "latency bounds | 1 | us | a | b\n",
        "latencybound | 1 | us | a | b\n"};
    unsetenv("CM_REFERENCES");
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        suite_references references;
        char *path = file_of(wrong[k]);
        package = path;
        ok(!suite_references_read(&no_home, true, &references), "refused: %.*s",
           (int)strcspn(wrong[k], "\n"), wrong[k]);
        suite_references_free(&references);
        unlink(path);
        free(path);
    }
}

int main(void)
{
    test_words();
    test_units();
    test_digits();
    test_one_host();
    test_cluster();
    test_odd();
    test_noise();
    test_no_machine();
    test_references();
    test_bound_words();
    test_given_bounds();
    test_table();
    test_wrong_references();
    return tap_done();
}

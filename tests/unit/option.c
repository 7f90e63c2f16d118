/* SPDX-License-Identifier: BSD-3-Clause */
/* option.c: command lines, right and wrong, and all that is printed from an option table. */
#include "config.h"
#include "tap.h"
#include "comm/comm.h"
#include "option/option.h"
#include "result/result.h"
#include "option_caught.h"
#include <fcntl.h>

/* ---- A program like the benchmarks ----------------------------------------------------------- */

static struct {
    int64_t repeat, lower, shift, most;
    double ratio, any;
    const char *host;
    int precision;
    bool turns, integrity, verbose;
    int side;
    cm_result_files files;
} set;

static void defaults(void)
{
    memset(&set, 0, sizeof set);
    set.repeat = 10;
    set.lower = 1;
    set.ratio = 0.5;
    set.precision = 1;
    set.host = "localhost";
}

static const char *const sides[] = {"none", "left", "right", NULL};
static const char *const precisions[] = {"single", "double", NULL};
static const cm_option result_options[] = {CM_RESULT_OPTIONS(&set.files), {.kind = CM_OPTION_END}};
static const cm_option options[] = {
    CM_HEADING("Sampling"),
    CM_INTEGER("repeat", 'r', "N", &set.repeat, 1, 1000, "samples of each size"),
    CM_INTEGER("repeat-limit", 0, 0, &set.most, 1, INFINITY, "most samples"),
    CM_INTEGER("shift", 0, 0, &set.shift, 0, 0, "any whole number"),
    CM_BYTES("lower", 'l', "BYTES", &set.lower, 1, 1 << 20, "smallest message"),
    CM_REAL("ratio", 'R', "X", &set.ratio, 0, 1, "a share of the whole"),
    CM_REAL("any", 0, 0, &set.any, 0, 0, "any number"),
    CM_HEADING("What is done"),
    CM_TEXT("host", 'H', "HOST", &set.host, "a text"),
    CM_CHOICE(
        "precision", 'p', 0, &set.precision, precisions,
        "of the arithmetic, with a sentence that is long enough to need a second and perhaps a "
        "third line of help"),
    CM_SWITCH("side", "WHICH", &set.side, sides, "of the road"),
    CM_FLAG("turns", 't', &set.turns, "each round trip is a sample"),
    CM_FLAG("integrity", 'i', &set.integrity, "check every message"),
    CM_FLAG("verbose-with-a-name-that-is-too-long", 'v', &set.verbose,
            "the help starts on a line of its own"),
    CM_TABLE((void *)result_options),
    CM_RENAMED("least", "lower"),
    CM_RENAMED("precision=real64", "precision=double"),
    {.kind = CM_OPTION_END}};

static const cm_program program = {
    .name = "cm-test",
    .purpose = "measures nothing at all",
    .description =
        "The first paragraph is one that goes on for so long that it has to be broken into several "
        "lines, even on a wide screen.\n\n  t = latency + bytes / bandwidth\n\nThe second one is "
        "short.",
    .examples =
        "cm-test --repeat 5\tshort run\nmpiexec -n 2 cm-test --repeat 1000 --lower 1 --precision "
        "double --output a-file.txt --json a-file.json\tlong run\n",
    .options = options,
    .metrics =
        (const cm_metric[]){
            {"latency_us", "Latency", "us", CM_BETTER_LOW, "of the smallest message"},
            {"peak_*_MB_per_s", "Peak, *", "MB/s", CM_BETTER_HIGH, "* is the direction"},
            {"peak_*", "Peak", "1", CM_BETTER_NEITHER, "anything else"},
            {0}},
    .labels = (const cm_labels[]){{"peak_*_MB_per_s", "peak way=*"}, {0}}};
static cm_program launcher; /* the same with operands */

/* ---- Running the parser with stdout and stderr caught ---------------------------------------- */

typedef struct {
    const cm_program *program;
    int *operand;
} parsed;

static int parse(int argc, char **argv, void *context)
{
    parsed *p = context;
    return cm_option_parse(p->program, argc, argv, p->operand);
}

static int run_program(const cm_program *which, const char *line, int *operand)
{
    defaults();
    return caught(parse, line, &(parsed){which, operand});
}

static bool runs(const char *line)
{
    int status = run_program(&program, line, NULL);
    return status == CM_OPTION_RUN && !*printed && !*said;
}

static void refused(const char *line, const char *want)
{
    char full[4096];
    snprintf(full, sizeof full, "cm-test: %s\n", want);
    int status = run_program(&program, line, NULL);
    ok(status == CM_EXIT_USAGE && !*printed, "refused: %s", line);
    ok_text(said, full, "  in these words");
}

/* ---- Right ----------------------------------------------------------------------------------- */

static void right_tests(void)
{
    ok(runs("") && set.repeat == 10 && set.precision == 1 && !set.turns, "nothing: defaults");
    ok(runs("--repeat=7") && set.repeat == 7, "--name=value");
    ok(runs("--repeat 7") && set.repeat == 7, "--name value");
    ok(runs("-r 7") && set.repeat == 7, "-n value");
    ok(runs("-r7") && set.repeat == 7, "-nvalue");
    ok(runs("-ti") && set.turns && set.integrity, "bundled flags");
    ok(runs("-tir7 -p single") && set.turns && set.integrity && set.repeat == 7
           && set.precision == 0,
       "bundled flags, then an option with its value");
    ok(runs("-ir 8") && set.repeat == 8, "the value in the next word");
    ok(runs("--turns --integrity") && set.turns && set.integrity, "flags by name");
    ok(runs("--tu --prec=single") && set.turns && set.precision == 0, "unique prefixes");
    ok(runs("") && set.side == 0 && runs("--side") && set.side == 1, "an argument left out");
    ok(runs("--side=right -t") && set.side == 2 && set.turns && runs("--side -t") && set.side == 1
           && set.turns && runs("--side=none") && set.side == 0,
       "and given");
    ok(runs("--repeat=3") && set.repeat == 3 && set.most == 0, "a name that begins another one");
    ok(runs("--repeat-=3") && set.most == 3, "and the other one by a prefix");
    ok(runs("--repeat=3 --repeat=4") && set.repeat == 4, "the last one counts");
    ok(runs("--shift -5") && set.shift == -5, "a value that looks like an option");
    ok(runs("--shift=+5") && set.shift == 5, "a plus sign");
    ok(runs("--shift=-9223372036854775808") && set.shift == INT64_MIN, "the smallest integer");
    ok(runs("--shift=9223372036854775807") && set.shift == INT64_MAX, "the largest integer");
    ok(runs("--repeat-limit=9223372036854775807") && set.most == INT64_MAX, "no bound above");
    ok(runs("--repeat=1") && runs("--repeat=1000"), "bounds are inclusive");
    ok(runs("--ratio=.25") && set.ratio == 0.25 && runs("--ratio=1e-3") && set.ratio == 1e-3
           && runs("--any=-1e300") && set.any == -1e300,
       "real numbers");
    ok(runs("--host=") && set.host && !*set.host, "an empty text");
    ok(runs("--host=a=b") && strcmp(set.host, "a=b") == 0, "an equals sign in the value");
    ok(runs("--host --turns") && strcmp(set.host, "--turns") == 0 && !set.turns,
       "a text that looks like an option");
    ok(runs("--output out.txt --json=out.json -q --force") && set.files.quiet && set.files.force
           && strcmp(set.files.output, "out.txt") == 0 && strcmp(set.files.json, "out.json") == 0,
       "options of a nested table");
    ok(runs("--turns --") && set.turns, "a final --");
    int operand = -1;
    ok(cm_option_parse(&program, 0, (char *[]){NULL}, &operand) == CM_OPTION_RUN && operand == 0,
       "no program name at all");
}

static void renamed_tests(void)
{
    static const char name[] = "cm-test: --least is called --lower now; the old name will go\n",
                      word[] = "cm-test: --precision=real64 is called --precision=double now; the "
                               "old name will go\n";
    ok(run_program(&program, "--least=8", NULL) == CM_OPTION_RUN && set.lower == 8 && !*printed,
       "an old name is taken");
    ok_text(said, name, "  and its new one said");
    ok(run_program(&program, "--least 8", NULL) == CM_OPTION_RUN && set.lower == 8
           && strcmp(said, name) == 0,
       "an old name, and its argument in the next word");
    ok(run_program(&program, "-p real64", NULL) == CM_OPTION_RUN && set.precision == 1,
       "an old word of a choice is taken");
    ok_text(said, word, "  and its new one said");
    ok(runs("--precision double"), "nothing is said of new names");
    refused("--leas 8", "unknown option '--leas'; try --help");
}

static void operand_tests(void)
{
    int operand = -1;
    launcher = program;
    launcher.operands = "PROGRAM [ARGUMENT]...";
    ok(run_program(&launcher, "-r 3", &operand) == CM_OPTION_RUN && operand == 3,
       "no operands: argc");
    ok(run_program(&launcher, "-r 3 prog --turns -x", &operand) == CM_OPTION_RUN && operand == 3
           && set.repeat == 3 && !set.turns,
       "operands end the parsing");
    ok(run_program(&launcher, "-t -- --turns", &operand) == CM_OPTION_RUN && operand == 3,
       "-- ends it as well");
    ok(run_program(&launcher, "- x", &operand) == CM_OPTION_RUN && operand == 1,
       "a single - is an operand");
    ok(run_program(&launcher, "prog", NULL) == CM_OPTION_RUN, "where it is may be of no interest");
    run_program(&program, "-t", &operand);
    ok(operand == 2, "without operands: argc");
}

/* line: what mixed operands make of it is the words of want, with first as the first operand. */
static void mixes(const char *line, const char *want, int first)
{
    static const cm_option mixed_options[] = {
        CM_FLAG("turns", 't', &set.turns, ""),
        CM_INTEGER("repeat", 'r', "N", &set.repeat, 1, 1000, ""),
        CM_TEXT("host", 'H', "HOST", &set.host, ""),
        {.kind = CM_OPTION_END}};
    static const cm_program mixed = {.name = "cm-test",
                                     .purpose = "purpose",
                                     .operands = "DIR",
                                     .options = mixed_options,
                                     .mixed = true};
    char got[256] = "";
    int operand = -1;
    int status = run_program(&mixed, line, &operand);
    for (int i = 1; caught_words[i]; i++) {
        if (i > 1) strcat(got, " ");
        strcat(got, caught_words[i]);
    }
    ok(status == CM_OPTION_RUN && operand == first, "mixed: %s", line);
    ok_text(got, want, "  in this order");
}

static void mixed_tests(void)
{
    mixes("", "", 1);
    mixes("dir", "dir", 1);
    mixes("-t dir", "-t dir", 2);
    mixes("dir -t", "-t dir", 2);
    ok(set.turns, "an option behind its operand is read");
    mixes("one -r 3 two --turns three", "-r 3 --turns one two three", 4);
    ok(set.turns && set.repeat == 3, "so is one with an argument");
    mixes("one -r3 two -tH here three", "-r3 -tH here one two three", 4);
    ok(set.repeat == 3 && set.turns && strcmp(set.host, "here") == 0, "and bundled ones");
    mixes("one -t -- -r two", "-t -- one -r two", 3);
    mixes("-- one -t", "-- one -t", 2);
    ok(!set.turns, "behind -- nothing is an option");
    mixes("one -- -- two", "-- one -- two", 2);
    mixes("one --", "-- one", 2);
    mixes("one --host --", "--host -- one", 3);
    ok(strcmp(set.host, "--") == 0, "a -- that is an option's argument ends nothing");
    mixes("- -t", "-t -", 2);
}

/* ---- Wrong ----------------------------------------------------------------------------------- */

static void wrong_tests(void)
{
    refused("--repeat=0", "option '--repeat': '0' is out of range; it must be from 1 to 1000");
    refused("--repeat=1001",
            "option '--repeat': '1001' is out of range; it must be from 1 to 1000");
    refused("--repeat=7x", "option '--repeat': '7x' is not a whole number, from 1 to 1000");
    refused("--repeat=", "option '--repeat': '' is not a whole number, from 1 to 1000");
    refused("--repeat=1.5", "option '--repeat': '1.5' is not a whole number, from 1 to 1000");
    refused("--repeat=0x10", "option '--repeat': '0x10' is not a whole number, from 1 to 1000");
    refused("--repeat=99999999999999999999",
            "option '--repeat': '99999999999999999999' is out of range; it must be from 1 to 1000");
    refused("--repeat-limit=0",
            "option '--repeat-limit': '0' is out of range; it must be at least 1");
    refused("--shift=9223372036854775808",
            "option '--shift': '9223372036854775808' is out of range; it must be below 2^63 in "
            "size");
    refused("--shift=one", "option '--shift': 'one' is not a whole number");
    refused("-r=7", "option '--repeat': '=7' is not a whole number, from 1 to 1000");
    refused("--lower=12q",
            "option '--lower': '12q' is not a number of bytes such as 65536, 64Ki or 1M (k M G: "
            "10^3, Ki Mi Gi: 2^10), from 1 to 1048576");
    refused("--lower=2M", "option '--lower': '2M' is out of range; it must be from 1 to 1048576");
    refused("--lower=9999999999999G",
            "option '--lower': '9999999999999G' is out of range; it must be from 1 to 1048576");
    refused("--ratio=2", "option '--ratio': '2' is out of range; it must be from 0 to 1");
    refused("--ratio=half", "option '--ratio': 'half' is not a number, from 0 to 1");
    refused("--ratio=nan", "option '--ratio': 'nan' is not a number, from 0 to 1");
    refused("--ratio=0x1p-2", "option '--ratio': '0x1p-2' is not a number, from 0 to 1");
    refused("--any=1e999", "option '--any': '1e999' is out of range; it must be finite");
    refused("--any=inf", "option '--any': 'inf' is not a number");
    refused("--any=1-", "option '--any': '1-' is not a number");
    refused("--precision=half", "option '--precision': 'half' is not one of: single, double");
    refused("--precision=s", "option '--precision': 's' is not one of: single, double");
    refused("--repeat", "option '--repeat' needs an argument: --repeat=N");
    refused("-tr", "option '--repeat' needs an argument: --repeat=N");
    refused("--lower", "option '--lower' needs an argument: --lower=BYTES");
    refused("--precision", "option '--precision' needs an argument: --precision=NAME");
    refused("--side=up", "option '--side': 'up' is not one of: none, left, right");
    refused("--side right", "unexpected argument 'right'; only options are allowed, try --help");
    refused("--turns=yes", "option '--turns' takes no argument, but got 'yes'");
    refused("--re", "option '--re' is ambiguous: --repeat, --repeat-limit");
    refused("--re=5", "option '--re' is ambiguous: --repeat, --repeat-limit");
    refused("--p=single --print", "unknown option '--print'; try --help");
    refused("--repaet=5", "unknown option '--repaet'; did you mean '--repeat'?");
    refused("--outputs x", "unknown option '--outputs'; did you mean '--output'?");
    refused("--integritty", "unknown option '--integritty'; did you mean '--integrity'?");
    refused("--bandwidth=5", "unknown option '--bandwidth'; try --help");
    refused("-x", "unknown option '-x'; try --help");
    refused("-tx", "unknown option '-x'; try --help");
    refused("-json=f", "unknown option '-j' in '-json=f'; did you mean '--json'?");
    refused("file", "unexpected argument 'file'; only options are allowed, try --help");
    refused("-", "unexpected argument '-'; only options are allowed, try --help");
    refused("-- -t", "unexpected argument '-t'; only options are allowed, try --help");
    refused("--host=x --repeat=\n\x1b[2J",
            "option '--repeat': '??[2J' is not a whole number, from 1 to 1000");
    refused("--print-completion=zsh", "option '--print-completion': 'zsh' is not one of: bash");

    ok(run_program(&program, "--repeat=5 -t -p single --host=x --ratio=0 --bad", NULL)
               == CM_EXIT_USAGE
           && set.repeat == 10 && !set.turns && set.precision == 1 && set.ratio == 0.5
           && strcmp(set.host, "localhost") == 0,
       "an error at the end: nothing is set");
    char *line = malloc(3001);
    memset(line, 'y', 3000);
    memcpy(line, "--repeat=", 9);
    line[3000] = '\0';
    run_program(&program, line, NULL);
    free(line);
    ok(strlen(said) < 1100 && strchr(said, '\n') == said + strlen(said) - 1,
       "an endless value does not make an endless error");

    launch_rank = 1;
    ok(run_program(&program, "--repeat=0", NULL) == CM_EXIT_USAGE && !*printed && !*said,
       "other ranks return 2 in silence");
    ok(run_program(&program, "--help", NULL) == CM_EXIT_PASS && !*printed && !*said,
       "and do not help");
    launch_rank = 0;
}

static void table_tests(void)
{
    bool x = false;
    const cm_option twice[] = {
        CM_FLAG("one", 'o', &x, ""), CM_FLAG("two", 'o', &x, ""), {.kind = CM_OPTION_END}};
    const cm_option again[] = {
        CM_FLAG("quiet", 0, &x, ""), CM_TABLE((void *)result_options), {.kind = CM_OPTION_END}};
    cm_option ring[] = {CM_TABLE(NULL), {.kind = CM_OPTION_END}};
    const cm_option hello[] = {CM_FLAG("hello", 'h', &x, "greets"), {.kind = CM_OPTION_END}};
    cm_program p = {.name = "cm-test", .purpose = "purpose", .options = twice};
    ok(run_program(&p, "", NULL) == CM_EXIT_SYSTEM && strstr(said, "'--two'"),
       "one letter twice: status 3");
    p.options = again;
    ok(run_program(&p, "", NULL) == CM_EXIT_SYSTEM && strstr(said, "'--quiet'"),
       "one name twice: status 3");
    ring[0].value = ring;
    p.options = ring;
    ok(run_program(&p, "", NULL) == CM_EXIT_SYSTEM && strstr(said, "nested"), "a ring of tables");
    p.options = hello;
    ok(run_program(&p, "-h", NULL) == CM_OPTION_RUN && x && run_program(&p, "--help", NULL) == 0
           && strstr(printed, "  -h, --hello") && strstr(printed, "      --help"),
       "a program may have -h for itself");
    p.options = NULL;
    ok(run_program(&p, "--help", NULL) == 0 && strstr(printed, "\nOptions:\n  -h, --help"),
       "a program without options has help");
    ok(run_program(&p, "", NULL) == CM_OPTION_RUN, "and runs");
}

static void bytes_tests(void)
{
    static const struct {
        const char *text;
        int64_t bytes;
    } good[] = {{"0", 0},
                {"65536", 65536},
                {"64Ki", 65536},
                {"1M", 1000000},
                {"3k", 3000},
                {"2G", 2000000000},
                {"1Mi", 1048576},
                {"5Gi", 5368709120},
                {"007", 7},
                {"9223372036854775807", INT64_MAX},
                {"9223372036G", 9223372036000000000},
                {"8589934591Gi", 9223372035781033984}};
    static const char *const bad[] = {"",
                                      "k",
                                      "-1",
                                      "+1",
                                      " 1",
                                      "1 ",
                                      "1K",
                                      "1KB",
                                      "1kB",
                                      "1B",
                                      "1m",
                                      "1ki",
                                      "1KI",
                                      "1T",
                                      "1.5M",
                                      "0x10",
                                      "1e3",
                                      "12q",
                                      "9223372036854775808",
                                      "9223372037G",
                                      "8589934592Gi",
                                      "99999999999999999999999"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        int64_t bytes = -1;
        ok(cm_option_bytes(good[i].text, &bytes) && bytes == good[i].bytes, "'%s' is %lld bytes",
           good[i].text, (long long)good[i].bytes);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t bytes = -1;
        ok(!cm_option_bytes(bad[i], &bytes) && bytes == -1, "'%s' is no number of bytes", bad[i]);
    }
}

static void list_tests(void)
{
    enum { CAPACITY = 4 };
    static const struct {
        const char *text;
        int64_t least, most;
        size_t n;
        int64_t values[CAPACITY];
    } good[] = {
        {"1,3,7", 1, 7, 3, {1, 3, 7}},
        {"5", 5, 5, 1, {5}},
        {"4,3,2,1", 1, 4, 4, {4, 3, 2, 1}},
        {"-2,+2", -2, 2, 2, {-2, 2}},
        {"1e8,2.5e7", 1, 100000000, 2, {100000000, 25000000}},
        {"-1E+3,1.50e1,00.1e1,0e99", -1000, 1000, 4, {-1000, 15, 1, 0}},
        {"0.9223372036854775807e19", INT64_MAX, INT64_MAX, 1, {INT64_MAX}},
        {"-922337203685477580.8e1", INT64_MIN, 0, 1, {INT64_MIN}},
        {"9223372036854775807,-9223372036854775808",
         INT64_MIN,
         INT64_MAX,
         2,
         {INT64_MAX, INT64_MIN}},
    };
    static const char *const bad[] = {"",
                                      ",",
                                      "1,",
                                      ",1",
                                      "1,,2",
                                      "10,x",
                                      "x",
                                      "1, 2",
                                      " 1",
                                      "1;2",
                                      "1 2",
                                      "0,1",
                                      "1,101",
                                      "4Ki",
                                      "1,2,3,4,5",
                                      "1,2,3,4,",
                                      "1.5",
                                      "1.0",
                                      "1.",
                                      ".1e1",
                                      "1.25e1",
                                      "10e-1",
                                      "1e",
                                      "1e+",
                                      "1e1.0",
                                      "1e1e1",
                                      "1e 1",
                                      "e1",
                                      "0x1e1",
                                      "1e3",
                                      "1e19",
                                      "1e99999999999999999999999999",
                                      "922337203685477580.8e1",
                                      "9223372036854775808",
                                      "1,18446744073709551617",
                                      "000000000000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        int64_t values[CAPACITY] = {0};
        size_t n = cm_option_integers(good[i].text, good[i].least, good[i].most, values, CAPACITY);
        ok(n == good[i].n && memcmp(values, good[i].values, n * sizeof *values) == 0,
           "'%s' is a list of %zu", good[i].text, good[i].n);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        int64_t values[CAPACITY + 1] = {1, 1, 1, 1, 42}; /* left there, they would do */
        ok(cm_option_integers(bad[i], 1, 100, values, CAPACITY) == 0 && values[CAPACITY] == 42,
           "'%s' is no list of at most 4 numbers from 1 to 100", bad[i]);
    }
    int64_t sizes[CAPACITY] = {0};
    ok(cm_option_bytes_list("0,4Ki,1M", 0, INT64_MAX, sizes, CAPACITY) == 3 && sizes[0] == 0
           && sizes[1] == 4096 && sizes[2] == 1000000,
       "lengths with suffixes");
    ok(cm_option_bytes_list("1,4K", 0, INT64_MAX, sizes, CAPACITY) == 0
           && cm_option_bytes_list("-1", -1, 1, sizes, CAPACITY) == 0
           && cm_option_bytes_list("1,4Ki", 0, 4095, sizes, CAPACITY) == 0,
       "no lengths");
    const int64_t list[] = {3, 1, 2, 1, 3};
    ok(cm_option_repeated(list, 5) == list + 3 && !cm_option_repeated(list, 3)
           && !cm_option_repeated(list, 0),
       "the first number of a list that stands there twice");
}

/* ---- What is printed ------------------------------------------------------------------------- */

static void help_tests(void)
{
    ok(run_program(&program, "--help", NULL) == CM_EXIT_PASS && !*said && *printed,
       "--help: on stdout, status 0");
    size_t widest = 0, width = 0;
    bool clean = true;
    for (const char *c = printed; *c; c++) {
        if (*c == '\n') clean &= c == printed || c[-1] != ' ';
        width = *c == '\n' ? 0 : width + 1;
        if (width > widest) widest = width;
    }
    ok(widest <= 79 && widest > 60, "at most 79 columns (%zu)", widest);
    ok(clean, "no blanks at the end of a line");
    static const char *const parts[] = {
        "Usage: cm-test [OPTION]...\nmeasures nothing at all\n",
        "\n\n  t = latency + bytes / bandwidth\n\n",
        "\nThe second one is short.\n",
        "\nSampling:\n",
        "\nWhat is done:\n",
        "\nResults:\n",
        "\nOther:\n",
        "  -r, --repeat=N        samples of each size (from 1 to 1000; default 10)\n",
        "      --repeat-limit=N  most samples (at least 1)\n",
        "      --shift=N         any whole number (default 0)\n",
        "  -l, --lower=BYTES     smallest message (from 1 to 1048576; default 1)\n",
        "  -R, --ratio=X         a share of the whole (from 0 to 1; default 0.5)\n",
        "  -H, --host=HOST       a text (default localhost)\n",
        "                        of single, double; default double)\n",
        "  -t, --turns           each round trip is a sample\n",
        "  -v, --verbose-with-a-name-that-is-too-long\n"
        "                        the help starts on a line of its own\n",
        "  -o, --output=FILE     also write the text to FILE\n",
        "  -h, --help            print this help and exit\n",
        "  -V, --version         print the version and exit\n",
        "\nExit status:\n  0  pass",
        "\n  1  an answer was wrong\n",
        "\n  2  ",
        "\n  3  ",
        "\nExamples:\n  cm-test --repeat 5\n      short run\n",
        " \\\n    "};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (!ok(strstr(printed, parts[i]), "help has part %zu", i + 1))
            printf("# missing: %s\n# in:\n%s", parts[i], printed);
    ok(!strstr(printed, "print-man"), "what is for the build is not shown");
    ok(run_program(&program, "-t --help --bad", NULL) == CM_EXIT_PASS && !set.turns,
       "--help before an error helps, and sets nothing");
    ok(run_program(&program, "--bad --help", NULL) == CM_EXIT_USAGE && !*printed,
       "an error before --help is an error");
    ok(run_program(&program, "-th", NULL) == CM_EXIT_PASS && *printed, "-h, bundled");
    ok(run_program(&program, "--he", NULL) == CM_EXIT_PASS && *printed, "a prefix of --help");
    launcher = program;
    launcher.operands = "PROGRAM [ARGUMENT]...";
    ok(run_program(&launcher, "--help", NULL) == 0
           && strstr(printed, "Usage: cm-test [OPTION]... PROGRAM [ARGUMENT]...\n"),
       "operands in the usage");

    static const char *long_word = "a-path-that-has-no-blank-in-it-and-is-longer-than-any-line-of-"
                                   "the-help-can-be-so-that-it-must-be-cut-somewhere";
    const cm_option wide[] = {CM_TEXT("file", 'f', "FILE", &long_word, "a file"),
                              {.kind = CM_OPTION_END}};
    cm_program p = {.name = "cm-test",
                    .purpose = "purpose",
                    .description = long_word,
                    .examples = long_word,
                    .options = wide};
    run_program(&p, "--help", NULL);
    for (width = widest = 0, clean = true; printed[width]; width++) {
        size_t length = strcspn(printed + width, "\n");
        if (length > widest) widest = length;
        width += length;
    }
    ok(widest == 79, "a word longer than a line is cut (%zu)", widest);
}

static void version_tests(void)
{
    char want[128];
    int length = snprintf(want, sizeof want, "cm-test (clustermark) %s", PACKAGE_VERSION);
    ok(run_program(&program, "--version", NULL) == 0 && strncmp(printed, want, (size_t)length) == 0
           && strchr(printed, '\n') == printed + strlen(printed) - 1,
       "--version: one line");
    ok(run_program(&program, "-V", NULL) == 0 && strncmp(printed, want, (size_t)length) == 0, "-V");
}

/* In a child, because a stream that failed to write stays a stream with an error. */
static void full_disk_tests(void)
{
    static const char *const words[] = {"--help", "--version", "--print-man",
                                        "--print-completion=bash"};
    if (access("/dev/full", W_OK) != 0) {
        tap_skip("full disk", "no /dev/full here");
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        int pipe_ends[2], status = -1;
        if (pipe(pipe_ends) != 0) exit(99);
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            dup2(open("/dev/full", O_WRONLY), 1);
            dup2(pipe_ends[1], 2);
            char *argv[] = {"cm-test", (char *)words[i], NULL};
            status = cm_option_parse(&program, 2, argv, NULL);
            (void)!write(pipe_ends[1], &(char){(char)('0' + status)}, 1);
            _exit(0);
        }
        close(pipe_ends[1]);
        char text[512] = "";
        size_t used = 0;
        for (ssize_t n; (n = read(pipe_ends[0], text + used, sizeof text - 1 - used)) > 0;)
            used += (size_t)n;
        close(pipe_ends[0]);
        ok_text(text, "cm-test: cannot write to standard output: No space left on device\n3",
                words[i]);
    }
}

static void man_tests(void)
{
    static char text[65536];
    char command[512], path[64];
    ok(run_program(&program, "--print-man", NULL) == 0 && !*said, "--print-man");
    static const char *const sections[] = {
        ".TH \"CM\\-TEST\" 1",   "\n.SH NAME\ncm\\-test \\- measures nothing at all\n",
        "\n.SH SYNOPSIS\n",      "\n.SH DESCRIPTION\n",
        "\n.SH OPTIONS\n",       "\n.SS \"Sampling\"\n",
        "\n.SH EXIT STATUS\n",   "\n.SH ENVIRONMENT\n",
        "\n.B CM_EAGER_BYTES\n", "\n.SH EXAMPLES\n",
        "\n.SH SEE ALSO\n",      "\\fB\\-l\\fR, \\fB\\-\\-lower\\fR=\\fIBYTES\\fR\n"};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        ok(strstr(printed, sections[i]), "man page has part %zu", i + 1);
    if (shell("command -v groff", text, sizeof text) != 0) {
        tap_skip("groff finds nothing to warn of", "no groff");
        return;
    }
    snprintf(path, sizeof path, "unit_option.%ld.1", (long)getpid());
    save(path);
    snprintf(command, sizeof command, "groff -man -ww -z -Tascii %s 2>&1", path);
    ok(shell(command, text, sizeof text) == 0 && !*text, "groff finds nothing to warn of");
    if (*text) printf("# %s\n", text);
    snprintf(command, sizeof command, "groff -man -Tascii -P-cbou %s 2>&1", path);
    shell(command, text, sizeof text);
    remove(path);
    ok(strstr(text, "-l, --lower=BYTES"), "it shows options with plain minus signs");
    ok(strstr(text, "  t = latency + bytes / bandwidth"), "and formulas as they stand");

    cm_program tricky = program;
    tricky.description = ".hidden lines, 'quoted' \"ones\", back\\slashes and ~tildes^\n'and more";
    ok(run_program(&tricky, "--print-man", NULL) == 0, "text that looks like roff");
    save(path);
    snprintf(command, sizeof command, "groff -man -ww -Tascii -P-cbou %s 2>&1", path);
    shell(command, text, sizeof text);
    remove(path);
    ok(strstr(text, ".hidden lines, 'quoted' \"ones\", back\\slashes and ~tildes^ 'and"),
       "  is shown as it stands");
}

static bool metric_is(const char *name, const char *unit)
{
    const cm_metric *metric = cm_option_metric(&program, name);
    return unit ? metric && strcmp(metric->unit, unit) == 0 : !metric;
}

static void metrics_tests(void)
{
    ok(run_program(&program, "--print-metrics", NULL) == 0 && !*said, "--print-metrics");
    static const char of_program[] = "latency_us\tus\tlow\tof the smallest message\tLatency\n"
                                     "peak_*_MB_per_s\tMB/s\thigh\t* is the direction\tPeak, *\n"
                                     "peak_*\t1\tneither\tanything else\tPeak\n";
    size_t length = strlen(of_program);
    ok(strncmp(printed, of_program, length) == 0, "a line a metric");
    ok(strncmp(printed + length, "energy_J\tJ\tlow\t", 15) == 0, "then those of every program");
    static const char labels[] = "\npeak_*_MB_per_s\tlabels\tpeak way=*\n";
    const char *end = strstr(printed, labels);
    ok(end && strlen(end) == strlen(labels), "in the end what they are of");
    ok(metric_is("energy_J", "J") && metric_is("mean_power_W", "W"), "which are found, too");
    ok(metric_is("latency_us", "us") && metric_is("latency_u", NULL), "a metric by its name");
    ok(metric_is("peak_both_MB_per_s", "MB/s") && metric_is("peak_x", "1"),
       "* is any name, and the first that fits counts");
    launcher.metrics = NULL;
    ok(run_program(&launcher, "--print-metrics", NULL) == 0 && !*printed, "no table, no line");
    ok(cm_option_metric(&launcher, "latency_us") == NULL, "and no metric");
}

static void completion_tests(void)
{
    char text[4096], path[64];
    ok(run_program(&program, "--print-completion=bash", NULL) == 0 && !*said,
       "--print-completion=bash");
    ok(run_program(&program, "--print-completion bash", NULL) == 0 && *printed, "as two words");
    ok(strstr(printed, "\ncomplete -F _cm_test cm-test\n"), "it is for this program");
    if (shell("command -v bash", text, sizeof text) != 0) {
        tap_skip("completion works", "no bash");
        return;
    }
    snprintf(path, sizeof path, "unit_option.%ld.bash", (long)getpid());
    save(path);
    completes(path, "cm-test --rep", "--repeat= --repeat-limit=");
    completes(path, "cm-test --tur", "--turns");
    completes(path, "cm-test --hel", "--help");
    completes(path, "cm-test --precision = d", "double");
    completes(path, "cm-test --precision =", "single double");
    completes(path, "cm-test --precision s", "single");
    completes(path, "cm-test -p s", "single");
    completes(path, "cm-test --repeat = 1", "");
    completes(path, "cm-test --json = unit_option.[0-9]*.ba", "");
    char words[128];
    snprintf(words, sizeof words, "cm-test --json = %.20s", path);
    completes(path, words, path);
    completes(path, "cm-test x", "");
    remove(path);
}

static void error_tests(void)
{
    char text[64] = "";
    FILE *error = tmpfile();
    if (!error) exit(99);
    fflush(stderr);
    int saved = dup(2);
    dup2(fileno(error), 2);
    int status = cm_option_error(&program, "--upper %d is below --lower %d", 1, 2);
    launch_rank = 3;
    int other = cm_option_error(&program, "not said");
    launch_rank = 0;
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    slurp(error, text, sizeof text);
    ok(status == CM_EXIT_USAGE && other == CM_EXIT_USAGE, "a program's own check returns 2");
    ok_text(text, "cm-test: --upper 1 is below --lower 2\n", "and is said once");
}

int main(void)
{
    right_tests();
    renamed_tests();
    operand_tests();
    mixed_tests();
    wrong_tests();
    table_tests();
    bytes_tests();
    list_tests();
    help_tests();
    version_tests();
    full_disk_tests();
    man_tests();
    metrics_tests();
    completion_tests();
    error_tests();
    return tap_done();
}

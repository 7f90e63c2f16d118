/* SPDX-License-Identifier: BSD-3-Clause */
/* driver.c: runs a harness without libFuzzer: all files of a corpus, then mutations of them for
   SECONDS. The same seed gives the same mutations in the same order.

     NAME [-s SEED] [-t SECONDS] FILE|FOLDER...

   The input that crashed is left in crash-NAME; run alone, it crashes again. */
#include "fuzz.h"
#include "random/random.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <time.h>

enum { MOST_BYTES = 1 << 16, STEPS_MOST = 6 };

typedef struct {
    uint8_t *bytes;
    size_t n;
} input;
static struct {
    input *input;
    size_t n;
} corpus;
static uint64_t seed = 1;
static const uint8_t *current;
static size_t current_bytes;
static char crash_name[256];

static uint64_t next_random(void) { return cm_random_next(&seed); }

static size_t below(size_t n) { return n ? (size_t)(next_random() % n) : 0; }

/* ---- A crash --------------------------------------------------------------------------------- */

void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void save_crash(void)
{
    FILE *file = fopen(crash_name, "wb");
    if (!file) return;
    fwrite(current, 1, current_bytes, file);
    fclose(file);
    fprintf(stderr, "the input is in %s\n", crash_name);
}

static void on_signal(int signal)
{
    fprintf(stderr, "signal %d%s\n", signal, signal == SIGALRM ? ": it hangs" : "");
    save_crash();
    _exit(1);
}

static void run(const uint8_t *bytes, size_t n)
{
    /* Exactly as long as the input, so that reads beyond it are detected. */
    uint8_t *copy = malloc(n ? n : 1);
    if (!copy) abort();
    memcpy(copy, bytes, n);
    current = bytes;
    current_bytes = n;
    alarm(20);
    LLVMFuzzerTestOneInput(copy, n);
    alarm(0);
    free(copy);
}

/* ---- The corpus ------------------------------------------------------------------------------ */

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name); /* the same order wherever it runs */
}

static bool load(const char *path)
{
    struct dirent **entry;
    int entries = scandir(path, &entry, NULL, by_name);
    if (entries >= 0) {
        bool good = true;
        for (int i = 0; i < entries; i++) {
            char name[4096];
            snprintf(name, sizeof name, "%s/%s", path, entry[i]->d_name);
            if (entry[i]->d_name[0] != '.') good = load(name) && good;
            free(entry[i]);
        }
        free(entry);
        return good;
    }
    static uint8_t bytes[MOST_BYTES];
    FILE *file = errno == ENOTDIR ? fopen(path, "rb") : NULL;
    input *longer = realloc(corpus.input, (corpus.n + 1) * sizeof *longer);
    if (!file || !longer) {
        fprintf(stderr, "cannot read %s: %s\n", path, strerror(errno));
        return false;
    }
    corpus.input = longer;
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    longer[corpus.n] = (input){malloc(n ? n : 1), n};
    memcpy(longer[corpus.n++].bytes, bytes, n);
    return true;
}

/* ---- Mutations ------------------------------------------------------------------------------- */

static size_t cut(uint8_t *bytes, size_t n)
{
    size_t from = below(n), gone = 1 + below(n - from < 64 ? n - from : 64);
    if (from + gone > n) return from;
    memmove(bytes + from, bytes + from + gone, n - from - gone);
    return n - gone;
}

/* Opens a gap at `at` and fills it from elsewhere. */
static size_t insert(uint8_t *bytes, size_t n, size_t at, const uint8_t *from, size_t more)
{
    if (more > MOST_BYTES - n) more = MOST_BYTES - n;
    memmove(bytes + at + more, bytes + at, n - at);
    if (more) memcpy(bytes + at, from, more);
    return n + more;
}

static size_t mutate(uint8_t *bytes, size_t n)
{
    static const uint8_t telling[] = {0, 1, 2, 0x7f, 0x80, 0xff, '\n', ' ', '='};
    const input *other = &corpus.input[below(corpus.n)];
    size_t from = below(other->n), some = 1 + below(64);
    uint8_t piece[64];
    for (size_t i = 0; i < sizeof piece; i++) piece[i] = (uint8_t)next_random();
    switch (n ? below(8) : 6) {
    case 0:
        bytes[below(n)] ^= (uint8_t)(1u << below(8));
        return n;
    case 1:
        bytes[below(n)] = telling[below(sizeof telling)];
        return n;
    case 2:
        bytes[below(n)] = (uint8_t)(bytes[below(n)] + below(9) - 4);
        return n;
    case 3:
        return cut(bytes, n);
    case 4:
        return below(n) + 1; /* the end is missing */
    case 5:                  /* a piece of it again */
        from = below(n);
        if (some > n - from) some = n - from;
        memcpy(piece, bytes + from, some);
        return insert(bytes, n, below(n + 1), piece, some);
    case 6:
        return insert(bytes, n, below(n + 1), piece, 1 + below(4));
    default: /* a piece of another */
        if (some > other->n - from) some = other->n - from;
        return insert(bytes, n, below(n + 1), other->bytes + from, some);
    }
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static size_t mutate_for(double seconds)
{
    static uint8_t bytes[MOST_BYTES];
    size_t count = 0;
    for (double end_s = now_s() + seconds; now_s() < end_s; count++) {
        const input *base = &corpus.input[below(corpus.n)];
        size_t n = base->n;
        if (n) memcpy(bytes, base->bytes, n);
        for (size_t steps = 1 + below(STEPS_MOST); steps > 0; steps--) n = mutate(bytes, n);
        run(bytes, n);
    }
    return count;
}

int main(int argc, char **argv)
{
    double seconds = 0;
    int option;
    const char *name = strrchr(argv[0], '/');
    snprintf(crash_name, sizeof crash_name, "crash-%s", name ? name + 1 : argv[0]);
    while ((option = getopt(argc, argv, "s:t:")) != -1) {
        if (option == 's') seed = strtoull(optarg, NULL, 10);
        else if (option == 't') seconds = strtod(optarg, NULL);
        else return 2;
    }
    for (int i = optind; i < argc; i++)
        if (!load(argv[i])) return 3;
    if (corpus.n == 0) {
        fprintf(stderr, "no input; name files or folders of them\n");
        return 2;
    }
    if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(save_crash);
    signal(SIGABRT, on_signal);
    signal(SIGALRM, on_signal);
    for (size_t i = 0; i < corpus.n; i++) run(corpus.input[i].bytes, corpus.input[i].n);
    size_t mutations = mutate_for(seconds);
    printf("%zu files, %zu mutations\n", corpus.n, mutations);
    for (size_t i = 0; i < corpus.n; i++) free(corpus.input[i].bytes);
    free(corpus.input);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* refusals.c: preloaded into a program, runs its main once for each line of a table instead of
   once: what it refuses is tested by one start. Each run is a fork of a process that has not begun
   main, so that no line finds what another left. A line of TEST_REFUSALS is
   "PROGRAM<tab>NAME<tab>REGEX" and then, each after a tab, the arguments. It holds if main returns
   or exits with status 2 and exactly one line on stderr matches. Prints TAP. */
#include <dlfcn.h>
#include <errno.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void),
                           void (*)(void), void *);
enum { MOST_WORDS = 64, TIME_LIMIT_S = 60 };

static main_function *program;

/* The words between tabs, which may be empty. Returns their number. */
static int split(char *line, char **word)
{
    int n = 0;
    for (char *at = line; at && n < MOST_WORDS; n++) word[n] = strsep(&at, "\t");
    word[n] = NULL;
    return n;
}

/* The whole file, to be freed, or NULL. A run that exits would move the place in a file that is
   read line by line. */
static char *text_of(const char *name)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(name, "r");
    char *text = file ? malloc(MOST) : NULL;
    if (text) text[fread(text, 1, MOST - 1, file)] = 0;
    if (file) fclose(file);
    return text;
}

/* Runs main; its stderr goes to `err`. Returns what waitpid says. */
static int run(FILE *err, int argc, char **argv, char **environment)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout)
            || dup2(fileno(err), STDERR_FILENO) < 0)
            _exit(99);
        alarm(TIME_LIMIT_S);
        exit(program(argc, argv, environment));
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return status;
}

static bool is_refused(const char *pattern, int argc, char **argv, char **environment)
{
    regex_t regex;
    FILE *err = tmpfile();
    if (!err || regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB)) return false;
    const int status = run(err, argc, argv, environment);
    char text[4096];
    int matches = 0;
    rewind(err);
    while (fgets(text, sizeof text, err)) {
        text[strcspn(text, "\n")] = 0;
        matches += regexec(&regex, text, 0, NULL, 0) == 0;
    }
    const bool refused = WIFEXITED(status) && WEXITSTATUS(status) == 2 && matches == 1;
    if (!refused) {
        printf("# wait status %#x; %d lines match %s\n", (unsigned)status, matches, pattern);
        rewind(err);
        while (fgets(text, sizeof text, err)) printf("# %s", text);
    }
    regfree(&regex);
    fclose(err);
    return refused;
}

static int walk(int argc, char **argv, char **environment)
{
    const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
    char *table = text_of(getenv("TEST_REFUSALS")), *word[MOST_WORDS + 1];
    int points = 0, failed = 0;
    (void)argc;
    unsetenv("LD_PRELOAD");
    if (!table) return 99;
    for (char *at = table, *line; (line = strsep(&at, "\n"));) {
        if (*line == '#' || split(line, word) < 3 || strcmp(word[0], name) != 0) continue;
        const char *label = word[1], *pattern = word[2];
        int n = 1;
        word[2] = argv[0];
        while (word[n + 2]) n++;
        const bool refused = is_refused(pattern, n, word + 2, environment);
        printf("%s %d - %s: %s\n", refused ? "ok" : "not ok", ++points, name, label);
        failed += !refused;
    }
    free(table);
    printf("1..%d\n", points);
    return failed > 0 || points == 0;
}

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_function *start;
    void *symbol = dlsym(RTLD_NEXT, "__libc_start_main");
    memcpy(&start, &symbol, sizeof start);
    program = main;
    return start(getenv("TEST_REFUSALS") ? walk : main, argc, argv, init, fini, rtld_fini,
                 stack_end);
}

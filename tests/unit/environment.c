/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.c: which CM_ variables are accepted, which are refused, and in what words. */
#include "config.h"
#include "tap.h"
#include "comm/comm.h"
#include "base/environment.h"
#include "base/spelling.h"
#include <stdlib.h>
#include <unistd.h>

static char said[4096];

/* cm_environment_read with stderr caught in said. */
static int read_it(cm_environment *environment)
{
    FILE *error = tmpfile();
    if (!error) exit(99);
    fflush(stderr);
    int saved = dup(2);
    dup2(fileno(error), 2);
    int status = cm_environment_read(environment);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    rewind(error);
    said[fread(said, 1, sizeof said - 1, error)] = '\0';
    fclose(error);
    return status;
}

static bool accepted(const char *name, const char *value)
{
    cm_environment environment;
    setenv(name, value, 1);
    int status = read_it(&environment);
    unsetenv(name);
    return status == 0 && !*said;
}

static void refused(const char *name, const char *value, const char *want)
{
    char line[512];
    snprintf(line, sizeof line, "clustermark: %s\n", want);
    cm_environment environment;
    setenv(name, value, 1);
    ok(read_it(&environment) == CM_EXIT_USAGE, "%s=%s is refused", name, value);
    unsetenv(name);
    ok_text(said, line, "  in these words");
}

static void unknown(const char *name, const char *meant)
{
    char want[512];
    int n = snprintf(want, sizeof want, "unknown environment variable %s; ", name);
    if (meant) snprintf(want + n, sizeof want - (size_t)n, "did you mean %s?", meant);
    else strcpy(want + n, "`clustermark env` lists the valid ones");
    refused(name, "1", want);
}

static void unknown_tests(void)
{
    unknown("CM_EAGERBYTES", "CM_EAGER_BYTES");
    unknown("CM_EAGER_BYTESX", "CM_EAGER_BYTES");
    unknown("CM_TIMEOUT", "CM_TIMEOUT_S");
    unknown("CM_RAIL", "CM_RAILS");
    unknown("CM_NODLEAY", "CM_NODELAY");
    unknown("CM_BSP_CHEK", "CM_BSP_CHECK");
    unknown("CM_DUMMYS", "CM_DUMMY");
    unknown("CM_QUIET", NULL);
    unknown("CM_", NULL);
    char longest[301] = "CM_";
    memset(longest + 3, 'X', sizeof longest - 4);
    unknown(longest, NULL);
    setenv("PMI_RANK", "1", 1);
    setenv("CM_QUIET", "1", 1);
    cm_environment environment;
    ok(read_it(&environment) == CM_EXIT_USAGE && !*said, "ranks other than the first say nothing");
    unsetenv("CM_QUIET");
    unsetenv("PMI_RANK");
}

static void each_known(const char *name, const char *initial, const char *meaning, void *context)
{
    int *n = context;
    ++*n;
    ok(cm_environment_known(name, strlen(name)) && *meaning, "%s is known", name);
    ok(!cm_environment_known(name, strlen(name) - 1), "without its last letter it is not");
    if (initial) ok(accepted(name, initial), "%s=%s, the default, is accepted", name, initial);
}

static void known_tests(void)
{
    int n = 0;
    cm_environment_each(each_known, &n);
    ok(n > 10, "there are variables");
    ok(accepted("CM_QUIET", ""), "an empty variable counts as unset");
    ok(accepted("CM_EAGER_BYTES", ""), "a known one too");
    ok(accepted("CMX", "1") && accepted("cm_eager_bytes", "x") && accepted("MY_CM_EAGER", "1"),
       "other prefixes are not ours");
}

static void value_tests(void)
{
    cm_environment environment;
    setenv("CM_LOCAL_RANKS", "12", 1);
    ok(read_it(&environment) == 0 && environment.local_ranks == 12, "a count");
    unsetenv("CM_LOCAL_RANKS");
    refused("CM_LOCAL_RANKS", "4k", "CM_LOCAL_RANKS=4k: expected a whole number from 0 to 65536");
    refused("CM_LOCAL_RANKS", "70000",
            "CM_LOCAL_RANKS=70000: expected a whole number from 0 to 65536");
    setenv("CM_DELAY_NS", "1000000000", 1);
    ok(read_it(&environment) == 0 && environment.delay_ns == 1000000000, "a delay of a second");
    unsetenv("CM_DELAY_NS");
    ok(read_it(&environment) == 0 && environment.ahead.grows
           && environment.ahead.bytes == CM_AHEAD_LEAST,
       "what goes ahead grows if nobody says otherwise");
    setenv("CM_AHEAD_BYTES", "64Ki", 1);
    ok(read_it(&environment) == 0 && !environment.ahead.grows && environment.ahead.bytes == 65536,
       "and is what somebody says");
    unsetenv("CM_AHEAD_BYTES");
    refused(
        "CM_AHEAD_BYTES", "most",
        "CM_AHEAD_BYTES=most: expected auto, or 0 to 268435456 bytes (suffixes k M G Ki Mi Gi)");
    const char *const delays[] = {"-1", "1.5", "1e-3", "1us", "1000000001", "4294967297"};
    for (size_t k = 0; k < sizeof delays / sizeof *delays; k++) {
        char want[128];
        snprintf(want, sizeof want, "CM_DELAY_NS=%s: expected a whole number from 0 to 1000000000",
                 delays[k]);
        refused("CM_DELAY_NS", delays[k], want);
    }
    refused("CM_KEEP_GOING", "yes", "CM_KEEP_GOING=yes: expected 0 or 1");
    refused("CM_EAGER_BYTES", "-1",
            "CM_EAGER_BYTES=-1: expected 0 to 1073741824 bytes (suffixes k M G Ki Mi Gi)");
    setenv("CM_KEEP_GOING", "1", 1);
    setenv("CM_LAUNCHER", "cmrun", 1);
    ok(read_it(&environment) == 0 && environment.keep_going, "a flag");
    ok_text(environment.launcher, "cmrun", "a text");
    unsetenv("CM_KEEP_GOING");
    unsetenv("CM_LAUNCHER");
    ok(read_it(&environment) == 0 && !environment.keep_going && !environment.launcher
           && environment.local_ranks == 0 && environment.delay_ns == 0,
       "nothing set: defaults");
}

static size_t apart(const char *a, const char *b)
{
    size_t forth = cm_spelling_distance(a, strlen(a), b, strlen(b));
    size_t back = cm_spelling_distance(b, strlen(b), a, strlen(a));
    return forth == back ? forth : 99;
}

static void spelling_tests(void)
{
    ok(apart("", "") == 0 && apart("abc", "abc") == 0, "equal names");
    ok(apart("", "abc") == 3 && apart("abcd", "bcd") == 1 && apart("abcd", "abc") == 1,
       "letters that lack");
    ok(apart("kitten", "sitting") == 3, "two other letters, one more");
    ok(apart("abcd", "acbd") == 1, "neighbours swapped");
    ok(apart("ca", "abc") == 3, "the restricted distance: what was swapped stays");
}

static void old_name_tests(void)
{
    cm_environment environment;
    setenv("CM_PIECE_BYTES", "4096", 1);
    ok(read_it(&environment) == 0 && environment.piece_bytes == 4096, "an old name is taken");
    ok_text(said,
            "clustermark: CM_PIECE_BYTES is called CM_SEND_CHUNK_BYTES now; this release "
            "takes both\n",
            "in one line");
    ok(!getenv("CM_PIECE_BYTES") && getenv("CM_SEND_CHUNK_BYTES"),
       "what is started has the new one");
    ok(read_it(&environment) == 0 && !*said, "and says nothing");
    setenv("CM_PIECE_BYTES", "4096", 1);
    ok(read_it(&environment) == 0 && environment.piece_bytes == 4096, "both, alike");
    setenv("CM_PIECE_BYTES", "8192", 1);
    ok(read_it(&environment) == CM_EXIT_USAGE
           && strstr(said, "CM_PIECE_BYTES=8192 and CM_SEND_CHUNK_BYTES=4096 are one variable"),
       "both, differently: refused");
    unsetenv("CM_SEND_CHUNK_BYTES");
    setenv("CM_PIECE_BYTES", "many", 1);
    ok(read_it(&environment) == CM_EXIT_USAGE
           && strstr(said, "CM_SEND_CHUNK_BYTES=many: expected 1 to"),
       "a wrong value by the old name");
    unsetenv("CM_PIECE_BYTES");
    unsetenv("CM_SEND_CHUNK_BYTES");
}

/* The variables by which Hydra, cmrun and Open MPI give the number of ranks; Slurm's belongs to an
   outer job. */
static void alone_tests(void)
{
    static const char *const others[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_NTASKS"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) unsetenv(others[k]);
    ok(!cm_launch_alone(), "no launcher: whether there are others is not known");
    setenv("SLURM_NTASKS", "1", 1);
    ok(!cm_launch_alone(), "Slurm's one task may have been started beside others");
    setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
    ok(cm_launch_alone(), "one rank of Open MPI");
    setenv("PMI_SIZE", "2", 1);
    ok(!cm_launch_alone(), "two ranks of a launcher inside that one");
    setenv("PMI_SIZE", "1", 1);
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    ok(cm_launch_alone(), "one rank inside two of Open MPI's");
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) unsetenv(others[k]);
}

int main(void)
{
    for (char **each = environ; *each;)
        if (strncmp(*each, "CM_", 3) == 0) {
            char name[256];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(*each, "="), *each);
            unsetenv(name);
            each = environ;
        } else each++;
    unsetenv("PMI_RANK");
    unsetenv("PMIX_RANK");
    unsetenv("OMPI_COMM_WORLD_RANK");
    unknown_tests();
    known_tests();
    value_tests();
    spelling_tests();
    old_name_tests();
    alone_tests();
    return tap_done();
}

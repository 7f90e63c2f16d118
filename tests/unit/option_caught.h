/* SPDX-License-Identifier: BSD-3-Clause */
/* option_caught.h: what the tests of src/option share: command lines parsed with stdout and stderr
   caught, and what was printed, saved for groff and bash. Comes after tap.h. */
#ifndef CM_OPTION_CAUGHT_H
#define CM_OPTION_CAUGHT_H

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* The layer's would read the launcher's environment; here the tests say which rank they are. */
static int launch_rank;

int cm_launch_rank(void) { return launch_rank; }

static char printed[65536], said[65536];
static char *caught_words[64]; /* the last command line, as the parser left it */

static void slurp(FILE *file, char *text, size_t size)
{
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

typedef int parsing(int argc, char **argv, void *context);

/* line: arguments separated by single blanks; "" gives none. Returns what parse returns; printed
   and said are its stdout and stderr. */
static int caught(parsing *parse, const char *line, void *context)
{
    static char words[4096]; /* TEXT values point into it */
    int argc = 1;
    caught_words[0] = "cm-test";
    snprintf(words, sizeof words, "%s", line);
    for (char *word = words; *line && word && argc < 63; argc++) {
        caught_words[argc] = word;
        word = strchr(word, ' ');
        if (word) *word++ = '\0';
    }
    caught_words[argc] = NULL;
    FILE *out = tmpfile(), *error = tmpfile();
    if (!out || !error) exit(99);
    fflush(stdout);
    fflush(stderr);
    int saved_out = dup(1), saved_error = dup(2);
    dup2(fileno(out), 1);
    dup2(fileno(error), 2);
    int status = parse(argc, caught_words, context);
    fflush(stdout);
    fflush(stderr);
    dup2(saved_out, 1);
    dup2(saved_error, 2);
    close(saved_out);
    close(saved_error);
    slurp(out, printed, sizeof printed);
    slurp(error, said, sizeof said);
    return status;
}

/* Runs a shell command; what it writes to stdout or stderr comes back. */
static int shell(const char *command, char *text, size_t size)
{
    FILE *pipe_end = popen(command, "r");
    if (!pipe_end) exit(99);
    text[fread(text, 1, size - 1, pipe_end)] = '\0';
    return pclose(pipe_end);
}

/* What was printed goes into the file. */
static void save(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(printed, file) < 0 || fclose(file) != 0) exit(99);
}

/* path: a file with the completion of cm-test. words: the words on the command line as bash splits
   them; the last is completed. */
static void completes(const char *path, const char *words, const char *want)
{
    char command[1024], text[4096], name[256];
    snprintf(command, sizeof command,
             "bash --norc -c '. ./%s; COMP_WORDS=(%s); "
             "COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _cm_test 2>/dev/null; echo "
             "\"${COMPREPLY[@]}\"' 2>&1",
             path, words);
    shell(command, text, sizeof text);
    text[strcspn(text, "\n")] = '\0';
    snprintf(name, sizeof name, "completing: %s", words);
    ok_text(text, want, name);
}

#endif

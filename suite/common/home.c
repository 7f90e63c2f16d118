/* SPDX-License-Identifier: BSD-3-Clause */
/* home.c: finds the parts of the package from where this program is. */
#include "config.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "home.h"
#include "installed_names.h"
#include "memory.h"
#include "say.h"

/* The folder of this program, links followed. */
static char *own_folder(void)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) return NULL;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash) *slash = '\0';
    return suite_copy(*path ? path : "/");
}

/* A link leads to the program of one backend, maybe of another than this one. */
static bool is_own_file(const char *folder, const char *name)
{
    char *path = suite_text("%s/%s", folder, name);
    struct stat file;
    bool is = lstat(path, &file) == 0 && S_ISREG(file.st_mode);
    free(path);
    return is;
}

static bool is_there(const char *folder, const char *name)
{
    char *path = suite_text("%s/%s", folder, name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* The value of top_srcdir in a Makefile, which is relative to the Makefile's folder or absolute. */
static char *source_of(const char *folder)
{
    static const char key[] = "top_srcdir = ";
    char line[PATH_MAX + 32], *source = NULL, *makefile = suite_text("%s/Makefile", folder);
    FILE *file = fopen(makefile, "r");
    free(makefile);
    if (!file) return NULL;
    while (!source && fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key)) != 0) continue;
        char *value = line + strlen(key);
        value[strcspn(value, "\n")] = '\0';
        source = *value == '/' ? suite_copy(value) : suite_text("%s/%s", folder, value);
    }
    fclose(file);
    return source;
}

/* The first of these folders that has the table. */
static char *data_of(char *first, char *second)
{
    if (first && is_there(first, "suite/benchmarks.tab")) {
        free(second);
        return first;
    }
    free(first);
    if (!second) second = suite_copy(SUITE_DATA);
    if (is_there(second, "suite/benchmarks.tab")) return second;
    suite_say("its files are not in %s; was the package installed?", second);
    free(second);
    return NULL;
}

bool suite_home_find(suite_home *home)
{
    char *own = own_folder();
    *home = (suite_home){.programs = own ? own : suite_copy("/")};
    char *tree = suite_text("%s/..", home->programs);
    if (is_there(tree, "config.status") && is_there(home->programs, "Makefile")) {
        home->tree = tree;
        home->data = data_of(NULL, source_of(home->programs));
    } else {
        free(tree);
        home->data =
            data_of(suite_text("%s/../share/" PACKAGE, home->programs), suite_copy(SUITE_DATA));
    }
    if (home->data) return true;
    suite_home_free(home);
    return false;
}

void suite_home_free(suite_home *home)
{
    free(home->data);
    free(home->tree);
    free(home->programs);
    *home = (suite_home){0};
}

/* The program's name with the backend's, and what --program-prefix and its like made of it. */
static const char *installed_name(const char *program)
{
    for (size_t k = 0; k < sizeof installed_names / sizeof installed_names[0]; k++)
        if (strcmp(installed_names[k][0], program) == 0) return installed_names[k][1];
    return program;
}

char *suite_home_program(const suite_home *home, const char *folder, const char *program)
{
    if (home->tree) return suite_text("%s/%s/%s", home->tree, folder, program);
    const char *name = installed_name(program);
    const bool plain = !is_there(home->programs, name) && is_own_file(home->programs, program);
    return suite_text("%s/%s", home->programs, plain ? program : name);
}

char *suite_home_file(const suite_home *home, const char *name)
{
    return suite_text("%s/%s", home->data, name);
}

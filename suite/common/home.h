/* SPDX-License-Identifier: BSD-3-Clause */
/* home.h: where the parts of the package are: in the build tree around this program, or where they
   were installed, also if the installation was moved as a whole. */
#ifndef SUITE_HOME_H
#define SUITE_HOME_H

#include <stdbool.h>

typedef struct {
    char *data;     /* the folder with suite/ and the benchmarks' folders: figures, paper*.dat */
    char *tree;     /* the build tree; NULL: installed */
    char *programs; /* installed: the folder of the programs */
} suite_home;

/* Finds the folders. Returns true, or prints one line and returns false. */
bool suite_home_find(suite_home *home);
void suite_home_free(suite_home *home);

/* The path of a benchmark's program ("netpipe", "cm-netpipe"), of cmrun (folder "src") or, if
   installed, of the clustermark over a backend ("suite", "clustermark-shm"). Installed programs
   have the backend's name, or else, where somebody packed them so, the plain one. The file may be
   missing. The caller frees. */
char *suite_home_program(const suite_home *home, const char *folder, const char *program);

/* The path of a file of the data: suite_home_file(home, "suite/style.css"). The caller frees. */
char *suite_home_file(const suite_home *home, const char *name);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* names.h: names that identify a site (hosts, users, paths, addresses), and texts without them. */
#ifndef SUITE_NAMES_H
#define SUITE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char **host; /* as they were found; host k is called host-(k+1) */
    size_t n_hosts;
    size_t hosts, users, paths, addresses; /* how often each was replaced */
} suite_names;

/* Adds a host; "localhost", names of digits only and what is there already are left out. */
void suite_names_add(suite_names *names, const char *host);
void suite_names_free(suite_names *names);

/* The text with these replaced; the caller frees:
     - a host, whole or with a suffix after a dot or a hyphen (node7.site.edu, node7-ib0),
       also where the list has the long name and the text the short one: host-7
     - a user before an @: user@
     - a word that begins with / or ~/, also behind -I and the like and, with its blanks, in
       quotation marks; what follows the colon of file:///home: PATH, or PATH/cm-netpipe for a
       program of ours
     - an IPv4 address but 127.x.x.x and 0.0.0.0, an IPv6 address but :: and ::1, and a hardware
       address (MAC): ADDRESS
   command: it is a command line, in which a word with a / anywhere is a path, and so is what stands
   behind an =. A number of four parts is an address; a version of four parts (versions) is not. */
typedef enum { SUITE_NAMES_TEXT, SUITE_NAMES_COMMAND, SUITE_NAMES_VERSION } suite_names_kind;
char *suite_names_replace(suite_names *names, const char *text, suite_names_kind kind);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* folder.h: DIR of `clustermark run DIR`: NAME.json, and NAME.txt for people, for each run that
   ended, NAME.failed or NAME.skipped with the reason for each that did not, and run.txt, which says
   how it was run. */
#ifndef SUITE_FOLDER_H
#define SUITE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include "result/read.h"
#include "common/table.h"

typedef enum {
    SUITE_COMPLETE, /* record has its result */
    SUITE_FAILED,   /* text says why */
    SUITE_SKIPPED   /* text says why; also: not run */
} suite_state;

typedef struct {
    suite_state state;
    char *text;       /* of NAME.failed or NAME.skipped, or a sentence; NULL if complete */
    cm_record record; /* empty unless complete */
} suite_entry;

/* Makes the folder and those above it. Returns true if it is there; otherwise see errno. */
bool suite_folders_make(const char *dir);

/* DIR/NAME.SUFFIX ("txt"); the caller frees. */
char *suite_folder_path(const char *dir, const char *name, const char *suffix);

/* The file that is read for a result, of which the path names the text: the JSON of the same name
   or, if there is none, the text itself. Other names are left as they are. The caller frees. */
char *suite_record_path(const char *path);

/* Returns true if the file is there and is a JSON object from its beginning to its end. */
bool suite_json_is_whole(const char *path);

/* Reads what DIR holds of the run. A result that is not complete or cannot be read is a failure.
   So is a complete one beside a NAME.failed: something else of that run was lost. Free with
   suite_entry_free. */
void suite_entry_read(const char *dir, const suite_run *run, suite_entry *entry);
void suite_entry_free(suite_entry *entry);

/* Writes DIR/NAME.SUFFIX whole or not at all. Returns true, or prints one line and returns
   false. */
bool suite_folder_write(const char *dir, const char *name, const char *suffix, const char *text);
void suite_folder_remove(const char *dir, const char *name, const char *suffix);

/* Removes what killed writers left in DIR: only the names that the results and figures of the table
   have until they are whole, such as NAME.txt.part and NAME-FIGURE.svg.part.svg. */
void suite_folder_clean(const char *dir, const suite_table *table);

/* Writes a file at any path whole or not at all, for the command: beside it under a name that was
   not there. With force it replaces a plain file and keeps its rights; without, none. Returns true,
   or prints one line and returns false. */
bool suite_file_write(const char *command, const char *path, bool force, const char *text,
                      size_t length);

/* The value of a key of DIR/run.txt; NULL: there is none. The caller frees. */
char *suite_folder_metadata(const char *dir, const char *key);

/* Prints one line for the command, which takes the results of one backend, and returns true if DIR
   has a folder for each of several (backends.h). */
bool suite_folder_has_several(const char *command, const char *dir);

/* Returns true if DIR is a folder that holds a result, a failure or a skipped run. */
bool suite_folder_holds(const char *dir);
/* The same; if not, prints one line that begins with the command's name. */
bool suite_folder_require(const char *command, const char *dir);

/* Returns true if files can be made in DIR; otherwise prints one line for the command. */
bool suite_folder_writable(const char *command, const char *dir);

/* A template for mkstemp or mkdtemp in TMPDIR, or in /tmp without that; the caller frees. */
char *suite_folder_temporary(const char *name);

/* The whole content of a file as a text; NULL: it cannot be read. The caller frees. */
char *suite_file_text(const char *path);

#endif

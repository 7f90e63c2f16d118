/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi2_message.h: the messages of PMI-2: their length as six characters, then
   "cmd=NAME;key=value;...", in which ";;" stands for a semicolon (Balaji et al., "PMI: A scalable
   parallel process-management interface", EuroMPI 2010; MPICH's and Slurm's servers). */
#ifndef CM_PMI2_MESSAGE_H
#define CM_PMI2_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include "comm/pmi/pmi_line.h"

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

#ifdef __cplusplus
extern "C" {
#endif

enum { CM_PMI2_HEAD_BYTES = 6, CM_PMI2_MESSAGE_BYTES = 8192 /* with the final NUL */ };

/* Bytes that were read and not yet taken. Initialize with zeros. */
typedef struct {
    size_t start, end;
    char bytes[CM_PMI2_HEAD_BYTES + CM_PMI2_MESSAGE_BYTES];
} cm_pmi2_reader;

/* As cm_pmi_reader_next. CM_PMI_READ_TOO_LONG: the length is none, or beyond the bounds. *message
   is valid until the next call. */
cm_pmi_read cm_pmi2_reader_next(cm_pmi2_reader *reader, int fd, bool wait, char **message);

/* Copies the value of the first field of this name. Returns false if there is none or if it does
   not fit. */
bool cm_pmi2_field(const char *message, const char *name, char *value, size_t capacity);

/* Returns true if the message is the response to the command, with rc=0. */
bool cm_pmi2_success(const char *message);
bool cm_pmi2_responds(const char *message, const char *command);

/* Returns true if text can be a key or a value: printable, without what separates fields. */
bool cm_pmi2_text_valid(const char *text);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* record_write.h: a record as JSON, which is what is read again, and as text for people and
   gnuplot. */
#ifndef SUITE_RECORD_WRITE_H
#define SUITE_RECORD_WRITE_H

#include "common/words.h"
#include "launches.h"
#include "result/read.h"

/* The record of these launches, with a member "launches": each launch's file, which has the
   samples, and its metrics; without it if launches is NULL. The caller frees. */
char *suite_record_json(const cm_record *record, const suite_launches *launches);

/* The text of a record; the caller frees. */
char *suite_record_text(const cm_record *record);

/* The lines on the fastest, the other comments and the fits, without "# ". Free with
   suite_words_free. */
suite_words suite_record_comments(const cm_record *record);

#endif

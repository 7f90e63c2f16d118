/* SPDX-License-Identifier: BSD-3-Clause */
/* sets.h: kernels that are compiled for several instruction sets, so that a program built for any
   processor of a family is as fast as one built for this processor.

   The Makefile compiles a file of kernels once for each set, into a library of its own:

       libNAME_v3_la_CPPFLAGS = $(AM_CPPFLAGS) -DCM_SETS_THIS=v3
       libNAME_v3_la_CFLAGS = $(CM_SET_V3_CFLAGS)

   Each external name of the file is CM_SETS_NAME(name), which appends the set. It has no function
   that main or another file calls by name, only a table of functions. The file that uses the tables
   includes config.h, declares them with CM_SETS_DECLARE and finds that of the set in force with
   CM_SETS_TABLE. */
#ifndef CM_SETS_H
#define CM_SETS_H

#include <stdbool.h>
#include <stddef.h>

/* The best comes last. baseline: what the user's flags say, or any processor of the family; native:
   that of the machine that configure ran on; v3 and v4: x86-64-v3 (AVX2, FMA) and x86-64-v4
   (AVX-512). v4 comes after native because it was as fast or faster: HINT's integer kernels by 10
   to 15 % (GCC 12 on a younger EPYC, which it takes for a Zen 3). And so all builds run the same
   kernels on a processor that has v4. */
typedef enum { CM_SET_BASELINE, CM_SET_NATIVE, CM_SET_V3, CM_SET_V4, CM_SETS } cm_set;
extern const char *const cm_set_names[CM_SETS + 1]; /* "baseline", ...; NULL at the end */

/* Returns true if kernels are compiled for the set and this processor has it. If not and why is
   not NULL, *why is the first instruction set that the processor lacks, or NULL if the kernels are
   not compiled for the set. */
bool cm_set_has(cm_set set, const char **why);

/* Returns the set whose kernels run: that of CM_ISA, if it can, else the best. Found once. */
cm_set cm_set_chosen(void);

#define CM_SETS_PASTE_AGAIN(name, set) name##_##set
#define CM_SETS_PASTE(name, set) CM_SETS_PASTE_AGAIN(name, set)
#ifdef CM_SETS_THIS
#define CM_SETS_NAME(name) CM_SETS_PASTE(name, CM_SETS_THIS)
#else
#define CM_SETS_NAME(name) name
#endif

/* Initializes an array [CM_SETS] of pointers; NULL for sets that are not compiled.
   CM_SETS_ALONE: a test compiles the kernels itself, once, without a set. */
#ifdef CM_SETS_ALONE
#define CM_SETS_DECLARE(type, name) extern type name
#define CM_SETS_TABLE(name)        \
    {                              \
        &name, &name, &name, &name \
    }
#else
#define CM_SETS_DECLARE(type, name) \
    extern type name##_baseline;    \
    extern type name##_v3;          \
    extern type name##_v4;          \
    extern type name##_native
#define CM_SETS_TABLE(name)                                                        \
    {                                                                              \
        &name##_baseline, CM_SETS_IF(HAVE_SET_NATIVE, name##_native),              \
            CM_SETS_IF(HAVE_SET_V3, name##_v3), CM_SETS_IF(HAVE_SET_V4, name##_v4) \
    }
#define CM_SETS_IF(have, name) CM_SETS_PASTE(CM_SETS_IF, have)(name)
#define CM_SETS_IF_1(name) &name
#define CM_SETS_IF_0(name) NULL
#endif

#endif

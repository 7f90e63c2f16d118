/* SPDX-License-Identifier: BSD-3-Clause */
/* length.h: messages and arrays of any length through MPI's counts. MPI 4 takes 64-bit counts in
   the calls with suffix _c, which serve all lengths. In older versions a count is an int, and a
   longer message is one element of a type created for it. */
#ifndef CM_MPI_LENGTH_H
#define CM_MPI_LENGTH_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <mpi.h>

#if MPI_VERSION >= 4 && SIZE_MAX > 0xffffffff
#define LARGE_COUNTS 1
#define LARGE(call) call##_c
typedef MPI_Count cm_mpi_length;
typedef MPI_Aint cm_mpi_offset;
#define LENGTH_LIMIT SIZE_MAX
_Static_assert(sizeof(cm_mpi_length) == sizeof(size_t) && sizeof(cm_mpi_offset) == sizeof(size_t),
               "size_t arrays are passed as they are");
#else
#define LARGE_COUNTS 0
#define LARGE(call) call
typedef int cm_mpi_length;
typedef int cm_mpi_offset;
#define LENGTH_LIMIT ((size_t)INT_MAX)
#endif

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#pragma GCC visibility push(hidden)

/* The arguments that describe a message of this length to MPI. */
typedef struct {
    cm_mpi_length count;
    MPI_Datatype type;
} cm_mpi_shape;

#if LARGE_COUNTS
static inline cm_mpi_shape cm_mpi_shape_of(size_t bytes)
{
    return (cm_mpi_shape){(cm_mpi_length)bytes, MPI_BYTE};
}

static inline void cm_mpi_shape_free(size_t bytes, cm_mpi_shape *shape)
{
    (void)bytes, (void)shape;
}
#else
__attribute__((cold)) MPI_Datatype cm_mpi_long_type(size_t bytes);

static inline cm_mpi_shape cm_mpi_shape_of(size_t bytes)
{
    if (UNLIKELY(bytes > LENGTH_LIMIT)) return (cm_mpi_shape){1, cm_mpi_long_type(bytes)};
    return (cm_mpi_shape){(cm_mpi_length)bytes, MPI_BYTE};
}

static inline void cm_mpi_shape_free(size_t bytes, cm_mpi_shape *shape)
{
    if (UNLIKELY(bytes > LENGTH_LIMIT)) MPI_Type_free(&shape->type);
}
#endif

#pragma GCC visibility pop
#endif

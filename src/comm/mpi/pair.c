/* SPDX-License-Identifier: BSD-3-Clause */
/* pair.c: CM_MINLOC and CM_MAXLOC. MPI has no type for pairs of a value and a 64-bit index, so they
   travel as 16 bytes and the layer's operators compare them. */
#include "comm/mpi/backend_mpi.h"

MPI_Datatype cm_mpi_pair_type = MPI_DATATYPE_NULL;
MPI_Op cm_mpi_pair_ops[CM_PAIRS][2];
_Static_assert(sizeof(cm_float_index) == 16 && sizeof(cm_double_index) == 16, "cm_mpi_pair_type");

#define PAIR_FUNCTION(name, op, type)                                             \
    static void name(void *left, void *right, int *count, MPI_Datatype *datatype) \
    {                                                                             \
        (void)datatype;                                                           \
        cm_operator_apply(op, type, left, right, (size_t)*count);                 \
    }
PAIR_FUNCTION(float_minloc, CM_MINLOC, CM_FLOAT_INDEX)
PAIR_FUNCTION(float_maxloc, CM_MAXLOC, CM_FLOAT_INDEX)
PAIR_FUNCTION(double_minloc, CM_MINLOC, CM_DOUBLE_INDEX)
PAIR_FUNCTION(double_maxloc, CM_MAXLOC, CM_DOUBLE_INDEX)

void cm_mpi_pairs_make(void)
{
    MPI_Type_contiguous(16, MPI_BYTE, &cm_mpi_pair_type);
    MPI_Type_commit(&cm_mpi_pair_type);
    MPI_Op_create(float_minloc, 1, &cm_mpi_pair_ops[CM_FLOAT_PAIR][0]);
    MPI_Op_create(float_maxloc, 1, &cm_mpi_pair_ops[CM_FLOAT_PAIR][1]);
    MPI_Op_create(double_minloc, 1, &cm_mpi_pair_ops[CM_DOUBLE_PAIR][0]);
    MPI_Op_create(double_maxloc, 1, &cm_mpi_pair_ops[CM_DOUBLE_PAIR][1]);
}

void cm_mpi_pairs_free(void)
{
    if (cm_mpi_pair_type == MPI_DATATYPE_NULL) return;
    MPI_Type_free(&cm_mpi_pair_type);
    for (int k = 0; k < CM_PAIRS; k++)
        for (int j = 0; j < 2; j++) MPI_Op_free(&cm_mpi_pair_ops[k][j]);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_fold.c: folds a rank's own vector and those of its children in a tree, in order. The
   result so far is the left operand and the next child's vector the right one, which is
   overwritten. So each child's vector is received into a different place than the one before, and
   no vector is copied (except into place if there is only one child and in is out). */
#include "comm/collective.h"

cm_fold cm_fold_begin(cm_schedule *s, const cm_collective_call *call, void *out, int children)
{
    const size_t bytes = call->bytes;
    cm_fold fold = {.call = call, .out = out, .even = out, .value = call->in, .left = children};
    if (!children) return fold;

    /* Counted from the last child, even ones share one place and odd ones the other. The first
       child must not overwrite in. */
    const bool spare = call->in == out && children % 2;
    const int blocks = !out + (children > 1) + spare;
    char *stage = blocks ? cm_schedule_stage(s, (size_t)blocks, bytes) : NULL;
    if (!out) fold.even = stage, stage += bytes;
    if (children > 1) fold.odd = stage, stage += bytes;
    if (spare) fold.first = stage;
    return fold;
}

void cm_fold_child(cm_schedule *s, cm_fold *fold, int rank)
{
    const cm_collective_call *call = fold->call;
    fold->left--;
    void *to = fold->first ? fold->first : fold->left % 2 ? fold->odd : fold->even;
    fold->first = NULL;
    cm_schedule_recv(s, to, call->bytes, rank);
    cm_schedule_reduce(s, fold->value, to, call->count);
    fold->value = to;
}

const void *cm_fold_end(cm_schedule *s, const cm_fold *fold)
{
    if (!fold->out) return fold->value;
    cm_schedule_copy(s, fold->value, fold->out, fold->call->bytes);
    return fold->out;
}

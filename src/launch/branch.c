/* SPDX-License-Identifier: BSD-3-Clause */
/* branch.c: a branch's name, and its loss. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include "launch/tree_internal.h"

const char *branch_name(const branch *branch)
{
    const tree_plan *plan = &branch->tree->plan;
    return plan->names[branch->number - plan->first];
}

void branch_fail(branch *branch, int status, const char *format, ...)
{
    const tree *tree = branch->tree;
    char text[1536];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < ' ' || *c == 127) *c = ' ';
    branch->awaited = false;
    channel_close(&branch->channel);
    branch_end(branch);
    tree->events->lost(tree->context, branch->number, status, text);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* group.c: a group's rank and size, which every backend stores at the same place. */
#include "comm/backend.h"

int cm_rank(const cm_group *group) { return ((const cm_group_base *)group)->rank; }

int cm_size(const cm_group *group) { return ((const cm_group_base *)group)->size; }

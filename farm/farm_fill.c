/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_fill.c: making a unit of work, for libcrypto and for those who hash it themselves. */
#include "farm_fill.h"
#include "farm_multi.h"
#include "machine/sets.h"

farm_filler *const CM_SETS_NAME(farm_filler_of_set) = fill;

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# schedule_more.sh: unit/schedule at further numbers of ranks.
exec ./unit/schedule more

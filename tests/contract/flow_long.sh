#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# contract/flow.sh with a million messages.
exec "${srcdir-.}/contract/flow.sh" long

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# contract_flow.sh with a million messages.
exec "${srcdir-.}/contract_flow.sh" long

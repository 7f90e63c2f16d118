#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# thread_sanitize.sh's algorithms on all numbers of ranks.
long=8 . "${srcdir-.}/contract/thread_sanitize.sh"

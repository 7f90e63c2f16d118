#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# long.sh: all tests of faults with all their cases, which takes minutes.
FAULTS_ALL=yes; export FAULTS_ALL
for script in stages pieces links; do
    sh "${srcdir:-.}/faults/$script.sh"
done | "${srcdir:-.}/tap-merge"

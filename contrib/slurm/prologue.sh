#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# prologue.sh: is this node what it was? For Slurm's Prolog, or PrologSlurmctld by ssh. Under a
# minute. Give it the folder of kept results that a quiet node made (clustermark baseline add).
#
#   Prolog=/etc/slurm/prologue.sh
#
# clustermark ends with 0 (like its history), 1 (worse), 3 (could not tell: too little history, or
# somebody else keeps the node busy). A Prolog that ends with anything but 0 drains the node, so a
# site decides here: only 1 drains, and the reason stands in sinfo -R.
set -u
# Slurm gives a Prolog no PATH and none of slurmd's variables: change these two lines here.
export PATH=$PATH:/opt/clustermark/bin
kept=${CLUSTERMARK_KEPT:-/etc/clustermark/kept}
results=$(mktemp -d "${TMPDIR:-/tmp}/clustermark.XXXXXX") || exit 0
trap 'rm -rf "$results"' EXIT
# Named, so that the job's other hosts are left alone.
said=$(timeout 100 clustermark nodes --against "$kept" --hosts "$(uname -n)" --time-limit 25 \
    "$results/nodes" 2>&1)
status=$?
[ $status != 127 ] || said="$said (PATH in prologue.sh)"
logger -t clustermark "status $status: ${said##*$'\n'}"
[ $status = 1 ] || exit 0
command -v scontrol >/dev/null &&
    scontrol update NodeName="${SLURMD_NODENAME:-$(hostname -s)}" State=DRAIN \
        Reason="clustermark: ${said##*$'\n'}"
exit 1

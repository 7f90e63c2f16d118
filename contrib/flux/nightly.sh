#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# nightly.sh: as ../slurm/nightly.sbatch, for Flux.
#
#   flux batch -N8 --exclusive -t 1h nightly.sh /shared/clustermark
#
# flux cron (`flux cron tab`) makes it nightly.
set -u
folder=${1:?"usage: flux batch -N8 nightly.sh FOLDER"}
night=$(date -u +%Y-%m-%d)
mkdir -p "$folder/nights" || exit 3
clustermark run --launcher flux --profile "${PROFILE:-quick}" --launches 3 "$folder/nights/$night"
status=$?
[ $status -le 1 ] || exit $status
clustermark report "$folder/nights/$night"
statuses=("$status" $?)
clustermark baseline add "$folder/kept" "$folder/nights/$night"
statuses+=($?)
clustermark history -f -o "$folder/history.html" "$folder/kept"
statuses+=($?)
for status in "${statuses[@]}"; do [ "$status" = 0 ] || exit "$status"; done

#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# textfile.sh: the newest results for Prometheus, by node_exporter's textfile collector.
#
#   textfile.sh RESULTS FOLDER       FOLDER is node_exporter's --collector.textfile.directory
#
# The collector may read at any moment: the file appears whole.
set -u
results=${1:?"usage: textfile.sh RESULTS FOLDER"} folder=${2:?"usage: textfile.sh RESULTS FOLDER"}
part=$folder/clustermark.prom.$$
trap 'rm -f "$part"' EXIT
clustermark export --to openmetrics "$results" >"$part" || exit $?
# The collector knows the older text format, in which # EOF and # UNIT are comments.
chmod 644 "$part" && mv -f "$part" "$folder/clustermark.prom"

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# links.sh: src/default-links: which backend's programs have the names without a backend's. What
# make installcheck says if pkg-config is not there.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
script=$(cd "$srcdir/../src" && pwd)/default-links

folder="$work/bin of ü"
mkdir "$folder" || exit 99
# there FILE...: empty files.
there() { for each; do : >"$folder/$each"; done; }
transform='s,x,x,'
# links HOW BACKEND [NAME...]
links()
{
    how=$1 backend=$2; shift 2
    [ $# -gt 0 ] || set -- cm-a cm-b clustermark.pc
    sh "$script" "$how" "$backend" 'mpi sockets shm' "$transform" "$folder" "$@" \
        >"$work/said" 2>&1 || { show "$work/said"; false; }
}
# leads LINK TARGET: no link if TARGET is empty.
leads()
{
    if [ -n "$2" ]; then to=$(readlink "$folder/$1") || to=; else to=; fi
    [ "$to" = "$2" ] && { [ -n "$2" ] || [ ! -L "$folder/$1" ]; } || { ls -l "$folder"; false; }
}

there cm-a-mpi clustermark-mpi.pc
ok 'the first backend' links add mpi
ok 'has the names of its programs' leads cm-a cm-a-mpi
ok 'of its .pc' leads clustermark.pc clustermark-mpi.pc
ok 'and no others' leads cm-b ''
ok 'nothing is said' [ ! -s "$work/said" ]
there cm-a-shm cm-b-shm clustermark-shm.pc
ok 'the second' links add shm
ok 'leaves the first its names' leads cm-a cm-a-mpi
ok 'says so' has 'stays a link to .*-mpi' "$work/said"
ok 'and has those of further programs' leads cm-b cm-b-shm
ok 'once more' links add mpi
ok 'changes nothing' leads cm-a cm-a-mpi
ok 'and says nothing' [ ! -s "$work/said" ]
ok 'the second takes the names' links set shm
ok 'of programs' leads cm-a cm-a-shm
ok 'and of the .pc' leads clustermark.pc clustermark-shm.pc
rm "$folder"/*-shm*
ok 'the second is removed' links mend shm
ok 'the names go to the other' leads cm-a cm-a-mpi
ok 'the .pc, too' leads clustermark.pc clustermark-mpi.pc
ok 'a name of none is removed' leads cm-b ''
rm "$folder"/*-mpi*
ok 'so is the other' links mend mpi
ok 'nothing is left' [ -z "$(ls -A "$folder")" ]

there cm-a cm-a-mpi
ok 'a program from before there were links' links add mpi
ok 'is replaced' leads cm-a cm-a-mpi
rm "$folder/cm-a"
there cm-a
ok 'what is no link' links mend mpi
ok 'is never removed' [ -f "$folder/cm-a" ]
rm "$folder"/*

mkdir "$folder/cm-a" || exit 99
there cm-a-mpi
ok 'where a folder has the name' links add mpi
ok 'nothing is put into it' [ -z "$(ls -A "$folder/cm-a")" ]
ok 'it is said' has 'cm-a is a folder' "$work/said"
rm -r "$folder"/*
sh "$script" set shm 'mpi shm' 's,x,x,' "$folder" cm-a 2>"$work/said"
ok 'the names of a backend that is not there' [ $? -eq 1 ]
ok 'one line' has '^default-links: shm is not installed in' "$work/said"

transform='s&$&-1.0&;s&^&my-&'
there my-cm-a-mpi-1.0 clustermark-mpi.pc
ok 'with --program-prefix and --program-suffix' links add mpi
ok 'links have both' leads my-cm-a-1.0 my-cm-a-mpi-1.0
ok 'a .pc has none' leads clustermark.pc clustermark-mpi.pc
there my-cm-a-shm-1.0
rm "$folder/my-cm-a-mpi-1.0"
ok 'when the backend is removed' links mend mpi
ok 'the other one is found' leads my-cm-a-1.0 my-cm-a-shm-1.0

rm "$folder"/*
transform='s,x,x,'
there cm-a
ok 'a program that make installs without a backend' links add mpi
ok 'is no link to itself' [ -f "$folder/cm-a" ]
folder=$work/nowhere
ok 'a folder that is not there' links add mpi
ok 'is not made' [ ! -e "$folder" ]

PKG_CONFIG=/nowhere/pkg-config sh "$srcdir/installed/installed.sh" . clustermark link 2>"$work/said"
ok 'installcheck without the pkg-config of configure' [ $? -eq 1 ]
ok 'says what is missing' has "^installcheck: PKG_CONFIG='/nowhere/pkg-config': there is no" \
    "$work/said"
finish

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# result_files.sh: no result overwrites what is there, gets lost, or is left half written.
set -u
program=$(pwd)/unit/result_program
n=0
failed=0
ok() {
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=1; fi
}
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }

here=$(mktemp -d) || exit 99
trap 'cd / && rm -rf "$here"' EXIT
cd "$here" || exit 99
json=yes
"$program" --json probe.json >/dev/null 2>err || json=no

# The run is refused with the status, one line on stderr that holds the text, nothing on stdout.
refused() {
    want=$1 text=$2 name=$3
    shift 3
    "$program" "$@" >out 2>err
    status=$?
    [ "$status" -eq "$want" ] && [ "$(wc -l <err)" -eq 1 ] && grep -q -- "$text" err && [ ! -s out ]
    ok $? "$name"
    [ "$status" -eq "$want" ] && grep -q -- "$text" err || sed "s/^/# status $status: /" err
}
files() { find . -mindepth 1 -maxdepth 1 ! -name out ! -name err | wc -l; }

# ---- before the run
rm -f probe.json
echo precious >r.txt
refused 2 '--output r.txt exists; .*--force' "an existing file is refused" --output r.txt
[ "$(cat r.txt)" = precious ]; ok $? "and stays as it was"
refused 2 'folder none: No such file' "a missing folder is refused" --output none/r.txt
mkdir folder
refused 2 'is a folder' "a folder is refused" --output folder --force
refused 2 'is the name of a folder' "a name that ends in a slash is refused" --output new/
refused 2 "--output '' is no file's name" "an empty name is refused" --output ''
refused 2 '--output /proc/r.txt cannot be created' \
    "a folder that takes no files is refused" --output /proc/r.txt
ln -s nowhere dangling
refused 2 'leads nowhere' "a link to nothing is refused" --output dangling --force
mkfifo pipe
refused 2 'not a plain file' "a pipe is refused" --output pipe --force
refused 2 'not a plain file' "a device is refused" --output /dev/null --force
[ -c /dev/null ]; ok $? "and still is one"
long=$(printf '%0300d' 0)
refused 2 'File name too long' "a name that is too long is refused" --output "$long"
if [ $json = yes ]; then
    refused 2 'are the same file' "the same file twice is refused" --output a --json a
    refused 2 'are the same file' "also by another path" --output a --json folder/../a
    ln -s folder link
    refused 2 'are the same file' "also through a linked folder" --output link/a --json folder/a
    ln -s r.txt link.json
    refused 2 'are the same file' "also through a linked file" \
        --output r.txt --json link.json --force
    ln r.txt hard.json
    refused 2 'are the same file' "also through a hard link" --output r.txt --json hard.json --force
    rm link link.json hard.json
else
    refused 2 'install libjansson-dev' "without jansson --json is refused" --json a
fi
[ "$(files)" -eq 4 ]; ok $? "nothing was created"

chmod 755 . folder
if [ "$(id -u)" -ne 0 ]; then
    as=
elif setpriv --reuid 65534 --regid 65534 --clear-groups \
        sh -c 'test -x "$1" && test -d "$2"' sh "$program" "$here/folder"; then
    as='setpriv --reuid 65534 --regid 65534 --clear-groups'
else
    as=none
fi
if [ "$as" = none ]; then
    skip "a folder without write permission is refused" \
        "root may write anywhere, and no other user gets here by setpriv"
else
    [ -n "$as" ] || chmod 555 folder
    $as "$program" --output "$here/folder/r.txt" >out 2>err
    [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'Permission denied' err
    ok $? "a folder without write permission is refused"
    chmod 755 folder
fi

# ---- writing
json_args='--json r.json'
[ $json = yes ] || json_args=
umask 027
"$program" --output new.txt $json_args >out 2>err
[ $? -eq 0 ] && [ ! -s err ]; ok $? "a good run has status 0 and says nothing on stderr"
cmp -s out new.txt; ok $? "--output has what stdout had"
[ "$(stat -c %a new.txt)" = 640 ]; ok $? "with the rights that the umask leaves"
chmod 604 r.txt
ln -s r.txt by_link
"$program" --output by_link --force >out 2>err
[ -L by_link ] && cmp -s out r.txt && [ "$(stat -c %a r.txt)" = 604 ]
ok $? "--force replaces what a link leads to, with its rights"
rm by_link new.txt r.json 2>/dev/null
"$program" --wrong --output new.txt >out 2>err
[ $? -eq 1 ] && grep -q '^# RESULT: FAIL' new.txt
ok $? "a wrong answer: status 1, and the file says so"
rm new.txt

# ---- a file that appears during the run
mkfifo hold
"$program" --output new.txt --hold hold >out 2>err &
pid=$!
# A writer waits until the program, which has looked by then, reads.
timeout 120 sh -c '{ echo "someone else'"'"'s" >new.txt; } >hold'
wait $pid
[ $? -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'appeared during the run' err
ok $? "a file that appeared meanwhile: status 3, one line"
[ "$(cat new.txt)" = "someone else's" ]; ok $? "it is left alone"
kept=$(sed 's/.*this result is in //' err)
cmp -s out "$kept"; ok $? "and the result stands where the line says"
rm -f new.txt hold "$kept"

# ---- stdout
"$program" --output new.txt >&- 2>err
[ $? -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'standard output is closed' err &&
    [ ! -e new.txt ]
ok $? "stdout closed: status 3, one line, nothing written"
if [ -c /dev/full ]; then
    "$program" --output new.txt $json_args >/dev/full 2>err
    [ $? -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'standard output: No space' err
    ok $? "stdout full: status 3, one line"
    [ "$(tail -n 1 new.txt)" = '# RESULT: PASS speed_up 1.75 1' ]
    ok $? "the file is whole all the same"
    rm -f new.txt r.json
else
    skip "stdout full" "no /dev/full"
fi
{ "$program" --output new.txt --rows 2000 2>err; echo $? >status; } | true
[ "$(cat status)" -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && [ "$(grep -c '^ ' new.txt)" -eq 2001 ]
ok $? "reader gone: status 3, one line, the file is whole"
rm -f new.txt status
{ "$program" --rows 100000 2>err; echo $? >status; } | true
[ "$(cat status)" -eq 141 ]; ok $? "reader gone and no file wanted: ends by SIGPIPE"
rm -f status

# ---- a file that cannot be written to its end (blocks of 512 bytes; the signal would kill)
(trap '' XFSZ; ulimit -f 8; "$program" --output new.txt --rows 5000 2>err >/dev/null)
[ $? -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'cannot be written: File too large' err
ok $? "no room for the file: status 3, one line"
[ "$(find . -name 'new.txt*' | wc -l)" -eq 0 ]; ok $? "and nothing of it is left"
(trap '' XFSZ; ulimit -f 8; "$program" --output r.txt --force --rows 5000 2>err >/dev/null)
[ "$(tail -n 1 r.txt)" = '# RESULT: PASS speed_up 1.75 1' ]
ok $? "with --force the old file stays whole"

# ---- killed while it writes
if [ $json = yes ]; then
    echo old >r.json
    torn=0
    caught=0
    for round in 1 2 3; do
        for force in '' --force; do
            name=k$round.json
            [ -z "$force" ] || name=r.json
            "$program" --json $name $force --samples 300000 >/dev/null 2>&1 &
            pid=$!
            while kill -0 $pid 2>/dev/null; do
                [ -z "$(find . -name "$name.*")" ] ||
                    { kill -9 $pid; caught=$((caught + 1)); break; }
            done
            wait $pid 2>/dev/null
            if [ -z "$force" ]; then [ ! -e $name ]; else [ "$(cat r.json)" = old ]; fi || torn=1
            # Killed a moment too late it is whole, and that is just as good.
            if [ $torn -eq 1 ] && [ "$(tail -c 2 $name)" = '}' ] &&
                [ "$(head -c 1 $name)" = '{' ]; then
                torn=0
                echo old >r.json
            fi
            rm -f $name.*
        done
    done
    [ $torn -eq 0 ]; ok $? "killed while it writes: no file, or the old one, or the whole new one"
    [ $caught -gt 0 ]; ok $? "($caught of 6 runs were caught writing)"
else
    skip "killed while it writes" "built without jansson"
fi

echo "1..$n"
exit $failed

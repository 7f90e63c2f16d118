#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_seal.sh: `clustermark seal` and `verify`, whose list sha256sum reads and whose signature
# ssh-keygen checks; and what --anonymous writes: none of the names that were put into a result.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
dir=$work/results
mkdir -p "$dir/launches"

# One host of a site, its second network, a host that never came, a user, paths and an address.
../hint/cm-hint -q --upper 4096 --json "$work/hint.json" >"$work/hint.txt" 2>&1 || exit 99
own=$(sed -n 's/^# host: //p' "$work/hint.txt")
sed -e "s|\"name\": \"$own\"|\"name\": \"node7.site.edu\"|" \
    -e "s|\"host\": \"$own\"|\"host\": \"node7.site.edu\"|" \
    -e 's|"comments": \[|&"node7-ib0 and node7 of jdoe@node7.site.edu; node70 is none: '\
'/home/jdoe/x, ~/y, at 10.77.3.4:80, 3 MB/s. It is node9.", |' \
    -e 's|"comments": \[|&"fe80::1ff:fe23:4567:890a, [2001:db8::7]:80, 02:42:ac:11:00:02, '\
'00-1B-44-11-3a-b7, ::1 at 12:34:56, http://login.other.org/x and file:///home/jdoe/y.", |' \
    -e 's|"command": "|&x=secret/file ../secret/cm-hint --json='"'/a secret/b secret'"' |' \
    -e 's|"cflags": "|&-I/home/jdoe/include -L/opt/secret/lib |' \
    "$work/hint.json" >"$dir/hint.json"
printf 'version: 1.2.3.4\ncomm: shm\nprofile: quick\nhosts: node7,jdoe@node9\nranks: 1\n%s\n' \
    'launches: 1' >"$dir/run.txt"
names='node7[^0]|node9|site\.edu|jdoe|secret|10\.77\.[0-9]|/home|~/y|fe80|2001:|02:42|00-1B'
names="$names|other\\.org|moon"

# ends STATUS COMMAND...
ends()
{
    wanted=$1; shift
    status=0
    "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [ $status -eq "$wanted" ] || { show "$work/out" "$work/err"; echo "# status $status"; false; }
}
says() { has "$1" "$work/out" || { show "$work/out"; false; }; }
complains()
{
    has "$1" "$work/err" && [ "$(wc -l <"$work/err")" -eq 1 ] || { show "$work/err"; false; }
}
hears() { has "$1" "$work/err" || { show "$work/err"; false; }; }
nobody() { ! grep -rnE "$names" "$1" | cut -c 1-200 | sed 's/^/# /' | grep .; }

if ! ends 0 "$suite" seal "$dir" && has 'no libcrypto' "$work/err"; then
    echo '1..0 # SKIP this build has no libcrypto'
    exit 0
fi
ok 'a folder is sealed' says 'results: 2 files sealed, not signed'
if command -v sha256sum >/dev/null; then
    ok 'sha256sum reads the list' \
        sh -c "cd $dir && sha256sum --check --strict SHA256SUMS >/dev/null"
else
    skip 'sha256sum reads the list' 'there is none'
fi
ok 'and so does verify' ends 0 "$suite" verify "$dir"
ok 'which says that it is not signed' says 'all 2 files are as sealed; not signed'
ok 'a second seal is refused' ends 2 "$suite" seal "$dir"
ok 'with --force' complains 'is sealed already; --force'
cp "$dir/run.txt" "$work/run.txt"
echo 'x: y' >>"$dir/run.txt"; echo new >"$dir/launches/new.txt"; mv "$dir/hint.json" "$work/moved"
ok 'a folder that was changed is told' ends 1 "$suite" verify "$dir"
ok 'what was changed' says 'run.txt: was changed'
ok 'what was added' says 'launches/new.txt: was not there when it was sealed'
ok 'what was removed' says 'hint.json: was sealed and is not there'
mv "$work/moved" "$dir/hint.json"; rm "$dir/launches/new.txt"; cp "$work/run.txt" "$dir/run.txt"
ok 'as it was, it passes' ends 0 "$suite" verify "$dir"
ln -s run.txt "$dir/link"
ok 'a link is not sealed' ends 2 "$suite" seal -f "$dir"
ok 'by name' complains 'results/link is no plain file'
rm "$dir/link"
ok 'and the seal stayed' ends 0 "$suite" verify "$dir"
sed 's/^..../wxyz/' "$dir/SHA256SUMS" >"$work/sums" && cp "$dir/SHA256SUMS" "$work/right"
cp "$work/sums" "$dir/SHA256SUMS"
ok 'a list that is none is refused' ends 2 "$suite" verify "$dir"
ok 'by its line' complains 'SHA256SUMS:1: not a line'
cp "$work/right" "$dir/SHA256SUMS"
ok 'without a seal' ends 2 "$suite" verify "$work"
ok 'the line says what makes one' complains 'there is no seal (clustermark seal'

if command -v ssh-keygen >/dev/null; then
    ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/key"
    ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/other"
    echo "ann $(cat "$work/key.pub")" >"$work/ann"
    echo "bob $(cat "$work/other.pub")" >"$work/bob"
    echo no >"$work/bad"; chmod 600 "$work/bad"
    ok 'a key that is none signs nothing' ends 2 "$suite" seal -f --sign "$work/bad" "$dir"
    ok 'and leaves the seal' ends 0 "$suite" verify "$dir"
    seal_anonymous() { ends 2 "$suite" seal --anonymous --sign "$1" -o "$work/given" "$dir"; }
    ok 'nor a copy' seal_anonymous "$work/bad"
    ok 'of which nothing stays' [ ! -e "$work/given" ]
    mkdir "$work/given" && echo mine >"$work/given/mine"
    ok 'but of a folder that was there' seal_anonymous "$work/bad"
    ok 'all does' [ "$(ls "$work/given")" = mine ]
    ok 'who is asked for a signature misses it' ends 1 "$suite" verify --signers "$work/ann" "$dir"
    ok 'and says so' says 'not signed'
    ok 'a key signs' ends 0 "$suite" seal -f --sign "$work/key" "$dir"
    ok 'ssh-keygen agrees' sh -c "ssh-keygen -Y verify -f $work/ann -I ann -n clustermark \
        -s $dir/SHA256SUMS.sig <$dir/SHA256SUMS >/dev/null"
    ok 'so does verify' ends 0 "$suite" verify --signers "$work/ann" "$dir"
    ok 'with the name' says 'signature for ann'
    ok 'who may not sign is told' ends 1 "$suite" verify --signers "$work/bob" "$dir"
    ok 'by name' says 'signed by nobody that .*bob names'
    # Sealed anew by somebody, below the old signature.
    echo 'x: y' >>"$dir/run.txt"
    (cd "$dir" && sha256sum hint.json run.txt >SHA256SUMS)
    ok 'an old signature does not cover a new list' ends 1 "$suite" verify --signers "$work/ann" \
        "$dir"
    cp "$work/run.txt" "$dir/run.txt"
    ok 'a new seal drops it' ends 0 "$suite" seal -f "$dir"
    ok 'from the folder' [ ! -e "$dir/SHA256SUMS.sig" ]
else
    skip 'signatures' 'there is no ssh-keygen'
fi

# Ctrl-C at the passphrase: both programs have the signal, which a test in the background ignores.
mkdir "$work/keys" "$work/tmp"
printf '#!/bin/sh\nkill -INT $PPID $$\n' >"$work/keys/ssh-keygen"
chmod +x "$work/keys/ssh-keygen"
heeding='import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])'
interrupted()
{
    ends 130 env PATH="$work/keys:$PATH" TMPDIR="$work/tmp" python3 -c "$heeding" "$suite" "$@"
}
if command -v python3 >/dev/null; then
    echo key >"$work/secret"
    ok 'Ctrl-C at the passphrase' interrupted seal --anonymous --sign "$work/secret" \
        -o "$work/stopped" "$dir"
    ok 'leaves no copy' [ ! -e "$work/stopped" ]
    ok 'nor a file' [ -z "$(ls "$work/tmp")" ]
    ok 'and is told' hears 'ssh-keygen could not sign with it; nothing is sealed'
    cp -R "$dir" "$work/signed" && : >"$work/signed/SHA256SUMS.sig"
    ok 'nor does it when a signature is checked' interrupted verify "$work/signed"
    ok 'of which nothing is said' [ ! -s "$work/out" ]
    ok 'and no file is left' [ -z "$(ls "$work/tmp")" ]
else skip 'Ctrl-C at the passphrase' 'python3 is not there'
fi

# gpg, which cannot sign; and no place for what a program says.
mkdir "$work/bin"
printf '#!/bin/sh\nexit 2\n' >"$work/bin/gpg"
chmod +x "$work/bin/gpg"
gpg_fails() { ends 2 env PATH="$work/bin:$PATH" "$suite" seal -f "$@" "$dir"; }
ok 'gpg cannot sign' gpg_fails --gpg
ok 'is told' complains 'seal: --gpg: gpg could not sign with its default key; nothing'
ok 'nor with a key' gpg_fails --gpg-key 4711
ok 'which is named by its option' complains 'seal: --gpg-key 4711: gpg could not sign with it;'
nowhere() { ends 3 env PATH="$work/bin:$PATH" TMPDIR="$work/none" "$suite" seal -f --gpg "$dir"; }
ok 'no temporary folder' nowhere
ok 'is said to be missing' hears 'seal: cannot make a file .*/none/clustermark-.*: No such file'

ok 'the folder has names' [ "$(grep -cE "$names" "$dir/hint.json")" -ge 3 ]
ok 'a copy has none' ends 0 "$suite" seal --anonymous -o "$work/copy" "$dir"
ok 'in no file' nobody "$work/copy"
ok 'but the number of hosts' hears 'replaced: names of hosts .* (2 hosts: host-1 ...)'
ok 'with what is no name' has 'host-1 and host-1 of user@host-1; node70 is none: PATH, PATH, at '\
'ADDRESS:80, 3 MB/s. It is host-2.' "$work/copy/hint.json"
ok 'and our programs' has "\"command\": \"x=PATH PATH/cm-hint --json='PATH' " "$work/copy/hint.json"
ok 'and flags' has '"cflags": "-IPATH -LPATH ' "$work/copy/hint.json"
ok 'and addresses, but times' has '"ADDRESS, \[ADDRESS\]:80, ADDRESS, ADDRESS, ::1 at 12:34:56, '\
'http:PATH and file:PATH' "$work/copy/hint.json"
ok 'versions stay' has 'version: 1.2.3.4' "$work/copy/run.txt"
ok 'it is sealed' ends 0 "$suite" verify "$work/copy"
numbers() { tr -s ' ,[]{}' '\n' <"$1" | grep -E '^-?[0-9.e+-]+$' | awk '{ printf "%.12g\n", $1 }'; }
numbers "$dir/hint.json" >"$work/a"; numbers "$work/copy/hint.json" >"$work/b"
ok 'its numbers are the same' cmp -s "$work/a" "$work/b"
# The first part of this name is a number, and that of another host is all of its name.
mkdir "$work/digits"
sed 's/node7\.site/7.site/g; s/"comments": \[/&"7.25 s on 7.site.edu, 10 times", '\
'"x1.a, x1.b, x1.b-ib0, x1-ib0", /' "$dir/hint.json" >"$work/digits/hint.json"
sed 's/node9/10,x1.a,x1.b/' "$dir/run.txt" >"$work/digits/run.txt"
ok 'hosts that are called like numbers' ends 0 "$suite" seal --anonymous -o "$work/digits.copy" \
    "$work/digits"
ok 'are replaced' has '"name": "host-1"' "$work/digits.copy/hint.json"
ok 'and numbers are not' has '"7.25 s on host-1, 10 times"' "$work/digits.copy/hint.json"
ok 'of two hosts with one first part each keeps its own' \
    has '"host-\([0-9]\), host-\([0-9]\), host-\2, host-\1"' "$work/digits.copy/hint.json"
mkdir "$work/place" && cp "$dir/hint.json" "$work/place"
sed 's/^hosts:.*/hosts: virtual:2/; $s/$/\nplace: virtual:2/' "$dir/run.txt" >"$work/place/run.txt"
ok 'a run on a place' ends 0 "$suite" seal --anonymous -o "$work/place.copy" "$work/place"
ok 'whose name stays' has '^place: virtual:2$' "$work/place.copy/run.txt"
ok 'not into a folder that is there' ends 2 "$suite" seal --anonymous -o "$work/copy" "$dir"
ok 'not without a folder' ends 2 "$suite" seal --anonymous "$dir"
ok 'a page without names' ends 0 "$suite" report --anonymous "$dir"
ok 'has none' nobody "$dir/report-anonymous.html"
ok 'and no links to files that have' sh -c "! grep -oE 'href=\"[^\"#]+' $dir/report-anonymous.html"
ok 'nor is the usual page made' [ ! -e "$dir/report.html" ]
ok 'only of one folder' ends 2 "$suite" report --anonymous "$dir" "$dir"
for form in json csv openmetrics; do
    ok "an export in $form" ends 0 env SLURM_CLUSTER_NAME=moon \
        "$suite" export --to $form --anonymous "$dir"
    ok "$form has none" nobody "$work/out"
done
finish

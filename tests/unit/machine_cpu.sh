#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# machine_cpu.sh: a program built for instructions that the processor lacks says so in one line and
# status 3, and the code that finds out needs none of them itself.
set -u
n=0
failed=0
ok() {
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; failed=1; fi
}
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }

case $(uname -m) in
x86_64 | i?86 | aarch64 | ppc64*) ;;
*) echo "1..0 # SKIP no table for $(uname -m)"; exit 0 ;;
esac

out=$(./unit/machine_false_cpu 2>machine_cpu.err)
status=$?
[ "$status" -eq 3 ]; ok $? "status 3 (was $status)"
[ -z "$out" ]; ok $? "before main begins"
[ "$(wc -l <machine_cpu.err)" -eq 1 ]; ok $? "one line"
said='built for instructions that the processor of .* lacks: [a-z0-9_ ]*; '
grep -q "^[^:]*machine_false_cpu: $said" machine_cpu.err
ok $? "it names program, host and instructions"
sed 's/^/# /' machine_cpu.err

if [ -r /proc/cpuinfo ] && grep -q '^flags' /proc/cpuinfo; then
    wrong=$(sed 's/.*lacks: //; s/;.*//' machine_cpu.err | tr ' ' '\n' | while read -r set; do
        case $set in sse3) set=pni ;; lzcnt) set=abm ;; esac
        grep -m 1 '^flags' /proc/cpuinfo | grep -qw -- "$set" && echo "$set"
    done)
    [ -z "$wrong" ]; ok $? "what it names is not among the kernel's flags ${wrong}"
fi

object=../src/machine/require_cpu.o
if [ "$(uname -m)" = x86_64 ] && command -v objdump >/dev/null && [ -r $object ]; then
    # LTO objects hold no code to look at.
    count=$(objdump -d --no-show-raw-insn $object | grep -c '\<cpuid\>')
    if [ "$count" -gt 0 ]; then
        # In AVX code every mnemonic begins with v; the others are
        # BMI, LZCNT, POPCNT, MOVBE and what SSE3 brought.
        others='andn|bextr|bls(i|r|msk)|tzcnt|lzcnt|popcnt|movbe|pdep|pext|rorx|sarx|shlx|shrx'
        others="$others|mulx|bzhi|adcx|adox|pshufb|lddqu|movddup|haddp[sd]|pinsr[bdq]|pextr[bdq]"
        bad=$(objdump -d --no-show-raw-insn $object | awk '/^ / {print $2}' |
            grep -E "^(v[a-z0-9]+|$others)\$" |
            sort -u | tr '\n' ' ')
        [ -z "$bad" ]; ok $? "the check itself is plain x86-64 code $bad"
    else
        skip "the check itself is plain x86-64 code" "the object file holds no machine code"
    fi
else
    skip "the check itself is plain x86-64 code" "no objdump, no x86-64 or no object file"
fi

rm -f machine_cpu.err
echo "1..$n"
exit $failed

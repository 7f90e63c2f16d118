#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# qemu_nodes.sh: cm-stream and the model of a node in a machine of two sockets and eight NUMA nodes,
# which qemu emulates: rows of all sockets and nodes, and far memory. TEST_KERNEL names a
# kernel other than the newest of /boot.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"

none() { echo "1..0 # SKIP $1"; exit 0; }
for program in qemu-system-x86_64 busybox gzip timeout ldd jq; do
    command -v "$program" >/dev/null 2>&1 || none "$program is not there"
done
[ "$(uname -m)" = x86_64 ] || none "this is no x86_64"
[ "$comm" = sockets ] || none "the backend is $comm"
kernel=${TEST_KERNEL-}
for file in /boot/vmlinuz-*; do
    [ -n "${TEST_KERNEL-}" ] || [ ! -r "$file" ] || kernel=$file
done
[ -r "$kernel" ] || none "no kernel can be read (/boot/vmlinuz-*, TEST_KERNEL)"

# ---- The machine ---------------------------------------------------------------------------------

root=$work/root share=$work/root/share/clustermark/suite
mkdir -p "$share" "$root/bin" "$root/proc" "$root/sys" "$root/dev" "$root/tmp" "$root/etc"
cp "$srcdir"/../suite/*.tab "$srcdir"/../suite/*.css "$share"
cp "$(command -v busybox)" ../stream/cm-stream "$suite" ../src/cmrun "$root/bin" || exit 99
for program in "$root"/bin/*; do
    strip "$program" 2>/dev/null
    ldd "$program" 2>/dev/null
done | grep -o '/[^ :]*' | grep -v "^$work" | sort -u | while read -r library; do
    mkdir -p "$root$(dirname "$library")" && cp -L "$library" "$root$library"
done
cat >"$root/init" <<'END_OF_INIT'
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox ip link set lo up
/bin/busybox hostname guest
echo '127.0.0.1 localhost guest' >/etc/hosts
export PATH=/bin HOME=/tmp
few='--size 16Ki --passes 3 --trial-seconds 1e-5 --time-limit 0.05 --quiet'
# part NAME COMMAND...
part()
{
    echo "@$1"; shift
    "$@" 2>&1
    echo "@status $?"
}
part json clustermark machine --json
part spread clustermark machine --bind=spread
part matrix cmrun -n 8 cm-stream --matrix --bind $few
part latency cm-stream --latency --bind $few
part sweep cm-stream --sweep --bind $few
echo @end
/bin/busybox poweroff -f
END_OF_INIT
chmod +x "$root/init"
(cd "$root" && find . | busybox cpio -o -H newc 2>/dev/null) | gzip -1 >"$work/initrd"

# Two sockets of four cores, each of which has a NUMA node of 192 MiB.
nodes=
for k in 0 1 2 3 4 5 6 7; do
    nodes="$nodes -object memory-backend-ram,id=m$k,size=192M"
    nodes="$nodes -numa node,nodeid=$k,cpus=$k,memdev=m$k"
done
# shellcheck disable=SC2086
timeout -k 5 115 qemu-system-x86_64 -accel tcg,thread=multi -cpu max -m 1536M \
    -smp 8,sockets=2,cores=4,threads=1 $nodes -kernel "$kernel" -initrd "$work/initrd" \
    -append 'console=ttyS0 quiet panic=-1' -nographic -no-reboot -net none \
    </dev/null 2>&1 | tr -d '\r' >"$work/console"
grep -q '^@end' "$work/console" || {
    tail -n 5 "$work/console" | cut -c 1-200 | show
    none 'the emulated machine did not come to its end within 115 s'
}
! grep -q -i 'illegal instruction\|signal 4 \|built for' "$work/console" ||
    none 'the programs were built for instructions that qemu does not emulate'

# part NAME: writes the part's output to a file of this name.
part()
{
    sed -n "/^@$1\$/,/^@status/p" "$work/console" | sed 1d >"$work/$1"
    grep -q '^@status 0$' "$work/$1" || { show "$work/$1"; false; }
    sed -i '/^@status/d' "$work/$1"
}

# ---- What it says --------------------------------------------------------------------------------

ok 'the model' part json
ok 'of two sockets, eight cores, eight nodes' jq -e '
    .sockets == 2 and .cores == 8 and (.numa_nodes | length) == 8
    and all(.numa_nodes[]; .kind == "processors" and .threads == 1 and .memory_bytes > 1e8)' \
    "$work/json"
ok 'places' part spread
ok 'that alternate between the sockets' awk '/^rank/ { split($2, cpu, "="); n++
        socket = cpu[2] < 4 ? 0 : 1
        wrong += socket != (n - 1) % 2 || seen[cpu[2]]++ }
    END { exit wrong || n != 8 }' "$work/spread"
ok 'the matrix' part matrix
# Rows from a core, a cache and both sockets, each to all memory of eight nodes.
ok 'has all rows' sh -c "grep -v '^#' '$work/matrix' | sed 1d | awk '
    { n[\$1, \$2]++; wrong += seen[\$1, \$2, \$4]++ || \$6 < 0.95 || !(\$8 > 0) }
    \$1 == \"socket\" && \$3 != 4 { wrong++ }
    END { exit wrong || n[\"core\", 0] != 8 || n[\"socket\", 0] != 8 || n[\"socket\", 1] != 8 }'"
ok 'and says nothing of other machines' [ -z "$(grep '^# topology' "$work/matrix")" ]
ok 'latency' part latency
far=$(awk '!/^#/ && $3 ~ /^[0-9]/ { print $3 }' "$work/latency" | sort -u | tr '\n' ' ')
ok 'of each far node' [ "$far" = '1 2 3 4 5 6 7 ' ]
ok 'as a number' has '^# RESULT: PASS far_memory_latency_ns ' "$work/latency"
ok 'a sweep' part sweep
ok 'has far memory' has '^# RESULT: PASS remote_memory_fraction ' "$work/sweep"
finish

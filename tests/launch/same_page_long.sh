#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# same_page_long.sh: four hosts, reached in three ways by one command each: a job of Slurm, a file
# of hosts with ssh, and hosts that clustermark makes itself. The three reports have the same parts,
# tables, rows and hosts. Slurm's and ssh's daemons run on virtual hosts, for this test alone.
# TEST_SLURM_PLUGINS: as in slurm.sh.
. "${srcdir:-.}/launch/tap.sh"

# ssh passes no variables on, so hosts would differ by it.
unset OPENBLAS_CORETYPE
suite=$(readlink -f ../suite/clustermark)
outline=$(readlink -f "${srcdir:-.}/launch/page_outline.py")
user_key=$work/keys/user
why=
found() { for each; do command -v "$each" && return; done; }
sshd=$(PATH=$PATH:/usr/sbin found sshd)
controller=$(found slurmctld slurmctld-wlm) node=$(found slurmd slurmd-wlm)
stepd=$(found slurmstepd slurmstepd-wlm)
for each in salloc sinfo; do
    [ -n "$(found $each)" ] || why="no $each; Debian: slurm-client slurmctld slurmd"
done
[ -n "$controller" ] && [ -n "$node" ] || why='no slurmctld or slurmd'
[ -n "$sshd" ] && [ -d /etc/ssh ] || why='no sshd; Debian: openssh-server'
for each in ssh ssh-keygen python3; do [ -n "$(found $each)" ] || why="no $each"; done
[ -x "$suite" ] || why='without jansson there is no clustermark'
case $(sed -n 's/^#define CM_COMM "\(.*\)"/\1/p' ../config.h) in
sockets | hybrid) ;;
*) why='the backend is neither sockets nor hybrid' ;;
esac

# Launchers of other tests take turns with this one.
if command -v flock >/dev/null 2>&1; then
    exec 9>>"${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}" && flock 9
fi
virtual_hosts 'three ways to four hosts' 'ip unshare mount' 4
hosts="${h}1 ${h}2 ${h}3 ${h}4" daemons=
end_daemons() {
    for each in $daemons; do kill "$each" 2>/dev/null; done
    for each in $daemons; do wait "$each" 2>/dev/null; done
    daemons=
    for each in $hosts; do rm -f "/etc/netns/$each/passwd"; done
}
trap 'end_daemons; "$cluster" down; rm -rf "$work"' EXIT
# daemon LOG HOST COMMAND: until the end of this script, and no longer than it may take.
daemon() {
    timeout -k 5 500 "$cluster" "$2" "$3" >"$work/$1" 2>&1 </dev/null 9>&- &
    daemons="$daemons $!"
}
# one_command WAY SECONDS COMMAND...: a run of clustermark and its report. cm-nodes may find that
# one of these hosts is slower than the others, so 1 is no failure here.
benchmarks='--only nodes,netpipe,linkmap --profile quick --launches 1'
one_command() {
    way=$1 limit=$2; shift 2
    # On a busy machine a benchmark may reach its time limit; the command again goes on with it.
    for try in first second; do
        timeout -k 5 "$limit" "$@" >"$work/out" 2>"$work/err" </dev/null 9>&-
        status=$?
        [ "$status" -gt 1 ] || break
        sed "s/^/# $way, $try: /" "$work/err"
    done
    ok "$way: one command" [ "$status" -le 1 ]
    for each in nodes netpipe linkmap; do
        ok "$way: a result of $each" grep -q '^# RESULT: ' "$work/$way/$each.txt"
    done
    run "$suite" report "$work/$way"
    ok "$way: the report" is 0
    python3 "$outline" "$work/$way/report.html" >"$work/$way.outline"
    ok "$way: it has parts and tables" [ "$(wc -l <"$work/$way.outline")" -gt 40 ]
}

# ---- Slurm ---------------------------------------------------------------------------------------

# `ip netns exec` leaves no control groups, which slurmd looks for.
cat >"$work/in_host" <<'END'
#!/bin/sh
case $(stat -f -c %T /sys/fs/cgroup) in
cgroup2fs | tmpfs) ;;
*)
    if grep -q '^nodev.cgroup$' /proc/filesystems; then
        mount -t tmpfs cgroup /sys/fs/cgroup && mkdir /sys/fs/cgroup/systemd &&
            mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd
    else mount -t cgroup2 cgroup2 /sys/fs/cgroup
    fi
esac
exec "$@"
END
chmod +x "$work/in_host"
mkdir "$work/state"
SLURM_CONF=$work/slurm.conf
export SLURM_CONF
{ slurm_settings; cat; } >"$SLURM_CONF" <<END
SlurmctldHost=${h}1
NodeName=${h}[1-4] CPUs=$(getconf _NPROCESSORS_ONLN)
PartitionName=all Nodes=${h}[1-4] Default=YES State=UP
END
daemon controller "${h}1" "$work/in_host $controller -D -c"
for each in $hosts; do
    mkdir "$work/spool-$each"
    daemon "$each" "$each" "$work/in_host $node -D -N $each ${stepd:+-d $stepd}"
done
idle() { [ "$(timeout 5 "$cluster" "${h}1" 'sinfo -h -t idle -o %D' 2>/dev/null 9>&-)" = 4 ]; }
if within 30 idle; then
    one_command slurm 200 "$cluster" "${h}1" \
        "salloc --quiet -N4 -n4 $suite run $benchmarks $work/slurm"
else
    tail -n 2 "$work/controller" "$work/${h}1" | sed 's/^/# /'
    skip 'slurm: one command' 'its nodes do not get ready here'
fi
end_daemons

# ---- ssh -----------------------------------------------------------------------------------------

mkdir "$work/keys" "$work/bin"
ssh-keygen -q -t ed25519 -N '' -f "$work/keys/host" </dev/null
ssh-keygen -q -t ed25519 -N '' -f "$user_key" </dev/null
cat >"$work/keys/sshd_config" <<END
Port 2222
HostKey $work/keys/host
AuthorizedKeysFile $user_key.pub
StrictModes no
PidFile none
END
for each in $hosts; do printf '%s %s\n' "[$each]:2222" "$(cat "$work/keys/host.pub")"; done \
    >"$work/keys/known"
# As a user's ~/.ssh/config would say it.
cat >"$work/keys/ssh_config" <<END
Port 2222
IdentityFile $user_key
UserKnownHostsFile $work/keys/known
BatchMode yes
END
cat >"$work/bin/ssh" <<END
#!/bin/sh
exec $(command -v ssh) -F $work/keys/ssh_config "\$@"
END
chmod +x "$work/bin/ssh"
[ -d /run/sshd ] || { mkdir /run/sshd && made=yes; }
for each in $hosts; do
    # Where sshd was unpacked and not installed, its user is missing.
    grep -q '^sshd:' /etc/passwd ||
        { cat /etc/passwd; echo 'sshd:x:65534:65534::/run/sshd:/usr/sbin/nologin'; } \
            >"/etc/netns/$each/passwd"
    daemon "$each" "$each" "$sshd -D -e -f $work/keys/sshd_config"
    echo "$each"
done >"$work/hostfile"
answers() { timeout 5 "$cluster" "${h}1" "$work/bin/ssh ${h}4 true" 2>/dev/null 9>&-; }
if within 30 answers; then
    one_command ssh 200 env "PATH=$work/bin:$PATH" "$cluster" "${h}1" \
        "$suite run --hostfile $work/hostfile $benchmarks $work/ssh"
else
    tail -n 2 "$work/${h}4" | sed 's/^/# /'
    skip 'ssh: one command' 'sshd does not answer here'
fi
end_daemons
[ -z "${made-}" ] || rmdir /run/sshd
"$cluster" down

# ---- Virtual hosts, of the same names ------------------------------------------------------------

one_command virtual 200 "$suite" run --place virtual:4 $benchmarks "$work/virtual"

# ---- The same page -------------------------------------------------------------------------------

# What was measured decides whether there was a disturbance, whether two lines were fitted, and how
# many pairs were measured again. The part on the place says what clustermark made the hosts of.
parts() {
    awk '/^h[23] / { leave = / The virtual hosts| Disturbance/ }
        !leave && !/ two_lines| differs_between_launches/' "$work/$1.outline" | sort -u
}
same_parts() {
    parts "$1" | diff "$work/of-virtual" - >"$work/diff" || { sed 's/^/# /' "$work/diff"; false; }
}
# The hosts and what was used of them, of one program.
used() { sed -n -e 's/^# \(shape\|hosts\|ranks\|ranks_per_host\): /\1 /p' "$work/$1/$2.txt"; }
same_hosts() {
    used virtual "$2" >"$work/used"
    [ -s "$work/used" ] && used "$1" "$2" | diff "$work/used" - >"$work/diff" ||
        { sed 's/^/# /' "$work/used" "$work/diff"; false; }
}
parts virtual >"$work/of-virtual"
for each in slurm ssh; do
    [ -s "$work/$each.outline" ] || continue
    ok "$each: the page has the parts, tables and rows of the virtual hosts'" same_parts $each
    for of in nodes netpipe linkmap; do ok "$each: the same hosts, $of" same_hosts $each $of; done
done
done_testing

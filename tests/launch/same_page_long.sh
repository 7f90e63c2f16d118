#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# same_page_long.sh: the same hosts, reached in several ways by one command each: a job of Slurm,
# a file of hosts with ssh, and hosts that clustermark makes itself. Their reports have the same
# parts, tables, rows and hosts. Slurm's and ssh's daemons run on virtual hosts, for this test.
# Over sockets: four hosts, with cmrun. Over an MPI: two hosts, with srun and with the MPI's own
# launcher, and then those of the sockets backend with cmrun, which is built for it in a folder.
# TEST_SLURM_PLUGINS: as in slurm.sh.
. "${srcdir:-.}/launch/tap.sh"

# ssh does not pass variables on, so hosts would differ in them.
unset OPENBLAS_CORETYPE
top=$(cd "${srcdir:-.}/.." && pwd)
suite=$(readlink -f ../suite/clustermark)
outline=$top/tests/launch/page_outline.py
user_key=$work/keys/user
why= no_slurm= no_ssh=
found() { for each; do command -v "$each" && return; done; }
defined() { sed -n "s/^#define $1 \"\(.*\)\"/\1/p" ../config.h; }
sshd=$(PATH=$PATH:/usr/sbin found sshd)
controller=$(found slurmctld slurmctld-wlm) node=$(found slurmd slurmd-wlm)
stepd=$(found slurmstepd slurmstepd-wlm)
for each in salloc sinfo; do
    [ -n "$(found $each)" ] || no_slurm="no $each; Debian: slurm-client slurmctld slurmd"
done
[ -n "$controller" ] && [ -n "$node" ] || no_slurm='no slurmctld or slurmd'
for each in ssh ssh-keygen; do [ -n "$(found $each)" ] || no_ssh="no $each"; done
[ -n "$sshd" ] && [ -d /etc/ssh ] || no_ssh='no sshd; Debian: openssh-server'
[ -n "$(found python3)" ] || why='no python3'
[ -x "$suite" ] || why='without jansson there is no clustermark'
# by_slurm, by_ssh: what clustermark is told besides the hosts. own: the way of virtual hosts.
n=4 by_slurm= by_ssh= own=cmrun
case $(defined CM_COMM):$(defined CM_MPI_NAME) in
sockets:* | hybrid:*) ;;
mpi:MPICH) n=2 own=hydra ;;
mpi:'Open MPI') n=2 own=openmpi ;;
*) why='the backend is not sockets, hybrid, or mpi over MPICH or Open MPI' ;;
esac
[ $own = cmrun ] || by_slurm='--launcher srun' by_ssh="--launcher $own --rsh ssh"

# Launchers of other tests take turns with this one.
if command -v flock >/dev/null 2>&1; then
    exec 9>>"${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}" && flock 9
fi
virtual_hosts "several ways to $n hosts" 'ip unshare mount' $n
hosts= daemons=
for each in $(seq $n); do hosts="$hosts $h$each"; done
names=$(echo $hosts | tr ' ' ,)
end_daemons() {
    for each in $daemons; do kill "$each" 2>/dev/null; done
    for each in $daemons; do wait "$each" 2>/dev/null; done
    daemons=
    for each in $hosts; do rm -f "/etc/netns/$each/passwd"; done
}
trap 'end_daemons; "$cluster" down; rm -rf "$work"' EXIT
# daemon LOG HOST COMMAND: runs until the end of this script, or at most until its time limit.
daemon() {
    timeout -k 5 500 "$cluster" "$2" "$3" >"$work/$1" 2>&1 </dev/null 9>&- &
    daemons="$daemons $!"
}
# one_command WAY SECONDS COMMAND...: a run of clustermark and its report. cm-nodes may find that
# one of these hosts is slower than the others, so 1 is no failure here.
benchmarks='--only nodes,netpipe,linkmap --profile quick --launches 1'
one_command() {
    way=$1 limit=$2; shift 2
    # On a busy machine a benchmark may reach its time limit; running the command again continues
    # with it.
    for try in first second; do
        timeout -k 5 "$limit" "$@" >"$work/out" 2>"$work/err" </dev/null 9>&-
        status=$?
        [ "$status" -gt 1 ] || break
        sed "s/^/# $way, $try: /" "$work/err"
        for each in "$work/$way"/*.failed; do [ ! -f "$each" ] || sed 's/^/# /' "$each"; done
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

# Under `ip netns exec` there are no control groups, which slurmd looks for.
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
start_slurm() {
    { slurm_settings; cat; } >"$SLURM_CONF" <<END
SlurmctldHost=${h}1
TmpFS=$work/tmp-%n
NodeName=$names CPUs=$(getconf _NPROCESSORS_ONLN)
PartitionName=all Nodes=$names Default=YES State=UP
END
    daemon controller "${h}1" "$work/in_host $controller -D -c"
    for each in $hosts; do
        mkdir "$work/spool-$each" "$work/tmp-$each"
        daemon "$each" "$each" "$work/in_host $node -D -N $each ${stepd:+-d $stepd}"
    done
}
idle() { [ "$(timeout 5 "$cluster" "${h}1" 'sinfo -h -t idle -o %D' 2>/dev/null 9>&-)" = $n ]; }
[ -n "$no_slurm" ] || start_slurm
if [ -n "$no_slurm" ]; then skip 'slurm: one command' "$no_slurm"
elif within 30 idle; then
    one_command slurm 200 "$cluster" "${h}1" \
        "salloc --quiet -N$n -n$n $suite run $by_slurm $benchmarks $work/slurm"
else
    tail -n 2 "$work/controller" "$work/${h}1" | sed 's/^/# /'
    skip 'slurm: one command' 'its nodes do not get ready here'
fi
end_daemons

# ---- ssh -----------------------------------------------------------------------------------------

mkdir "$work/keys" "$work/bin"
start_sshd() {
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
}
answers() { timeout 5 "$cluster" "${h}1" "$work/bin/ssh $h$n true" 2>/dev/null 9>&-; }
[ -n "$no_ssh" ] || start_sshd
if [ -n "$no_ssh" ]; then skip 'ssh: one command' "$no_ssh"
elif within 30 answers; then
    one_command ssh 200 env "PATH=$work/bin:$PATH" "$cluster" "${h}1" \
        "$suite run --hostfile $work/hostfile $by_ssh $benchmarks $work/ssh"
else
    tail -n 2 "$work/$h$n" | sed 's/^/# /'
    skip 'ssh: one command' 'sshd does not answer here'
fi
end_daemons
[ -z "${made-}" ] || rmdir /run/sshd

# ---- virtual-cluster in place of ssh, by the MPI's launcher and by cmrun -------------------------

# sockets_built: the programs over sockets, with this build's options but for those of its MPI.
sockets_built() (
    mkdir "$work/sockets" && cd "$work/sockets" || exit
    unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL GNUMAKEFLAGS top_builddir MPIEXEC TEST_COMM CC
    eval "set x $("$OLDPWD/../config.status" --config)"
    shift
    timeout 900 "$top/configure" "$@" --srcdir="$top" --with-comm=sockets MPICC= MPIEXEC= &&
        for part in src suite netpipe network/linkmap nodes; do
            timeout 1800 make -j2 -C $part || exit
        done
)
ways='slurm ssh'
if [ $own != cmrun ]; then
    ways="$ways $own cmrun"
    one_command $own 200 "$cluster" "${h}1" "$suite run --launcher $own --hosts $names" \
        "--rsh $cluster $benchmarks $work/$own"
    if sockets_built >"$work/built" 2>&1 9>&-; then
        one_command cmrun 200 "$cluster" "${h}1" "$work/sockets/suite/clustermark run" \
            "--hosts $names --rsh $cluster $benchmarks $work/cmrun"
    else
        tail -n 3 "$work/built" | sed 's/^/# /'
        skip 'cmrun: one command' 'the sockets backend does not build here'
    fi
fi
"$cluster" down

# ---- Virtual hosts, of the same names ------------------------------------------------------------

one_command virtual 200 "$suite" run --place virtual:$n $benchmarks "$work/virtual"

# ---- The same page -------------------------------------------------------------------------------

# What was measured decides whether there was a disturbance, whether lines were fitted (netpipe's
# gives its bandwidth, which the cross-checks use), and how many pairs were measured again. The
# place's part says what clustermark made the hosts of.
parts() {
    awk '/^(h[23]|summary) / { leave = / The virtual hosts| Disturbance| Cross-checks/ }
        !leave && !/ two_lines| differs_between_launches| bandwidth_Mbit_per_s$/' \
        "$work/$1.outline" | sort -u
}
same_parts() {
    parts "$1" | diff "$work/of-virtual" - >"$work/diff" || { sed 's/^/# /' "$work/diff"; false; }
}
# Another backend has other settings, and answers other items of the papers.
headings() { parts "$1" | grep -E '^(h[1-4]|caption) '; }
same_headings() {
    headings virtual >"$work/headings"
    headings "$1" | diff "$work/headings" - >"$work/diff" || { sed 's/^/# /' "$work/diff"; false; }
}
# The hosts, and what one program used of them.
used() { sed -n -e 's/^# \(shape\|hosts\|ranks\|ranks_per_host\): /\1 /p' "$work/$1/$2.txt"; }
same_hosts() {
    used virtual "$2" >"$work/used"
    [ -s "$work/used" ] && used "$1" "$2" | diff "$work/used" - >"$work/diff" ||
        { sed 's/^/# /' "$work/used" "$work/diff"; false; }
}
parts virtual >"$work/of-virtual"
for each in $ways; do
    [ -s "$work/$each.outline" ] || continue
    if [ $each = cmrun ] && [ $own != cmrun ]; then
        ok "$each: the page has the headings of the virtual hosts'" same_headings $each
    else ok "$each: the page has the parts, tables and rows of the virtual hosts'" same_parts $each
    fi
    for of in nodes netpipe linkmap; do ok "$each: the same hosts, $of" same_hosts $each $of; done
done
done_testing

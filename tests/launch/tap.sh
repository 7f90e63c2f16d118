# SPDX-License-Identifier: BSD-3-Clause
# tap.sh: TAP for the shell tests of cmrun; sourced by them.
CMRUN=${CMRUN:-../src/cmrun}
CLIENT=${CLIENT:-./launch/client}
# If the tests run in a batch job, they ignore its hosts.
unset SLURM_JOB_NODELIST PBS_NODEFILE LSB_DJOB_HOSTFILE LSB_HOSTS
unset LSB_MCPU_HOSTS PE_HOSTFILE OAR_NODEFILE OAR_NODE_FILE OAR_FILE_NODES COBALT_NODEFILE \
    FLUX_JOB_ID FLUX_URI SLURM_JOB_NODELIST_HET_GROUP_0
count=0
failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/cmrun.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM

# ok NAME CONDITION...: runs the condition (a command); its failure fails the test.
ok() {
    count=$((count + 1)); name=$1; shift
    if "$@"; then echo "ok $count - $name"
    else echo "not ok $count - $name"; failed=1; show; fi
}

skip() { count=$((count + 1)); echo "ok $count - $1 # SKIP $2"; }

# run COMMAND...: leaves its output in $work/out and $work/err and its exit status in $status, which
# is 124 or 137 after the time limit, $run_limit_s if that is set.
run() {
    timeout -k 5 "${run_limit_s:-60}" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
}

show() {
    echo "# status $status"
    sed -e 's/^/# out: /' -e 20q "$work/out"
    sed -e 's/^/# err: /' -e 20q "$work/err"
}

is() { [ "$status" -eq "$1" ]; }                    # the exit status
out_is() { [ "$(cat "$work/out")" = "$1" ]; }
err_lines() { [ "$(wc -l <"$work/err")" -eq "$1" ]; }
err_has() { grep -q -e "$1" "$work/err"; }

# within SECONDS CONDITION...: waits until the condition holds.
within() {
    tries=$(($1 * 20)); shift
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.05
    done
}

gone() { ! kill -0 "$1" 2>/dev/null || zombie "$1"; }
zombie() { grep -q '^State:[[:space:]]*Z' "/proc/$1/status" 2>/dev/null; }
all_gone() { for each; do gone "$each" || return 1; done; }

# virtual_hosts LABEL COMMANDS UP-ARGUMENT...: makes hosts ${h}1, ${h}2, ... of network namespaces
# for this run only; they end with it, and $cluster reaches them. If they cannot be made, or $why
# gives a reason not to try, LABEL is skipped and the test ends.
virtual_hosts() {
    label=$1 needed=$2
    shift 2
    cluster=$(cd .. && pwd)/clusters/virtual/virtual-cluster
    h=cm$(($$ % 10000))t
    VIRTUAL_CLUSTER_NAME=$h
    export VIRTUAL_CLUSTER_NAME
    [ "$(id -u)" = 0 ] || why='network namespaces need root'
    for each in $needed; do command -v "$each" >/dev/null || why="no $each command"; done
    if [ -z "${why-}" ]; then
        trap '"$cluster" down; rm -rf "$work"' EXIT
        "$cluster" up "$@" >"$work/out" 2>"$work/err" ||
            why="virtual-cluster up: $(head -n 1 "$work/err")"
    fi
    [ -z "${why-}" ] || { skip "$label" "$why"; done_testing; }
}

done_testing() { echo "1..$count"; exit $failed; }

# slurm_settings: the settings of a Slurm whose daemons write all their files in $work.
# TEST_SLURM_PLUGINS: the folder of its plugins if that is not the usual one.
slurm_settings() {
    cat <<END
ClusterName=test
SlurmUser=root
AuthType=auth/none
CredType=cred/none
${TEST_SLURM_PLUGINS:+PluginDir=$TEST_SLURM_PLUGINS}
SlurmctldPidFile=$work/controller.pid
SlurmdPidFile=$work/%n.pid
SlurmdSpoolDir=$work/spool-%n
StateSaveLocation=$work/state
SlurmdParameters=config_overrides
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
END
}

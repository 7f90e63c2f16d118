# SPDX-License-Identifier: BSD-3-Clause
# tap.sh: functions that the tests of faults share; they source it after they have set their names.
# With FAULTS_ALL set they run all cases, otherwise those short enough for every make check.
. "${srcdir:-.}/launch/tap.sh"

here=$(pwd)
host=$(hostname)
backend=$("$here/$CLIENT" layer 2>/dev/null | cut -d ' ' -f 1)
case $backend in
sockets | shm | hybrid) ;;
*) echo "1..0 # SKIP faults of the native backends; this is $backend"; exit 0 ;;
esac

# Jobs of other tests take turns with these.
if command -v flock >/dev/null 2>&1; then
    lock=${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}
    exec 9>>"$lock" && flock 9
fi

# The names belong to this run, so that it can be seen whether anything of it is left.
ln -s "$(readlink -f "$CMRUN")" "$work/cmrun"
ln -s "$here/faults/program" "$work/program"
LIMIT_S=300
hydra=
for each in $HYDRA_MPIEXEC mpiexec.hydra mpiexec.mpich; do
    case $("$each" --version 2>/dev/null </dev/null) in *HYDRA*) hydra=$each; break ;; esac
done

started() { grep -l -a "^$work/" /proc/[0-9]*/cmdline 2>/dev/null; }
none_left() { [ -z "$(started)" ]; }

# begin LABEL COMMAND...: a job in the background, whose end finish LABEL waits for.
begin() {
    label=$1; shift
    (
        date +%s >"$work/$label.begin"
        timeout -k 5 $LIMIT_S "$@" >"$work/$label.out" 2>"$work/$label.err" </dev/null 9>&-
        echo $? "$(date +%s)" >"$work/$label.end"
    ) &
    eval "job_$(echo "$label" | tr -c 'a-zA-Z0-9\n' _)=$!"
}

finish() {
    eval "wait \$job_$(echo "$1" | tr -c 'a-zA-Z0-9\n' _)"
    status=999 ended_s=0
    read -r status ended_s <"$work/$1.end"
    seconds=$((ended_s - ${fault_s:-$(cat "$work/$1.begin")}))
    mv "$work/$1.out" "$work/out"
    mv "$work/$1.err" "$work/err"
}

# ended STATUS REGEX: the job ended with STATUS, in time, and with exactly one line, which matches
# REGEX. Time counts from fault_s, if a script sets it to when it caused the fault, otherwise from
# the start of the job. A loaded machine gets SLACK_S more.
SLACK_S=60 fault_s=
in_time() { [ "$seconds" -le $((${CM_TIMEOUT_S%.*} + SLACK_S)) ]; }
ended() {
    [ "$status" -eq "$1" ] && err_lines 1 && err_has "$2" && in_time
}
# Hydra prints messages of its own around those of the ranks. On a very busy machine it may end the
# others too late, so that another rank prints a line too; then all lines must match.
own_lines() { grep '^clustermark:' "$work/err" >"$work/lines"; mv "$work/lines" "$work/err"; }
ended_by_hydra() {
    own_lines
    [ "$status" -eq "$1" ] && err_has "$2" && ! grep -v -q -e "$2" "$work/err" && in_time
}
right() { [ "$status" -eq 0 ] && err_lines 0 && grep -q '^[0-9]* ranks right$' "$work/out"; }
# either CHECK OTHER-CHECK...: passes if CHECK, which takes no arguments, or OTHER-CHECK passes.
either() { one=$1; shift; "$one" || "$@"; }

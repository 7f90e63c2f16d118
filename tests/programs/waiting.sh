#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# waiting.sh: ranks that a binding leaves fewer processors than they are do not spin for each other,
# however they came to be bound; ranks with a processor each do. And what --bind makes of ranks that
# are bound, and cm-linpack of a rank that has one core.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
noise=$(readlink -f ../noise/cm-noise) cmrun=$(readlink -f ../src/cmrun)

why=
has_native || why="the backend is $comm"
[ "$(nproc)" -ge 2 ] || why='there is one processor'
command -v taskset >/dev/null || why='there is no taskset'
[ -n "$why" ] || cores=$("$noise" --seconds 0.05 2>/dev/null | sed -n 's/^# job_cores: //p')
[ "${cores:-2}" -ge 2 ] || why='there is a quota of one processor'
if [ -n "$why" ]; then
    skip 'ranks that share processors' "$why"
    finish
fi
mine=$(taskset -cp $$ | sed 's/.*: *//')
one=$(echo "$mine" | sed 's/[-,].*//')
[ "$comm" = sockets ] && turns='sleeps' || turns='hands its core over, then sleeps'

# waits HOW COMMAND...: do the ranks of this command, which ends before --output, wait like that?
waits()
{
    how=$1; shift
    CM_SPIN_US=-1 timeout 60 "$@" --seconds 0.05 --quiet --force --output "$work/r.txt" \
        >"$work/out" 2>&1 </dev/null || {
        show "$work/out"
        return 1
    }
    said=$(sed -n 's/^# waiting: //p' "$work/r.txt")
    [ "$said" = "$how" ] || { echo "# waiting: $said"; false; }
}
ok 'a processor each' waits 'spins, then sleeps' "$cmrun" -n 2 "$noise"
ok 'a processor each by binding' waits 'spins, then sleeps' "$cmrun" --bind core -n 2 "$noise"
ok 'one for the job' waits "$turns" taskset -c "$one" "$cmrun" -n 2 "$noise"
ok 'one for all ranks, not for the launcher' \
    waits "$turns" "$cmrun" -n 2 taskset -c "$one" "$noise"
# Rank 0 is alone where it may run, and rank 1 where it may.
cat >"$work/own" <<'END'
#!/bin/sh
# Binds each rank, and stays its parent.
list=$1 rank=$PMI_RANK
shift
taskset -c "$(echo "$list" | cut -d, -f$((rank + 1)) | tr + ,)" "$@"
exit $?
END
chmod +x "$work/own"
other=$(for cpu in $(seq 0 4095); do
    taskset -c "$cpu" true 2>/dev/null && [ "$cpu" != "$one" ] && echo "$cpu" && break
done)
ok 'one each by a script that stays' \
    waits 'spins, then sleeps' "$cmrun" -n 2 "$work/own" "$one,$other" "$noise"
ok '--bind with processors of two ranks that overlap' refuses \
    "--bind=spread: .* to processors [0-9,-]+ and $one, which overlap; start them unbound" \
    "$cmrun" -n 2 "$work/own" "$one+$other,$one" "$noise" --seconds 0.05 --quiet --bind
if [ -x ../linpack/cm-linpack ]; then
    taskset -c "$one" ../linpack/cm-linpack -n 60 --quiet --repeat 2 >"$work/one.txt" 2>&1
    ok 'cm-linpack: one thread for a rank with one core' has '^# blas_threads: 1$' "$work/one.txt"
else
    skip 'cm-linpack: threads' 'there is no BLAS'
fi
# A launcher that gives no cards of others unasked.
hydra=
for each in ${HYDRA_MPIEXEC-} mpiexec.hydra mpiexec.mpich; do
    case $("$each" --version 2>/dev/null </dev/null) in *HYDRA*) hydra=$each; break ;; esac
done
if [ -z "$hydra" ]; then
    skip 'Hydra: a processor each' 'there is no Hydra'
    skip 'Hydra: one for the job' 'there is no Hydra'
    skip 'Hydra: one for all ranks, not for the launcher' 'there is no Hydra'
else
    ok 'Hydra: a processor each' waits 'spins, then sleeps' "$hydra" -n 2 "$noise"
    ok 'Hydra: one for the job' waits "$turns" taskset -c "$one" "$hydra" -n 2 "$noise"
    ok 'Hydra: one for all ranks, not for the launcher' \
        waits "$turns" "$hydra" -n 2 taskset -c "$one" "$noise"
fi
ranks=$((2 * $(getconf _NPROCESSORS_ONLN)))
if [ $ranks -gt 16 ]; then skip 'more ranks than processors' "they would be $ranks"
else ok 'more ranks than processors' waits "$turns" "$cmrun" -n $ranks "$noise"
fi
finish

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# energy.sh: the energy of a run, from counters made of files.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/energy.inc"
program=$(pwd)/programs/energy_false
host=$(uname -n)

rapl "$host"
for ranks in 1 2 3; do
    [ "$comm" = dummy ] && [ $ranks -gt 1 ] && continue
    result=$work/$ranks.txt
    ok "$ranks ranks" run $ranks 0 '' "$program" --root "$work/root" -o "$result" || continue
    ok "$ranks ranks: packages and memory, once" has '^# RESULT: PASS energy_J 14 J$' "$result"
    ok "$ranks ranks: power" has '^# RESULT: PASS mean_power_W [0-9.]* W$' "$result"
    ok "$ranks ranks: less than in the time of a sleep alone" awk '
        $4 == "mean_power_W" { found = $5 > 0 && $5 < 14 / 0.05 } END { exit !found }' "$result"
    ok "$ranks ranks: the metric of the program" \
        has '^# RESULT: PASS speed_MB_per_s 100 MB/s$' "$result"
    ok "$ranks ranks: what was counted" \
        has '^# energy: processor packages and memory (RAPL)$' "$result"
done
ok 'the metrics are told' sh -c "'$program' --print-metrics | grep -q '^energy_J	J	low	'"
ok 'a wrong answer' run 1 1 '' "$program" --root "$work/root" --wrong -o "$work/wrong.txt"
ok 'fails' has '^# RESULT: FAIL speed_MB_per_s ' "$work/wrong.txt"
ok 'and has no energy' sh -c "! grep -q 'energy_J' '$work/wrong.txt'"
ok 'a file that appears meanwhile is not overwritten' sh -c "
    CM_DUMMY=ranks=1 '$program' --root '$work/root' -o '$work/wrong.txt' >/dev/null 2>&1
    [ \$? = 2 ]"
ok 'no counters' run 1 0 '' "$program" --root "$work/nowhere" -o "$work/none.txt"
ok 'is said' has '^# energy: no counters$' "$work/none.txt"
# Slurm, whose scontrol is a script here.
mkdir "$work/bin"
cat >"$work/bin/scontrol" <<'END'
#!/bin/sh
case $2 in
node) echo "NodeName=$3 CPUTot=2"; echo "   CurrentWatts=${watts:-n/s} AveWatts=0" ;;
config) echo AuthType=x; echo 'AcctGatherNodeFreq      = 600 sec' ;;
esac
END
chmod +x "$work/bin/scontrol"
of_slurm()
{
    (PATH=$work/bin:$PATH SLURM_JOB_ID=1 SLURMD_NODENAME=n1 watts=$1
    export PATH SLURM_JOB_ID SLURMD_NODENAME watts
    run 1 0 '' "$program" --root "$work/nowhere" -o "$work/slurm$1.txt")
}
ok 'a job of Slurm' of_slurm 100
ok 'Slurm tells a power' has "^# energy: Slurm's counters (CurrentWatts)\$" \
    "$work/slurm100.txt"
ok 'of which a short run has nothing' \
    has '^# energy: not told, because Slurm reads its sensors each 600 s only' "$work/slurm100.txt"
ok 'and no metric' sh -c "! grep -q ' energy_J ' '$work/slurm100.txt'"
ok 'a job of Slurm that does not know' of_slurm ''
ok 'says so' has '^# energy: no counters (Slurm: CurrentWatts=n/s)$' \
    "$work/slurm.txt"
ok 'no counters, once' [ "$(grep -c 'no counters\|_J \|_W ' "$work/none.txt")" = 1 ]
finish

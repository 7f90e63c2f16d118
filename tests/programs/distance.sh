#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# distance.sh: the programs that measure pairs say how far apart the cores are if two ranks have a
# core each, and otherwise that it is not known.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
few='--warm-up 0 --time-limit 0.02 --quiet --force'
r=$work/r.txt


# distances yes|no FILE: the distances of all rows are above 0, or none is known.
distances()
{
    grep -v '^#' "$2" | awk -v known="$1" '
        NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
        {
            first = $at["pair_distance_first_ns"]; last = $at["pair_distance_last_ns"]
            fine = first + 0 > 0 && last + 0 > 0
            if (known == "yes" ? !fine : first != "nan" || last != "nan") {
                print "# " $0
                bad++
            }
        }
        END { exit bad > 0 || NR < 2 || !("pair_distance_last_ns" in at) }'
}
lacks() { ! has "$1" "$2"; }

# What can be known here: processors of this process, and whether ranks are processes.
cores=$(nproc)
[ "$comm" != dummy ] && [ "$cores" -ge 2 ] && known=yes || known=no
# A machine with other loads may keep a rank from its core for longer than a look waits, be it the
# first one alone, which the metadata have: a run that does not know proves nothing then.
tries=10
busy() { awk -v cores="$cores" '{ exit !($1 > cores) }' /proc/loadavg; }

# tells_first FILE: the metadata have the first distance.
tells_first() { has '^# pair_distance_ns: [0-9][0-9.e+]*$' "$1"; }
# sees NAME OPTIONS...: a run whose distances are as they should be, in some try; where they are
# known, the first one, too, but for programs that have other metadata.
sees()
{
    called=$1; shift
    for try in $(seq $tries); do
        run 2 0 '' "../$called" $few --bind=spread --output "$r" "$@" || return
        distances $known "$r" || continue
        case $known,$called in no,* | *linkmap | *sockets) return ;; esac
        tells_first "$r" && return
    done
    false
}
for program in 'netpipe/cm-netpipe --upper 64 --perturbation 0' \
    'network/patterns/cm-patterns --upper 64' 'network/loggp/cm-loggp --upper 64' \
    'network/linkmap/cm-linkmap --size 64' 'network/bisection/cm-bisection --upper 64'; do
    name=${program%% *}
    if sees $program; then ok "$name: distances: $known" true
    elif [ $known = yes ] && busy; then skip "$name: distances" 'the machine is busy'; continue
    else ok "$name: distances: $known" false
    fi
    [ $known = yes ] || continue
    case $program in *linkmap*) continue ;; esac
    ok 'the metadata have the first one' tells_first "$r"
    ok 'a finding has the first and the last' \
        has '^# distance: a flag takes .* ns .* looks \[value=.* low=.* high=.* unit=ns bound=' "$r"
done
if [ $comm = dummy ]; then skip 'cm-sockets' 'the dummy backend has one process'
else
    set -- network/sockets/cm-sockets --seconds 0.01 --rate 10
    if sees "$@" || ! busy || [ $known = no ]; then
        ok "cm-sockets: distances: $known" distances $known "$r"
    else skip 'cm-sockets: distances' 'the machine is busy'
    fi
fi

# More ranks than cores take turns on a core, and never bounce.
ranks=$((2 * cores + 2))
if [ "$ranks" -gt 6 ]; then skip 'more ranks than cores' "that would be $ranks"
else
    ok 'more ranks than cores' run $ranks 0 '' ../netpipe/cm-netpipe $few --pairs --upper 4 \
        --perturbation 0 --output "$r"
    known=no
    ok 'their distances are not known' distances no "$r"
    ok 'nor do the metadata have one' lacks '^# pair_distance' "$r"
    ok 'and there is no finding' lacks '^# distance: ' "$r"
fi
# So do two ranks of one core.
if [ $comm = dummy ] || ! command -v taskset >/dev/null 2>&1; then
    skip 'two ranks on one core' 'the dummy backend has one process, or there is no taskset'
else
    core=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
    ok 'two ranks on one core' run 2 0 '' "$(command -v taskset)" -c "$core" \
        ../netpipe/cm-netpipe $few --upper 4 --perturbation 0 --output "$r"
    ok 'whose distance is not known' distances no "$r"
fi
finish

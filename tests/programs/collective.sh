#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collective.sh: cm-collective: refused options, all operations at their smallest size on 1, 2 and 3
# ranks, failing wrong results, its figure.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/figure.inc"
program=$(pwd)/../network/collective/cm-collective
faulty=$(pwd)/programs/collective_faulty
quick='--time-limit 0 --batch-seconds 1e-6 --warm-up 0 --samples 3 --quiet --force'

no() { regex=$1; shift; ok "refused: $*" refuses "^cm-collective: .*$regex" "$program" "$@"; }
no "--operation.*'foo'.*alltoall" --operation foo
[ "$comm" = dummy ] && no '--sync window: the dummy ' --sync window
ok 'refused: too much memory' \
    run 2 2 '--upper 1099511627776 takes .* bytes of memory.* try a smaller --upper' \
    "$program" --upper 1024Gi
ok 'an output that cannot be written' run 2 2 "^cm-collective: --output .*/none/r.txt" \
    "$program" -o "$work/none/r.txt"

in_order()
{
    rows_of "$1" | awk '
        !($6 >= 1 && $7 >= 0 && $7 <= $8 && $9 <= $8 && $8 <= $10) { print "# " $0; bad++ }
        END { exit bad > 0 || NR == 0 }'
}
# MPICH spins: with more ranks than cores one of its collectives takes 10 to 30 ms.
few='1 2 3' many=3
[ "$comm" = mpi ] && few='1 2' many=2
both_ways=$(for each in allgather allgatherv allreduce alltoall alltoallv barrier bcast gather \
    gatherv reduce reduce_scatter scan scatter scatterv; do
    printf '%s.back-to-back %s.separated ' $each $each
done)
for p in $few; do
    result=$work/r$p.txt
    ok "all operations on $p ranks" \
        run $p 0 '' "$program" $quick -u 4Ki --factor 64 --segments 0,1Ki \
        -o "$result" || continue
    ok 'times in order' in_order "$result"
    ok 'every operation both ways' \
        [ "$(rows_of "$result" | awk '{ print $1 "." $4 }' | sort -u | tr '\n' ' ')" \
        = "$both_ways" ]
    # Vectors have whole elements, so 1 byte becomes one element; a barrier has no size.
    sizes=$(rows_of "$result" | awk '$1 ~ /^(barrier|bcast|reduce)$/ { print $1 "." $5 }' |
        sort -u | tr '\n' ' ')
    ok 'sizes' \
        [ "$sizes" = 'barrier.0 bcast.1 bcast.4096 bcast.64 reduce.4096 reduce.64 reduce.8 ' ]
    ok 'the inequality' has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$result"
    ok 'a metric an algorithm' has '^# RESULT: PASS bcast_scatter_allgather_separated_us ' "$result"
    ok 'the fastest of each' \
        [ "$(grep -c '^# fastest: .* [0-9.]*  \(apart\|overlap\)$' "$result")" -eq 80 ]
done
[ "$comm" = mpi ] && ok 'a broadcast on 3 ranks' \
    run 3 0 '' "$program" $quick --samples 1 --operation bcast -u 1 \
    --repetition back-to-back -o "$work/r3.txt"
# The overlap of all non-blocking forms; the columns are consistent with each other.
overlaps()
{
    rows_of "$1" | awk '
    function is(got, want, off) {
        off = 2e-3 * size + 1e-4
        return got >= want - off && got <= want + off
    }
    {
        size = 1 + $22 / $8 + $21 / $8
        progress = 1 + $26 / $8 + $21 / $8
        bad += NF != 29 || $4 != "non-blocking" || !($8 > 0) || !($21 > 0) || !($22 > 0)
        bad += !is($23, 1 - ($22 - $21) / $8) || $24 > $23 + 1e-4 || $25 < $23 - 1e-4
        size = progress
        bad += !is($27, 1 - ($26 - $21) / $8) || $28 > $27 + 1e-4 || $29 < $27 - 1e-4
        if (bad) print "# " $0
        seen[$1]
    }
    END { for (o in seen) n++; exit bad > 0 || n != 14 }'
}
if [ "$comm" = dummy ]; then
    no '--overlap: computing takes no time by the clock' --overlap
else
    ok 'non-blocking forms with computing' run 2 0 '' "$program" $quick --overlap -a auto \
        -u 4Ki --factor 4096 -o "$work/overlap.txt"
    ok 'all operations, columns' overlaps "$work/overlap.txt"
    ok 'the inequality' has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$work/overlap.txt"
    for metric in nonblocking_us overlap progress_overlap; do
        ok "a metric ${metric}" encloses "$work/overlap.txt" "allreduce_auto_$metric" trials
    done
    for other in '--sync window' '--repetition separated'; do
        no "--overlap with $other" --overlap $other
    done
fi
for type in int32 float double; do
    ok "sums of $type" run $many 0 '' "$program" $quick --type $type --operation allreduce -u 4Ki \
        --factor 64 --repetition back-to-back -o "$work/type.txt"
    ok "as the result says" has "^# reduction: sum of $type\$" "$work/type.txt"
    ok "are right" has '^# CHECK: wrong_bytes: 0 == 0  PASS$' "$work/type.txt"
done
ok 'trees of 1 and 2 leaves on 3 ranks' \
    [ "$(rows_of "$work/r3.txt" | awk '$2 == "tree" { print $3 }' \
    | sort -u | tr '\n' ' ')" = '1 2 ' ]
one=$work/one.txt
ok 'one algorithm of one operation, twice' \
    run 2 0 '' "$program" $quick --operation allgather -a ring,tree:5 \
    --repetition separated -l 3 -u 12 --factor 2 --repeat 2 -o "$one"
ok 'a row each' [ "$(rows_of "$one" | awk '{ printf "%s.%s.%s.%s.%s ", $1, $2, $3, $5, $NF }')" = \
    'allgather.ring.0.3.1 allgather.tree.5.3.1 allgather.ring.0.6.1 allgather.tree.5.6.1 '\
'allgather.ring.0.12.1 allgather.tree.5.12.1 allgather.ring.0.3.2 allgather.tree.5.3.2 '\
'allgather.ring.0.6.2 allgather.tree.5.6.2 allgather.ring.0.12.2 allgather.tree.5.12.2 ' ]

right='; expected numbers from 1 to 2'
[ "$comm" = dummy ] && right=', and the dummy .*; leave --ranks out'
ok 'more ranks than there are' \
    run 2 2 "--ranks 3: the job has 2 ranks$right" "$program" $quick --ranks 3
some=$work/some.txt
if [ "$comm" = dummy ]; then
    ok 'fewer ranks' \
        run 3 2 '--ranks 2: the job has 3 ranks, and the dummy' "$program" $quick --ranks 2
    ok 'trees of 128 leaves' \
        run 129 0 '' "$program" $quick --operation bcast -u 1 --leaves all -o "$some"
    ok 'all of them' [ "$(rows_of "$some" | awk '$2 == "tree"' | wc -l)" -eq 256 ]
    ok 'of more' run 130 2 '--leaves all: with 130 ranks .* more than 128 trees' \
        "$program" $quick --leaves all
    ok 'the dummy says what it cannot verify' has '^# verified: .*: not barriers' "$work/r2.txt"
    for operation in gather reduce allreduce reduce_scatter allgather alltoall; do
        dummy=corrupt=1
        ok "a bit that the dummy flips in $operation: status 1" run 3 1 '' "$program" $quick \
            --operation $operation -o "$work/f.txt"
        unset dummy
        ok 'it is named' \
            has "^# wrong data: $operation, linear, .* bytes, rank 0: byte" "$work/f.txt"
    done
    # The dummy's own broadcast on p ranks takes ceil(log2 p) times latency and transfer.
    dummy=latency_us=100,bandwidth_MB_per_s=10,call_us=0.001
    ok "what the dummy's broadcast costs" \
        run 8 0 '' "$program" $quick --operation bcast -a auto -l 1000 \
        -u 1000 -o "$some"
    unset dummy
    ok 'is measured: 600 us, both ways' [ "$(rows_of "$some" | awk '$8 > 5.99e-4 && $8 < 6.01e-4' \
        | wc -l)" -eq 2 ]
else
    ok 'on 1 rank and on 2' \
        run 2 0 '' "$program" $quick --operation bcast -a linear -u 1 --ranks 1,2 \
        -o "$some"
    ok 'a row each' [ "$(rows_of "$some" | awk '{ printf "%s.%s ", $4, $(NF - 1) }')" = \
        'back-to-back.1 separated.1 back-to-back.2 separated.2 ' ]
    # On a busy machine few windows begin in time; every row is present, or a comment says that it
    # is missing.
    windows='--quiet --force --batch-seconds 1e-3 --warm-up 0 --samples 5 --time-limit 0.05'
    windows="$windows --sync window"
    for p in $few; do
        ok "windows, $p ranks" \
            run $p 0 '' "$program" $windows --operation bcast -a linear,binomial \
            -u 1Ki --factor 1024 -o "$some"
        ok 'both ways, both algorithms and sizes' [ $(($(rows_of "$some" | wc -l) \
            + $(grep -c '^# no row: ' "$some"))) -eq 8 ]
        ok 'as the result names them' [ -z "$(rows_of "$some" \
            | awk '$4 != "back-to-back" && $4 != "window"')" ]
        ok 'times in order' in_order "$some"
        ok 'how well the clocks agreed' has "^# clocks of $p ranks: synchronised [1-9]" "$some"
    done
    # Two hosts' clocks, a million seconds apart.
    apart="$work/apart"
    cat >"$apart" <<'END'
#!/bin/sh
[ "${PMI_RANK:-0}" -eq 1 ] && exec unshare --time --monotonic 1000000 --fork "$@"
exec "$@"
END
    chmod +x "$apart"
    if has_native &&
        unshare --time --monotonic 1000000 --fork true 2>"$work/unshare"; then
        # Over shared memory windows are short; on a busy machine none may begin in time.
        far_apart()
        {
            for try in 1 2 3 4 5; do
                run 2 0 '' "$apart" "$program" $windows --operation bcast \
                    -a binomial -u 1 --repetition separated -o "$some" && return
            done
            false
        }
        ok 'windows of clocks that are far apart' far_apart
        ok 'are short' [ "$(rows_of "$some" | awk '$9 < 1' | wc -l)" -eq 1 ]
    else
        skip 'windows of clocks that are far apart' 'needs a native backend and time namespaces'
    fi
    ok 'all is verified' has '^# verified: each operation' "$work/r2.txt"
    for operation in bcast allreduce alltoall; do
        TEST_FAULT=$operation; export TEST_FAULT
        ok "wrong $operation: status 1" \
            run $many 1 '' "$faulty" $quick -a binomial,linear,doubling,ring \
            -u 100 -o "$work/f.txt"
        ok 'the metric is FAIL' has '^# RESULT: FAIL' "$work/f.txt"
        ok 'it is named' \
            has "^# wrong data: $operation, linear, .* rank $((many - 1)): byte" "$work/f.txt"
    done
    TEST_FAULT=iallreduce
    ok 'a bit that iallreduce flips: status 1' run $many 1 '' "$faulty" $quick --overlap \
        --operation allreduce -a linear -o "$work/f.txt"
    ok 'it is named' \
        has "^# wrong data: allreduce, linear, .* rank $((many - 1)): byte" "$work/f.txt"
    TEST_FAULT=
    # Two ranks may have 5 MB each; blocks of 1 MiB, twice read and twice written, take 8 MiB.
    TEST_FREE=20000000; export TEST_FREE
    fits="$quick -a auto --factor 1024 --repetition back-to-back -o $work/fits.txt"
    ok 'sizes that do not fit' run 2 0 '' "$faulty" $fits
    ok 'are left out of operations with blocks' [ "$(rows_of "$work/fits.txt" |
        awk '$1 ~ /^(bcast|allreduce|gather|alltoall)$/ { print $1 "." $5 }' | sort -u |
        tr '\n' ' ')" = 'allreduce.1024 allreduce.1048576 allreduce.8 alltoall.1 alltoall.1024 '\
'bcast.1 bcast.1024 bcast.1048576 gather.1 gather.1024 ' ]
    ok 'as a comment says' has '^# reduce_scatter, gather, .*, alltoallv: sizes above 1024 bytes '\
'are left out: 1048576 bytes take 8388864 bytes of memory on each rank, and half of what is free '\
'is 5000000$' "$work/fits.txt"
    fits="$fits --operation alltoall -u 1Mi"
    ok 'not one that is asked for' run 2 0 '' "$faulty" $fits
    ok 'is measured' has '^ *alltoall  *auto .* 1048576 ' "$work/fits.txt"
    ok 'unless it need not fit' run 2 0 '' "$faulty" $fits --fit
    ok 'and is not' [ "$(rows_of "$work/fits.txt" | awk '{ printf "%s.%s ", $1, $5 }')" = \
        'alltoall.1 alltoall.1024 ' ]
    # What operations without blocks take is more than half: those with blocks may take as much.
    TEST_FREE=12000000
    fits="$quick -a auto --factor 1024 --repetition back-to-back -o $work/fits.txt"
    ok 'half of the memory for one vector' run 2 0 '' "$faulty" $fits
    ok 'blocks take no more' [ "$(rows_of "$work/fits.txt" |
        awk '$1 ~ /^(bcast|alltoall)$/ { print $1 "." $5 }' | sort -u | tr '\n' ' ')" = \
        'alltoall.1 alltoall.1024 bcast.1 bcast.1024 bcast.1048576 ' ]
    ok 'vectors alone' run 2 0 '' "$faulty" $fits --operation bcast
    ok 'are all measured' [ "$(grep -c '^#.* left out' "$work/fits.txt")" = 0 ]
    unset TEST_FREE
    TEST_FAULT=barrier
    # A rank that does not get to run cannot leave early. That is correct too, so the test is
    # repeated.
    leaves() { for try in 1 2 3 4 5; do run 2 1 '' "$faulty" $quick --operation barrier -a linear \
        -o "$work/f.txt" >"$work/tries" && return; done; cat "$work/tries"; false; }
    ok 'a barrier that does not wait: status 1' leaves
    ok 'it is named' \
        has '^# wrong: barrier, linear: rank [01] left before rank [01] had entered' "$work/f.txt"
    unset TEST_FAULT
fi

# Writes a table of the fastest algorithms, which is then used by CM_TUNING.
table=$work/here.tab
if has_native; then
    tune="$quick --operation bcast -l 8 -u 4Ki --factor 512 --repeat 2"
    ok 'a table' run 2 0 '' "$program" $tune --write-tuning "$table" -o "$work/tune.txt"
    ok 'is said' has "^# tuning: $table has [1-9][0-9]* rows$" "$work/tune.txt"
    ok 'the built-in one was used' \
        has "^# tuning: built in: $comm; from [1-9][0-9]* ranks on: paper$" "$work/tune.txt"
    ok 'the times are in the result' [ "$(rows_of "$work/tune.txt" |
        awk '$2 == "auto" || $4 != "separated" || $NF !~ /^(own|shared)$/ { bad++ }
            { sweep[$(NF - 1)] } END { for (s in sweep) n++; print n, bad + 0 }')" = '2 0' ]
    ok 'it is of this backend' has "^backend: $comm$" "$table"
    for other in '-a ring' '--overlap' '--sync window' '--repetition back-to-back'; do
        no "--write-tuning.* leave " --write-tuning "$work/no.tab" $other
    done
    no "--write-tuning $table.* exists" --write-tuning "$table"
    no "--write-tuning /proc/x.tab cannot be created" --write-tuning /proc/x.tab
    no "--write-tuning '' is no file" --write-tuning ''
    no '--write-tuning and --output .*two different files' --write-tuning "$work/v.tab" \
        -o "$work/../$(basename "$work")/./v.tab" --force
    no "--write-tuning .*--ranks 1,2: one rank has no choice" --ranks 1,2 \
        --write-tuning "$work/no.tab"
    for other in CM_COPY=ring CM_TRANSPORT=tcp; do
        [ "$comm" = shm ] && [ $other != CM_COPY=ring ] && continue
        ok "refused: $other" refuses \
            "^cm-collective: --write-tuning .*/no.tab with $other: .* unset" env $other "$program" \
            --write-tuning "$work/no.tab"
    done
    ok 'none of these made a file' [ ! -e "$work/no.tab" ] && [ ! -e "$work/v.tab" ]
    cp "$table" "$work/locked.tab" && chmod 444 "$work/locked.tab"
    ok '--force replaces one that may not be written' run 2 0 '' "$program" $quick \
        --operation bcast -u 16 --write-tuning "$work/locked.tab" -o "$work/locked.txt"
    ok 'one rank has no choice' refuses 'the job has one rank' "$program" $quick \
        --write-tuning "$work/no.tab"
    small="$quick --operation bcast -a auto -u 1 --repetition separated -o $some"
    CM_TUNING=$table; export CM_TUNING
    ok 'CM_TUNING takes it' run 2 0 '' "$program" $small
    ok 'and the result says so' has "^# tuning: $table$" "$some"
    # Rank 1 has another one.
    sed "s/^backend: $comm$/&\\
# other/; s/\$/$(printf '\r')/" "$table" >"$work/other.tab"
    cat >"$work/differ" <<END
#!/bin/sh
[ "\${PMI_RANK:-0}" -eq 1 ] && CM_TUNING=$work/other.tab
exec "\$@"
END
    chmod +x "$work/differ"
    ok 'another comment and other ends of lines choose alike' \
        run 2 0 '' "$work/differ" "$program" $small
    sed 's/^end$/scan own 2 0 linear\
&/' "$table" >"$work/other.tab"
    ok 'ranks with two tables' run 2 2 'CM_TUNING: rank 1 on .* another table .* than rank 0 on ' \
        "$work/differ" "$program" $small
    sed 's/^bcast/cast/' "$table" >"$work/other.tab"
    CM_TUNING=$work/other.tab
    ok 'a table with a wrong line' refuses \
        "^clustermark: CM_TUNING=$work/other.tab: line [0-9]*: operation 'cast'; expected one " \
        "$program" --operation barrier
    sed "s/^backend: .*/backend: mpi/" "$table" >"$work/other.tab"
    ok 'of another backend' refuses \
        "^clustermark: CM_TUNING=.*: measured over mpi; expected a table of $comm; " \
        "$program" --operation barrier
    { cat "$table" && printf '\0rubbish\n'; } >"$work/other.tab"
    CM_TUNING=$work/other.tab
    ok 'with a byte of 0' refuses \
        '^clustermark: CM_TUNING=.*: not a text: it has a byte of value 0' \
        "$program" --operation barrier
    mkfifo "$work/fifo" && CM_TUNING=$work/fifo
    ok 'a pipe' refuses '^clustermark: CM_TUNING=.*/fifo: not a plain file; ' \
        "$program" --operation barrier
    CM_TUNING=$work/none.tab
    ok 'that is not there' refuses '^clustermark: CM_TUNING=.*/none.tab: No such file' \
        "$program" --operation barrier
    unset CM_TUNING
    # The first three ranks are on two hosts; a table's three ranks are on one host each.
    case $comm in sockets | hybrid) why= ;; *) why="the backend is $comm" ;; esac
    [ "$(id -u)" = 0 ] && unshare --uts true 2>/dev/null || why='namespaces need root'
    if [ -z "$why" ]; then
        cat >"$work/launcher" <<'END'
#!/bin/sh
while :; do case $1 in -*) shift ;; *) break ;; esac; done
exec unshare --uts sh -c 'hostname "$1"; shift; exec sh -c "$*"' sh "$@"
END
        chmod +x "$work/launcher"
        ok 'a table of three hosts' timeout -k 5 120 ../src/cmrun --rsh "$work/launcher" \
            --hosts ann:2,bob:2,cid:2 "$program" $quick --operation bcast -l 8 -u 8 \
            --write-tuning "$work/hosts.tab" -o "$work/hosts.txt"
        ok 'has ranks of one host and of several' [ "$(rows_of "$work/hosts.txt" |
            awk '{ print ($NF == "between" ? $NF : "one") "." $(NF - 2) }' | sort -u |
            tr '\n' ' ')" = 'between.2 between.3 one.2 ' ]
        ok 'no algorithm for several ranks a host' \
            [ "$(rows_of "$work/hosts.txt" | awk '$2 == "hosts"' | wc -l)" -eq 0 ]
        ok 'none that would be linear between hosts' \
            [ "$(rows_of "$work/hosts.txt" | grep -c ' direct .* between$')" -eq 0 ]
        ok 'the fastest of each place' [ "$(sed -n 's/^# fastest: bcast .*  //p' \
            "$work/hosts.txt" | sed 's/own\|shared/one/' | sort | tr '\n' ' ')" \
            = 'between between one ' ]
    else
        skip 'a table of three hosts' "$why"
    fi
else
    no '--write-tuning.*over this backend .*auto is the backend.s own' --write-tuning "$table"
fi

if ! command -v gnuplot >/dev/null 2>&1; then skip 'the figure' 'gnuplot is not there'; finish; fi
sed 's/^# oversubscribed: .*/# oversubscribed: no/; s/^# core_shared: .*/# core_shared: no/' \
    "$work/r2.txt" >"$work/drawn.txt"
sed 's/^# oversubscribed: .*/# oversubscribed: yes/' "$work/r3.txt" >"$work/over.txt"
draw_()
{
    gnuplot -d -e "result='$2'; figure='$3'; $1" \
        "$srcdir/../network/collective/figures/collective.gp" >"$work/gnuplot" 2>&1 &&
        [ ! -s "$work/gnuplot" ] || { show "$work/gnuplot"; false; }
}
draw() { draw_ '' "$@"; }
ok 'the figure' draw "$work/drawn.txt" "$work/c.svg"
ok 'it is well-formed' is_svg "$work/c.svg"
ok 'the other repetition' draw_ "repetition='separated'" "$work/drawn.txt" "$work/c2.svg"
ok 'says so' has 'separated by barriers' "$work/c2.svg"
sed 's/^\([^#].*\) separated /\1    window /' "$work/drawn.txt" >"$work/windows.txt"
ok 'windows' draw_ "repetition='window'" "$work/windows.txt" "$work/c3.svg"
ok 'say so' has 'begun together' "$work/c3.svg"
ok 'names operations' has '>alltoall<' "$work/c.svg"
ok 'and algorithms' has '>tree:1<' "$work/c.svg"
if [ "$comm" != dummy ]; then
    sed 's/^# oversubscribed: .*/# oversubscribed: no/; s/^# core_shared: .*/# core_shared: no/' \
        "$work/overlap.txt" >"$work/hidden.txt"
    overlap_figure()
    {
        gnuplot -d -e "result='$work/hidden.txt'; figure='$work/o.svg'" \
            "$srcdir/../network/collective/figures/collective_overlap.gp" >"$work/gnuplot" 2>&1 &&
            [ ! -s "$work/gnuplot" ] || { show "$work/gnuplot"; false; }
    }
    ok 'the figure of the overlap' overlap_figure
    ok 'it is well-formed' is_svg "$work/o.svg"
    ok 'has the operations' has '>allgatherv<' "$work/o.svg"
fi
ok 'of one operation and size' draw "$one" "$work/one.svg"
ok 'of more ranks than cores' draw "$work/over.txt" "$work/over.svg"
ok 'it says why there is no curve' has 'Not drawn:' "$work/over.svg"
finish

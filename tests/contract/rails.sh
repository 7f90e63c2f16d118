#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The contract over several connections for each pair (CM_RAILS), with the shortest possible parts,
# and values that CM_RAILS refuses. The argument `long`, used by make check-long, runs everything.
# TEST_COMM comes from the Makefile.
case $TEST_COMM in
sockets) ;;
hybrid) export CM_TRANSPORT=tcp ;;
*) echo "1..0 # SKIP rails of TCP; this is $TEST_COMM"; exit 0 ;;
esac

# with RAILS COUNTS SUBJECT...
with()
{
    CM_RAILS=$1 counts=$2
    export CM_RAILS
    shift 2
    ./run-ranks -l cmrun -n "$counts" -t 280 ./contract/contract.ranks "$@"
}
# failures RAILS CASE...: these cases of contract/failure.sh.
failures()
{
    CM_RAILS=$1
    export CM_RAILS
    shift
    for each; do
        mkdir "$work/case"
        ./run-ranks -k -l cmrun -n 3 -t 400 ./contract/failure ${each%:*} ${each#*:} "$work/case"
        rm -r "$work/case"
    done
}
# refused REGEX ENVIRONMENT...: status 2 and one such line.
refused()
{
    regex=$1
    shift
    env "$@" ./run-ranks -l cmrun -n 3 -s 2 -m "$regex" ./contract/contract.ranks life
}

work=$(mktemp -d "${TMPDIR:-/tmp}/contract_rails.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
export CM_STRIPE_THRESHOLD=4096
{
    if [ "$1" = long ]; then
        all='life p2p requests probe groups collectives reductions overlap'
        with 2 '1 2 3 4 7' $all
        with 3 '2 4 7' $all
        with 8 3 p2p requests probe overlap
        CM_AHEAD_BYTES=0 with 3 3 $all
        CM_UNEXPECTED_BYTES=0 with 3 3 $all
        CM_SEND_CHUNK_BYTES=1024 with 3 3 p2p requests
        CM_SOCKET_BUFFER_BYTES=4096 with 3 3 p2p requests overlap
        with lo,lo 3 p2p
        CM_RAILS=3 ./run-ranks -l cmrun -n 2 -t 280 ./contract/large.ranks
        # A striped message is lost if its sender dies before the receiver has asked for it.
        CM_STRIPE_THRESHOLD=1Mi failures 3 received:kept
        failures 3 received:unread flood: half:named half:any half:unexpected any: waits:
        CM_AHEAD_BYTES=0 failures 2 half:named half:any half:unexpected
    else
        with 2 3 p2p requests probe overlap
        with 3 '2 4' p2p requests
        failures 3 half:named half:any
        refused 'CM_RAILS=0: expected .* from 1 to 8' CM_RAILS=0
        refused 'CM_RAILS=9: expected .* from 1 to 8' CM_RAILS=9
        refused 'CM_RAILS=lo,,lo: expected .* interfaces separated by commas' CM_RAILS=lo,,lo
        refused 'CM_RAILS=lo,none7: none7: no interface, .*; expected one of: .*' CM_RAILS=lo,none7
        refused 'CM_RAILS=lo: .* CM_INTERFACE is set too; expected' CM_RAILS=lo CM_INTERFACE=lo
        refused 'CM_STRIPE_THRESHOLD.*4096' CM_STRIPE_THRESHOLD=1
        cat >"$work/each" <<'END'
#!/bin/sh
CM_RAILS=$((PMI_RANK + 1)) exec ./contract/contract.ranks life
END
        chmod +x "$work/each"
        ./run-ranks -l cmrun -n 3 -s 2 \
            -m 'CM_RAILS: rank 1 on .* has 2 rails, but rank 0 on .* has 1; .* same' "$work/each"
    fi
} | "${srcdir-.}/tap-merge"

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# commands.sh: the commands that the manual and README tell to type. The line before each @example
# of the manual is one of
#   @c runs [BACKEND...] [status=N[,N]]   typed here, on these backends (native: all but mpi; hosts:
#                                         the native ones that have several hosts)
#   @c tested FILE                        by another test, which has all of their options
#   @c needs WHAT                         what a test has not (the list is below)
#   @c shown                              nothing to type
# "@c prepare COMMAND" makes what the following commands read. Each option that an example, the text
# or README gives to one of the programs must be an option of that program.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
. "$srcdir/doc/words.inc"
need_suite
manual=$srcdir/../doc
top=$(cd "$srcdir/.." && pwd)
needs='hosts installed internet minutes root simgrid slurm'
programs >"$work/programs"

# ---- What is marked, and how --------------------------------------------------------------------

mkdir "$work/blocks"
version=$(configured PACKAGE_VERSION)
for file in "$manual"/*.texi; do
    awk -v version="$version" -f "$srcdir/doc/commands.awk" "$file" \
        >"$work/blocks/$(basename "$file" .texi)"
done
every_marked() { ! grep -n ' unmarked$' "$work"/blocks/* | sed 's,.*/,# ,' | grep .; }
known_needs()
{
    sed -n 's/^== [0-9]* needs //p' "$work"/blocks/* | sort -u >"$work/needs"
    ! echo "$needs" | tr ' ' '\n' | comm -13 - "$work/needs" | sed 's/^/# needs /' | grep .
}
# Synopses have @var{...}; messages of the programs have a colon behind the name.
only_shown()
{
    awk 'FNR == NR { name[$1]; next }
        /^== / { shown = / shown$/; next }
        shown && !/@var\{/ && ($1 in name || /^(mpiexec|srun|[A-Z_]+=[^ ]+ cm)/) {
            print "# " FILENAME ": " $0; bad = 1
        }
        END { exit bad }' "$work/programs" "$work"/blocks/*
}
ok 'every example is marked' every_marked
ok 'what a test has not is on the list' known_needs
ok 'no example that is only shown has a command' only_shown
ok "pkg-config is told of the tutorial's prefix" grep -qx \
    'export PKG_CONFIG_PATH=/opt/clustermark/lib/pkgconfig' "$manual/tutorial.texi"

# ---- Options ------------------------------------------------------------------------------------

mkdir "$work/options"
while read -r program <&3; do
    runs "$program" && options_of "$program" | sort -u >"$work/options/$program"
done 3<"$work/programs"
# given: "PROGRAM OPTION" of the commands on stdin, one a line. What is in quotes is another
# program's.
given()
{
    awk -v list="$work/programs" '
        BEGIN { while ((getline program < list) > 0) name[program] }
        {
            gsub(/'\''[^'\'']*'\''|"[^"]*"/, "")
            gsub(/[(){}<>`,$]/, " ")
            n = split($0, word, " ")
            program = ""
            for (k = 1; k <= n; k++) {
                base = word[k]
                sub(/.*\//, "", base)
                if (base in name) program = base
                else if (program != "" && word[k] ~ /^-./) {
                    sub(/=.*/, "", word[k])
                    print program, word[k]
                }
            }
        }' | sort -u
}
# unknown: those that the program does not have. Short options may have their values behind them.
unknown()
{
    awk -v options="$work/options" '
        { file = options "/" $1 }
        !($1 in read) {
            read[$1]
            while ((getline option < file) > 0) { has[$1, option]; known[$1] }
            close(file)
        }
        !($1 in known) || (($1, $2 ~ /^--/ ? $2 : substr($2, 1, 2)) in has) { next }
        { print "# " $1 " has no " $2; bad = 1 }
        END { exit bad }'
}
# Lines that go on, one line; a pipe or a list begins another command.
commands_of() { sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' | sed 's/&&/;/g' | tr ';|' '\n\n'; }
examples_right() { grep -hv '@var{' "$work"/blocks/* | commands_of | given | unknown; }
# @code{cm-netpipe --bind}, which may be broken across lines; README's `...`.
text_right()
{
    { for file in "$manual"/*.texi; do
        tr '\n' ' ' <"$file" | grep -oE '@(code|samp)\{(cm|clustermark|virtual)[a-z-]* [^{}@]*\}' |
            sed 's/^@[a-z]*{//; s/}$//'
      done
      grep -oE '`[^`]*`' "$top/README.md"; } | commands_of | given | unknown
}
ok 'examples have options that the programs have' examples_right
ok 'so have the text and README' text_right

# tested_there: a file that tests has every long option of the block.
tested_there()
{
    sed -n 's/^== [0-9]* tested //p' "$work"/blocks/* | sort -u | while read -r file; do
        [ -f "$top/$file" ] || { echo "# there is no $file"; continue; }
        awk -v file="$file" '/^== / { on = $3 == "tested" && $4 == file; next } on' \
            "$work"/blocks/* | commands_of | given | grep -e ' --' |
            while read -r program option; do
                grep -q -e "$option" "$top/$file" || echo "# $file does not test $program $option"
            done
    done >"$work/said"
    [ ! -s "$work/said" ] || { cat "$work/said"; false; }
}
ok 'what another test runs is there' tested_there

# ---- Typing them --------------------------------------------------------------------------------

if [ "$comm" = dummy ]; then
    skip 'commands are typed' 'the dummy backend has one process'
    finish
fi
# Short runs: options that a command does not give itself. What a command means stays as it is.
mkdir "$work/bin"
cat >"$work/bin/shortened" <<'SHORT'
#!/bin/sh
# The program of this name, with options that make it short.
name=${0##*/}
given=" $* "
more=
# add OPTION VALUE [OTHER]: unless it is given, or OTHER is.
add()
{
    case $given in *" $1 "* | *" $1="* | *" ${3:-$1} "*) ;; *) more="$more $1=$2" ;; esac
}
case $name in
cm-netpipe) add --time-limit 0.002; add --warm-up 0; add --trial-seconds 1e-4
    add --upper 64Ki --lower ;;
cm-bisection | cm-linkmap | cm-patterns | cm-loggp) add --time-limit 0.002; add --warm-up 0 ;;
cm-congestion) add --time-limit 0.001; add --warm-up 0; add --rounds 1 ;;
cm-collective) add --time-limit 0; add --batch-seconds 1e-6; add --warm-up 0
    add --upper 64 ;;
cm-noise) add --seconds 0.1 ;;
cm-nodes) add --rounds 4; add --again 0; add --trial-seconds 0.001; add --triad 64Ki ;;
cm-sockets) add --time-limit 0.02; case $given in *' delayed-ack '*) ;; *) add --warm-up 0
    add --seconds 0.01 ;; esac ;;
cm-stream) add --size 64Ki; add --time-limit 0.01 ;;
cm-linpack) add --repeat 1 ;;
clustermark)
    [ "$1" != run ] || add --only linkmap --place ;;
esac
exec "$(cat "${0%/*}/$name.path")" "$@" $more
SHORT
chmod +x "$work/bin/shortened"
while read -r program <&3; do
    path=$(path_of "$program") || continue
    (cd "$(dirname "$path")" && pwd) | sed "s,\$,/$program," >"$work/bin/$program.path"
    ln -s shortened "$work/bin/$program"
done 3<"$work/programs"
# An MPI's launcher; with a native backend cmrun stands for it, as the chapter of questions says.
if [ "$comm" = mpi ]; then
    cat >"$work/bin/mpiexec" <<END
#!/bin/sh
. '$top/tests/turns.inc'
turn_take mpi '$work/turn'
exec $(sed -n 's/^MPIEXEC = //p' ../Makefile) "\$@" 9>&-
END
else printf '#!/bin/sh\nexec cmrun "$@"\n' >"$work/bin/mpiexec"
fi
# Hosts that are this one under other names.
rename=
if [ "$(id -u)" = 0 ] && unshare --uts true 2>/dev/null; then rename=yes; fi
cat >"$work/bin/ssh" <<'END'
#!/bin/sh
while :; do case $1 in -*) shift ;; *) break ;; esac; done
host=$1; shift
exec unshare --uts sh -c 'hostname "$1"; shift; exec sh -c "exec $*"' sh "$host" "$@"
END
chmod +x "$work/bin/mpiexec" "$work/bin/ssh"

# reason MARK...: why the commands on stdin are not typed here; nothing: they are.
reason()
{
    here=yes
    for word in "$@"; do
        case $word in
        status=*) ;;
        native) has_native && here=yes || here= ;;
        hosts) { has_native && [ "$comm" != shm ]; } && here=yes || here= ;;
        *) [ "$word" = "$comm" ] && { here=yes; break; } || here= ;;
        esac
        case " $* " in *' hosts '*) [ -n "$rename" ] || { echo 'that takes root'; return; } ;; esac
    done
    [ -n "$here" ] || { echo "backend $comm"; return; }
    while read -r first rest; do
        case $first in
        jq | gnuplot) command -v "$first" >/dev/null || echo "no $first" ;;
        cm-* | mpiexec | cmrun)
            for word in $first $rest; do
                case $word in
                cm-* | cmrun) [ -e "$work/bin/$word" ] || echo "no $word" ;;
                esac
            done ;;
        esac
    done | head -n 1
}
# typed STATUSES FILE: a shell that ends at the first failure ends with one of these.
typed()
{
    (cd "$room" && PATH="$work/bin:$PATH" timeout 300 sh -e "$2" </dev/null) >"$work/out" 2>&1
    got=$?
    case ",$1," in *",$got,"*) ;; *) echo "# status $got"; show "$2" "$work/out"; false ;; esac
}
type_block()
{
    [ -n "$mark" ] || return 0
    # shellcheck disable=SC2086  # the words of the mark
    set -- $mark
    [ "$1" != runs ] && [ "$1" != prepare ] && return
    shift
    statuses=0
    for word in "$@"; do case $word in status=*) statuses=${word#*=} ;; esac; done
    why=$(reason "$@" <"$work/block")
    if [ -n "$why" ]; then skip "$chapter:$at" "$why"
    else ok "$chapter:$at" typed "$statuses" "$work/block"
    fi
}
# hpl: a file that cm-xhpl finds.
hpl()
{
    sed 's/^linpack_hpl.out/HPL.out/' "$srcdir/programs/linpack_hpl.dat" >"$1/HPL.dat"
}
for chapter in ${TEST_CHAPTERS:-$(ls "$work/blocks")}; do
    grep -q '^== [0-9]* runs' "$work/blocks/$chapter" || continue
    room=$work/rooms/$chapter
    mkdir -p "$room" && hpl "$room"
    mark=
    while IFS= read -r line <&3; do
        case $line in
        '== '*)
            type_block
            rest=${line#== }
            at=${rest%% *} mark=${rest#* }
            : >"$work/block" ;;
        *) printf '%s\n' "$line" >>"$work/block" ;;
        esac
    done 3<"$work/blocks/$chapter"
    type_block
done
finish

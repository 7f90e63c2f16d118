# SPDX-License-Identifier: BSD-3-Clause
# hosts_tap.sh: functions that the shell tests of cmrun on several hosts share; they source it.
. "${srcdir:-.}/launch/tap.sh"

# Launchers of other tests take turns with these.
if command -v flock >/dev/null 2>&1; then
    lock=${TEST_LOCK-${TMPDIR:-/tmp}/run-ranks.$(id -u).lock}
    exec 9>>"$lock" && flock 9
fi
here=$(pwd)
# A copy of its own: by its path a test tells its proxies from those of others that run beside it.
mkdir "$work/bin" && cp "$CMRUN" "$work/bin" || exit 99
CMRUN=$(readlink -f "$work/bin/cmrun")               # as a proxy's command line has it
PROGRAM=${PROGRAM:-$here/launch/hosts_program}
case $CLIENT in /*) ;; *) CLIENT=$here/$CLIENT ;; esac
export CM_TIMEOUT_S=3

# A launcher that goes nowhere.
rename=
if [ "$(id -u)" = 0 ] && unshare --uts true 2>/dev/null; then rename='unshare --uts'; fi
cat >"$work/launcher" <<END
#!/bin/sh
echo "\$*" >>'$work/launched'
while :; do case \$1 in -*) shift ;; *) break ;; esac; done
host=\$1; shift
exec 9>&-
cd /
exec $rename sh -c '${rename:+hostname "\$1";} shift; exec sh -c "exec \$*"' sh "\$host" "\$@"
END
chmod +x "$work/launcher"
there() { run "$CMRUN" --rsh "$work/launcher -q" "$@"; }
sorted() { sort -n "$work/out" >"$work/sorted"; [ "$(cat "$work/sorted")" = "$1" ]; }
# A proxy's guard has the proxy's command line, but a process group of its own.
is_guard() { [ "$(cut -d ' ' -f 5 "/proc/$1/stat" 2>/dev/null)" = "$1" ]; }
proxies() { grep -l -a "^$CMRUN.--proxy" /proc/[0-9]*/cmdline 2>/dev/null; }
one_proxy() {
    for each in $(proxies); do
        each=${each#/proc/}; each=${each%/cmdline}
        is_guard "$each" || { echo "$each"; return; }
    done
}
none_left() { [ -z "$(proxies)" ]; }

# start COMMAND...: in the background, two ranks that note their pids.
start() {
    rm -f "$work/pid"
    timeout -k 5 60 "$CMRUN" -l "$work/launcher" --hosts a,b "$@" \
        >"$work/out" 2>"$work/err" </dev/null 9>&- &
    job=$!
    within 30 noted 2
}
noted() { [ -f "$work/pid" ] && [ "$(wc -l <"$work/pid")" -ge "$1" ]; }

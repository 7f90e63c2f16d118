#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# suite_launchers.sh: the command lines of all launchers that clustermark knows. A tree with the
# real clustermark and launchers that only note how they are called stands for a cluster.
set -u
srcdir=${srcdir:-.}
. "$srcdir/script.inc"
unset SLURM_JOB_ID SLURM_TASKS_PER_NODE SLURM_MPI_TYPE LSB_JOBID CRAY_MPICH_VERSION
# Open MPI is told of each of these.
# shellcheck disable=SC2046
unset $(env | sed -n 's/^\(CM_[A-Z_]*\)=.*/\1/p')
case $comm in
dummy | shm)
    skip 'launchers' "the $comm backend has no ranks on other hosts"
    finish ;;
esac

tree=$work/tree bin=$work/bin
mkdir -p "$tree/suite" "$tree/src" "$bin"
: >"$tree/config.status"
echo "top_srcdir = $(cd "$srcdir/.." && pwd)" >"$tree/suite/Makefile"
cp "$suite" "$tree/suite/clustermark"
for each in linkmap/cm-linkmap netpipe/cm-netpipe linpack/cm-linpack; do
    folder=$each
    [ "${each%/*}" = linpack ] || folder=network/$each
    [ "${each%/*}" != netpipe ] || folder=$each
    mkdir -p "$tree/${folder%/*}"
    printf '#!/bin/sh\n' >"$tree/$folder"
    chmod +x "$tree/$folder"
done
# Notes its name and the words up to the program's options, and writes a result.
cat >"$work/launcher" <<'END'
#!/bin/sh
name=${0##*/}
case $* in
--version) cat "$work/version" 2>/dev/null; exit 0 ;;
--mpi=list) cat "$work/types" >&2; exit 0 ;;
esac
[ "$I_MPI_JOB_RESPECT_PROCESS_PLACEMENT" != off ] || name="placed $name"
[ -z "$HYDRA_LAUNCHER_EXTRA_ARGS" ] || name="[$HYDRA_LAUNCHER_EXTRA_ARGS] $name"
line=$name program=
for word; do
    case ${last-} in
    --output)   cat "$work/said" >"$word"
                echo '# RESULT: PASS rate 1 1/s' >>"$word"
                output=$word ;;
    --json)     "$record_json" "$output" >"$word" ;;
    esac
    last=$word
    [ -z "$program" ] || continue
    case $word in
    */cm-*) program=${word##*/} line="$line $program" ;;
    # configure has found that Open MPI's launcher needs them here.
    --allow-run-as-root | --oversubscribe) ;;
    *)      line="$line $word" ;;
    esac
done
echo "$line" >>"$work/calls"
END
chmod +x "$work/launcher"
for each in srun flux jsrun aprun mpirun_rsh mpiexec mpiexec.hydra mpiexec.mpich mpiexec.openmpi \
    mpirun.openmpi ssh; do
    ln -s "$work/launcher" "$bin/$each"
done
ln -s "$work/launcher" "$tree/src/cmrun"
record_json=$PWD/programs/record_json
I_MPI_JOB_RESPECT_PROCESS_PLACEMENT= HYDRA_LAUNCHER_EXTRA_ARGS=
export work record_json I_MPI_JOB_RESPECT_PROCESS_PLACEMENT HYDRA_LAUNCHER_EXTRA_ARGS
cat >"$work/types" <<'END'
MPI plugin types are...
	none
	cray_shasta
	pmi2
	pmix
specific pmix plugin versions available: pmix_v4
END
printf '# job_cores: 8\n# memory_free_bytes: 64000000000\n# hosts: 3\n' >"$work/said"

# start ARGUMENT...: a run under the launchers of $bin.
start()
{
    rm -rf "$work/results" "$work/calls"
    PATH=$bin:$PATH "$tree/suite/clustermark" run --launches 1 "$@" "$work/results" \
        >"$work/out" 2>"$work/err"
}
runs() { start "$@" || { show "$work/err"; false; }; }
called() { grep -q -x -e "$1" "$work/calls" || { show "$work/calls"; false; }; }
refused() # PATTERN ARGUMENT...
{
    pattern=$1; shift
    start "$@"
    [ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -e "$work/calls" ] &&
        grep -q -e "$pattern" "$work/err" || { show "$work/err"; false; }
}

# Four shapes on a, b, c: a pair on two hosts, one rank on each, one on each core of a, and of all.
# NAME|what --version says|PAIR|EACH|NODE|WHOLE
srun='srun --quiet --mpi=pmi[2x] --overlap --overcommit --cpu-bind=none --kill-on-bad-exit=1'
intel='placed mpiexec.hydra -genv I_MPI_PIN off'
open='mpiexec.openmpi --bind-to none'
flux='flux run --exclusive -o cpu-affinity=off'
cat >"$work/table" <<END
srun||$srun --nodes=2 --nodelist=a,b --ntasks=2 --distribution=cyclic\
|$srun --nodes=3 --nodelist=a,b,c --ntasks=3 --distribution=cyclic\
|$srun --nodes=1 --nodelist=a --ntasks=8 --ntasks-per-node=8 --distribution=block\
|$srun --nodes=3 --nodelist=a,b,c --ntasks=24 --ntasks-per-node=8 --distribution=block
flux||$flux --nodes=2 --ntasks=2 --requires=hosts:a,b --taskmap=cyclic\
|$flux --nodes=3 --ntasks=3 --requires=hosts:a,b,c --taskmap=cyclic\
|$flux --nodes=1 --ntasks=8 --requires=hosts:a\
|$flux --nodes=3 --ntasks=24 --requires=hosts:a,b,c
jsrun||jsrun --nrs=2 --rs_per_host=1 --tasks_per_rs=1 --cpu_per_rs=ALL_CPUS --bind=none\
|jsrun --nrs=3 --rs_per_host=1 --tasks_per_rs=1 --cpu_per_rs=ALL_CPUS --bind=none\
|jsrun --nrs=8 --rs_per_host=8 --tasks_per_rs=1 --cpu_per_rs=1 --bind=none\
|jsrun --nrs=24 --rs_per_host=8 --tasks_per_rs=1 --cpu_per_rs=1 --bind=none
aprun||aprun -n 2 -N 1 -L a,b -cc none|aprun -n 3 -N 1 -L a,b,c -cc none\
|aprun -n 8 -N 8 -L a -cc none|aprun -n 24 -N 8 -L a,b,c -cc none
pals|mpiexec version 1.3.2, PALS|mpiexec -n 2 --ppn 1 --hosts a,b --cpu-bind none\
|mpiexec -n 3 --ppn 1 --hosts a,b,c --cpu-bind none\
|mpiexec -n 8 --ppn 8 --hosts a --cpu-bind none|mpiexec -n 24 --ppn 8 --hosts a,b,c --cpu-bind none
hydra|HYDRA build details:|mpiexec.mpich -hosts a,b,c -ppn 1 -n 2\
|mpiexec.mpich -hosts a,b,c -ppn 1 -n 3|mpiexec.mpich -hosts a -ppn 8 -n 8\
|mpiexec.mpich -hosts a,b,c -ppn 8 -n 24
intel|Intel(R) MPI Library for Linux* OS|$intel -hosts a,b,c -ppn 1 -n 2\
|$intel -hosts a,b,c -ppn 1 -n 3|$intel -hosts a -ppn 8 -n 8\
|$intel -hosts a,b,c -ppn 8 -n 24
openmpi|mpiexec (OpenRTE) 4.1.4|$open --host a,b,c --map-by node -n 2\
|$open --host a,b,c --map-by node -n 3|$open --host a:8 -n 8\
|$open --host a:8,b:8,c:8 -n 24
mpirun_rsh||mpirun_rsh -np 2 a b MV2_ENABLE_AFFINITY=0|mpirun_rsh -np 3 a b c MV2_ENABLE_AFFINITY=0\
|mpirun_rsh -np 8 a a a a a a a a MV2_ENABLE_AFFINITY=0\
|mpirun_rsh -np 24 a a a a a a a a b b b b b b b b c c c c c c c c MV2_ENABLE_AFFINITY=0
cmrun||cmrun --hosts a,b,c -n 2|cmrun --hosts a,b,c -n 3|cmrun --hosts a --per-host 8 -n 8\
|cmrun --hosts a,b,c --per-host 8 -n 24
END
while IFS='|' read -r launcher version pair each node whole; do
    [ "$launcher" != cmrun ] || has_native || continue
    echo "$version" >"$work/version"
    set -- --hosts a,b,c
    # It has no names of hosts: it takes those of its job.
    [ "$launcher" != jsrun ] || { set --; export LSB_HOSTS='a b c'; }
    ok "$launcher" runs --only netpipe,linkmap,linpack,linpack-node "$@" --launcher "$launcher"
    unset LSB_HOSTS
    ok "$launcher: two ranks on two hosts" called "$pair cm-netpipe"
    ok "$launcher: one rank on each host" called "$each cm-linkmap"
    ok "$launcher: one rank on each core of a host" called "$node cm-linpack"
    ok "$launcher: one rank on each core" called "$whole cm-linpack"
done <"$work/table"

# NAME|what --version says|different numbers of ranks on the hosts
cat >"$work/table" <<END
srun||$srun --nodelist=a,a,a,a,b,b,c --ntasks=7 --distribution=arbitrary
hydra|HYDRA build details:|mpiexec.mpich -hosts a:4,b:2,c:1 -ppn 1 -n 7
openmpi|Open MPI 4.1.4|$open --host a:4,b:2,c:1 --map-by node -n 7
mpirun_rsh||mpirun_rsh -np 7 a a a a b b c MV2_ENABLE_AFFINITY=0
cmrun||cmrun --hosts a:4,b:2,c:1 -n 7
END
while IFS='|' read -r launcher version whole; do
    [ "$launcher" != cmrun ] || has_native || continue
    echo "$version" >"$work/version"
    ok "$launcher: different slots" runs --only linpack --hosts a:4,b:2,c --launcher "$launcher"
    ok "$launcher: are listed" called "$whole cm-linpack"
done <"$work/table"
ok 'flux: cannot be told of different slots' refused \
    'the hosts a:4,b:2,c have different numbers of slots, which flux cannot be told; ' \
    --hosts a:4,b:2,c --launcher flux
ok 'jsrun: takes no names of hosts' refused '--launcher jsrun with --hosts: it takes the hosts of' \
    --hosts a,b --launcher jsrun

if grep -q '^#define CM_MPI_NAME "MPICH"' ../config.h; then
    export CRAY_MPICH_VERSION=8.1.28
    ok 'MPICH of Cray' runs --only netpipe --hosts a,b --launcher srun
    ok 'has an --mpi of its own' called 'srun --quiet --mpi=cray_shasta .* cm-netpipe'
    unset CRAY_MPICH_VERSION
fi
# srun's --mpi is one that it lists; none if the site has chosen one.
printf 'MPI plugin types are...\n\tnone\n\tpmix\n' >"$work/types"
ok 'only PMIx' runs --only netpipe --hosts a,b --launcher srun
ok 'is asked for' called 'srun --quiet --mpi=pmix .* cm-netpipe'
export SLURM_MPI_TYPE=pmi2
ok 'a type of the site' runs --only netpipe --hosts a,b --launcher srun
ok 'is left alone' called 'srun --quiet --overlap .* cm-netpipe'
unset SLURM_MPI_TYPE
printf 'MPI plugin types are...\n\tnone\n' >"$work/types"
if has_native; then
    ok 'neither PMI-2 nor PMIx' refused "srun --mpi=list names neither pmi2 nor pmix, " \
        --hosts a,b --launcher srun
fi

printf 'MPI plugin types are...\n\tpmi2\n' >"$work/types"
export SLURM_JOB_NODELIST_HET_GROUP_0='n[1-2]' SLURM_JOB_NODELIST_HET_GROUP_1=g
ok 'srun starts no heterogeneous job' refused 'srun starts ranks in one group of a heterogeneous' \
    --launcher srun
ok 'but its first group' runs --only netpipe --hosts n1,n2 --launcher srun
ok 'clustermark env counts the hosts of all groups' sh -c "
    '$tree/suite/clustermark' env | grep -q '^hosts  *3, of SLURM_JOB_NODELIST_HET_GROUP_0='"
unset SLURM_JOB_NODELIST_HET_GROUP_0 SLURM_JOB_NODELIST_HET_GROUP_1

ok 'a command with %h and %p' runs --only netpipe,linpack,linpack-node --hosts a,b,c \
    --launcher 'aprun -n %n -N %p -L %h'
ok 'has shapes' called 'aprun -n 2 -N 1 -L a,b cm-netpipe'
ok 'of a host, too' called 'aprun -n 8 -N 8 -L a cm-linpack'
ok 'and of all' called 'aprun -n 24 -N 8 -L a,b,c cm-linpack'
ok 'a command with %n' runs --only linpack --hosts a,b,c --launcher 'aprun -n %n'
ok 'has none' called 'aprun -n 3 cm-linpack'

ok 'blanks around a name' runs --only linpack --hosts a,b,c --launcher ' flux '
ok 'do not count' called "$flux .*--ntasks=24 --requires=hosts:a,b,c cm-linpack"

# --rsh COMMAND reaches the hosts.
echo HYDRA >"$work/version"
ok 'Hydra by another command' runs --only netpipe --hosts a,b --launcher hydra --rsh 'sh -x -y'
ok 'takes its arguments apart' called "\[-x -y\] mpiexec.mpich -launcher ssh -launcher-exec \
[^ ]*/sh -hosts a,b -ppn 1 -n 2 cm-netpipe"
echo 'Open MPI' >"$work/version"
ok 'Open MPI by another command' runs --only netpipe --hosts a,b --launcher openmpi --rsh 'r -x'
ok 'takes it whole' called \
    'mpiexec.openmpi --mca plm_rsh_agent r -x --bind-to none --host a,b --map-by node -n 2 cm-.*'
export CM_PORTS=20000-20100
ok "Open MPI passes none of this host's variables on" runs --only netpipe --hosts a,b \
    --launcher openmpi
ok 'but those that it is told of' called \
    "$open --host a,b --map-by node -x CM_PORTS -n 2 cm-netpipe"
unset CM_PORTS
if has_native; then
    ok 'cmrun by another command' runs --only netpipe --hosts a,b --rsh 'r -x'
    ok 'takes it whole, too' called 'cmrun --rsh r -x --hosts a,b -n 2 cm-netpipe'
fi
ok 'srun reaches hosts by itself' refused "--rsh 'r' with --launcher 'srun': srun does not reach" \
    --hosts a,b --launcher srun --rsh r
ok 'a quotation that does not end' \
    refused "--rsh ''r': a quotation does not end; expected a command such as ssh" --rsh "'r"
ok 'no command' refused "--rsh ' ': it is empty; expected a command such as ssh" --rsh ' '

names='one of srun, flux, jsrun, aprun, mpirun_rsh, pals, intel, hydra, openmpi, cmrun'
ok 'an unknown name' refused "--launcher 'flax': .* is not there; expected .* or $names; " \
    --launcher flax
ok 'a remote shell' refused "--launcher '$bin/ssh -q': .* called like ssh is given by --rsh" \
    --launcher "$bin/ssh -q"
echo HYDRA >"$work/version"
ok 'what has the name and is another' refused "'openmpi': .* --version says it is not openmpi" \
    --launcher openmpi
ok 'clustermark nodes knows them, too' sh -c "
    PATH=$bin:\$PATH '$tree/suite/clustermark' nodes --launcher flax '$work/results' 2>'$work/err'
    [ \$? -eq 2 ] && grep -q \"^clustermark: nodes: --launcher 'flax': .* $names\" '$work/err'"
mkfifo "$work/nodes"
ok 'TERM ends clustermark env while a file of hosts hangs' sh -c "
    PBS_NODEFILE='$work/nodes' timeout -k 20 2 '$tree/suite/clustermark' env >/dev/null 2>&1
    [ \$? -eq 124 ]"
ok 'clustermark env names those that are there' sh -c "
    PATH=$bin:\$PATH '$tree/suite/clustermark' env | grep -q '^others .*flux, .*hydra.*(--launcher'"
finish

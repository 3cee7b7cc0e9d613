# shellcheck shell=bash
# Read in by the cases that run clalign-mpi.

command -v mpirun >/dev/null || skip "no mpirun; install openmpi-bin"
command -v clalign-mpi >/dev/null || skip "no clalign-mpi; install libopenmpi-dev and configure again"

# Small pairs are for all ranks, too.
export CLALIGN_MPI_CELLS=1

# ranks N ARGUMENT...: clalign-mpi on so many ranks of this machine.
ranks() {
  timeout 500 mpirun --oversubscribe --allow-run-as-root -n "$1" clalign-mpi "${@:2}"
}
export -f ranks

# hosts N COMMAND...: likewise, on so many network namespaces of this machine.
hosts() {
  timeout 500 "$(dirname "${BASH_SOURCE[0]}")/../../../tools/cluster" "$1" bash -c '"$@"' bash "${@:2}"
}

# process_of RANK: of this case's.
process_of() {
  local process
  for process in $(pgrep -x clalign-mpi); do
    [ "$(readlink "/proc/$process/cwd")" = "$PWD" ] || continue
    tr '\0' '\n' <"/proc/$process/environ" 2>/dev/null | grep -qxE "(OMPI_COMM_WORLD|PMIX)_RANK=$1" && echo "$process"
  done
}

# kill_rank RANK JOB COMMAND...: kills the rank of that job once the command succeeds; 1 if the job ends before.
kill_rank() {
  until_ready "$2" "${@:3}" && kill -9 "$(process_of "$1")" 2>/dev/null
}

# explained_until COMMAND RANKS OPTION...: q.fa and t.fa on so many ranks, until the command finds in `plan` that they share the
# work. By how much they do depends on how busy the machine is.
explained_until() {
  for _ in {1..20}; do
    ranks "$2" align --explain --threads 2 --format json "${@:3}" q.fa t.fa 2>plan >/dev/null
    "$1" && return
  done
  cat plan
  fail "rank 0 worked alone: ${*:2}"
}

# compare RANKS OPTION...: q.fa and t.fa on so many ranks, and by clalign.
compare() {
  clalign align --quiet --format paf "${@:2}" q.fa t.fa >wanted
  ranks "$1" align --quiet --format paf "${@:2}" q.fa t.fa >got
  cmp wanted got || fail "ranks: $*"
}

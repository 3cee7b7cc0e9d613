# shellcheck shell=bash
# Read in by the cases of this folder: a pair, what it gives undisturbed, and the device that fails.

# A slow kernel, nothing passed over, and scores with which unrelated sequences align from end to end: so there is
# time to be disturbed, in the traceback as well.
slow=(--kernel vector32 --set launch=diagonals --set tile=64 --lower-bound off
  --match 2 --mismatch -1 --gap-first 2 --gap-ext 1)
relation=(--unrelated)

turned=no

# make_reference LENGTH [OPTION...]: q.fa, on the other strand if `turned` is yes, and t.fa, and the results of an
# undisturbed run, want.*.
make_reference() {
  letters=$1
  clalign simulate "${relation[@]}" --seed 7 --length "$1" --output-query q.fa --output-target t.fa || fail "no simulated pair"
  [ $turned = no ] || fasta turned "$(grep -v '>' q.fa | tr -d '\n' | rev | tr ACGT TGCA)" >turned.fa
  [ $turned = no ] || mv turned.fa q.fa
  clalign align --quiet "${@:2}" --format paf --output want.paf --format cigar --output want.cigar \
    --save want.cla q.fa t.fa || fail "no undisturbed run"
}

# begin [OPTION...]: begins the run in folder run, with got.* as results.
begin() {
  ${exec:-} clalign align --quiet "$@" --run-dir run --format paf --output got.paf --format cigar --output got.cigar \
    --save got.cla q.fa t.fa
}

row_is_kept() {
  compgen -G 'run/row-*' >/dev/null
}

# begin_and_stop OPTION...: begins the run as `job`, and stops it when it has kept a row. Where it ends before that, it
# begins again with a pair of twice as many letters: no processor is too fast, and none too busy.
begin_and_stop() {
  while :; do
    rm -rf run got.*
    exec=exec begin "$@" 2>err &
    job=$!
    until_ready $job row_is_kept && kill -STOP $job 2>/dev/null && [ ! -e run/result.cla ] && return
    kill -9 $job 2>/dev/null
    wait $job 2>/dev/null
    make_reference $((2 * letters)) "$@"
  done
}

# Whether the results are those of the undisturbed run.
check_results() {
  local kind
  for kind in paf cigar cla; do
    cmp "want.$kind" "got.$kind" || fail "$* gives another $kind"
  done
  cmp want.cla run/result.cla || fail "$* leaves another result.cla"
  rm got.*
}

# with_failing FUNCTION:N:CODE COMMAND...: runs a command on a device that fails.
with_failing() {
  CLALIGN_FAIL=$1 LD_PRELOAD=$FAILING_OPENCL "${@:2}"
}

need_failing_device() {
  [ -z "${CLALIGN_SANITIZED:-}" ] || skip "AddressSanitizer wants to be loaded first"
  [ -f "${FAILING_OPENCL:-}" ] || skip "FAILING_OPENCL is not set"
}

# A run with rows, that failed in the middle of the sweep. The lanes are given: with fewer, as without AVX-512, a launch
# comes less far.
begin_and_fail() {
  with_failing "clEnqueueNDRangeKernel:$1:-5" begin "${@:2}" --set lanes=16 2>failure && fail "the run did not fail"
  [ -n "$(find run -name 'row-*')" ] || fail "no rows were kept"
}

# kill_job PROCESS: kills a job whose stderr goes to log; 0 if it had ended, with success, else it is counted.
kill_job() {
  local code
  kill -9 "$1" 2>/dev/null
  wait "$1" 2>/dev/null
  code=$?
  [ $code -eq 0 ] && return 0
  [ $code -eq 137 ] || fail "exit $code: $(tail -n 1 log)"
  kills=$((kills + 1))
  return 1
}

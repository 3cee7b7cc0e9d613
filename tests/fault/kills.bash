# shellcheck shell=bash
# Read in by the cases that kill.
. "$CASES/faults.bash"

# What a run may be resumed with: other kernels, tiles, budgets.
ways=("" "--kernel vector8" "--kernel vector16" "--kernel vector32" "--special-rows 9" "--special-rows 200"
  "--memory 64M" "--set tile=128" "--set launch=persistent" "--set panel=3" "--lower-bound off" "--lower-bound auto")

# Starts a command and kills it at a random moment of the time that an undisturbed run takes; 0 if it ended
# before, with success.
run_and_kill() {
  local wait_ms=$((RANDOM % (run_ms + 1)))
  "$@" 2>>log &
  sleep "$((wait_ms / 1000)).$(printf %03d $((wait_ms % 1000)))"
  kill_job $!
}

# kill_and_resume KILLS LENGTH OPTION...: runs that are killed again and again, until so many kills have been;
# each ends with what an undisturbed run gives.
kill_and_resume() {
  local wanted=$1 began attempt
  local align=(clalign align --quiet "${@:3}" --run-dir run --format paf --output got.paf --format cigar
    --output got.cigar --save got.cla q.fa t.fa)
  RANDOM=${CLALIGN_TEST_SEED:=$$}
  echo "seed $CLALIGN_TEST_SEED" >&2
  make_reference "$2" "${@:3}"
  rm -rf run
  began=$(date +%s%N)
  "${align[@]}" || fail "no run in a folder"
  run_ms=$((($(date +%s%N) - began) / 1000000))
  check_results "a run in a folder"
  kills=0
  while [ $kills -lt "$wanted" ]; do
    rm -rf run
    : >log
    for ((attempt = 0; attempt < 4; attempt++)); do
      if [ -f run/manifest.json ]; then
        # shellcheck disable=SC2086
        run_and_kill clalign resume --quiet ${ways[RANDOM % ${#ways[@]}]} run && break
      else
        run_and_kill "${align[@]}" && break
      fi
    done
    [ -f run/manifest.json ] || continue
    clalign resume --quiet run 2>>log || fail "cannot resume: $(tail -n 1 log)"
    check_results "a run that was killed"
    [ ! -s log ] || fail "something was told: $(cat log)"
    [ -z "$(find run -name '.*.tmp' -o -name 'row-*' -o -name lock)" ] || fail "files were left: $(ls -A run)"
  done
  echo same
}

# kill_every_kind KILLS LOCAL GLOBAL RELATED: so many kills of each kind of run, with pairs of so many letters.
kill_every_kind() {
  kill_and_resume "$1" "$2" "${slow[@]}"
  rm -rf ./*
  kill_and_resume "$1" "$3" --mode global "${slow[@]}"
  rm -rf ./*
  # Most of it is passed over: rows have gaps.
  relation=()
  kill_and_resume "$1" "$4" --kernel vector32 --set launch=diagonals --set tile=64
}

. "$CASES/faults.bash"
make_reference 20000 "${slow[@]}"
for budget in "--memory 1M" "--device-memory 10K" "--disk 5K" "--disk 100K --special-rows 20"; do
  rm -rf run
  # shellcheck disable=SC2086
  begin "${slow[@]}" $budget
  echo "exit $?"
  # shellcheck disable=SC2086
  larger=$(sed 's/ [0-9]*[KM]/ 100M/' <<<"$budget")
  # shellcheck disable=SC2086
  clalign resume --quiet $larger run || fail "cannot resume with $larger"
  check_results "$budget and resume"
done

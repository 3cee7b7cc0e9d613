. "$CASES/faults.bash"
. "$CASES/batches.bash"
need_failing_device
# Pairs one by one, and in packs.
lost=0 ended=0 kept=0
for way in "--kernel vector16" ""; do
  # shellcheck disable=SC2086
  make_batch 40 400 $way
  for fault in clEnqueueNDRangeKernel:{1,4,20,38}:-36 clEnqueueReadBuffer:{2,40,70}:-36; do
    # One of two devices: the other one does it all.
    rm -rf run got.*
    with_failing "$fault:one" "${batch[@]}" --device 0,0 pairs.tsv 2>err || fail "$way $fault: exit $? and: $(cat err)"
    grep -q 'is left out: .*CL_INVALID_COMMAND_QUEUE' err && lost=$((lost + 1))
    for kind in paf json; do # the head of BAM has the command
      cmp want.$kind got.$kind || fail "$way $fault on one of two devices gives another $kind"
    done
    rm got.*
    # All there are: what was found before is kept, and no file seems complete.
    rm -rf run
    with_failing "$fault" "${batch[@]}" pairs.tsv 2>err
    code=$?
    if [ $code -eq 0 ]; then
      check_batch "$way $fault came too late, and"
      continue
    fi
    ended=$((ended + 1))
    [ $code -eq 3 ] || fail "$way $fault: exit $code and: $(cat err)"
    grep -q "^clalign: no device is left for the batch: .*CL_INVALID_COMMAND_QUEUE.*; what is finished is kept" err ||
      fail "$way $fault: $(cat err)"
    [ -z "$(find . -name 'got.*')" ] || fail "$way $fault: there are results"
    [ "$(stat -c %s run/journal.clj)" -gt 500 ] && kept=$((kept + 1))
    clalign resume --quiet run 2>err || fail "$way $fault: no resume: $(cat err)"
    check_batch "$way $fault and resume"
  done
  rm -rf run
done
[ $lost -ge 5 ] || fail "only $lost devices were lost"
[ $ended -ge 6 ] || fail "only $ended batches ended"
[ $kept -ge 2 ] || fail "only $kept batches kept something"
echo same

. "$CASES/faults.bash"
need_failing_device
make_reference 20000 "${slow[@]}"
failures=0 with_rows=0
for fault in clEnqueueNDRangeKernel:{1,40,300,400,500,600,640,660}:-5 clEnqueueReadBuffer:{1,5,20,40,60}:-5 \
  clCreateBuffer:{1,4,8,13}:-4 clEnqueueReadBuffer:30:-36; do
  rm -rf run got.*
  if with_failing "$fault" begin "${slow[@]}" 2>err; then
    check_results "$fault came too late and"
    continue
  fi
  code=$?
  failures=$((failures + 1))
  grep -qE 'CL_(OUT_OF_RESOURCES|MEM_OBJECT_ALLOCATION_FAILURE|INVALID_COMMAND_QUEUE)' err ||
    fail "$fault: exit $code and: $(cat err)"
  [ "$(wc -l <err)" -eq 1 ] || fail "$fault: more than a line: $(cat err)"
  [ -z "$(find . -name 'got.*')" ] || fail "$fault: there are results"
  [ -z "$(find run -name 'row-*')" ] || with_rows=$((with_rows + 1))
  clalign resume --quiet run || fail "$fault: cannot resume"
  check_results "$fault and resume"
done
[ $failures -ge 8 ] || fail "only $failures faults"
[ $with_rows -ge 2 ] || fail "only $with_rows runs had kept rows"
echo same

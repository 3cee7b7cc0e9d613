# A device that gives one wrong value: the result is the same, or the error names stage, values, device, kernel and remedy.
. "$CASES/faults.bash"
need_failing_device
remedy='\(device .*, kernel vector32\); try another --device or --kernel, and please report this with what --explain prints$'
make_reference 3000 "${slow[@]}"
wrong=0
for call in $(seq 1 18); do
  rm -f got.*
  with_failing "clEnqueueReadBuffer:$call:1" clalign align --quiet "${slow[@]}" --special-rows 10 \
    --format cigar --output got.cigar q.fa t.fa 2>err
  code=$?
  if [ $code -eq 0 ]; then
    cmp want.cigar got.cigar || fail "read $call: another result"
    continue
  fi
  [ -z "$(find . -name 'got.*')" ] || fail "read $call: there are results"
  [ "$(wc -l <err)" -eq 1 ] || fail "read $call: more than a line: $(cat err)"
  grep -q '^clalign: self-test failed: kernel vector32' err && [ $code -eq 3 ] && continue
  grep -qE "^clalign: (wrong value|verification failed): .*[0-9].*$remedy" err || fail "read $call: exit $code and: $(cat err)"
  [ $code -eq 3 ] || [ $code -eq 5 ] || fail "read $call: exit $code"
  wrong=$((wrong + 1))
done
[ $wrong -ge 3 ] || fail "only $wrong wrong values"
echo named

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

# A score alone is verified by its path.
score() { clalign align --quiet "${slow[@]}" --score-only --format json --output "$1" --mode "$2" q.fa:1-700 t.fa:1-700; }
wrong=0
for mode in local global semi-global overlap; do
  score want.json $mode || fail "$mode: no score"
  for call in $(seq 1 8); do
    rm -f got.json
    with_failing "clEnqueueReadBuffer:$call:1" score got.json $mode 2>err
    code=$?
    if [ $code -eq 0 ]; then
      [ "$(jq .score got.json)" = "$(jq .score want.json)" ] || fail "$mode, read $call: $(jq .score got.json)"
      continue
    fi
    grep -qE '^clalign: (wrong value|self-test failed)' err || fail "$mode, read $call: exit $code and: $(cat err)"
    grep -q 'wrong value' err && wrong=$((wrong + 1))
  done
done
[ $wrong -ge 4 ] || fail "only $wrong wrong scores"
echo named

if ! clalign bench --quiet --json --sizes 100 --modes local --repeat 1 --peer >first.json 2>log; then
  grep -q '^clalign: --peer compares with parasail, and this clalign was built without it; install' log ||
    fail "no comparison: $(cat log)"
  skip "a clalign without parasail, which says so"
fi
clalign bench --quiet --json --sizes 200,150x300 --kernels default,group32 --peer --peer-limit 250 >peer.json || exit
jq -e -n '
  def near(a; b): (a - b | fabs) <= 1e-9 * (a | fabs);
  def median: sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2] + .[length / 2 - 1]) / 2 end;
  [inputs] | length == 8 and all(
    . as $row | .peer | .threads == 1 and (.["library"] | startswith("parasail ")) and (.functions | length) == 9 and
    .cut == ($row.target_length > 250) and .query_length == $row.query_length and
    (.cut or .score == $row.score) and
    all(.functions[] | select(.seconds);
      near(.seconds; .seconds_all | median) and .seconds_least == (.seconds_all | min) and .wrong == null and
      near(.gcups; $row.query_length * $row.peer.target_length / .seconds / 1e9) and
      near(.ratio; $row.cells / $row.sweep_seconds / 1e9 / .gcups) and
      near(.ratio_per_unit; .ratio / $row.compute_units)) and
    # The best of a width is the fastest of those that ran in every turn.
    (.functions | group_by(.bits) | all(
      map(select(.seconds)) | length == 0 or ((map(select(.best)) | length) == 1 and
        (map(select(.best))[0].seconds) == (map(select(.seconds_all | length == 3) | .seconds) | min)))) and
    all(.functions[] | select(.wrong); .seconds == null and (.best | not)))' peer.json >/dev/null ||
  fail "figures that do not fit: $(cat peer.json)"
# Scores near 0 fit 8 bits; those of the global alignment of unrelated letters do not.
jq -r 'select(.kernel_asked == "default") | .query_length as $q |
  [$q, .target_length, .mode, .peer.cut, [.peer.functions[] | select(.best) | .bits]] | tojson' peer.json
jq -r 'select(.mode == "global") | .peer.functions[] | select(.bits == 8) | .wrong' peer.json | sort | uniq -c | xargs
clalign bench --quiet --sizes 300 --modes global --repeat 1 --peer --peer-limit 200 >table.txt || exit
grep -o 'nw_[a-z]*_[a-z0-9]*_[0-9]*_\(16\|32\)' table.txt | sed 's/.*_//'
grep wrong table.txt | tr ' ' '\n' | grep _8 | sort | xargs
grep cut table.txt
awk 'length > 80 && !/^(device|driver)/ {print "too wide:", $0}' table.txt

simulate_pair 7 4000
for how in "--mode overlap" "--free-ends target-start,target-end,query-end" "--mode extend"; do
  clalign align --quiet $how --save plain.cla --format paf --output plain.paf q.fa:51-3900 t.fa || exit
  clalign align --quiet $how --run-dir run --format paf q.fa:51-3900 t.fa | cmp - plain.paf
  cmp run/result.cla plain.cla
  jq -c '[.definition.mode, .definition.free_ends]' run/manifest.json
  clalign resume --quiet run | cmp - plain.paf
  rm run/path.clp run/state.json
  clalign resume --quiet run | cmp - plain.paf
  rm -r run
done

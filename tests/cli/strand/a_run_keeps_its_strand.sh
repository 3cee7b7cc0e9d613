simulate_pair 7 4000
{ head -n 1 q.fa; tail -n +2 q.fa | tr -d '\n' | rev | tr ACGT TGCA; echo; } >r.fa
for mode in local global; do
  clalign align --quiet --mode $mode --strand reverse --save plain.cla --format paf --output plain.paf r.fa:51-3900 t.fa || exit
  clalign align --quiet --mode $mode --strand reverse --run-dir run --format paf r.fa:51-3900 t.fa | cmp - plain.paf
  cmp run/result.cla plain.cla
  jq -r .definition.strand run/manifest.json
  jq -r .definition.query.begin run/manifest.json
  # Finished, and with nothing left but the inputs.
  clalign resume --quiet run | cmp - plain.paf
  rm run/path.clp run/state.json
  clalign resume --quiet run | cmp - plain.paf
  rm -r run
done
clalign align --quiet --run-dir run --output none r.fa t.fa
jq -r .definition.strand run/manifest.json

simulate_pair 1 400
clalign align --quiet --format json q.fa t.fa >out.json || exit
wc -l <out.json
jq -r 'keys_unsorted[]' out.json | sort
jq -r '.query | keys_unsorted[]' out.json | sort | xargs
jq -r '.stages | keys_unsorted[]' out.json | sort | xargs
jq -r '.cells_computed == ([.stages[].cells] | add)' out.json
jq -r '(.cells_computed >= .cells), (.seconds > 0), (.gcups > 0), (.gcups_raw >= .gcups), (.device | length > 0)' out.json
# Where nothing is passed over the sweep computes the matrix once; what the host traces of it again are bands, of a
# pair as small as this a block.
simulate_pair 1 14
clalign align --quiet --lower-bound off --format json q.fa t.fa >out.json || exit
jq -r '(.stages.sweep.cells == .cells), (.stages.bands.cells > 0)' out.json

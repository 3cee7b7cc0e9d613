simulate_pair 1 400
clalign align --quiet --format json q.fa t.fa >out.json || exit
wc -l <out.json
jq -r 'keys_unsorted[]' out.json | sort
jq -r '.query | keys_unsorted[]' out.json | sort | xargs
jq -r '.stages | keys_unsorted[]' out.json | sort | xargs
jq -r '.cells_computed == ([.stages[].cells] | add)' out.json
jq -r '(.cells_computed >= .cells), (.seconds > 0), (.gcups > 0), (.gcups_raw >= .gcups), (.device | length > 0)' out.json

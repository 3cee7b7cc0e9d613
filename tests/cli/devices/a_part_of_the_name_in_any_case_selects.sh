simulate_pair 1 200
name=$(clalign devices --format json | head -n 1 | jq -r .name)
clalign align --quiet --format cigar --device 0 q.fa t.fa >by_index || exit
clalign align --quiet --format cigar --device "$(tr '[:lower:]' '[:upper:]' <<<"$name")" q.fa t.fa | cmp by_index - || exit

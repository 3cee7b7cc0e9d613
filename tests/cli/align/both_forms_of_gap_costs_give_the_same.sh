simulate_pair
clalign align --quiet --format cigar --gap-first 7 --gap-ext 2 q.fa t.fa >own || exit
clalign align --quiet --format cigar --gap-open 5 --gap-extend 2 q.fa t.fa >ncbi || exit
cmp own ncbi || exit
clalign align --quiet --format json --gap-open=5 --gap-extend=2 q.fa t.fa >out.json || exit
json .scoring.gap_first .scoring.gap_ext out.json

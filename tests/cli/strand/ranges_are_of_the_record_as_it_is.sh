# The reverse complement of letters 3 to 14 is ACGTTGCATTGG; what is beside them plays no part.
{ fasta other GGGG; fasta chosen TTCCAATGCAACGTAC; } >q.fa
fasta t GGACGTTGCATTGGTT >t.fa
clalign align --quiet --strand reverse --mode local --format paf q.fa:chosen:3-14 t.fa
clalign align --quiet --strand reverse --mode global --format paf q.fa:chosen:5-14 t.fa:3-12
clalign align --quiet --strand both --format pair q.fa:chosen:3-14 t.fa | grep -v '^#'
clalign align --strand reverse --score-only q.fa:chosen:3-14 t.fa 2>&1 >score.json | grep -E '^  (query|target)'
jq -c '.query, .target' score.json

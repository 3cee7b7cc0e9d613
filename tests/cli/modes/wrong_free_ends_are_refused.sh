fasta q ACGT >q.fa
code_of clalign align --free-ends= q.fa q.fa
code_of clalign align --free-ends query-start, q.fa q.fa
code_of clalign align --free-ends ,query-start q.fa q.fa
code_of clalign align --free-ends start q.fa q.fa
code_of clalign align --free-ends query-end,query-end q.fa q.fa
code_of clalign align --free-ends query-end --mode global q.fa q.fa
code_of clalign align --free-ends target-end,target-start --mode overlap q.fa q.fa
code_of clalign align --free-ends target-end --mode local q.fa q.fa
code_of clalign align --mode free-ends q.fa q.fa
code_of clalign align --mode semiglobal q.fa q.fa
# The same said twice is no contradiction.
clalign align --quiet --free-ends target-end,target-start --mode semi-global --format cigar q.fa q.fa
clalign align --quiet --free-ends target-end,target-start --mode free-ends --format json q.fa q.fa | jq -r .mode

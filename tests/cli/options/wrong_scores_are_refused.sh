fasta q ACGT >q.fa
code_of clalign align --match one q.fa q.fa
code_of clalign align --match 1x q.fa q.fa
code_of clalign align --match -1 q.fa q.fa
code_of clalign align --match 1.2345 q.fa q.fa
code_of clalign align --match +1 q.fa q.fa
code_of clalign align --match 99999999999999999999 q.fa q.fa
code_of clalign align --mismatch 3 q.fa q.fa
code_of clalign align --mismatch -1000001 q.fa q.fa
code_of clalign align --gap-first 4294967297 q.fa q.fa
code_of clalign align --gap-first 1 --gap-ext 2 q.fa q.fa
code_of clalign align --gap-open 3 q.fa q.fa
code_of clalign align --gap-open 3 --gap-extend 2 --gap-ext 2 q.fa q.fa
code_of clalign align --gap-open 999999 --gap-extend 2 q.fa q.fa
# Parts of a point: scores are integers of them, and those have the limit.
code_of clalign align --match 1..5 q.fa q.fa
code_of clalign align --match . q.fa q.fa
code_of clalign align --mismatch 0.5 q.fa q.fa
code_of clalign align --gap-ext -0.001 q.fa q.fa
code_of clalign align --match 1000000.5 q.fa q.fa
code_of clalign align --match 600000 --mismatch -0.5 q.fa q.fa
code_of clalign align --gap-first 0.5 --gap-ext 0.75 q.fa q.fa
code_of clalign align --gap-first 1.5 q.fa q.fa
code_of clalign align --gap-open 0.5 --gap-extend 1e1 q.fa q.fa
code_of clalign align --lower-bound 1.0005 q.fa q.fa
code_of clalign align --lower-bound 100.5 --gap-ext 1.5 q.fa q.fa

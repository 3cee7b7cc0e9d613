fasta q ACGT >q.fa
code_of clalign align --match one q.fa q.fa
code_of clalign align --match 1x q.fa q.fa
code_of clalign align --match -1 q.fa q.fa
code_of clalign align --match 1.5 q.fa q.fa
code_of clalign align --match +1 q.fa q.fa
code_of clalign align --match 99999999999999999999 q.fa q.fa
code_of clalign align --mismatch 3 q.fa q.fa
code_of clalign align --mismatch -1000001 q.fa q.fa
code_of clalign align --gap-first 4294967297 q.fa q.fa
code_of clalign align --gap-first 1 --gap-ext 2 q.fa q.fa
code_of clalign align --gap-open 3 q.fa q.fa
code_of clalign align --gap-open 3 --gap-extend 2 --gap-ext 2 q.fa q.fa
code_of clalign align --gap-open 999999 --gap-extend 2 q.fa q.fa

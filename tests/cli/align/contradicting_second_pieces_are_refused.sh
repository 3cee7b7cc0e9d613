fasta q ACGT >q.fa
code_of clalign align --gap-first2 9 q.fa q.fa
code_of clalign align --gap-open 3 --gap-extend 2 --gap-open2 9 q.fa q.fa
code_of clalign align --gap-open2 9 --gap-extend2 1 q.fa q.fa
code_of clalign align --gap-open 3 --gap-extend 2 --gap-first2 9 --gap-ext2 1 q.fa q.fa
code_of clalign align --gap-first2 9 --gap-ext2 2 q.fa q.fa
code_of clalign align --gap-first2 5 --gap-ext2 1 q.fa q.fa
code_of clalign align --gap-first 5 --gap-ext 2 --gap-first2 5 --gap-ext2 2 q.fa q.fa
code_of clalign align --gap-first2 0 --gap-ext2 0 q.fa q.fa
code_of clalign align --gap-first2 9 --gap-ext2 -1 q.fa q.fa

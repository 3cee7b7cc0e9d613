fasta q ACGT >q.fa
code_of clalign align --quiet --set q.fa q.fa
code_of clalign align --quiet --set speed=3 q.fa q.fa
code_of clalign align --quiet --set lanes q.fa q.fa
code_of clalign align --quiet --set lanes=many q.fa q.fa
code_of clalign align --quiet --kernel group32 --set lanes=7 q.fa q.fa
code_of clalign align --quiet --kernel group32 --set alpha=5 q.fa q.fa
code_of clalign align --quiet --kernel group32 --set lanes=32 --set tile=33 q.fa q.fa
code_of clalign align --quiet --kernel group32 --set tile=32 --set tile=64 q.fa q.fa
code_of clalign align --quiet --set launch=sideways q.fa q.fa
code_of clalign align --quiet --kernel group32 --set launch=diagonals --set groups=3 q.fa q.fa
code_of clalign align --quiet --set "lanes=$(printf '0%.0s' {1..300})" q.fa q.fa
list_files

fasta q ACGT >q.fa
code_of clalign align --threads 0 q.fa q.fa
code_of clalign align --threads 1e3 q.fa q.fa
code_of clalign align --special-rows -1 q.fa q.fa
code_of clalign align --memory 400X q.fa q.fa
code_of clalign align --memory 0 q.fa q.fa
code_of clalign align --memory 99999999999T q.fa q.fa
code_of clalign align --memory 1.5G q.fa q.fa
code_of clalign align --device-memory much q.fa q.fa
code_of clalign align --kernel nosuch --quiet q.fa q.fa

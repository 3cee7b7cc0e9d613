fasta q ACGTACGT >q.fa
mkdir folder
code_of clalign align --output nowhere/out.txt q.fa q.fa
code_of clalign align --output folder q.fa q.fa
code_of clalign align --save nowhere/out.cla q.fa q.fa
code_of clalign align --save folder/ q.fa q.fa
code_of clalign align --output q.fa/out.txt q.fa q.fa
code_of clalign align --output q.fa q.fa:q q.fa
code_of clalign align --save ./q.fa q.fa:q:1-4 q.fa
code_of clalign align --format json --output same --format paf --output same q.fa q.fa
code_of clalign align --format json --format paf q.fa q.fa
code_of clalign align --output a --output b q.fa q.fa
code_of clalign align --output a --format json q.fa q.fa
code_of clalign align --save - q.fa q.fa
list_files

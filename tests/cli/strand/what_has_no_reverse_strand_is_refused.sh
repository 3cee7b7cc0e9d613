fasta p MKVLEEQPWF >p.fa
fasta q ACGTACGT >q.fa
for strand in reverse both; do code_of clalign align --quiet --strand $strand p.fa p.fa; done
code_of clalign align --quiet --strand forward --format cigar p.fa p.fa
printf '   0  1\n0  1 -1\n1 -1  1\n' >own.txt
fasta o 0110 >o.fa
code_of clalign align --quiet --strand reverse --matrix own.txt o.fa o.fa
code_of clalign align --quiet --strand reverse --matrix EDNAFULL --format cigar q.fa q.fa
code_of clalign align --quiet --strand backward q.fa q.fa
code_of clalign align --quiet --strand both --run-dir run q.fa q.fa
list_files

fasta q ACGT >q.fa
code_of clalign
code_of clalign aling q.fa q.fa
code_of clalign frobnicate
code_of clalign align --formt json q.fa q.fa
code_of clalign align --zzzzzz q.fa q.fa
code_of clalign align -x q.fa q.fa
code_of clalign align -f json q.fa q.fa
code_of clalign align --help=all
code_of clalign --quiet align q.fa q.fa
code_of clalign align --quiet=yes q.fa q.fa
code_of clalign align q.fa
code_of clalign align q.fa q.fa q.fa
code_of clalign align --format
code_of clalign align --device= q.fa q.fa
code_of clalign align --mode both q.fa q.fa
code_of clalign align --mode local --mode global q.fa q.fa
code_of clalign align --format gff q.fa q.fa
code_of clalign align "" q.fa
code_of clalign align - -
code_of clalign show
code_of clalign show a.cla q.fa
code_of clalign verify a.cla q.fa
code_of clalign devices 1
code_of clalign devices --format xml
list_files

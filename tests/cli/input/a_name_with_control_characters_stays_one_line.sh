fasta t ACGT >t.fa
clalign align $'no\nsuch\033[31m.fa' t.fa

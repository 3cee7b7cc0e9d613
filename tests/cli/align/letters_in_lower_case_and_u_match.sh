fasta q acggauucag >q.fa
fasta t ACGGATTCAG >t.fa
clalign align --quiet --format cigar q.fa t.fa

fasta q ACGGATTCAG >-odd.fa
fasta t ACGGATTCAG >t.fa
clalign align --quiet --format=cigar ./-odd.fa t.fa
clalign align ./-odd.fa t.fa --format cigar --quiet --memory 400MiB
clalign align ./-odd.fa --quiet t.fa --format cigar --memory 1g
clalign align --quiet --format cigar -- -odd.fa t.fa

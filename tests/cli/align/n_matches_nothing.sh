fasta q ACGGATTCAGNCCATGTTGCA >q.fa
clalign align --quiet --format json q.fa q.fa >out.json || exit
json .score .cigar .matches .mismatches out.json

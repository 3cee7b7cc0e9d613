fasta q ACGGATTCAG >q.fa
fasta q AAAACCCC >q.fa:q
fasta "q:1-4" GGGGGGGG >names.fa
fasta q CCCCCCCC >>names.fa
clalign align --quiet --format cigar q.fa:q q.fa:q || exit
clalign align --quiet --format json names.fa:q:1-4 names.fa:q:1-4 >out.json || exit
json .query.name .score out.json

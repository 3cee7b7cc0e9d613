fasta q ACGGATTCAGCCATGTTGCA >q.fa
fasta t ACGGATTCAGTCCATGTTGCA >t.fa
clalign align --quiet --score-only q.fa t.fa >out.json || exit
json .score .query.start .query.end .target.end .cigar .matches .columns out.json
clalign align --quiet --score-only --format pair q.fa t.fa

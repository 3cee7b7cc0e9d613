fasta q AAAAAAAA >q.fa
fasta t CCCCCCCCCCCC >t.fa
clalign align --quiet --format json q.fa t.fa >out.json || exit
json .score .query.start .query.end .target.start .target.end '.cigar == ""' out.json

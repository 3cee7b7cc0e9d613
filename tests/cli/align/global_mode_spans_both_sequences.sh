# Reading back from the end a pair is preferred to a gap, so the gap stands before the last G.
fasta q ACGGATTCAG >q.fa
fasta t ACGGATTCAGGG >t.fa
clalign align --quiet --mode global --format json q.fa t.fa >out.json || exit
json .score .mode .query.end .target.end .cigar out.json

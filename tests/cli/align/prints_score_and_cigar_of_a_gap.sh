# One target letter against a gap between two parts of ten equal letters: 20 - 5.
fasta q ACGGATTCAGCCATGTTGCA >q.fa
fasta t ACGGATTCAGTCCATGTTGCA >t.fa
clalign align --quiet --format json q.fa t.fa >out.json || exit
json .score .mode .query.name .query.length .query.start .query.end .query.strand .target.start .target.end \
  .matches .mismatches .gap_opens .gap_letters .columns .cigar .cells .exact .scoring.gap_first out.json

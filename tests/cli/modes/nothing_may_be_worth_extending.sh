fasta q AAAA >q.fa
fasta t CCAAAA >t.fa
clalign align --mode extend --format json --output out.json --format sam --output out.sam --format paf --output out.paf q.fa t.fa
jq -c '[.score, .query.start, .query.end, .target.start, .target.end, .cigar, .columns]' out.json
grep -v '^@' out.sam | cut -f 2,3,4,6
wc -c <out.paf
clalign align --quiet --mode extend --score-only q.fa t.fa | jq -c '[.score, .query.end, .target.end]'

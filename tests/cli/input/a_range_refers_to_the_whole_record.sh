fasta q TTTTTTTTTTACGGATTCAGTTTTTTTTTT >q.fa
fasta t ACGGATTCAG >t.fa
clalign align --quiet --format json q.fa:11-20 t.fa >out.json || exit
json .query.length .query.start .query.end .score .cells out.json

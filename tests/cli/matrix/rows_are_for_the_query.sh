printf 'A C\nA 1 5\nC -5 1\n' >m.txt
fasta a AAAA >a.fa
fasta c CCCC >c.fa
clalign align --quiet --format json --matrix m.txt --asymmetric a.fa c.fa >out.json && json .score .positives .matches out.json
clalign align --quiet --format json --matrix m.txt --asymmetric c.fa a.fa >out.json && json .score out.json

fasta q MKVLAWQEFPMKVLAWQEFP >q.fa
fasta t MKVLAWEEFPMKVIAWQEFP >t.fa
clalign align --quiet --run-dir run --format json --output out.json q.fa t.fa || exit
jq -c '.definition | .alphabet, .scoring.letters, (.scoring.matrix | length)' run/manifest.json
mv out.json first.json
clalign resume --quiet run && jq -c '[.score, .cigar]' first.json out.json | uniq | wc -l
# The same file with other scores.
printf 'A C G T\nA 2 -3 -3 -3\nC -3 2 -3 -3\nG -3 -3 2 -3\nT -3 -3 -3 2\n' >m.txt
fasta d ACGTACGTACGT >d.fa
clalign align --quiet --run-dir other --matrix m.txt --format cigar --output cigar.txt d.fa d.fa || exit
sed -i 's/-3/-2/g' m.txt
code_of clalign resume --quiet other
sed -i 's/-2/-3/g' m.txt
clalign resume --quiet other && cat cigar.txt

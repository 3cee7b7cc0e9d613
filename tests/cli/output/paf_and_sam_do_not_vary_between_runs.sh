simulate_pair 1 1000
for format in paf sam cigar; do
  clalign align --quiet --format $format q.fa t.fa >first || exit
  clalign align --quiet --format $format q.fa t.fa | cmp first - || fail $format
done

folder=$CASES/../../../tuning
shopt -s nullglob
for record in "$folder"/*.txt; do
  grep -q -x 'signature any' "$record" || fail "$record: shipped records have the line 'signature any'"
done
# Each is read here, whatever the device, and nothing is said.
fasta q ACGTTGCA >q.fa
CLALIGN_TUNING_PATH=$folder clalign align --quiet --format cigar q.fa q.fa

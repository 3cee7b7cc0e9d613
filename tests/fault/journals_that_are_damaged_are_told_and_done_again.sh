. "$CASES/batches.bash"
make_batch 20 80
# damage FROM: zeroes from there to 8 bytes on.
damage() { printf '\0\0\0\0\0\0\0\0' | dd of=run/journal.clj bs=1 seek="$1" conv=notrunc status=none; }
begin() {
  rm -rf run
  "${batch[@]}" pairs.tsv || fail "no batch"
  rm got.*
}
# Entries from the damaged one on are done again.
for at in 40 $((journal_bytes / 2)) $((journal_bytes - 8)); do
  begin
  damage "$at"
  clalign resume --quiet run || fail "cannot resume"
  check_batch "a damaged journal"
done
for bytes in 0 17 $((journal_bytes - 1)); do
  begin
  truncate -s "$bytes" run/journal.clj
  clalign resume --quiet run || fail "cannot resume"
  check_batch "a short journal"
done
rm run/journal.clj
clalign resume --quiet run || fail "cannot resume"
check_batch "no journal"
# Of another batch, altered, or none.
damage 2
code_of clalign resume run
damage 20
begin
cp -r run other
rm -rf run
"${batch[@]}" --min-score 5 pairs.tsv
cp other/journal.clj run/journal.clj
rm got.*
code_of clalign resume run
begin
sed -i 's/max/min/; s/quiet/quiez/' run/batch.json
code_of clalign resume run
# Sequences and lists that are not what they were.
begin
cp t.fa kept.fa
awk '/^>t5$/ { print; getline; print "ACGT" $0; next } { print }' kept.fa >t.fa
code_of clalign resume run
cp kept.fa t.fa
cp pairs.tsv kept.tsv
sed 1d kept.tsv >pairs.tsv
code_of clalign resume run
cp kept.tsv pairs.tsv
# A second process, and a second beginning.
code_of "${batch[@]}" pairs.tsv
clalign resume --quiet run || fail "cannot resume"
check_batch "after all that"

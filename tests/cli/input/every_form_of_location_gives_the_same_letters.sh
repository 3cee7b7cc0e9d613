need_program bgzip
simulate_pair
{ fasta other ACGTACGT; cat q.fa; fasta third GGGG; } >many.fa
sed 's/$/\r/' q.fa >crlf.fa
gzip -c q.fa >q.fa.gz
bgzip -c q.fa >q.fa.bgz
awk 'NR == 1 { next } { s = s $0 } END { print "@query"; print s; print "+"; gsub(/./, "I", s); print s }' q.fa >q.fq
clalign align --quiet --format paf q.fa t.fa >expected || exit
for location in q.fa.gz q.fa.bgz q.fq crlf.fa many.fa:query "many.fa:query:1-2000" "q.fa:1-2000" "q.fa:1-" ./q.fa; do
  clalign align --quiet --format paf "$location" t.fa | cmp expected - || fail "$location"
done
for location in - -:query; do
  clalign align --quiet --format paf "$location" t.fa <q.fa | cmp expected - || fail "$location"
done
clalign align --quiet --format paf -:query t.fa <many.fa | cmp expected - || fail "many on stdin"
echo agreed

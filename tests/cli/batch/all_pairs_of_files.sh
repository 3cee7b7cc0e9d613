. "$CASES/pairs.bash"
make_pairs 7 60
list() {
  local i j
  for i in $1; do for j in $2; do printf '%s:%s%d\t%s:%s%d\n' "$3" "$4" "$i" "$5" "$6" "$j"; done; done
}
list "1 2 3 4 5 6 7" "1 2 3 4 5 6 7" q.fa q t.fa t >all.tsv
clalign batch --quiet all.tsv >all.paf
wc -l <all.tsv
clalign batch --quiet --all-vs-all q.fa t.fa | cmp - all.paf || fail "all with all"
gzip -k t.fa
clalign batch --quiet --all-vs-all q.fa t.fa.gz | cmp - all.paf || fail "all with all, gz"
cat t.fa | clalign batch --quiet --all-vs-all q.fa - | cmp - all.paf || fail "all with all, standard input"
# One against many.
grep -P '^q.fa:q3\t' all.tsv >one.tsv
clalign batch --quiet one.tsv >one.paf
clalign batch --quiet --all-vs-all q.fa:q3 t.fa | cmp - one.paf || fail "one against many"
# Each pair of one file once.
for ((i = 1; i <= 7; i++)); do for ((j = i + 1; j <= 7; j++)); do printf 'q.fa:q%d\tq.fa:q%d\n' $i $j; done; done >self.tsv
wc -l <self.tsv
clalign batch --quiet self.tsv >self.paf
clalign batch --quiet --all-vs-all q.fa | cmp - self.paf || fail "one file"
# Where there is no room for all records, some are read again for each query.
for i in 1 2 3 4 5 6; do
  clalign simulate --seed $i --length 1500000 --target-name big$i --output-query big_q.fa --output-target big_t.fa
  cat big_t.fa >>big.fa
done
gzip -k big.fa
list "1 2 3" "1 2 3 4 5 6" q.fa q big.fa big >big.tsv
clalign batch --quiet --score-only big.tsv | jq -c '[.score, .query.name, .target.name, .target.end]' >big.scores
for file in big.fa big.fa.gz; do
  clalign batch --quiet --score-only --memory 28M --all-vs-all q.fa $file | jq -c 'select(.query.name | test("[123]")) | [.score, .query.name, .target.name, .target.end]' |
    cmp - big.scores || fail "all with all, little memory, $file"
done
wc -l <big.scores
clalign batch --all-vs-all q.fa t.fa 2>&1 >/dev/null | sed -n 's/^  pairs  */pairs /p'

simulate_pair 3 3000
for mode in local global; do
  best=$(clalign align --quiet --mode $mode --score-only q.fa t.fa | jq .score)
  clalign align --quiet --mode $mode --score-only --lower-bound "$best" q.fa t.fa | jq ".score - $best"
  code_of clalign align --quiet --mode $mode --lower-bound $((best + 1)) --output none.txt q.fa t.fa
done
fasta a AAAA >a.fa
fasta c CCCC >c.fa
clalign align --quiet --score-only --lower-bound 0 a.fa c.fa | jq .score
code_of clalign align --quiet --score-only --lower-bound 1 a.fa c.fa
list_files

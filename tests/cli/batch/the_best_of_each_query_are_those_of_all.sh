. "$CASES/pairs.bash"
make_pairs 6 50
# Some that resemble each other, and two that are the same, so that scores are equal.
make_pairs_letters=$(sed -n 2p t.fa)
{ cat t.fa; fasta same1 "$make_pairs_letters"; fasta same2 "$make_pairs_letters"; } >all.fa
align_all() {
  local i j number=0
  for i in 1 2 3 4 5 6; do
    number=0
    for j in t1 t2 t3 t4 t5 t6 same1 same2; do
      number=$((number + 1))
      clalign align --quiet --format json "$@" q.fa:q$i all.fa:$j | jq -r "[\"q$i\", $number, .score, .target.name, .cigar] | @tsv"
    done
  done
}
for options in "" "--min-score 8" "--strand both"; do
  align_all $options >every
  for most in 1 3 20; do
    # By the score, and where that is equal in the order of the pairs.
    for i in 1 2 3 4 5 6; do grep -P "^q$i\t" every | sort -t "$(printf '\t')" -k3,3nr -k2,2n | head -n $most; done |
      cut -f 1,3- >want
    clalign batch --quiet $options --all-vs-all --top $most --format json q.fa all.fa |
      jq -r '[.query.name, .score, .target.name, .cigar] | @tsv' | cmp - want || fail "$options, the best $most"
  done
  wc -l <want
done

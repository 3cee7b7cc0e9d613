# shellcheck shell=bash
# Read in by cases about many pairs.

# make_pairs N LETTERS: N related pairs of about so many letters in q.fa and t.fa, and their list pairs.tsv.
make_pairs() {
  local i
  : >q.fa
  : >t.fa
  : >pairs.tsv
  for ((i = 1; i <= $1; i++)); do
    clalign simulate --seed "$i" --length $(($2 + 7 * i % 40)) --query-name "q$i" --target-name "t$i" \
      --output-query one_q.fa --output-target one_t.fa || fail "no simulated pair"
    cat one_q.fa >>q.fa
    cat one_t.fa >>t.fa
    printf 'q.fa:q%d\tt.fa:t%d\n' "$i" "$i" >>pairs.tsv
  done
  rm one_q.fa one_t.fa
}

# align_each LIST OPTION...: what clalign align writes of each pair, one after the other.
align_each() {
  local query target list=$1
  shift
  while IFS=$'\t' read -r query target; do clalign align --quiet "$@" "$query" "$target" || return; done <"$list"
}

# Pairs that begin and end with gaps or unlike letters: bcftools norm changes no record, and records make the query of the target.
need_program bcftools
seed=${CLALIGN_TEST_SEED:-1}
python3 "$CASES/small_pairs.py" make "$seed" "${CLALIGN_TEST_PAIRS:-400}" || fail "no pairs"
try() {
  local name=$1 list=$2 reverse=$3
  shift 3
  clalign batch --quiet --type dna "$@" --format vcf --output "$name.vcf" --format paf --output "$name.paf" "$list" ||
    fail "$name: batch"
  bcftools norm --check-ref e -f t.fa "$name.vcf" >"$name.norm" 2>"$name.complaints" || fail "$name: norm"
  # shellcheck disable=SC2086
  python3 "$CASES/small_pairs.py" check "$name" $reverse || fail "$name, seed $seed"
}
flat="--match 1 --mismatch -1 --gap-first 1 --gap-ext 0"
even="--match 1 --mismatch -1 --gap-first 1 --gap-ext 1"
alike="--match 0 --mismatch 0 --gap-first 1 --gap-ext 0"
free="--match 1 --mismatch -1 --gap-first 0 --gap-ext 0"
for list in whole parts; do
  # shellcheck disable=SC2086
  {
    try flat_$list $list.tsv "" --mode global $flat
    try flat_left_$list $list.tsv "" --mode global $flat --gap-placement left
    try flat_right_$list $list.tsv "" --mode global $flat --gap-placement right
    cmp <(grep -v '^##' flat_left_$list.vcf) <(grep -v '^##' flat_right_$list.vcf) || fail "gap placement shows, seed $seed"
    try flat_reverse_$list $list.tsv reverse --mode global $flat --strand reverse
    try even_$list $list.tsv "" --mode global $even
    try even_reverse_$list $list.tsv reverse --mode global $even --strand reverse --gap-placement left
    try free_$list $list.tsv "" --mode global $free
    try alike_$list $list.tsv "" --mode global $alike
    try default_$list $list.tsv "" --mode global
    try local_$list $list.tsv "" --match 3 --mismatch -1 --gap-first 1 --gap-ext 0
    try semi_global_$list $list.tsv "" --mode semi-global $flat
    try extend_$list $list.tsv "" --mode extend $flat
    try target_end_$list $list.tsv "" --free-ends target-end $even
    try query_start_$list $list.tsv "" --free-ends query-start $even
  }
done

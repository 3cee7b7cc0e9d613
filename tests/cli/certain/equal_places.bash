# shellcheck shell=bash
# Read in by the cases about where equal gaps may lie (equal_places.py).

default_costs=1,-3,5,2
genome_costs=1,-3,7,2,40,0

# compare_places NAME COSTS [reverse] -- OPTION...: aligns q.fa and t.fa with a certificate, and compares.
compare_places() {
  local name=$1 costs=$2 reverse=${3#--} way
  shift 2
  [ "$1" != reverse ] || shift
  rm -f t.fa.fai
  clalign align --quiet --mode global --certify "${@:2}" -o "$name.vcf" -o "$name.blocks" q.fa t.fa || fail "$name: align"
  for way in right beyond; do
    python3 "$CASES/equal_places.py" $way "$name" >$way.vcf || fail "$name: $way"
    bcftools norm --check-ref e -f t.fa $way.vcf >$way.norm 2>norm.messages || fail "$name: $(cat norm.messages)"
  done
  # shellcheck disable=SC2086
  python3 "$CASES/equal_places.py" check "$name" "$costs" $reverse || fail "$name"
}
repeats() { python3 "$CASES/equal_places.py" make "$@" || fail "no repeats"; }
simulated() {
  clalign simulate --seed "$1" --length "$2" --substitution-rate 0.03 --indel-rate 0.02 --output-query q.fa --output-target t.fa ||
    fail "no simulated pair"
}
turn_query() {
  { echo ">query" && sed 1d q.fa | tr -d '\n' | rev | tr ACGT TGCA && echo; } >turned.fa && mv turned.fa q.fa
}

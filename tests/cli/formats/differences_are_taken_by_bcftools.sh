# bcftools finds the reference's letters, has nothing to move, and makes the query of the target.
need_program bcftools
need_program samtools
. "$CASES/formats.bash"
differences() {
  local name=$1 query=$2 target=$3
  shift 3
  clalign align --quiet --mode global "$@" --format vcf --output "$name.vcf" "$query" "$target" || exit
  bcftools view -Oz -o "$name.vcf.gz" "$name.vcf" || fail "$name: view"
  bcftools index "$name.vcf.gz" || fail "$name: index"
  bcftools norm -c e -f "$target" "$name.vcf" 2>&1 >"$name.norm" |
    sed -E "s|^Lines.*:\t([0-9]+)(/0)+$|$name: \1, none of them to change|"
  bcftools consensus -f "$target" "$name.vcf.gz" 2>"$name.complaints" | tail -n +2 | tr -d '\n' >"$name.made" ||
    fail "$name: consensus"
  cmp "$name.made" <(tail -n +2 "$query" | tr -d '\n' | if [ "${turn:-}" ]; then rev | tr ACGT TGCA; else cat; fi) ||
    fail "$name: not the query"
}
simulate_pair 7 4000
differences canonical q.fa t.fa
differences right q.fa t.fa --gap-placement right
cmp <(grep -v '^##' canonical.vcf) <(grep -v '^##' right.vcf) || fail "gap placement shows"
turned q.fa >r.fa
turn=yes differences reverse r.fa t.fa --strand reverse
fasta q GGTACGTTTTACGA >ends_q.fa
fasta t ACGTTTTTACGATT >ends_t.fa
differences ends ends_q.fa ends_t.fa
grep -v '^#' ends.vcf
differences ends_back ends_t.fa ends_q.fa
grep -v '^#' ends_back.vcf

# An independent program goes through all of a database (tests/peers/protein_search.c).
search=$(dirname "$(realpath "$(command -v clalign)")")/tests/protein_search
[ -x "$search" ] || skip "built without libparasail"
"$search" make 100000 7 query.fa database.fa || exit
for gaps in "11 1" "14 2"; do
  set -- $gaps
  "$search" score blosum62 "$1" "$2" query.fa database.fa 2>/dev/null >every || exit
  # The best come twice, so one is the best: where scores are equal, the first that the database has.
  for most in 1 2 10; do
    sort -t "$(printf '\t')" -k2,2nr -s every | head -n $most >want
    clalign batch --quiet --all-vs-all --top $most --matrix BLOSUM62 --gap-first "$1" --gap-ext "$2" --format json \
      query.fa database.fa | jq -r '[.target.name, .score] | @tsv' | cmp - want || fail "the best $most, $gaps"
  done
done

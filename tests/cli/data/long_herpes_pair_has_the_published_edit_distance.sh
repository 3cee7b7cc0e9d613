# Match 0, mismatch -1 and gaps of -1 a letter make the global score the negative edit distance.
need_data NC_000898.1.fa.gz NC_007605.1.fa.gz
clalign align --quiet --mode global --match 0 --mismatch -1 --gap-first 1 --gap-ext 1 --format json \
  "$CLALIGN_TEST_DATA/NC_000898.1.fa.gz" "$CLALIGN_TEST_DATA/NC_007605.1.fa.gz" >out.json || exit
json .score out.json

need_data NC_000898.1.fa.gz NC_007605.1.fa.gz
query=$CLALIGN_TEST_DATA/NC_000898.1.fa.gz
target=$CLALIGN_TEST_DATA/NC_007605.1.fa.gz
clalign align --quiet --format json --output out.json --save out.cla "$query" "$target" || exit
json .score out.json
clalign verify out.cla "$query" "$target" | cut -d ' ' -f 1-3

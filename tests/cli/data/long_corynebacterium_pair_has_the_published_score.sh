need_data BA000035.2.fa.gz BX927147.1.fa.gz
query=$CLALIGN_TEST_DATA/BA000035.2.fa.gz
target=$CLALIGN_TEST_DATA/BX927147.1.fa.gz
clalign align --quiet --format json --output out.json --save out.cla "$query" "$target" || exit
json .score .query.end .target.end out.json
clalign verify out.cla "$query" "$target" | cut -d ' ' -f 1-3

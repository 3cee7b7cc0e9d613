need_data AE016879.1.fa.gz AE017225.1_first2067590.fa.gz
query=$CLALIGN_TEST_DATA/AE016879.1.fa.gz
target=$CLALIGN_TEST_DATA/AE017225.1_first2067590.fa.gz:1-1742887
clalign align --quiet --format json --output out.json --save out.cla "$query" "$target" || exit
json .score .query.end .target.end out.json
clalign verify out.cla "$query" "$target" | cut -d ' ' -f 1-3

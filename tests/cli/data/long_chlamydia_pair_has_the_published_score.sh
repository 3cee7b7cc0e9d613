need_data CP000051.1.fa.gz AE002160.2.fa.gz
query=$CLALIGN_TEST_DATA/CP000051.1.fa.gz
target=$CLALIGN_TEST_DATA/AE002160.2.fa.gz
clalign align --quiet --format json --output out.json --save out.cla "$query" "$target" || exit
json .score out.json
clalign verify out.cla "$query" "$target" | cut -d ' ' -f 1-3

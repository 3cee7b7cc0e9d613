need_data AF133821.1.fa.gz AY352275.1.fa.gz
query=$CLALIGN_TEST_DATA/AF133821.1.fa.gz
target=$CLALIGN_TEST_DATA/AY352275.1.fa.gz
clalign align --quiet --format json --output local.json --save local.cla "$query" "$target" || exit
json .score .query.end .target.end local.json
clalign align --quiet --score-only "$query" "$target" >score.json || exit
json .score .query.end .target.end score.json
clalign align --quiet --mode global --format json "$query" "$target" >global.json || exit
json .score global.json
clalign verify local.cla "$query" "$target" | cut -d ' ' -f 1-3

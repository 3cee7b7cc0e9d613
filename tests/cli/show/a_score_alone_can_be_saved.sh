simulate_pair 1 400
clalign align --quiet --score-only --save a.cla q.fa t.fa >out.json || exit
[ "$(clalign show a.cla | jq .score)" = "$(json .score out.json)" ] || fail "another score"
clalign verify a.cla q.fa t.fa | cut -d ' ' -f 1
code_of clalign show --format sam a.cla

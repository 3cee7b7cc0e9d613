# On a terminal of 30 columns no line of the bar may reach the last column, where it would wrap.
script -q -e -c true typescript </dev/null >/dev/null 2>&1 || skip "no pseudo-terminal"
clalign simulate --unrelated --length 200000 --output-query q.fa --output-target t.fa || exit
cat >on_terminal <<'END'
stty columns 30 2>/dev/null
clalign align --format cigar --output out.txt q.fa t.fa
END
script -q -e -c 'bash on_terminal' typescript </dev/null >/dev/null || fail "the run on a terminal"
tr '\r' '\n' <typescript | sed -n '/ %/p' | grep -E '^(lower|forward|start|trace|#|\[)' >bars
[ -s bars ] || fail "no bar was drawn"
awk 'length($0) > 29 { print "too long: " $0 }' bars

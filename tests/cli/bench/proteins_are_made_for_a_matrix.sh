clalign bench --quiet --json --sizes 300 --modes local --repeat 1 --matrix blosum62 >bare.json || exit
jq -c '[.type, .scoring]' bare.json
clalign bench --quiet --json --sizes 300 --modes global --repeat 1 --matrix BLOSUM62 --gap-first 11 --gap-ext 11 \
  --kernels default,group32 >linear.json || exit
jq -c '[.kernel_asked, .scoring.gap_first, .scoring.gap_ext]' linear.json
jq -s -e '.[0].score == .[1].score' linear.json >/dev/null || fail "kernels differ: $(cat linear.json)"
# The score of the pair that the simulator makes.
clalign simulate --protein --unrelated --length 1315 --output-query q.fa --output-target t.fa || exit
first_letters() { { echo ">$1"; grep -v "^>" "$1" | tr -d "\n" | cut -c 1-300; } >"$2"; }
first_letters q.fa q300.fa
first_letters t.fa t300.fa
clalign align q300.fa t300.fa --mode global --matrix BLOSUM62 --gap-first 11 --gap-ext 11 --score-only --format json \
  --quiet >align.json || exit
jq -s -e '.[0].score == .[1].score' linear.json align.json >/dev/null || fail "$(jq .score linear.json align.json | xargs)"
clalign bench --quiet --sizes 300 --modes local --repeat 1 --matrix EDNAFULL | grep scores
clalign bench --quiet --sizes 300 --modes local --repeat 1 --matrix PAM250 --gap-ext 3 | grep scores
clalign bench --quiet --sizes 300 --modes local --repeat 1 --gap-first 7 | grep scores
printf '   X Y\nX  1 0\nY  0 1\n' >own.txt
code_of clalign bench --matrix own.txt
code_of clalign bench --matrix BLOSUM63
code_of clalign bench --matrix BLOSUM62 --gap-first 1 --gap-ext 2
# parasail, if it is there, gets the same scores: its functions of 32 bits are right.
if clalign bench --quiet --json --sizes 200 --repeat 1 --peer >/dev/null 2>&1; then
  clalign bench --quiet --json --sizes 400 --repeat 1 --peer --matrix BLOSUM62 >peer.json || exit
  jq -e '.peer.functions[] | select(.name | test("striped.*_32")) | .wrong == null' peer.json >/dev/null || fail "$(cat peer.json)"
fi

# matcher (EMBOSS) has the best alignments without common pairs by the algorithm of Huang and Miller. Its gap of k letters
# costs open + (k - 1) extend. Where several alignments have a score, it may take another one, and then others remain:
# so the last of many may differ.
need_program matcher
# A target with parts of the query in other places, turned around and twice.
simulate_pair 3 3000
letters=$(tail -n +2 t.fa | tr -d '\n')
fasta parts "${letters:2000}${letters:500:900}${letters:0:500}${letters:100:800}" >parts.fa
check() {
  local matrix=$1 first=$2 ext=$3 count=$4 query=$5 target=$6
  matcher -asequence "$query" -bsequence "$target" -datafile "$matrix" -alternatives "$count" -gapopen "$first" -gapextend "$ext" \
    -outfile matcher.txt -auto || exit
  sed -n 's/^# Score: \([0-9]*\).*/\1/p' matcher.txt >theirs
  clalign align --quiet --matrix "${matrix/#EBL/BL}" --gap-first "$first" --gap-ext "$ext" --max-alignments "$count" --format json \
    "$query" "$target" | jq .score >ours
  cmp theirs ours || fail "$matrix: $(paste theirs ours | head -n 20 | tr '\t\n' '/ ')"
}
check EDNAFULL 16 4 15 q.fa parts.fa
check EDNAFULL 7 7 10 q.fa parts.fa
clalign simulate --protein --seed 5 --length 700 --output-query pq.fa --output-target pt.fa --substitution-rate 0.4
check EBLOSUM62 12 2 15 pq.fa pt.fa
echo agreed

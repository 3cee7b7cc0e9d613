# A gap of 30 letters costs 5 + 29 x 2 = 63 by the first piece and 20 + 29 = 49 by the second.
left=ACGTACCTGATTCAGCAGGTCATTACGGACTTGCAATGCCGTTAGCATGGTACCAGTACGATT
right=TTGACCGATAGGCATTACAGGCTAACGTTCAGGATCCATGCAATTCGGCTAAGTCCGATGTACT
gap=GGGGGCCCCCGGGGGCCCCCGGGGGCCCCC
fasta q "$left$right" >q.fa
fasta t "$left$gap$right" >t.fa
first="--gap-first 5 --gap-ext 2 --gap-first2 20 --gap-ext2 1"
ncbi="--gap-open 3 --gap-extend 2 --gap-open2 19 --gap-extend2 1"
for mode in local global; do
  clalign align --quiet --mode $mode --format json $first q.fa t.fa --save saved.cla >own.json || exit
  clalign align --quiet --mode $mode --format json $ncbi q.fa t.fa >ncbi.json || exit
  json .score .cigar '.scoring | .gap_first, .gap_ext, .gap_first2, .gap_ext2' own.json
  cmp <(json .score .cigar .scoring own.json) <(json .score .cigar .scoring ncbi.json) || exit
done
clalign verify saved.cla q.fa t.fa >/dev/null || exit
clalign show --format pair saved.cla q.fa t.fa | grep -E 'Matrix|enalty|Score'
clalign align --quiet --format json q.fa t.fa >one.json || exit
json '.scoring | .gap_first2, .gap_ext2' one.json
clalign align --explain $first q.fa t.fa 2>&1 >/dev/null | grep -oE 'gap of k .*|gap 5 .*'
clalign align --quiet --run-dir run $first q.fa t.fa >whole || exit
clalign resume --quiet run >again || exit
cmp whole again
clalign align --quiet --format json --gap-first 2.5 --gap-ext 1 --gap-first2 7.25 --gap-ext2 0.5 q.fa t.fa >part.json || exit
json .score '.scoring | .gap_first, .gap_ext, .gap_first2, .gap_ext2' part.json

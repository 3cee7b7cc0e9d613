need_program samtools
simulate_pair 8 6000
{ head -n 1 q.fa; tail -n +2 q.fa | tr -d '\n' | rev | tr ACGT TGCA; echo; } >r.fa
clalign align --quiet --strand reverse --save a.cla --format paf --output a.paf --format sam --output a.sam r.fa:101-5900 t.fa || exit
samtools view -b -o a.bam a.sam || exit
for mode in local global; do
  for range in "" ":301-5000"; do
    clalign align --quiet --mode $mode --strand reverse --lower-bound off --format paf "r.fa$range" t.fa >wanted || exit
    for bound in a.paf a.sam a.bam a.cla; do
      for strand in reverse both; do
        clalign align --quiet --mode $mode --strand $strand --lower-bound $bound --format paf "r.fa$range" t.fa |
          cmp - wanted || fail "$bound $strand $mode"
      done
    done
  done
done
# It is a bound: the score that it is known to reach is that of the file's alignment.
clalign align --quiet --strand reverse --lower-bound a.paf --explain --output none r.fa:101-5900 t.fa 2>&1 |
  grep -c "pruning .* score [0-9]* "
for bound in a.paf a.sam a.cla; do code_of clalign align --quiet --lower-bound $bound --output none r.fa t.fa; done
clalign align --quiet --save f.cla --output none q.fa t.fa
code_of clalign align --quiet --strand reverse --lower-bound f.cla --output none q.fa t.fa

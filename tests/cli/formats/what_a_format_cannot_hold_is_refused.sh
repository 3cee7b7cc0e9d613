simulate_pair 1 200
fasta p MKVLAAGIVGLCAKAYLERHE >p.fa
fasta s MKVLSAGIVGLCKAYLERHE >s.fa
fasta none "" >none.fa
for format in sam bam vcf; do code_of clalign align --quiet --format $format p.fa s.fa; done
code_of clalign align --quiet --format vcf --max-alignments 2 q.fa t.fa
for format in bam blast maf fasta chain vcf; do code_of clalign align --quiet --score-only --format $format q.fa t.fa; done
code_of clalign align --quiet --mode global --allow-empty --format vcf none.fa t.fa
code_of clalign align --quiet --format bas q.fa t.fa
# Nothing is aligned: a head at most.
for format in paf blast blast7 maf chain vcf; do
  echo "$format"
  clalign align --quiet --min-score 1000 --format $format q.fa t.fa | sed '/commandline/d;/source/d;s/^# clalign .*/# clalign/' || exit
done
clalign align --min-score 1000 --quiet --format cla --output out.cla q.fa t.fa || exit
list_files
script -q -e -c true typescript </dev/null >/dev/null 2>&1 || skip "no pseudo-terminal"
script -q -c 'clalign align --quiet --format bam q.fa t.fa' typescript </dev/null | tr -d '\r'

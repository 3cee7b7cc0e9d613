fasta q ACGTACGT >q.fa
fasta n ACGTNACGT >n.fa
mkdir folder
: >empty
printf 'A C G T\nA 1 0 0 0\n' | gzip -n >packed
head -c 100 "$(command -v bash)" >program
printf '  A  C\r\nA  1 -2\r\nC -2\r\n' >short_row
printf 'A C\nA 1 -2 3\nC -2 1\n' >long_row
printf 'A C\nA 1 -2\n' >no_row
printf 'A C\nA 1 -2\nC -2 1\nG 1 1\n' >no_column
printf 'A A\nA 1 -2\nA -2 1\n' >twice
printf 'A C\nA 1 -2\nC -3 1\n' >asymmetric
printf 'A C\nA 1 -2.5001\nC -2.5001 1\n' >fraction
printf 'A C\nA 1000001 -2\nC -2 1\n' >overflow
printf '# only a comment\n' >comment
printf 'A C G T\nA 1 -1 -1 -1\nC -1 1 -1 -1\nG -1 -1 1 -1\nT -1 -1 -1 1\n' >no_n
for matrix in missing folder empty packed program q.fa short_row long_row no_row no_column twice asymmetric fraction \
  overflow comment BLOSUM63 blosum26x; do
  code_of clalign align --output out.txt --matrix $matrix q.fa q.fa
done
code_of clalign align --output out.txt --matrix no_n q.fa n.fa
printf 'H P\nH 1 0\nP 0 1\n' >own
code_of clalign align --output out.txt --matrix own q.fa q.fa
code_of clalign align --matrix EDNAFULL --match 3 q.fa q.fa
code_of clalign align --matrix EDNAFULL --mismatch -3 q.fa q.fa
code_of clalign align --matrix EDNAFULL --ambiguity neutral q.fa q.fa
code_of clalign align --asymmetric q.fa q.fa
code_of clalign align --ambiguity some q.fa q.fa
code_of clalign align --type rna q.fa q.fa
code_of clalign align --type protein --ambiguity neutral q.fa q.fa
code_of clalign align --matrix BLOSUM45 --gap-first 1 q.fa q.fa
code_of clalign align --matrix BLOSUM62 --gap-ext 13 q.fa q.fa
list_files | grep -c ^out

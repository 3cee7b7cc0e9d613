fasta t ACGTACGT >t.fa
mkdir folder
: >empty.fa
seq 3000 | gzip -n | tail -c +20 >random.bin
cp "$(command -v bash)" program
echo 'just some words' >text.txt
printf '>nothing\n' >no_letters.fa
printf '>first\nACGT\n>nothing\n>last\nACGT\n' >one_without.fa
{ fasta one ACGT; fasta two ACGT; } >two.fa
fasta protein MKVLAWQEFP >protein.fa
fasta odd 'ACG!TACGT' >odd.fa
clalign simulate --length 300000 --output-query long.fa --output-target other.fa || exit
gzip -c long.fa | head -c 20000 >truncated.fa.gz
printf '@read\nACGTACGT\n+\nIII\n' >truncated.fq
for location in missing.fa folder empty.fa random.bin program text.txt no_letters.fa one_without.fa:nothing two.fa \
  two.fa:three two.fa:one:3-9 two.fa:one:3-2 two.fa:one:0-2 two.fa:one:1-99999999999999999999 protein.fa odd.fa \
  truncated.fa.gz truncated.fq; do
  code_of clalign align --output out.txt "$location" t.fa
done
code_of clalign align --output out.txt t.fa missing.fa
code_of clalign align --output out.txt t.fa - </dev/null
list_files | grep -c ^out

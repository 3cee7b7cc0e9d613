fasta dna ACGTNACGTACGT >dna.fa
fasta rna ACGUNACGUACGU >rna.fa
fasta hba MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHF >protein.fa
fasta short MKVSHRDN >either.fa
fasta odd ACGTACGTACGTLACGTACGT >odd.fa
fasta bad MVLSPADKTN7KAAW >bad.fa
fasta gap MVLSPADKTN-KAAW >gap.fa
fasta lower mvlspadktnvkaaw >lower.fa
type_of() {
  clalign align --quiet --format json "$@" >out.json && json .type .score out.json | xargs
}
type_of dna.fa rna.fa
type_of protein.fa lower.fa
code_of type_of dna.fa protein.fa
code_of type_of protein.fa dna.fa
type_of --type protein dna.fa protein.fa
code_of type_of --type dna dna.fa protein.fa
type_of --matrix BLOSUM62 dna.fa protein.fa
type_of --matrix BLOSUM62 dna.fa dna.fa
code_of type_of --matrix EDNAFULL dna.fa protein.fa
code_of type_of either.fa either.fa
type_of --type protein either.fa protein.fa
type_of --type dna either.fa dna.fa
code_of type_of odd.fa dna.fa
code_of type_of bad.fa protein.fa
code_of type_of gap.fa protein.fa
code_of clalign align --format sam protein.fa protein.fa
clalign align --explain --score-only protein.fa lower.fa 2>&1 >out.json | grep -oE '(DNA|protein), local|matrix [A-Z0-9]+ of [0-9]+ letters'
